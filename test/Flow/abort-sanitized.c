// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// With both sanitizers, calls that do not return have a call of the address sanitizer's
// run time in front, which has no derivative.
//
// RUN: %clang -O0 -fsanitize=address,undefined -fno-sanitize-recover %s -o %t && %t
#include <pardiff/pardiff.h>
#include <stdlib.h>
static double positive(double x) {
  if (x < 0)
    abort();
  return x * x;
}
int main(void) { return __pardiff_autodiff((void *)positive, 3.0) != 6 || __pardiff_fwddiff((void *)positive, 3.0, 1.0) != 6; }
