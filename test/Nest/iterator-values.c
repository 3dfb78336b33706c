// Loop counters and sizes used as values are computed from the body's arguments for
// iterators and parameters; a size that is in no bound becomes a parameter of its own.
// RUN: %plain-clang -O1 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes="print<pardiff-nest>" -disable-output %t.ll | %FileCheck %s
void ramp(int n, int k, double *x) {
  for (int i = 0; i < n; i++)
    x[i] = (double)(2 * i + 1) / (double)k;
}

// CHECK: param n
// CHECK: param k
// CHECK: define internal { double } @S0(i64 %i0, i64 %n, i64 %k)
// CHECK: [[I:%.*]] = trunc i64 %i0 to i32
// CHECK: [[I2:%.*]] = mul i32 2, [[I]]
// CHECK: add i32 1, [[I2]]
// CHECK: [[K:%.*]] = trunc i64 %k to i32
// CHECK: sitofp i32 [[K]] to double
