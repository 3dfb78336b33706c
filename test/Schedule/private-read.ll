; RUN: %opt -passes='test<pardiff-schedule>' -disable-output %s | %FileCheck %s

; What is summed over rows is read in the next row: there are no private copies of it. The
; sum over columns is read by nobody.

; CHECK-NOT: partial_db
; CHECK: private: A B
; CHECK: sum_partial_ds

;; params n, m
;; context n >= 1 and m >= 1
;; statement A(i, j) loops 0, 1 : 0 <= i < n and 0 <= j < m
;;   order i, 0, j
;;   read x[i, j]
;;   add db[j]
;;   add ds[i]
;; statement B(i, j) loops 0, 1 : 0 <= i < n and 0 <= j < m
;;   order i, 1, j
;;   read x[i, j]
;;   read db[j]
;;   add dx[i, j]
