/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Accelerations of bodies that attract each other, softened. */
#include "bench.h"

enum { n = 1000 };

static void forces(int n, double (*restrict p)[3], double *restrict mass,
                   double (*restrict a)[3]) {
  for (int i = 0; i < n; i++) {
    double ax = 0, ay = 0, az = 0;
    for (int j = 0; j < n; j++) {
      double x = p[j][0] - p[i][0], y = p[j][1] - p[i][1],
             z = p[j][2] - p[i][2];
      double r2 = x * x + y * y + z * z + 0.01;
      double f = mass[j] / (r2 * sqrt(r2));
      ax += f * x, ay += f * y, az += f * z;
    }
    a[i][0] = ax, a[i][1] = ay, a[i][2] = az;
  }
}

static double *p, *mass, *a, *dp, *dmass, *da;
const char *const name = "nbody";
Field gradients[4];

void allocate(void) {
  p = numbers(3 * n), mass = numbers(n), a = numbers(3 * n);
  dp = numbers(3 * n), dmass = numbers(n), da = numbers(3 * n);
  gradients[0] = (Field){dp, 3 * n};
  gradients[1] = (Field){dmass, n};
  gradients[2] = (Field){da, 3 * n};
}

void start(void) {
  fill(p, 3 * n, -1, 1, 1), fill(mass, n, .5, 1.5, 2);
  memset(dp, 0, 3 * n * sizeof *dp), memset(dmass, 0, n * sizeof *dmass);
  fill(da, 3 * n, -1, 1, 3);
}

void primal(void) { forces(n, (void *)p, mass, (void *)a); }

void ours(void) {
  __pardiff_autodiff((void *)forces, pardiff_const, n, pardiff_dup, p, dp,
                     pardiff_dup, mass, dmass, pardiff_dup, a, da);
}

/* A body gathers from the pairs in which it attracts and is attracted. */
void hand(void) {
#pragma omp parallel
  {
#pragma omp for nowait
    for (int i = 0; i < n; i++) {
      double ax = 0, ay = 0, az = 0;
      for (int j = 0; j < n; j++) {
        double x = p[3 * j] - p[3 * i], y = p[3 * j + 1] - p[3 * i + 1],
               z = p[3 * j + 2] - p[3 * i + 2];
        double r2 = x * x + y * y + z * z + 0.01;
        double f = mass[j] / (r2 * sqrt(r2));
        ax += f * x, ay += f * y, az += f * z;
      }
      a[3 * i] = ax, a[3 * i + 1] = ay, a[3 * i + 2] = az;
    }
#pragma omp for
    for (int j = 0; j < n; j++) {
      double sx = 0, sy = 0, sz = 0, sm = 0;
      for (int i = 0; i < n; i++) {
        double x = p[3 * j] - p[3 * i], y = p[3 * j + 1] - p[3 * i + 1],
               z = p[3 * j + 2] - p[3 * i + 2];
        double r2 = x * x + y * y + z * z + 0.01;
        double g = 1 / (r2 * sqrt(r2)), h = 3 * g / r2;
        /* j attracts i: a_i += mass_j g (p_j - p_i); and the other way */
        double d = da[3 * i] * x + da[3 * i + 1] * y + da[3 * i + 2] * z;
        double e = da[3 * j] * x + da[3 * j + 1] * y + da[3 * j + 2] * z;
        sm += g * d;
        double c = h * (mass[j] * d - mass[i] * e), mj = g * mass[j],
               mi = g * mass[i];
        sx += mj * da[3 * i] - mi * da[3 * j] - c * x;
        sy += mj * da[3 * i + 1] - mi * da[3 * j + 1] - c * y;
        sz += mj * da[3 * i + 2] - mi * da[3 * j + 2] - c * z;
      }
      dp[3 * j] += sx, dp[3 * j + 1] += sy, dp[3 * j + 2] += sz;
      dmass[j] += sm;
    }
#pragma omp for
    for (int i = 0; i < 3 * n; i++)
      da[i] = 0;
  }
}
