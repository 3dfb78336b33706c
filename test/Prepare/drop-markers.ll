; Markers without a value go away. An assumption about a value stays.
; RUN: %opt -passes=pardiff-drop-markers -S %s | %FileCheck %s

declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)
declare void @llvm.assume(i1)
declare i1 @llvm.expect.i1(i1, i1)
declare void @llvm.instrprof.increment(ptr, i64, i32, i32)
declare void @llvm.experimental.noalias.scope.decl(metadata)

@name = private constant [1 x i8] c"f"

; CHECK-LABEL: @f
; CHECK-NEXT: %a = alloca double
; CHECK-NEXT: %c = icmp sgt i32 %n, 0
; CHECK-NEXT: call void @llvm.assume(i1 %c)
; CHECK-NEXT: store double 1.000000e+00, ptr %a
; CHECK-NEXT: br i1 %c, label %then, label %exit
define void @f(i32 %n, ptr %p) {
  %a = alloca double
  call void @llvm.lifetime.start.p0(ptr %a)
  call void @llvm.instrprof.increment(ptr @name, i64 0, i32 1, i32 0)
  %c = icmp sgt i32 %n, 0
  call void @llvm.assume(i1 %c)
  call void @llvm.assume(i1 true) [ "align"(ptr %p, i64 16) ]
  store double 1.0, ptr %a
  %e = call i1 @llvm.expect.i1(i1 %c, i1 true)
  br i1 %e, label %then, label %exit
then:
  br label %exit
exit:
  call void @llvm.lifetime.end.p0(ptr %a)
  ret void
}

; The scopes of a declaration that is executed once hold for the whole function.
; CHECK-LABEL: @scope_outside
; CHECK-NOT: noalias.scope.decl
; CHECK: load double, ptr %p, align 8, !alias.scope
; CHECK: store double {{.*}}, ptr %q, align 8, !noalias
define void @scope_outside(ptr %p, ptr %q) {
  call void @llvm.experimental.noalias.scope.decl(metadata !0)
  %v = load double, ptr %p, !alias.scope !0
  store double %v, ptr %q, !noalias !0
  ret void
}

; Those of one in a loop hold for an iteration: accesses of different iterations may
; be to the same memory.
; CHECK-LABEL: @scope_in_loop
; CHECK-NOT: noalias.scope.decl
; CHECK: load double, ptr %pi, align 8{{$}}
; CHECK: store double {{.*}}, ptr %qi, align 8{{$}}
define void @scope_in_loop(ptr %p, ptr %q, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  call void @llvm.experimental.noalias.scope.decl(metadata !0)
  %pi = getelementptr double, ptr %p, i64 %i
  %qi = getelementptr double, ptr %q, i64 %i
  %v = load double, ptr %pi, !alias.scope !0
  store double %v, ptr %qi, !noalias !0
  %i1 = add i64 %i, 1
  %c = icmp slt i64 %i1, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

!0 = !{!1}
!1 = distinct !{!1, !2}
!2 = distinct !{!2}
