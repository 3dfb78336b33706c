// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types of numbers: single, half, extended and double precision together, vectors of
// them with moved, masked and summed elements.
//
// RUN: %clangxx -std=c++17 -w -O0 -Xclang -llvm-verify-each %s -o %t0 && %t0
// RUN: %clangxx -std=c++17 -w -O1 -Xclang -llvm-verify-each %s -o %t1 && %t1
// RUN: %clangxx -std=c++17 -w -O2 -g -Xclang -llvm-verify-each %s -o %t2 && %t2
// RUN: %clangxx -std=c++17 -w -O3 -Xclang -llvm-verify-each %s -o %t3 && %t3
#include "../Flow/Inputs/gradient.h"

typedef double V4 __attribute__((vector_size(32)));
typedef double V2 __attribute__((vector_size(16)));
typedef long long I4 __attribute__((vector_size(32)));
typedef float F8 __attribute__((vector_size(32)));

static double mixed(double *x, int n) {
  long double e = 1;
  double s = 0;
  for (int i = 0; i < n; ++i) {
    e = e * (long double)x[i] + 0.5L;
    s += (double)(e * e) * x[i];
  }
  return s;
}
static __float128 quad(__float128 a, double b) { return a * b + b; }
static double quadruple(double *x, int n) {
  __float128 q = 1;
  for (int i = 0; i < n; ++i)
    q = quad(q, x[i]);
  return (double)q;
}
static double integers(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    int k = (int)(x[i] * 9.7);
    unsigned u = (unsigned)(x[i] * 3);
    s += k * x[i] + u + (double)(long long)(x[0]) * x[i] + (x[i] > 0.8);
  }
  return s * x[0];
}

static double elements(double *x, int n) {
  V4 a = {x[0], x[1], x[2], x[3]}, b = {x[3], x[4], x[5], x[6]};
  V4 c = __builtin_shufflevector(a, b, 0, 5, 2, 7);
  V4 d = a * b + c;
  d[1] = x[0] * d[2];
  V2 low = __builtin_shufflevector(d, d, 3, 0);
  V4 e;
  memcpy(&e, x + 1, sizeof e);
  d *= e;
  memcpy(x + 2, &d, sizeof d);
  return d[0] * d[1] + low[0] * low[1] + x[3] * x[4] + c[1];
}
static double masks(double *x, int n) {
  V4 a = {x[0], x[1], x[2], x[3]}, b = {x[3], x[4], x[5], x[6]};
  I4 m = a > b;
  V4 c = m ? a * a : b;
  V4 r = a > 0.9 ? a : V4{};
  double s = 0;
  for (int i = 0; i < 4; ++i)
    s += c[i] * (i + 1) + r[i];
  return s;
}
static double reduced(double *x, int n) {
  double s = 0, m = 0, t[64];
  for (int i = 0; i < 64; ++i)
    t[i] = x[i % n] * x[(i * 5) % n] * (1 + 0.01 * i);
  for (int i = 0; i < 64; ++i)
    s += t[i];
  for (int i = 0; i < 64; ++i)
    m = t[i] > m ? t[i] : m;
  V4 v = {t[0], t[1], t[2], t[3]};
  return s * m + __builtin_reduce_max(v);
}

int main() {
  CHECK(mixed);
  CHECK(quadruple);
  CHECK(integers);
  CHECK(elements);
  CHECK(masks);
  CHECK(reduced);
  return failures;
}
