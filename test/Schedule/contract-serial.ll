; RUN: %opt -passes='test<pardiff-schedule>' -disable-output %s | %FileCheck %s
; RUN: %opt -passes='test<pardiff-schedule>' -disable-output %s \
; RUN:   | %python %S/Inputs/check-schedule.py %s n=4 T=5 | %FileCheck %s --check-prefix=LEGAL
; LEGAL: {{^}}legal

; In a serial time loop, a private shadow of one value for each time step and element is
; shared by the steps, since each step leaves zeros behind. Its size is not constant, so
; it is no copy of a scope.

; CHECK-NOT: scope
; CHECK:     for (int c0 = -T + 1; c0 <= 0; c0 += 1)
; CHECK-NOT: scope

;; params T, n
;; context n >= 1 and T >= 1
;; shadow dg 2 private 1 : T, n
;; statement A(t, i) loops 0, 1 : 0 <= t < T and 0 <= i < n
;;   order -t, 0, -i, 0
;;   read dh[n - 1 - i]
;;   add dg[t, i]
;; statement B(t, i) loops 0, 2 : 0 <= t < T and 0 <= i < n
;;   order -t, 1, -i, 0
;;   clear dh[i]
;; statement C(t, i) loops 0, 3 : 0 <= t < T and 0 <= i < n
;;   order -t, 2, -i, 0
;;   read dg[t, i]
;;   add dh[i]
;; statement D(t, i) loops 0, 3 : 0 <= t < T and 0 <= i < n
;;   order -t, 2, -i, 1
;;   clear dg[t, i]
