//===- bench/flow.h - What the programs of bench/flow share -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program defines the functions and the field of inputs below, and includes
// this file last. Its main checks the gradient against central differences in
// random directions, times primal and gradient (which includes the primal) on
// one thread, and prints one JSON object. Times are the best of several runs,
// in processor time.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_BENCH_FLOW_H
#define PARDIFF_BENCH_FLOW_H

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <sys/resource.h>
#include <vector>

extern const char *const name;
std::vector<double *> inputs(); // where the inputs are, at their first values
double primal();                // leaves the inputs as they are
void ours();                    // primal and gradient
std::vector<double> gradient(); // what ours added, in the order of the inputs
void clear();                   // the gradient becomes zero

// Numbers between Low and High that look random and are the same in every run.
struct Numbers {
  unsigned State;
  double operator()(double Low, double High) {
    State = State * 1664525u + 1013904223u;
    return Low + (High - Low) * (State >> 8) / double(1u << 24);
  }
};

static double seconds() {
  timespec T;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &T);
  return T.tv_sec + 1e-9 * T.tv_nsec;
}

template <class Function> static double best(Function Run, int Repeats) {
  double Least = 1e30;
  for (int R = 0; R < Repeats; ++R) {
    double Begin = seconds();
    Run();
    Least = std::fmin(Least, seconds() - Begin);
  }
  return Least * 1e3;
}

// The largest difference between the derivative in some directions and central
// differences, over the sum of the magnitudes that it is made of.
static double largestDifference() {
  std::vector<double *> In = inputs();
  clear();
  ours();
  std::vector<double> Got = gradient(), Start;
  for (double *P : In)
    Start.push_back(*P);
  Numbers Next{7};
  double Worst = Got.size() == In.size() ? 0 : INFINITY;
  for (int Try = 0; Try < 3; ++Try) {
    std::vector<double> Direction;
    double Sum = 0, Size = 1e-300, H = 1e-6, Value[2];
    for (size_t I = 0; I < In.size(); ++I) {
      Direction.push_back(Next(-1, 1));
      Sum += Got[I] * Direction[I];
      Size += std::fabs(Got[I] * Direction[I]);
    }
    for (int Side = 0; Side < 2; ++Side) {
      for (size_t I = 0; I < In.size(); ++I)
        *In[I] = Start[I] + (Side ? H : -H) * Direction[I];
      Value[Side] = primal();
    }
    double Off = std::fabs((Value[1] - Value[0]) / (2 * H) - Sum) / Size;
    Worst = Off <= Worst ? Worst : Off;
  }
  for (size_t I = 0; I < In.size(); ++I)
    *In[I] = Start[I];
  return Worst;
}

int main(int ArgC, char **ArgV) {
  int Repeats = ArgC > 1 ? std::atoi(ArgV[1]) : 5;
  double Off = largestDifference();
  volatile double Sink = 0;
  double P = best([&] { Sink = Sink + primal(); }, Repeats);
  double O = best(ours, Repeats);
  rusage Usage;
  getrusage(RUSAGE_SELF, &Usage);
  std::printf("{\"name\": \"%s\", \"difference\": %.3g, \"primal_ms\": %.3f, "
              "\"ours_ms\": %.3f, \"peak_kb\": %ld}\n",
              name, Off, P, O, Usage.ru_maxrss);
  return Off <= 1e-5 ? 0 : 1;
}

#endif // PARDIFF_BENCH_FLOW_H
