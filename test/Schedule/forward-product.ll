; RUN: %opt -passes='test<pardiff-schedule>' -disable-output %s | %FileCheck %s
; RUN: %opt -passes='test<pardiff-schedule>' -disable-output %s \
; RUN:   | %python %S/Inputs/check-schedule.py %s n=4 m=3 p=5 | %FileCheck %s --check-prefix=LEGAL
; LEGAL: {{^}}legal

; A forward sweep: sums of the primal keep their order (k upwards), loops change places.

; CHECK:      // parallel
; CHECK-NEXT: for (int c0 = 0; c0 < n; c0 += 1)
; CHECK-NEXT:   for (int c1 = 0; c1 < p; c1 += 1)
; CHECK-NEXT:     for (int c2 = 0; c2 < m; c2 += 1)
; CHECK-NEXT:       S(c0, c2, c1);

;; params n, m, p
;; context n >= 1 and m >= 1 and p >= 1
;; statement S(i, j, k) loops 0, 1, 2 : 0 <= i < n and 0 <= j < m and 0 <= k < p
;;   order i, j, k
;;   read A[i, k]
;;   read B[k, j]
;;   read C[i, j]
;;   write C[i, j]
