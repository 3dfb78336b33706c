// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Van der Pol's oscillator with steps that are as large as the error allows
// (Bogacki and Shampine's pair), for many parameters.
#include "../flow.h"

template <class Result, class... T> Result __pardiff_autodiff(T...);

static void rate(const double *Y, double Mu, double *F) {
  F[0] = Y[1];
  F[1] = Mu * (1 - Y[0] * Y[0]) * Y[1] - Y[0];
}

static double integrate(const double *Mu, int N) {
  double Sum = 0;
  for (int I = 0; I < N; ++I) {
    double Y[2] = {2, 0}, T = 0, H = 0.01;
    while (T < 5) {
      if (T + H > 5)
        H = 5 - T;
      double A[2], B[2], C[2], D[2], Z[2], New[2], Error = 0;
      rate(Y, Mu[I], A);
      for (int K = 0; K < 2; ++K)
        Z[K] = Y[K] + 0.5 * H * A[K];
      rate(Z, Mu[I], B);
      for (int K = 0; K < 2; ++K)
        Z[K] = Y[K] + 0.75 * H * B[K];
      rate(Z, Mu[I], C);
      for (int K = 0; K < 2; ++K)
        New[K] = Y[K] + H * (2 * A[K] + 3 * B[K] + 4 * C[K]) / 9;
      rate(New, Mu[I], D);
      for (int K = 0; K < 2; ++K) {
        double E = H * (-5 * A[K] / 72 + B[K] / 12 + C[K] / 9 - D[K] / 8) * 1e6;
        Error += E * E;
      }
      if (Error <= 1) {
        T += H;
        Y[0] = New[0];
        Y[1] = New[1];
      }
      double Factor = 0.9 * std::pow(Error + 1e-10, -1.0 / 6);
      H *= Factor < 0.2 ? 0.2 : Factor > 5 ? 5 : Factor;
    }
    Sum += Y[0] * Y[0] + Y[1];
  }
  return Sum;
}

static const int Count = 100;
static std::vector<double> mu(Count), dmu(Count);
const char *const name = "ode";

std::vector<double *> inputs() {
  Numbers Next{5};
  std::vector<double *> In;
  for (double &V : mu)
    V = Next(0.5, 3), In.push_back(&V);
  return In;
}
double primal() { return integrate(mu.data(), Count); }
void ours() {
  __pardiff_autodiff<void>((void *)integrate, mu.data(), dmu.data(), Count);
}
std::vector<double> gradient() { return dmu; }
void clear() {
  for (double &V : dmu)
    V = 0;
}
