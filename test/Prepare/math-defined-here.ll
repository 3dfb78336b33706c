; A function of the module that has the name of a math function is inlined like any
; other; nothing is known of its effects.
; RUN: %opt -passes=pardiff-math-no-errno -S %s | %FileCheck %s

@count = global i32 0

define double @exp(double %x) {
  store i32 1, ptr @count
  ret double %x
}

; CHECK-LABEL: @f
; CHECK: call double @exp(double %x){{$}}
define double @f(double %x) {
  %a = call double @exp(double %x)
  ret double %a
}
