// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Frames of recursive calls lie in one arena of the gradient, and have most of
// their fields only when the function does not return early: no allocation a
// call, several gradients at a time, variables with large alignment, calls in
// front of the early return and behind it.
//
// DEFINE: %{wrap} = -Wl,--wrap=malloc -Wl,--wrap=free -pthread
// RUN: %clangxx -std=c++17 -O0 -Xclang -llvm-verify-each %s -o %t0 %{wrap} && %t0
// RUN: %clangxx -std=c++17 -O1 %s -o %t1 %{wrap} && %t1
// RUN: %clangxx -std=c++17 -O2 -Xclang -llvm-verify-each %s -o %t2 %{wrap} && %t2
// RUN: %clangxx -std=c++17 -O3 %s -o %t3 %{wrap} && %t3
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <thread>

template <class Result, class... T> Result __pardiff_autodiff(T...);
template <class... T> void *__pardiff_augmentfwd(T...);
template <class Result, class... T> Result __pardiff_reverse(T...);

static std::atomic<long> live, all;
extern "C" {
void *__real_malloc(size_t);
void __real_free(void *);
void *__wrap_malloc(size_t n) { return ++live, ++all, __real_malloc(n); }
void __wrap_free(void *p) {
  live -= p != nullptr;
  __real_free(p);
}
}

struct Node {
  double Weight;
  Node *Left, *Right;
};

static double tree(const Node *n, double x) {
  if (!n)
    return x;
  double a = tree(n->Left, x * n->Weight);
  double b = tree(n->Right, x - n->Weight);
  return std::sin(a) * n->Weight + a * b / (1 + b * b);
}

// Two early returns, a call in front of the second, memory of the frame that is
// passed on by its address, and an alignment above that of the arena.
static double ladder(const double *x, int n, double *from) {
  if (n <= 0)
    return *from * 0.5;
  alignas(64) double local[8] = {x[n % 5], *from};
  if (reinterpret_cast<uintptr_t>(local) % 64)
    return 1e9;
  double below = ladder(x, n - 3, &local[1]);
  if (n % 2)
    return below * x[1];
  local[2] = below * local[0];
  double other = ladder(x, n - 4, &local[2]);
  for (int i = 0; i < n % 3; ++i)
    local[1] = std::sin(local[1] + other * x[i]);
  return other + local[1] * local[2];
}
static double start(const double *x, int n) {
  double one = x[2];
  return ladder(x, n, &one);
}

static int bad;
static void check(const char *what, double got, double want, double eps) {
  if (!(std::fabs(got - want) <= eps * (1 + std::fabs(want))))
    bad = 1, std::printf("%s: %.15g instead of %.15g\n", what, got, want);
}

static const int count = 4095;
static Node nodes[count], shadows[count];
static void link(Node *n) {
  for (int i = 0; i < count; ++i) {
    n[i].Weight = n == nodes ? 0.5 + (i * 37 % 101) * 0.01 : 0;
    n[i].Left = 2 * i + 1 < count ? n + 2 * i + 1 : nullptr;
    n[i].Right = 2 * i + 2 < count ? n + 2 * i + 2 : nullptr;
  }
}

template <class F> static double difference(F f, double &x) {
  double at = x, h = 1e-6;
  x = at + h;
  double up = f();
  x = at - h;
  double down = f();
  x = at;
  return (up - down) / (2 * h);
}

int main() {
  link(nodes);
  link(shadows);
  long before = all;
  double dx = __pardiff_autodiff<double>((void *)tree, nodes, shadows, 0.7);
  if (all - before > 100 || live != 0)
    bad = 1, std::printf("%ld allocations, %ld left\n", all - before, +live);
  double x = 0.7;
  check("tree", dx, difference([&] { return tree(nodes, x); }, x), 1e-6);
  for (int i : {0, 1, 17, 1000, 4094})
    check("weight", shadows[i].Weight,
          difference([&] { return tree(nodes, x); }, nodes[i].Weight), 1e-6);

  double v[5] = {0.9, 1.1, 0.7, 0.8, 1.2};
  for (int n : {0, 1, 2, 7, 12, 24}) {
    double d[5] = {};
    __pardiff_autodiff<void>((void *)start, v, d, n);
    for (int i = 0; i < 5; ++i)
      check("ladder", d[i], difference([&] { return start(v, n); }, v[i]),
            1e-6);
  }

  // Two at a time, the first one ends first, and in other threads.
  double a[5] = {}, b[5] = {}, c[5] = {}, e[5] = {};
  void *first = __pardiff_augmentfwd((void *)start, v, a, 24);
  void *second = __pardiff_augmentfwd((void *)start, v, b, 12);
  std::thread t1([&] {
    __pardiff_reverse<void>((void *)start, v, a, 24, 1.0, first);
    __pardiff_autodiff<void>((void *)start, v, c, 24);
  });
  std::thread t2([&] {
    __pardiff_reverse<void>((void *)start, v, b, 12, 1.0, second);
    __pardiff_autodiff<void>((void *)start, v, e, 12);
  });
  t1.join();
  t2.join();
  for (int i = 0; i < 5; ++i) {
    check("split", a[i], c[i], 1e-12);
    check("split", b[i], e[i], 1e-12);
    check("thread", c[i], difference([&] { return start(v, 24); }, v[i]), 1e-6);
  }
  return bad;
}
