// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forward mode against closed forms: what comes back in which way, memory that is
// moved, set, grown and freed, several directions.
//
// RUN: %clang -O0 -Xclang -llvm-verify-each -fsanitize=address,undefined -fno-sanitize-recover %s -o %t0 -lm && %t0
// RUN: %clang -O1 -Xclang -llvm-verify-each %s -o %t1 -lm && %t1
// RUN: %clang -O2 %s -o %t2 -lm && %t2
// RUN: %clang -O3 -fopenmp %s -o %t3 -lm && %t3
// RUN: valgrind -q --leak-check=full --error-exitcode=9 %t1

#include <math.h>
#include <pardiff/pardiff.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct two { double a, b; };
struct twofloats { float a, b; };
struct four { double a[4]; };
struct fours { struct four value, tangent; };
struct mixed { int n; double v; };
struct lanes { double d[2]; };
struct two __pardiff_fwddiff_two(void *, ...);
struct twofloats __pardiff_fwddiff_twofloats(void *, ...);
struct four __pardiff_fwddiff_four(void *, ...);
struct fours __pardiff_fwddiff_fours(void *, ...);
struct mixed __pardiff_fwddiff_mixed(void *, ...);
struct lanes __pardiff_fwddiff_lanes(void *, ...);
long double __pardiff_fwddiff_long(void *, ...);
double *__pardiff_fwddiff_pointer(void *, ...);

static float single(float x, float y) { return x * x * y; }
static long double extended(long double x) { return x * x * x; }
static struct two pair(double x) { return (struct two){x * x, 3 * x}; }
static struct twofloats floats(float x) { return (struct twofloats){x * x, 3 * x}; }
static struct four large(const double *x, int n) {
  struct four r = {{0}};
  for (int i = 0; i < n; ++i)
    r.a[i % 4] += x[i] * x[i];
  return r;
}
static struct mixed withInteger(double x) { return (struct mixed){3, x * x}; }
static double *element(double *x, int i) {
  x[i] *= 2;
  return x + i;
}
static void shift(double *x, int n) {
  memmove(x + 1, x, (n - 1) * sizeof *x);
  memset(x, 0, sizeof *x);
  x[n - 1] *= x[1];
}
static double grow(double x) {
  double *b = malloc(sizeof *b), s = 0;
  b[0] = x;
  for (int i = 1; i < 40; ++i) {
    b = realloc(b, (i + 1) * sizeof *b);
    b[i] = b[i - 1] + x;
  }
  s = b[39];
  free(b);
  return s * x;
}
struct node { double v; struct node *next; };
static double list(const double *x, int n) {
  struct node *head = NULL;
  for (int i = 0; i < n; ++i) {
    struct node *p = malloc(sizeof *p);
    *p = (struct node){x[i] * x[i], head};
    head = p;
  }
  double s = 0;
  while (head) {
    struct node *next = head->next;
    s += head->v;
    free(head);
    head = next;
  }
  return s;
}

static int failures;
static void expect(const char *what, double got, double want) {
  if (!(fabs(got - want) <= 1e-6 * (1 + fabs(want)))) {
    printf("%s: %.12g, not %.12g\n", what, got, want);
    failures = 1;
  }
}

int main(void) {
  expect("float", __pardiff_fwddiff_float((void *)single, pardiff_dup, 2.0f, 1.0f, pardiff_dup, 3.0f, 0.5f), 14);
  expect("long double", __pardiff_fwddiff_long((void *)extended, 2.0L, 1.0L), 12);
  struct two p = __pardiff_fwddiff_two((void *)pair, 2.0, 1.0);
  expect("pair", p.a * 10 + p.b, 43);
  struct twofloats q = __pardiff_fwddiff_twofloats((void *)floats, 2.0f, 1.0f);
  expect("floats", q.a * 10 + q.b, 43);
  double x[5] = {1, 2, 3, 4, 5}, dx[5] = {1, 0, 1, 0, 1};
  struct four r = __pardiff_fwddiff_four((void *)large, x, dx, 5);
  expect("large", r.a[0] + 100 * r.a[1] + 10000 * r.a[2] + r.a[3], 12 + 60000);
  struct fours s = __pardiff_fwddiff_fours((void *)large, pardiff_primal_return, x, dx, 5);
  expect("large primal", s.value.a[0], 26);
  expect("large tangent", s.tangent.a[0], 12);
  struct mixed m = __pardiff_fwddiff_mixed((void *)withInteger, 3.0, 1.0);
  expect("beside an integer", m.v, 6);
  double *d = __pardiff_fwddiff_pointer((void *)element, x, dx, 2);
  expect("pointer", d - dx, 2);
  expect("in place", dx[2], 2);
  double y[3] = {2, 3, 5}, dy[3] = {1, 10, 100};
  __pardiff_fwddiff_void((void *)shift, y, dy, 3);
  expect("cleared", dy[0], 0);
  expect("moved", dy[1], 1);
  expect("moved and used", dy[2], 10 * 2 + 3 * 1);
  expect("grown", __pardiff_fwddiff((void *)grow, 1.5, 1.0), 2 * 40 * 1.5);
  double z[3] = {1, 2, 3}, dz[3] = {1, 1, 1}, ez[3] = {0, 0, 1};
  expect("list", __pardiff_fwddiff((void *)list, z, dz, 3), 12);
  struct lanes l = __pardiff_fwddiff_lanes((void *)list, pardiff_width, 2, z, dz, ez, 3);
  expect("lanes", l.d[0] + 100 * l.d[1], 612);
  expect("no tangent wanted", (__pardiff_fwddiff_void((void *)list, pardiff_const_return, z, dz, 3), 1), 1);
  return failures;
}
