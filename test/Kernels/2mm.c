// D := alpha A B C + beta D; the product A B goes through an argument that is scratch.
// RUN: %check-levels --nest=0 %s
//= kept for A tmp D: nothing
//= kept for all: nothing

#include "check.h"

static void two_mm(int ni, int nj, int nk, int nl, double alpha, double beta,
                   double tmp[ni][nj], double A[ni][nk], double B[nk][nj],
                   double C[nj][nl], double D[ni][nl]) {
  for (int i = 0; i < ni; i++)
    for (int j = 0; j < nj; j++) {
      tmp[i][j] = 0;
      for (int k = 0; k < nk; k++)
        tmp[i][j] += alpha * A[i][k] * B[k][j];
    }
  for (int i = 0; i < ni; i++)
    for (int j = 0; j < nl; j++) {
      D[i][j] *= beta;
      for (int k = 0; k < nj; k++)
        D[i][j] += tmp[i][k] * C[k][j];
    }
}

static int ni, nj, nk, nl;
static double *tmp, *dtmp, *A, *dA, *B, *dB, *C, *dC, *D, *dD;

static double primal(void) {
  two_mm(ni, nj, nk, nl, 1.5, 1.25, (void *)tmp, (void *)A, (void *)B,
         (void *)C, (void *)D);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)two_mm, pardiff_const, ni, pardiff_const, nj,
                     pardiff_const, nk, pardiff_const, nl, pardiff_const, 1.5,
                     pardiff_const, 1.25, pardiff_dup, tmp, dtmp, pardiff_dup,
                     A, dA, pardiff_dup, B, dB, pardiff_dup, C, dC, pardiff_dup,
                     D, dD);
  return 0;
}

static void reference(void) {
  primal();
  for (int i = 0; i < ni; i++)
    for (int k = 0; k < nj; k++)
      for (int j = 0; j < nl; j++) {
        dtmp[i * nj + k] += C[k * nl + j] * dD[i * nl + j];
        dC[k * nl + j] += tmp[i * nj + k] * dD[i * nl + j];
      }
  for (int i = 0; i < ni * nl; i++)
    dD[i] *= 1.25;
  for (int i = 0; i < ni; i++)
    for (int j = 0; j < nj; j++) {
      for (int k = 0; k < nk; k++) {
        dA[i * nk + k] += 1.5 * B[k * nj + j] * dtmp[i * nj + j];
        dB[k * nj + j] += 1.5 * A[i * nk + k] * dtmp[i * nj + j];
      }
      dtmp[i * nj + j] = 0;
    }
}

int main(void) {
  ni = check_size(6), nj = check_size(7), nk = check_size(5),
  nl = check_size(8);
  tmp = check_active("tmp", ni * nj, -1, 1, &dtmp);
  A = check_active("A", ni * nk, -1, 1, &dA);
  B = check_active("B", nk * nj, -1, 1, &dB);
  C = check_active("C", nj * nl, -1, 1, &dC);
  D = check_active("D", ni * nl, -1, 1, &dD);
  return check_gradient(primal, gradient, reference);
}
