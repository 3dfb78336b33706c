; RUN: %opt -passes='test<pardiff-schedule>' -disable-output %s | %FileCheck %s
; RUN: %opt -passes='test<pardiff-schedule>' -disable-output %s \
; RUN:   | %python %S/Inputs/check-schedule.py %s n=9 | %FileCheck %s --check-prefix=LEGAL
; LEGAL: {{^}}legal

; A loop with three iterations is not worth threads. It is parallel here, and so is the
; one inside of it, which is taken.

; CHECK:     // parallel
; CHECK-NEXT: for (int c0 = 0; c0 < n; c0 += 1)
; CHECK-NEXT:   for (int c1 = 0; c1 <= 2; c1 += 1)
; CHECK-NEXT:     A(c1, c0);

;; params n
;; context n >= 1
;; statement A(d, i) loops 0, 1 : 0 <= i < n and 0 <= d < 3
;;   order -d, -i
;;   read dy[i, d]
;;   add dx[i, d]
