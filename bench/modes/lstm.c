/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define PARDIFF_BENCH_MODES
#include "../programs/lstm.c"

static Array arrays[] = {{&x, &dx, X}, {&w, &dw, W}, {&u, &du, U}, {&b, &db, B},
                         {&h, &dh, H}, {&c, &dc, H}, {&g, &dg, G}};
#define FUNCTION lstm
#define CONSTANTS pardiff_const, steps, pardiff_const, in, pardiff_const, hid,
#define EACH(K) K(x, 0), K(w, 1), K(u, 2), K(b, 3), K(h, 4), K(c, 5), K(g, 6)
#include "../modes.h"
