// Where nothing runs in parallel (no -fopenmp) the values of an iteration of the outermost
// loop do not get memory for all iterations: both sweeps are one pass over it.
// RUN: %clang -O2 %s -o %t -lm -mllvm -pardiff-report=%t.json
// RUN: %t
// RUN: %FileCheck %s --check-prefix=SERIAL < %t.json
// SERIAL: "adjoint_loops"
// SERIAL: "depth": 0
// SERIAL-NEXT: "scheme": "serial"
// SERIAL-NOT: "depth": 0
// SERIAL-NOT: "scheme": "parallel"
// SERIAL: "conditions"

// With threads the loops are parallel.
// RUN: %clang -O2 -fopenmp %s -o %t.threads -lm -mllvm -pardiff-report=%t.threads.json
// RUN: %t.threads
// RUN: %FileCheck %s --check-prefix=THREADS < %t.threads.json
// THREADS: "adjoint_loops"
// THREADS: "scheme": "{{parallel|private|chunked}}"

// The executor agrees.
// RUN: %plain-clang -O1 -Xclang -disable-llvm-passes -emit-llvm -c %s -o %t.bc -DPROGRAM
// RUN: %opt -passes='print<pardiff-gradient>' -pardiff-one-thread -disable-output %t.bc > %t.programs
// RUN: %python %src/executor/execute.py --llvm-lib=%llvm-tools/../lib --sizes=4,2 %t.programs
// RUN: %opt -passes='print<pardiff-loops>' -pardiff-one-thread -disable-output %t.bc \
// RUN:   | %FileCheck %s --check-prefix=LOOPS
// LOOPS: ; adjoint
// LOOPS-NEXT: {{^}}for (int c0
// LOOPS-NOT: parallel
// LOOPS-NOT: for (int c0
// LOOPS: scope_d_
// LOOPS-NOT: for (int c0

#include <math.h>
#ifndef PROGRAM
#include <pardiff/pardiff.h>
#include <stdio.h>
#include <string.h>
static
#endif
void distances(int points, int groups, int d, const double *restrict weight,
               double (*restrict l)[d][d], double (*restrict x)[d], double *restrict y) {
  for (int i = 0; i < points; i++)
    for (int c = 0; c < groups; c++) {
      double sum = 0;
      for (int a = 0; a < d; a++) {
        double s = weight[c] * x[i][a];
        for (int b = 0; b < a; b++)
          s += l[c][a][b] * x[i][b];
        sum += sin(s) * s;
      }
      y[i] += exp(-sum);
    }
}

#ifndef PROGRAM
enum { P = 9, G = 4, D = 5 };
static double weight[G], l[G * D * D], x[P * D], y[P];
static double dweight[G], dl[G * D * D], dx[P * D], dy[P];

static void begin(double step) {
  for (int i = 0; i < G; i++)
    weight[i] = 0.5 + 0.1 * i + step * cos(i);
  for (int i = 0; i < G * D * D; i++)
    l[i] = 0.1 * sin(i) + step * cos(2 * i);
  for (int i = 0; i < P * D; i++)
    x[i] = cos(0.3 * i) + step * sin(3 * i);
  for (int i = 0; i < P; i++)
    y[i] = step * i;
}

// The weighted sum of the results at a step in the direction of begin.
static double evaluate(int points, int groups, int d, double step) {
  begin(step);
  distances(points, groups, d, weight, (void *)l, (void *)x, y);
  double sum = 0;
  for (int i = 0; i < points; i++)
    sum += (1 + i) * y[i];
  return sum;
}

static int check(int points, int groups, int d) {
  double h = 1e-5,
         want = (evaluate(points, groups, d, h) - evaluate(points, groups, d, -h)) / (2 * h);
  begin(0);
  memset(dweight, 0, sizeof dweight), memset(dl, 0, sizeof dl), memset(dx, 0, sizeof dx);
  for (int i = 0; i < P; i++)
    dy[i] = i < points ? 1 + i : 0;
  __pardiff_autodiff((void *)distances, pardiff_const, points, pardiff_const, groups,
                     pardiff_const, d, pardiff_dup, weight, dweight, pardiff_dup, l, dl,
                     pardiff_dup, x, dx, pardiff_dup, y, dy);
  double got = 0;
  for (int i = 0; i < G; i++)
    got += dweight[i] * cos(i);
  for (int i = 0; i < G * D * D; i++)
    got += dl[i] * cos(2 * i);
  for (int i = 0; i < P * D; i++)
    got += dx[i] * sin(3 * i);
  for (int i = 0; i < P; i++)
    got += dy[i] * i;
  int bad = !(fabs(got - want) <= 1e-6 * (1 + fabs(want)));
  if (bad)
    printf("%d points, %d groups, %d: %.12g, not %.12g\n", points, groups, d, got, want);
  return bad;
}

int main(void) {
  return check(P, G, D) + check(P, 1, D) + check(1, G, D) + check(P, G, 1) + check(P, G, 0) +
             check(P, 0, D) + check(0, G, D) + check(P, 3, 2) !=
         0;
}
#endif
