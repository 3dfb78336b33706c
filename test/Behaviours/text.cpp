// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Output, input and text beside the computation: none of it has a derivative.
//
// RUN: %clangxx -std=c++17 -w -O0 -Xclang -llvm-verify-each %s -o %t0 && %t0
// RUN: %clangxx -std=c++17 -w -O1 %s -o %t1 && %t1
// RUN: %clangxx -std=c++17 -w -O2 -g %s -o %t2 && %t2
// RUN: %clangxx -std=c++17 -w -O3 %s -o %t3 && %t3
#include "../Flow/Inputs/gradient.h"

#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>

static double printed(double *x, int n) {
  double s = 0;
  char name[32];
  for (int i = 0; i < n; ++i) {
    s += x[i] * x[i];
    sprintf(name, "%d", i);
    if (strlen(name) != 1 || strcmp(name, "9") == 0)
      s += 1;
    fprintf(stderr, "%s", "");
    printf("%s", i < 0 ? name : "");
    if (i > 100)
      putchar('x'), puts(name), fflush(stdout);
  }
  return s * x[1];
}

static double streams(double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; ++i) {
    s *= x[i];
    if (s > 1e6)
      std::cout << "large " << std::setprecision(3) << s << ' ' << i << std::endl;
    if (s < 0)
      std::cerr << "negative\n", std::wcout << L"negative\n", std::clog << x[i];
  }
  return s;
}

static double strings(double *x, int n) {
  std::string text = "a";
  double s = 0;
  for (int i = 0; i < n; ++i) {
    text += std::to_string(i);
    text.append(i, 'b');
    s += x[i] * x[i] * text.size();
    if (text.find('7') != std::string::npos || text == "none")
      s += x[0];
  }
  std::ostringstream all;
  all << text << n;
  return s * all.str().size();
}

int main() {
  CHECK(printed);
  CHECK(streams);
  CHECK(strings);
  return failures;
}
