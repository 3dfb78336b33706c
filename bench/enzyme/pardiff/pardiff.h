/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* In place of include/pardiff/pardiff.h where bench/run builds a program with
 * Enzyme: the same calls and markers by Enzyme's names. */
#ifndef PARDIFF_BENCH_ENZYME_H
#define PARDIFF_BENCH_ENZYME_H

extern int enzyme_const, enzyme_dup, enzyme_out;
#define pardiff_const enzyme_const
#define pardiff_dup enzyme_dup
#define pardiff_out enzyme_out
#define __pardiff_autodiff __enzyme_autodiff
#define __pardiff_autodiff_void __enzyme_autodiff_void
double __enzyme_autodiff(void *, ...);
void __enzyme_autodiff_void(void *, ...);

#endif
