// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sum over a linked list.
#include "../flow.h"

template <class Result, class... T> Result __pardiff_autodiff(T...);

struct Node {
  double Value;
  Node *Next;
};

static double sum(const Node *N) {
  double Sum = 0;
  for (; N; N = N->Next)
    Sum += N->Value * N->Value;
  return Sum;
}

static const int Count = 100000;
static std::vector<Node> nodes(Count), shadows(Count);
const char *const name = "list";

// Neighbours in the list are no neighbours in memory.
static void link(std::vector<Node> &N) {
  for (int I = 0; I < Count; ++I)
    N[I * 7919l % Count].Next =
        I + 1 < Count ? &N[(I + 1) * 7919l % Count] : nullptr;
}

std::vector<double *> inputs() {
  Numbers Next{4};
  link(nodes);
  link(shadows);
  std::vector<double *> In;
  for (Node &N : nodes) {
    N.Value = Next(-1, 1);
    In.push_back(&N.Value);
  }
  return In;
}
double primal() { return sum(nodes.data()); }
void ours() {
  __pardiff_autodiff<void>((void *)sum, nodes.data(), shadows.data());
}
std::vector<double> gradient() {
  std::vector<double> G;
  for (Node &N : shadows)
    G.push_back(N.Value);
  return G;
}
void clear() {
  for (Node &N : shadows)
    N.Value = 0;
}
