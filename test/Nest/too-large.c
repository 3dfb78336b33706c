// A nest with more blocks, accesses or sizes than the limits is refused before Polly
// sees it: nothing in Polly bounds the work.
// RUN: %plain-clang -O1 -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes="print<pardiff-nest>" -disable-output %t.ll | %FileCheck %s --check-prefix=FITS
// RUN: %opt -pardiff-max-nest-params=2 -passes="print<pardiff-nest>" -disable-output %t.ll | %FileCheck %s --check-prefix=SIZES
// RUN: %opt -pardiff-max-nest-accesses=3 -passes="print<pardiff-nest>" -disable-output %t.ll | %FileCheck %s --check-prefix=ACCESSES
// RUN: %opt -pardiff-max-nest-blocks=2 -passes="print<pardiff-nest>" -disable-output %t.ll | %FileCheck %s --check-prefix=BLOCKS
void product(long n, long m, long k, const double *A, const double *B, double *C) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      for (long l = 0; l < k; l++)
        C[i * m + j] += A[i * k + l] * B[l * m + j];
}
// FITS: program primal of product
// SIZES: refused product: TooComplex{{.*}}: 3 sizes, the limit is 2
// ACCESSES: refused product: TooComplex{{.*}}: 4 accesses to memory, the limit is 3
// BLOCKS: refused product: TooComplex{{.*}} blocks, the limit is 2
