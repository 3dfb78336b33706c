; What a vector-Jacobian product says of itself: which reads and results it uses, which
; seeds reach which adjoint, and where a seed passes unchanged.

; RUN: %opt -passes='test<pardiff-vjp>,verify' -S %s | %FileCheck %s

; A sum needs nothing, and both seeds are identities.
; CHECK-LABEL: define internal { double, double } @sum.vjp(
; CHECK-SAME: #[[SUM:[0-9]+]] {
; CHECK-NEXT: entry:
; CHECK-NEXT: insertvalue { double, double } poison, double %seed.0, 0
define { double } @sum(double %x, double %y) {
  %r = fadd double %x, %y
  %s = insertvalue { double } poison, double %r, 0
  ret { double } %s
}

; A product needs the other factor. The multiplication itself is dead.
; CHECK-LABEL: define internal { double, double } @times.vjp(
; CHECK-SAME: #[[TIMES:[0-9]+]] {
; CHECK-NOT: fmul double %x, %y
; CHECK: ret
define { double } @times(double %x, double %y) {
  %r = fmul double %x, %y
  %s = insertvalue { double } poison, double %r, 0
  ret { double } %s
}

; "New or old value": the old value gets the seed or nothing, and nothing is kept but
; the condition.
; CHECK-LABEL: define internal { double, double, double } @store.vjp(
; CHECK-SAME: #[[STORE:[0-9]+]] {
; CHECK: fcmp ogt double %x, 0.0
define { double } @store(double %x, double %new, double %old) {
  %c = fcmp ogt double %x, 0.0
  %r = select i1 %c, double %new, double %old
  %s = insertvalue { double } poison, double %r, 0
  ret { double } %s
}

; Two results: each adjoint sees its own seed; the integer result has none.
; CHECK-LABEL: define internal { double, double } @two.vjp(
; CHECK-SAME: #[[TWO:[0-9]+]] {
define { double, i64, double } @two(double %x, double %y, i64 %i) {
  %r = fmul double %x, 3.0
  %j = add i64 %i, 1
  %s = insertvalue { double, i64, double } poison, double %r, 0
  %t = insertvalue { double, i64, double } %s, i64 %j, 1
  %u = insertvalue { double, i64, double } %t, double %y, 2
  ret { double, i64, double } %u
}

; Division in terms of the result: the numerator need not be kept.
; CHECK-LABEL: define internal { double, double } @over.vjp.known(
; CHECK-SAME: #[[OVER:[0-9]+]] {
define { double } @over(double %x, double %y) {
  %r = fdiv double %x, %y
  %s = insertvalue { double } poison, double %r, 0
  ret { double } %s
}

; The iterator is a value like any other, but has no adjoint.
; CHECK-LABEL: define internal { double } @iterator.vjp(double %x, i64 %i, double %result.0, double %seed.0)
; CHECK: %[[I:.*]] = sitofp i64 %i to double
; CHECK: fmul double %seed.0, %[[I]]
define { double } @iterator(double %x, i64 %i) {
  %f = sitofp i64 %i to double
  %r = fmul double %x, %f
  %s = insertvalue { double } poison, double %r, 0
  ret { double } %s
}

; Common factors are computed once: one exponential, one division.
; CHECK-LABEL: define internal { double, double } @shared.vjp(
; CHECK-COUNT-1: call double @llvm.exp.f64
; CHECK-NOT: call
; CHECK: ret
define { double } @shared(double %x, double %y) {
  %e = call double @llvm.exp.f64(double %x)
  %f = call double @llvm.exp.f64(double %x)
  %p = fmul double %e, %y
  %r = fadd double %p, %f
  %s = insertvalue { double } poison, double %r, 0
  ret { double } %s
}

; Constant results and results that are reads.
; CHECK-LABEL: define internal { double } @plain.vjp(
; CHECK-SAME: #[[PLAIN:[0-9]+]] {
define { double, double } @plain(double %x) {
  %s = insertvalue { double, double } { double poison, double 4.0 }, double %x, 0
  ret { double, double } %s
}

; The adjoint is zero: nothing differentiable connects the two.
; CHECK-LABEL: define internal { double } @steps.vjp(
; CHECK-NEXT: entry:
; CHECK-NEXT: ret { double } zeroinitializer
define { double } @steps(double %x) {
  %r = call double @llvm.floor.f64(double %x)
  %s = insertvalue { double } poison, double %r, 0
  ret { double } %s
}

; CHECK-DAG: attributes #[[SUM]] = {{{.*}}"pardiff-identity"="0:0 1:0" "pardiff-uses-reads" "pardiff-uses-results" "pardiff-zero"
; CHECK-DAG: attributes #[[TIMES]] = {{{.*}}"pardiff-identity" "pardiff-uses-reads"="0 1" "pardiff-uses-results" "pardiff-zero"
; CHECK-DAG: attributes #[[STORE]] = {{{.*}}"pardiff-identity" "pardiff-uses-reads"="0" "pardiff-uses-results" "pardiff-zero"="0:0"
; CHECK-DAG: attributes #[[TWO]] = {{{.*}}"pardiff-identity"="1:2" "pardiff-uses-reads" "pardiff-uses-results" "pardiff-zero"="0:1 0:2 1:0 1:1"
; CHECK-DAG: attributes #[[OVER]] = {{{.*}}"pardiff-identity" "pardiff-uses-reads"="1" "pardiff-uses-results"="0" "pardiff-zero"
; CHECK-DAG: attributes #[[PLAIN]] = {{{.*}}"pardiff-identity"="0:0" "pardiff-uses-reads" "pardiff-uses-results" "pardiff-zero"="0:1"

declare double @llvm.exp.f64(double)
declare double @llvm.floor.f64(double)
