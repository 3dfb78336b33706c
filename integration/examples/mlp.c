/*===- integration/examples/mlp.c - Train a two-layer perceptron ----*- C
 * -*-===*
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * Three spirals in the plane, one class each. A perceptron with one hidden
 * layer learns to tell them apart by Adam on the cross entropy of all points.
 *
 *   mlp [points [steps]]
 *
 *===----------------------------------------------------------------------===*/

#include "example.h"
#include <pardiff/pardiff.h>

/* The mean cross entropy; y is 1 at a point's class and 0 elsewhere. The last
 * two arrays are scratch; z is left with the logits. */
static double objective(int n, int in, int hidden, int out,
                        double w1[hidden][in], double b1[hidden],
                        double w2[out][hidden], double b2[out], double x[n][in],
                        double y[n][out], double h[n][hidden],
                        double z[n][out]) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < hidden; j++) {
      double s = b1[j];
      for (int l = 0; l < in; l++)
        s += w1[j][l] * x[i][l];
      h[i][j] = tanh(s);
    }
    for (int j = 0; j < out; j++) {
      double s = b2[j];
      for (int l = 0; l < hidden; l++)
        s += w2[j][l] * h[i][l];
      z[i][j] = s;
    }
    double top = z[i][0];
    for (int j = 1; j < out; j++)
      top = fmax(top, z[i][j]);
    double total = 0;
    for (int j = 0; j < out; j++)
      total += exp(z[i][j] - top);
    double right = 0;
    for (int j = 0; j < out; j++)
      right += y[i][j] * z[i][j];
    sum += top + log(total) - right;
  }
  return sum / n;
}

/*--- The program around it
 * ---------------------------------------------------*/

enum { IN = 2, HIDDEN = 48, OUT = 3 };
enum { PARAMETERS = HIDDEN * IN + HIDDEN + OUT * HIDDEN + OUT };

static int n = 3000;
static double *x, *y;  /* the points and their classes */
static double *p, *dp; /* the parameters and the gradient */
static double *h, *dh, *z, *dz;
static double *state; /* of Adam */

/* Where the parts of a vector of parameters are. */
#define W1(v) (v)
#define B1(v) ((v) + HIDDEN * IN)
#define W2(v) ((v) + HIDDEN * IN + HIDDEN)
#define B2(v) ((v) + HIDDEN * IN + HIDDEN + OUT * HIDDEN)

static double value(void) {
  return objective(n, IN, HIDDEN, OUT, (void *)W1(p), B1(p), (void *)W2(p),
                   B2(p), (void *)x, (void *)y, (void *)h, (void *)z);
}

/* The gradient: shadows accumulate, so that of the parameters is cleared
 * before. */
static void gradient(void) {
  memset(dp, 0, PARAMETERS * sizeof(double));
  __pardiff_autodiff((void *)objective, pardiff_const, n, pardiff_const, IN,
                     pardiff_const, HIDDEN, pardiff_const, OUT, pardiff_dup,
                     W1(p), W1(dp), pardiff_dup, B1(p), B1(dp), pardiff_dup,
                     W2(p), W2(dp), pardiff_dup, B2(p), B2(dp), pardiff_const,
                     x, pardiff_const, y, pardiff_dupnoneed, h, dh,
                     pardiff_dupnoneed, z, dz);
}

static void run_primal(void) { value(); }

/* The part of the points whose class has the largest logit. */
static double accuracy(void) {
  int right = 0;
  value();
  for (int i = 0; i < n; i++) {
    int best = 0;
    for (int j = 1; j < OUT; j++)
      if (z[i * OUT + j] > z[i * OUT + best])
        best = j;
    right += y[i * OUT + best] == 1;
  }
  return (double)right / n;
}

int main(int argc, char **argv) {
  if (argc > 1)
    n = atoi(argv[1]);
  int steps = argc > 2 ? atoi(argv[2]) : 400;
  if (n < OUT || steps < 1)
    return fprintf(stderr, "usage: mlp [points [steps]]\n"), 1;

  x = zeros((long)n * IN), y = zeros((long)n * OUT);
  h = zeros((long)n * HIDDEN), dh = zeros((long)n * HIDDEN);
  z = zeros((long)n * OUT), dz = zeros((long)n * OUT);
  p = zeros(PARAMETERS), dp = zeros(PARAMETERS);
  state = zeros(2 * PARAMETERS);

  printf("Perceptron %d - %d - %d: %d points, %d parameters\n", IN, HIDDEN, OUT,
         n, PARAMETERS);
  for (int i = 0; i < n; i++) {
    double radius = 0.1 + 0.9 * uniform();
    double angle = 4.5 * radius + 2.0943951 * (i % OUT) + 0.15 * normal();
    x[i * IN] = 2 * radius * cos(angle);
    x[i * IN + 1] = 2 * radius * sin(angle);
    y[i * OUT + i % OUT] = 1;
  }
  for (int i = 0; i < HIDDEN * IN + HIDDEN; i++)
    p[i] = normal();
  for (int i = 0; i < OUT * HIDDEN; i++)
    W2(p)[i] = normal() / sqrt(HIDDEN);

  printf("gradient against central differences\n");
  gradient();
  int bad =
      compare_with_differences("w1", value, HIDDEN * IN, W1(p), W1(dp), 1e-5);
  bad |= compare_with_differences("b1", value, HIDDEN, B1(p), B1(dp), 1e-5);
  bad |=
      compare_with_differences("w2", value, OUT * HIDDEN, W2(p), W2(dp), 1e-5);
  bad |= compare_with_differences("b2", value, OUT, B2(p), B2(dp), 1e-5);

  print_times(run_primal, gradient);

  printf("cross entropy\n");
  double first = value();
  for (int step = 1; step <= steps; step++) {
    if (step == 1 || step % (steps / 8 ? steps / 8 : 1) == 0)
      printf("  step %4d  %10.4f  accuracy %5.1f %%\n", step, value(),
             100 * accuracy());
    gradient();
    adam(PARAMETERS, p, dp, state, step, 0.02);
  }
  double last = value();
  printf("  end        %10.4f  accuracy %5.1f %%\n", last, 100 * accuracy());
  if (!(last < first)) {
    printf("the objective did not fall\n");
    bad = 1;
  }
  return bad;
}
