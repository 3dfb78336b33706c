; RUN: %opt -passes='test<pardiff-schedule>' -pardiff-one-thread -disable-output %s | %FileCheck %s
; RUN: %opt -passes='test<pardiff-schedule>' -disable-output %s | %FileCheck %s --check-prefix=THREADS

; y = A^T (A x). Threads need a pass over the rows of A and one over its columns; one
; thread alone needs the first only, in which each row is used twice.

; CHECK: {{^}}serial: T Y{{$}}
; CHECK-NOT: {{^}}serial
; CHECK-NOT: {{parallel|chunked}}
; THREADS: {{^}}parallel: T{{$}}
; THREADS: {{^}}chunked: Y{{$}}

;; params n
;; context n >= 1
;; statement T(i, j) loops 0, 1 : 0 <= i < n and 0 <= j < n
;;   order i, 0, j
;;   read a[i, j]
;;   read x[j]
;;   read t[i]
;;   write t[i]
;; statement Y(i, j) loops 0, 2 : 0 <= i < n and 0 <= j < n
;;   order i, 1, j
;;   read a[i, j]
;;   read t[i]
;;   read y[j]
;;   write y[j]
