/*===- integration/examples/gmm.c - Fit a Gaussian mixture ----------*- C
 * -*-===*
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * Draws points from a mixture of Gaussians and finds weights, means and
 * precisions again by Adam on the negative log likelihood. The inverse
 * covariance of component c is L^T L with L lower triangular: q[c][a][b] below
 * the diagonal and exp(q[c][a][a]) on it, stored as K x D x D.
 *
 *   gmm [points [steps]]
 *
 *===----------------------------------------------------------------------===*/

#include "example.h"
#include <pardiff/pardiff.h>

/* The mean negative log likelihood of the points x. The arrays behind x are
 * scratch. */
static double objective(int n, int d, int k, double alpha[k], double mu[k][d],
                        double q[k][d][d], double x[n][d],
                        double diagonal[k][d], double term[n][k]) {
  double weights = 0;
  for (int c = 0; c < k; c++)
    weights += exp(alpha[c]);
  for (int c = 0; c < k; c++)
    for (int a = 0; a < d; a++)
      diagonal[c][a] = exp(q[c][a][a]);

  double sum = 0;
  for (int i = 0; i < n; i++) {
    /* The log density of each component at this point ... */
    for (int c = 0; c < k; c++) {
      double value = alpha[c];
      for (int a = 0; a < d; a++) {
        double s = diagonal[c][a] * (x[i][a] - mu[c][a]);
        for (int b = 0; b < a; b++)
          s += q[c][a][b] * (x[i][b] - mu[c][b]);
        value += q[c][a][a] - 0.5 * s * s;
      }
      term[i][c] = value;
    }
    /* ... and the log of their sum. */
    double top = term[i][0];
    for (int c = 1; c < k; c++)
      top = fmax(top, term[i][c]);
    double total = 0;
    for (int c = 0; c < k; c++)
      total += exp(term[i][c] - top);
    sum += top + log(total);
  }
  return log(weights) - sum / n + 0.5 * d * log(6.283185307179586);
}

/*--- The program around it
 * ---------------------------------------------------*/

enum { D = 8, K = 5, PARAMETERS = K + K * D + K * D * D };

static int n = 10000;
static double *points; /* n x D */
static double *p, *dp; /* the parameters and the gradient */
static double *diagonal, *term, *ddiagonal, *dterm;
static double *truth, *state; /* the true parameters, and Adam's memory */

/* Where the parts of a vector of parameters are. */
#define ALPHA(v) (v)
#define MU(v) ((v) + K)
#define Q(v) ((v) + K + K * D)

static double value(void) {
  return objective(n, D, K, ALPHA(p), (void *)MU(p), (void *)Q(p),
                   (void *)points, (void *)diagonal, (void *)term);
}

/* The gradient: shadows accumulate, so that of the parameters is cleared
 * before. */
static double gradient(void) {
  memset(dp, 0, PARAMETERS * sizeof(double));
  __pardiff_autodiff((void *)objective, pardiff_const, n, pardiff_const, D,
                     pardiff_const, K, pardiff_dup, ALPHA(p), ALPHA(dp),
                     pardiff_dup, MU(p), MU(dp), pardiff_dup, Q(p), Q(dp),
                     pardiff_const, points, pardiff_dupnoneed, diagonal,
                     ddiagonal, pardiff_dupnoneed, term, dterm);
  return 0;
}

static void run_primal(void) { value(); }
static void run_gradient(void) { gradient(); }

/* Draws a random mixture into v and the points from it. */
static void draw(double *v) {
  for (int c = 0; c < K; c++) {
    ALPHA(v)[c] = 0.5 * c / K;
    for (int a = 0; a < D; a++) {
      MU(v)[c * D + a] = 2.5 * normal();
      for (int b = 0; b <= a; b++)
        Q(v)[(c * D + a) * D + b] = a == b ? 0.3 * normal() : 0.4 * normal();
    }
  }
  double total = 0;
  for (int c = 0; c < K; c++)
    total += exp(ALPHA(v)[c]);
  for (int i = 0; i < n; i++) {
    double u = total * uniform();
    int c = 0;
    while (c < K - 1 && (u -= exp(ALPHA(v)[c])) > 0)
      c++;
    /* x = mu + L^-1 z */
    double y[D];
    for (int a = 0; a < D; a++) {
      const double *row = Q(v) + (c * D + a) * D;
      y[a] = normal();
      for (int b = 0; b < a; b++)
        y[a] -= row[b] * y[b];
      y[a] /= exp(row[a]);
      points[i * D + a] = y[a] + MU(v)[c * D + a];
    }
  }
}

int main(int argc, char **argv) {
  if (argc > 1)
    n = atoi(argv[1]);
  int steps = argc > 2 ? atoi(argv[2]) : 200;
  if (n < K || steps < 1)
    return fprintf(stderr, "usage: gmm [points [steps]]\n"), 1;

  truth = zeros(PARAMETERS), state = zeros(2 * PARAMETERS);
  points = zeros((long)n * D);
  p = zeros(PARAMETERS), dp = zeros(PARAMETERS);
  diagonal = zeros(K * D), ddiagonal = zeros(K * D);
  term = zeros((long)n * K), dterm = zeros((long)n * K);

  printf("Gaussian mixture: %d points in %d dimensions, %d components, %d "
         "parameters\n",
         n, D, K, PARAMETERS);
  draw(truth);
  memcpy(p, truth, PARAMETERS * sizeof(double));
  double at_truth = value();

  /* Start: broad components around points of the data. */
  memset(p, 0, PARAMETERS * sizeof(double));
  for (int c = 0; c < K; c++)
    for (int a = 0; a < D; a++) {
      MU(p)[c * D + a] = points[(long)(c * (n / K)) * D + a];
      Q(p)[(c * D + a) * D + a] = -1;
    }

  printf("gradient against central differences\n");
  gradient();
  int bad =
      compare_with_differences("alpha", value, K, ALPHA(p), ALPHA(dp), 1e-5);
  bad |= compare_with_differences("mu", value, K * D, MU(p), MU(dp), 1e-5);
  bad |= compare_with_differences("q", value, K * D * D, Q(p), Q(dp), 1e-5);

  print_times(run_primal, run_gradient);

  printf("negative log likelihood (at the true parameters: %.4f)\n", at_truth);
  double first = value();
  for (int step = 1; step <= steps; step++) {
    if (step == 1 || step % (steps / 8 ? steps / 8 : 1) == 0)
      printf("  step %4d  %10.4f\n", step, value());
    gradient();
    adam(PARAMETERS, p, dp, state, step, 0.05);
  }
  double last = value();
  printf("  end        %10.4f\n", last);
  if (!(last < first)) {
    printf("the objective did not fall\n");
    bad = 1;
  }
  return bad;
}
