// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Control flow: jumps into loops, ends that are not reached, switches, pointers and
// values that are chosen, variables that are not set on every path, hints to the
// compiler.
//
// RUN: %clangxx -std=c++17 -w -O0 -Xclang -llvm-verify-each %s -o %t0 && %t0
// RUN: %clangxx -std=c++17 -w -O1 -Xclang -llvm-verify-each %s -o %t1 && %t1
// RUN: %clangxx -std=c++17 -w -O2 -g -Xclang -llvm-verify-each %s -o %t2 && %t2
// RUN: %clangxx -std=c++17 -w -O3 -Xclang -llvm-verify-each %s -o %t3 && %t3
#include "../Flow/Inputs/gradient.h"

#include <cassert>
#include <cstdlib>

// A loop with two entries.
static double irreducible(double *x, int n) {
  double s = x[0];
  int i = 0;
  if (x[1] > 0.5)
    goto middle;
start:
  s = s * x[i % n] + 0.3;
middle:
  s += x[(i + 2) % n] * s;
  if (++i < 9)
    goto start;
  return s;
}

// Two of them, one in the other; the outer one in a counted loop.
static double irreducible_two(double *x, int n) {
  double s = x[0];
  for (int k = 0; k < 3; ++k) {
    int i = 0, j = 0;
    if (k & 1)
      goto second;
  first:
    s = std::sin(s * x[i % n]) + x[j % n];
    if (j > 20)
      break;
  second:
    s *= 0.5 * x[(i + 1) % n];
    if (++j < 4 * (k + 1))
      goto first;
    if (++i < 3 && j < 18)
      goto second;
  }
  return s;
}

static void fail(const char *why) {
  fputs(why, stderr);
  abort();
}
static double ends(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    assert(x[i] > 0);
    if (x[i] < 0)
      fail("negative");
    switch (i % 3) {
    case 0: s += x[i] * x[i]; break;
    case 1: s += 2 * x[i]; break;
    case 2: s *= x[i]; break;
    default: __builtin_unreachable();
    }
  }
  if (s < 0)
    exit(3);
  return s;
}

static double switches(double *x, int n) {
  double s = 1, *p = x;
  int state = 0;
  for (int i = 0; i < 20; ++i)
    switch (state) {
    case 0: s += *p; state = 3; break;
    case 1: s *= *p; [[fallthrough]];
    case 7: s -= 0.1 * x[0]; state = 2; break;
    case 2: p = x + i % n; state = s > 2 ? 7 : 0; break;
    case 3: s *= 0.7; state = i & 1; break;
    default: return s;
    }
  return s * x[2];
}

// Pointers and values by condition.
static double chosen(double *x, int n) {
  double a[4] = {x[0], x[1], x[2], x[3]}, b[4] = {x[3], x[4], x[5], x[6]};
  double s = 0, constant[4] = {1, 2, 3, 4};
  for (int i = 0; i < n; ++i) {
    double *p = x[i] > 0.89 ? a : b, *q = i % 2 ? p : constant;
    const double v = x[i] > x[0] ? p[i % 4] : q[(i + 1) % 4];
    s += v * q[i % 4] * x[i];
    if (p == a)
      p[(i + 2) % 4] *= v;
  }
  return s + a[1] + b[0];
}

// Set only where it is used.
static double unset(double *x, int n) {
  double s = 0, v, w[2];
  bool has = false;
  for (int i = 0; i < n; ++i) {
    if (i % 3 == 1) {
      v = x[i] * x[i];
      w[i & 1] = v * 2;
      has = true;
    }
    if (has)
      s += v * x[i];
  }
  return s + w[1];
}

static double hints(double *x, int n) {
  double s = 0;
  __builtin_assume(n > 0);
  for (int i = 0; i < n; ++i) {
    __builtin_prefetch(x + i);
    double *p = (double *)__builtin_assume_aligned(x + i, 8);
    if (__builtin_expect(*p > 0.1, 1))
      s += *p * *p;
  }
  return s;
}

static double loops(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    if (i == 1)
      continue;
    for (int j = 0; j < n; ++j) {
      if (j > i)
        break;
      if (x[i] * x[j] > 1.1)
        goto next;
      s += x[i] * x[j];
    }
    s *= 1.1;
  next:
    if (s > 100)
      return s * s;
  }
  return s;
}

int main() {
  CHECK(irreducible);
  CHECK(irreducible_two);
  CHECK(ends);
  CHECK(switches);
  CHECK(chosen);
  CHECK(unset);
  CHECK(hints);
  CHECK(loops);
  return failures;
}
