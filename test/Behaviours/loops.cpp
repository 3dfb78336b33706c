// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops: a data-dependent loop in a counted one, counters and values of the last
// iteration used behind the loop, steps that are negative or not one, counters of
// 32 bits and without sign, sizes that are read from memory.
//
// RUN: %clangxx -std=c++17 -w -O0 -Xclang -llvm-verify-each %s -o %t0 && %t0
// RUN: %clangxx -std=c++17 -w -O1 -Xclang -llvm-verify-each %s -o %t1 && %t1
// RUN: %clangxx -std=c++17 -w -O2 -g -Xclang -llvm-verify-each %s -o %t2 && %t2
// RUN: %clangxx -std=c++17 -w -O3 -Xclang -llvm-verify-each %s -o %t3 && %t3
#include "../Flow/Inputs/gradient.h"

// A loop with an unknown number of iterations in a counted one.
static double inner(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    double y = x[i] + 1;
    while (y < 40)
      y = y * y * 1.3 + x[0];
    s += y * 1e-3;
  }
  return s;
}

// What the last iteration leaves behind, and its number.
static double after(double *x, int n) {
  int i = 0;
  double last = 1, before = 1;
  for (; i < n && last < 20; ++i) {
    before = last;
    last = last * (x[i] + 2);
  }
  return last * before * i + x[i % n];
}

static double steps(double *x, int n) {
  double s = 1;
  for (int i = n - 1; i >= 0; i -= 2)
    s = s * x[i] + x[n - 1 - i];
  for (unsigned k = n; k-- > 0;)
    s += x[k] * x[(k + 3u) % n] * s * 0.1;
  for (unsigned char c = 250; c > 5; c += 3) // wraps around
    s += 0.01 * x[c % n] * x[c % n];
  for (long long j = 1; j < n; j *= 2)
    s *= x[j];
  for (short h = -3; h <= 3; ++h)
    s += h * x[h + 3] * x[3];
  return s;
}

// The bound is in memory, and changes.
static double bounds(double *x, int n) {
  int limit[2] = {n, 3};
  double s = 0;
  for (int i = 0; i < limit[0]; ++i) {
    s += x[i] * x[i];
    if (s > 2)
      limit[0] = limit[1] + 2;
  }
  return s * x[0];
}

// Both the body first and the condition last.
static double until(double *x, int n) {
  double y = x[0];
  int i = 0;
  do {
    y = y * x[i % n] + 0.5 * x[(i * 3) % n];
    ++i;
  } while (y > 0.9 && i < 50);
  return y * i;
}

// No iteration at all.
static double none(double *x, int n) {
  double s = x[1];
  for (int i = n; i < n; ++i)
    s *= x[i];
  while (s > 100)
    s /= 2;
  return s * s;
}

int main() {
  CHECK(inner);
  CHECK(after);
  CHECK(steps);
  CHECK(bounds);
  CHECK(until);
  CHECK(none);
  return failures;
}
