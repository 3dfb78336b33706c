/*===- bench/bench.h - What the benchmark programs share ------------*- C
 * -*-===*
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * A program includes this file first and defines the functions and the list of
 * gradients below. Its main checks our gradient against the hand-written one,
 * then times primal, ours and hand-written for 1 and for the given number of
 * threads, and prints one JSON object. Times are the best of several runs, each
 * from the same start, with the largest of them beside it.
 *
 * A program without a hand-written adjoint defines PARDIFF_BENCH_DIFFERENCES
 * first, and the list `checked` in place of `gradients`: its gradient is
 * checked against central differences in three random directions.
 *
 *   program [threads [repeats [what]]]
 *
 * With what (primal, ours or hand) it runs that once and prints the memory it
 * took and the number of parallel regions that were entered; with bits it
 *prints a sum over the bits of what our gradient leaves.
 *
 * Built with -DPARDIFF_BENCH_ENZYME, ours() calls Enzyme's gradient instead:
 * bench/run gives a header that turns the markers of ParDiff into Enzyme's.
 *
 *===----------------------------------------------------------------------===*/

#ifndef PARDIFF_BENCH_H
#define PARDIFF_BENCH_H

#include <math.h>
#ifndef PARDIFF_BENCH_MODES /* bench/modes.h has its own main */
#include <omp-tools.h>
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

/* An array of the program, and its shadow. */
typedef struct {
  double **values, **shadow;
  long count;
} Array;

void allocate(void); /* once */
void start(void);    /* primal inputs and seeds, before each run */
void primal(void);
void ours(void);          /* primal and gradient through ParDiff */
void hand(void);          /* primal and gradient by hand, with OpenMP */
extern Field gradients[]; /* what the gradient leaves; ends with {0, 0} */
extern Array checked[];   /* all active arrays; ends with {0, 0, 0} */
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
#ifdef PARDIFF_BENCH_DIFFERENCES
enum { HAS_HAND = 0 };
#define PARDIFF_BENCH_LIMIT 1e-5

/* The arrays at start + step * direction. */
static void begin(double **direction, double step) {
  start();
  for (int i = 0; checked[i].values; i++)
    for (long k = 0; k < checked[i].count; k++)
      (*checked[i].values)[k] += step * direction[i][k];
}

/* What the arrays hold after the primal, weighted by the seeds. */
static double weigh(double **seeds) {
  double sum = 0;
  primal();
  for (int i = 0; checked[i].values; i++)
    for (long k = 0; k < checked[i].count; k++)
      sum += seeds[i][k] * (*checked[i].values)[k];
  return sum;
}

static double largestDifference(void) {
  enum { DIRECTIONS = 3, MOST = 32 };
  double *direction[MOST], *seeds[MOST], worst = 0, scale = 1e-300, h = 1e-5;
  start();
  for (int i = 0; checked[i].values; i++) {
    direction[i] = numbers(checked[i].count);
    seeds[i] = numbers(checked[i].count);
    memcpy(seeds[i], *checked[i].shadow, checked[i].count * sizeof(double));
  }
  for (int d = 0; d < DIRECTIONS; d++) {
    for (int i = 0; checked[i].values; i++)
      fill(direction[i], checked[i].count, -1, 1, 17 * i + 5 * d + 9);
    begin(direction, h);
    double above = weigh(seeds);
    begin(direction, -h);
    double slope = (above - weigh(seeds)) / (2 * h), got = 0;
    start();
    ours();
    for (int i = 0; checked[i].values; i++)
      for (long k = 0; k < checked[i].count; k++)
        got += direction[i][k] * (*checked[i].shadow)[k];
    scale = fmax(scale, fabs(slope));
    worst = !(fabs(got - slope) <= worst) ? fabs(got - slope) : worst;
  }
  for (int i = 0; checked[i].values; i++)
    free(direction[i]), free(seeds[i]);
  return worst / scale;
}

