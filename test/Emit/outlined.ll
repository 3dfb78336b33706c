; A parallel loop becomes an outlined function of internal linkage that has the target of
; its parent, so that it is vectorized as well; it is shared statically without a
; barrier. A region of little work runs on one thread.
;
; RUN: %opt -passes='pardiff-roundtrip<parallel>' -S %s | %FileCheck %s

; CHECK-LABEL: define void @scale(
; CHECK: fcmp oge double {{%.*}}, 2.000000e+04
; CHECK: call void {{.*}}@__kmpc_fork_call_if(
; CHECK-LABEL: define internal void @scale..omp_par(
; CHECK-SAME: [[ATTRS:#[0-9]+]]
; CHECK: call void @__kmpc_for_static_init_8u(
; CHECK-NOT: call {{.*}}barrier
; CHECK: ret void
; CHECK: attributes [[ATTRS]] = {{.*}}"target-cpu"="x86-64-v3"
define void @scale(i64 %n, ptr noalias %x, ptr noalias %y) #0 {
entry:
  br label %body

body:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %done

loop:
  %i = phi i64 [ 0, %body ], [ %next, %loop ]
  %from = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %from
  %w = fmul double %v, 3.0
  %to = getelementptr inbounds double, ptr %y, i64 %i
  store double %w, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  br label %exit

exit:
  ret void
}

attributes #0 = { nounwind "target-cpu"="x86-64-v3" }
