// Scalars that each iteration of a loop sets before it uses them do not keep the forward
// sweep from running in parallel; one whose value crosses iterations does.
// RUN: %plain-clang -O1 -Xclang -disable-llvm-passes -emit-llvm -c %s -o %t.bc
// RUN: %opt -passes='print<pardiff-loops>' -disable-output %t.bc | %FileCheck %s

// CHECK-LABEL: ; function norms
// CHECK-NEXT:  ; forward
// CHECK:       // parallel
// CHECK-NEXT:  for (int c0 = 0; c0 < {{.*}}; c0 += 1) {
// CHECK-NEXT:    // scope_
// CHECK:       ; adjoint
void norms(int m, int n, double *x, double *y) {
  for (int i = 0; i < m; i++) {
    double sum = 0;
    for (int j = 0; j < n; j++)
      sum += x[i * n + j] * x[i * n + j];
    for (int j = 0; j < n; j++)
      y[i * n + j] = x[i * n + j] / sum;
  }
}

// CHECK-LABEL: ; function running
// CHECK-NEXT:  ; forward
// CHECK-NOT:   // scope_
// CHECK:       for (int c0 = 0; c0 < {{.*}}; c0 += 1) {
// CHECK-NOT:   // scope_
// CHECK:       ; adjoint
void running(int m, int n, double *x, double *y) {
  double sum = 1;
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < n; j++)
      sum += x[i * n + j] * x[i * n + j];
    for (int j = 0; j < n; j++)
      y[i * n + j] = x[i * n + j] / sum;
  }
}
