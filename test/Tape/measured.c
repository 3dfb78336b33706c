// What the report says of a tape's size is what the gradient allocates, and all of it is
// freed. Nothing is allocated where nothing is kept.
// RUN: %clang -O1 -fno-discard-value-names -mllvm -pardiff-report=%t.json %s -o %t -lm -Wl,--wrap=malloc -Wl,--wrap=free
// RUN: %t > %t.txt
// RUN: %python %S/Inputs/measured.py %t.json %t.txt

#include "pardiff/pardiff.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static long allocated, freed;
void *__real_malloc(size_t n);
void __real_free(void *p);
static size_t sizes[64];
static void *blocks[64];
static int used;
void *__wrap_malloc(size_t n) {
  void *p = __real_malloc(n);
  allocated += n;
  sizes[used] = n;
  blocks[used++] = p;
  return p;
}
void __wrap_free(void *p) {
  for (int i = 0; i < used; i++)
    if (blocks[i] == p) {
      freed += sizes[i];
      blocks[i] = 0;
    }
  __real_free(p);
}

/* Two versions of a row in every step. */
void burgers(int t, int n, double *u) {
  for (int k = 0; k < t; k++)
    for (int i = 1; i < n - 1; i++)
      u[i] = u[i] * (u[i + 1] - u[i - 1]);
}
/* One value an element. */
void sines(int n, double *x) {
  for (int i = 0; i < n; i++)
    x[i] = sin(x[i]);
}
/* A scalar that changes in every iteration. */
void prefix(int n, const double *a, double *s) {
  double last = 1;
  for (int i = 0; i < n; i++) {
    last = a[i] * last + last * last;
    s[i] = last;
  }
}
/* All values are still there. */
void product(int n, const double *a, const double *b, double *c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      c[i] += a[i * n + j] * b[j];
}
/* The result serves in place of the argument. */
void exponentials(int n, double *x) {
  for (int i = 0; i < n; i++)
    x[i] = exp(x[i]);
}

static double a[400], b[400], c[400], da[400], db[400], dc[400];
static void report(const char *name, const char *values) {
  printf("%s %ld %ld %s\n", name, allocated, freed, values);
  allocated = freed = used = 0;
}

int main(void) {
  volatile int t = 7, n = 13;
  setvbuf(stdout, 0, _IONBF, 0);
  allocated = freed = used = 0;
  __pardiff_autodiff((void *)burgers, pardiff_const, t, pardiff_const, n, pardiff_dup, a, da);
  report("burgers", "t=7 n=13");
  __pardiff_autodiff((void *)sines, pardiff_const, n, pardiff_dup, a, da);
  report("sines", "n=13");
  __pardiff_autodiff((void *)prefix, pardiff_const, n, pardiff_dup, a, da, pardiff_dup, b,
                     db);
  report("prefix", "n=13");
  __pardiff_autodiff((void *)product, pardiff_const, n, pardiff_dup, a, da, pardiff_dup, b,
                     db, pardiff_dup, c, dc);
  report("product", "n=13");
  __pardiff_autodiff((void *)exponentials, pardiff_const, n, pardiff_dup, a, da);
  report("exponentials", "n=13");
  return 0;
}
