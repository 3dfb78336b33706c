; RUN: %opt -passes='test<pardiff-schedule>' -disable-output %s | %FileCheck %s
; RUN: %opt -passes='test<pardiff-schedule>' -disable-output %s \
; RUN:   | %python %S/Inputs/check-schedule.py %s n=4 | %FileCheck %s --check-prefix=LEGAL
; LEGAL: {{^}}legal

; A statement that reads and clears what other instances accumulate into (the adjoint of
; p[i][j] = min(p[i][j], p[i][k] + p[k][j]), kept whole) runs in its own order.

; CHECK-NOT: parallel
; CHECK:     for (int c0 = -n + 1; c0 <= 0; c0 += 1)
; CHECK-NOT: parallel

;; params n
;; context n >= 1
;; statement J(k, i, j) loops 0, 1, 2 : 0 <= i < n and 0 <= j < n and 0 <= k < n
;;   order -k, -i, -j
;;   read dp[i, j]
;;   clear dp[i, j]
;;   add dp[i, j]
;;   add dp[i, k]
;;   add dp[k, j]
