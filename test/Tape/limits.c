// A rectifier whose operand is overwritten: the derivative follows from the result where
// that tells which side was chosen, and from a tape where it does not. At the limit, at
// both zeros and for NaN it is that of the side that was chosen.
// RUN: %clang -O0 -mllvm -pardiff-nest-only %s -lm -o %t0 && %t0
// RUN: %clang -O1 %s -lm -o %t1 && %t1
// RUN: %clang -O2 -mllvm -pardiff-nest-only %s -lm -o %t2 && %t2
// RUN: %clang -O3 -fopenmp %s -lm -o %t3 && env OMP_NUM_THREADS=2 %t3

#include "check.h"

#define CHOICE(NAME, WHEN, THEN, ELSE)                                                       \
  static void NAME(int n, double *restrict x, double *restrict y) {                          \
    for (int i = 0; i < n; i++)                                                              \
      y[i] = x[i] WHEN THEN : ELSE;                                                          \
    for (int i = 0; i < n; i++)                                                              \
      x[i] = 0;                                                                              \
  }
CHOICE(above, > 0 ?, x[i], 0)
CHOICE(from, >= 0 ?, x[i], 0)
CHOICE(below, < 0.5 ?, x[i], 0.5)
CHOICE(upto, <= 0.5 ?, x[i], 0.5)
CHOICE(over, > 0.5 ?, 0.5, x[i])
CHOICE(least, >= 0.5 ?, 0.5, x[i])
CHOICE(under, < 0 ?, 0, x[i])
CHOICE(most, <= 0 ?, 0, x[i])

#define N 7
static double x[N], dx[N], y[N], dy[N];
static const double Values[N] = {-1, -0.0, 0.0, 0.25, 0.5, 2, NAN};

#define TEST(F, ...)                                                                         \
  do {                                                                                       \
    static const double chosen[N] = {__VA_ARGS__};                                           \
    memcpy(x, Values, sizeof x);                                                             \
    for (int i = 0; i < N; i++)                                                              \
      dx[i] = 9, dy[i] = 1 + i;                                                              \
    __pardiff_autodiff((void *)F, pardiff_const, check_size(N), pardiff_dup, x, dx,          \
                       pardiff_dup, y, dy);                                                  \
    for (int i = 0; i < N; i++)                                                              \
      check_value(#F, dx[i], chosen[i] * (1 + i), 1e-15);                                    \
  } while (0)

int main(void) {
  TEST(above, 0, 0, 0, 1, 1, 1, 0);
  TEST(from, 0, 1, 1, 1, 1, 1, 0);
  TEST(below, 1, 1, 1, 1, 0, 0, 0);
  TEST(upto, 1, 1, 1, 1, 1, 0, 0);
  TEST(over, 1, 1, 1, 1, 1, 0, 1);
  TEST(least, 1, 1, 1, 1, 0, 0, 1);
  TEST(under, 0, 1, 1, 1, 1, 1, 1);
  TEST(most, 0, 0, 0, 1, 1, 1, 1);
  return check_done();
}
