/* The checks of the undefined behaviour sanitizer are no part of the function that is
 * differentiated. The arithmetic that they guard does not overflow, as without them.
 *
 * RUN: %plain-clang -O1 -fsanitize=undefined -Xclang -disable-llvm-passes -S -emit-llvm %s -o - \
 * RUN:   | %opt -passes=pardiff-prepare -S | %FileCheck %s
 * RUN: %plain-clang -O1 -fsanitize=undefined -fno-sanitize-recover=all -Xclang -disable-llvm-passes -S -emit-llvm %s -o - \
 * RUN:   | %opt -passes=pardiff-prepare -S | %FileCheck %s
 * RUN: %plain-clang -O1 -fsanitize=undefined -fsanitize-trap=all -Xclang -disable-llvm-passes -S -emit-llvm %s -o - \
 * RUN:   | %opt -passes=pardiff-prepare -S | %FileCheck %s
 * CHECK-LABEL: @f(
 * CHECK-NOT: ubsan
 * CHECK-NOT: with.overflow
 * CHECK: mul nuw nsw i64
 * CHECK-NOT: ubsan
 * CHECK: ret void
 */
void f(int n, int m, const double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      y[i * m + j] = x[i * m + j] * 2;
}
