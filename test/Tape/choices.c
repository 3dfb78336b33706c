// Chains of choices keep the place of the last replacement: one number for a chain
// instead of one value for each link, and the adjoint goes where the primal's own choice
// went, at ties and NaNs too.
//
// RUN: %plain-clang -O1 -g0 -fno-math-errno -fno-discard-value-names -Xclang -disable-llvm-passes \
// RUN:   -emit-llvm -c %s -DPLAN -o %t.bc
// RUN: %opt -passes='pardiff-prepare,function(print<pardiff-tape>)' -disable-output %t.bc \
// RUN:   | %FileCheck %s
// RUN: %opt -passes='pardiff-prepare,function(check<pardiff-tape>)' -disable-output %t.bc \
// RUN:   | %FileCheck %s --check-prefix=RIGHT
// RIGHT-NOT: {{[1-9][0-9]*}} wrong
// RUN: %check-levels --no-plain --nest=serial %s

#ifdef PLAN
#define static
double fmin(double, double);
double fmax(double, double);
#else
#include "check.h"
#endif

// CHECK-LABEL: tape plan of strict:
// CHECK: choice S1[0] slot: last replacement {{.*}} -> slot_choice[i0]
// CHECK: tape slot_choice of slot: i64 [m]; choice
static void strict(int m, int n, const double *restrict x, double *restrict y) {
  for (int i = 0; i < m; i++) {
    double top = x[i * n];
    for (int j = 1; j < n; j++)
      top = x[i * n + j] > top ? x[i * n + j] : top;
    y[i] += top;
  }
}

// CHECK-LABEL: tape plan of loose:
// CHECK: choice S1[0] slot: last replacement
static void loose(int m, int n, const double *restrict x, double *restrict y) {
  for (int i = 0; i < m; i++) {
    double top = x[i * n];
    for (int j = 1; j < n; j++)
      top = x[i * n + j] <= top ? x[i * n + j] : top;
    y[i] += top;
  }
}

// What is not less replaces, and so does a NaN.
// CHECK-LABEL: tape plan of unordered:
// CHECK: choice S1[0] slot: last replacement
static void unordered(int m, int n, const double *restrict x, double *restrict y) {
  for (int i = 0; i < m; i++) {
    double top = x[i * n];
    for (int j = 1; j < n; j++)
      top = top > x[i * n + j] ? top : x[i * n + j];
    y[i] += top;
  }
}

// CHECK-LABEL: tape plan of smallest:
// CHECK: choice S1[0] slot: last replacement
static void smallest(int m, int n, const double *restrict x, double *restrict y) {
  for (int i = 0; i < m; i++) {
    double low = 1e30;
    for (int j = 0; j < n; j++)
      low = fmin(low, x[i * n + j]);
    y[i] += low;
  }
}

// The chain runs along the outer loop; what is chosen is computed.
// CHECK-LABEL: tape plan of columns:
// CHECK: choice S0[0] y: last replacement {{.*}} -> y_choice[i1]
// CHECK: tape y_choice of y: i64 [n]; choice
static void columns(int m, int n, const double *restrict x, double *restrict y) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      y[j] = x[i * n + j] * x[i * n + j] > y[j] ? x[i * n + j] * x[i * n + j] : y[j];
}

// A chain along two loops has two tapes of one number each.
// CHECK-LABEL: tape plan of whole:
// CHECK: choice S0[0] y: last replacement
// CHECK: tape y_choice of y: i64 ; choice
// CHECK: tape y_choice_1 of y: i64 ; choice
static void whole(int m, int n, const double *restrict x, double *restrict y) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      y[0] = x[i * n + j] > y[0] ? x[i * n + j] : y[0];
}

// The values in between are seen: they are what is kept.
// CHECK-LABEL: tape plan of running:
// CHECK-NOT: choice
static void running(int m, int n, const double *restrict x, double *restrict y) {
  double top = x[0];
  for (int j = 1; j < n; j++) {
    top = x[j] > top ? x[j] : top;
    y[j] += top;
  }
}

