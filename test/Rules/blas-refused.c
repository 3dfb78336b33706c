// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the rules of BLAS do not reach: errors, stops, and derivatives that are not
// defined. A file that includes the header and uses nothing needs no BLAS.
//
// RUN: %not %clang -O1 -g -c -DREFUSED %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=REFUSED
// RUN: %clang -O0 -DUNUSED %s -o %t0 && %t0
// RUN: %clang -O2 -DUNUSED %s -o %t2 && %t2
// RUN: %clang -O1 %s -o %t -lblas -lm && %t
// RUN: %not --crash %t inactive 2>&1 | %FileCheck %s --check-prefix=INACTIVE
// RUN: %not --crash %t swap 2>&1 | %FileCheck %s --check-prefix=INACTIVE
// INACTIVE: pardiff: stopped: BLAS writes active values to memory without a shadow
#include <pardiff/blas.h>
#include <pardiff/pardiff.h>

double cblas_ddot(int, const double *, int, const double *, int);
void cblas_dswap(int, double *, int, double *, int);
void cblas_dgemv(int, int, int, int, double, const double *, int, const double *, int, double, double *, int);
void cblas_drot(int, double *, int, double *, int, double, double);

#if UNUSED
static double f(double x) { return x * x; }
int main(void) { return __pardiff_autodiff((void *)f, 3.0) != 6; }
#elif REFUSED
static double norm(const double *x) { return cblas_ddot(4, x, 1, x, 1); }
static void rotate(double *x, double *y) { cblas_drot(4, x, 1, y, 1, 0.6, 0.8); }
void use(double *x, double *dx, double *y, double *dy) {
  // REFUSED-DAG: error: pardiff: {{.*}}: the gradient registered for 'cblas_ddot' has pointers, and can be called for one direction only
  __pardiff_autodiff_void((void *)norm, pardiff_width, 2, x, dx, dy);
  // REFUSED-DAG: error: pardiff: {{.*}}call of cblas_drot
  __pardiff_autodiff_void((void *)rotate, x, dx, y, dy);
}
// REFUSED: 2 errors generated
#else
/* y is marked inactive. */
static double product(double alpha, double beta, double *A, double *x, double *y) {
  cblas_dgemv(102, 111, 2, 2, alpha, A, 2, x, 1, beta, y, 1);
  return x[0];
}
static void swap(double *x, double *y) { cblas_dswap(2, x, 1, y, 1); }
struct two { double alpha, beta; };
struct two __pardiff_autodiff_two(void *, ...);
int main(int argc, char **argv) {
  (void)argv;
  double A[4] = {1, 2, 3, 4}, x[2] = {5, 6}, y[2] = {7, 8}, d[4] = {0}, e[2] = {0}, s[2] = {1, 1};
  if (argc > 1 && !strcmp(argv[1], "inactive"))
    __pardiff_autodiff_two((void *)product, 1.0, 1.0, A, d, x, e, pardiff_const, y);
  if (argc > 1 && !strcmp(argv[1], "swap"))
    __pardiff_autodiff_void((void *)swap, x, e, pardiff_const, y);
  /* Nobody asks for the derivatives of A and x, so nothing is lost but those of alpha and
   * beta: that is seen. */
  struct two r = __pardiff_autodiff_two((void *)product, 1.0, 1.0, pardiff_const, A, pardiff_const, x, pardiff_const, y);
  if (!isnan(r.alpha) || !isnan(r.beta))
    return 1;
  /* BLAS does not read y where beta is 0. */
  r = __pardiff_autodiff_two((void *)product, 1.0, 0.0, A, d, x, e, y, s);
  if (r.alpha != 5 + 18 + 10 + 24 || !isnan(r.beta) || s[0] != 0 || d[0] != 5)
    return 2;
  return 0;
}
#endif
