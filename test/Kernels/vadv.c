// Vertical advection: in every column a tridiagonal system, eliminated downwards and
// solved upwards, with the first and the last level apart.
// RUN: %check-levels --nest=0 %s
//= kept for utens ccol dcol out: local ni * nj * (nk - 1)
//= kept for all: local ni * nj * (nk - 1)

#include "check.h"

static void vadv(int ni, int nj, int nk, double dtr,
                 double wcon[ni + 1][nj][nk], double u[ni][nj][nk],
                 double upos[ni][nj][nk], double utens[ni][nj][nk],
                 double ccol[ni][nj][nk], double dcol[ni][nj][nk],
                 double out[ni][nj][nk]) {
  const double bet_m = 0.5 * (1.0 - 0.1), bet_p = 0.5 * (1.0 + 0.1);
  for (int i = 0; i < ni; i++)
    for (int j = 0; j < nj; j++) {
      {
        double gcv = 0.25 * (wcon[i + 1][j][1] + wcon[i][j][1]);
        double cs = gcv * bet_m;
        ccol[i][j][0] = gcv * bet_p;
        double bcol = dtr - ccol[i][j][0];
        double term = -cs * (u[i][j][1] - u[i][j][0]);
        dcol[i][j][0] = (dtr * upos[i][j][0] + utens[i][j][0] + term) / bcol;
        ccol[i][j][0] = ccol[i][j][0] / bcol;
      }
      for (int k = 1; k < nk - 1; k++) {
        double gav = -0.25 * (wcon[i + 1][j][k] + wcon[i][j][k]);
        double gcv = 0.25 * (wcon[i + 1][j][k + 1] + wcon[i][j][k + 1]);
        double as = gav * bet_m, cs = gcv * bet_m;
        double acol = gav * bet_p;
        ccol[i][j][k] = gcv * bet_p;
        double bcol = dtr - acol - ccol[i][j][k];
        double term = -as * (u[i][j][k - 1] - u[i][j][k]) -
                      cs * (u[i][j][k + 1] - u[i][j][k]);
        dcol[i][j][k] = dtr * upos[i][j][k] + utens[i][j][k] + term;
        double divided = 1.0 / (bcol - ccol[i][j][k - 1] * acol);
        ccol[i][j][k] = ccol[i][j][k] * divided;
        dcol[i][j][k] = (dcol[i][j][k] - dcol[i][j][k - 1] * acol) * divided;
      }
      {
        double gav = -0.25 * (wcon[i + 1][j][nk - 1] + wcon[i][j][nk - 1]);
        double as = gav * bet_m, acol = gav * bet_p;
        double bcol = dtr - acol;
        double term = -as * (u[i][j][nk - 2] - u[i][j][nk - 1]);
        dcol[i][j][nk - 1] =
            dtr * upos[i][j][nk - 1] + utens[i][j][nk - 1] + term;
        double divided = 1.0 / (bcol - ccol[i][j][nk - 2] * acol);
        dcol[i][j][nk - 1] =
            (dcol[i][j][nk - 1] - dcol[i][j][nk - 2] * acol) * divided;
      }
      double data = dcol[i][j][nk - 1];
      out[i][j][nk - 1] = dtr * (data - upos[i][j][nk - 1]);
      for (int k = nk - 2; k >= 0; k--) {
        data = dcol[i][j][k] - ccol[i][j][k] * data;
        out[i][j][k] = dtr * (data - upos[i][j][k]);
      }
    }
}

static int ni, nj, nk;
static double *wcon, *dwcon, *u, *du, *upos, *dupos, *utens, *dutens, *ccol,
    *dccol, *dcol, *ddcol, *out, *dout;

static double primal(void) {
  vadv(ni, nj, nk, 3.0, (void *)wcon, (void *)u, (void *)upos, (void *)utens,
       (void *)ccol, (void *)dcol, (void *)out);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)vadv, pardiff_const, ni, pardiff_const, nj,
                     pardiff_const, nk, pardiff_const, 3.0, pardiff_dup, wcon,
                     dwcon, pardiff_dup, u, du, pardiff_dup, upos, dupos,
                     pardiff_dup, utens, dutens, pardiff_dup, ccol, dccol,
                     pardiff_dup, dcol, ddcol, pardiff_dup, out, dout);
  return 0;
}

int main(void) {
  ni = check_size(3), nj = check_size(4), nk = check_size(7);
  wcon = check_active("wcon", (ni + 1) * nj * nk, -1, 1, &dwcon);
  u = check_active("u", ni * nj * nk, -1, 1, &du);
  upos = check_active("upos", ni * nj * nk, -1, 1, &dupos);
  utens = check_active("utens", ni * nj * nk, -1, 1, &dutens);
  ccol = check_active("ccol", ni * nj * nk, -1, 1, &dccol);
  dcol = check_active("dcol", ni * nj * nk, -1, 1, &ddcol);
  out = check_active("out", ni * nj * nk, -1, 1, &dout);
  check_tolerance = 1e-8;
  return check_gradient(primal, gradient, 0);
}
