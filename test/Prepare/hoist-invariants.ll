; Integer arithmetic of parameters moves to the entry block if it can do no harm there.
; RUN: %opt -passes=pardiff-hoist-invariants,verify -S %s | %FileCheck %s

; CHECK-LABEL: @f
; CHECK: %half = sdiv i64 %n, 2
; CHECK: %twice = shl i64 %half, 1
; CHECK: %row = getelementptr double, ptr %p, i64 %half
; CHECK: br i1 %c
; CHECK: then:
; It may divide by zero.
; CHECK: %q = sdiv i64 %n, %m
; Floating-point arithmetic belongs to the body, and so does what comes from it.
; CHECK: %x = sitofp i64 %n to double
; CHECK: %y = fptosi double %x to i64
; CHECK: load double, ptr %row
define i64 @f(i64 %n, i64 %m, ptr %p, i1 %c) {
entry:
  br i1 %c, label %then, label %exit
then:
  %half = sdiv i64 %n, 2
  %twice = shl i64 %half, 1
  %row = getelementptr double, ptr %p, i64 %half
  %q = sdiv i64 %n, %m
  %x = sitofp i64 %n to double
  %y = fptosi double %x to i64
  %v = load double, ptr %row
  %s = add i64 %twice, %q
  %t = add i64 %s, %y
  ret i64 %t
exit:
  ret i64 0
}
