; RUN: %opt -passes='test<pardiff-schedule>' -disable-output %s | %FileCheck %s
; RUN: %opt -passes='test<pardiff-schedule>' -disable-output %s \
; RUN:   | %python %S/Inputs/check-schedule.py %s n=4 m=5 | %FileCheck %s --check-prefix=LEGAL
; LEGAL: {{^}}legal

; A recurrence along k in every column i: the loop over columns is parallel, and it is the
; one with unit stride, so it runs over chunks with k serial inside.

; CHECK:      // parallel
; CHECK-NEXT: for (int c0 = 0; c0 <= (n - 1) / 64; c0 += 1)
; CHECK-NEXT:   for (int c1 = -m + 1; c1 < 0; c1 += 1)
; CHECK-NEXT:     for (int c2 = 64 * c0; c2 <= min(n - 1, 64 * c0 + 63); c2 += 1)
; CHECK-NEXT:       A(c2, -c1);

;; params n, m
;; context n >= 1 and m >= 2
;; statement A(i, k) loops 0, 1 : 0 <= i < n and 1 <= k < m
;;   order -i, -k
;;   read dx[k, i]
;;   add dx[k - 1, i]
