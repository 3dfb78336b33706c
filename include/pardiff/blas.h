/*===- pardiff/blas.h - Derivatives of BLAS ------------------------*- C -*-===*
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===*
 *
 * Tells the plugin the derivatives of BLAS, forward and reverse, in float and
 * double, by the names of CBLAS (cblas_dgemm, both layouts) and those of Fortran
 * as C calls them (dgemm_). Include it, for C or C++, in the files whose
 * functions call BLAS and are differentiated. The derivatives call BLAS again, by
 * the same set of names. What a file does not use leaves nothing behind.
 *
 *   level 1   axpy scal copy swap dot nrm2 asum
 *   level 2   gemv ger symv syr syr2 trmv trsv
 *   level 3   gemm symm syrk syr2k trmm trsm
 *
 * Integers are int. For a BLAS with 64-bit integers define PARDIFF_BLAS_INT as
 * long in front of this file, and PARDIFF_BLAS_SUFFIX if its names have one: 64_
 * for the names cblas_dgemm64_ and dgemm_64_ of OpenBLAS.
 *
 * These are rules like those that users register (docs/modes.md), with the same
 * limits: one direction or seed at a time. docs/rules.md says more.
 *
 *===------------------------------------------------------------------------===*/

#ifndef PARDIFF_BLAS_H
#define PARDIFF_BLAS_H
#pragma GCC system_header

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef PARDIFF_BLAS_INT
#define PARDIFF_BLAS_INT int
#endif
#ifndef PARDIFF_BLAS_SUFFIX
#define PARDIFF_BLAS_SUFFIX
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define PARDIFF_BLAS_PASTE_(a, b) a##b
#define PARDIFF_BLAS_PASTE(a, b) PARDIFF_BLAS_PASTE_(a, b)
#define PARDIFF_BLAS_TEXT_(a) #a
#define PARDIFF_BLAS_TEXT(a) PARDIFF_BLAS_TEXT_(a)

static inline void pardiff_blas_stop(const char *why) {
  fprintf(stderr, "pardiff: stopped: %s\n", why);
  abort();
}

/* What passes from one array to another must not leave its derivative behind.
 */
static inline void pardiff_blas_check(const void *from, const void *to) {
  if (from && !to)
    pardiff_blas_stop("BLAS writes active values to memory without a shadow");
}

static inline void *pardiff_blas_allocate(size_t bytes) {
  void *memory = malloc(bytes + 1);
  if (!memory)
    pardiff_blas_stop("out of memory for the tape of a BLAS function");
  return memory;
}

/* Fortran's characters, one for each meaning. */
static inline char pardiff_blas_flag(const char *c) {
  char upper = (char)(*c & ~0x20);
  return upper == 'C' ? 'T' : upper;
}

#define PARDIFF_BLAS_REAL double
#define PARDIFF_BLAS_LETTER d
#define PARDIFF_BLAS_FORTRAN 0
#include <pardiff/blas/rules.h>
#undef PARDIFF_BLAS_FORTRAN
#define PARDIFF_BLAS_FORTRAN 1
#include <pardiff/blas/rules.h>
#undef PARDIFF_BLAS_FORTRAN
#undef PARDIFF_BLAS_REAL
#undef PARDIFF_BLAS_LETTER
#define PARDIFF_BLAS_REAL float
#define PARDIFF_BLAS_LETTER s
#define PARDIFF_BLAS_FORTRAN 0
#include <pardiff/blas/rules.h>
#undef PARDIFF_BLAS_FORTRAN
#define PARDIFF_BLAS_FORTRAN 1
#include <pardiff/blas/rules.h>
#undef PARDIFF_BLAS_FORTRAN
#undef PARDIFF_BLAS_REAL
#undef PARDIFF_BLAS_LETTER

#ifdef __cplusplus
}
#endif
#endif
