/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the text of a generated program means in C++, as the reference: REAL records every
 * operation on a tape, which is then walked backwards. V is the type that the primal
 * computes in, so that conditions are decided as in the program under test.
 */
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "data.h"

struct Node {
  double weight[2];
  int from[2];
};
static std::vector<Node> tape;

template <class V> struct Recorded {
  V v = 0;
  int id = -1; /* on the tape; -1: a constant */

  Recorded() {}
  Recorded(V x) : v(x) {}
  template <class T> explicit Recorded(T x) : v((V)x) {}
  Recorded(V x, int node) : v(x), id(node) {}

  static Recorded input(V x) { return record(x, 0, -1, 0, -1); }
  static Recorded record(V x, double wa, int a, double wb, int b) {
    tape.push_back({{wa, wb}, {a, b}});
    return Recorded(x, (int)tape.size() - 1);
  }
  static Recorded make(V x, double w, const Recorded &a) {
    return a.id < 0 ? Recorded(x) : record(x, w, a.id, 0, -1);
  }
  static Recorded make(V x, double wa, const Recorded &a, double wb, const Recorded &b) {
    return a.id < 0 && b.id < 0 ? Recorded(x) : record(x, wa, a.id, wb, b.id);
  }

  friend Recorded operator+(Recorded a, Recorded b) { return make(a.v + b.v, 1, a, 1, b); }
  friend Recorded operator-(Recorded a, Recorded b) { return make(a.v - b.v, 1, a, -1, b); }
  friend Recorded operator*(Recorded a, Recorded b) { return make(a.v * b.v, b.v, a, a.v, b); }
  friend Recorded operator/(Recorded a, Recorded b) {
    return make(a.v / b.v, 1.0 / b.v, a, -(double)a.v / ((double)b.v * b.v), b);
  }
  friend Recorded operator-(Recorded a) { return make(-a.v, -1, a); }
  Recorded &operator+=(Recorded b) { return *this = *this + b; }
  Recorded &operator-=(Recorded b) { return *this = *this - b; }
  Recorded &operator*=(Recorded b) { return *this = *this * b; }
  Recorded &operator/=(Recorded b) { return *this = *this / b; }
  friend bool operator>(Recorded a, Recorded b) { return a.v > b.v; }
  friend bool operator<(Recorded a, Recorded b) { return a.v < b.v; }

#define RECORD_UNARY(name, derivative)                                         \
  friend Recorded name(Recorded a) {                                           \
    double x = a.v, r = std::name(a.v);                                        \
    (void)x, (void)r;                                                          \
    return make((V)std::name(a.v), derivative, a);                             \
  }                                                                            \
  friend Recorded name##f(Recorded a) { return name(a); }
  RECORD_UNARY(sin, std::cos(x))
  RECORD_UNARY(cos, -std::sin(x))
  RECORD_UNARY(tan, 1 / (std::cos(x) * std::cos(x)))
  RECORD_UNARY(exp, std::exp(x))
  RECORD_UNARY(log, 1 / x)
  RECORD_UNARY(sqrt, 0.5 / std::sqrt(x))
  RECORD_UNARY(tanh, 1 / (std::cosh(x) * std::cosh(x)))
  RECORD_UNARY(atan, 1 / (1 + x * x))
  RECORD_UNARY(fabs, (x > 0) - (x < 0))
#undef RECORD_UNARY
  friend Recorded fmax(Recorded a, Recorded b) { return a.v >= b.v ? make(a.v, 1, a) : make(b.v, 1, b); }
  friend Recorded fmin(Recorded a, Recorded b) { return a.v <= b.v ? make(a.v, 1, a) : make(b.v, 1, b); }
  friend Recorded pow(Recorded a, Recorded b) {
    double x = a.v, y = b.v, r = std::pow(x, y);
    return make(std::pow(a.v, b.v), y * std::pow(x, y - 1), a, r * std::log(x), b);
  }
  friend Recorded fma(Recorded a, Recorded b, Recorded c) {
    Recorded product = make(a.v * b.v, b.v, a, a.v, b);
    return make(std::fma(a.v, b.v, c.v), 1, product, 1, c);
  }
  friend Recorded fmaxf(Recorded a, Recorded b) { return fmax(a, b); }
  friend Recorded fminf(Recorded a, Recorded b) { return fmin(a, b); }
  friend Recorded powf(Recorded a, Recorded b) { return pow(a, b); }
  friend Recorded fmaf(Recorded a, Recorded b, Recorded c) { return fma(a, b, c); }
};

template <class R> struct Rows2 {
  R *p;
  long e1;
  R *operator[](long i) const { return p + i * e1; }
};
template <class R> struct Rows3 {
  R *p;
  long e1, e2;
  Rows2<R> operator[](long i) const { return {p + i * e1 * e2, e2}; }
};

#define RESTRICT
#define ROWS2(name, e1) Rows2<REAL> name
#define ROWS3(name, e1, e2) Rows3<REAL> name
#define ROWS2R ROWS2
#define ROWS3R ROWS3
#define LOCAL1(name, e0)                                                       \
  std::vector<REAL> name##_(e0);                                               \
  REAL *name = name##_.data()
#define LOCAL2(name, e0, e1)                                                   \
  std::vector<REAL> name##_((e0) * (e1));                                      \
  Rows2<REAL> name = {name##_.data(), (long)(e1)}
#define LOCAL3(name, e0, e1, e2)                                               \
  std::vector<REAL> name##_((e0) * (e1) * (e2));                               \
  Rows3<REAL> name = {name##_.data(), (long)(e1), (long)(e2)}

static void put(double x) { std::printf("%.17g\n", x); }

template <class R> static std::vector<R> inputs(long n, int k, bool active) {
  std::vector<R> result;
  for (long i = 0; i < n; ++i) {
    R x = R((decltype(R::v))data_value(i, k));
    result.push_back(active ? R::input(x.v) : x);
  }
  return result;
}

template <class R> static void seed(std::vector<double> &adjoint, const std::vector<R> &a) {
  for (long i = 0; i < (long)a.size(); ++i)
    if (a[i].id >= 0)
      adjoint[a[i].id] += (decltype(R::v))data_seed(i);
}

static void sweep(std::vector<double> &adjoint) {
  for (int i = (int)tape.size() - 1; i >= 0; --i)
    for (int k = 0; k < 2; ++k)
      if (tape[i].from[k] >= 0)
        adjoint[tape[i].from[k]] += tape[i].weight[k] * adjoint[i];
}
