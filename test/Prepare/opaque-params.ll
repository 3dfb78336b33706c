; Each integer parameter becomes one frozen 64-bit value in the entry block.
; RUN: %opt -passes=pardiff-opaque-params,verify -S %s | %FileCheck %s

; CHECK-LABEL: @one
; CHECK-NEXT: entry:
; CHECK-NEXT: [[W:%.*]] = sext i32 %n to i64
; CHECK-NEXT: %n.param = freeze i64 [[W]]
; CHECK-NEXT: br
; CHECK: add i64 %n.param, 1
; CHECK: add i64 %n.param, 2
; CHECK-NOT: sext
define i64 @one(i32 %n, i1 %c) {
entry:
  br i1 %c, label %then, label %else
then:
  %a = sext i32 %n to i64
  %a1 = add i64 %a, 1
  ret i64 %a1
else:
  %b = sext i32 %n to i64
  %b1 = add i64 %b, 2
  ret i64 %b1
}

; Extended with and without sign: the same value if it is not negative.
; CHECK-LABEL: @both
; CHECK: %n.param = freeze i64
; CHECK: [[OK:%.*]] = icmp sge i64 %n.param, 0
; CHECK: call void @pardiff.require(i1 [[OK]])
; CHECK: mul i64 %n.param, %n.param
; CHECK-NOT: zext
define i64 @both(i32 %n) {
  %a = zext i32 %n to i64
  %b = sext i32 %n to i64
  %c = mul i64 %a, %b
  ret i64 %c
}

; A value that is loaded in a loop is no parameter.
; CHECK-LABEL: @variant
; CHECK-NOT: freeze
; CHECK: ret void
define void @variant(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %v = load i32, ptr %p
  %w = sext i32 %v to i64
  %a = getelementptr double, ptr %p, i64 %w
  store double 0.0, ptr %a
  %i1 = add i64 %i, 1
  %c = icmp slt i64 %i1, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
