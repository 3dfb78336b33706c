// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Wrong uses of a tape that only show when the program runs.
//
// RUN: %clang -O0 %s -o %t0 -lm
// RUN: %clang -O2 %s -o %t2 -lm
// RUN: %not --crash %t0 1 2>&1 | %FileCheck %s --check-prefix=NULLTAPE
// RUN: %not --crash %t2 1 2>&1 | %FileCheck %s --check-prefix=NULLTAPE
// NULLTAPE: pardiff: stopped: the tape for the reverse sweep of 'f' is null, or was used before
// RUN: %not --crash %t0 2 2>&1 | %FileCheck %s --check-prefix=USED
// RUN: %not --crash %t2 2 2>&1 | %FileCheck %s --check-prefix=USED
// USED: pardiff: stopped: the tape for the reverse sweep of 'f' is null, or was used before
// RUN: %not --crash %t0 3 2>&1 | %FileCheck %s --check-prefix=OTHER
// RUN: %not --crash %t2 3 2>&1 | %FileCheck %s --check-prefix=OTHER
// OTHER: pardiff: stopped: the tape for the reverse sweep of 'g' is not one of its forward sweep with the same markers, or was used before
// RUN: %not --crash %t0 4 2>&1 | %FileCheck %s --check-prefix=MARKERS
// RUN: %not --crash %t2 4 2>&1 | %FileCheck %s --check-prefix=MARKERS
// MARKERS: pardiff: stopped: the tape for the reverse sweep of 'f' is not one of its forward sweep with the same markers
// RUN: %not --crash %t0 5 2>&1 | %FileCheck %s --check-prefix=POINTER
// RUN: %not --crash %t2 5 2>&1 | %FileCheck %s --check-prefix=POINTER
// POINTER: pardiff: stopped: the shadow of argument 1 of 'g' is not the one of the forward sweep
// RUN: %not --crash %t0 6 2>&1 | %FileCheck %s --check-prefix=SHADOW
// RUN: %not --crash %t2 6 2>&1 | %FileCheck %s --check-prefix=SHADOW
// SHADOW: pardiff: stopped: the shadow of argument 1 of 'g' is a null pointer
#include <pardiff/pardiff.h>
#include <stdlib.h>

void __pardiff_augmentfwd_void(void *, ...);

static double f(double x, double y) { return x * y; }
static double g(const double *x) { return x[0] * x[0]; }

int main(int argc, char **argv) {
  double x = argc, dx = 0, other = 0, s = 0;
  void *t = NULL;
  switch (atoi(argv[1])) {
  case 1:
    s = __pardiff_reverse((void *)f, x, pardiff_const, x, 1.0, t);
    break;
  case 2:
    __pardiff_augmentfwd_void((void *)f, pardiff_allocated, 8, pardiff_tape, &t, x, pardiff_const, x);
    for (int i = 0; i < 2; ++i)
      s = __pardiff_reverse((void *)f, pardiff_allocated, 8, pardiff_tape, &t, x, pardiff_const, x, 1.0);
    break;
  case 3:
    t = __pardiff_augmentfwd((void *)f, x, x);
    __pardiff_reverse_void((void *)g, &x, &dx, 1.0, t);
    break;
  case 4:
    t = __pardiff_augmentfwd((void *)f, x, x);
    s = __pardiff_reverse((void *)f, x, pardiff_const, x, 1.0, t);
    break;
  case 5:
    t = __pardiff_augmentfwd((void *)g, &x, &dx);
    __pardiff_reverse_void((void *)g, &x, &other, 1.0, t);
    break;
  case 6:
    t = __pardiff_augmentfwd((void *)g, &x, (double *)NULL);
    break;
  }
  return s == 12345;
}
