// Affine conditions become part of the domains.
// RUN: %plain-clang -O1 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes="print<pardiff-nest>" -disable-output %t.ll | %FileCheck %s
void guard(long n, double *x) {
  for (long i = 0; i < n; i++)
    if (i + 2 < n)
      x[i] *= 2.0;
    else
      x[i] *= 3.0;
}

// CHECK: domain [n] -> { S0[i0] : 0 <= i0 <= -3 + n }
// CHECK: fmul double %r0, 2.0
// CHECK: domain [n] -> { S1[i0] : i0 >= -2 + n and 0 <= i0 < n }
// CHECK: fmul double %r0, 3.0
