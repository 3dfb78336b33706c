// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Advection with a stencil that depends on data: upwind, with a limited slope,
// and as many steps as it takes until the largest value is small enough.
#include "../flow.h"

template <class Result, class... T> Result __pardiff_autodiff(T...);

static double advect(const double *Start, const double *Speed, int N) {
  std::vector<double> U(Start, Start + N), Next(N);
  double Sum = 0, Peak;
  int Steps = 0;
  do {
    Peak = 0;
    for (int I = 0; I < N; ++I) {
      int L = I == 0 ? N - 1 : I - 1, R = I == N - 1 ? 0 : I + 1;
      double A = U[I] - U[L], B = U[R] - U[I], V = Speed[I];
      double Slope = 0;
      if (A * B > 0)
        Slope = std::fabs(A) < std::fabs(B) ? A : B;
      double D = V > 0 ? A + 0.5 * Slope : B - 0.5 * Slope;
      Next[I] = 0.99 * (U[I] - 0.3 * V * D);
      Peak = std::fmax(Peak, std::fabs(Next[I]));
    }
    std::swap(U, Next);
  } while (Peak > 0.5 && ++Steps < 1000);
  for (int I = 0; I < N; ++I)
    Sum += U[I] * U[I];
  return Sum;
}

static const int Count = 10000;
static std::vector<double> u(Count), v(Count), du(Count), dv(Count);
const char *const name = "stencil";

std::vector<double *> inputs() {
  Numbers Next{3};
  std::vector<double *> In;
  for (double &V : u)
    V = Next(-1, 1), In.push_back(&V);
  for (double &V : v)
    V = Next(-1, 1), In.push_back(&V);
  return In;
}
double primal() { return advect(u.data(), v.data(), Count); }
void ours() {
  __pardiff_autodiff<void>((void *)advect, u.data(), du.data(), v.data(),
                           dv.data(), Count);
}
std::vector<double> gradient() {
  std::vector<double> G = du;
  G.insert(G.end(), dv.begin(), dv.end());
  return G;
}
void clear() {
  for (int I = 0; I < Count; ++I)
    du[I] = dv[I] = 0;
}
