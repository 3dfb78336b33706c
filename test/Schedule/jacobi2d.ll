; RUN: %opt -passes='test<pardiff-schedule>' -disable-output %s | %FileCheck %s
; RUN: %opt -passes='test<pardiff-schedule>' -disable-output %s \
; RUN:   | %python %S/Inputs/check-schedule.py %s T=3 n=6 | %FileCheck %s --check-prefix=LEGAL
; LEGAL: {{^}}legal

; The adjoint of two stencils in a time loop. In each of them the rows of all
; accumulations are aligned by the row they accumulate into, so that one loop over rows
; is parallel; clearing a row joins the next one.

; CHECK:       for (int c0 = -T + 1; c0 <= 0; c0 += 1) {
; CHECK-COUNT-3: // parallel
; CHECK:       gather: A0 A1 A2 A3 A4
; CHECK:       gather: U B0 B1 B2 B3 B4
; CHECK:       parallel: V

;; params T, n
;; context n >= 3 and T >= 1
;; statement A0(t, i, j) loops 0, 1, 2 : 0 <= t < T and 1 <= i < n - 1 and 1 <= j < n - 1
;;   order -t, 0, -i, -j, 0
;;   read du[i, j]
;;   add dv[i, j]
;; statement A1(t, i, j) loops 0, 1, 2 : 0 <= t < T and 1 <= i < n - 1 and 1 <= j < n - 1
;;   order -t, 0, -i, -j, 1
;;   read du[i, j]
;;   add dv[i - 1, j]
;; statement A2(t, i, j) loops 0, 1, 2 : 0 <= t < T and 1 <= i < n - 1 and 1 <= j < n - 1
;;   order -t, 0, -i, -j, 2
;;   read du[i, j]
;;   add dv[i + 1, j]
;; statement A3(t, i, j) loops 0, 1, 2 : 0 <= t < T and 1 <= i < n - 1 and 1 <= j < n - 1
;;   order -t, 0, -i, -j, 3
;;   read du[i, j]
;;   add dv[i, j - 1]
;; statement A4(t, i, j) loops 0, 1, 2 : 0 <= t < T and 1 <= i < n - 1 and 1 <= j < n - 1
;;   order -t, 0, -i, -j, 4
;;   read du[i, j]
;;   add dv[i, j + 1]
;; statement U(t, i, j) loops 0, 1, 2 : 0 <= t < T and 1 <= i < n - 1 and 1 <= j < n - 1
;;   order -t, 0, -i, -j, 5
;;   clear du[i, j]
;; statement B0(t, i, j) loops 0, 3, 4 : 0 <= t < T and 1 <= i < n - 1 and 1 <= j < n - 1
;;   order -t, 1, -i, -j, 0
;;   read dv[i, j]
;;   add du[i, j]
;; statement B1(t, i, j) loops 0, 3, 4 : 0 <= t < T and 1 <= i < n - 1 and 1 <= j < n - 1
;;   order -t, 1, -i, -j, 1
;;   read dv[i, j]
;;   add du[i - 1, j]
;; statement B2(t, i, j) loops 0, 3, 4 : 0 <= t < T and 1 <= i < n - 1 and 1 <= j < n - 1
;;   order -t, 1, -i, -j, 2
;;   read dv[i, j]
;;   add du[i + 1, j]
;; statement B3(t, i, j) loops 0, 3, 4 : 0 <= t < T and 1 <= i < n - 1 and 1 <= j < n - 1
;;   order -t, 1, -i, -j, 3
;;   read dv[i, j]
;;   add du[i, j - 1]
;; statement B4(t, i, j) loops 0, 3, 4 : 0 <= t < T and 1 <= i < n - 1 and 1 <= j < n - 1
;;   order -t, 1, -i, -j, 4
;;   read dv[i, j]
;;   add du[i, j + 1]
;; statement V(t, i, j) loops 0, 3, 4 : 0 <= t < T and 1 <= i < n - 1 and 1 <= j < n - 1
;;   order -t, 1, -i, -j, 5
;;   clear dv[i, j]
