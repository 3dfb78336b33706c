/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Softmax of the rows of a matrix, the largest entry taken off first. */
#include "bench.h"

enum { m = 2000, n = 500 };

static void softmax(int m, int n, double (*restrict x)[n],
                    double (*restrict y)[n]) {
  for (int i = 0; i < m; i++) {
    double top = x[i][0];
    for (int j = 1; j < n; j++)
      top = x[i][j] > top ? x[i][j] : top;
    double sum = 0;
    for (int j = 0; j < n; j++) {
      y[i][j] = exp(x[i][j] - top);
      sum += y[i][j];
    }
    for (int j = 0; j < n; j++)
      y[i][j] /= sum;
  }
}

static double *x, *y, *dx, *dy;
const char *const name = "softmax";
Field gradients[3];

void allocate(void) {
  x = numbers(m * n), y = numbers(m * n), dx = numbers(m * n),
  dy = numbers(m * n);
  gradients[0] = (Field){dx, m * n};
  gradients[1] = (Field){dy, m * n};
}

void start(void) {
  fill(x, m * n, -1, 1, 1);
  memset(dx, 0, m * n * sizeof *dx);
  fill(dy, m * n, -1, 1, 3);
}

void primal(void) { softmax(m, n, (void *)x, (void *)y); }

void ours(void) {
  __pardiff_autodiff((void *)softmax, pardiff_const, m, pardiff_const, n,
                     pardiff_dup, x, dx, pardiff_dup, y, dy);
}

/* dx_j = y_j (dy_j - sum_k y_k dy_k); the largest entry cancels. */
void hand(void) {
#pragma omp parallel for
  for (int i = 0; i < m; i++) {
    double *restrict X = x + i * n, *restrict Y = y + i * n;
    double *restrict dX = dx + i * n, *restrict dY = dy + i * n;
    double top = X[0], sum = 0, dot = 0;
    for (int j = 1; j < n; j++)
      top = X[j] > top ? X[j] : top;
    for (int j = 0; j < n; j++) {
      Y[j] = exp(X[j] - top);
      sum += Y[j];
    }
    for (int j = 0; j < n; j++)
      Y[j] /= sum;
    for (int j = 0; j < n; j++)
      dot += Y[j] * dY[j];
    for (int j = 0; j < n; j++) {
      dX[j] += Y[j] * (dY[j] - dot);
      dY[j] = 0;
    }
  }
}
