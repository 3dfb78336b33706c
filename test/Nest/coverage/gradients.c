// The gradients of kernels of nests.c by numbers, at every level.
// RUN: %check-levels --no-plain --modes=serial %s

#include "check.h"

#include "nests.c"

enum { Size = 100 };
static double x[Size], y[Size], dx[Size], dy[Size], startX[Size], startY[Size], wx[Size], wy[Size];

static void start(void) {
  memcpy(x, startX, sizeof x);
  memcpy(y, startY, sizeof y);
}

/* The weighted sum of all that a kernel leaves behind. */
static double loss(double (*primal)(void)) {
  double sum = primal();
  for (int i = 0; i < Size; i++)
    sum += wx[i] * x[i] + wy[i] * y[i];
  return sum;
}

/* Derivatives of the loss by the first values, in the shadows. */
static void check(const char *name, double (*primal)(void), double (*gradient)(void)) {
  start();
  memcpy(dx, wx, sizeof dx);
  memcpy(dy, wy, sizeof dy);
  gradient();
  double wantx[Size], wanty[Size];
  for (int k = 0; k < 2 * Size; k++) {
    double *value = k < Size ? &x[k] : &y[k - Size], h = 1e-5;
    start();
    *value += h;
    double up = loss(primal);
    start();
    *value -= h;
    double down = loss(primal);
    (k < Size ? wantx : wanty)[k % Size] = (up - down) / (2 * h);
  }
  check_close(name, dx, wantx, Size, 1e-7);
  check_close(name, dy, wanty, Size, 1e-7);
}

#define SIZE(n) pardiff_const, check_size(n)
#define X(i) pardiff_dup, x + (i), dx + (i)
#define Y(i) pardiff_dup, y + (i), dy + (i)
#define PRIMAL(name, ...)                                                                    \
  static double primal_##name(void) {                                                        \
    name(__VA_ARGS__);                                                                       \
    return 0;                                                                                \
  }
#define GRADIENT(name, ...)                                                                  \
  static double gradient_##name(void) {                                                      \
    __pardiff_autodiff((void *)name, __VA_ARGS__);                                           \
    return 0;                                                                                \
  }
#define ROWS(p, m) (double (*)[m])(p)

