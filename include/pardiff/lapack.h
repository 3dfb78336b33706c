/*===- pardiff/lapack.h - Derivatives of LAPACK --------------------*- C -*-===*
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===*
 *
 * Tells the plugin the derivatives of these functions of LAPACK, and those of
 * BLAS (pardiff/blas.h, where the macros for 64-bit integers are explained):
 *
 *   potrf potrs   Cholesky's factorization, and solving with it
 *   getrf getrs   the LU factorization, and solving with it
 *
 * by the names of LAPACKE (LAPACKE_dpotrf, both layouts) and those of Fortran
 * as C calls them (dpotrf_, without the hidden lengths of characters). The
 * derivatives call BLAS, by the names of CBLAS or those of Fortran.
 *
 * Where a factorization fails (its info is positive), what depends on it has
 * the derivative NaN. What does not need the result has its own: test info.
 *
 *===------------------------------------------------------------------------===*/

#ifndef PARDIFF_LAPACK_H
#define PARDIFF_LAPACK_H
#pragma GCC system_header

#include <pardiff/blas.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PARDIFF_BLAS_REAL double
#define PARDIFF_BLAS_LETTER d
#define PARDIFF_BLAS_FORTRAN 0
#include <pardiff/blas/lapack.h>
#undef PARDIFF_BLAS_FORTRAN
#define PARDIFF_BLAS_FORTRAN 1
#include <pardiff/blas/lapack.h>
#undef PARDIFF_BLAS_FORTRAN
#undef PARDIFF_BLAS_REAL
#undef PARDIFF_BLAS_LETTER
#define PARDIFF_BLAS_REAL float
#define PARDIFF_BLAS_LETTER s
#define PARDIFF_BLAS_FORTRAN 0
#include <pardiff/blas/lapack.h>
#undef PARDIFF_BLAS_FORTRAN
#define PARDIFF_BLAS_FORTRAN 1
#include <pardiff/blas/lapack.h>
#undef PARDIFF_BLAS_FORTRAN
#undef PARDIFF_BLAS_REAL
#undef PARDIFF_BLAS_LETTER

#ifdef __cplusplus
}
#endif
#endif
