; Composition: an argument of a body becomes the result of another one. Equal
; computations of the two are shared, what nobody needs is gone, and a value that only
; inner results need that are not used leaves no trace.

; RUN: %opt -passes='test<pardiff-compose>,verify' -S %s | %FileCheck %s

; CHECK: define internal { double } @outer.composed(double %[[X:.*]], double %[[UNUSED:.*]], double %y)
; CHECK-NEXT: entry:
; CHECK-NEXT: %[[E:.*]] = call double @exp(double %[[X]]) #[[PURE:[0-9]+]]
; CHECK-NEXT: %[[P:.*]] = fmul double %[[E]], %[[E]]
; CHECK-NEXT: %[[R:.*]] = fadd double %[[P]], %y
; CHECK-NEXT: insertvalue { double } poison, double %[[R]], 0
define { double } @outer(double %e, double %y) #0 {
  %dead = fsub double %e, %y
  %p = fmul double %e, %e
  %r = fadd double %p, %y
  %s = insertvalue { double } poison, double %r, 0
  ret { double } %s
}
define { double, double } @inner(double %x, double %unused) {
  %e = call double @exp(double %x)
  %u = call double @exp(double %unused)
  %s = insertvalue { double, double } poison, double %e, 0
  %t = insertvalue { double, double } %s, double %u, 1
  ret { double, double } %t
}

declare double @exp(double)
; CHECK: attributes #[[PURE]] = { nounwind willreturn memory(none) }
attributes #0 = { "compose-with"="inner" }
