// Bodies that attract each other, in time: every pair through a root of a sum of
// squares, positions and velocities in place.
// RUN: %check-levels --nest=1 %s
//= kept for mass x v a: x steps * (3 * n)
//= kept for all: x steps * (3 * n)

#include "check.h"

static void nbody(int steps, int n, double dt, const double *mass, double *x,
                  double *v, double *a) {
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n; i++) {
      a[3 * i] = a[3 * i + 1] = a[3 * i + 2] = 0;
      for (int j = 0; j < n; j++) {
        double rx = x[3 * j] - x[3 * i];
        double ry = x[3 * j + 1] - x[3 * i + 1];
        double rz = x[3 * j + 2] - x[3 * i + 2];
        double r2 = rx * rx + ry * ry + rz * rz + 0.1;
        double f = mass[j] / (r2 * sqrt(r2));
        a[3 * i] += f * rx;
        a[3 * i + 1] += f * ry;
        a[3 * i + 2] += f * rz;
      }
    }
    for (int i = 0; i < 3 * n; i++) {
      v[i] += dt * a[i];
      x[i] += dt * v[i];
    }
  }
}

static int steps, n;
static double *mass, *dmass, *x, *dx, *v, *dv, *a, *da;

static double primal(void) {
  nbody(steps, n, 0.05, mass, x, v, a);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)nbody, pardiff_const, steps, pardiff_const, n,
                     pardiff_const, 0.05, pardiff_dup, mass, dmass, pardiff_dup,
                     x, dx, pardiff_dup, v, dv, pardiff_dup, a, da);
  return 0;
}

static void reference(void) {
  double *kept = malloc(steps * 3 * n * sizeof(double));
  for (int t = 0; t < steps; t++) {
    memcpy(kept + t * 3 * n, x, 3 * n * sizeof(double));
    nbody(1, n, 0.05, mass, x, v, a);
  }
  for (int t = steps - 1; t >= 0; t--) {
    const double *p = kept + t * 3 * n;
    for (int i = 0; i < 3 * n; i++) {
      dv[i] += 0.05 * dx[i];
      da[i] += 0.05 * dv[i];
    }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        double r[3], r2 = 0.1, df = 0;
        for (int d = 0; d < 3; d++) {
          r[d] = p[3 * j + d] - p[3 * i + d];
          r2 += r[d] * r[d];
        }
        double f = mass[j] / (r2 * sqrt(r2));
        for (int d = 0; d < 3; d++)
          df += r[d] * da[3 * i + d];
        dmass[j] += df / (r2 * sqrt(r2));
        for (int d = 0; d < 3; d++) {
          double dr = f * da[3 * i + d] - 3 * f / r2 * df * r[d];
          dx[3 * j + d] += dr;
          dx[3 * i + d] -= dr;
        }
      }
    memset(da, 0, 3 * n * sizeof(double));
  }
  free(kept);
}

int main(void) {
  steps = check_size(3), n = check_size(6);
  mass = check_active("mass", n, 0.5, 1.5, &dmass);
  x = check_active("x", 3 * n, -1, 1, &dx);
  v = check_active("v", 3 * n, -1, 1, &dv);
  a = check_active("a", 3 * n, -1, 1, &da);
  check_tolerance = 1e-8;
  return check_gradient(primal, gradient, reference);
}
