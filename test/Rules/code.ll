; The form of the emitted code: partials in the result where there are such, calls of
; the library where the primal calls it and intrinsics elsewhere, without side effects,
; and the fast-math flags of the primal without nnan and ninf.

; RUN: %opt -passes='test<pardiff-vjp>,verify' -S %s | %FileCheck %s

; The result of exp is enough.
; CHECK-LABEL: define internal { double } @f_exp.vjp.known(
; CHECK-NEXT: entry:
; CHECK-NEXT: %[[D:.*]] = fmul double %seed.0, %result.0
; CHECK-NEXT: insertvalue { double } poison, double %[[D]], 0
define double @f_exp(double %x) {
  %r = call double @exp(double %x)
  ret double %r
}

; CHECK-LABEL: define internal { double } @f_tanh.vjp.known(
; CHECK-NEXT: entry:
; CHECK-NOT: call
; CHECK-NOT: %x
; CHECK: ret
define double @f_tanh(double %x) {
  %r = call double @llvm.tanh.f64(double %x)
  ret double %r
}

; The library's function by its name for float.
; CHECK-LABEL: define internal { float } @f_sin.vjp(
; CHECK: call float @cosf(float %x) #[[PURE:[0-9]+]]
; CHECK-NOT: @sinf
; CHECK: ret
define float @f_sin(float %x) {
  %r = call float @sinf(float %x)
  ret float %r
}

; CHECK-LABEL: define internal { float } @f_sini.vjp(
; CHECK: call float @llvm.cos.f32(float %x)
define float @f_sini(float %x) {
  %r = call float @llvm.sin.f32(float %x)
  ret float %r
}

; The flags of the primal, but for nnan and ninf.
; CHECK-LABEL: define internal { double, double } @f_fast.vjp(
; CHECK: fdiv reassoc nsz arcp contract afn double %seed.0, %y
; CHECK-NOT: {{(nnan|ninf|fast)}} double %seed
; CHECK: ret
define double @f_fast(double %x, double %y) {
  %r = fdiv fast double %x, %y
  ret double %r
}

; Under the name of the C library's fast variant; what it calls has its usual name.
; CHECK-LABEL: define internal { float } @f_finite.vjp(
; CHECK: call float @logf(float 2.000000e+00)
define float @f_finite(float %x) {
  %r = call float @__powf_finite(float 2.0, float %x)
  ret float %r
}

; No flags where the primal has none.
; CHECK-LABEL: define internal { double, double } @f_strict.vjp(
; CHECK: fdiv double %seed.0, %y
; CHECK-NOT: {{(fast|reassoc|contract|nsz|arcp|afn)}}
; CHECK: ret
define double @f_strict(double %x, double %y) {
  %r = fdiv double %x, %y
  ret double %r
}

; A constant exponent needs no result and no logarithm.
; CHECK-LABEL: define internal { double } @f_square.vjp(
; CHECK-NOT: call
; CHECK: ret
define double @f_square(double %x) {
  %r = call double @pow(double %x, double 2.0)
  ret double %r
}

; CHECK: attributes #[[PURE]] = { nounwind willreturn memory(none) }

declare double @exp(double)
declare float @__powf_finite(float, float)
declare float @sinf(float)
declare double @pow(double, double)
declare double @llvm.tanh.f64(double)
declare float @llvm.sin.f32(float)
