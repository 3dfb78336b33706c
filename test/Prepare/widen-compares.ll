; Comparisons of 32-bit values become comparisons of the extended values, with or
; without sign as the comparison asks.
; RUN: %opt -passes=pardiff-widen-compares,verify -S %s | %FileCheck %s

; CHECK-LABEL: @f
; CHECK-DAG: [[SI:%.*]] = sext i32 %i to i64
; CHECK-DAG: [[SN:%.*]] = sext i32 %n to i64
; CHECK-DAG: [[ZI:%.*]] = zext i32 %i to i64
; CHECK-DAG: [[ZN:%.*]] = zext i32 %n to i64
; CHECK: icmp slt i64 [[SI]], [[SN]]
; CHECK: icmp ult i64 [[ZI]], [[ZN]]
; CHECK: icmp eq i64 [[SI]], 7
; The operands have the same sign.
; CHECK: icmp slt i64 [[SI]], [[SN]]
; CHECK: icmp slt i16
define i1 @f(i32 %i, i32 %n, i16 %k) {
  %a = icmp slt i32 %i, %n
  %b = icmp ult i32 %i, %n
  %c = icmp eq i32 %i, 7
  %d = icmp samesign ult i32 %i, %n
  %e = icmp slt i16 %k, 3
  %ab = xor i1 %a, %b
  %cd = xor i1 %c, %d
  %r = xor i1 %ab, %cd
  %s = xor i1 %r, %e
  ret i1 %s
}
