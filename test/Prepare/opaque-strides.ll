; The length of a row, a sum in the entry block that counters are multiplied with, becomes
; opaque where rows are counted; bounds of loops still see the sum.
; RUN: %opt -passes=pardiff-opaque-strides -S %s | %FileCheck %s

; CHECK-LABEL: @rows
; CHECK: %row = add i64 %n, 8
; CHECK-NEXT: %row.row = freeze i64 %row
; CHECK: %five = mul i64 %row.row, 40
; CHECK: %offset = mul i64 %i, %row.row
; CHECK: %end = icmp eq i64 %next, %row
define void @rows(i64 %n, ptr %x) {
entry:
  %row = add i64 %n, 8
  %five = mul i64 %row, 40
  %from = getelementptr i8, ptr %x, i64 %five
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %offset = mul i64 %i, %row
  %p = getelementptr double, ptr %from, i64 %offset
  store double 0.0, ptr %p
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, %row
  br i1 %end, label %exit, label %loop

exit:
  ret void
}

; Not a row: nothing that varies is multiplied with it.
; CHECK-LABEL: @plain
; CHECK-NOT: freeze
define void @plain(i64 %n, ptr %x) {
entry:
  %end = add i64 %n, 8
  %twice = mul i64 %end, 2
  %p = getelementptr double, ptr %x, i64 %twice
  store double 0.0, ptr %p
  ret void
}

; Rows of constant number have lost their factor: zero is added to the address, so that it
; is one row, 16 bytes, and a counter. A counter that runs down from the end of a row does
; not begin in the next one.
; CHECK-LABEL: @constant
; CHECK: %row.row = freeze i64 %row
; CHECK: [[EXTRA:%.*]] = sub i64 %row.row, 8
; CHECK: [[ZERO:%.*]] = sub i64 [[EXTRA]], %n
; CHECK: [[BYTES:%.*]] = mul i64 [[ZERO]], 8
; CHECK: [[Q:%.*]] = getelementptr i8, ptr %q, i64 [[BYTES]]
; CHECK: load double, ptr [[Q]]
; CHECK: load double, ptr %r
define double @constant(i64 %n, ptr %x) {
entry:
  %row = add i64 %n, 8
  %one = shl i64 %n, 3
  %from = getelementptr i8, ptr %x, i64 %one
  %last = sub i64 %n, 1
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %offset = mul i64 %i, %row
  %p = getelementptr double, ptr %x, i64 %offset
  store double 0.0, ptr %p
  %shifted = getelementptr i8, ptr %from, i64 80
  %q = getelementptr double, ptr %shifted, i64 %i
  %a = load double, ptr %q
  %back = sub i64 %last, %i
  %r = getelementptr double, ptr %x, i64 %back
  %b = load double, ptr %r
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, %row
  br i1 %end, label %exit, label %loop

exit:
  %sum = fadd double %a, %b
  ret double %sum
}
