; RUN: %opt -passes='test<pardiff-schedule>' -disable-output %s | %FileCheck %s

; The same sums as in private-sum.ll over 40 rows: they have too few chunks for more than a
; few threads, so the sums over rows are gathered by columns.

; CHECK-NOT: partial
; CHECK:     parallel: A
; CHECK:     chunked: B

;; params m
;; context m >= 1
;; statement A(i, j) loops 0, 1 : 0 <= i < 40 and 0 <= j < m
;;   order -i, -j, 0
;;   read x[i, j]
;;   read dy[i, j]
;;   add ds[i]
;; statement B(i, j) loops 0, 1 : 0 <= i < 40 and 0 <= j < m
;;   order -i, -j, 1
;;   read x[i, j]
;;   read dy[i, j]
;;   add db[j]
