// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reverse mode of several seeds at once: each lane is what a gradient of its own with
// that seed is, and the function runs once. Memory of all kinds, calls, nests, results.
//
// RUN: %clang -O0 -Xclang -llvm-verify-each -fsanitize=address,undefined -fno-sanitize-recover %s -o %t0 -lm && %t0
// RUN: %clang -O1 -Xclang -llvm-verify-each %s -o %t1 -lm && %t1
// RUN: %clang -O2 %s -o %t2 -lm && %t2
// RUN: %clang -O3 -fopenmp %s -o %t3 -lm && %t3
// RUN: %clang -O2 -mllvm -pardiff-force-fallback %s -o %t4 -lm && %t4
// RUN: valgrind -q --leak-check=full --error-exitcode=9 %t1
#include <math.h>
#include <pardiff/pardiff.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 6 };
struct two { double v[2]; };
struct five { double value, a[2], b[2]; };
struct pair { float v[2]; };
struct two __pardiff_autodiff_two(void *, ...);
struct five __pardiff_autodiff_five(void *, ...);
struct pair __pardiff_autodiff_pair(void *, ...);
extern int enzyme_width, enzyme_dup;
void __enzyme_autodiff_void(void *, ...);

static int bad, runs;
static void expect(const char *what, double got, double want) {
  if (!(fabs(got - want) <= 1e-12 * (1 + fabs(want))))
    bad = 1, printf("%s: %.17g instead of %.17g\n", what, got, want);
}

/* A nest. */
static void stencil(const double *x, double *y) {
  for (int t = 0; t < 3; ++t)
    for (int i = 1; i < N - 1; ++i)
      y[i] = 0.5 * y[i] * x[i - 1] + x[i + 1] * x[i];
}
/* Data decide; what is read is overwritten; local memory. */
static void branches(double *x, double *y) {
  double w[N];
  for (int i = 0; i < N; ++i) {
    w[i] = x[i];
    for (int k = 0; w[i] < 8 && k < 5; ++k)
      w[i] = w[i] * w[i] + y[i];
    if (w[i] > 20)
      x[i] = sin(w[i]);
  }
  memcpy(y + 1, w, (N - 1) * sizeof(double));
}
/* The heap. */
struct node { double value; struct node *next; };
static void list(double *x, double *y) {
  struct node *head = NULL;
  for (int i = 0; i < N; ++i) {
    struct node *n = malloc(sizeof *n);
    n->value = x[i] * x[i];
    n->next = head;
    head = n;
  }
  double s = 1;
  int k = 0;
  while (head) {
    struct node *next = head->next;
    y[k++] += s * head->value;
    s += head->value;
    free(head);
    head = next;
  }
}
/* Calls that stay: recursion and pointers. */
static double power(double x, double *y, int n) {
  ++runs;
  if (n == 0)
    return 1;
  y[n] += x * power(x, y, n - 1);
  return x * y[n] + power(y[0], y, n - 1);
}
static void recurse(double *x, double *y) { x[1] = power(x[0], y, 3); }
static double *later(double *x, int n) { return n ? later(x + 1, n - 1) : x; }
static void moved(double *x, double *y) { y[0] = *later(x, 2) * x[0]; }
static double square(double x) { return x * x; }
static double inverse(double x) { return 1 / x; }
static double (*const table[2])(double) = {square, inverse};
static void indirect(double *x, double *y) {
  for (int i = 0; i < N; ++i)
    y[i] *= table[i % 2](x[i]);
}
/* A registered rule. */
static double root(double a) { return sqrt(a); }
struct kept { double *tape; double value; };
static struct kept rootAugmented(double a) {
  struct kept k = {malloc(sizeof(double)), sqrt(a)};
  *k.tape = k.value;
  return k;
}
static double rootReverse(double a, double seed, double *tape) {
  double r = *tape;
  free(tape);
  return seed / (2 * r);
}
void *__pardiff_register_gradient_root[] = {(void *)root, (void *)rootAugmented, (void *)rootReverse};
static void ruled(double *x, double *y) {
  for (int i = 0; i < N; ++i)
    y[i] = root(x[i] * y[i]);
}

