// Markers in namespaces, and of internal linkage, keep their meaning in C++; templates
// pass arguments without promotion.
// RUN: %plain-clang -O0 -S -emit-llvm %s -o - | %opt -passes='print<pardiff-requests>' -disable-output | %FileCheck %s
// RUN: %plain-clang -O2 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %opt -passes='print<pardiff-requests>' -disable-output | %FileCheck %s

namespace ad {
extern int pardiff_const;
inline int enzyme_dup;
} // namespace ad
static int pardiff_out;
template <typename... T> float __pardiff_autodiff(void *, T...);

static float f(const float *x, float a, bool b, char c) {
  return x[0] * a * (b ? c : 1);
}

// CHECK: request in _Z3useP{{.*}}: _ZL1fPKffbc(dup ptr {{.*}} with ptr {{.*}}, out float {{.*}}, const i1 {{.*}}, const i8 {{.*}}) -> float
float use(float *x, float *dx, float a, bool b, char c) {
  return __pardiff_autodiff((void *)f, ad::enzyme_dup, x, dx, pardiff_out, a,
                            ad::pardiff_const, b, c);
}
