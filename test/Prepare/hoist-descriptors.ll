; Loads of pointers and sizes move to the entry block, guarded where they were not
; executed in every run; not where the memory may have been written.
; RUN: %opt -passes=pardiff-hoist-descriptors,verify -S %s | %FileCheck %s

; CHECK-LABEL: @guarded
; CHECK: entry:
; CHECK: %n = load i64, ptr %s
; CHECK: %c = icmp sgt i64 %n, 0
; CHECK: [[P:%.*]] = select i1 %c, ptr %pa, ptr @pardiff.zeros
; CHECK-NEXT: %a = load ptr, ptr [[P]]
; CHECK-NEXT: br i1 %c
define void @guarded(ptr %s) {
entry:
  %n = load i64, ptr %s
  %c = icmp sgt i64 %n, 0
  %pa = getelementptr i8, ptr %s, i64 8
  br i1 %c, label %loop, label %exit
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %a = load ptr, ptr %pa
  %ai = getelementptr double, ptr %a, i64 %i
  %v = load double, ptr %ai
  %i1 = add nsw i64 %i, 1
  %d = icmp slt i64 %i1, %n
  br i1 %d, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: @dereferenceable
; CHECK: entry:
; CHECK-NOT: select
; CHECK: %a = load ptr, ptr %s
; CHECK-NEXT: br i1 %c
define void @dereferenceable(ptr align 8 dereferenceable(16) %s, i1 %c) {
entry:
  br i1 %c, label %then, label %exit
then:
  %a = load ptr, ptr %s, align 8
  %v = load double, ptr %a
  br label %exit
exit:
  ret void
}

; The store may change the pointer.
; CHECK-LABEL: @written
; CHECK: loop:
; CHECK: %a = load ptr, ptr %s
define void @written(ptr %s, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %a = load ptr, ptr %s
  %ai = getelementptr double, ptr %a, i64 %i
  store double 0.0, ptr %ai
  %i1 = add nsw i64 %i, 1
  %d = icmp slt i64 %i1, %n
  br i1 %d, label %loop, label %exit
exit:
  ret void
}

; Whether it is loaded depends on data.
; CHECK-LABEL: @unknown_guard
; CHECK: then:
; CHECK: %a = load ptr, ptr %s
define double @unknown_guard(ptr %s, double %x) {
entry:
  %c = fcmp ogt double %x, 0.0
  br i1 %c, label %then, label %exit
then:
  %a = load ptr, ptr %s
  %v = load double, ptr %a
  ret double %v
exit:
  ret double 0.0
}
