// Rows of a table by their numbers, and a position in it that is computed from a number:
// the subscripts are read in an outer loop. Numbers start at one, as in Fortran.
// RUN: %check-levels --nest=0 --atomic %s
//= kept for all: nothing

#include "check.h"
#include <stdlib.h>

static void embed(int n, int d, const long *token, const double *table,
                  const double *scale, double *out) {
  for (int i = 0; i < n; i++) {
    long t = token[i] - 1;
    for (int j = 0; j < d; j++)
      out[i * d + j] = sin(table[t * d + j]) * scale[t % 3 + j];
  }
}

static int n, d;
static long *token;
static double *table, *dtable, *scale, *dscale, *out, *dout;

static double primal(void) {
  embed(n, d, token, table, scale, out);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)embed, pardiff_const, n, pardiff_const, d,
                     pardiff_const, token, pardiff_dup, table, dtable,
                     pardiff_dup, scale, dscale, pardiff_dup, out, dout);
  return 0;
}

static void reference(void) {
  primal();
  for (int i = 0; i < n; i++)
    for (int j = 0; j < d; j++) {
      long t = token[i] - 1;
      dtable[t * d + j] +=
          cos(table[t * d + j]) * scale[t % 3 + j] * dout[i * d + j];
      dscale[t % 3 + j] += sin(table[t * d + j]) * dout[i * d + j];
      dout[i * d + j] = 0;
    }
}

int main(void) {
  n = check_size(200);
  d = check_size(12);
  table = check_active("table", 9L * d, -1, 1, &dtable);
  scale = check_active("scale", d + 2, -1, 1, &dscale);
  out = check_active("out", (long)n * d, -1, 1, &dout);
  token = malloc(sizeof(long) * (n + 1));
  for (int i = 0; i < n; i++)
    token[i] = i * 31 % 9 + 1;
  return check_gradient(primal, gradient, reference);
}
