/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define PARDIFF_BENCH_MODES
#include "../programs/burgers.c"

static Array arrays[] = {{&u, &du, n}, {&v, &dv, n}};
#define FUNCTION burgers
#define CONSTANTS                                                              \
  pardiff_const, steps, pardiff_const, n, pardiff_const, r, pardiff_const, s,
#define EACH(K) K(u, 0), K(v, 1)
#include "../modes.h"
