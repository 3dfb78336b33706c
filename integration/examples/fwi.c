/*===- integration/examples/fwi.c - Full-waveform inversion ---------*- C
 * -*-===*
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * Sources at the top of a piece of ground send waves down; receivers at the top
 * and at the bottom record them. From these records alone, and from a start
 * that knows only how the speed of sound grows with depth, descent along the
 * gradient of the misfit recovers the speed everywhere. Writes the true model,
 * the start and the result side by side as a PNG.
 *
 *   fwi [FILE.png [iterations [steps of time]]]
 *
 *===----------------------------------------------------------------------===*/

#include "example.h"
#include <pardiff/pardiff.h>
#include <png.h>

/* One step of the wave equation  p_tt = c^2 laplace(p)  by leapfrog: `next`
 * holds the field before `now` and becomes the one after it. m is (c dt / h)^2,
 * and damp is below 1 near the border, so that waves leave. */
static void leap(int nz, int nx, double m[nz][nx], double damp[nz][nx],
                 double now[nz][nx], double next[nz][nx]) {
  for (int z = 1; z < nz - 1; z++)
    for (int x = 1; x < nx - 1; x++) {
      double laplace = now[z - 1][x] + now[z + 1][x] + now[z][x - 1] +
                       now[z][x + 1] - 4 * now[z][x];
      next[z][x] = damp[z][x] * (2 * now[z][x] - damp[z][x] * next[z][x] +
                                 m[z][x] * laplace);
    }
}

/* Half the squared misfit of the records of one shot: a source at (zs, xs),
 * receivers in the rows zs and zr. The fields u and v are at rest before. */
static double misfit(int steps, int nz, int nx, double m[nz][nx],
                     double damp[nz][nx], double u[nz][nx], double v[nz][nx],
                     double source[steps], int zs, int xs, int zr,
                     double top[steps][nx], double bottom[steps][nx]) {
  double sum = 0;
  for (int t = 0; t < steps - 1; t += 2) {
    leap(nz, nx, m, damp, u, v);
    for (int x = xs - 1; x <= xs + 1; x++)
      v[zs][x] += source[t];
    for (int x = 0; x < nx; x++) {
      double r = v[zs][x] - top[t][x], s = v[zr][x] - bottom[t][x];
      sum += 0.5 * (r * r + s * s);
    }
    leap(nz, nx, m, damp, v, u);
    for (int x = xs - 1; x <= xs + 1; x++)
      u[zs][x] += source[t + 1];
    for (int x = 0; x < nx; x++) {
      double r = u[zs][x] - top[t + 1][x], s = u[zr][x] - bottom[t + 1][x];
      sum += 0.5 * (r * r + s * s);
    }
  }
  return sum;
}

/*--- The program around it
 * ---------------------------------------------------*/

#ifndef SHRINK
#define SHRINK 1 /* 2: half as many points along each axis, and in time */
#endif
enum { NZ = 96 / SHRINK, NX = 144 / SHRINK, SHOTS = 6, ZS = 5, ZR = NZ - 6 };
static const double dt_by_h =
    0.2; /* of time step and grid spacing, in s / km */

static int steps = 480 / SHRINK;
static double *m, *dm, *damp, *u, *du, *v, *dv, *source;
static double *truth, *start,
    *state; /* the two other models, and Adam's memory */
static double *top[SHOTS], *bottom[SHOTS]; /* what the receivers recorded */

static int shot_x(int shot) { return 8 + shot * (NX - 17) / (SHOTS - 1); }

static void at_rest(void) {
  memset(u, 0, NZ * NX * sizeof(double));
  memset(v, 0, NZ * NX * sizeof(double));
}

static double shot_misfit(int shot) {
  at_rest();
  return misfit(steps, NZ, NX, (void *)m, (void *)damp, (void *)u, (void *)v,
                source, ZS, shot_x(shot), ZR, (void *)top[shot],
                (void *)bottom[shot]);
}

/* Adds to dm. The fields are no results, so their shadows are zero before;
 * afterwards they hold the derivative by the fields at rest, which nobody
 * wants. */
static void shot_gradient(int shot) {
  at_rest();
  memset(du, 0, NZ * NX * sizeof(double));
  memset(dv, 0, NZ * NX * sizeof(double));
  __pardiff_autodiff((void *)misfit, pardiff_const, steps, pardiff_const, NZ,
                     pardiff_const, NX, pardiff_dup, m, dm, pardiff_const, damp,
                     pardiff_dupnoneed, u, du, pardiff_dupnoneed, v, dv,
                     pardiff_const, source, pardiff_const, ZS, pardiff_const,
                     shot_x(shot), pardiff_const, ZR, pardiff_const, top[shot],
                     pardiff_const, bottom[shot]);
}

