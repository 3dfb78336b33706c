// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that cannot be inlined: recursion, also of two functions and with
// memory of their own, and calls through pointers, virtual functions and
// std::function.
//
// RUN: %clangxx -std=c++17 -O0 -Xclang -llvm-verify-each -fsanitize=address %s -o %t0 && env ASAN_OPTIONS=detect_leaks=0 %t0
// RUN: %clangxx -std=c++17 -O1 -Xclang -llvm-verify-each %s -o %t1 && %t1
// RUN: %clangxx -std=c++17 -O2 -g -Xclang -llvm-verify-each %s -o %t2 && %t2
// RUN: %clangxx -std=c++17 -O3 -Xclang -llvm-verify-each %s -o %t3 && %t3
#include "Inputs/gradient.h"
#include <functional>
#include <vector>

static double twice(const double *x, int n, double a) {
  if (n == 0)
    return a * x[0];
  double l = twice(x + 1, n - 1, a * x[0]);
  double r = twice(x + 1, n - 1, 0.5 * a + x[0]);
  return 0.1 * l * r + a;
}
static double recursive(double *x, int n) { return twice(x, n - 4, x[n - 1]); }

static double odd(double *x, int n);
static double even(double *x, int n) {
  return n == 0 ? 1 : x[0] * odd(x + 1, n - 1) + x[0];
}
static double odd(double *x, int n) {
  return n == 0 ? 2 : std::sin(x[0]) * even(x + 1, n - 1);
}
static double mutual(double *x, int n) { return even(x, n); }

// Overwrites what it is given, and has memory on the stack and on the heap.
static double halves(double *a, double *b, int n) {
  if (n == 1)
    return a[0] * b[0];
  double local[4] = {a[0], b[0], a[0] * b[0], 1};
  std::vector<double> t(n);
  for (int i = 0; i < n; ++i)
    t[i] = a[i] * b[n - 1 - i] + local[i % 4];
  a[0] *= 0.5;
  return halves(a, t.data(), n / 2) + t[n - 1] * a[0];
}
static double memory(double *x, int n) { return halves(x, x + 1, n - 1); }

static double square(double y) { return y * y; }
static double half(double y) { return y / 2; }
static double (*const table[])(double) = {square, half, std::exp};
static double pointers(double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; ++i)
    s += 0.1 * table[i % 3](x[i] * s);
  return s;
}

static double fold(double *x, int n, double (*g)(double)) {
  return n == 0 ? 1 : g(x[0]) * fold(x + 1, n - 1, g) + x[0];
}
static double callbacks(double *x, int n) {
  return fold(x, n, std::sin) + fold(x, n, [](double y) { return y * y; });
}

struct Shape {
  virtual double eval(double) const = 0;
  virtual ~Shape() {}
};
struct Parabola : Shape {
  double k;
  Parabola(double k) : k(k) {}
  double eval(double y) const override { return k * y * y; }
};
struct Wave : Shape {
  double k;
  Wave(double k) : k(k) {}
  double eval(double y) const override { return std::sin(k * y); }
};
static double virtuals(double *x, int n) {
  Parabola a(x[0]);
  Wave b(x[1]);
  const Shape *p[2] = {&a, &b};
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += p[i % 2]->eval(x[i]);
  return s;
}

static double functions(double *x, int n) {
  std::function<double(double)> g = [=](double y) { return y * x[0]; };
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += 0.1 * g(x[i]) * s + 1;
  return s;
}

int main() {
  CHECK(recursive);
  CHECK(mutual);
  CHECK(memory);
  CHECK(pointers);
  CHECK(callbacks);
  CHECK(virtuals);
  CHECK(functions);
  return failures;
}
