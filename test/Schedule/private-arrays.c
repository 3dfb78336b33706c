// Sums over the rows of a matrix into arrays that all rows share: the loop over rows runs
// in parallel with private arrays. The gradients are right, and the same bits for any
// number of threads, for no rows and columns, for one, and for more rows than there are
// private arrays and chunks.
// RUN: %clang -O2 -fopenmp %s -o %t -lm -mllvm -pardiff-report=%t.json
// RUN: %t
// RUN: %FileCheck %s --input-file=%t.json --check-prefix=LOOPS
// RUN: %FileCheck %s --input-file=%t.json --check-prefix=SUMS
// LOOPS-COUNT-3: "scheme": "private"
// SUMS: "partial_sums"
// SUMS: "elements": "({{.*}} ? 64 : {{.*}}) * {{.*}}",
// SUMS-NEXT: "name": "partial_d_

// Few and small chunks: chunks are dealt out in several rounds.
// RUN: %clang -O2 -fopenmp %s -o %t.few -lm -mllvm -pardiff-private-chunk=3 -mllvm -pardiff-private-copies=5
// RUN: %t.few

// Without private arrays the gradients are the same up to rounding.
// RUN: %clang -O2 -fopenmp %s -o %t.none -lm -mllvm -pardiff-private-copies=0 -mllvm -pardiff-report=%t.none.json
// RUN: %t.none
// RUN: %FileCheck %s --input-file=%t.none.json --check-prefix=NONE --implicit-check-not='"private"'
// NONE: "scheme": "chunked"

#include <math.h>
#include <omp.h>
#include <pardiff/pardiff.h>
#include <stdio.h>
#include <string.h>

// The derivatives of a and b are sums over rows, of x and of s over columns.
static void scaled(int m, int n, double (*x)[n], const double *a, const double *b,
                   double (*y)[n]) {
  for (int i = 0; i < m; i++) {
    double s = 0;
    for (int j = 0; j < n; j++)
      s += x[i][j] * x[i][j];
    for (int j = 0; j < n; j++)
      y[i][j] = a[j] * x[i][j] * s + b[j];
  }
}

// A row of A is read for the derivative of t and again for that of x.
static void twice(int m, int n, double (*A)[n], const double *x, double *y,
                  double *t) {
  for (int i = 0; i < m; i++) {
    t[i] = 0;
    for (int j = 0; j < n; j++)
      t[i] += A[i][j] * x[j];
    for (int j = 0; j < n; j++)
      y[j] += A[i][j] * t[i];
  }
}

// Each pair changes the derivatives at both of its ends.
static void pairs(int n, double (*p)[2], const double *q, double *e) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int j = 0; j < n; j++) {
      double u = p[j][0] - p[i][0], v = p[j][1] - p[i][1];
      s += q[j] / sqrt(u * u + v * v + 0.5);
    }
    e[i] = s;
  }
}

enum { M = 1100, N = 150 };
typedef struct {
  double a[M * N], b[M * N], c[M * N], d[M * N];
} Values;
static Values v, dv, first, shift;

static void fill(Values *x, double f) {
  double *p = (double *)x;
  for (int k = 0; k < (int)(sizeof *x / sizeof *p); k++)
    p[k] = sin(f * (k % 10007));
}

static void gradient(int which, int m, int n) {
  fill(&v, 0.7), fill(&dv, 0.3);
  if (which == 0)
    __pardiff_autodiff((void *)scaled, pardiff_const, m, pardiff_const, n,
                       pardiff_dup, v.a, dv.a, pardiff_dup, v.b, dv.b,
                       pardiff_dup, v.c, dv.c, pardiff_dup, v.d, dv.d);
  else if (which == 1)
    __pardiff_autodiff((void *)twice, pardiff_const, m, pardiff_const, n,
                       pardiff_dup, v.a, dv.a, pardiff_dup, v.b, dv.b,
                       pardiff_dup, v.c, dv.c, pardiff_dup, v.d, dv.d);
  else
    __pardiff_autodiff((void *)pairs, pardiff_const, m, pardiff_dup, v.a, dv.a,
                       pardiff_dup, v.b, dv.b, pardiff_dup, v.c, dv.c);
}

// The weighted sum of the results with the inputs moved by h along a direction.
static double moved(int which, int m, int n, double h) {
  fill(&v, 0.7), fill(&shift, 1.1), fill(&dv, 0.3);
  double *x = (double *)&v, *s = (double *)&shift, sum = 0;
  for (int k = 0; k < (int)(sizeof v / sizeof *x); k++)
    x[k] += h * s[k];
  if (which == 0)
    scaled(m, n, (void *)v.a, v.b, v.c, (void *)v.d);
  else if (which == 1)
    twice(m, n, (void *)v.a, v.b, v.c, v.d);
  else
    pairs(m, (void *)v.a, v.b, v.c);
  for (int k = 0; k < M * N; k++)
    sum += v.a[k] * dv.a[k] + v.b[k] * dv.b[k] + v.c[k] * dv.c[k] +
           v.d[k] * dv.d[k];
  return sum;
}

static int check(int which, int m, int n) {
  static const int threads[] = {1, 2, 3, 8};
  const double h = 1e-5;
  double want = (moved(which, m, n, h) - moved(which, m, n, -h)) / (2 * h);
  int bad = 0;
  for (int k = 0; k < 4; k++) {
    omp_set_num_threads(threads[k]);
    gradient(which, m, n);
    if (k == 0)
      first = dv;
    int differ = memcmp(&dv, &first, sizeof dv) != 0;
    double got = 0, size = 1, *d = (double *)&dv, *s = (double *)&shift;
    for (int i = 0; i < (int)(sizeof dv / sizeof *d); i++) {
      got += d[i] * s[i];
      size += fabs(d[i] * s[i]);
    }
    int wrong = !(fabs(got - want) <= 1e-7 * size);
    if (differ || wrong)
      printf("%d: m = %d, n = %d, %d threads: %g, expected %g%s\n", which, m, n,
             threads[k], got, want, differ ? ", other bits" : "");
    bad += differ + wrong;
  }
  return bad;
}

int main(void) {
  static const int rows[] = {0, 1, 2, 15, 16, 17, 100, M}, columns[] = {0, 1, 7, N};
  int bad = 0;
  for (int which = 0; which < 3; which++)
    for (int i = 0; i < 8; i++)
      for (int j = 0; j < (which == 2 ? 1 : 4); j++)
        bad += check(which, rows[i], columns[j]);
  return bad != 0;
}
