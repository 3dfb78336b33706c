// The best folding of a sequence: maxima of neighbours, of a diagonal neighbour with a
// bonus where two letters match, and of sums of a row's and a column's elements.
// RUN: %check-levels --nest=2 %s
//= kept for t: t (n - 1), t (n - 1) * (n - 1), t (n - 2) * (n - 2)
//= kept for all: t (n - 1), t (n - 1) * (n - 1), t (n - 2) * (n - 2)

#include "check.h"

static void nussinov(int n, const int seq[n], double bonus[n], double t[n][n]) {
  for (int i = n - 1; i >= 0; i--)
    for (int j = i + 1; j < n; j++) {
      if (j - 1 >= 0)
        t[i][j] = fmax(t[i][j], t[i][j - 1]);
      if (i + 1 < n)
        t[i][j] = fmax(t[i][j], t[i + 1][j]);
      if (j - 1 >= 0 && i + 1 < n) {
        if (i < j - 1)
          t[i][j] = fmax(t[i][j], t[i + 1][j - 1] + (seq[i] + seq[j] == 3 ? bonus[i] : 0));
        else
          t[i][j] = fmax(t[i][j], t[i + 1][j - 1]);
      }
      for (int k = i + 1; k < j; k++)
        t[i][j] = fmax(t[i][j], t[i][k] + t[k + 1][j]);
    }
}

static int n, seq[16];
static double *bonus, *dbonus, *t, *dt;

static double primal(void) {
  nussinov(n, seq, bonus, (void *)t);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)nussinov, pardiff_const, n, pardiff_const, seq, pardiff_dup,
                     bonus, dbonus, pardiff_dup, t, dt);
  return 0;
}

int main(void) {
  n = check_size(9);
  for (int i = 0; i < n; i++)
    seq[i] = (int)check_random(0, 4);
  bonus = check_active("bonus", n, 0.5, 1.5, &dbonus);
  t = check_active("t", n * n, -1, 1, &dt);
  return check_gradient(primal, gradient, 0);
}
