// Loads and stores that happen only where data says so. Elements that are not touched
// are behind the end of the arrays, on a page that nobody may access, in both sweeps.
// RUN: %check-levels --no-plain --nest=serial %s
//= kept for all: a n, y n

#include "check.h"
#include <sys/mman.h>
#include <unistd.h>

/* n doubles, of which the last m are out of reach. */
static double *reach(long n, long m) {
  long page = sysconf(_SC_PAGESIZE), bytes = (n - m) * (long)sizeof(double);
  long pages = (bytes + page - 1) / page;
  char *p = mmap(0, (pages + 1) * page, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(p + pages * page, page, PROT_NONE);
  return (double *)(p + pages * page - bytes);
}

static void guarded(int n, const double *restrict x, const double *restrict w,
                    double *restrict y, double *restrict a, double *restrict b,
                    double *restrict s) {
  // A store, and a product with what is there.
  for (int i = 0; i < n; i++)
    if (x[i] > 0)
      y[i] = y[i] * y[i] + sqrt(x[i]) * w[i];
  // Two arrays.
  for (int i = 0; i < n; i++)
    if (x[i] > 0)
      a[i] *= x[i];
    else
      b[i] = x[i] * x[i] + w[0];
  // Conditions inside of conditions, on what was loaded under one.
  for (int i = 0; i < n; i++)
    if (x[i] > 0)
      if (y[i] > 0.5 && w[i] < 1.5)
        a[i] += exp(y[i]);
  // A sum.
  double sum = 0;
  for (int i = 0; i < n; i++)
    if (x[i] > 0)
      sum += a[i] * y[i];
  s[0] += sum;
}

static int n;
static double *x, *dx, *w, *dw, *y, *dy, *a, *da, *b, *db, *s, *ds;

static double primal(void) {
  guarded(n, x, w, y, a, b, s);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)guarded, pardiff_const, n, pardiff_dup, x, dx,
                     pardiff_dup, w, dw, pardiff_dup, y, dy, pardiff_dup, a, da,
                     pardiff_dup, b, db, pardiff_dup, s, ds);
  return 0;
}

int main(void) {
  n = check_size(64);
  int m = n / 2; // elements that are touched, at most
  double *start[5], *seed[5], *at[5], *shadow[5];
  x = at[0] = reach(n, 0), dx = shadow[0] = reach(n, 0);
  w = at[1] = reach(n, n - m), dw = shadow[1] = reach(n, n - m);
  y = at[2] = reach(n, n - m), dy = shadow[2] = reach(n, n - m);
  a = at[3] = reach(n, n - m), da = shadow[3] = reach(n, n - m);
  b = at[4] = reach(n, 0), db = shadow[4] = reach(n, 0);
  s = malloc(sizeof *s), ds = malloc(sizeof *ds);
  int size[5] = {n, m, m, m, n};
  for (int k = 0; k < 5; k++) {
    start[k] = malloc(n * sizeof(double));
    seed[k] = malloc(n * sizeof(double));
    for (int i = 0; i < n; i++) {
      start[k][i] = check_random(0.2, 2);
      seed[k][i] = check_random(-1, 1);
      if (k == 0 && (i >= m || i % 3 == 0))
        start[k][i] = -start[k][i];
    }
  }
  // The shadow of s is the seed of the sum.
  double sumSeed = 0.7;
  for (int k = 0; k < 5; k++) {
    memcpy(at[k], start[k], size[k] * sizeof(double));
    memcpy(shadow[k], seed[k], size[k] * sizeof(double));
  }
  *s = 0, *ds = sumSeed;
  gradient();
  for (int k = 0; k < 5; k++) {
    double *want = malloc(n * sizeof(double));
    for (int i = 0; i < size[k]; i++) {
      double h = 1e-5, loss[2];
      for (int up = 0; up < 2; up++) {
        for (int l = 0; l < 5; l++)
          memcpy(at[l], start[l], size[l] * sizeof(double));
        *s = 0;
        at[k][i] += up ? h : -h;
        primal();
        loss[up] = sumSeed * *s;
        for (int l = 0; l < 5; l++)
          for (int j = 0; j < size[l]; j++)
            loss[up] += seed[l][j] * at[l][j];
      }
      want[i] = (loss[1] - loss[0]) / (2 * h);
    }
    check_close("gradient", shadow[k], want, size[k], 1e-6);
    free(want);
  }
  for (int k = 0; k < 5; k++)
    free(start[k]), free(seed[k]);
  return check_done();
}
