// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several seeds of an affine nest: the nest engine has one reverse sweep for each, on one
// tape, with local memory of its own. With too many seeds it leaves it to the flow engine.
// All seeds give what gradients one after the other give; shadows of one lane that overlap
// make the other engine run.
//
// RUN: %clang -O2 -fopenmp -Rpass=pardiff -Rpass-missed=pardiff %s -o %t2 -lm 2>&1 | %FileCheck %s
// RUN: %t2
// RUN: %clang -O1 -g -Xclang -llvm-verify-each -fsanitize=address,undefined -fno-sanitize-recover %s -o %t1 -lm && %t1
// CHECK-DAG: remark: affine loop nest of few recovered: 3 statements, 3 tapes
// CHECK-DAG: remark: no affine loop nest recovered in many: {{.*}}it has many lanes
#include <math.h>
#include <pardiff/pardiff.h>
#include <stdio.h>

enum { N = 40, LANES = 17 };
#define NEST(name)                                                             \
  static void name(double *x, double *y) {                                     \
    double w[N];                                                               \
    for (int t = 0; t < 3; ++t) {                                              \
      for (int i = 0; i < N; ++i)                                              \
        w[i] = x[i] * x[i] + y[i];                                             \
      for (int i = 0; i < N; ++i)                                              \
        x[i] = 0.1 * w[i] * w[N - 1 - i];                                      \
    }                                                                          \
    for (int i = 0; i < N; ++i)                                                \
      y[i] = x[i] * y[i];                                                      \
  }
NEST(few)
NEST(many)
NEST(single)

static double x[N], y[N], dx[LANES][N], dy[LANES][N], ex[LANES][N], ey[LANES][N];
static void init(void) {
  for (int i = 0; i < N; ++i)
    x[i] = sin(i), y[i] = cos(2 * i);
}
static void seed(void) {
  init();
  for (int l = 0; l < LANES; ++l)
    for (int i = 0; i < N; ++i)
      dx[l][i] = ex[l][i] = l * sin(i + l), dy[l][i] = ey[l][i] = cos(i * l);
}
static int compare(const char *what, int lanes) {
  int bad = 0;
  for (int l = 0; l < lanes; ++l) {
    init();
    __pardiff_autodiff_void((void *)single, x, ex[l], y, ey[l]);
    for (int i = 0; i < N; ++i)
      if (!(fabs(dx[l][i] - ex[l][i]) <= 1e-11 && fabs(dy[l][i] - ey[l][i]) <= 1e-11))
        bad = 1, printf("%s: lane %d, element %d: %g and %g instead of %g and %g\n", what, l, i, dx[l][i], dy[l][i], ex[l][i], ey[l][i]);
  }
  return bad;
}
#define MANY(a) a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13], a[14], a[15], a[16]

int main(void) {
  int bad = 0;
  seed();
  __pardiff_autodiff_void((void *)few, pardiff_width, 3, pardiff_dup, x, dx[0], dx[1], dx[2], pardiff_dup, y, dy[0], dy[1], dy[2]);
  bad |= compare("few", 3);
  seed();
  __pardiff_autodiff_void((void *)many, pardiff_width, LANES, pardiff_dup, x, MANY(dx), pardiff_dup, y, MANY(dy));
  bad |= compare("many", LANES);
  /* In lane 1 one shadow serves both. */
  seed();
  for (int i = 0; i < N; ++i)
    ey[1][i] = 0;
  __pardiff_autodiff_void((void *)few, pardiff_width, 3, pardiff_dup, x, dx[0], dy[1], dx[2], pardiff_dup, y, dy[0], dy[1], dy[2]);
  for (int i = 0; i < N; ++i)
    dx[1][i] = ex[1][i] = dy[1][i];
  init();
  for (int i = 0; i < N; ++i)
    ex[1][i] = cos(i);
  __pardiff_autodiff_void((void *)single, x, ex[1], y, ex[1]);
  for (int i = 0; i < N; ++i)
    if (!(fabs(dx[1][i] - ex[1][i]) <= 1e-11))
      bad = 1, printf("one shadow: element %d: %g instead of %g\n", i, dx[1][i], ex[1][i]);
  return bad;
}