static void init(double *x, double *y) {
  for (int i = 0; i < N; ++i)
    x[i] = 1 + 0.3 * i, y[i] = 2 - 0.2 * i;
}
static void seeds(double dx[3][N], double dy[3][N]) {
  for (int l = 0; l < 3; ++l)
    for (int i = 0; i < N; ++i)
      dx[l][i] = l == 1 ? 0 : 0.1 * i, dy[l][i] = l == 2 ? i == 2 : cos(i + l);
}
static void compare(const char *name, double a[3][N], double b[3][N]) {
  for (int l = 0; l < 3; ++l)
    for (int i = 0; i < N; ++i)
      expect(name, a[l][i], b[l][i]);
}
#define CHECK(f)                                                               \
  {                                                                            \
    double x[N], y[N], dx[3][N], dy[3][N], ex[3][N], ey[3][N];                 \
    seeds(dx, dy), seeds(ex, ey);                                              \
    for (int l = 0; l < 3; ++l) {                                              \
      init(x, y);                                                              \
      __pardiff_autodiff_void((void *)f, x, ex[l], y, ey[l]);                  \
    }                                                                          \
    init(x, y);                                                                \
    __pardiff_autodiff_void((void *)f, pardiff_width, 3, pardiff_dup, x,       \
                            dx[0], dx[1], dx[2], pardiff_dupnoneed, y, dy[0],  \
                            dy[1], dy[2]);                                     \
    compare(#f ", x", dx, ex), compare(#f ", y", dy, ey);                      \
  }

/* Derivatives by value: those of one argument behind each other. */
static double both(double a, double b, double *y) {
  y[0] = a * a * b;
  y[1] = sin(b);
  return a * b;
}
static float floats(float a, float *y) { return *y = a * a; }
static void outputs(const double *x, double *y) {
  y[0] = x[0] * x[1];
  y[1] = x[0] + x[1] * x[1];
}
/* Second order: the rows of the Jacobian in a direction. */
static void rows(const double *x, double *row0, double *row1) {
  double y[2] = {0}, e0[2] = {1, 0}, e1[2] = {0, 1};
  __pardiff_autodiff_void((void *)outputs, pardiff_width, 2, x, row0, row1, y, e0, e1);
}

int main(void) {
  CHECK(stencil)
  CHECK(branches)
  CHECK(list)
  CHECK(recurse)
  CHECK(moved)
  CHECK(indirect)
  CHECK(ruled)

  double x[N], y[N], dx[3][N], dy[3][N];
  init(x, y), seeds(dx, dy), runs = 0;
  __pardiff_autodiff_void((void *)recurse, pardiff_width, 3, x, dx[0], dx[1], dx[2], y, dy[0], dy[1], dy[2]);
  expect("calls of the function", runs, 15);

  double z[2] = {0}, s0[2] = {1, 0}, s1[2] = {0, 1};
  struct five r = __pardiff_autodiff_five((void *)both, pardiff_primal_return, pardiff_width, 2, 3.0, 4.0, z, s0, s1);
  expect("value", r.value, 12);
  expect("a, lane 0", r.a[0], 4 + 24), expect("a, lane 1", r.a[1], 4);
  expect("b, lane 0", r.b[0], 3 + 9), expect("b, lane 1", r.b[1], 3 + cos(4));
  float g, t0 = 1, t1 = 2;
  struct pair p = __pardiff_autodiff_pair((void *)floats, pardiff_width, 2, 3.0f, &g, &t0, &t1);
  expect("float", p.v[0], 12), expect("float", p.v[1], 18);
  /* Width 1 is the usual gradient. */
  double q[2] = {3, 4}, row[2] = {0}, row2[2] = {0}, one[2] = {0, 1}, two[2] = {1, 0};
  __enzyme_autodiff_void((void *)outputs, enzyme_width, 1, enzyme_dup, q, row, enzyme_dup, z, one);
  expect("row", row[0], 1), expect("row", row[1], 8);
  row[0] = row[1] = 0, one[1] = 1;
  __enzyme_autodiff_void((void *)outputs, enzyme_width, 2, enzyme_dup, q, row, row2, enzyme_dup, z, one, two);
  expect("row", row[0], 1), expect("row", row[1], 8);
  expect("row", row2[0], 4), expect("row", row2[1], 3);

  double v[2] = {1, 10}, g0[2] = {0}, g1[2] = {0}, h0[2] = {0}, h1[2] = {0};
  __pardiff_fwddiff_void((void *)rows, q, v, g0, h0, g1, h1);
  expect("row", g0[0], 4), expect("row", g1[1], 8);
  expect("row'", h0[0], 10), expect("row'", h0[1], 1);
  expect("row'", h1[0], 0), expect("row'", h1[1], 20);
  return bad;
}
