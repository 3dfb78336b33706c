/*===- pardiff/blas/undefine.h - Undo names.h ----------------------*- C -*-===*
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===*
 *
 * For pardiff/blas/rules.h. Nothing of names.h is left for the user.
 *
 *===------------------------------------------------------------------------===*/

#pragma GCC system_header

#undef PB_PASTE
#undef REAL
#undef INT
#undef NAME
#undef SYMBOL
#undef RO
#undef RF
#undef RI
#undef RV
#undef RM
#undef AO
#undef AF
#undef AI
#undef AV
#undef AM
#undef GO
#undef GF
#undef GI
#undef GV
#undef GM
#undef DO
#undef DF
#undef DI
#undef DV
#undef DM
#undef BY_ROWS
#undef FLAG
#undef VAL
#undef TANGENT
#undef RAW
#undef DECLARE
#undef LIST_GEMM
#undef LIST_SYMM
#undef LIST_SYRK
#undef LIST_SYR2K
#undef LIST_TRSM
#undef LIST_GEMV
#undef LIST_SYMV
#undef LIST_GER
#undef LIST_TRSV
#undef LIST_SYR
#undef LIST_SYR2
#undef LIST_AXPY
#undef LIST_SCAL
#undef LIST_TWO
#undef LIST_ONE
#undef TRANS
#undef UPLO
#undef DIAG
#undef SIDE
#undef CALL
#undef GEMM_CALL
#undef SYMM_CALL
#undef SYRK_CALL
#undef TRSM_CALL
#undef GEMV_CALL
#undef SYMV_CALL
#undef GER_CALL
#undef TRSV_CALL
#undef TRMM_CALL
#undef TRMV_CALL
#undef SYR2K_CALL
#undef SYR_CALL
#undef SYR2_CALL
#undef AXPY_CALL
#undef SCAL_CALL
#undef TWO_CALL
#undef REGISTER
#undef AUGMENTED
#undef RULE
#undef GIVE
#undef RULE2
#undef RULE1
#undef RULE0
#undef AT
#undef SUM_RULE
#undef RH
#undef RP
#undef RN
#undef AH
#undef AP
#undef AN
#undef GH
#undef GP
#undef GN
#undef DH
#undef DP
#undef DN
#undef LETTER
#undef LAPACK_SYMBOL
#undef DECLARE_LAPACK
#undef LIST_POTRF
#undef LIST_POTRS
#undef LIST_GETRF
#undef LIST_GETRS
