// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Overloads in pardiff::derivatives that cannot be rules are errors at their place, each
// one once, and one for a function that is not there is none.
//
// RUN: %not %clangxx -O0 -g -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not %clangxx -O2 -g -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not %clangxx -O1 -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=PLAIN
// PLAIN-DAG: error: pardiff: 'pardiff::derivatives::one_derivative(double)' is not a valid rule
#include <pardiff/pardiff.h>

double one(double x) { return x; }
double pointer(const double *x, int n) { return x[n]; }
double both(double x) { return x; }
double registered(double x) { return x; }
double lonely(const double *x) { return *x; }
void unread(double *x) { *x = 0; }
float types(float x, double *y) { return *y = x; }
double result(double x) { return x; }
double registered_reverse(double, double s) { return s; }
void *__pardiff_register_gradient_registered[] = {(void *)registered, (void *)registered, (void *)registered_reverse};

struct pair { double value, tangent; };
namespace pardiff::derivatives {
// CHECK-DAG: error: pardiff: {{.*}}overloads-refused.cpp:[[#@LINE+1]]: 'pardiff::derivatives::one_derivative(double)' is not a valid rule: it serves none of the functions of this name: for 'one(double)' its parameters must be (double, double)
pair one_derivative(double x) { return {x, 1}; }
// CHECK-DAG: [[#@LINE+1]]: 'pardiff::derivatives::pointer_derivative(double*, double*, int)' is not a valid rule: it serves none of the functions of this name: for 'pointer(double const*, int)' its parameters must be (double const*, double const*, int)
pair pointer_derivative(double *x, double *dx, int n) { return {x[n], dx[n]}; }
template <class T> pair both_derivative(T x, T dx) { return {x, dx}; }
template pair both_derivative(double, double);
// CHECK-DAG: [[#@LINE+1]]: 'pardiff::derivatives::both_derivative(double, double)' is not a valid rule: 'both(double)' has a rule of this kind already
pair both_derivative(double x, double dx) { return {x, dx}; }
// CHECK-DAG: [[#@LINE+1]]: 'pardiff::derivatives::registered_reverse(double, double)' is not a valid rule: 'registered(double)' has a rule of this kind already
double registered_reverse(double, double s) { return s; }
// CHECK-DAG: [[#@LINE+1]]: 'pardiff::derivatives::lonely_reverse(double const*, double*, double)' is not a valid rule: there is no 'lonely_augmented' for 'lonely(double const*)', which has pointers, beside it
void lonely_reverse(const double *, double *dx, double s) { *dx += s; }
// CHECK-DAG: [[#@LINE+1]]: 'pardiff::derivatives::unread_augmented(double*, double*)' is not a valid rule: there is no 'unread_reverse' for 'unread(double*)' beside it
void unread_augmented(double *x, double *) { *x = 0; }
// CHECK-DAG: [[#@LINE+1]]: 'pardiff::derivatives::types_derivative(float, double, double*, double*)' is not a valid rule: 'pardiff::derivatives::types_derivative(float, double, double*, double*)' must have the parameters (float, float, ptr, ptr) but has (float, double, ptr, ptr)
pair types_derivative(float x, double, double *y, double *) { return {*y = x, 0}; }
// CHECK-DAG: [[#@LINE+1]]: 'pardiff::derivatives::result_reverse(double, double)' is not a valid rule: 'pardiff::derivatives::result_reverse(double, double)' must return the derivatives (double)
void result_reverse(double, double) {}
double nowhere_reverse(double) { return 0; }
} // namespace pardiff::derivatives

double use(double x) { return __pardiff_autodiff<double>(one, x); }
// CHECK: 8 errors generated