void hand(void) {}
#else
enum { HAS_HAND = 1 };
#define PARDIFF_BENCH_LIMIT 1e-9

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
#endif

/* The OpenMP library asks for this tool when it starts: it counts the parallel
 * regions, if the environment says so. */
static long regions;
static void atRegion(ompt_data_t *task, const ompt_frame_t *frame,
                     ompt_data_t *data, unsigned int threads, int flags,
                     const void *code) {
  regions++;
}
static int startTool(ompt_function_lookup_t lookup, int device,
                     ompt_data_t *data) {
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  set(ompt_callback_parallel_begin, (ompt_callback_t)atRegion);
  return 1;
}
static void endTool(ompt_data_t *data) {}
ompt_start_tool_result_t *ompt_start_tool(unsigned int version,
                                          const char *runtime) {
  static ompt_start_tool_result_t tool = {startTool, endTool, {0}};
  return getenv("PARDIFF_BENCH_REGIONS") ? &tool : NULL;
}

/* The most memory this process has had, in kB. */
static long peak(void) {
  char line[256];
  long kb = 0;
  FILE *f = fopen("/proc/self/status", "r");
  while (f && fgets(line, sizeof line, f))
    sscanf(line, "VmHWM: %ld", &kb);
  if (f)
    fclose(f);
  return kb;
}

static void measure(const char *what, void (*run)(void), int repeats) {
  double least = 1e30, most = 0;
  for (int r = 0; r < repeats; r++) {
    start();
    double from = omp_get_wtime();
    run();
    double took = omp_get_wtime() - from;
    least = fmin(least, took);
    most = fmax(most, took);
  }
  printf("\"%s_ms\": %.3f, \"%s_most_ms\": %.3f", what, least * 1e3, what,
         most * 1e3);
}

/* A sum over the bits of what the gradient left. */
static unsigned long long addBits(const double *p, long count,
                                  unsigned long long sum) {
  for (long i = 0; i < count; i++) {
    unsigned long long bits;
    memcpy(&bits, &p[i], sizeof bits);
    sum = (sum ^ bits) * 1099511628211ull;
  }
  return sum;
}

static void printBits(void) {
  unsigned long long sum = 14695981039346656037ull;
  start();
  ours();
#ifdef PARDIFF_BENCH_DIFFERENCES
  for (Array *a = checked; a->values; a++)
    sum = addBits(*a->shadow, a->count, addBits(*a->values, a->count, sum));
#else
  for (Field *f = gradients; f->values; f++)
    sum = addBits(f->values, f->count, sum);
#endif
  printf("%016llx\n", sum);
}

int main(int argc, char **argv) {
  int threads = argc > 1 ? atoi(argv[1]) : 2;
  int repeats = argc > 2 ? atoi(argv[2]) : 5;
  allocate();
  if (argc > 3) {
    omp_set_num_threads(threads);
    if (*argv[3] == 'b') {
      printBits();
      return 0;
    }
    start();
    regions = 0;
    (*argv[3] == 'p' ? primal : *argv[3] == 'h' ? hand : ours)();
    printf("{\"peak_kb\": %ld, \"regions\": %ld}\n", peak(), regions);
    return 0;
  }
  double off = largestDifference();
  printf("{\"name\": \"%s\", \"difference\": %.3g", name, off);
  int counts[] = {1, threads};
  for (int k = 0; k < (threads > 1 ? 2 : 1); k++) {
    omp_set_num_threads(counts[k]);
    printf(", \"threads%d\": {", counts[k]);
    measure("primal", primal, repeats);
    printf(", ");
    measure("ours", ours, repeats);
    if (HAS_HAND) {
      printf(", ");
      measure("hand", hand, repeats);
    }
    printf("}");
  }
  printf("}\n");
  return off <= PARDIFF_BENCH_LIMIT ? 0 : 1;
}
#endif

#endif /* PARDIFF_BENCH_H */
