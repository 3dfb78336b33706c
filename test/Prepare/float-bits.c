/* What is done to the bits of a floating-point value as an integer is refused by both
 * engines where it is not a copy or a change of sign: never a gradient that lacks it.
 * Integers that are no such bits stay what they are.
 *
 * RUN: %not %clang -O0 -DUNION -c %s -o %t.o 2>&1 | %FileCheck %s
 * RUN: %not %clang -O2 -DUNION -c %s -o %t.o 2>&1 | %FileCheck %s
 * RUN: %not %clang -O0 -DMANTISSA -c %s -o %t.o 2>&1 | %FileCheck %s
 * RUN: %not %clang -O2 -DMANTISSA -c %s -o %t.o 2>&1 | %FileCheck %s
 * RUN: %not %clang -O0 -DBYTES -c %s -o %t.o 2>&1 | %FileCheck %s
 * RUN: %not %clang -O2 -DBYTES -c %s -o %t.o 2>&1 | %FileCheck %s
 * RUN: %not %clang -O0 -DCAST -c %s -o %t.o 2>&1 | %FileCheck %s
 * RUN: %not %clang -O2 -fno-strict-aliasing -DCAST -c %s -o %t.o 2>&1 | %FileCheck %s
 * RUN: %clang -O0 -DSIGNS %s -o %t && %t
 * RUN: %clang -O1 -DSIGNS %s -o %t && %t
 * RUN: %clang -O2 -DSIGNS %s -o %t && %t
 * RUN: %clang -O3 -DSIGNS %s -o %t && %t
 * RUN: %clang -O2 -mllvm -pardiff-force-fallback -DSIGNS %s -o %t && %t
 * RUN: %clang -O0 -DKEPT %s -o %t && %t
 * RUN: %clang -O1 -DKEPT %s -o %t && %t
 * RUN: %clang -O2 -DKEPT %s -o %t && %t
 * RUN: %clang -O3 -DKEPT %s -o %t && %t
 * RUN: %clang -O0 -DINTEGERS %s -o %t && %t
 * RUN: %clang -O1 -DINTEGERS %s -o %t && %t
 * RUN: %clang -O2 -DINTEGERS %s -o %t && %t
 * RUN: %clang -O3 -DINTEGERS %s -o %t && %t
 * RUN: %clang -O2 -mllvm -pardiff-force-fallback -DINTEGERS %s -o %t && %t
 * RUN: %not %clang -O0 -DBULK -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=BULK
 * RUN: %not %clang -O2 -DBULK -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=BULK
 * BULK: error: pardiff: it is not known what the memory that is copied or set holds
 * CHECK: error: pardiff: the bits of a floating-point value are used as an integer
 */
#include <pardiff/pardiff.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef union {
  double d;
  int64_t i;
} Bits;
typedef struct {
  double value;
  int next, count;
} Node;

#if defined(UNION)
static void f(int n, Bits *a, Bits *b) {
  for (int i = 0; i < n; i++)
    b[i].i = a[i].i;
}
#elif defined(MANTISSA)
static void f(int n, double *a, double *b) {
  for (int i = 0; i < n; i++) {
    int64_t bits;
    memcpy(&bits, &a[i], 8);
    bits = (bits & 0xfffffffffffff) | 0x3ff0000000000000;
    memcpy(&b[i], &bits, 8);
  }
}
#elif defined(BYTES)
static void f(int n, double *a, double *b) {
  for (int i = 0; i < 8 * n; i++)
    ((char *)b)[i] = ((char *)a)[i];
  b[0] *= 2;
}
#elif defined(KEPT)
static void f(int n, double *a, double *b) {
  int64_t kept[8];
  for (int i = 0; i < n; i++)
    memcpy(&kept[i], &a[i], 8);
  for (int i = 0; i < n; i++)
    memcpy(&b[i], &kept[n - 1 - i], 8);
}
#elif defined(BULK)
static void f(int n, double *a, double *b) {
  int64_t kept[64];
  memcpy(kept, a, 8 * (size_t)n);
  int64_t largest = 0;
  for (int i = 0; i < n; i++)
    largest = kept[i] > largest ? kept[i] : largest;
  for (int i = 0; i < n; i++)
    b[i] = (double)largest;
}
#elif defined(CAST)
static void f(int n, double *a, double *b) {
  for (int i = 0; i < n; i++)
    ((int64_t *)b)[i] = ((int64_t *)a)[i];
}
#elif defined(SIGNS)
static void f(int n, double *a, double *b) {
  for (int i = 0; i < n; i++) {
    int64_t bits;
    memcpy(&bits, &a[i], 8);
    bits = i & 1 ? bits ^ INT64_MIN : bits & INT64_MAX;
    memcpy(&b[i], &bits, 8);
  }
}
#else
/* A list and a histogram in structures that have shadows. */
static void f(int n, Node *a, double *b) {
  int counts[4] = {0, 0, 0, 0};
  for (int i = 0; i < n; i++)
    counts[a[i].next]++;
  for (int i = 0, k = 0; i < n; i++, k = a[k].next) {
    a[k].count = counts[k];
    b[i] = a[k].value * a[k].count;
  }
}
#endif

#if defined(SIGNS) || defined(INTEGERS) || defined(KEPT)
int main(void) {
  volatile int four = 4;
  double b[4] = {0}, db[4] = {1, 2, 3, 4};
  int failures = 0;
#ifdef SIGNS
  double a[4] = {1, -2, -3, 4}, da[4] = {0}, want[4] = {1, -2, -3, -4};
#elif defined(KEPT)
  double a[4] = {1, 2, 3, 4}, da[4] = {0}, want[4] = {4, 3, 2, 1};
#else
  Node a[4] = {{1, 2, 0}, {2, 3, 0}, {3, 1, 0}, {4, 0, 0}}, da[4] = {0};
  double want[4] = {1, 3, 2, 4};
#endif
  __pardiff_autodiff((void *)f, pardiff_const, (int)four, pardiff_dup, a, da, pardiff_dup,
                     b, db);
  for (int i = 0; i < 4; i++) {
#ifndef INTEGERS
    double got = da[i];
#else
    double got = da[i].value;
    failures += a[i].count != 1;
#endif
    if (got != want[i] || db[i] != 0)
      ++failures, printf("%d: %g, expected %g\n", i, got, want[i]);
  }
  return failures != 0;
}
#else
void derivative(int n, void *a, void *da, void *b, void *db) {
  __pardiff_autodiff((void *)f, pardiff_const, n, pardiff_dup, a, da, pardiff_dup, b, db);
}
#endif
