/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define PARDIFF_BENCH_MODES
#include "../programs/gemm.c"

static Array arrays[] = {{&C, &dC, n * n}, {&A, &dA, n * n}, {&B, &dB, n * n}};
#define FUNCTION gemm
#define CONSTANTS pardiff_const, n, pardiff_const, alpha, pardiff_const, beta,
#define EACH(K) K(C, 0), K(A, 1), K(B, 2)
#include "../modes.h"
