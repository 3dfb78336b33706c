/* A floating-point value that is moved as an integer of its size, or by a copy of memory,
 * has a derivative like any other, through both engines and in IR that was optimised
 * before (-DLATE: the loads and stores of i64 come from LLVM's own combining).
 *
 * RUN: %clang -O0 %s -lm -o %t && %t
 * RUN: %clang -O2 %s -lm -o %t && %t
 * RUN: %clang -O0 -mllvm -pardiff-force-fallback %s -lm -o %t && %t
 * RUN: %clang -O2 -mllvm -pardiff-force-fallback %s -lm -o %t && %t
 * RUN: %plain-clang -O1 -DLATE -S -emit-llvm %s -o %t.ll
 * RUN: %FileCheck --check-prefix=LATE %s --input-file=%t.ll
 * RUN: %opt -passes=pardiff %t.ll -o %t.d.bc
 * RUN: %plain-clang -O1 %t.d.bc -lm -o %t && %t
 *
 * The test would test nothing in late IR if there were no such accesses.
 * LATE: define {{.*}}@copy8
 * LATE: load i64
 * LATE: store i64
 */
#include <pardiff/pardiff.h>
#include <stdio.h>
#include <string.h>

typedef struct { float x, y; } Pair;
typedef struct { double x, y, z; } Triple;
typedef struct { double value; int tag; float weight; } Mixed;

#ifdef LATE
#define FUNCTION __attribute__((noinline)) void
#else
#define FUNCTION static void
#endif

FUNCTION copy8(int n, double *a, double *b) {
  for (int i = 0; i < n; i++)
    memcpy(&b[i], &a[i], 8);
}
FUNCTION copy4(int n, float *a, float *b) {
  for (int i = 0; i < n; i++)
    memcpy(&b[i], &a[i], 4);
}
FUNCTION copy_pair(int n, Pair *a, Pair *b) {
  for (int i = 0; i < n; i++)
    b[i] = a[i];
}
FUNCTION copy_triple(int n, Triple *a, Triple *b) {
  for (int i = 0; i < n; i++)
    b[i] = a[n - 1 - i];
}
FUNCTION copy_mixed(int n, Mixed *a, Mixed *b) {
  for (int i = 0; i < n; i++) {
    b[i] = a[i];
    b[i].value *= 2;
  }
}
FUNCTION move_and_clear(int n, double *a, double *b) {
  for (int i = 0; i < n; i++) {
    memcpy(&b[i], &a[i], 8);
    memset(&a[i], 0, 8);
  }
}
/* The larger one, by a branch that combining makes a select of integers. */
FUNCTION choose(int n, double *a, double *b) {
  for (int i = 0; i < n; i++) {
    double *from = a[i] > 2.5 ? &a[i] : &a[n - 1 - i];
    memcpy(&b[i], from, 8);
  }
}

static int failures;
static void compare(const char *name, int i, double got, double want) {
  if (got != want)
    ++failures, printf("%s[%d]: %g, expected %g\n", name, i, got, want);
}
enum { MAX = 4 };

#define CHECK(f, Type, E, ...)                                                         \
  {                                                                                    \
    enum { K = MAX * sizeof(Type) / sizeof(E) };                                       \
    E a[K], b[K], da[K], db[K];                                                        \
    for (int i = 0; i < K; i++)                                                        \
      a[i] = (E)(i + 1), b[i] = 0, da[i] = 0, db[i] = (E)(i + 1);                      \
    __pardiff_autodiff((void *)f, pardiff_const, n, pardiff_dup, a, da, pardiff_dup,   \
                       b, db);                                                         \
    const double want[K] = __VA_ARGS__;                                                \
    for (int i = 0; i < K; i++)                                                        \
      compare(#f, i, (double)da[i], want[i]), compare(#f " seed", i, (double)db[i], 0);\
  }
#define COMMA ,
#define UP4 {1 COMMA 2 COMMA 3 COMMA 4}
#define UP8 {1 COMMA 2 COMMA 3 COMMA 4 COMMA 5 COMMA 6 COMMA 7 COMMA 8}
#define TURNED                                                                         \
  {10 COMMA 11 COMMA 12 COMMA 7 COMMA 8 COMMA 9 COMMA 4 COMMA 5 COMMA 6 COMMA 1 COMMA 2 \
       COMMA 3}

int main(void) {
  volatile int size = MAX;
  int n = size;
  CHECK(copy8, double, double, UP4)
  CHECK(copy4, float, float, UP4)
  CHECK(copy_pair, Pair, float, UP8)
  CHECK(copy_triple, Triple, double, TURNED)
  CHECK(move_and_clear, double, double, UP4)
  CHECK(choose, double, double, {0 COMMA 0 COMMA 5 COMMA 5})
#ifndef LATE
  Mixed a[MAX], b[MAX], da[MAX], db[MAX];
  for (int i = 0; i < MAX; i++) {
    a[i] = (Mixed){i, i, i}, b[i] = (Mixed){0, 0, 0};
    da[i] = (Mixed){0, 7, 0}, db[i] = (Mixed){i, 7, 3 * i};
  }
  __pardiff_autodiff((void *)copy_mixed, pardiff_const, n, pardiff_dup, a, da,
                     pardiff_dup, b, db);
  for (int i = 0; i < MAX; i++) {
    compare("mixed value", i, da[i].value, 2 * i);
    compare("mixed weight", i, da[i].weight, 3 * i);
    compare("mixed seed", i, db[i].value, 0);
    compare("mixed tag", i, b[i].tag, i);
  }
#endif
  return failures != 0;
}
