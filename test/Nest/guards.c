// Accesses under a condition on data have guards; the model takes them to happen always. An
// access of what is accessed in any case has none.
// RUN: %plain-clang -O1 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes="print<pardiff-nest>" -disable-output %t.ll | %FileCheck %s

// A store reads the old value.
// CHECK-LABEL: primal of store
// CHECK:         read x
// CHECK-NEXT:    read y
// CHECK-NEXT:    guard [[G:.*]]
// CHECK-NEXT:    write y
// CHECK-NEXT:    guard [[G]]
// CHECK-NEXT:    guard-body [[G]]
// CHECK:           fcmp ogt double %r0, 0.0
// CHECK:         body
// CHECK:           [[C:%.*]] = fcmp ogt double %r0, 0.0
// CHECK:           select i1 [[C]], double {{.*}}, double %r1
void store(long n, const double *x, double *y) {
  for (long i = 0; i < n; i++)
    if (x[i] > 0)
      y[i] = 2 * x[i];
}

// A condition on what was loaded under a condition.
// CHECK-LABEL: primal of inside
// CHECK:         read x
// CHECK-NEXT:    read y
// CHECK-NEXT:    guard [[OUTER:.*]]
// CHECK-NEXT:    read z
// CHECK-NEXT:    guard [[INNER:.*]]
// CHECK-NEXT:    write z
// CHECK-NEXT:    guard [[INNER]]
// CHECK-NEXT:    guard-body [[OUTER]]
// CHECK-NOT:       double %r1, 1.0
// CHECK:         guard-body [[INNER]]
// CHECK-DAG:       [[A:%.*]] = fcmp ogt double %r0, 0.0
// CHECK-DAG:       [[B:%.*]] = fcmp olt double %r1, 1.0
// CHECK:           select i1 [[A]], i1 [[B]], i1 false
void inside(long n, const double *x, const double *y, double *z) {
  for (long i = 0; i < n; i++)
    if (x[i] > 0)
      if (y[i] < 1)
        z[i] *= y[i];
}

// Two stores to one element under two conditions are one write, under both.
// CHECK-LABEL: primal of twice
// CHECK:         write z
// CHECK-NEXT:    guard [[G:.*]]
// CHECK-NEXT:    guard-body
// CHECK:         guard-body [[G]]
// CHECK:           select i1 {{.*}}, i1 true, i1
// CHECK:         body
void twice(long n, const double *x, const double *y, double *z) {
  for (long i = 0; i < n; i++) {
    if (x[i] > 0)
      z[i] = 1;
    if (y[i] > 0)
      z[i] = 2;
  }
}

// What is loaded in any case, and what is stored, is accessible.
// CHECK-LABEL: primal of always
// CHECK-NOT:     guard
// CHECK-LABEL: primal of
void always(long n, double *x, double *y) {
  for (long i = 0; i < n; i++) {
    y[i] = x[i];
    if (x[i] > 0)
      y[i] = x[i] * x[i];
  }
}

void end(long n, double *x) { x[0] = 1; }
