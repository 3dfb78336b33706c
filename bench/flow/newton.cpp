// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For each element a root by Newton's iteration, until the step is small.
#include "../flow.h"

template <class Result, class... T> Result __pardiff_autodiff(T...);

// Kepler's equation: e - c sin(e) = m.
static double solve(const double *M, const double *C, int N) {
  double Sum = 0;
  for (int I = 0; I < N; ++I) {
    double E = M[I], Step;
    do {
      Step = (E - C[I] * std::sin(E) - M[I]) / (1 - C[I] * std::cos(E));
      E -= Step;
    } while (std::fabs(Step) > 1e-12);
    Sum += E * E;
  }
  return Sum;
}

static const int Count = 20000;
static std::vector<double> m(Count), c(Count), dm(Count), dc(Count);
const char *const name = "newton";

std::vector<double *> inputs() {
  Numbers Next{2};
  std::vector<double *> In;
  for (double &V : m)
    V = Next(0, 3), In.push_back(&V);
  for (double &V : c)
    V = Next(0, 0.8), In.push_back(&V);
  return In;
}
double primal() { return solve(m.data(), c.data(), Count); }
void ours() {
  __pardiff_autodiff<void>((void *)solve, m.data(), dm.data(), c.data(),
                           dc.data(), Count);
}
std::vector<double> gradient() {
  std::vector<double> G = dm;
  G.insert(G.end(), dc.begin(), dc.end());
  return G;
}
void clear() {
  for (int I = 0; I < Count; ++I)
    dm[I] = dc[I] = 0;
}
