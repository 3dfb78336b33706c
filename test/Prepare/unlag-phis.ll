; A phi that holds the last value of a counter is that counter, one step back.
; RUN: %opt -passes=pardiff-unlag-phis -S %s | %FileCheck %s

; CHECK-LABEL: @down
; CHECK: %j = phi i64
; CHECK-NOT: phi
; CHECK: [[LAG:%.*]] = sub i64 %j, -1
; CHECK: getelementptr double, ptr %p, i64 [[LAG]]
define void @down(i64 %n, ptr %p) {
entry:
  %first = add nsw i64 %n, -2
  %before = add nsw i64 %n, -1
  br label %loop
loop:
  %j = phi i64 [ %first, %entry ], [ %next, %loop ]
  %lag = phi i64 [ %before, %entry ], [ %j, %loop ]
  %a = getelementptr double, ptr %p, i64 %lag
  store double 0.0, ptr %a
  %next = add nsw i64 %j, -1
  %c = icmp sgt i64 %j, 0
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; Its first value is not one step in front of the counter's.
; CHECK-LABEL: @other_start
; CHECK: %lag = phi i64
define void @other_start(i64 %n, ptr %p) {
entry:
  %first = add nsw i64 %n, -2
  br label %loop
loop:
  %j = phi i64 [ %first, %entry ], [ %next, %loop ]
  %lag = phi i64 [ 0, %entry ], [ %j, %loop ]
  %a = getelementptr double, ptr %p, i64 %lag
  store double 0.0, ptr %a
  %next = add nsw i64 %j, -1
  %c = icmp sgt i64 %j, 0
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
