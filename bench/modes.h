/*===- bench/modes.h - What the programs of bench/modes share ------*- C -*-===*
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * A program defines what bench.h asks for, mostly by including one of
 * bench/programs behind a definition of PARDIFF_BENCH_MODES, then
 *
 *   FUNCTION      the function, which returns nothing
 *   CONSTANTS     its first arguments for a request, each with its marker
 *   EACH(K)       K(x, 0), K(y, 1), ... of its arrays x, y, with shadows dx, dy
 *   arrays        { &x, &dx, size }, ... of the same
 *
 * and includes this file. Its main checks the tangents against differences, in
 * eight directions, one by one and at once, and a Hessian-vector product
 * against differences of gradients, times all of it on one thread, and prints
 * one JSON object. Times are the best of several rounds, in processor time.
 *
 *===----------------------------------------------------------------------===*/

#ifndef PARDIFF_BENCH_MODES_H
#define PARDIFF_BENCH_MODES_H

#include <time.h>

enum { ARRAYS = sizeof arrays / sizeof *arrays, LANES = 8 };
/* The tangents of the arrays, and of their shadows. */
static double *T[ARRAYS][LANES], *S[ARRAYS];

#define AS_PARAMETER(x, i) double *x, double *d##x
#define AS_SHADOW(x, i) pardiff_dup, x, d##x
#define AS_1(x, i) pardiff_dup, x, T[i][0]
#define AS_2(x, i) pardiff_dup, x, T[i][0], T[i][1]
#define AS_4(x, i) AS_2(x, i), T[i][2], T[i][3]
#define AS_8(x, i) AS_4(x, i), T[i][4], T[i][5], T[i][6], T[i][7]
#define AS_TANGENTS(x, i) pardiff_dup, x, T[i][0], pardiff_dup, d##x, S[i]
#define AS_ARGUMENTS(x, i) x, d##x

static void forward1(void) {
  __pardiff_fwddiff_void((void *)FUNCTION, CONSTANTS EACH(AS_1));
}
static void forward2(void) {
  __pardiff_fwddiff_void((void *)FUNCTION, pardiff_width, 2,
                         CONSTANTS EACH(AS_2));
}
static void forward4(void) {
  __pardiff_fwddiff_void((void *)FUNCTION, pardiff_width, 4,
                         CONSTANTS EACH(AS_4));
}
static void forward8(void) {
  __pardiff_fwddiff_void((void *)FUNCTION, pardiff_width, 8,
                         CONSTANTS EACH(AS_8));
}
static void gradient(EACH(AS_PARAMETER)) {
  __pardiff_autodiff_void((void *)FUNCTION, CONSTANTS EACH(AS_SHADOW));
}
static void adjoint(void) { gradient(EACH(AS_ARGUMENTS)); }
static void hessian(void) {
  __pardiff_fwddiff_void((void *)gradient, EACH(AS_TANGENTS));
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

/* Inputs and directions; the inputs at start + step * first direction. */
static void begin(double step) {
  start();
  for (int i = 0; i < ARRAYS; i++) {
    for (int lane = 0; lane < LANES; lane++)
      fill(T[i][lane], arrays[i].count, -1, 1, 17 * i + lane + 9);
    fill(S[i], arrays[i].count, 0, 0, 0);
    for (long k = 0; k < arrays[i].count; k++)
      (*arrays[i].values)[k] += step * T[i][0][k];
  }
}

/* What an array holds, or its shadow, times weights. */
static double project(double *const *of, long count, int i) {
  double sum = 0;
  for (long k = 0; k < count; k++)
    sum += (*of)[k] * cos(k + i);
  return sum;
}

/* The largest difference of what Run leaves in Tangents[i] from the central
 * differences of what Plain leaves in the arrays or their shadows. */
static double compare(void (*plain)(void), void (*run)(void), int shadows) {
  double sides[2][ARRAYS], worst = 0, scale = 1e-3, h = 1e-5;
  for (int side = 0; side < 2; side++) {
    begin(side ? h : -h);
    plain();
    for (int i = 0; i < ARRAYS; i++)
      sides[side][i] = project(shadows ? arrays[i].shadow : arrays[i].values,
                               arrays[i].count, i);
  }
  begin(0);
  run();
  for (int i = 0; i < ARRAYS; i++) {
    double got = project(shadows ? &S[i] : &T[i][0], arrays[i].count, i);
    double off = fabs(got - (sides[1][i] - sides[0][i]) / (2 * h));
    scale = fmax(scale, fabs(got));
    worst = !(off <= worst) ? off : worst;
  }
  return worst / scale;
}

/* The largest difference of eight directions at once from one by one. */
static double compareLanes(void) {
  double *all[ARRAYS][LANES], worst = 0;
  begin(0);
  forward8();
  for (int i = 0; i < ARRAYS; i++)
    for (int lane = 0; lane < LANES; lane++) {
      all[i][lane] = T[i][lane];
      T[i][lane] = numbers(arrays[i].count);
    }
  for (int lane = 0; lane < LANES; lane++) {
    begin(0);
    for (int i = 0; i < ARRAYS; i++)
      memcpy(T[i][0], T[i][lane], arrays[i].count * sizeof(double));
    forward1();
    for (int i = 0; i < ARRAYS; i++)
      for (long k = 0; k < arrays[i].count; k++) {
        double off =
            fabs(T[i][0][k] - all[i][lane][k]) / (1 + fabs(T[i][0][k]));
        worst = !(off <= worst) ? off : worst;
      }
  }
  for (int i = 0; i < ARRAYS; i++)
    for (int lane = 0; lane < LANES; lane++)
      free(all[i][lane]);
  return worst;
}

int main(int argc, char **argv) {
  int repeats = argc > 1 ? atoi(argv[1]) : 5;
  allocate();
  for (int i = 0; i < ARRAYS; i++) {
    S[i] = numbers(arrays[i].count);
    for (int lane = 0; lane < LANES; lane++)
      T[i][lane] = numbers(arrays[i].count);
  }
  double forward = compare(primal, forward1, 0),
         second = compare(adjoint, hessian, 1), lanes = compareLanes();
  void (*const run[])(void) = {primal,   forward1, forward2, forward4,
                               forward8, adjoint,  hessian};
  enum { RUNS = sizeof run / sizeof *run };
  double least[RUNS];
  for (int r = 0; r < repeats; r++)
    for (int k = 0; k < RUNS; k++) {
      begin(0);
      double from = now();
      run[k]();
      double took = now() - from;
      least[k] = r && least[k] < took ? least[k] : took;
    }
  printf("{\"name\": \"%s\", \"forward_difference\": %.3g, "
         "\"second_difference\": %.3g, \"lanes_difference\": %.3g, "
         "\"primal_ms\": %.3f, \"forward_ms\": [%.3f, %.3f, %.3f, %.3f], "
         "\"gradient_ms\": %.3f, \"hessian_ms\": %.3f}\n",
         name, forward, second, lanes, least[0] * 1e3, least[1] * 1e3,
         least[2] * 1e3, least[3] * 1e3, least[4] * 1e3, least[5] * 1e3,
         least[6] * 1e3);
  return forward <= 1e-5 && second <= 1e-5 && lanes <= 1e-9 ? 0 : 1;
}

#endif /* PARDIFF_BENCH_MODES_H */
