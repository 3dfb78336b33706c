// Nests in the ways in which C programs write them: each is recovered as a whole, or
// refused for the reason that its mark tells.
// RUN: %python %root/scripts/coverage.py --check --plugin=%plugin --llvm=%llvm-tools \
// RUN:   --opt=%llvm-tools/opt --clang=clang %s

#include <assert.h>
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

//= one nest: arrays of variable size
void product_vla(int n, int m, int p, double A[n][m], double B[m][p], double C[n][p]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < p; j++) {
      C[i][j] = 0;
      for (int k = 0; k < m; k++)
        C[i][j] += A[i][k] * B[k][j];
    }
}

//= one nest: flat subscripts computed in int
void product_int(int n, int m, int p, const double *A, const double *B, double *C) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < p; j++) {
      double s = 0;
      for (int k = 0; k < m; k++)
        s += A[i * m + k] * B[k * p + j];
      C[i * p + j] = s;
    }
}

//= one nest: flat subscripts computed in unsigned, which may wrap
void product_unsigned(unsigned n, unsigned m, const double *A, double *C) {
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < m; j++)
      C[i * m + j] += A[i * m + j] * A[i * m];
}

//= one nest: sizes of type size_t, taken as not negative
void scale_size_t(size_t n, size_t m, const double *A, double *C) {
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < m; j++)
      C[i * m + j] = 2 * A[i * m + j];
}

//= one nest: a leading dimension that is larger than a row
void leading_dimension(long n, long m, long ld, const double *A, double *y) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      y[j] += A[i * ld + j] * A[i * ld + j];
}

//= one nest: every second element
void every_second(long n, const double *x, double *y) {
  for (long i = 0; i < n; i++)
    y[i] = x[2 * i] * x[2 * i + 1];
}

//= one nest: elements at a distance that is a parameter
void at_distance(long n, long d, const double *x, double *y) {
  for (long i = 0; i < n; i++)
    y[i] += x[i * d] * 2;
}

//= one nest: a loop with a step that is a parameter: its number of iterations is one
void with_step(int n, int s, double *x) {
  for (int i = 0; i < n; i += s)
    x[i] *= x[i];
}

//= one nest: from the end to the beginning
void downwards(long n, const double *x, double *y) {
  for (long i = n - 2; i >= 0; i--)
    y[i] = y[i + 1] * 0.5 + x[i];
}

double fixed[32][16];
//= one nest: a global array of fixed sizes
void global_array(double *y) {
  for (int i = 0; i < 32; i++)
    for (int j = 0; j < 16; j++)
      y[i] += fixed[i][j] * fixed[i][j];
}

//= one nest: a triangle
void triangle(int n, double L[n][n], const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    y[i] = 0;
    for (int j = 0; j <= i; j++)
      y[i] += L[i][j] * x[j];
  }
}

//= one nest: statements between the loops, a square root
void factorise(int n, double A[n][n]) {
  for (int j = 0; j < n; j++) {
    for (int k = 0; k < j; k++)
      A[j][j] -= A[j][k] * A[j][k];
    A[j][j] = sqrt(A[j][j]);
    for (int i = j + 1; i < n; i++) {
      for (int k = 0; k < j; k++)
        A[i][j] -= A[i][k] * A[j][k];
      A[i][j] /= A[j][j];
    }
  }
}

//= one nest: several loops behind each other, functions of libm
void normalise(int n, const double *x, double *y) {
  double m = x[0], s = 0;
  for (int i = 1; i < n; i++)
    m = x[i] > m ? x[i] : m;
  for (int i = 0; i < n; i++) {
    y[i] = exp(x[i] - m);
    s += y[i];
  }
  for (int i = 0; i < n; i++)
    y[i] /= s;
}

static double square(double x) { return x * x + 1; }
//= one nest: a function that is called
void calls(int n, const double *x, double *y) {
  for (int i = 0; i < n; i++)
    y[i] = square(x[i]) * square(y[i]);
}

static void add_row(int n, double a, const double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++)
    y[i] += a * x[i];
}
//= one nest: a function with a loop that is called in a loop, with restrict pointers
void calls_loop(int n, double A[n][n], const double *x, double *y) {
  for (int i = 0; i < n; i++)
    add_row(n, x[i], A[i], y);
}

//= one nest: a conditional expression of data
void positive_part(int n, const double *x, double *y) {
  for (int i = 0; i < n; i++)
    y[i] = x[i] < 0 ? 0 : x[i] * x[i];
}

//= one nest: both branches on data store to the same element
void both_branches(int n, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    if (x[i] > 0) {
      double t = x[i] * x[i];
      y[i] = t * t + exp(t);
    } else {
      y[i] = x[i] / (1 + x[i] * x[i]);
    }
  }
}

//= one nest: a branch on data that stores to what is accessed in any case
void sometimes(int n, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    y[i] = y[i] * 3;
    if (x[i] > 0)
      y[i] = x[i];
  }
}

