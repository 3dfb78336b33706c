; The form of the emitted code: a guard in front of a rotated loop with a 64-bit counter
; that does not wrap, one alias scope for each array, declared in the entry block, and
; the body's arithmetic as it was. The condition bounds the parameter and reads nothing.
;
; RUN: %opt -passes=pardiff-roundtrip -S %s | %FileCheck %s
; RUN: %opt -passes=pardiff-roundtrip -S %s > %t.first
; RUN: %opt -passes=pardiff-roundtrip -S %s > %t.second
; RUN: diff %t.first %t.second

; CHECK-LABEL: define void @scale(
; CHECK: call void @llvm.experimental.noalias.scope.decl(
; CHECK: br i1 {{%.*}}, label {{%.*}}, label %pardiff.stop
; CHECK: [[GUARD:%.*]] = icmp slt i64 0, %n
; CHECK: br i1 [[GUARD]], label %pardiff.loop, label
; CHECK: pardiff.loop:
; CHECK: [[I:%.*]] = phi i64 [ 0, {{%.*}} ], [ [[NEXT:%.*]], %pardiff.loop ]
; CHECK: load double, ptr {{%.*}}, align 8, !alias.scope [[X:![0-9]+]], !noalias [[Y:![0-9]+]]
; CHECK: fmul fast double
; CHECK: store double {{%.*}}, ptr {{%.*}}, align 8, !alias.scope [[Y]], !noalias [[X]]
; CHECK: [[NEXT]] = add nsw i64 [[I]], 1
; CHECK: [[MORE:%.*]] = icmp slt i64 [[NEXT]], %n
; CHECK: br i1 [[MORE]], label %pardiff.loop, label
; CHECK: pardiff.stop:
; CHECK: call i32 (i32, ptr, ...) @dprintf(i32 2,
; CHECK: call void @abort()
define void @scale(i64 %n, ptr noalias %x, ptr noalias %y) {
entry:
  br label %body

body:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %done

loop:
  %i = phi i64 [ 0, %body ], [ %next, %loop ]
  %from = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %from
  %w = fmul fast double %v, 3.0
  %to = getelementptr inbounds double, ptr %y, i64 %i
  store double %w, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  br label %exit

exit:
  ret void
}
