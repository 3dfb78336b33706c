; RUN: %opt -passes='test<pardiff-schedule>' -disable-output %s | %FileCheck %s
; RUN: %opt -passes='test<pardiff-schedule>' -disable-output %s \
; RUN:   | %python %S/Inputs/check-schedule.py %s n=4 m=67 | %FileCheck %s --check-prefix=LEGAL
; LEGAL: {{^}}legal

; Sums over columns: the only parallel loop is the one that should be innermost, so it
; runs over chunks.

; CHECK:      // parallel
; CHECK-NEXT: for (int c0 = 0; c0 <= (m - 1) / 64; c0 += 1)
; CHECK-NEXT:   for (int c1 = 0; c1 < n; c1 += 1)
; CHECK-NEXT:     for (int c2 = 64 * c0; c2 <= min(m - 1, 64 * c0 + 63); c2 += 1)
; CHECK-NEXT:       B(c1, c2);
; CHECK:      chunked: B

;; params n, m
;; context n >= 1 and m >= 1
;; statement B(i, j) loops 0, 1 : 0 <= i < n and 0 <= j < m
;;   order -i, -j
;;   read dy[i, j]
;;   add db[j]
