; RUN: %opt -passes='test<pardiff-schedule>' -disable-output %s | %FileCheck %s

; A sum over everything into one element is parallel over its long loop of the better
; stride, with a partial sum for each iteration, that a serial loop sums up (its numbers:
; partial-sums.c).

; CHECK:      // parallel
; CHECK-NEXT: for (int c0 = 0; c0 < m; c0 += 1)
; CHECK-NEXT:   for (int c1 = 0; c1 < n; c1 += 1)
; CHECK-NEXT:     B(c1, c0);
; CHECK-NEXT: for (int c0 = 0; c0 < m; c0 += 1)
; CHECK-NEXT:   sum_partial_db(c0);
; CHECK:      parallel: B
; CHECK:      serial: sum_partial_db

;; params n, m
;; context n >= 1 and m >= 1
;; statement B(i, j) loops 0, 1 : 0 <= i < n and 0 <= j < m
;;   order -i, -j
;;   read dy[j, i]
;;   add db[]