PRIMAL(product_vla, 3, 4, 5, ROWS(x, 4), ROWS(x + 20, 5), ROWS(y, 5))
GRADIENT(product_vla, SIZE(3), SIZE(4), SIZE(5), X(0), X(20), Y(0))
PRIMAL(product_int, 3, 4, 5, x, x + 20, y)
GRADIENT(product_int, SIZE(3), SIZE(4), SIZE(5), X(0), X(20), Y(0))
PRIMAL(product_unsigned, 5, 4, x, y)
GRADIENT(product_unsigned, SIZE(5), SIZE(4), X(0), Y(0))
PRIMAL(leading_dimension, 4, 3, 7, x, y)
GRADIENT(leading_dimension, pardiff_const, 4L, pardiff_const, 3L, pardiff_const, 7L, X(0), Y(0))
PRIMAL(every_second, 20, x, y)
GRADIENT(every_second, pardiff_const, 20L, X(0), Y(0))
PRIMAL(at_distance, 9, 5, x, y)
GRADIENT(at_distance, pardiff_const, 9L, pardiff_const, 5L, X(0), Y(0))
PRIMAL(with_step, 50, 7, x)
GRADIENT(with_step, SIZE(50), SIZE(7), X(0))
PRIMAL(downwards, 30, x, y)
GRADIENT(downwards, pardiff_const, 30L, X(0), Y(0))
PRIMAL(triangle, 6, ROWS(x, 6), x + 40, y)
GRADIENT(triangle, SIZE(6), X(0), X(40), Y(0))
PRIMAL(normalise, 11, x, y)
GRADIENT(normalise, SIZE(11), X(0), Y(0))
PRIMAL(calls, 11, x, y)
GRADIENT(calls, SIZE(11), X(0), Y(0))
PRIMAL(calls_loop, 6, ROWS(x, 6), x + 40, y)
GRADIENT(calls_loop, SIZE(6), X(0), X(40), Y(0))
PRIMAL(both_branches, 40, x, y)
GRADIENT(both_branches, SIZE(40), X(0), Y(0))
PRIMAL(sometimes, 40, x, y)
GRADIENT(sometimes, SIZE(40), X(0), Y(0))
PRIMAL(counters, 7, ROWS(x, 7), ROWS(y, 7))
GRADIENT(counters, SIZE(7), X(0), Y(0))
PRIMAL(swapped, 5, 12, x, y)
GRADIENT(swapped, SIZE(5), SIZE(12), X(0), Y(0))
PRIMAL(in_place, 3, 6, ROWS(x, 6))
GRADIENT(in_place, SIZE(3), SIZE(6), X(0))
PRIMAL(history, 5, 8, ROWS(x, 8))
GRADIENT(history, SIZE(5), SIZE(8), X(0))
PRIMAL(one_counter, 8, x, y)
GRADIENT(one_counter, SIZE(8), X(0), Y(0))
PRIMAL(moving_pointers, 20, x, y)
GRADIENT(moving_pointers, SIZE(20), X(0), Y(0))
PRIMAL(stack_variable, 13, x, y)
GRADIENT(stack_variable, SIZE(13), X(0), Y(0))
PRIMAL(heap_in_loop, 5, 6, ROWS(x, 6), y)
GRADIENT(heap_in_loop, SIZE(5), SIZE(6), X(0), Y(0))
PRIMAL(heap_zeroed, 13, x, y)
GRADIENT(heap_zeroed, SIZE(13), X(0), Y(0))
PRIMAL(bulk, 13, x, y, y + 20)
GRADIENT(bulk, pardiff_const, 13L, X(0), Y(0), Y(20))
PRIMAL(convolution, 6, 7, 3, ROWS(x, 7), ROWS(x + 50, 3), ROWS(y, 5))
GRADIENT(convolution, SIZE(6), SIZE(7), SIZE(3), X(0), X(50), Y(0))
PRIMAL(partial_sums, 13, x, y)
GRADIENT(partial_sums, SIZE(13), X(0), Y(0))
PRIMAL(do_loop, 13, x)
GRADIENT(do_loop, SIZE(13), X(0))

static double primal_members(void) {
  struct vectors v = {check_size(13), x, y};
  members(&v);
  return 0;
}
static double gradient_members(void) {
  struct vectors v = {check_size(13), x, y}, dv = {13, dx, dy};
  __pardiff_autodiff((void *)members, pardiff_dup, &v, &dv);
  return 0;
}

int main(void) {
  for (int i = 0; i < Size; i++) {
    startX[i] = check_random(-1, 1);
    startY[i] = check_random(-1, 1);
    wx[i] = check_random(-1, 1);
    wy[i] = check_random(-1, 1);
  }
#define CHECK(name) check(#name, primal_##name, gradient_##name);
  CHECK(product_vla)
  CHECK(product_int)
  CHECK(product_unsigned)
  CHECK(leading_dimension)
  CHECK(every_second)
  CHECK(at_distance)
  CHECK(with_step)
  CHECK(downwards)
  CHECK(triangle)
  CHECK(normalise)
  CHECK(calls)
  CHECK(calls_loop)
  CHECK(both_branches)
  CHECK(sometimes)
  CHECK(counters)
  CHECK(swapped)
  CHECK(in_place)
  CHECK(history)
  CHECK(one_counter)
  CHECK(moving_pointers)
  CHECK(stack_variable)
  CHECK(heap_in_loop)
  CHECK(heap_zeroed)
  CHECK(bulk)
  CHECK(convolution)
  CHECK(partial_sums)
  CHECK(do_loop)
  CHECK(members)
  return check_done();
}
