// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory from malloc and its relatives, that is freed before the reverse sweep
// has read it; variable-length arrays; copies of structs.
//
// RUN: %clangxx -std=c++17 -Wno-vla-cxx-extension -O0 -Xclang -llvm-verify-each -fsanitize=address,undefined -fno-sanitize-recover %s -o %t0 && env ASAN_OPTIONS=detect_leaks=0 %t0
// RUN: %clangxx -std=c++17 -Wno-vla-cxx-extension -O1 -Xclang -llvm-verify-each %s -o %t1 && %t1
// RUN: %clangxx -std=c++17 -Wno-vla-cxx-extension -O2 -g -Xclang -llvm-verify-each %s -o %t2 && %t2
// RUN: %clangxx -std=c++17 -Wno-vla-cxx-extension -O3 -Xclang -llvm-verify-each %s -o %t3 && %t3
// RUN: valgrind -q --leak-check=full --error-exitcode=9 %t1
// RUN: %not %clangxx -std=c++17 -DREFUSED -c %s -o %t4 2>&1 | %FileCheck %s
// CHECK: error: pardiff: the function that is called here has no definition that can be differentiated: call of qsort
#include "Inputs/gradient.h"
#include <cstdlib>

static double buffers(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    double *b = (double *)malloc(2 * sizeof(double));
    b[0] = x[i] * s;
    b[1] = std::sin(b[0] + x[i]);
    s += b[0] * b[1] + 1;
    if (i % 2)
      free(b);
    else
      free(b);
  }
  return s;
}

static double growing(double *x, int n) {
  int capacity = 1;
  double *b = (double *)calloc(capacity, sizeof(double)), s = 0;
  for (int i = 0; i < n; ++i) {
    if (i >= capacity) {
      capacity *= 2;
      b = (double *)realloc(b, capacity * sizeof(double));
    }
    b[i] = x[i] * x[i];
  }
  for (int i = 0; i < n; ++i)
    s += b[i] * b[n - 1 - i];
  free(b);
  return s;
}

static double aligned(double *x, int n) {
  void *memory;
  if (posix_memalign(&memory, 64, n * sizeof(double)))
    return 0;
  double *b = (double *)memory, s = 0;
  for (int i = 0; i < n; ++i)
    b[i] = x[i] * x[(i + 1) % n];
  for (int i = 0; i < n; ++i)
    s += b[i] * b[i] * i;
  free(memory);
  return s;
}

static double variable(double *x, int n) {
  double s = 1;
  for (int k = 1; k < n; ++k) {
    double v[k];
    for (int i = 0; i < k; ++i)
      v[i] = x[i] * s;
    s = 1 + 0.1 * v[k - 1] * v[0];
  }
  return s;
}

struct Mixed {
  int number;
  float single;
  double *p;
  double value[2];
};
static Mixed pass(Mixed m) {
  m.value[0] *= m.value[1];
  return m;
}
static double structs(double *x, int n) {
  Mixed all[8];
  for (int i = 0; i < n; ++i) {
    Mixed m = {i, 0.5f, x + i, {x[i], x[(i + 1) % n]}};
    all[i] = pass(m);
  }
  memmove(all + 1, all, (n - 1) * sizeof(Mixed));
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += all[i].value[0] * all[i].number * *all[i].p + all[i].single;
  return s;
}

static double overlapping(double *x, int n) {
  memmove(x + 2, x, (n - 2) * sizeof(double));
  x[0] *= x[1];
  memmove(x, x + 1, (n - 1) * sizeof(double));
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i] * (i + 1);
  return s;
}

#ifdef REFUSED
static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}
static double refused(double *x, int n) {
  qsort(x, n, sizeof(double), compare);
  return x[0] * x[1];
}
#endif

int main() {
  CHECK(buffers);
  CHECK(growing);
  CHECK(aligned);
  CHECK(variable);
  CHECK(structs);
  CHECK(overlapping);
#ifdef REFUSED
  CHECK(refused);
#endif
  return failures;
}
