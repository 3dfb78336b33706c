// A tape for which there is no memory, or whose size does not even fit into 64 bits,
// stops the program with a message before anything is computed.
//
// RUN: %clang -O2 %s -lm -o %t.exe
// RUN: %not --crash %t.exe 40 2>&1 | %FileCheck %s
// RUN: %not --crash %t.exe 47 2>&1 | %FileCheck %s
// RUN: %t.exe 3 | %FileCheck %s --check-prefix=RUNS
//
// CHECK-NOT: done
// CHECK: pardiff: stopped: out of memory: {{[0-9]+}} bytes for the tape
// RUNS: done

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

extern void __pardiff_autodiff(void *, ...);
extern int pardiff_const;

void iterate(long t, int n, double *x) {
  for (long s = 0; s < t; s++)
    for (int i = 0; i < n; i++)
      x[i] = sin(x[i]);
}

int main(int argc, char **argv) {
  double x[200], dx[200];
  for (int i = 0; i < 200; i++)
    x[i] = 0.5, dx[i] = 1;
  __pardiff_autodiff((void *)iterate, pardiff_const, 1L << atoi(argv[1]), pardiff_const,
                     200, x, dx);
  puts("done");
}