static double value(void) {
  double sum = 0;
  for (int shot = 0; shot < SHOTS; shot++)
    sum += shot_misfit(shot);
  return sum;
}

static void gradient(void) {
  memset(dm, 0, NZ * NX * sizeof(double));
  for (int shot = 0; shot < SHOTS; shot++)
    shot_gradient(shot);
}

/* Smooths the gradient (the waves cannot see what is smaller than themselves),
 * and leaves the surroundings of sources and receivers as they are. */
static void smooth_gradient(void) {
  static double before[NZ * NX];
  for (int pass = 0; pass < 5; pass++) {
    memcpy(before, dm, sizeof before);
    for (int z = 1; z < NZ - 1; z++)
      for (int x = 1; x < NX - 1; x++)
        dm[z * NX + x] =
            0.5 * before[z * NX + x] +
            0.125 * (before[z * NX + x - 1] + before[z * NX + x + 1] +
                     before[(z - 1) * NX + x] + before[(z + 1) * NX + x]);
  }
  for (int z = 0; z < NZ; z++)
    for (int x = 0; x < NX; x++)
      if (z < ZS + 4 || z > ZR - 2 || x < 4 || x > NX - 5)
        dm[z * NX + x] = 0;
}

static void run_shot(void) { shot_misfit(0); }
static void run_shot_gradient(void) { shot_gradient(0); }

/* Shoots into the model m and keeps what the receivers see. */
static void record(int shot) {
  at_rest();
  for (int t = 0; t < steps; t++) {
    double *now = t % 2 ? v : u, *next = t % 2 ? u : v;
    leap(NZ, NX, (void *)m, (void *)damp, (void *)now, (void *)next);
    for (int x = shot_x(shot) - 1; x <= shot_x(shot) + 1; x++)
      next[ZS * NX + x] += source[t];
    memcpy(top[shot] + t * NX, next + ZS * NX, NX * sizeof(double));
    memcpy(bottom[shot] + t * NX, next + ZR * NX, NX * sizeof(double));
  }
}

/* The start, which knows the speed's growth with depth, and the truth, in km/s.
 */
static double start_speed(int z) { return 1.6 + 0.8 * z / NZ; }

static double true_speed(int z, int x) {
  double c = start_speed(z);
  double bed = 0.64 * NZ + 0.1 * (x - 0.5 * NX); /* a fast bed that dips ... */
  if (x > 0.55 * NX)
    bed -= 0.14 * NZ; /* ... with a fault */
  double side = fmin(1, fmax(0, fmin(x - 0.08 * NX, 0.92 * NX - x) / 10));
  c += 0.4 * side * exp(-pow((z - bed) / (0.08 * NZ), 4));
  double dz = z - 0.36 * NZ, dx = x - 0.28 * NX; /* a slow body */
  c -= 0.4 * exp(-(dz * dz + 0.4 * dx * dx) / (0.012 * NZ * NZ));
  dz = z - 0.28 * NZ, dx = x - 0.68 * NX; /* a fast one */
  c += 0.4 * exp(-(dz * dz + dx * dx) / (0.008 * NZ * NZ));
  return c;
}

static double to_m(double speed) { return speed * dt_by_h * speed * dt_by_h; }
static double to_speed(double entry) { return sqrt(entry) / dt_by_h; }

/* From dark blue (1.3 km/s) by green to yellow (2.9 km/s). */
static void colour(double speed, unsigned char *rgb) {
  static const unsigned char scale[5][3] = {{68, 1, 84},
                                            {59, 82, 139},
                                            {33, 145, 140},
                                            {94, 201, 98},
                                            {253, 231, 37}};
  double t = fmin(3.999, fmax(0, 4 * (speed - 1.3) / 1.6));
  int k = (int)t;
  for (int c = 0; c < 3; c++)
    rgb[c] = scale[k][c] + (t - k) * (scale[k + 1][c] - scale[k][c]);
}

