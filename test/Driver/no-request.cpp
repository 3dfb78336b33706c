// The same in C++.
// RUN: %plain-clang -O0 -c %s -o %t.plain.o
// RUN: %clangxx -O0 -c %s -o %t.plugin.o
// RUN: cmp %t.plain.o %t.plugin.o
// RUN: %plain-clang -O2 -g -c %s -o %t.plain.o
// RUN: %clangxx -O2 -g -c %s -o %t.plugin.o
// RUN: cmp %t.plain.o %t.plugin.o
#include <pardiff/pardiff.h>
#include <vector>

double sum(const std::vector<double> &v) {
  double s = 0;
  for (double x : v)
    s += x;
  return s;
}
