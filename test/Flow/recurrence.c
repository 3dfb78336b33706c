// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A recurrence of n steps keeps the values that its derivative needs, one or two
// in each step, and next to nothing else, also where the number of steps is not
// known before and where what is needed is computed from one value; a sum needs
// none. The test counts what malloc and realloc give, at the highest, and the
// report says the same. (It keeps nothing from call to call, to count it.)
//
// DEFINE: %{wrap} = -Wl,--wrap=malloc -Wl,--wrap=realloc -Wl,--wrap=calloc -Wl,--wrap=free -lm -mllvm -pardiff-keep-memory=0
// RUN: %clang -O0 %s -o %t0 %{wrap} && %t0
// RUN: %clang -O1 %s -o %t1 %{wrap} && %t1
// RUN: %clang -O2 %s -o %t2 %{wrap} && %t2
// RUN: %clang -O3 %s -o %t3 %{wrap} && %t3
// RUN: %clang -O2 -c -mllvm -pardiff-report=%t.json %s -o %t.o && %FileCheck %s < %t.json
// RUN: %clang -O0 -mllvm -pardiff-force-fallback %s -o %t4 %{wrap} && %t4
// RUN: %clang -O2 -mllvm -pardiff-force-fallback %s -o %t5 %{wrap} && %t5
#include <math.h>
#include <pardiff/pardiff.h>
#include <stdio.h>
#include <stdlib.h>
#include <malloc.h>

double __pardiff_autodiff(void *, ...);

static size_t live, highest;
void *__real_malloc(size_t), *__real_calloc(size_t, size_t);
void *__real_realloc(void *, size_t);
void __real_free(void *);
static void *count(void *p) {
  live += p ? malloc_usable_size(p) : 0;
  highest = live > highest ? live : highest;
  return p;
}
void *__wrap_malloc(size_t n) { return count(__real_malloc(n)); }
void *__wrap_calloc(size_t n, size_t m) { return count(__real_calloc(n, m)); }
void *__wrap_realloc(void *p, size_t n) {
  live -= p ? malloc_usable_size(p) : 0;
  return count(__real_realloc(p, n));
}
void __wrap_free(void *p) {
  live -= p ? malloc_usable_size(p) : 0;
  __real_free(p);
}

// Needs y.
static double one(double x, int n) {
  double y = x;
  for (int i = 0; i < n; ++i)
    y = y * y * 0.4 + 0.3 * x;
  return y;
}
// Needs y and z.
static double two(double x, int n) {
  double y = x, z = 0.5;
  for (int i = 0; i < n; ++i) {
    double next = y * z * 0.5 + 0.3 * x;
    z = z * z * 0.3 + y * 0.4;
    y = next;
  }
  return y + z;
}
// Needs nothing: linear.
// CHECK: "function": "none"
// CHECK: "recovered": true
// CHECK: "tapes": []
static double none(double x, int n) {
  double y = x;
  for (int i = 0; i < n; ++i)
    y = 0.5 * y + 0.3 * x;
  return y;
}

// Needs y; how many steps there are is data.
static double until(double x, int n) {
  double y = x, t = 0;
  while (t < n) {
    y = y * y * 0.4 + 0.3 * x;
    t += 1;
  }
  return y;
}
// The same in many short loops.
static double inner(double x, int n) {
  double y = x;
  for (int i = 0; i < n / 10; ++i) {
    double t = 0;
    while (t < 9.5) {
      y = y * y * 0.4 + 0.3 * x;
      t += 1;
    }
  }
  return y;
}
// Needs the factors of three products and a root, all of them made from y.
static double factors(double x, int n) {
  double y = x;
  for (int i = 0; i < n; ++i) {
    double a = 0.2 + y * 0.3, b = a * y - 0.1, c = b * a + y * y;
    y = 0.4 * c * b + 0.3 * x * a;
  }
  return y;
}
// Needs y, its sine, and the side that each step took, one byte.
static double sides(double x, int n) {
  double y = x;
  for (int i = 0; i < n; ++i) {
    if (y > 0.2 + 1e-5 * i)
      y = y * y * 0.4 + 0.3 * sin(y) * x;
    else
      y = y * 1.7 - y * y * x;
  }
  return y;
}

static int failures;
static void check(const char *name, double (*f)(double, int), double got,
                  double x, int n, double doubles) {
  double h = 1e-6, want = (f(x + h, n) - f(x - h, n)) / (2 * h);
  if (fabs(got - want) > 1e-6 * (1 + fabs(want)))
    printf("%s: got %g, want %g\n", name, got, want), failures = 1;
  if (highest > doubles * n * sizeof(double) * 1.1 + 4096)
    printf("%s: %zu bytes, %g doubles a step\n", name, highest,
           (double)highest / n / sizeof(double)),
        failures = 1;
  if (live)
    printf("%s: %zu bytes are left\n", name, live), failures = 1;
  highest = 0;
}
#define CHECK(f, doubles)                                                      \
  live = highest = 0;                                                          \
  check(#f, f, __pardiff_autodiff((void *)f, x, n), x, n, doubles)

int main(int argc, char **argv) {
  int n = argc * 10000;
  double x = 0.4;
  CHECK(one, 1);
  CHECK(two, 2);
  CHECK(none, 0);
  CHECK(until, 1);
  CHECK(inner, 1.11); // and one counter of 8 bytes for ten steps
  CHECK(factors, 1);
  CHECK(sides, 2.13);
  return failures;
}
