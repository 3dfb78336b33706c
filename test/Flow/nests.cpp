// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Affine nests inside control flow that is none: the nest engine differentiates
// them, the flow engine what is around them. Memory that a nest reads may be
// overwritten before the reverse sweep; its scalars come and go by value; the
// nest's condition may be false (overlapping arrays).
//
// RUN: %clangxx -std=c++17 -O0 -Xclang -llvm-verify-each -fsanitize=address %s -o %t0 && %t0
// RUN: %clangxx -std=c++17 -O1 -Xclang -llvm-verify-each %s -o %t1 && %t1
// RUN: %clangxx -std=c++17 -O2 -g -Xclang -llvm-verify-each %s -o %t2 -mllvm -pardiff-report=%t.json && %t2
// RUN: %clangxx -std=c++17 -O3 -fopenmp -Xclang -llvm-verify-each %s -o %t3 && env OMP_NUM_THREADS=3 %t3
// RUN: %clangxx -std=c++17 -O2 -mllvm -pardiff-force-fallback %s -o %t4 && %t4
// RUN: %python %S/Inputs/count-nests.py %t.json relax=2 recurse=0 inner=2 swapped=2 rows=1 overlap=1 restricted=2 small=0 tables=1
#include "Inputs/gradient.h"

// A stencil until nothing changes any more, and a sum.
static double relax(double *x, int n) {
  double y[16], change = 1;
  for (int k = 0; k < 50 && change > 1e-4; ++k) {
    change = 0;
    for (int i = 1; i < n - 1; ++i)
      y[i] = 0.3 * (x[i - 1] + x[i + 1]) + 0.2 * std::sin(x[i]);
    for (int i = 1; i < n - 1; ++i) {
      double d = y[i] - x[i];
      change += d * d;
      x[i] = y[i];
    }
  }
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i] * (i + 1);
  return s;
}

// In a recursive function: between the sweeps of one call others overwrite x.
static double inner(double *x, double *y, int n, int depth, double s) {
  if (depth == 0)
    return s;
  double t = 0;
  for (int i = 0; i < n; ++i) {
    y[i] = x[i] * y[i] + s * std::sin(y[i]);
    t += y[i] * y[i];
  }
  double r = inner(y, x, n, depth - 1, t * 0.1);
  for (int i = 0; i < n; ++i)
    r += 0.3 * x[i] * y[i];
  return r;
}
static double recurse(double *x, int n) { return inner(x, x + n / 2, n / 2, 4, 0.7); }

// Buffers that are swapped, and a global variable that is read and written.
static double Scale[8];
static double swapped(double *x, int n) {
  double other[16], *p = x, *q = other, r = 1;
  for (int i = 0; i < 8; ++i)
    Scale[i] = x[i % n] + i;
  for (int k = 0; k < n && r < 1e6; ++k) {
    for (int i = 0; i < n; ++i)
      q[i] = std::sin(p[i]) * Scale[i] + 0.1 * p[i] * p[i];
    for (int i = 0; i < 8; ++i)
      Scale[i] = 0.5 * Scale[i] + 0.01 * q[k] * q[0];
    double *s = p;
    p = q;
    q = s;
    r += 0.1 * p[k];
  }
  for (int i = 0; i < n; ++i)
    r += p[i] * p[i] * (i + 1) + Scale[i];
  return r;
}

// Rows of one array, and an end that depends on data.
static double rows(double *x, int n) {
  double r = 0;
  for (int k = 0; k < 9; ++k) {
    double *row = x + (k % 3) * (n / 3), s = 0;
    for (int i = 0; i < n / 3; ++i)
      s += row[i] * x[i];
    for (int i = 0; i < n / 3; ++i)
      row[i] -= 0.1 * s * row[i] * row[i];
    if (s > 30)
      break;
    r += s * s;
  }
  return r;
}

// The arrays overlap: the flow engine takes over.
__attribute__((noinline)) static double shift(double *a, double *b, int n) {
  double t = 0;
  int k = 0;
  do {
    for (int i = 0; i < n - 1; ++i)
      a[i] = std::sin(a[i]) + 0.5 * b[i] * b[i];
    t += a[0] * a[k % n];
  } while (++k < 3 && t < 100);
  return t;
}
static double overlap(double *x, int n) { return shift(x, x + 1, n - 1); }

// What is only read lasts; what is overwritten behind the nest does not.
static double restricted(double *x, int n) {
  double c[16], y[16], r = 0;
  for (int i = 0; i < n; ++i)
    c[i] = x[i] * x[i];
  int k = 0;
  while (r < 20 && k++ < 5) {
    for (int i = 0; i < n; ++i)
      y[i] = x[i] * c[i] * (r + 1);
    r += y[k % n] * y[0];
    x[k % n] = 0.5 * r;
  }
  return r;
}

// Vectors in a frame need their alignment.
static double aligned(double *x, int n) {
  alignas(64) double v[8];
  if (n <= 1)
    return x[0];
  for (int i = 0; i < 8; ++i)
    v[i] = x[i % n] * x[0];
  double r = aligned(x, n - 1) + v[n % 8] * v[0];
  for (int i = 0; i < 8; ++i)
    r += 0.1 * v[i] * v[i];
  return r;
}

// Not worth a pair: three iterations.
static double small(double *x, int n) {
  double r = 0;
  for (int k = 0; k < n && r < 100; ++k)
    for (int i = 0; i < 3; ++i)
      r += x[(k + i) % n] * x[i];
  return r;
}

// Structures that are copied as a whole between nests: the nests' accesses tell
// what they hold.
struct Table {
  double v[6];
  int used;
};
static double tables(double *x, int n) {
  Table a, b;
  double r = 0;
  a.used = n - 1;
  for (int k = 0; k < n && r < 10; ++k) {
    for (int i = 0; i < a.used; ++i)
      a.v[i] = x[i] * x[k] + r;
    b = a;
    r += b.v[k % 6] * 0.3;
  }
  return r;
}

int main() {
  CHECK(relax);
  CHECK(recurse);
  CHECK(swapped);
  CHECK(rows);
  CHECK(overlap);
  CHECK(restricted);
  CHECK(aligned);
  CHECK(small);
  CHECK(tables);
  return failures;
}