//= one nest: branches on counters
void counters(int n, double A[n][n], double B[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (i < j)
        A[i][j] = B[j][i] * 2;
      else if (i == j)
        A[i][j] = 1;
    }
}

//= one nest: two buffers that change places in every step
void swapped(int t, int n, double *a, double *b) {
  for (int k = 0; k < t; k++) {
    for (int i = 1; i < n - 1; i++)
      b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
    double *c = a;
    a = b;
    b = c;
  }
}

//= one nest: a stencil in place
void in_place(int t, int n, double A[n][n]) {
  for (int k = 0; k < t; k++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        A[i][j] = (A[i - 1][j] + A[i][j - 1] + A[i][j] + A[i][j + 1] + A[i + 1][j]) / 5;
}

//= one nest: all steps in one array
void history(int t, int n, double A[t][n]) {
  for (int k = 1; k < t; k++)
    for (int i = 1; i < n - 1; i++)
      A[k][i] = A[k - 1][i] * A[k - 1][i - 1] + A[k - 1][i + 1];
}

//= one nest: tiles by hand, with a minimum as bound
void tiles(int n, double A[n][n], double B[n][n]) {
  for (int ii = 0; ii < n; ii += 16)
    for (int jj = 0; jj < n; jj += 16)
      for (int i = ii; i < (ii + 16 < n ? ii + 16 : n); i++)
        for (int j = jj; j < (jj + 16 < n ? jj + 16 : n); j++)
          B[j][i] = A[i][j] * A[i][j];
}

//= one nest: one counter for two dimensions
void one_counter(int n, const double *x, double *y) {
  for (int k = 0; k < n * 8; k++)
    y[k / 8] += x[k] * x[k % 8];
}

//= one nest: pointers that move
void moving_pointers(int n, const double *x, double *y) {
  const double *end = x + n;
  while (x < end)
    *y++ = 2 * *x++;
}

//= one nest: from one pointer to another
double between_pointers(const double *first, const double *last) {
  double s = 0;
  for (; first != last; ++first)
    s += *first * *first;
  return s;
}

//= one nest: a buffer on the stack
void stack_buffer(const double *x, double *y) {
  double t[8];
  for (int i = 0; i < 8; i++)
    t[i] = x[i] * x[i];
  for (int i = 0; i < 8; i++)
    y[i] = t[i] * t[7 - i];
}

//= one nest: a buffer of variable size on the stack
void stack_variable(int n, const double *x, double *y) {
  double t[n];
  for (int i = 0; i < n; i++)
    t[i] = x[i] * x[i];
  for (int i = 0; i < n; i++)
    y[i] = t[i] * t[n - 1 - i];
}

//= one nest: a buffer from malloc
void heap_buffer(int n, const double *x, double *y) {
  double *t = malloc(n * sizeof(double));
  for (int i = 0; i < n; i++)
    t[i] = x[i] * x[i];
  for (int i = 0; i < n; i++)
    y[i] = t[i] + t[n - 1 - i];
  free(t);
}

//= one nest: a buffer that is allocated and freed in a loop
void heap_in_loop(int n, int m, double X[n][m], double *y) {
  for (int i = 0; i < n; i++) {
    double *t = malloc(m * sizeof(double));
    for (int j = 0; j < m; j++)
      t[j] = X[i][j] * 2;
    double s = 0;
    for (int j = 0; j < m; j++)
      s += t[j] * t[m - 1 - j];
    y[i] = s;
    free(t);
  }
}

//= one nest: calloc, with a test of what it returns
void heap_zeroed(int n, const double *x, double *y) {
  double *t = calloc(n, sizeof(double));
  if (!t)
    return;
  for (int i = 1; i < n; i++)
    t[i] += x[i] * x[i - 1];
  for (int i = 0; i < n; i++)
    y[i] = t[i] * x[i];
  free(t);
}

//= one nest: an assertion on sizes
void asserted(int n, const double *x, double *y) {
  assert(n > 0);
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[n - 1 - i];
}

struct particle {
  double x, y, mass;
};
//= one nest: an array of structures
void structures(int n, struct particle *p) {
  for (int i = 0; i < n; i++)
    p[i].x += p[i].mass * p[i].y;
}

struct vectors {
  long n;
  double *a, *b;
};
//= one nest: sizes and pointers in a structure
void members(struct vectors *v) {
  for (long i = 0; i < v->n; i++)
    v->b[i] += v->a[i] * v->a[i];
}

//= one nest: complex numbers
void complexes(int n, const double _Complex *x, double _Complex *y) {
  for (int i = 0; i < n; i++)
    y[i] += x[i] * x[i];
}

//= one nest: memcpy and memset
void bulk(long n, const double *x, double *y, double *z) {
  memset(z, 0, n * sizeof(double));
  memcpy(y, x, n * sizeof(double));
  for (long i = 0; i < n; i++)
    z[i] += y[i] * y[i];
}

//= one nest: a convolution
void convolution(int n, int m, int k, double X[n][m], double W[k][k],
                 double Y[n - k + 1][m - k + 1]) {
  for (int i = 0; i <= n - k; i++)
    for (int j = 0; j <= m - k; j++)
      for (int a = 0; a < k; a++)
        for (int b = 0; b < k; b++)
          Y[i][j] += X[i + a][j + b] * W[a][b];
}

//= one nest: a sum that the next loop uses
void partial_sums(int n, const double *x, double *s) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    sum += x[i] * x[i];
    s[i] = sum;
  }
}

