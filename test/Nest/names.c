// Names of parameters, arrays and statements are unique and no words of isl's notation:
// the text can be read back.
// RUN: %plain-clang -O1 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes="print<pardiff-nest>" -disable-output %t.ll | %FileCheck %s
void names(long exists, long i0, double *S0, double *mod) {
  for (long i = 0; i < exists; i++)
    for (long j = 0; j < i0; j++)
      S0[i] += mod[j];
}

// CHECK-DAG: param v_exists
// CHECK-DAG: param v_i0
// CHECK-DAG: array v_S0
// CHECK-DAG: array v_mod
// CHECK: statement S0
