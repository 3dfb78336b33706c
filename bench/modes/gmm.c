/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define PARDIFF_BENCH_MODES
#include "../programs/gmm.c"

static Array arrays[] = {{&alpha, &dalpha, k}, {&mean, &dmean, k *d},
                         {&q, &dq, k *d},      {&l, &dl, k *d *d},
                         {&x, &dx, points *d}, {&out, &dout, 1}};
#define FUNCTION gmm
#define CONSTANTS pardiff_const, points, pardiff_const, d, pardiff_const, k,
#define EACH(K) K(alpha, 0), K(mean, 1), K(q, 2), K(l, 3), K(x, 4), K(out, 5)
#include "../modes.h"
