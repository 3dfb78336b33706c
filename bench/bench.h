/*===- bench/bench.h - What the benchmark programs share ------------*- C
 * -*-===*
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * A program defines the functions and the list of gradients below, and includes
 * this file last. Its main checks our gradient against the hand-written one,
 * then times primal, ours and hand-written for 1 and for the given number of
 * threads, and prints one JSON object. Times are the best of several runs, each
 * from the same start.
 *
 *===----------------------------------------------------------------------===*/

#ifndef PARDIFF_BENCH_H
#define PARDIFF_BENCH_H

#include <math.h>
#ifndef PARDIFF_BENCH_MODES /* bench/modes.h has its own main */
#include <omp.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <pardiff/pardiff.h>

typedef struct {
  double *values;
  long count;
} Field;

void allocate(void); /* once */
void start(void);    /* primal inputs and seeds, before each run */
void primal(void);
void ours(void);          /* primal and gradient through ParDiff */
void hand(void);          /* primal and gradient by hand, with OpenMP */
extern Field gradients[]; /* what the gradient leaves; ends with {0, 0} */
extern const char *const name;

static inline double *numbers(long count) {
  double *p = malloc(count * sizeof(double));
  if (!p) {
    fprintf(stderr, "no memory for %ld numbers\n", count);
    exit(1);
  }
  memset(p, 0,
         count * sizeof(double)); /* the pages exist before anything is timed */
  return p;
}

/* Numbers between Low and High that look random and are the same in every run.
 */
static inline void fill(double *p, long count, double low, double high,
                        unsigned seed) {
  for (long i = 0; i < count; i++)
    p[i] = low + (high - low) *
                     (double)((i * 2654435761u + seed * 40503u) % 65536u) /
                     65536.0;
}

#ifndef PARDIFF_BENCH_MODES
static double largestDifference(void) {
  double worst = 0;
  long total = 0;
  for (Field *f = gradients; f->values; f++)
    total += f->count;
  double *kept = numbers(total), *k = kept;
  start();
  ours();
  for (Field *f = gradients; f->values; f++, k += f[-1].count)
    memcpy(k, f->values, f->count * sizeof(double));
  start();
  hand();
  k = kept;
  for (Field *f = gradients; f->values; k += f->count, f++) {
    double scale = 1e-300, off = 0;
    for (long i = 0; i < f->count; i++) {
      scale = fmax(scale, fabs(f->values[i]));
      double d = fabs(f->values[i] - k[i]);
      off = d > off || d != d ? d : off;
    }
    worst = !(off / scale <= worst) ? off / scale : worst;
  }
  free(kept);
  return worst;
}

static double best(void (*run)(void), int repeats) {
  double least = 1e30;
  for (int r = 0; r < repeats; r++) {
    start();
    double begin = omp_get_wtime();
    run();
    least = fmin(least, omp_get_wtime() - begin);
  }
  return least * 1e3;
}

int main(int argc, char **argv) {
  int threads = argc > 1 ? atoi(argv[1]) : 2;
  int repeats = argc > 2 ? atoi(argv[2]) : 5;
  allocate();
  double off = largestDifference();
  printf("{\"name\": \"%s\", \"difference\": %.3g", name, off);
  int counts[] = {1, threads};
  for (int k = 0; k < (threads > 1 ? 2 : 1); k++) {
    omp_set_num_threads(counts[k]);
    double p = best(primal, repeats), o = best(ours, repeats),
           h = best(hand, repeats);
    printf(", \"threads%d\": {\"primal_ms\": %.3f, \"ours_ms\": %.3f, "
           "\"hand_ms\": %.3f}",
           counts[k], p, o, h);
  }
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf(", \"peak_kb\": %ld}\n", usage.ru_maxrss);
  return off <= 1e-9 ? 0 : 1;
}

#else
/* An array of the program, and its shadow. */
typedef struct {
  double **values, **shadow;
  long count;
} Array;
#endif

#endif /* PARDIFF_BENCH_H */
