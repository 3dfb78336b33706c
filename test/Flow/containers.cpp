// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Containers of the standard library are code like any other: memory that
// grows, is moved and freed, nodes linked by pointers, elements with pointers
// and integers among the numbers. (At -O0 accesses do not tell the types of the
// language. Where integers and numbers then look alike, it is refused: MAPS.)
//
// RUN: %clangxx -std=c++17 -O0 -Xclang -llvm-verify-each -fsanitize=address %s -o %t0 && env ASAN_OPTIONS=detect_leaks=0 %t0
// RUN: %not %clangxx -DMAPS -std=c++17 -O0 -c %s -o %t4 2>&1 | %FileCheck %s
// CHECK: error: pardiff: the bits of a floating-point value are used as an integer
// RUN: %clangxx -DMAPS -std=c++17 -O1 %s -o %t1 && %t1
// RUN: %clangxx -DMAPS -std=c++17 -O2 %s -o %t2 && %t2
// RUN: %clangxx -DMAPS -std=c++17 -O3 %s -o %t3 && %t3
#include "Inputs/gradient.h"
#include <algorithm>
#include <array>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

static double growing(double *x, int n) {
  std::vector<double> v;
  for (int i = 0; i < n; ++i)
    v.push_back(x[i] * x[i]);
  double s = 0;
  for (double y : v)
    s += y * y;
  return s;
}

struct Node {
  double value;
  std::unique_ptr<Node> next;
};

static double list(double *x, int n) {
  std::unique_ptr<Node> head;
  for (int i = 0; i < n; ++i) {
    auto node = std::make_unique<Node>();
    node->value = x[i] * x[i];
    node->next = std::move(head);
    head = std::move(node);
  }
  double s = 1;
  for (Node *p = head.get(); p; p = p->next.get())
    s = s * 0.5 + p->value * s;
  return s;
}

static double nodes(double *x, int n) {
  std::list<double> l;
  for (int i = 0; i < n; ++i)
    i % 2 ? l.push_back(x[i] * x[i]) : l.push_front(x[i]);
  l.erase(l.begin());
  double s = 1;
  for (double y : l)
    s = s * 0.5 + y * s;
  return s;
}

static double tree(double *x, int n) {
  std::map<int, double> m;
  for (int i = 0; i < n; ++i)
    m[(i * 5) % 4] += x[i] * x[i];
  double s = 0;
  for (auto &entry : m)
    s += entry.second * entry.second * (entry.first + 1);
  return s;
}

static double fixed(double *x, int n) {
  std::array<double, 4> a{};
  for (int i = 0; i < n; ++i)
    a[i % 4] += x[i] * a[(i + 1) % 4] + x[i];
  std::optional<double> o;
  if (a[0] > 0)
    o = a[0] * a[1];
  return o.value_or(2.0) + a[2];
}

struct Element {
  double a;
  int number;
  double b;
  double *p;
};

static double structs(double *x, int n) {
  std::vector<Element> v;
  for (int i = 0; i < n; ++i)
    v.push_back({x[i], i, x[i] * x[i], x + i});
  double s = 0;
  for (Element &e : v)
    s += e.a * e.b * (e.number + 1) * *e.p;
  return s;
}

static double sorted(double *x, int n) {
  std::vector<double> v(x, x + n);
  std::sort(v.begin(), v.end());
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += v[i] * v[i] * i;
  return s;
}

static double alternatives(double *x, int n) {
  std::variant<double, int> v;
  double s = 0;
  for (int i = 0; i < n; ++i) {
    if (i % 2)
      v = x[i] * 2;
    else
      v = i;
    if (auto *d = std::get_if<double>(&v))
      s += *d * *d;
    else
      s += std::get<int>(v) * x[i];
  }
  return s;
}

int main() {
  CHECK(growing);
  CHECK(list);
  CHECK(nodes);
  CHECK(fixed);
  CHECK(structs);
  CHECK(sorted);
#ifdef MAPS
  CHECK(tree);
  CHECK(alternatives);
#endif
  return failures;
}
