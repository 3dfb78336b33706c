; RUN: %opt -passes='test<pardiff-schedule>' -disable-output %s | %FileCheck %s
; RUN: %opt -passes='test<pardiff-schedule>' -disable-output %s \
; RUN:   | %python %S/Inputs/check-schedule.py %s n=5 | %FileCheck %s --check-prefix=LEGAL
; LEGAL: {{^}}legal

; Pairs of bodies: one statement is parallel over i, the other one over j. One loop runs
; both, the second one's j beside the first one's i, so that an element is touched by one
; iteration only.

; CHECK:      // parallel
; CHECK-NEXT: for (int c0 = 0; c0 < n; c0 += 1) {
; CHECK-NEXT:   for (int c1 = 0; c1 < n; c1 += 1)
; CHECK-NEXT:     A(c0, c1);
; CHECK-NEXT:   for (int c1 = 0; c1 < n; c1 += 1)
; CHECK-NEXT:     B(c1, c0);
; CHECK-NEXT: }
; CHECK-NOT:  parallel:
; CHECK:      parallel: A B

;; params n
;; context n >= 1
;; statement A(i, j) loops 0, 1 : 0 <= i < n and 0 <= j < n
;;   order -i, -j, 0
;;   read df[i]
;;   add dx[i]
;; statement B(i, j) loops 0, 1 : 0 <= i < n and 0 <= j < n
;;   order -i, -j, 1
;;   read df[i]
;;   add dx[j]
