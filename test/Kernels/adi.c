// Implicit steps in both directions: sweeps up and down along one, parallel in the
// other.
// RUN: %check-levels --nest=1 %s
//= kept for u v q: p t * (n - 2) * (n - 2) (2 times)
//= kept for all: p t * (n - 2) * (n - 1) (2 times), q t * (n - 2) * (n - 2) (2 times), u t * (n - 2) * (n - 2), v t * (n - 2) * (n - 2)

#include "check.h"

static void adi(int t, int n, double *u, double *v, double *p, double *q) {
  const double a = -0.3, b = 1.6, c = a, d = -0.2, e = 1.4, f = d;
  for (int s = 0; s < t; s++) {
    for (int i = 1; i < n - 1; i++) {
      v[i] = 1;
      p[i * n] = 0;
      q[i * n] = v[i];
      for (int j = 1; j < n - 1; j++) {
        p[i * n + j] = -c / (a * p[i * n + j - 1] + b);
        q[i * n + j] = (-d * u[j * n + i - 1] + (1 + 2 * d) * u[j * n + i] -
                        f * u[j * n + i + 1] - a * q[i * n + j - 1]) /
                       (a * p[i * n + j - 1] + b);
      }
      v[(n - 1) * n + i] = 1;
      for (int j = n - 2; j >= 1; j--)
        v[j * n + i] = p[i * n + j] * v[(j + 1) * n + i] + q[i * n + j];
    }
    for (int i = 1; i < n - 1; i++) {
      u[i * n] = 1;
      p[i * n] = 0;
      q[i * n] = u[i * n];
      for (int j = 1; j < n - 1; j++) {
        p[i * n + j] = -f / (d * p[i * n + j - 1] + e);
        q[i * n + j] = (-a * v[(i - 1) * n + j] + (1 + 2 * a) * v[i * n + j] -
                        c * v[(i + 1) * n + j] - d * q[i * n + j - 1]) /
                       (d * p[i * n + j - 1] + e);
      }
      u[i * n + n - 1] = 1;
      for (int j = n - 2; j >= 1; j--)
        u[i * n + j] = p[i * n + j] * u[i * n + j + 1] + q[i * n + j];
    }
  }
}

static int t, n;
static double *u, *d_u, *v, *d_v, *p, *d_p, *q, *d_q;

static double primal(void) {
  adi(t, n, u, v, p, q);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)adi, pardiff_const, t, pardiff_const, n,
                     pardiff_dup, u, d_u, pardiff_dup, v, d_v, pardiff_dup, p,
                     d_p, pardiff_dup, q, d_q);
  return 0;
}

int main(void) {
  t = check_size(2);
  n = check_size(7);
  u = check_active("u", n * n, -1, 1, &d_u);
  v = check_active("v", n * n, -1, 1, &d_v);
  p = check_active("p", n * n, -1, 1, &d_p);
  q = check_active("q", n * n, -1, 1, &d_q);
  return check_gradient(primal, gradient, 0);
}
