// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows in a std::vector that grows: the partial sums of each row above a bound.
#include "../flow.h"

template <class Result, class... T> Result __pardiff_autodiff(T...);

static double filter(const double *X, int Rows, int Columns) {
  double Total = 0;
  for (int R = 0; R < Rows; ++R) {
    std::vector<double> Kept;
    double Sum = 0;
    for (int C = 0; C < Columns; ++C) {
      Sum = 0.9 * Sum + X[R * Columns + C];
      if (Sum > 0)
        Kept.push_back(Sum * Sum);
    }
    for (size_t K = 1; K < Kept.size(); ++K)
      Total += Kept[K] * Kept[K - 1];
  }
  return Total;
}

static const int Rows = 200, Columns = 500;
static std::vector<double> x(Rows *Columns), dx(Rows *Columns);
const char *const name = "vector";

std::vector<double *> inputs() {
  Numbers Next{6};
  std::vector<double *> In;
  for (double &V : x)
    V = Next(-1, 1), In.push_back(&V);
  return In;
}
double primal() { return filter(x.data(), Rows, Columns); }
void ours() {
  __pardiff_autodiff<void>((void *)filter, x.data(), dx.data(), Rows, Columns);
}
std::vector<double> gradient() { return dx; }
void clear() {
  for (double &V : dx)
    V = 0;
}
