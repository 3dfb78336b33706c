// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a gradient allocates is used again by the next call, by other gradients that
// need as much, and by the tangents of gradients. What is kept is freed before
// anything new is allocated, so the peak is that of the calls alone; nothing is kept
// above the limit, and nothing at all with -pardiff-keep-memory=0. Derivatives of
// several threads, of sizes that come and go, are right.
//
// DEFINE: %{wrap} = -Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=free -pthread -lm
// RUN: %clang -O0 %s -o %t0 %{wrap} && %t0 256
// RUN: %clang -O1 %s -o %t1 %{wrap} && %t1 256
// RUN: %clang -O2 -Xclang -llvm-verify-each %s -o %t2 %{wrap} && %t2 256
// RUN: %clang -O3 %s -o %t3 %{wrap} && %t3 256
// RUN: %clang -O2 -mllvm -pardiff-force-fallback %s -o %t4 %{wrap} && %t4 256
// RUN: %clang -O2 -mllvm -pardiff-keep-memory=0 %s -o %t5 %{wrap} && %t5 0
// RUN: %clang -O2 -mllvm -pardiff-keep-memory=1 %s -o %t6 %{wrap} && %t6 1
// RUN: %clang -O2 -mllvm -pardiff-keep-memory=1 -mllvm -pardiff-force-fallback %s -o %t7 %{wrap} && %t7 1
// RUN: %clang -O2 -S -emit-llvm %s -o - | %FileCheck %s
// RUN: %clang -O2 -S -emit-llvm -mllvm -pardiff-keep-memory=0 %s -o - \
// RUN:   | %FileCheck %s --check-prefix=PLAIN
// RUN: %clang -O1 -S -emit-llvm -fsanitize=address %s -o - | %FileCheck %s --check-prefix=PLAIN
// RUN: %clang -O1 -S -emit-llvm -fsanitize=thread %s -o - | %FileCheck %s --check-prefix=PLAIN
//
// CHECK-DAG: define linkonce_odr hidden noalias {{.*}}ptr @pardiff.memory.take(
// CHECK-DAG: define linkonce_odr hidden {{.*}}void @pardiff.memory.give(
// PLAIN-NOT: @pardiff.memory
#include <malloc.h>
#include <math.h>
#include <pardiff/pardiff.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

void __pardiff_autodiff_void(void *, ...);
void __pardiff_fwddiff_void(void *, ...);

// Blocks of this size and more are counted.
enum { Large = 64 << 10 };
static atomic_long live, highest, made;
void *__real_malloc(size_t), *__real_calloc(size_t, size_t);
void __real_free(void *);
static void *count(void *p) {
  long size = p ? (long)malloc_usable_size(p) : 0;
  if (size >= Large) {
    made++;
    long now = (live += size), most = highest;
    while (now > most && !atomic_compare_exchange_weak(&highest, &most, now))
      ;
  }
  return p;
}
void *__wrap_malloc(size_t n) { return count(__real_malloc(n)); }
void *__wrap_calloc(size_t n, size_t m) { return count(__real_calloc(n, m)); }
void __wrap_free(void *p) {
  long size = p ? (long)malloc_usable_size(p) : 0;
  if (size >= Large)
    live -= size;
  __real_free(p);
}

// x[i]^(2^t): the tape has t n numbers.
__attribute__((noinline)) static void squares(int t, int n, double *restrict x) {
  for (int k = 0; k < t; k++)
    for (int i = 0; i < n; i++)
      x[i] = x[i] * x[i];
}

__attribute__((noinline)) static void gradient(int t, int n, double *x, double *dx) {
  __pardiff_autodiff_void((void *)squares, pardiff_const, t, pardiff_const, n, pardiff_dup, x, dx);
}

// The largest error of the gradient in 64 places; each call starts from 1 + i / n.
static double error(int t, int n, double *x, double *dx) {
  for (int i = 0; i < n; i++)
    x[i] = 1 + 0.01 * i / n, dx[i] = 1;
  gradient(t, n, x, dx);
  double worst = 0;
  for (int i = 0; i < n; i += n / 64) {
    double at = 1 + 0.01 * i / n, p = ldexp(1, t), want = p * pow(at, p - 1);
    worst = fmax(worst, fabs(dx[i] - want) / want);
  }
  return worst;
}

static atomic_int wrong;
static void check(int ok, const char *what) {
  if (!ok)
    printf("%s\n", what), wrong++;
}

static void *work(void *of) {
  long number = (long)of;
  enum { most = 40000 };
  double *x = malloc(2 * most * sizeof *x), *dx = x + most;
  for (int k = 0; k < 30; k++)
    if (!(error(3 + (k + number) % 3, 20000 + 2500 * ((3 * k + number) % 8), x, dx) < 1e-12))
      check(0, "a thread");
  free(x);
  return 0;
}

int main(int argc, char **argv) {
  long limit = atol(argv[1]) << 20;
  int all = limit > 10 << 20;
  enum { n = 100000, t = 4 };
  double *x = malloc(4 * n * sizeof *x), *dx = x + n, *tx = dx + n, *tdx = tx + n;
  check(argc == 2 && error(t, n, x, dx) < 1e-12, "first call");

  // The same size again.
  long own = (long)malloc_usable_size(x);
  long before = made;
  for (int k = 0; k < 3; k++)
    check(error(t, n, x, dx) < 1e-12, "same size");
  check(all ? made == before : limit || made > before, "allocations, same size");

  check(live <= own + limit, "the limit");

  // Other sizes: one after the other, never two at once.
  for (int k = 0; k < 4; k++) {
    check(error(t, n / 2, x, dx) < 1e-12, "half the size");
    check(error(t, n, x, dx) < 1e-12, "whole size");
  }
  check(live <= own + limit && (limit || live == own), "what is kept");
  double peak = 4. * n * sizeof *x + 1.2 * t * n * sizeof *x;
  check(highest <= peak, "peak");

  // Tangents of gradients: d/dx of 2^t x^(2^t - 1) along 1.
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < n; i++)
      x[i] = 1 + 0.01 * i / n, dx[i] = tx[i] = 1, tdx[i] = 0;
    before = made;
    __pardiff_fwddiff_void((void *)gradient, pardiff_const, t, pardiff_const, n, pardiff_dup, x, tx,
                      pardiff_dup, dx, tdx);
    for (int i = 0; i < n; i += 997) {
      double p = ldexp(1, t), want = p * (p - 1) * pow(1 + 0.01 * i / n, p - 2);
      check(fabs(tdx[i] - want) < 1e-12 * want, "second derivative");
    }
  }
  check(all ? made == before : limit || made > before, "allocations, tangents");

  pthread_t threads[4];
  for (long k = 0; k < 4; k++)
    pthread_create(&threads[k], 0, work, (void *)k);
  for (int k = 0; k < 4; k++)
    pthread_join(threads[k], 0);
  free(x);
  return wrong != 0;
}
