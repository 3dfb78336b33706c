// Sums into elements that an array tells are nests where nothing else happens to these
// elements; the adjoint reads the shadow, in parallel and without atomic additions. Where
// more happens it is no nest, and where arrays overlap the condition finds that. The numbers
// are right in each case, and the primal's sums are the same bits.
// RUN: %clang -O0 -gline-tables-only -fopenmp -Rpass=pardiff -Rpass-missed=pardiff %s -lm -o %t0 2>&1 | %FileCheck %s --implicit-check-not=': atomic'
// RUN: %t0
// RUN: %clang -O1 %s -lm -o %t1 && %t1
// RUN: %clang -O2 %s -lm -o %t2 && %t2
// RUN: %clang -O3 -fopenmp %s -lm -o %t3 && env OMP_NUM_THREADS=2 %t3

#include "check.h"

#define N 12
static const int Start[N] = {3, 1, 3, 0, 9, 8, 7, 2, 2, 5, 3, 11};

// CHECK-DAG: remark: affine loop nest of add recovered
// CHECK-DAG: :[[@LINE+2]]:{{.*}}remark: forward loop at depth 0 of S0: serial
// CHECK-DAG: :[[@LINE+1]]:{{.*}}remark: adjoint loop at depth 0 of S0_r0: parallel
static void add(int n, int *at, double *w, double *h) {
  for (int i = 0; i < n; i++)
    h[at[i]] += w[i] * w[i];
}

// Two sums into one array: in order, one after the other in each iteration.
// CHECK-DAG: remark: affine loop nest of both recovered
static void both(int n, int *at, double *w, double *h) {
  for (int i = 0; i < n; i++) {
    h[at[i]] += w[i] * w[i];
    h[at[n - 1 - i]] -= 3 * w[i];
  }
}

static void looks(int n, int *at, double *w, double *h) {
  for (int i = 0; i < n; i++)
    // CHECK-DAG: :[[@LINE+1]]:{{.*}}no affine loop nest recovered in looks: a subscript is read from memory{{.*}} is summed into and accessed otherwise
    h[at[i]] += w[i] * h[n + i];
}

static void sets(int n, int *at, double *w, double *h) {
  for (int i = 0; i < n; i++) {
    h[i] = 0.25 * h[i];
    // CHECK-DAG: :[[@LINE+1]]:{{.*}}no affine loop nest recovered in sets: a subscript is read from memory{{.*}} is summed into and accessed otherwise
    h[at[i]] += w[i] * w[i];
  }
}

static void gathers(int n, int *at, double *w, double *h) {
  for (int i = 0; i < n; i++)
    // CHECK-DAG: :[[@LINE+1]]:{{.*}}no affine loop nest recovered in gathers: a subscript is read from memory
    h[at[i]] += w[i] * h[at[n - 1 - i]];
}

static void scales(int n, int *at, double *w, double *h) {
  for (int i = 0; i < n; i++)
    // CHECK-DAG: :[[@LINE+1]]:{{.*}}no affine loop nest recovered in scales: a subscript is read from memory
    h[at[i]] *= w[i];
}

// Where both elements are one, the second store undoes the first one.
static void late(int n, int *at, double *w, double *h) {
  for (int i = 0; i < n; i++) {
    // CHECK-DAG: :{{.*}}no affine loop nest recovered in late: a subscript is read from memory
    double *p = &h[at[i]], *q = &h[at[n - 1 - i]];
    double x = *p, y = *q;
    *p = x + w[i];
    *q = y + w[i] * w[i];
  }
}

static void moves(int n, int *at, double *w, double *h) {
  for (int i = 0; i < n; i++) {
    // CHECK-DAG: :[[@LINE+1]]:{{.*}}no affine loop nest recovered in moves: a subscript is read from memory{{.*}} is written and used in subscripts
    h[at[i]] += w[i] * w[i];
    at[n - 1 - i] = at[i];
  }
}

