// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A recursion over a binary tree of nodes that point to each other.
#include "../flow.h"

template <class Result, class... T> Result __pardiff_autodiff(T...);

struct Node {
  double Weight;
  Node *Left, *Right;
};

static double evaluate(const Node *N, double X) {
  if (!N)
    return X;
  double A = evaluate(N->Left, X * N->Weight);
  double B = evaluate(N->Right, X - N->Weight);
  return std::sin(A) * N->Weight + A * B / (1 + B * B);
}

static const int Count = 1 << 16;
static std::vector<Node> nodes(Count), shadows(Count);
const char *const name = "tree";

// The children of node I are 2 I + 1 and 2 I + 2.
static void link(std::vector<Node> &N) {
  for (int I = 0; I < Count; ++I) {
    N[I].Left = 2 * I + 1 < Count ? &N[2 * I + 1] : nullptr;
    N[I].Right = 2 * I + 2 < Count ? &N[2 * I + 2] : nullptr;
  }
}

std::vector<double *> inputs() {
  Numbers Next{1};
  link(nodes);
  link(shadows);
  std::vector<double *> In;
  for (Node &N : nodes) {
    N.Weight = Next(0.5, 1.5);
    In.push_back(&N.Weight);
  }
  return In;
}
double primal() { return evaluate(nodes.data(), 0.7); }
void ours() {
  __pardiff_autodiff<double>((void *)evaluate, nodes.data(), shadows.data(),
                             0.7);
}
std::vector<double> gradient() {
  std::vector<double> G;
  for (Node &N : shadows)
    G.push_back(N.Weight);
  return G;
}
void clear() {
  for (Node &N : shadows)
    N.Weight = 0;
}
