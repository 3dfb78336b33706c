; RUN: %opt -passes='test<pardiff-schedule>' -disable-output %s | %FileCheck %s
; RUN: %opt -passes='test<pardiff-schedule>' -disable-output %s \
; RUN:   | %python %S/Inputs/check-schedule.py %s n=4 m=5 | %FileCheck %s --check-prefix=LEGAL
; LEGAL: {{^}}legal

; The private shadow of a scalar becomes one cell that is new in each iteration of the
; parallel loop.

; CHECK:      // parallel
; CHECK-NEXT: for (int c0 = 0; c0 < n; c0 += 1) {
; CHECK-NEXT:   // scope_ds
; CHECK:        Y(c0);
; CHECK:        X(c0, c1);
; CHECK:        US(c0);
; CHECK:      ds: 0 dimensions

;; params n, m
;; context n >= 1 and m >= 1
;; shadow ds 1 private 1 : n
;; statement Y(i) loops 0 : 0 <= i < n
;;   order -i, 0, 0, 0
;;   read dy[i]
;;   read y[i]
;;   add ds[i]
;; statement UY(i) loops 0 : 0 <= i < n
;;   order -i, 0, 0, 1
;;   clear dy[i]
;; statement X(i, j) loops 0, 1 : 0 <= i < n and 0 <= j < m
;;   order -i, 1, -j, 0
;;   read ds[i]
;;   read x[i, j]
;;   add dx[i, j]
;; statement US(i) loops 0 : 0 <= i < n
;;   order -i, 2, 0, 0
;;   clear ds[i]