// What is chosen depends on the old value.
// CHECK-LABEL: tape plan of growing:
// CHECK-NOT: choice
static void growing(int m, int n, const double *restrict x, double *restrict y) {
  for (int i = 0; i < m; i++) {
    double top = x[i * n];
    for (int j = 1; j < n; j++)
      top = x[i * n + j] > top ? x[i * n + j] * top : top;
    y[i] += top;
  }
}

// Two statements take turns.
// CHECK-LABEL: tape plan of turns:
// CHECK-NOT: choice
static void turns(int m, int n, const double *restrict x, double *restrict y) {
  for (int j = 0; j < n; j++) {
    y[0] = x[j] > y[0] ? x[j] : y[0];
    for (int i = 1; i < m; i++)
      y[i] += x[i * n + j] * x[i * n + j];
    y[0] = x[j] < y[0] ? x[j] * x[j] : y[0];
  }
}

// What is chosen is computed from final values of other chains of the same array.
// CHECK-LABEL: tape plan of rows:
// CHECK: choice S0[0] y: last replacement {{.*}} -> y_choice[
// CHECK: tape y_choice of y: i64 [{{.*}}]; choice
static void rows(int m, int n, const double *restrict x, double *restrict y) {
  for (int i = 1; i < n; i++)
    for (int k = 0; k < i; k++)
      y[i] = y[k] + x[k] > y[i] ? y[k] + x[k] : y[i];
}

// The same along the outer loop; what is read is as it was before its own chain.
// CHECK-LABEL: tape plan of both:
// CHECK: choice S0[0] y: last replacement {{.*}} -> y_choice[
static void both(int m, int n, const double *restrict x, double *restrict y) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < k; i++)
      y[i] = y[k] + x[k] > y[i] ? y[k] + x[k] : y[i];
}

// The element itself is one of those that are read.
// CHECK-LABEL: tape plan of itself:
// CHECK-NOT: choice
static void itself(int m, int n, const double *restrict x, double *restrict y) {
  for (int i = 1; i < n; i++)
    for (int k = 0; k <= i; k++)
      y[i] = y[k] + x[k] > y[i] ? y[k] + x[k] : y[i];
}

// Values in between of the neighbour's chain are seen.
// CHECK-LABEL: tape plan of between:
// CHECK-NOT: choice
static void between(int m, int n, const double *restrict x, double *restrict y) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n - 1; i++)
      y[i] = y[i + 1] + x[k] > y[i] ? y[i + 1] + x[k] : y[i];
}
// CHECK-LABEL: tape plan of last:
static void last(int m, int n, const double *restrict x, double *restrict y) { y[0] += x[0]; }

#ifndef PLAN
enum { m = 4, n = 6, size = m * n };
static double x[size], dx[size], y[size], dy[size], want[size], seed[size];
typedef void Kernel(int, int, const double *, double *);

// Rows with ties, with and without the first element, and with NaNs at the end, at the
// start and in between.
static void fill(int nans) {
  const double values[size] = {2, 3, 3, 1, 3, 0, 4, 4, 1, 0, 4, 2,
                               1, 0, 1, 0, 1, 0, -1, -2, -2, 5, 5, 5};
  for (int k = 0; k < size; k++) {
    x[k] = values[k], dx[k] = 0, y[k] = 2.5;
    dy[k] = seed[k] = k + 1, want[k] = 0;
  }
  if (nans)
    x[5] = x[6] = x[15] = NAN;
}

static void compare(const char *name) {
  for (int k = 0; k < size; k++)
    check_value(name, dx[k], want[k], 1e-9);
}

#define RUN(f)                                                                           \
  __pardiff_autodiff((void *)f, pardiff_const, m, pardiff_const, n, pardiff_dup, x, dx, \
                     pardiff_dup, y, dy)

