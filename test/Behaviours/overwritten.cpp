// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that are read, overwritten and read again, and updates in place: what the same
// address holds is another value in another iteration, and in another loop.
//
// RUN: %clangxx -std=c++17 -w -O0 -Xclang -llvm-verify-each %s -o %t0 && %t0
// RUN: %clangxx -std=c++17 -w -O1 -Xclang -llvm-verify-each %s -o %t1 && %t1
// RUN: %clangxx -std=c++17 -w -O2 -g -Xclang -llvm-verify-each %s -o %t2 && %t2
// RUN: %clangxx -std=c++17 -w -O3 -Xclang -llvm-verify-each %s -o %t3 && %t3
// RUN: %clangxx -std=c++17 -w -O2 -mllvm -pardiff-force-fallback %s -o %t4 && %t4
#include "../Flow/Inputs/gradient.h"

// The next iteration overwrites what this one reads.
static double ahead(double *x, int n) {
  for (int i = 0; i + 1 < n; ++i)
    x[i] += x[i + 1] * x[i + 1];
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i];
  return s;
}

// What is read is final within one time step, and overwritten in the next.
static double behind(double *x, int n) {
  for (int t = 0; t < 3; ++t)
    for (int i = 0; i + 1 < n; ++i)
      x[i + 1] += 0.1 * x[i] * x[i];
  return x[n - 1];
}

// Two loops read at equal addresses, and memory changes in between.
static double between(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i];
  for (int i = 0; i < n; ++i)
    x[i] = s * x[n - 1 - i];
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i];
  return s;
}

// Updates in place: sums keep nothing, products do.
static double inPlace(double *x, int n) {
  for (int i = 0; i < n; ++i)
    x[i] += 0.25 * (i + 1);
  for (int i = 1; i < n; ++i)
    x[i] *= x[i - 1];
  for (int i = 0; i < n; ++i)
    x[i] *= x[i];
  for (int i = n - 2; i >= 0; --i)
    x[i] -= 0.5 * x[i + 1];
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * (i + 1);
  return s;
}

// A stencil in place, several times.
static double relaxation(double *x, int n) {
  for (int t = 0; t < 3; ++t)
    for (int i = 1; i + 1 < n; ++i)
      x[i] = x[i - 1] * x[i + 1] + 0.3 * x[i];
  double s = 1;
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i];
  return s;
}

// One variable holds one value after the other.
static double reused(double *x, int n) {
  double t = 1, s = 0;
  for (int i = 0; i < n; ++i) {
    double old = t;
    t = x[i] * old + 1;
    s += t * old;
    t = t > 2 ? 2 / t : t;
  }
  return s * t;
}

// Halves are exchanged, then both are read.
static double exchanged(double *x, int n) {
  for (int i = 0; i < n / 2; ++i) {
    double t = x[i];
    x[i] = x[n - 1 - i] * t;
    x[n - 1 - i] = t;
  }
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i] * (i + 1);
  return s;
}

int main() {
  CHECK(ahead);
  CHECK(behind);
  CHECK(between);
  CHECK(inPlace);
  CHECK(relaxation);
  CHECK(reused);
  CHECK(exchanged);
  return failures;
}
