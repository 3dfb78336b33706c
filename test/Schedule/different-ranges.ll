; RUN: %opt -passes='test<pardiff-schedule>' -disable-output %s | %FileCheck %s
; RUN: %opt -passes='test<pardiff-schedule>' -disable-output %s \
; RUN:   | %python %S/Inputs/check-schedule.py %s n=4 m=7 | %FileCheck %s --check-prefix=LEGAL
; LEGAL: {{^}}legal

; Loops over different ranges stay apart, also if nothing forbids to fuse them: a thread
; would get work for one of them only.

; CHECK:     // parallel
; CHECK-NEXT: for (int c0 = 0; c0 < n; c0 += 1)
; CHECK:     // parallel
; CHECK-NEXT: for (int c0 = 0; c0 < m; c0 += 1)

;; params n, m
;; context n >= 1 and m >= 1
;; statement A(i) loops 0 : 0 <= i < n
;;   order 0, i
;;   read x[i]
;;   add dx[i]
;; statement B(i) loops 1 : 0 <= i < m
;;   order 1, i
;;   read x[i]
;;   add dy[i]
