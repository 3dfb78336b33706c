// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registrations that are wrong are errors at their place, each one once.
//
// RUN: %not %clang -O0 -g -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not %clang -O2 -g -c %s -o %t.o 2>&1 | %FileCheck %s
#include <pardiff/pardiff.h>

static double f(double x) { return x; }
static double wrong(float x, double dx) { return x; }
// CHECK-DAG: error: pardiff: {{.*}}rules-refused.c:[[#@LINE+1]]: '__pardiff_register_derivative_a' is not a valid rule: 'wrong' must have the parameters (double, double) but has (float, double)
void *__pardiff_register_derivative_a[] = {(void *)f, (void *)wrong};

static void nothing(double x, double dx) {}
// CHECK-DAG: '__pardiff_register_derivative_b' is not a valid rule: 'nothing' must return a structure of the value of 'f' and its tangent
void *__pardiff_register_derivative_b[] = {(void *)f, (void *)nothing};

static double aug(double x) { return x; }
static double rev(double x, double seed) { return seed; }
static double rev_without(double x) { return 1; }
void *__pardiff_register_gradient_c[] = {(void *)f, (void *)aug, (void *)rev};
// CHECK-DAG: '__pardiff_register_gradient_d' is not a valid rule: 'f' has a rule of this kind already
void *__pardiff_register_gradient_d[] = {(void *)f, (void *)aug, (void *)rev};
static double g(double x) { return x; }
// CHECK-DAG: '__pardiff_register_gradient_e' is not a valid rule: 'rev_without' must have the parameters (double, double) but has (double)
void *__pardiff_register_gradient_e[] = {(void *)g, (void *)aug,
                                         (void *)rev_without};
// CHECK-DAG: '__enzyme_register_gradient_f' is not a valid rule: it must be the function, the augmented function and the reverse function
void *__enzyme_register_gradient_f[] = {(void *)g, (void *)aug};
int number;
// CHECK-DAG: '__pardiff_inactivefn_h' is not a valid rule: it must begin with a function
void *__pardiff_inactivefn_h = (void *)&number;
// CHECK-DAG: '__pardiff_function_like_i' is not a valid rule: it must be the function and the name of one of math.h
void *__pardiff_function_like_i[] = {(void *)g, (void *)g};
// CHECK-DAG: '__pardiff_allocation_like_j' is not a valid rule: 'g' must return a pointer, and its parameter 0 must be an integer
void *__pardiff_allocation_like_j[] = {(void *)g, (void *)0, (void *)"-1",
                                       (void *)f};
// CHECK: 8 errors generated

double use(double x) { return __pardiff_autodiff((void *)f, x); }
