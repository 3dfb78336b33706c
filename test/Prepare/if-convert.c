/* Branches on data become selects where both sides can be executed; what might fault
 * keeps its condition at the address, and conditions on counters stay branches.
 *
 * RUN: %plain-clang -O1 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - \
 * RUN:   | %opt -passes=pardiff-prepare,verify -S | %FileCheck %s
 */
double exp(double);
#define R restrict

/* CHECK-LABEL: @helper(
 * CHECK-NOT: br i1 %
 * CHECK: select i1
 * CHECK: ret double
 */
double helper(double a, double b) {
  if (a > b)
    return a * b;
  return a - b * b;
}

/* CHECK-LABEL: @running_max(
 * CHECK: select i1 %{{.*}}, double
 * CHECK: ret void
 */
void running_max(int n, const double *R x, double *R y) {
  double m = x[0];
  for (int i = 1; i < n; i++)
    if (x[i] > m)
      m = x[i];
  *y = m;
}

/* The store is of the new or the old value: y[i] is written anyway.
 * CHECK-LABEL: @old_or_new(
 * CHECK: fcmp ogt
 * CHECK-NOT: br i1
 * CHECK: call double @exp
 * CHECK-NOT: br i1
 * CHECK: select i1
 * CHECK: store double
 * CHECK: ret void
 */
void old_or_new(int n, const double *R x, double *R y) {
  for (int i = 0; i < n; i++) {
    y[i] = 1;
    if (x[i] > 0)
      y[i] = x[i] * exp(x[i]);
  }
}

/* y[i] may not be there where x[i] <= 0: the store keeps the condition.
 * CHECK-LABEL: @may_fault(
 * CHECK: [[C:%.*]] = fcmp ogt
 * CHECK: [[Y:%.*]] = call ptr @pardiff.where(ptr %{{.*}}, i1 [[C]])
 * CHECK: store double %{{.*}}, ptr [[Y]]
 * CHECK: ret void
 */
void may_fault(int n, const double *R x, double *R y) {
  for (int i = 0; i < n; i++)
    if (x[i] > 0)
      y[i] = x[i];
}

/* CHECK-LABEL: @affine(
 * CHECK: [[C:%.*]] = icmp {{.*}}, 5
 * CHECK: br i1 [[C]]
 * CHECK: ret void
 */
void affine(int n, const double *R x, double *R y) {
  for (int i = 0; i < n; i++) {
    if (i < 5)
      y[i] = x[i];
    else
      y[i] = x[i] * 2;
  }
}
