// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Split mode from C++: the templates of the header, containers, a function that may
// throw.
//
// What an exception leaves on a tape is not freed (docs/flow.md).
// RUN: %clangxx -O0 -Xclang -llvm-verify-each -fsanitize=address,undefined -fno-sanitize-recover %s -o %t0 && env ASAN_OPTIONS=detect_leaks=0 %t0
// RUN: %clangxx -O2 -Xclang -llvm-verify-each %s -o %t2 && %t2
// RUN: %clangxx -O3 -fopenmp %s -o %t3 && %t3

#include <cmath>
#include <cstdio>
#include <pardiff/pardiff.h>
#include <stdexcept>
#include <vector>

struct Taped {
  void *Tape;
  double Value;
};

static double norm(const double *X, int N) {
  std::vector<double> Squares;
  for (int I = 0; I < N; ++I) {
    if (X[I] > 1e6)
      throw std::range_error("too large");
    Squares.push_back(X[I] * X[I]);
  }
  double S = 0;
  for (double Q : Squares)
    S += Q;
  return std::sqrt(S);
}

int main() {
  double X[2] = {3, 4}, D[2] = {0, 0};
  auto T = __pardiff_augmentfwd<Taped>(norm, pardiff_primal_return, pardiff_dup,
                                       X, D, pardiff_const, 2);
  __pardiff_reverse<void>(norm, pardiff_dup, X, D, pardiff_const, 2, 10.0, T.Tape);
  bool Thrown = false;
  try {
    X[1] = 1e7;
    void *Tape = __pardiff_augmentfwd(norm, pardiff_dup, X, D, pardiff_const, 2);
    __pardiff_reverse<void>(norm, pardiff_dup, X, D, pardiff_const, 2, 1.0, Tape);
  } catch (const std::range_error &) {
    Thrown = true;
  }
  std::printf("%g %g %g\n", T.Value, D[0], D[1]);
  return !(T.Value == 5 && std::fabs(D[0] - 6) < 1e-12 && std::fabs(D[1] - 8) < 1e-12 && Thrown);
}
