; RUN: %opt -passes='test<pardiff-schedule>' -disable-output %s | %FileCheck %s
; RUN: %opt -passes='test<pardiff-schedule>' -disable-output %s \
; RUN:   | %python %S/Inputs/check-schedule.py %s n=5 | %FileCheck %s --check-prefix=LEGAL
; LEGAL: {{^}}legal

; What reads an array that a later loop overwrites in another order comes before that
; loop as a whole.

; CHECK:     // parallel
; CHECK:     A(
; CHECK:     // parallel
; CHECK:     W(

;; params n
;; context n >= 1
;; statement A(i) loops 0 : 0 <= i < n
;;   order 0, i
;;   read x[i]
;;   add dy[i]
;; statement W(i) loops 1 : 0 <= i < n
;;   order 1, i
;;   write x[n - 1 - i]
