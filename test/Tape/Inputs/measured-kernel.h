/*===- test/Tape/Inputs/measured-kernel.h - What a gradient allocates ---*- C -*-===*
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * In front of a kernel that calls check_gradient(): the gradient runs once, and the bytes
 * that it allocates and frees are printed.
 *
 *===----------------------------------------------------------------------===*/

#include "check.h"

static int measure_on;
static long measure_allocated, measure_freed;

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void __real_free(void *p);

struct measure_block {
  void *p;
  size_t bytes;
};
static struct measure_block measure_blocks[256];
static int measure_used;

static void *measure_note(void *p, size_t bytes) {
  if (measure_on) {
    measure_allocated += bytes;
    if (measure_used == 256)
      abort();
    measure_blocks[measure_used].p = p;
    measure_blocks[measure_used++].bytes = bytes;
  }
  return p;
}
void *__wrap_malloc(size_t n) { return measure_note(__real_malloc(n), n); }
void *__wrap_calloc(size_t n, size_t size) {
  return measure_note(__real_calloc(n, size), n * size);
}
void __wrap_free(void *p) {
  for (int i = 0; i < measure_used; i++)
    if (measure_on && p && measure_blocks[i].p == p) {
      measure_freed += measure_blocks[i].bytes;
      measure_blocks[i].p = 0;
    }
  __real_free(p);
}

static int measure(double (*gradient)(void)) {
  check_reset();
  measure_on = 1;
  gradient();
  measure_on = 0;
  printf("%ld %ld\n", measure_allocated, measure_freed);
  (void)check_gradient;
  return 0;
}
#define check_gradient(primal, gradient, reference) ((void)primal, (void)reference, measure(gradient))
