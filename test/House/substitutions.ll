; The harness itself: opt loads the plugin, knows its pass, and FileCheck reads the result.
; RUN: %opt -passes=pardiff -S %s | %FileCheck %s
; RUN: %not %plain-opt -passes=pardiff -disable-output %s

; CHECK-LABEL: define double @square(
; CHECK: fmul double %x, %x
define double @square(double %x) {
  %y = fmul double %x, %x
  ret double %y
}
