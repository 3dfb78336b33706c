; What is not in the table is refused by name, at the operation's place; what does not
; lie between an active read and a result needs no rule. Names and signatures decide:
; a function of one's own called sin, or sin of an integer, is not sin.

; RUN: %opt -passes='test<pardiff-vjp>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-NOT: inactive
; CHECK: unknown: there is no derivative rule for this operation: call of unknown_function
; CHECK: no_builtin: there is no derivative rule for this operation: call of sin
; CHECK: wrong_type: there is no derivative rule for this operation: call of cos
; CHECK: wrong_count: there is no derivative rule for this operation: call of tan
; CHECK: defined: there is no derivative rule for this operation: call of exp
; CHECK: bits: there is no derivative rule for this operation: bitcast
; CHECK: pair: there is no derivative rule for this operation: call of pair_function
; CHECK: constrained: there is no derivative rule for this operation: call of llvm.experimental.constrained.fadd.f64
; CHECK-NOT: inactive

define double @unknown(double %x) {
  %r = call double @unknown_function(double %x)
  ret double %r
}
define double @no_builtin(double %x) {
  %r = call double @sin(double %x) nobuiltin
  ret double %r
}
define double @wrong_type(double %x) {
  %f = fptrunc double %x to float
  %r = call float @cos(float %f)
  %d = fpext float %r to double
  ret double %d
}
define double @wrong_count(double %x) {
  %r = call double @tan(double %x, double %x)
  ret double %r
}
define double @defined(double %x) {
  %r = call double @exp(double %x)
  ret double %r
}
define double @bits(double %x) {
  %b = bitcast double %x to i64
  %c = xor i64 %b, -9223372036854775808
  %r = bitcast i64 %c to double
  ret double %r
}
define double @pair(double %x) {
  %p = call { double, double } @pair_function(double %x)
  %r = extractvalue { double, double } %p, 0
  ret double %r
}
define double @constrained(double %x) strictfp {
  %r = call double @llvm.experimental.constrained.fadd.f64(double %x, double %x, metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
  ret double %r
}

; No derivative flows through any of these.
define double @inactive(double %x, i64 %n, i64 %bits) {
  %unused = call double @unknown_function(double %x)
  %y = bitcast i64 %bits to double
  %z = call double @unknown_function(double %y)
  %c = call i1 @llvm.is.fpclass.f64(double %x, i32 3)
  %i = fptosi double %x to i64
  %d = bitcast i64 %i to double
  %s = select i1 %c, double %x, double %z
  %r = fadd double %s, %d
  ret double %r
}

declare double @unknown_function(double)
declare double @sin(double)
declare float @cos(float)
declare double @tan(double, double)
define double @exp(double %x) {
entry:
  br label %next
next:
  ret double %x
}
declare { double, double } @pair_function(double)
declare double @llvm.experimental.constrained.fadd.f64(double, double, metadata, metadata)
declare i1 @llvm.is.fpclass.f64(double, i32)
