// Arrays that alias analysis cannot tell apart are compared at run time: by the ranges
// that the nest accesses, so parts of one object may be passed; overlapping ranges stop
// the program before anything is written, and empty ones never do.
//
// RUN: %plain-clang -O1 -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='pardiff-prepare,pardiff-roundtrip' -verify-each -S %t.ll -o %t.rt.ll
// RUN: %plain-clang -O2 -Wno-override-module %t.rt.ll -o %t.exe
// RUN: %t.exe 0 | %FileCheck %s --check-prefix=APART
// RUN: %not --crash %t.exe 99 2>&1 | %FileCheck %s --check-prefix=OVERLAP
// RUN: %t.exe 200 | %FileCheck %s --check-prefix=EMPTY
// RUN: %opt -passes='pardiff-prepare,pardiff-roundtrip<keep>' -verify-each -S %t.ll -o %t.rt.ll
// RUN: %plain-clang -O2 -Wno-override-module %t.rt.ll -o %t.exe
// RUN: %t.exe 99 | %FileCheck %s --check-prefix=KEPT
//
// APART: 7
// OVERLAP: pardiff: stopped: the condition of 'add' does not hold
// EMPTY: 0
// The loop as it stands in the source carries the value along.
// KEPT: 10

#include <stdio.h>
#include <stdlib.h>

double memory[200];

__attribute__((noinline)) void add(int n, const double *from, double *to) {
  for (int i = 0; i < n; i++)
    to[i] = from[i] + 1;
}

int main(int argc, char **argv) {
  int shift = atoi(argv[1]);
  if (shift == 0) { // adjacent ranges
    memory[0] = 6;
    add(100, memory, memory + 100);
    printf("%g\n", memory[100]);
  } else if (shift == 99) { // each element is read right after it was written
    add(10, memory + 50, memory + 51);
    printf("%g\n", memory[60]);
  } else {
    add(0, memory, memory);
    add(-1, memory, memory);
    printf("%g\n", memory[0]);
  }
}
