// An array that lives in the function is local; its outermost extent is what is
// accessed of it.
// RUN: %plain-clang -O1 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes="print<pardiff-nest>" -disable-output %t.ll | %FileCheck %s
double local(long n, const double *x) {
  double t[64], s = 0;
  if (n > 64)
    n = 64;
  for (long i = 0; i < n; i++)
    t[i] = x[i] * x[i];
  for (long i = 0; i < n; i++)
    s += t[i];
  return s;
}

// CHECK: array t
// CHECK-NEXT: kind Local
// CHECK-NEXT: type double
// CHECK-NEXT: base ptr %t
// CHECK-NEXT: shape [n] -> { [(0)] : n <= 0; [(64)] : n >= 64; [(n)] : 0 < n <= 63 }
// CHECK-NEXT: flags{{$}}
// CHECK: write t
// CHECK: read t
