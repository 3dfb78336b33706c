; RUN: %opt -passes='test<pardiff-schedule>' -disable-output %s | %FileCheck %s

; Statements with at least two loops fewer than others do so little of the work that
; parallel loops inside of a serial one cost more than they gain: W and R run serially.
; U and V, the same with one loop fewer than A, have parallel loops in each iteration of
; the outer one.

; CHECK-DAG: {{^}}parallel: A
; CHECK-DAG: {{^}}serial: W R{{$}}
; CHECK-DAG: {{^}}  serial: W{{$}}
; CHECK-DAG: {{^}}  serial: R{{$}}
; CHECK-DAG: {{^}}serial: U V{{$}}
; CHECK-DAG: {{^}}  {{parallel|chunked}}: U{{$}}
; CHECK-DAG: {{^}}  {{parallel|chunked}}: V{{$}}

;; params n
;; context n >= 1
;; statement A(i, j, k, l) loops 0, 1, 2, 3 : 0 <= i < n and 0 <= j < n and 0 <= k < n and 0 <= l < n
;;   order 0, i, j, k, l
;;   read b[j, k, l]
;;   add a[i, j, k, l]
;; statement W(i, j) loops 4, 5 : 0 <= i < n and 0 <= j < n
;;   order 1, i, 0, j, 0
;;   read x[i, j]
;;   write row[j]
;; statement R(i, j) loops 4, 6 : 0 <= i < n and 1 <= j < n - 1
;;   order 1, i, 1, j, 0
;;   read row[j - 1]
;;   read row[j + 1]
;;   write y[i, j]
;; statement U(i, j, k) loops 7, 8, 9 : 0 <= i < n and 0 <= j < n and 0 <= k < n
;;   order 2, i, 0, j, k
;;   read z[i, j, k]
;;   write plane[j, k]
;; statement V(i, j, k) loops 7, 10, 11 : 0 <= i < n and 1 <= j < n - 1 and 1 <= k < n - 1
;;   order 2, i, 1, j, k
;;   read plane[j - 1, k - 1]
;;   read plane[j + 1, k + 1]
;;   write v[i, j, k]
