// Results by the x86-64 C ABI: scalars, vectors of two floats, mixed registers, integers
// that share a register, and memory (then f is the second operand).
// RUN: %plain-clang -O0 -S -emit-llvm %s -o - | %opt -passes='pardiff-requests,verify' -S | %FileCheck %s
// RUN: %plain-clang -O0 -S -emit-llvm %s -o - | %opt -passes='pardiff-requests' -o %t.bc
// RUN: %plain-clang %S/Inputs/results.ll %t.bc -o %t && %t

#include <pardiff/pardiff.h>

#define RESULT(name, members)                                                            \
  typedef struct {                                                                       \
    members                                                                              \
  } name;                                                                                \
  name __pardiff_autodiff_##name(void *, ...)
RESULT(ff, float a; float b;);
RESULT(dd, double a; double b;);
RESULT(fff, float a; float b; float c;);
RESULT(fd, float a; double b;);
RESULT(df, double a; float b;);
RESULT(ffd, float a; float b; double c;);
RESULT(ddd, double a; double b; double c;);
RESULT(i_f, int a; float b;);
RESULT(i_d, int a; double b;);

static float of_f(float a) { return a; }
static float of_ff(float a, float b) { return a + b; }
static double of_dd(double a, double b) { return a + b; }
static float of_fff(float a, float b, float c) { return a + b + c; }
static double of_fd(float a, double b) { return a + b; }
static double of_df(double a, float b) { return a + b; }
static double of_ffd(float a, float b, double c) { return a + b + c; }
static double of_ddd(double a, double b, double c) { return a + b + c; }
static int of_i_f(float a) { return a; }
static int of_i_d(double a) { return a; }

// The gradients in Inputs/results.ll return 1, 2, 3 for the arguments in order; the
// value of a primal is 7.
int main(void) {
  int bad = 0;
  // CHECK: [[R:%.*]] = call { float } @pardiff.gradient.of_f(
  // CHECK: [[F:%.*]] = extractvalue { float } [[R]], 0
  // CHECK: fcmp {{.*}}float [[F]]
  bad += __pardiff_autodiff_float((void *)of_f, 1.0f) != 1;
  // CHECK: [[R:%.*]] = call { float } @pardiff.gradient.of_f{{.*}}(
  // CHECK: [[F:%.*]] = extractvalue { float } [[R]], 0
  // CHECK: fpext float [[F]] to double
  bad += __pardiff_autodiff((void *)of_f, 1.0f) != 1;
  // CHECK: call { float, float } @pardiff.gradient.of_ff(
  // CHECK: insertelement <2 x float>
  ff r1 = __pardiff_autodiff_ff((void *)of_ff, 1.0f, 1.0f);
  bad += r1.a != 1 || r1.b != 2;
  // CHECK: call { float, float } @pardiff.gradient.of_ff{{.*}}(
  // CHECK: insertvalue { double, double }
  dd r2 = __pardiff_autodiff_dd((void *)of_ff, 1.0f, 1.0f);
  bad += r2.a != 1 || r2.b != 2;
  dd r3 = __pardiff_autodiff_dd((void *)of_dd, 1.0, 1.0);
  bad += r3.a != 1 || r3.b != 2;
  fff r4 = __pardiff_autodiff_fff((void *)of_fff, 1.0f, 1.0f, 1.0f);
  bad += r4.a != 1 || r4.b != 2 || r4.c != 3;
  fd r5 = __pardiff_autodiff_fd((void *)of_fd, 1.0f, 1.0);
  bad += r5.a != 1 || r5.b != 2;
  df r6 = __pardiff_autodiff_df((void *)of_df, 1.0, 1.0f);
  bad += r6.a != 1 || r6.b != 2;
  ffd r7 = __pardiff_autodiff_ffd((void *)of_ffd, 1.0f, 1.0f, 1.0);
  bad += r7.a != 1 || r7.b != 2 || r7.c != 3;
  // CHECK: call { double, double, double } @pardiff.gradient.of_ddd(double 1.0
  // CHECK: store double {{.*}}, ptr {{.*}}, align 8
  ddd r8 = __pardiff_autodiff_ddd((void *)of_ddd, 1.0, 1.0, 1.0);
  bad += r8.a != 1 || r8.b != 2 || r8.c != 3;
  // Three results into memory, of floats declared as doubles.
  ddd r9 = __pardiff_autodiff_ddd((void *)of_fff, 1.0f, 1.0f, 1.0f);
  bad += r9.a != 1 || r9.b != 2 || r9.c != 3;
  // CHECK: call { i32, float } @pardiff.gradient.of_i_f(
  // CHECK: load i64
  i_f r10 = __pardiff_autodiff_i_f((void *)of_i_f, pardiff_primal_return, 1.0f);
  bad += r10.a != 7 || r10.b != 1;
  i_d r11 = __pardiff_autodiff_i_d((void *)of_i_d, pardiff_primal_return, 1.0);
  bad += r11.a != 7 || r11.b != 1;
  return bad;
}
