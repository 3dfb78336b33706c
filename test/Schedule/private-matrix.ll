; RUN: %opt -passes='test<pardiff-schedule>' -disable-output %s | %FileCheck %s

; A matrix product: copies of a matrix that is as large as all that is read would take too
; much memory.

; CHECK-NOT: p{{rivate|artial}}
; CHECK: parallel: A

;; params n
;; context n >= 1
;; statement A(i, j, k) loops 0, 1, 2 : 0 <= i < n and 0 <= j < n and 0 <= k < n
;;   order -i, -j, -k, 0
;;   read b[k, j]
;;   read dc[i, j]
;;   add da[i, k]
;; statement B(i, j, k) loops 0, 1, 2 : 0 <= i < n and 0 <= j < n and 0 <= k < n
;;   order -i, -j, -k, 1
;;   read a[i, k]
;;   read dc[i, j]
;;   add db[k, j]
