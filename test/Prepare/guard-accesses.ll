; Loads and stores of a branch on data get addresses that say where they happen. Those of
; what is accessed in any case do not, and a second condition comes on top of the first.
; RUN: %opt -passes='pardiff-guard-accesses' -S %s | %FileCheck %s

; CHECK-LABEL: define void @store(
; CHECK:         [[C:%.*]] = fcmp ogt double %v, 0.0
; CHECK-NEXT:    [[W:%.*]] = call ptr @pardiff.where(ptr %q, i1 [[C]])
; CHECK-NEXT:    [[V:%.*]] = select i1 [[C]], double %v, double 0.0
; CHECK-NEXT:    store double [[V]], ptr [[W]]
; CHECK-NOT:     br i1 [[C]]
define void @store(ptr %x, ptr %y, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %p = getelementptr double, ptr %x, i64 %i
  %q = getelementptr double, ptr %y, i64 %i
  %v = load double, ptr %p
  %c = fcmp ogt double %v, 0.0
  br i1 %c, label %side, label %latch
side:
  store double %v, ptr %q
  br label %latch
latch:
  %next = add nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; The other side, a load, and a condition on it. That x[i] may be accessed is known.
; CHECK-LABEL: define void @inside(
; CHECK:         [[NOT:%.*]] = xor i1 %c, true
; CHECK-NEXT:    [[A:%.*]] = call ptr @pardiff.where(ptr %q, i1 [[NOT]])
; CHECK-NEXT:    [[U:%.*]] = load double, ptr [[A]]
; CHECK:         [[D:%.*]] = fcmp olt double [[U]], 1.0
; CHECK:         [[BOTH:%.*]] = select i1 {{.*}}, i1 [[D]], i1 false
; CHECK-NEXT:    [[B:%.*]] = call ptr @pardiff.where(ptr %r, i1 [[BOTH]])
; CHECK:         store double {{.*}}, ptr [[B]]
; CHECK:         store double {{.*}}, ptr %p
define void @inside(ptr %x, ptr %y, ptr %z, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %p = getelementptr double, ptr %x, i64 %i
  %q = getelementptr double, ptr %y, i64 %i
  %r = getelementptr double, ptr %z, i64 %i
  %v = load double, ptr %p
  %c = fcmp ogt double %v, 0.0
  br i1 %c, label %latch, label %side
side:
  %u = load double, ptr %q
  %d = fcmp olt double %u, 1.0
  br i1 %d, label %inner, label %join
inner:
  store double %u, ptr %r
  br label %join
join:
  store double %u, ptr %p
  br label %latch
latch:
  %next = add nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Pointers are not loaded under a condition: the branch stays.
; CHECK-LABEL: define void @pointer(
; CHECK:         br i1 %c, label %side, label %latch
define void @pointer(ptr %x, ptr %rows, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %p = getelementptr double, ptr %x, i64 %i
  %q = getelementptr ptr, ptr %rows, i64 %i
  %v = load double, ptr %p
  %c = fcmp ogt double %v, 0.0
  br i1 %c, label %side, label %latch
side:
  %row = load ptr, ptr %q
  store double %v, ptr %row
  br label %latch
latch:
  %next = add nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Two branches to one block become one. What the second looks at is only loaded where the
; first does not hold.
; CHECK-LABEL: define void @either(
; CHECK:         %c = fcmp ogt double %v, 0.0
; CHECK:         [[NOT:%.*]] = xor i1 %c, true
; CHECK-NEXT:    [[A:%.*]] = call ptr @pardiff.where(ptr %q, i1 [[NOT]])
; CHECK-NEXT:    load double, ptr [[A]]
; CHECK:         [[ANY:%.*]] = select i1 %c, i1 true, i1
; CHECK:         call ptr @pardiff.where(ptr %r, i1 [[ANY]])
; CHECK-NOT:     br i1 %c
; CHECK:         ret void
define void @either(ptr %x, ptr %y, ptr %z, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %p = getelementptr double, ptr %x, i64 %i
  %q = getelementptr double, ptr %y, i64 %i
  %r = getelementptr double, ptr %z, i64 %i
  %v = load double, ptr %p
  %c = fcmp ogt double %v, 0.0
  br i1 %c, label %side, label %second
second:
  %u = load double, ptr %q
  %d = fcmp olt double %u, 1.0
  br i1 %d, label %latch, label %side
side:
  store double %v, ptr %r
  br label %latch
latch:
  %next = add nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; An access that has a condition does not prove that another one may happen.
; CHECK-LABEL: define void @two(
; CHECK:         call ptr @pardiff.where(ptr %q, i1 %c)
; CHECK:         [[A:%.*]] = call ptr @pardiff.where(ptr %q, i1 %d)
; CHECK-NEXT:    load double, ptr [[A]]
define void @two(ptr %x, ptr %y, ptr %z, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %p = getelementptr double, ptr %x, i64 %i
  %q = getelementptr double, ptr %y, i64 %i
  %r = getelementptr double, ptr %z, i64 %i
  %v = load double, ptr %p
  %c = fcmp ogt double %v, 0.0
  br i1 %c, label %first, label %join
first:
  %u = load double, ptr %q
  br label %join
join:
  %s = phi double [ %u, %first ], [ 0.0, %loop ]
  store double %s, ptr %r
  %d = fcmp olt double %v, -1.0
  br i1 %d, label %second, label %latch
second:
  %w = load double, ptr %q
  store double %w, ptr %r
  br label %latch
latch:
  %next = add nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
