; An extension moves in front of the arithmetic that it extends, where flags of the
; instructions say that both are the same.
; RUN: %opt -passes=pardiff-widen-indices,verify -S %s | %FileCheck %s

; CHECK-LABEL: @signed
; CHECK-DAG: [[I:%.*]] = sext i32 %i to i64
; CHECK-DAG: [[M:%.*]] = sext i32 %m to i64
; CHECK-DAG: [[J:%.*]] = sext i32 %j to i64
; CHECK: [[MUL:%.*]] = mul nsw i64 [[I]], [[M]]
; CHECK: [[SUM:%.*]] = add nsw i64 [[MUL]], [[J]]
; CHECK: ret i64 [[SUM]]
define i64 @signed(i32 %i, i32 %m, i32 %j) {
  %a = mul nsw i32 %i, %m
  %b = add nsw i32 %a, %j
  %c = sext i32 %b to i64
  ret i64 %c
}

; Without nsw the sum may wrap: 2147483647 + 1.
; CHECK-LABEL: @may_wrap
; CHECK: %a = add i32 %i, %j
; CHECK: %b = sext i32 %a to i64
define i64 @may_wrap(i32 %i, i32 %j) {
  %a = add i32 %i, %j
  %b = sext i32 %a to i64
  ret i64 %b
}

; nsw says nothing of the value without sign: -1 + 0.
; CHECK-LABEL: @wrong_flag
; CHECK: %a = add nsw i32 %i, %j
; CHECK: %b = zext i32 %a to i64
define i64 @wrong_flag(i32 %i, i32 %j) {
  %a = add nsw i32 %i, %j
  %b = zext i32 %a to i64
  ret i64 %b
}

; CHECK-LABEL: @unsigned
; CHECK-DAG: [[I:%.*]] = zext i32 %i to i64
; CHECK-DAG: [[J:%.*]] = zext i32 %j to i64
; CHECK: [[MUL:%.*]] = mul nuw nsw i64 [[I]], [[J]]
; CHECK: [[DIV:%.*]] = udiv i64 [[MUL]], 3
; CHECK: ret i64 [[DIV]]
define i64 @unsigned(i32 %i, i32 %j) {
  %a = mul nuw i32 %i, %j
  %b = udiv i32 %a, 3
  %c = zext i32 %b to i64
  ret i64 %c
}

; Division by -1 overflows for the smallest number; division by what may be zero stays
; where it is.
; CHECK-LABEL: @division
; CHECK: [[I:%.*]] = sext i32 %i to i64
; CHECK: sdiv i64 [[I]], 2
; CHECK: %b = sdiv i32 %i, -1
; CHECK: %c = sdiv i32 %i, %j
define i64 @division(i32 %i, i32 %j) {
  %a = sdiv i32 %i, 2
  %b = sdiv i32 %i, -1
  %c = sdiv i32 %i, %j
  %a1 = sext i32 %a to i64
  %b1 = sext i32 %b to i64
  %c1 = sext i32 %c to i64
  %s = add i64 %a1, %b1
  %t = add i64 %s, %c1
  ret i64 %t
}

; A counter is extended as a whole.
; CHECK-LABEL: @counter
; CHECK: [[N:%.*]] = sext i32 %n to i64
; CHECK: [[FIRST:%.*]] = add nsw i64 [[N]], -1
; CHECK: [[I:%.*]] = phi i64 [ [[FIRST]], %entry ], [ [[NEXT:%.*]], %loop ]
; CHECK: getelementptr double, ptr %p, i64 [[I]]
; CHECK: [[NEXT]] = add nsw i64 [[I]], -1
define void @counter(i32 %n, ptr %p) {
entry:
  %first = add nsw i32 %n, -1
  br label %loop
loop:
  %i = phi i32 [ %first, %entry ], [ %next, %loop ]
  %i64 = sext i32 %i to i64
  %a = getelementptr double, ptr %p, i64 %i64
  store double 0.0, ptr %a
  %next = add nsw i32 %i, -1
  %c = icmp sgt i32 %i, 0
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; A counter that may wrap is not.
; CHECK-LABEL: @counter_wraps
; CHECK: %i = phi i32
; CHECK-NOT: phi i64
; CHECK: sext i32 %i to i64
define void @counter_wraps(i32 %n, ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %i64 = sext i32 %i to i64
  %a = getelementptr double, ptr %p, i64 %i64
  store double 0.0, ptr %a
  %next = add i32 %i, 1
  %c = icmp ne i32 %i, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