// The place that the primal's code chooses, by walking along the row.
#define ROWS(f, start, begin, replaces)                                                  \
  for (int nans = 0; nans < 2; nans++) {                                                 \
    fill(nans);                                                                          \
    for (int i = 0; i < m; i++) {                                                        \
      double top = start;                                                                \
      int at = begin - 1;                                                                \
      for (int j = begin; j < n; j++) {                                                  \
        double e = x[i * n + j];                                                         \
        if (replaces)                                                                    \
          top = e, at = j;                                                               \
      }                                                                                  \
      if (at >= 0)                                                                       \
        want[i * n + at] += seed[i];                                                     \
    }                                                                                    \
    RUN(f);                                                                              \
    compare(#f);                                                                         \
  }

// y[i] = max(y[i], y[from] + x[k]) over a loop nest, step by step.
#define STEPS(f, outer, inner, from)                                                     \
  fill(0);                                                                               \
  for (int k = 0; k < size; k++)                                                         \
    y[k] = 0.5 * (k % 3);                                                                \
  steps = 0;                                                                             \
  outer inner {                                                                          \
    double e = y[from] + x[k];                                                           \
    if (e > y[i])                                                                        \
      y[i] = e, step[steps++] = (Step){i, from, k};                                      \
  }                                                                                      \
  back(#f);                                                                              \
  for (int k = 0; k < size; k++)                                                         \
    y[k] = 0.5 * (k % 3);                                                                \
  RUN(f);                                                                                \
  compare(#f);                                                                           \
  for (int k = 0; k < size; k++)                                                         \
    check_value(#f " y", dy[k], seed[k], 1e-9);

typedef struct {
  int to, from, x;
} Step;
static Step step[size * size];
static int steps;

static void back(const char *name) {
  check_true(name, steps > 2);
  while (steps--) {
    double s = seed[step[steps].to];
    seed[step[steps].to] = 0;
    seed[step[steps].from] += s;
    want[step[steps].x] += s;
  }
}

int main(void) {
  STEPS(rows, for (int i = 1; i < n; i++), for (int k = 0; k < i; k++), k)
  STEPS(both, for (int k = 0; k < n; k++), for (int i = 0; i < k; i++), k)
  STEPS(itself, for (int i = 1; i < n; i++), for (int k = 0; k <= i; k++), k)
  STEPS(between, for (int k = 0; k < n; k++), for (int i = 0; i < n - 1; i++), i + 1)
  ROWS(strict, x[i * n], 1, e > top)
  ROWS(loose, x[i * n], 1, e <= top)
  ROWS(unordered, x[i * n], 1, !(top > e))
  // At a tie the first operand, the old value, has it; a NaN is ignored.
  ROWS(smallest, 1e30, 0, e < top)

  int replaced[n];
  fill(0);
  for (int j = 0; j < n; j++) {
    double top = y[j];
    int at = -1;
    for (int i = 0; i < m; i++)
      if (x[i * n + j] * x[i * n + j] > top)
        top = x[i * n + j] * x[i * n + j], at = i;
    if (at >= 0)
      want[at * n + j] = 2 * x[at * n + j] * seed[j];
    replaced[j] = at >= 0;
  }
  RUN(columns);
  compare("columns");
  for (int j = 0; j < n; j++)
    check_value("columns y", dy[j], replaced[j] ? 0 : seed[j], 1e-9);

  fill(0);
  want[3 * n + 3] = seed[0]; // the first 5
  RUN(whole);
  compare("whole");
  check_value("whole y", dy[0], 0, 1e-9);
  fill(0);
  y[0] = 7;
  RUN(whole);
  compare("nothing replaced");
  check_value("nothing replaced y", dy[0], seed[0], 1e-9);

  fill(0);
  want[1] = seed[1] + seed[2] + seed[3] + seed[4] + seed[5];
  RUN(running);
  compare("running");
  return check_done();
}
#endif
