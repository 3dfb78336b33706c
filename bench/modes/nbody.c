/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define PARDIFF_BENCH_MODES
#include "../programs/nbody.c"

static Array arrays[] = {
    {&p, &dp, 3 * n}, {&mass, &dmass, n}, {&a, &da, 3 * n}};
#define FUNCTION forces
#define CONSTANTS pardiff_const, n,
#define EACH(K) K(p, 0), K(mass, 1), K(a, 2)
#include "../modes.h"
