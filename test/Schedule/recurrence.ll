; RUN: %opt -passes='test<pardiff-schedule>' -disable-output %s | %FileCheck %s
; RUN: %opt -passes='test<pardiff-schedule>' -disable-output %s \
; RUN:   | %python %S/Inputs/check-schedule.py %s n=9 | %FileCheck %s --check-prefix=LEGAL
; LEGAL: {{^}}legal

; The adjoint of a running sum carries a value from each iteration to the next, backwards:
; no parallel loop, and the loop is reversed.

; CHECK-NOT: parallel
; CHECK:     for (int c0 = -n + 1; c0 <= 0; c0 += 1)
; CHECK-NOT: parallel
; CHECK:     serial: A

;; params n
;; context n >= 1
;; statement A(i) loops 0 : 0 <= i < n
;;   order -i
;;   read dx[i]
;;   add dx[i - 1]
