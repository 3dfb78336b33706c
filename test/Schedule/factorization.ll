; RUN: %opt -passes='test<pardiff-schedule>' -disable-output %s | %FileCheck %s
; RUN: %opt -passes='test<pardiff-schedule>' -disable-output %s \
; RUN:   | %python %S/Inputs/check-schedule.py %s n=6 | %FileCheck %s --check-prefix=LEGAL
; LEGAL: {{^}}legal

; An LU factorization: k is serial, the rows below the pivot are parallel.

; CHECK:      for (int c0 = 0; c0 < n - 1; c0 += 1) {
; CHECK-NEXT:   // parallel
; CHECK-NEXT:   for (int c1 = c0 + 1; c1 < n; c1 += 1) {
; CHECK-NEXT:     L(c0, c1);
; CHECK-NEXT:     for (int c2 = c0 + 1; c2 < n; c2 += 1)
; CHECK-NEXT:       U(c0, c1, c2);

;; params n
;; context n >= 2
;; statement L(k, i) loops 0, 1 : 0 <= k < n and k < i < n
;;   order k, 0, i, 0
;;   read A[i, k]
;;   read A[k, k]
;;   write A[i, k]
;; statement U(k, i, j) loops 0, 2, 3 : 0 <= k < n and k < i < n and k < j < n
;;   order k, 1, i, j
;;   read A[i, k]
;;   read A[k, j]
;;   read A[i, j]
;;   write A[i, j]