/* Three models side by side, each number a square of pixels. */
static int write_picture(const char *name, double *models[3]) {
  enum {
    ZOOM = 4,
    GAP = 8,
    WIDTH = 3 * NX * ZOOM + 2 * GAP,
    HEIGHT = NZ * ZOOM
  };
  unsigned char *pixels = malloc(3 * WIDTH * HEIGHT);
  if (!pixels)
    return 1;
  memset(pixels, 255, 3 * WIDTH * HEIGHT);
  for (int k = 0; k < 3; k++)
    for (int z = 0; z < HEIGHT; z++)
      for (int x = 0; x < NX * ZOOM; x++)
        colour(to_speed(models[k][z / ZOOM * NX + x / ZOOM]),
               pixels + 3 * (z * WIDTH + k * (NX * ZOOM + GAP) + x));
  png_image image = {.version = PNG_IMAGE_VERSION,
                     .width = WIDTH,
                     .height = HEIGHT,
                     .format = PNG_FORMAT_RGB};
  int written = png_image_write_to_file(&image, name, 0, pixels, 0, NULL);
  if (!written)
    fprintf(stderr, "%s: %s\n", name, image.message);
  free(pixels);
  return !written;
}

static double distance(const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < NZ * NX; i++)
    sum +=
        (to_speed(a[i]) - to_speed(b[i])) * (to_speed(a[i]) - to_speed(b[i]));
  return sqrt(sum / (NZ * NX));
}

int main(int argc, char **argv) {
  const char *name = argc > 1 ? argv[1] : "fwi.png";
  int iterations = argc > 2 ? atoi(argv[2]) : 50;
  if (argc > 3)
    steps = atoi(argv[3]);
  if (iterations < 1 || steps < 1)
    return fprintf(stderr, "usage: fwi [FILE.png [iterations [steps]]]\n"), 1;
  steps += steps % 2;

  m = zeros(NZ * NX), dm = zeros(NZ * NX), damp = zeros(NZ * NX);
  u = zeros(NZ * NX), du = zeros(NZ * NX), v = zeros(NZ * NX),
  dv = zeros(NZ * NX);
  source = zeros(steps);
  truth = zeros(NZ * NX), start = zeros(NZ * NX);
  state = zeros(2 * NZ * NX);
  for (int shot = 0; shot < SHOTS; shot++) {
    top[shot] = zeros((long)steps * NX);
    bottom[shot] = zeros((long)steps * NX);
  }

  printf("Full-waveform inversion: %d x %d points, %d steps, %d shots\n", NZ,
         NX, steps, SHOTS);
  for (int t = 0; t < steps; t++) { /* a Ricker wavelet */
    double a = 0.09 * (t - 30), b = a * a;
    source[t] = (1 - 2 * b) * exp(-b);
  }
  for (int z = 0; z < NZ; z++)
    for (int x = 0; x < NX; x++) {
      int border = z < x ? z : x;
      border = NZ - 1 - z < border ? NZ - 1 - z : border;
      border = NX - 1 - x < border ? NX - 1 - x : border;
      double inside = fmax(0, 1 - border * SHRINK / 12.0);
      damp[z * NX + x] = exp(-0.06 * inside * inside);
      truth[z * NX + x] = to_m(true_speed(z, x));
      start[z * NX + x] = to_m(start_speed(z));
    }
  memcpy(m, truth, NZ * NX * sizeof(double));
  for (int shot = 0; shot < SHOTS; shot++)
    record(shot);
  memcpy(m, start, NZ * NX * sizeof(double));

  printf("gradient against central differences\n");
  gradient();
  /* Inside of the model: its upper and its lower fifth are left out. */
  int inner = NZ / 5 * NX;
  int bad = compare_with_differences("m", value, NZ * NX - 2 * inner, m + inner,
                                     dm + inner, 1e-6);

  printf("one shot: ");
  print_times(run_shot, run_shot_gradient);

  printf("misfit, and the distance from the true model in km/s\n");
  double first = value();
  for (int k = 1; k <= iterations; k++) {
    if (k == 1 || k % (iterations / 8 ? iterations / 8 : 1) == 0)
      printf("  iteration %4d  %12.6f  %.4f\n", k, value(), distance(m, truth));
    gradient();
    smooth_gradient();
    adam(NZ * NX, m, dm, state, k, 0.004 / (1 + 0.02 * k));
  }
  double last = value();
  printf("  end             %12.6f  %.4f\n", last, distance(m, truth));
  if (!(last < first)) {
    printf("the objective did not fall\n");
    bad = 1;
  }

  double *models[3] = {truth, start, m};
  bad |= write_picture(name, models);
  printf("true model, start and result: %s\n", name);
  return bad;
}
