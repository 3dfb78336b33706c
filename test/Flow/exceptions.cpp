// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exceptions: caught in the function, and thrown out of the gradient. One that a
// call that is not inlined may throw, and that is caught, is refused.
//
// RUN: %clangxx -std=c++17 -O0 -Xclang -llvm-verify-each %s -o %t0 && %t0
// RUN: %clangxx -std=c++17 -O1 -Xclang -llvm-verify-each %s -o %t1 && %t1
// RUN: %clangxx -std=c++17 -O2 -Xclang -llvm-verify-each %s -o %t2 && %t2
// RUN: %clangxx -std=c++17 -O3 -Xclang -llvm-verify-each %s -o %t3 && %t3
// RUN: %not %clangxx -std=c++17 -DREFUSED -c %s -o %t4 2>&1 | %FileCheck %s
// CHECK: error: pardiff: an exception may be thrown by a call that is not inlined, and is caught
#include "Inputs/gradient.h"
#include <stdexcept>
#include <vector>

static double caught(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    try {
      if (i == 3)
        throw 1;
      s += x[i] * s + 1;
    } catch (int) {
      s *= x[i];
    }
  }
  return s;
}

static double passing(double *x, int n) {
  std::vector<double> v(x, x + n);
  double s = 1;
  for (int i = 0; i < n; ++i) {
    if (v[i] < 0)
      throw std::domain_error("negative");
    s *= v[i];
  }
  return s;
}

#ifdef REFUSED
static double deep(double *x, int n) {
  if (n == 0)
    throw 1;
  return x[0] * deep(x + 1, n - 1);
}
static double refused(double *x, int n) {
  try {
    return deep(x, n);
  } catch (int) {
    return x[0];
  }
}
#endif

int main() {
  CHECK(caught);
  CHECK(passing);
#ifdef REFUSED
  CHECK(refused);
#endif
  double x[2] = {1, -1}, dx[2] = {0, 0};
  try {
    __pardiff_autodiff<void>((void *)passing, x, dx, 2);
    failures = 1;
  } catch (const std::domain_error &) {
  }
  return failures;
}
