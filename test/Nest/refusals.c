// What is not affine is refused, each kind with its own reason, object and place.
// RUN: %plain-clang -O1 -gline-tables-only -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes="print<pardiff-nest>" -disable-output %t.ll | %FileCheck %s

void indirect(long n, const int *p, double *x) {
  for (long i = 0; i < n; i++)
    // CHECK: refused indirect: IndirectSubscript at {{.*}}refusals.c:[[@LINE+1]]:{{.*}}: array 'x'
    x[p[i]] *= 2.0;
}

void square(long n, double *x) {
  for (long i = 0; i < n; i++)
    // CHECK: refused square: NonAffineSubscript at {{.*}}refusals.c:[[@LINE+1]]:{{.*}}: array 'x'
    x[i * i] += 1.0;
}

void pointers(long n, double **x) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      // CHECK: refused pointers: PointerChanges at {{.*}}refusals.c:[[@LINE+1]]:
      x[i][j] += 1.0;
}

void rows(long n, const int *start, double *x) {
  for (long i = 0; i < n; i++)
    // CHECK: refused rows: UnknownTripCount at {{.*}}refusals.c:[[@LINE+1]]:
    for (int j = start[i]; j < start[i + 1]; j++)
      x[j] *= 2.0;
}

double leaves(long n, double *x, const double *y) {
  for (long i = 0; i < n; i++) {
    double r = x[i];
    // CHECK: refused leaves: SeveralExits at {{.*}}refusals.c:
    while (r > 0.1) {
      r *= y[i];
      if (r > 100)
        return r;
    }
    x[i] = r;
  }
  return 0;
}

void reads(long n, double *x, const double *y) {
  for (long i = 0; i < n; i++) {
    double r = x[i];
    // CHECK: refused reads: UnknownTripCount at {{.*}}refusals.c:[[@LINE+1]]:
    for (long k = 0; r > 0.1; k++)
      r *= y[k];
    x[i] = r;
  }
}

void writes(long n, const int *m, double *x) {
  for (long i = 0; i < n; i++)
    // CHECK: refused writes: UnknownTripCount at {{.*}}refusals.c:[[@LINE+1]]:
    for (int k = 0; k < m[i]; k++)
      x[k] *= 0.5;
}

void converge(double *x) {
  // CHECK: refused converge: UnknownTripCount at {{.*}}refusals.c:[[@LINE+1]]:
  while (x[0] > 1.0)
    x[0] *= 0.5;
}

double first(long n, const double *x, const int *stop) {
  double s = 0;
  for (long i = 0; i < n; i++) {
    // CHECK: refused first: SeveralExits at {{.*}}refusals.c:
    if (stop[i])
      break;
    s += x[i];
  }
  return s;
}

void branch(long n, double *x, const double *y) {
  for (long i = 0; i < n; i++)
    // CHECK: refused branch: DataDependentBranch at {{.*}}refusals.c:[[@LINE+1]]:
    if (y[i] > 0)
      for (long j = 0; j < n; j++)
        x[i] *= x[j];
}

void twotypes(long n, double *x) {
  for (long i = 0; i < n; i++) {
    // CHECK: refused twotypes: MixedElementTypes at {{.*}}refusals.c:[[@LINE+2]]:{{.*}}: array 'x'
    long bits = ((long *)x)[i];
    x[i] = (double)bits;
  }
}

void leaves_row(int n, const double *x, double *y) {
  for (int i = 3; i < n - 3; i++)
    for (int j = 3; j < n - 3; j++)
      // CHECK: refused leaves_row: NeverValid at {{.*}}refusals.c:[[@LINE+1]]:{{.*}}: subscripts stay within the extents
      y[i * n + j] = x[(i - 3) * n + j - 3] + x[i * n + j + 6];
}

struct __attribute__((packed)) record {
  char c;
  double d;
};
void packed(long n, struct record *r) {
  for (long i = 0; i < n; i++)
    // CHECK: refused packed: MisalignedAccess at {{.*}}refusals.c:[[@LINE+1]]:{{.*}}: array 'r'
    r[i].d *= 2.0;
}
