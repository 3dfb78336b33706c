// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules by plain overload, in the namespace pardiff::derivatives: each serves the function
// with its name and types, however it was compiled, and is kept until then. The
// derivatives are recognisably wrong on purpose.
//
// RUN: %clangxx -O0 %s -o %t0 && %t0
// RUN: %clangxx -O1 -Xclang -llvm-verify-each %s -o %t1 && %t1
// RUN: %clangxx -O2 -g %s -o %t2 && %t2
// RUN: %clangxx -O3 -std=c++20 -fopenmp %s -o %t3 && %t3
// RUN: valgrind -q --leak-check=full --error-exitcode=9 %t1
// What only a rule needs, nobody needs that does not use the rule.
// RUN: %clangxx -O1 -DUNUSED %s -o %t4 && %t4
#include <pardiff/pardiff.h>
#include <cmath>
#include <cstdio>

#if UNUSED
double elsewhere(double);
namespace pardiff::derivatives {
[[gnu::used]] static double root_reverse(double x, double s) { return s * elsewhere(x); }
} // namespace pardiff::derivatives
static double square(double x) { return x * x; }
int main() { return __pardiff_autodiff<double>(square, 3.0) != 6; }
#else

template <class T> struct dual { T value, tangent; };
template <class T> struct taped { void *tape; T value; };

template <class T, int N> struct list { T v[N]; };

namespace math {
// One name, several functions.
static double power(double x, int n) { return std::pow(x, n); }
static float power(float x, int n) { return std::pow(x, n); }
inline double power(double x, double y) { return std::pow(x, y); }
double power(const list<double, 2> &x, int n) {
  double s = 0;
  for (double v : x.v)
    s += power(v, n);
  return s;
}
template <class T, int N> T scale(T x) { return N * x; }
struct Spring {
  double k;
  double energy(double x) const { return k * x * x / 2; }
  static double unit(double x) { return x * x / 2; }
  void stretch(double by) { k += by; }
};
namespace {
double hidden(double x) { return 2 * x; }
} // namespace
static void reset(double &x, long n) { x = n * x; }
} // namespace math
extern "C" double c_name(double x, int n) { return n * x; }
static double global(double x) { return x; }
enum class Kind { A, B };
static double byKind(Kind k, bool twice, short n, double x) { return (k == Kind::B) + twice + n + x; }

namespace pardiff::derivatives {
namespace math {
[[gnu::used]] static dual<double> power_derivative(double x, double dx, int n) { return {::math::power(x, n), 10 * dx}; }
[[gnu::used]] static double power_reverse(double, int, double s) { return 20 * s; }
[[gnu::used]] static dual<float> power_derivative(float x, float dx, int n) { return {::math::power(x, n), 30 * dx}; }
struct two { double x, y; };
two power_reverse(double, double, double s) { return {40 * s, 50 * s}; }
double power_augmented(const list<double, 2> &x, list<double, 2> *, int n) { return ::math::power(x, n); }
void power_reverse(const list<double, 2> &, list<double, 2> *dx, int n, double s) {
  for (double &d : dx->v)
    d += 60 * n * s;
}
template <class T> dual<T> scale_derivative(T x, T dx) { return {70 * x, 80 * dx}; }
template dual<double> scale_derivative(double, double);
} // namespace math
namespace math::Spring {
taped<double> energy_augmented(const ::math::Spring *s, ::math::Spring *, double x) { return {new double(s->k), s->energy(x)}; }
double energy_reverse(const ::math::Spring *, ::math::Spring *ds, double x, double seed, void *tape) {
  ds->k += 90 * seed;
  double d = 100 * *static_cast<double *>(tape) * seed;
  delete static_cast<double *>(tape);
  return d;
}
double unit_reverse(double, double seed) { return 110 * seed; }
} // namespace math::Spring
namespace math {
namespace {
[[gnu::used]] double hidden_reverse(double, double seed) { return 120 * seed; }
} // namespace
void reset_augmented(double &x, double *, long n) { ::math::reset(x, n); }
void reset_reverse(double &, double *dx, long) { *dx *= 130; }
} // namespace math
double c_name_reverse(double, int, double seed) { return 140 * seed; }
[[gnu::used]] static double global_reverse(double, double seed) { return 150 * seed; }
double byKind_reverse(Kind k, bool twice, short n, double, double seed) { return ((k == Kind::B) + 10 * twice + 100 * n) * seed; }
// Serves nothing here, as a header's.
double unused_reverse(double, double seed) { return seed; }
} // namespace pardiff::derivatives

static double useInt(double x) { return math::power(x, 3); }
static float useFloat(float x) { return math::power(x, 3); }
static double useTwo(double x, double y) { return math::power(x, y); }
static double useVector(const double *x) {
  list<double, 2> v = {{x[0], x[1]}};
  return math::power(v, 2);
}
static double useScale(double x) { return math::scale<double, 5>(x); }
static double useSpring(const double *x) {
  math::Spring s{x[0]};
  return s.energy(x[1]) + math::Spring::unit(x[2]);
}
static double useRest(double x, double y, double z) {
  math::reset(z, 2);
  return math::hidden(x) + c_name(y, 2) + z;
}
static double useKind(double x, double y) { return byKind(Kind::B, true, -3, x) + global(y); }

static int failures;
static void expect(const char *what, double got, double want) {
  if (!(std::fabs(got - want) <= 1e-6))
    std::printf("%s: %.12g, not %.12g\n", what, got, want), failures = 1;
}
struct pair { double x, y; };
struct triple { double x, y, z; };
int main() {
  expect("int, forward", __pardiff_fwddiff<double>(useInt, 2.0, 1.0), 10);
  expect("int, reverse", __pardiff_autodiff<double>(useInt, 2.0), 20);
  expect("float", __pardiff_fwddiff<float>(useFloat, 2.0f, 1.0f), 30);
  expect("float without rule", __pardiff_autodiff<float>(useFloat, 2.0f), 12);
  pair p = __pardiff_autodiff<pair>(useTwo, 2.0, 3.0);
  expect("double", p.x, 40), expect("double", p.y, 50);
  double x[3] = {1, 2, 3}, dx[3] = {};
  __pardiff_autodiff<void>(useVector, x, dx);
  expect("vector", dx[0], 120), expect("vector", dx[1], 120);
  expect("template", __pardiff_fwddiff<double>(useScale, 2.0, 1.0), 80);
  dx[0] = dx[1] = 0;
  __pardiff_autodiff<void>(useSpring, x, dx);
  expect("member", dx[0], 90), expect("member", dx[1], 100), expect("static member", dx[2], 110);
  triple t = __pardiff_autodiff<triple>(useRest, 1.0, 2.0, 3.0);
  expect("unnamed", t.x, 120), expect("C", t.y, 140), expect("reference", t.z, 130);
  p = __pardiff_autodiff<pair>(useKind, 1.0, 2.0);
  expect("small integers", p.x, 1 + 10 - 300), expect("global", p.y, 150);
  expect("of itself", __pardiff_autodiff<double>(global, 1.0), 150);
  return failures;
}
#endif
