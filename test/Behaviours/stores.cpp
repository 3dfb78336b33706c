// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that is written: zeros and constants end an adjoint, indices are data, an
// array is sorted by comparisons, a later call overwrites what an earlier one was
// passed.
//
// RUN: %clangxx -std=c++17 -w -O0 -Xclang -llvm-verify-each %s -o %t0 && %t0
// RUN: %clangxx -std=c++17 -w -O1 -Xclang -llvm-verify-each %s -o %t1 && %t1
// RUN: %clangxx -std=c++17 -w -O2 -g -Xclang -llvm-verify-each %s -o %t2 && %t2
// RUN: %clangxx -std=c++17 -w -O3 -Xclang -llvm-verify-each %s -o %t3 && %t3
#include "../Flow/Inputs/gradient.h"

static double zeros(double *x, int n) {
  double t[8];
  for (int i = 0; i < n; ++i)
    t[i] = x[i] * x[i];
  t[2] = 0;
  t[4] = 3;
  x[1] = 0;
  double s = x[1] + x[2];
  for (int i = 0; i < n; ++i)
    s += t[i] * (i + 1) * x[i];
  return s;
}

// The same element, again and again.
static double repeated(double *x, int n) {
  double t[2] = {1, 1};
  for (int i = 0; i < n; ++i) {
    t[i & 1] = t[(i + 1) & 1] * x[i];
    t[0] *= 1.5;
  }
  return t[0] * t[1];
}

static double scatter(double *x, int n) {
  int to[8];
  double bins[5] = {0};
  for (int i = 0; i < n; ++i)
    to[i] = (i * 5 + 2) % 5;
  for (int i = 0; i < n; ++i)
    bins[to[i]] += x[i] * x[(i * 3) % n];
  for (int i = 0; i < n; ++i)
    x[to[i]] = bins[to[i]] * x[i];
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * (i + 1);
  return s;
}

// The index is where the value is.
static double search(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    int low = 0, high = n;
    while (low < high) {
      int middle = (low + high) / 2;
      if (x[middle] < 0.713 + 0.05 * i)
        low = middle + 1;
      else
        high = middle;
    }
    s += x[low % n] * x[i];
  }
  return s;
}

static double insertion(double *x, int n) {
  double t[8];
  for (int i = 0; i < n; ++i)
    t[i] = std::sin(7 * x[i] + i);
  for (int i = 1; i < n; ++i) {
    double v = t[i];
    int j = i - 1;
    for (; j >= 0 && t[j] > v; --j)
      t[j + 1] = t[j];
    t[j + 1] = v;
  }
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += t[i] * t[i] * (i + 1);
  return s;
}

__attribute__((noinline)) static double square(double *p) { return *p * *p; }
__attribute__((noinline)) static void clobber(double *p, double v) {
  *p = 0.1 * *p * v + 1;
}
static double later(double *x, int n) {
  double s = 0;
  for (int i = 0; i + 1 < n; ++i) {
    double y = square(&x[i]);
    clobber(&x[i], x[i + 1]);
    s += 0.1 * y * square(&x[i]);
    clobber(&x[i + 1], s);
  }
  return s;
}

int main() {
  CHECK(zeros);
  CHECK(repeated);
  CHECK(scatter);
  CHECK(search);
  CHECK(insertion);
  CHECK(later);
  return failures;
}
