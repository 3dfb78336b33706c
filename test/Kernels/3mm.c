// Three products of matrices, G := (A B)(C D): the products in between stay where they
// are.
// RUN: %check-levels --nest=0 %s
//= kept for A E G: nothing
//= kept for all: nothing

#include "check.h"

static void k3mm(int n, int m, int k, int l, int o, double *E, double *A,
                 double *B, double *F, double *C, double *D, double *G) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      E[i * m + j] = 0;
      for (int p = 0; p < k; p++)
        E[i * m + j] += A[i * k + p] * B[p * m + j];
    }
  for (int i = 0; i < m; i++)
    for (int j = 0; j < l; j++) {
      F[i * l + j] = 0;
      for (int p = 0; p < o; p++)
        F[i * l + j] += C[i * o + p] * D[p * l + j];
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < l; j++) {
      G[i * l + j] = 0;
      for (int p = 0; p < m; p++)
        G[i * l + j] += E[i * m + p] * F[p * l + j];
    }
}

static int n, m, k, l, o;
static double *E, *d_E, *A, *d_A, *B, *d_B, *F, *d_F, *C, *d_C, *D, *d_D, *G,
    *d_G;

static double primal(void) {
  k3mm(n, m, k, l, o, E, A, B, F, C, D, G);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)k3mm, pardiff_const, n, pardiff_const, m,
                     pardiff_const, k, pardiff_const, l, pardiff_const, o,
                     pardiff_dup, E, d_E, pardiff_dup, A, d_A, pardiff_dup, B,
                     d_B, pardiff_dup, F, d_F, pardiff_dup, C, d_C, pardiff_dup,
                     D, d_D, pardiff_dup, G, d_G);
  return 0;
}

int main(void) {
  n = check_size(6);
  m = check_size(5);
  k = check_size(4);
  l = check_size(7);
  o = check_size(3);
  E = check_active("E", n * m, -1, 1, &d_E);
  A = check_active("A", n * k, -1, 1, &d_A);
  B = check_active("B", k * m, -1, 1, &d_B);
  F = check_active("F", m * l, -1, 1, &d_F);
  C = check_active("C", m * o, -1, 1, &d_C);
  D = check_active("D", o * l, -1, 1, &d_D);
  G = check_active("G", n * l, -1, 1, &d_G);
  return check_gradient(primal, gradient, 0);
}
