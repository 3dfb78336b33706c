// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls: pointers and references that come back, functions in structures and in
// global variables, lambdas, functors and templates, structures by value in and
// out, through memory of the caller, and with integers and pointers in them.
//
// RUN: %clangxx -std=c++17 -w -O0 -Xclang -llvm-verify-each %s -o %t0 && %t0
// RUN: %clangxx -std=c++17 -w -O1 -Xclang -llvm-verify-each %s -o %t1 && %t1
// RUN: %clangxx -std=c++17 -w -O2 -g -Xclang -llvm-verify-each %s -o %t2 && %t2
// RUN: %clangxx -std=c++17 -w -O3 -Xclang -llvm-verify-each %s -o %t3 && %t3
#include "../Flow/Inputs/gradient.h"

#include <functional>

__attribute__((noinline)) static double *element(double *x, int i) {
  return x + i;
}
static double &reference(double *x, int i) { return i ? reference(x, i - 1) : x[2]; }
// Recursive, and gives a pointer back.
static double *walk(double *x, int i) {
  if (i == 0)
    return x;
  *x *= 1.1;
  return walk(x + 1, i - 1);
}
static double pointers(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += *element(x, i) * *element(x, n - 1 - i);
  *element(x, 3) = s * x[0];
  reference(x, 3) *= s;
  *walk(x, 4) *= 2;
  return s * x[3] + x[2] * x[0] + x[4] * x[4];
}

static double cube(double v) { return v * v * v; }
static double root(double v) { return std::sqrt(v); }
struct Op {
  double (*f)(double);
  double weight;
};
static Op global_op = {root, 2};
static double (*current)(double) = cube;
static double tables(double *x, int n) {
  Op ops[3] = {{cube, 0.5}, {root, 2}, global_op};
  double s = 0;
  for (int i = 0; i < n; ++i) {
    const Op &op = ops[i % 3];
    s += op.weight * op.f(x[i]) * current(x[0]);
    current = current == cube ? root : cube;
  }
  current = cube;
  return s;
}
// The same in memory that nobody else sees.
static double apply(const Op *op, double v) {
  return op ? op->weight * op->f(v) : v;
}
static double selected(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += apply(i % 2 ? &global_op : nullptr, x[i]) * x[i];
  double (*f)(double) = x[0] > 0.5 ? cube : root;
  return s + f(x[1]);
}

template <class F> static double integrate(F f, double a, double b) {
  double s = 0;
  for (int i = 0; i < 10; ++i)
    s += f(a + (b - a) * i / 10) * (b - a) / 10;
  return s;
}
struct Polynomial {
  const double *c;
  int n;
  double operator()(double t) const {
    double v = 0;
    for (int i = n; i-- > 0;)
      v = v * t + c[i];
    return v;
  }
};
static double functors(double *x, int n) {
  double a = x[0];
  auto f = [&](double t) { return a * t + x[1]; };
  auto g = [a](double t) mutable { return a *= t + 1; };
  std::function<double(double)> h = [x](double t) { return x[2] * t * t; };
  a *= 2;
  return integrate(f, x[1], x[2]) + integrate(g, 0, x[3]) +
         integrate(h, 0, x[5]) + integrate(Polynomial{x, n}, 0, x[4]);
}

// By value, in registers and in memory.
struct Two {
  double a, b;
};
struct Large {
  double a, b, c;
  int n;
  const double *p;
};
struct Nested {
  int tag;
  Two two;
  float f;
};
__attribute__((noinline)) static Two turn(Two t, double by) {
  return {t.a * by - t.b, t.b * by + t.a};
}
__attribute__((noinline)) static Large grow(Large l) {
  for (int i = 0; i < l.n; ++i)
    l.a *= l.p[i] + l.b;
  l.c += l.a * l.b;
  --l.n;
  return l;
}
__attribute__((noinline)) static Nested nest(Nested s) {
  s.two = turn(s.two, s.tag);
  s.tag += 1;
  s.f *= 2;
  return s;
}
static Two sums(const double *x, int n) {
  if (n == 0)
    return {0, 1};
  Two t = sums(x + 1, n - 1);
  return {t.a + x[0] * t.b, t.b * x[0]};
}
static Large deep(Large l, int n) { return n ? deep(grow(l), n - 1) : l; }
static double values(double *x, int n) {
  Two t = {x[0], x[1]};
  for (int i = 0; i < n; ++i)
    t = turn(t, x[i]);
  Large l = {x[0], 0.2 * x[1], x[2], 5, x};
  l = grow(grow(l));
  Nested s = {2, {x[3], t.a}, 0.5f};
  s = nest(nest(s));
  Two u = sums(x, n);
  return t.a * t.b + l.a * l.c + s.two.a * s.two.b * s.tag * s.f +
         u.a * u.b;
}
static double byvalue(double *x, int n) {
  Large l = {x[0], 0.2 * x[1], x[2], 5, x};
  Large m = deep(l, 3);
  return m.a * m.c + l.b * m.n;
}

int main() {
  CHECK(pointers);
  CHECK(tables);
  CHECK(selected);
  CHECK(functors);
  CHECK(values);
  CHECK(byvalue);
  return failures;
}
