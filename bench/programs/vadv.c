/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Vertical advection, as in weather models: in every column a tridiagonal
 * system, eliminated downwards and solved upwards. */
#define PARDIFF_BENCH_DIFFERENCES
#include "bench.h"

enum { ni = 64, nj = 64, nk = 60 };
static const double dtr = 3.0;

static void
vadv(int ni, int nj, int nk, double dtr, double (*restrict wcon)[nj][nk],
     double (*restrict u)[nj][nk], double (*restrict upos)[nj][nk],
     double (*restrict utens)[nj][nk], double (*restrict ccol)[nj][nk],
     double (*restrict dcol)[nj][nk], double (*restrict out)[nj][nk]) {
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

enum { cells = ni * nj * nk, faces = (ni + 1) * nj * nk };
static double *wcon, *u, *upos, *utens, *ccol, *dcol, *out, *dwcon, *du, *dupos,
    *dutens, *dccol, *ddcol, *dout;
const char *const name = "vadv";
Array checked[] = {{&wcon, &dwcon, faces}, {&u, &du, cells},
                   {&upos, &dupos, cells}, {&utens, &dutens, cells},
                   {&ccol, &dccol, cells}, {&dcol, &ddcol, cells},
                   {&out, &dout, cells},   {0, 0, 0}};

void allocate(void) {
  for (Array *a = checked; a->values; a++)
    *a->values = numbers(a->count), *a->shadow = numbers(a->count);
}

void start(void) {
  fill(wcon, faces, -1, 1, 1), fill(u, cells, -1, 1, 2),
      fill(upos, cells, -1, 1, 3), fill(utens, cells, -1, 1, 4);
  for (Array *a = checked; a->values; a++)
    fill(*a->shadow, a->count, 0, 0, 0);
  fill(dout, cells, -1, 1, 5);
}

void primal(void) {
  vadv(ni, nj, nk, dtr, (void *)wcon, (void *)u, (void *)upos, (void *)utens,
       (void *)ccol, (void *)dcol, (void *)out);
}

void ours(void) {
  __pardiff_autodiff_void(
      (void *)vadv, pardiff_const, ni, pardiff_const, nj, pardiff_const, nk,
      pardiff_const, dtr, pardiff_dup, wcon, dwcon, pardiff_dup, u, du,
      pardiff_dup, upos, dupos, pardiff_dup, utens, dutens, pardiff_dup, ccol,
      dccol, pardiff_dup, dcol, ddcol, pardiff_dup, out, dout);
}
