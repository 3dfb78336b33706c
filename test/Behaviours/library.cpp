// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What C++ programs use: vectors that grow, lists and maps, optional, variant and
// pointers that own; classes with operators and expression templates, as linear
// algebra libraries have them.
//
// RUN: %clangxx -std=c++17 -w -O0 -Xclang -llvm-verify-each %s -o %t0 && %t0
// RUN: %clangxx -std=c++17 -w -O1 %s -o %t1 && %t1
// RUN: %clangxx -std=c++17 -w -O2 -g %s -o %t2 && %t2
// RUN: %clangxx -std=c++17 -w -O3 %s -o %t3 && %t3
#include "../Flow/Inputs/gradient.h"

#include <array>
#include <list>
#include <memory>
#include <optional>
#include <numeric>
#include <algorithm>
#include <vector>

static double vectors(double *x, int n) {
  std::vector<double> v;
  std::vector<std::vector<double>> rows(3);
  for (int i = 0; i < n; ++i) {
    v.push_back(x[i] * x[0]);
    rows[i % 3].push_back(v.back() * x[i]);
  }
  v.insert(v.begin() + 2, x[5]);
  v.erase(v.begin());
  v.resize(2 * n, x[1]);
  double s = std::accumulate(v.begin(), v.end(), 0.0);
  for (auto &row : rows)
    for (double value : row)
      s += value * value;
  return s + *std::max_element(v.begin(), v.end());
}

static double lists(double *x, int n) {
  std::list<double> l;
  for (int i = 0; i < n; ++i)
    i % 2 ? l.push_back(x[i]) : l.push_front(x[i] * x[0]);
  double s = 1;
  for (double v : l)
    s = s * v + x[2];
  return s;
}

struct Node {
  double value;
  std::unique_ptr<Node> next;
};
static double owners(double *x, int n) {
  std::unique_ptr<Node> head;
  for (int i = 0; i < n; ++i) {
    auto node = std::make_unique<Node>();
    node->value = x[i];
    node->next = std::move(head);
    head = std::move(node);
  }
  auto shared = std::make_shared<double>(x[0] * x[1]);
  std::shared_ptr<double> other = shared;
  double s = 0, p = 1;
  for (Node *m = head.get(); m; m = m->next.get())
    s += p *= m->value * *other;
  return s;
}

static std::optional<double> inverse(double v) {
  if (v < 0.8)
    return std::nullopt;
  return 1 / v;
}
static double optionals(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    if (auto v = inverse(x[i]))
      s += *v * x[0];
    else
      s += x[i] * 2;
  return s;
}

// Sums and products of vectors without temporaries.
template <class L, class R> struct Sum {
  const L &l;
  const R &r;
  double operator[](int i) const { return l[i] + r[i]; }
};
template <class L, class R> struct Product {
  const L &l;
  const R &r;
  double operator[](int i) const { return l[i] * r[i]; }
};
template <int N> struct Vector {
  std::array<double, N> v{};
  double &operator[](int i) { return v[i]; }
  double operator[](int i) const { return v[i]; }
  template <class E> Vector &operator=(const E &e) {
    for (int i = 0; i < N; ++i)
      v[i] = e[i];
    return *this;
  }
};
template <class L, class R> Sum<L, R> operator+(const L &l, const R &r) { return {l, r}; }
template <class L, class R> Product<L, R> operator*(const L &l, const R &r) { return {l, r}; }
static double expressions(double *x, int n) {
  Vector<4> a, b, c;
  for (int i = 0; i < 4; ++i)
    a[i] = x[i], b[i] = x[i + 3] * x[0];
  c = a + b * a;
  a = c * c + b;
  return a[0] * a[3] + c[1] * c[2];
}

// Solves a small system by elimination, in memory of run-time size.
struct Matrix {
  int n;
  std::vector<double> a;
  explicit Matrix(int n) : n(n), a(n * n) {}
  double &operator()(int i, int j) { return a[i * n + j]; }
};
static double solve(double *x, int n) {
  Matrix m(n);
  std::vector<double> b(x, x + n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      m(i, j) = x[i] * x[j] * 0.1 + (i == j ? 2 + x[i] : 0) + 0.1 * i;
  for (int k = 0; k < n; ++k) {
    int best = k;
    for (int i = k + 1; i < n; ++i)
      if (std::fabs(m(i, k)) > std::fabs(m(best, k)))
        best = i;
    if (best != k) {
      for (int j = 0; j < n; ++j)
        std::swap(m(k, j), m(best, j));
      std::swap(b[k], b[best]);
    }
    for (int i = k + 1; i < n; ++i) {
      double f = m(i, k) / m(k, k);
      for (int j = k; j < n; ++j)
        m(i, j) -= f * m(k, j);
      b[i] -= f * b[k];
    }
  }
  double s = 0;
  for (int i = n; i-- > 0;) {
    for (int j = i + 1; j < n; ++j)
      b[i] -= m(i, j) * b[j];
    b[i] /= m(i, i);
    s += b[i] * (i + 1);
  }
  return s;
}

int main() {
  CHECK(vectors);
  CHECK(lists);
  CHECK(owners);
  CHECK(optionals);
  CHECK(expressions);
  CHECK(solve);
  return failures;
}
