// A by-value argument and the result are slots: without dimensions, live at entry
// and at exit. A scalar that lives across iterations is one too, but is neither.
// RUN: %plain-clang -O1 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes="print<pardiff-nest>" -disable-output %t.ll | %FileCheck %s
double dot(long n, const double *x, const double *y, double u) {
  double s = 0;
  for (long i = 0; i < n; i++)
    s += u * x[i] * y[i];
  return s;
}

// CHECK: array u_slot
// CHECK-NEXT: kind Slot
// CHECK-NEXT: type double
// CHECK-NEXT: base
// CHECK-NEXT: shape{{$}}
// CHECK-NEXT: flags livein{{$}}
// CHECK: array result
// CHECK: flags liveout{{$}}
// CHECK: read slot [n] -> { S1[i0] -> slot[] : 0 <= i0 < n }
// CHECK: read u_slot [n] -> { S1[i0] -> u_slot[] : 0 <= i0 < n }
// CHECK: write slot [n] -> { S1[i0] -> slot[] : 0 <= i0 < n }
// CHECK: write result [n] -> { {{.*}} -> result[] }
