; Everything that can be inlined is, also if it is noinline and optnone; only the
; function that is prepared changes. Its clone is a function of its own.
; RUN: %opt -passes=pardiff-prepare -S %s | %FileCheck %s

define internal double @square(double %x) noinline optnone {
  %p = alloca double
  store double %x, ptr %p
  %a = load double, ptr %p
  %b = fmul double %a, %a
  ret double %b
}

; A definition that the linker may replace is not what will be called.
define weak double @weak(double %x) {
  ret double %x
}

; CHECK-LABEL: @f
; CHECK-NOT: call
; CHECK: fmul double
; CHECK: ret double
define double @f(double %x) {
  %a = call double @square(double %x)
  ret double %a
}

; CHECK-LABEL: @g
; CHECK: call double @weak
define double @g(double %x) {
  %a = call double @weak(double %x)
  ret double %a
}
