; RUN: %opt -passes='test<pardiff-schedule>' -disable-output %s | %FileCheck %s
; RUN: %opt -passes='test<pardiff-schedule>' -disable-output %s \
; RUN:   | %python %S/Inputs/check-schedule.py %s n=4 m=5 | %FileCheck %s --check-prefix=LEGAL
; LEGAL: {{^}}legal

; A private shadow that two parallel loops pass a value through keeps its elements.

; CHECK-NOT: scope
; CHECK-NOT: dimensions

;; params n, m
;; context n >= 1 and m >= 1
;; shadow ds 1 private 1 : n
;; statement Y(i, j) loops 0, 1 : 0 <= i < n and 0 <= j < m
;;   order -i, 0, -j, 0
;;   read dy[j]
;;   add ds[i]
;; statement U(j) loops 3 : 0 <= j < m
;;   order 1, 0, -j, 0
;;   write dy[j]
;; statement X(i) loops 4 : 0 <= i < n
;;   order 2, -i, 0, 0
;;   read dy[0]
;;   read ds[n - 1 - i]
;;   add dx[i]
