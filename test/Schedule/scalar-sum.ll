; RUN: %opt -passes='test<pardiff-schedule>' -disable-output %s | %FileCheck %s
; RUN: %opt -passes='test<pardiff-schedule>' -disable-output %s \
; RUN:   | %python %S/Inputs/check-schedule.py %s n=4 m=5 | %FileCheck %s --check-prefix=LEGAL
; LEGAL: {{^}}legal

; A sum into one element has no parallel loop. Its loops are ordered by the stride of
; what they read.

; CHECK-NOT:  parallel
; CHECK:      for (int c0 = 0; c0 < m; c0 += 1)
; CHECK-NEXT:   for (int c1 = 0; c1 < n; c1 += 1)
; CHECK-NEXT:     B(c1, c0);
; CHECK-NOT:  parallel

;; params n, m
;; context n >= 1 and m >= 1
;; statement B(i, j) loops 0, 1 : 0 <= i < n and 0 <= j < m
;;   order -i, -j
;;   read dy[j, i]
;;   add db[]
