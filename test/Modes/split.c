// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Split mode against closed forms: results, seeds, several tapes at a time, memory
// that changes between the sweeps, nests and calls in the function, tapes in memory,
// no leak.
//
// RUN: %clang -O0 -Xclang -llvm-verify-each -fsanitize=address,undefined -fno-sanitize-recover %s -o %t0 -lm && %t0
// RUN: %clang -O1 -Xclang -llvm-verify-each %s -o %t1 -lm && %t1
// RUN: %clang -O2 %s -o %t2 -lm && %t2
// RUN: %clang -O3 -fopenmp %s -o %t3 -lm && %t3
// RUN: %clang -O2 -mllvm -pardiff-force-fallback %s -o %t4 -lm && %t4
// RUN: valgrind -q --leak-check=full --error-exitcode=9 %t1

#include <math.h>
#include <pardiff/pardiff.h>
#include <stdio.h>
#include <stdlib.h>

struct taped { void *tape; double value; };
struct tapedfloat { void *tape; float value; };
struct two { double a, b; };
struct taped __pardiff_augmentfwd_taped(void *, ...);
struct tapedfloat __pardiff_augmentfwd_tapedfloat(void *, ...);
double __pardiff_augmentfwd_value(void *, ...);
void __pardiff_augmentfwd_void(void *, ...);
struct two __pardiff_reverse_two(void *, ...);
extern int enzyme_dup, enzyme_const, enzyme_out;
void *__enzyme_augmentfwd(void *, ...);
double __enzyme_reverse(void *, ...);

static int bad;
static void close_to(const char *what, double got, double want) {
  if (!(fabs(got - want) <= 1e-12 * (1 + fabs(want)))) {
    printf("%s: %.17g, not %.17g\n", what, got, want);
    bad = 1;
  }
}

static double product(double x, double y) { return sin(x) * y; }
static float single(float x) { return x * x; }

/* a nest, which overwrites what it needs, and a call that is not inlined */
__attribute__((noinline)) static double last(const double *x, int n) {
  return n > 1 ? x[n - 1] * x[n - 2] : x[0];
}
static double mixed(double a, double *x, int n) {
  for (int t = 0; t < 2; ++t)
    for (int i = 0; i < n; ++i)
      x[i] = a * x[i] * x[i];
  return last(x, n);
}
static void plain(const double *x, double *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * x[i];
}
/* control flow that depends on data */
static double newton(double a) {
  double x = a;
  while (fabs(x * x - a) > 1e-15 * a)
    x = 0.5 * (x + a / x);
  return x;
}

int main(void) {
  /* results by value, two seeds, in the order of the tapes and against it */
  void *t1 = __pardiff_augmentfwd((void *)product, 0.5, 2.0);
  struct taped t2 = __pardiff_augmentfwd_taped((void *)product, pardiff_primal_return, 0.25, 3.0);
  close_to("value", t2.value, sin(0.25) * 3);
  struct two d2 = __pardiff_reverse_two((void *)product, 0.25, 3.0, 2.0, t2.tape);
  struct two d1 = __pardiff_reverse_two((void *)product, 0.5, 2.0, 1.0, t1);
  close_to("d1.a", d1.a, cos(0.5) * 2);
  close_to("d1.b", d1.b, sin(0.5));
  close_to("d2.a", d2.a, 2 * cos(0.25) * 3);
  close_to("d2.b", d2.b, 2 * sin(0.25));

  struct tapedfloat f = __pardiff_augmentfwd_tapedfloat((void *)single, pardiff_primal_return, 3.0f);
  close_to("float", f.value, 9);
  close_to("dfloat", __pardiff_reverse_float((void *)single, 3.0f, 0.5f, f.tape), 3);

  close_to("newton", __pardiff_reverse((void *)newton, pardiff_out, 2.0, 1.0,
                                       __pardiff_augmentfwd((void *)newton, pardiff_out, 2.0)),
           0.5 / sqrt(2.0));

  /* x[i] becomes a^3 x[i]^4; all of it overwritten between the sweeps */
  double x[3] = {0.5, 1.5, -1.25}, dx[3] = {1, 0, 0};
  struct taped m = __pardiff_augmentfwd_taped((void *)mixed, pardiff_primal_return, pardiff_out, 1.25,
                                              pardiff_dup, x, dx, pardiff_const, 3);
  double a = 1.25, p = pow(1.5, 4), q = pow(1.25, 4);
  close_to("mixed", m.value, pow(a, 6) * p * q);
  close_to("x[0]", x[0], pow(a, 3) * pow(0.5, 4));
  x[0] = x[1] = x[2] = NAN;
  double da = __pardiff_reverse((void *)mixed, pardiff_out, 1.25, pardiff_dup, x, dx, pardiff_const, 3, 2.0, m.tape);
  close_to("da", da, 2 * 6 * pow(a, 5) * p * q + 3 * a * a * pow(0.5, 4));
  close_to("dx0", dx[0], pow(a, 3) * 4 * pow(0.5, 3));
  close_to("dx1", dx[1], 2 * pow(a, 6) * q * 4 * pow(1.5, 3));
  close_to("dx2", dx[2], -2 * pow(a, 6) * p * 4 * pow(1.25, 3));

  /* the same with an inactive array and an inactive value */
  double z[2] = {2, 3};
  void *c = __pardiff_augmentfwd((void *)mixed, pardiff_out, 1.0, pardiff_dup, z, dx, pardiff_const, 2);
  dx[0] = dx[1] = 0;
  close_to("da", __pardiff_reverse((void *)mixed, pardiff_out, 1.0, pardiff_dup, z, dx, pardiff_const, 2, 1.0, c), 6 * 16 * 81);

  /* outputs through memory only; the tape in memory of the caller */
  double u[2] = {3, 4}, du[2] = {0}, v[2], dv[2];
  char *where = malloc(__pardiff_augmentsize((void *)plain, pardiff_dup, pardiff_dup, pardiff_const));
  __pardiff_augmentfwd_void((void *)plain, pardiff_allocated, 8, pardiff_tape, where, pardiff_dup, u, du, pardiff_dup, v, dv, pardiff_const, 2);
  close_to("v", v[1], 16);
  dv[0] = 1, dv[1] = 10;
  __pardiff_reverse_void((void *)plain, pardiff_allocated, 8, pardiff_tape, where, pardiff_dup, u, du, pardiff_dup, v, dv, pardiff_const, 2);
  close_to("du0", du[0], 6);
  close_to("du1", du[1], 80);
  close_to("value", __pardiff_augmentfwd_value((void *)product, pardiff_primal_return, pardiff_allocated, 8, pardiff_tape, where, 0.5, pardiff_const, 2.0), 2 * sin(0.5));
  close_to("dx", __pardiff_reverse((void *)product, pardiff_allocated, 8, pardiff_tape, where, 0.5, pardiff_const, 2.0, 1.0), 2 * cos(0.5));
  free(where);

  /* many tapes at once */
  void *tapes[50];
  for (int i = 0; i < 50; ++i)
    tapes[i] = __enzyme_augmentfwd((void *)product, enzyme_out, 0.01 * i, enzyme_const, 2.0);
  for (int i = 0; i < 50; ++i)
    close_to("tapes", __enzyme_reverse((void *)product, enzyme_out, 0.01 * i, enzyme_const, 2.0, 1.0, tapes[i]), 2 * cos(0.01 * i));
  return bad;
}
