// Gradients are instrumented like the function that they differentiate: a shadow that is
// too short is found by the address sanitizer, and one that two threads write by the thread
// sanitizer; also in loops that are outlined for OpenMP.
// RUN: %clang -O1 -g -fsanitize=address %s -o %t.asan
// RUN: %not %t.asan short 2>&1 | %FileCheck %s --check-prefix=ADDRESS
// RUN: %t.asan
// RUN: %clang -O2 -g -fopenmp -fsanitize=address %s -o %t.asan
// RUN: %not %t.asan short 2>&1 | %FileCheck %s --check-prefix=ADDRESS
// RUN: %clang -O2 -g -fopenmp -fsanitize=thread %s -o %t.tsan
// RUN: env OMP_TOOL_LIBRARIES=%llvm-tools/../lib/libarcher.so "TSAN_OPTIONS=ignore_noninstrumented_modules=1" %not %t.tsan race 2>&1 | %FileCheck %s --check-prefix=THREAD
// RUN: env OMP_TOOL_LIBRARIES=%llvm-tools/../lib/libarcher.so "TSAN_OPTIONS=ignore_noninstrumented_modules=1" %t.tsan

// ADDRESS: heap-buffer-overflow
// ADDRESS-NEXT: {{READ|WRITE}} of size
// ADDRESS-NEXT: #0 {{.*}} in {{.*}}scale
// THREAD: WARNING: ThreadSanitizer: data race
// THREAD: {{#[0-9]}} {{.*}}scale

#include <pardiff/pardiff.h>
#include <stdlib.h>

static void scale(int n, const double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[i] * x[i];
}

static void gradient(int n, const double *x, double *dx, double *y,
                     double *dy) {
  __pardiff_autodiff_void((void *)scale, pardiff_const, n, pardiff_dup, x, dx,
                          pardiff_dup, y, dy);
}

int main(int argc, char **argv) {
  int n = 1000 + argc, is_short = argc > 1 && argv[1][0] == 's';
  int callers = argc > 1 && argv[1][0] == 'r' ? 2 : 1;
  double *x = calloc(n, sizeof *x), *dx = calloc(n - is_short, sizeof *dx);
  double *y = calloc(2 * n, sizeof *y), *dy = calloc(2 * n, sizeof *dy);
#pragma omp parallel for num_threads(2)
  for (int k = 0; k < callers; k++)
    gradient(n, x, dx, y + k * n, dy + k * n);
  free(x), free(dx), free(y), free(dy);
  return 0;
}
