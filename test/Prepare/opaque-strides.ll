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
