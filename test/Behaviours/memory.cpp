// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory: copies of numbers, halves, structures with integers and pointers, copies
// of unknown type, fills, allocations of every kind, fields of unions, numbers seen
// as others.
//
// RUN: %clangxx -std=c++17 -w -O0 -Xclang -llvm-verify-each %s -o %t0 && %t0
// RUN: %clangxx -std=c++17 -w -O1 -Xclang -llvm-verify-each %s -o %t1 && %t1
// RUN: %clangxx -std=c++17 -w -O2 -g -Xclang -llvm-verify-each %s -o %t2 && %t2
// RUN: %clangxx -std=c++17 -w -O3 -Xclang -llvm-verify-each %s -o %t3 && %t3
#include "../Flow/Inputs/gradient.h"

#include <cstdint>
#include <cstdlib>
#include <new>
#include <alloca.h>

struct Item {
  int key;
  double value;
  const double *from;
  float weight[2];
};
static double copies(double *x, int n) {
  Item items[8], moved[8];
  double s = 0, t[8];
  for (int i = 0; i < n; ++i)
    items[i] = {i, x[i] * x[i], x + (i + 1) % n, {0.5f, 2}};
  memcpy(moved, items, sizeof items);
  Item one;
  one = moved[2];
  moved[2] = moved[3];
  moved[3] = one;
  memmove(moved + 1, moved, 5 * sizeof *moved);
  memcpy(t, x, n * sizeof *x);
  memcpy(x + 1, t, 3 * sizeof *x);
  for (int i = 0; i < n; ++i)
    s += moved[i].value * *moved[i].from * moved[i].weight[1] * t[i] + x[i];
  return s;
}

static double halves(double *x, int n) {
  _Float16 h[8], g[8];
  for (int i = 0; i < n; ++i)
    h[i] = (_Float16)(i % 2);
  memcpy(g, h, sizeof h);
  float f[8], e[8];
  for (int i = 0; i < n; ++i)
    f[i] = (float)i;
  memcpy(e, f, sizeof f);
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i] * (double)g[i] + x[i] * e[i];
  return s;
}

// What is copied is known from its use.
static void copy(void *to, const void *from, size_t bytes) {
  char *t = (char *)to;
  memcpy(t, from, bytes);
}
static double untyped(double *x, int n) {
  double *t = (double *)malloc(n * sizeof *t), s = 0;
  copy(t, x, n * sizeof *t);
  copy(x, t + 1, 2 * sizeof *t);
  for (int i = 0; i < n; ++i)
    s += t[i] * x[i];
  free(t);
  return s;
}

static double fills(double *x, int n) {
  double t[16];
  int counts[4];
  struct { int k; double v[3]; } m;
  memset(t, 0, sizeof t);
  memset(counts, 0, sizeof counts);
  memset(&m, 0, sizeof m);
  m.v[1] = x[0];
  for (int i = 0; i < n; ++i) {
    t[2 * i] = x[i] * m.v[1];
    counts[i % 4] = i;
  }
  memset(t + 4, 0, 2 * sizeof *t);
  memset(x + 3, 0, sizeof *x);
  double s = m.v[0] + m.k;
  for (int i = 0; i < n; ++i)
    s += t[2 * i] * counts[i % 4] + x[i] * t[2 * i + 1] + x[i] * x[i];
  return s;
}

struct alignas(64) Wide {
  double v[8];
};
static double *leaked;
static double allocations(double *x, int n) {
  double s = 0;
  double *a = (double *)malloc(n * sizeof(double));
  double *b = (double *)calloc(n, sizeof(double));
  Wide *w = new Wide[2];
  double *d = new double[n]{};
  double *v = (double *)alloca(n * sizeof(double));
  double *e = (double *)aligned_alloc(32, 64);
  for (int i = 0; i < n; ++i) {
    a[i] = x[i] * x[i];
    b[i] += a[i] * x[0];
    w[i & 1].v[i] = b[i];
    d[i] += w[i & 1].v[i] * x[i];
    v[i] = d[i] * x[n - 1 - i];
    e[i % 8] = v[i] + x[i];
    double *t = (double *)malloc(sizeof *t * (i + 1));
    for (int k = 0; k <= i; ++k)
      t[k] = e[i % 8] * x[k];
    s += t[i] * t[0];
    free(t);
  }
  free(a);
  free(b);
  delete[] w;
  delete[] d;
  free(e);
  return s;
}

static double *make(const double *x, int n) {
  double *p = (double *)malloc(n * sizeof *p);
  for (int i = 0; i < n; ++i)
    p[i] = x[i] * x[0];
  return p;
}
static double returned(double *x, int n) {
  double *p = make(x, n), *q = make(p, n), s = 0;
  for (int i = 0; i < n; ++i)
    s += p[i] * q[i];
  free(p);
  p = (double *)realloc(q, 4 * n * sizeof *q);
  for (int i = 0; i < n; ++i)
    p[3 * n + i] = p[i] * x[i];
  p = (double *)realloc(p, 4 * n * sizeof *p);
  for (int i = 0; i < n; ++i)
    s += p[3 * n + i] * s;
  free(p);
  return s;
}

union Number {
  double d;
  uint64_t bits;
  struct {
    float a, b;
  } f;
};
static double unions(double *x, int n) {
  union { double v[4]; struct { double a, b, c, d; } s; } u;
  double s = 0;
  for (int i = 0; i + 3 < n; ++i) {
    for (int k = 0; k < 4; ++k)
      u.v[k] = x[i + k];
    s += u.s.a * u.s.d + u.s.b * u.s.c;
  }
  return s;
}

// Addresses as integers, which are never turned back.
static double addresses(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += ((uintptr_t)(x + i) & 7) == 0 ? x[i] * x[i] : 0;
  intptr_t distance = (intptr_t)(x + 5) - (intptr_t)(x + 2);
  return s * x[distance / sizeof *x] + (x + 3 > x ? x[1] : 0);
}

int main() {
  CHECK(copies);
  CHECK(halves);
  CHECK(untyped);
  CHECK(fills);
  CHECK(allocations);
  CHECK(returned);
  CHECK(unions);
  CHECK(addresses);
  return failures;
}
