; RUN: %opt -passes='test<pardiff-schedule>' -disable-output %s | %FileCheck %s
; RUN: %opt -passes='test<pardiff-schedule>' -disable-output %s \
; RUN:   | %python %S/Inputs/check-schedule.py %s n=4 m=3 p=5 | %FileCheck %s --check-prefix=LEGAL
; LEGAL: {{^}}legal

; The adjoint of a matrix product: the two accumulations have the loop over k in common
; and share it, parallel, with unit stride innermost; scaling C is a loop of its own.

; CHECK:      // parallel
; CHECK-NEXT: for (int c0 = 0; c0 < p; c0 += 1)
; CHECK-NEXT:   for (int c1 = 0; c1 < n; c1 += 1)
; CHECK-NEXT:     for (int c2 = 0; c2 < m; c2 += 1) {
; CHECK-NEXT:       A(c1, c0, c2);
; CHECK-NEXT:       B(c1, c0, c2);
; CHECK-NEXT:     }
; CHECK-NEXT: // parallel
; CHECK-NEXT: for (int c0 = 0; c0 < n; c0 += 1)
; CHECK-NEXT:   for (int c1 = 0; c1 < m; c1 += 1)
; CHECK-NEXT:     U(c0, c1);

;; params n, m, p
;; context n >= 1 and m >= 1 and p >= 1
;; statement U(i, j) loops 0, 1 : 0 <= i < n and 0 <= j < m
;;   order -i, 1, -j, 0, 0
;;   read dC[i, j]
;;   write dC[i, j]
;; statement A(i, k, j) loops 0, 2, 3 : 0 <= i < n and 0 <= j < m and 0 <= k < p
;;   order -i, 0, -k, -j, 0
;;   read dC[i, j]
;;   read B[k, j]
;;   add dA[i, k]
;; statement B(i, k, j) loops 0, 2, 3 : 0 <= i < n and 0 <= j < m and 0 <= k < p
;;   order -i, 0, -k, -j, 1
;;   read dC[i, j]
;;   read A[i, k]
;;   add dB[k, j]
