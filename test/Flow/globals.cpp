// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Global variables that the function writes have shadows, which are zero again
// afterwards. The flow engine refuses a thread-local one.
//
// RUN: %clangxx -std=c++17 -O0 -Xclang -llvm-verify-each %s -o %t0 && %t0
// RUN: %clangxx -std=c++17 -O1 -Xclang -llvm-verify-each %s -o %t1 && %t1
// RUN: %clangxx -std=c++17 -O2 -Xclang -llvm-verify-each %s -o %t2 && %t2
// RUN: %clangxx -std=c++17 -O3 -Xclang -llvm-verify-each %s -o %t3 && %t3
// RUN: %not %clangxx -std=c++17 -mllvm -pardiff-force-fallback -DTHREAD_LOCAL -c %s -o %t4 2>&1 | %FileCheck %s
// CHECK: error: pardiff: a thread-local variable is written: {{.*}}last
#include "Inputs/gradient.h"

static double state[3], total;
static double *where = state;
static struct {
  int count;
  double value;
} both;

static double stateful(double *x, int n) {
  total = 0;
  for (int k = 0; k < 3; ++k)
    state[k] = x[k];
  for (int i = 0; i < n; ++i) {
    state[i % 3] = state[(i + 1) % 3] * x[i] + 0.1;
    total += where[i % 3];
  }
  return total * total;
}

static double counter(double *x, int n) {
  both.count = 0;
  both.value = 1;
  for (int i = 0; i < n; ++i) {
    both.count += i;
    both.value *= x[i] + 0.01 * both.count;
  }
  return both.value;
}

// What was in it at first is constant.
static double kept = 3;
static double reader(double *x, int n) {
  double s = kept * x[0];
  kept = x[1];
  s += kept * x[2];
  kept = 3;
  return s;
}

// Numbers beside pointers: their shadows are zero again, too.
struct Term {
  double (*f)(double);
  double weight;
  double last[2];
};
static double cube(double v) { return v * v * v; }
static Term term = {cube, 2, {1, 1}}, terms[40] = {{cube, 3, {0, 1}}, {cube}};
static double pointers(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    Term *t = i % 2 ? &term : terms + i % 40;
    t->f = cube;
    s += t->weight * t->f(x[i]) * t->last[0];
    t->last[i % 2] = x[i] * s;
  }
  Term *all[] = {&term, terms, terms + 1, terms + 2, terms + 4, terms + 6};
  for (Term *t : all) {
    s += t->last[1];
    t->last[0] = t->last[1] = 1;
  }
  return s;
}

#ifdef THREAD_LOCAL
static thread_local double last;
static double local(double *x, int n) {
  last = x[0];
  for (int i = 1; i < n; ++i)
    last = last * x[i];
  return last;
}
#endif

int main() {
  CHECK(stateful);
  CHECK(counter);
  CHECK(reader);
  CHECK(pointers);
#ifdef THREAD_LOCAL
  CHECK(local);
#endif
  return failures;
}
