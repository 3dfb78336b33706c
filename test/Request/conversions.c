// `...` promotes float to double and small integers to int; the gradient gets back what
// its parameters are.
// RUN: %plain-clang -O0 -S -emit-llvm %s -o - | %opt -passes='pardiff-requests,verify' -S | %FileCheck %s

#include <pardiff/pardiff.h>
#include <stddef.h>

static float f(float y, _Bool b, signed char c, unsigned char u, short s, long l,
               size_t z, int *p) {
  return b ? y : c + u + s + l + z;
}

// CHECK-LABEL: define {{.*}} @promoted(
// CHECK-DAG: [[Y:%.*]] = fptrunc double {{.*}} to float
// CHECK-DAG: [[B:%.*]] = icmp ne i32 {{.*}}, 0
// CHECK-DAG: trunc i32 {{.*}} to i8
// CHECK-DAG: trunc i32 {{.*}} to i8
// CHECK-DAG: trunc i32 {{.*}} to i16
// CHECK: call { float } @pardiff.gradient.f(float [[Y]], i1 zeroext [[B]], i8 signext {{.*}}, i8 zeroext {{.*}}, i16 signext {{.*}}, i64 {{.*}}, i64 4, ptr null)
double promoted(float y, _Bool b, signed char c, unsigned char u, short s, long l) {
  return __pardiff_autodiff((void *)f, y, b, c, u, s, l, sizeof(int), pardiff_const,
                            NULL);
}

// An int that is known and not negative may stand for a long; every value but 0 is true.
// CHECK-LABEL: define {{.*}} @constants(
// CHECK: call { float } @pardiff.gradient.f{{.*}}(float 1.000000e+00, i1 zeroext true, i8 signext -1, i8 zeroext 3, i16 signext 4, i64 5, i64 6, ptr null)
double constants(void) {
  return __pardiff_autodiff((void *)f, 1.0f, 2, -1, 3, 4, 5, 6, pardiff_const, NULL);
}
