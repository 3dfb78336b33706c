; RUN: %opt -passes='test<pardiff-schedule>' -disable-output %s | %FileCheck %s
; RUN: %opt -passes='test<pardiff-schedule>' -disable-output %s -pardiff-private-chunk=2 -pardiff-private-copies=3 \
; RUN:   | %FileCheck %s --check-prefix=FEW
; RUN: %opt -passes='test<pardiff-schedule>' -disable-output %s -pardiff-private-copies=0 \
; RUN:   | %FileCheck %s --check-prefix=NONE

; Both statements read the matrix x: a second pass over it costs more than private copies
; of the sum over rows, whose chunks of 8 rows are dealt out to 64 iterations.

; CHECK:      // parallel
; CHECK-NEXT: for (int c0 = 0; c0 <= min(63, (n - 1) / 8); c0 += 1)
; CHECK-NEXT:   for (int c1 = 0; c1 <= (n - 8 * c0 - 1) / 512; c1 += 1)
; CHECK-NEXT:     for (int c2 = 8 * c0 + 512 * c1; c2 <= min(n - 1, 8 * c0 + 512 * c1 + 7); c2 += 1)
; CHECK-NEXT:       for (int c3 = 0; c3 < m; c3 += 1) {
; CHECK-NEXT:         A(c2, c3);
; CHECK-NEXT:         B(c2, c3);
; CHECK:      // parallel
; CHECK-NEXT: for (int c0 = 0; c0 <= (m - 1) / 128; c0 += 1)
; CHECK-NEXT:   for (int c1 = 0; c1 <= min(63, (n - 1) / 8); c1 += 1)
; CHECK-NEXT:     for (int c2 = 128 * c0; c2 <= min(m - 1, 128 * c0 + 127); c2 += 1)
; CHECK-NEXT:       sum_partial_db(c1, c2);
; CHECK:      private: A B
; CHECK:      chunked: sum_partial_db

; FEW:      for (int c0 = 0; c0 <= min(2, {{.*}}n{{.*}}); c0 += 1)
; FEW:      sum_partial_db

; NONE-NOT: partial
; NONE:     parallel: A
; NONE:     chunked: B

;; params n, m
;; context n >= 1 and m >= 1
;; statement A(i, j) loops 0, 1 : 0 <= i < n and 0 <= j < m
;;   order -i, -j, 0
;;   read x[i, j]
;;   read dy[i, j]
;;   add ds[i]
;; statement B(i, j) loops 0, 1 : 0 <= i < n and 0 <= j < m
;;   order -i, -j, 1
;;   read x[i, j]
;;   read dy[i, j]
;;   add db[j]
