; RUN: %opt -passes='test<pardiff-schedule>' -disable-output %s | %FileCheck %s
; RUN: %opt -passes='test<pardiff-schedule>' -disable-output %s \
; RUN:   | %python %S/Inputs/check-schedule.py %s n=4 m=5 | %FileCheck %s --check-prefix=LEGAL
; LEGAL: {{^}}legal

; Two passes over a grid of three dimensions could share the loop over the last one, in
; chunks. That would leave nothing to share for more than a few threads where the grid has
; few levels, so each pass is parallel over its first dimension.

; CHECK-NOT: chunked
; CHECK:     {{^}}parallel: A
; CHECK:     {{^}}parallel: B

;; params n, m
;; context n >= 1 and m >= 1
;; statement A(i, j, k) loops 0, 1, 2 : 0 <= i <= n and 0 <= j <= n and 0 <= k < m
;;   order 0, i, j, k
;;   read in[i, j + 1, k]
;;   read in[i + 1, j, k]
;;   read in[i + 1, j + 1, k]
;;   read in[i + 1, j + 2, k]
;;   read in[i + 2, j + 1, k]
;;   write lap[i, j, k]
;; statement B(i, j, k) loops 3, 4, 5 : 0 <= i < n and 0 <= j < n and 0 <= k < m
;;   order 1, i, j, k
;;   read lap[i, j, k]
;;   read lap[i + 1, j, k]
;;   read lap[i, j + 1, k]
;;   read in[i, j, k]
;;   read in[i + 1, j, k]
;;   write out[i, j, k]
