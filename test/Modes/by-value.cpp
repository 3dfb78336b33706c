// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forward mode through structures passed by value to a function that is not
// inlined, and through dynamic_cast, against reverse mode and differences.
//
// RUN: %clangxx -std=c++17 -O0 -fsanitize=address,undefined -fno-sanitize-recover %s -o %t0 && %t0
// RUN: %clangxx -std=c++17 -O2 -Xclang -llvm-verify-each %s -o %t2 && %t2
#include <cmath>
#include <cstdio>
template <class R, class... T> R __pardiff_autodiff(T...);
template <class R, class... T> R __pardiff_fwddiff(T...);
struct Big {
  double a[5];
  int n;
};
__attribute__((noinline)) static double rec(Big b, double *x, int d) {
  if (d == 0)
    return b.a[0] * b.a[4] + x[0];
  b.a[0] *= x[d];
  b.a[4] += x[0];
  return rec(b, x, d - 1) + b.a[0];
}
static double f(double *x, int n) {
  Big b{};
  b.a[0] = x[1];
  b.a[4] = x[2];
  return rec(b, x, n - 1) + b.a[0];
}
struct Base {
  double v;
  virtual double get() { return v; }
  virtual ~Base() {}
};
struct Other {
  double w;
  virtual double o() { return w; }
  virtual ~Other() {}
};
struct D : Base, Other {
  double get() override { return v * v * w; }
};
static double g(double *x, int n) {
  double s = 0;
  for (int i = 1; i < n; ++i) {
    D *d = new D;
    d->v = x[i];
    d->w = x[0];
    Base *b = i % 2 ? d : new Base;
    if (!(i % 2)) {
      b->v = x[i];
    }
    if (auto *o = dynamic_cast<Other *>(b))
      s += o->w * b->get();
    else
      s += b->get();
    if (b != d)
      delete d;
    delete b;
  }
  return s;
}
template <double (*f)(double *, int)> int check() {
  double x[5] = {1.1, .7, .9, 1.3, .8}, v[5] = {1, -.5, .3, .2, .7},
         dx[5] = {0}, s = 0, y[5];
  __pardiff_autodiff<void>((void *)f, x, dx, 5);
  for (int i = 0; i < 5; i++)
    s += dx[i] * v[i];
  double t = __pardiff_fwddiff<double>((void *)f, x, v, 5), h = 1e-6;
  for (int i = 0; i < 5; i++)
    y[i] = x[i] + h * v[i];
  double up = f(y, 5);
  for (int i = 0; i < 5; i++)
    y[i] = x[i] - h * v[i];
  double dn = f(y, 5);
  printf("%.12g %.12g %.8g\n", t, s, (up - dn) / 2 / h);
  return !(std::fabs(t - s) < 1e-10 && std::fabs(t - (up - dn) / 2 / h) < 1e-6);
}
int main() { return check<f>() | check<g>(); }