// No nest as a whole, and at might change before the reverse sweep.
// CHECK-DAG: no affine loop nest recovered in parts: {{.*}} is summed into and accessed otherwise
// CHECK-DAG: no affine loop nest recovered in parts: {{.*}} may change before the reverse sweep
static void parts(int n, int *at, double *w, double *h) {
  for (int i = 0; i < n; i++)
    h[i] = 0;
  for (int i = 0; i < n; i++)
    h[at[i]] += w[i] * w[i];
  for (int i = 0; i < n; i++)
    w[i] = sin(h[i]) * w[i];
}

// A nest in a loop that is none: the first sweep keeps what the second one reads.
// CHECK-DAG: :[[@LINE+3]]:{{.*}}remark: affine loop nest of again recovered
static void again(int n, int *at, double *w, double *h) {
  for (int t = 0; t < 3 && w[t] < 100; t++) {
    for (int i = 0; i < n; i++)
      h[Start[i]] += 0.1 * w[i] * w[i];
    for (int i = 0; i < n; i++)
      w[i] = 0.2 * sin(h[i]) * w[i];
  }
}

// Large and small ones: the order shows in the last bits.
// CHECK-DAG: remark: affine loop nest of rounds recovered
static void rounds(int n, int *at, double *w, double *h) {
  for (int t = 0; t < 4; t++)
    for (int i = 0; i < n; i++)
      h[at[i]] += w[i] * (i % 2 ? 1 : 1e15);
}

static int at[N];
static double memory[64], shadows[64], start[64], seeds[64];

static void reset(void) {
  for (int i = 0; i < N; i++)
    at[i] = Start[i];
  for (int i = 0; i < 64; i++) {
    memory[i] = start[i] = 1.5 + sin(i);
    shadows[i] = seeds[i] = 1 + cos(3 * i);
  }
}

/// Leaves in seeds what the shadows must become, by differences, and in start what the
/// memory must. w is memory[w...], h is memory[h...].
static void differences(void (*f)(int, int *, double *, double *), int w, int h) {
  double want[64], step = 1e-4, last[64];
  reset();
  f(N, at, memory + w, memory + h);
  memcpy(last, memory, sizeof last);
  for (int k = 0; k < 64; k++) {
    double loss[2];
    for (int s = 0; s < 2; s++) {
      reset();
      memory[k] += s ? step : -step;
      f(N, at, memory + w, memory + h);
      loss[s] = 0;
      for (int i = 0; i < 64; i++)
        loss[s] += seeds[i] * (memory[i] - last[i]);
    }
    want[k] = (loss[1] - loss[0]) / (2 * step);
  }
  reset();
  memcpy(start, last, sizeof last);
  memcpy(seeds, want, sizeof want);
}

static void finish(const char *what) {
  check_close(what, shadows, seeds, 64, 1e-6);
  check_true("the primal's results", !memcmp(memory, start, sizeof memory));
}

#define TEST(F, W, H)                                                                        \
  differences(F, W, H);                            \
  __pardiff_autodiff((void *)F, pardiff_const, check_size(N), pardiff_const, at, pardiff_dup, \
                     memory + check_size(W), shadows + check_size(W), pardiff_dup,           \
                     memory + check_size(H), shadows + check_size(H));                       \
  finish(#F)

int main(void) {
  TEST(add, 0, 20);
  // w is where h is: the flow engine's.
  TEST(add, 0, 0);
  TEST(add, 20, 14);
  TEST(both, 0, 20);
  TEST(both, 3, 0);
  TEST(looks, 0, 20);
  TEST(sets, 0, 20);
  TEST(gathers, 0, 20);
  TEST(scales, 0, 20);
  TEST(late, 0, 20);
  TEST(moves, 0, 20);
  TEST(parts, 0, 20);
  TEST(again, 0, 20);
  TEST(again, 4, 0);
  reset();
  double before[64];
  rounds(check_size(N), at, memory, memory + 20);
  memcpy(before, memory, sizeof before);
  reset();
  __pardiff_autodiff((void *)rounds, pardiff_const, check_size(N), pardiff_const, at,
                     pardiff_dup, memory, shadows, pardiff_dup, memory + 20, shadows + 20);
  check_true("the order of sums", !memcmp(memory, before, sizeof before));
  return check_done();
}