//= one nest: a while loop with a counter
void while_loop(int n, double *x) {
  int i = 0;
  while (i < n) {
    x[i] = sin(x[i]);
    i++;
  }
}

//= one nest: a do loop
void do_loop(int n, double *x) {
  int i = 0;
  do
    x[i] = x[i] * x[i];
  while (++i < n);
}

//= one nest: float
void single(int n, float a, const float *x, float *y) {
  for (int i = 0; i < n; i++)
    y[i] += a * x[i] * x[i];
}

//= one nest: no loop at all
double no_loop(double x, double y) { return sin(x) * y + x * x; }

//= one nest: nothing happens
void nothing(int n, double *x) {}

//= one nest: the elements to read are in an array
void gather(int n, const int *at, const double *x, double *y) {
  for (int i = 0; i < n; i++)
    y[i] += x[at[i]];
}

//= one nest: rows of a sparse matrix that are equally long
void ell(int n, int k, const int *column, const double *a, const double *x,
         double *y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < k; j++)
      y[i] += a[i * k + j] * x[column[i * k + j]];
}

//= one nest: rows of a table by their numbers
void look_up(int n, int d, const int *token, const double *table, double *y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < d; j++)
      y[i * d + j] = table[(token[i] - 1) * d + j];
}

//= one nest: rows of a sparse matrix that are not equally long
void csr(int n, const int *row, const int *column, const double *a,
         const double *x, double *y) {
  for (int i = 0; i < n; i++)
    for (int j = row[i]; j < row[i + 1]; j++)
      y[i] += a[j] * x[column[j]];
}

//= refused UnknownTripCount: a list in which each element tells the next one
void linked(int n, const int *first, const int *next, const double *x,
            double *y) {
  for (int i = 0; i < n; i++)
    for (int j = first[i]; j >= 0; j = next[j])
      y[i] += x[j];
}

//= refused IndirectSubscript: rows that read what the nest writes
void rows_in_place(int n, const int *row, const int *column, const double *a,
                   double *x) {
  for (int i = 0; i < n; i++)
    for (int j = row[i]; j < row[i + 1]; j++)
      x[i] -= a[j] * x[column[j]];
}

//= one nest: the elements to add to are in an array
void histogram(int n, const int *at, const double *x, double *h) {
  for (int i = 0; i < n; i++)
    h[at[i]] += x[i];
}

//= refused IndirectSubscript: the elements to write are in an array
void scatter(int n, const int *at, const double *x, double *h) {
  for (int i = 0; i < n; i++)
    h[at[i]] = x[i];
}

//= refused IndirectSubscript: an array that is read by an array and also written
void gather_in_place(int n, const int *at, double *x) {
  for (int i = 0; i < n; i++)
    x[i] += x[at[i]];
}

//= refused IndirectSubscript: a subscript of a subscript
void gather_twice(int n, const int *at, const int *of, const double *x,
                  double *y) {
  for (int i = 0; i < n; i++)
    y[i] += x[at[of[i]]];
}

//= refused NonAffineSubscript: a subscript with a square
void squares(long n, const double *x, double *y) {
  for (long i = 0; i < n; i++)
    y[i] += x[i * i];
}

//= refused PointerChanges: an array of pointers to rows
void rows(int n, double **A, const double *x, double *y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      y[i] += A[i][j] * x[j];
}

//= refused UnknownTripCount: a loop until something has converged
void converge(int n, double *x, double eps) {
  while (x[0] > eps)
    for (int i = 0; i < n; i++)
      x[i] *= 0.5;
}

//= refused SeveralExits: a loop that is left early
void leave(int n, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    if (x[i] < 0)
      break;
    y[i] = x[i] * x[i];
  }
}

//= one nest: elements that are accessed only where data says so
void only_positive(int n, const double *x, double *y) {
  for (int i = 0; i < n; i++)
    if (x[i] > 0)
      y[i] = x[i];
}

//= one nest: two arrays, one in each branch on data
void either(int n, const double *x, double *y, double *z) {
  for (int i = 0; i < n; i++)
    if (x[i] > 0)
      y[i] = x[i] * x[i];
    else
      z[i] *= x[i];
}

//= one nest: branches on data inside of each other, and a sum of what is accessed there
double inside(int n, const double *x, const double *y, const int *which) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    if (which[i] > 1)
      if (y[i] < 0)
        sum += x[i] * y[i];
  return sum;
}

//= refused DataDependentBranch: a branch on data around a loop
void whole_rows(int n, int m, const double *x, double y[n][m]) {
  for (int i = 0; i < n; i++)
    if (x[i] > 0)
      for (int j = 0; j < m; j++)
        y[i][j] *= x[i];
}
