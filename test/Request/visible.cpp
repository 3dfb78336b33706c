// The same in C++: templates, forwarding, lambdas, function objects, static
// initialisers, virtual functions, and calls that might throw.
// RUN: %plain-clang -O0 -S -emit-llvm %s -o - | %opt -passes='print<pardiff-requests>,verify' -disable-output | %FileCheck %s
// RUN: %plain-clang -O2 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %opt -passes='print<pardiff-requests>,verify' -disable-output | %FileCheck %s

#include <pardiff/pardiff.h>
#include <utility>

static double f(double x) { return x * x; }
template <typename T> T generic(T x) { return x; }
struct S {
  static double member(double x) { return x; }
};

// CHECK-DAG: request in _Z5plaind: _ZL1fd(out double
double plain(double x) { return __pardiff_autodiff(f, x); }
// CHECK-DAG: request in _Z5floatf: _Z7genericIfET_S0_(out float {{.*}} -> float
float of_float(float x) asm("_Z5floatf");
float of_float(float x) { return __pardiff_autodiff<float>(generic<float>, x); }
// CHECK-DAG: request in _Z6memberd: _ZN1S6memberEd(
double member(double x) { return __pardiff_autodiff(S::member, x); }
// CHECK-DAG: request in _Z6lambdad: {{.*}}lambda{{.*}}__invoke{{.*}}(
double lambda(double x) { return __pardiff_autodiff(+[](double x) { return x * x; }, x); }

template <typename F, typename... A> double forwarding(F f, A &&...a) {
  return __pardiff_autodiff(f, std::forward<A>(a)...);
}
// CHECK-DAG: request in _Z9forwardedd: _ZL1fd(const double
void forwarded(double x) { forwarding(f, pardiff_const, x); }

template <auto F> double of_value(double x) { return __pardiff_autodiff(F, x); }
// CHECK-DAG: request in {{.*}}of_value{{.*}}: _ZL1fd(
double value(double x) { return of_value<f>(x); }

template <typename F> static double call(const void *f, double x) {
  return (*static_cast<const F *>(f))(x);
}
template <typename F> static double of_closure(const F &f, double x) {
  return __pardiff_autodiff(call<F>, pardiff_const, &f, pardiff_out, x);
}
// CHECK-DAG: request in {{.*}}of_closure{{.*}}: {{.*}}call{{.*}}(const ptr {{.*}}, out double
double closure(double k, double x) {
  return of_closure([k](double x) { return k * x; }, x);
}

template <typename F> struct Gradient {
  F f;
  double operator()(double x) { return __pardiff_autodiff(f, x); }
};
// CHECK-DAG: request in _Z6objectd: _ZL1fd(
double object(double x) { return Gradient<double (*)(double)>{f}(x); }

// CHECK-DAG: request in __cxx_global_var_init{{.*}}: _ZL1fd(
double global = __pardiff_autodiff(f, 3.0);

struct Base {
  virtual ~Base();
  virtual double derivative(double x) { return 0; }
};
struct Derived : Base {
  // CHECK-DAG: request in _ZN7Derived10derivativeEd: _ZL1fd(
  double derivative(double x) override { return __pardiff_autodiff(f, x); }
};
Base *make() { return new Derived; }

// CHECK-DAG: request in _Z6caughtd: _ZL1fd(
double caught(double x) {
  try {
    return __pardiff_autodiff(f, x);
  } catch (...) {
    return 0;
  }
}
struct Guard {
  ~Guard();
};
// CHECK-DAG: request in _Z7guardedd: _ZL1fd(
double guarded(double x) {
  Guard g;
  return __pardiff_autodiff(f, x);
}
