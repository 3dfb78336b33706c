/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A value that is not computed in any iteration, on a tape next to a flag that says so:
 * LLVM took stores of undefined values and of the flag for one fill with undefined bytes,
 * and the reverse sweep ran a loop that the forward sweep had not entered.
 *
 * RUN: %clang -O1 -mllvm -pardiff-force-fallback %s -o %t && %t
 * RUN: %clang -O2 -mllvm -pardiff-force-fallback %s -o %t && %t
 * RUN: %clang -O3 -mllvm -pardiff-force-fallback %s -o %t && %t
 * RUN: %clang -O3 %s -o %t && %t
 */
#include <pardiff/pardiff.h>
#include <stdio.h>

static void f(int n, int m, double u, double *a, double (*b)[n + 8]) {
  for (int t = 0; t < 3; ++t) {
    for (int i = 2; i < m; ++i)
      a[(i + 4) * (m + 8) + i + 4] = 0.262;
    for (int i = 1; i < m - 1; ++i)
      for (int j = 0; j < n; ++j) {
        b[i + 4][j + 4] = (a[(i + 4) * (m + 8) + i + 4] + u) * 0.4;
        b[i - 1 + 4][j + 4] = 0.615;
      }
  }
  for (int i = 0; i < m + 8; ++i)
    a[0] += 0.0;
}

enum { m = 3, rows = m + 8, columns = 8 };

int main(void) {
  volatile int zero = 0, three = m;
  double a[rows * rows], da[rows * rows], b[rows][columns], db[rows][columns];
  for (int i = 0; i < rows * rows; i++)
    a[i] = 1 + i % 5, da[i] = 1 + i % 3;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      b[i][j] = i - j, db[i][j] = 1 + (i + j) % 4;
  double du = __pardiff_autodiff((void *)f, zero, three, 1.0, a, da, b, db);
  int failed = du != 0;
  for (int i = 0; i < rows * rows; i++)
    failed |= da[i] != (i == 6 * rows + 6 ? 0 : 1 + i % 3);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      failed |= db[i][j] != 1 + (i + j) % 4;
  if (failed)
    printf("derivative by u: %g\n", du);
  return failed;
}
