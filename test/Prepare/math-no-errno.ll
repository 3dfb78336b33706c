; Calls of the math library lose the effect on errno, so they count as arithmetic. What
; is not a call of the library stays as it is.
; RUN: %opt -passes=pardiff-math-no-errno -S %s | %FileCheck %s

declare double @exp(double)
declare double @pow(double, double)
declare double @frexp(double, ptr)
declare double @unknown(double)
declare i32 @puts(ptr)

; CHECK-LABEL: @math
define double @math(double %x, ptr %p) {
; CHECK: call double @exp(double %x) [[PURE:#[0-9]+]]
  %a = call double @exp(double %x)
; CHECK: call double @pow(double %x, double %a) [[PURE]]
  %b = call double @pow(double %x, double %a)
; It writes to memory.
; CHECK: call double @frexp(double %b, ptr %p){{$}}
  %c = call double @frexp(double %b, ptr %p)
; CHECK: call double @unknown(double %c){{$}}
  %d = call double @unknown(double %c)
; The user asked that this be an ordinary function.
; CHECK: call double @exp(double %d) [[NOBUILTIN:#[0-9]+]]
  %e = call double @exp(double %d) nobuiltin
; CHECK: call i32 @puts(ptr %p){{$}}
  %f = call i32 @puts(ptr %p)
  ret double %e
}

declare { double, double } @__muldc3(double, double, double, double)

; The compiler's own complex multiplication is a pure function, too.
; CHECK-LABEL: @complex
define { double, double } @complex(double %x, double %y) {
; CHECK: call { double, double } @__muldc3({{.*}}) [[PURE]]
  %r = call { double, double } @__muldc3(double %x, double %y, double %x, double %y)
  ret { double, double } %r
}

; CHECK-DAG: attributes [[PURE]] = { nounwind willreturn memory(none) }
; CHECK-DAG: attributes [[NOBUILTIN]] = { nobuiltin }
