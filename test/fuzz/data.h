/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The inputs of a generated program, the same for the plugin and the reference.
 */
static double data_value(long i, int k) {
  return 0.9 + 0.4 * sin(1.3 * (double)i + k) - 0.01 * (double)(i % 11);
}
/* The caller's shadow: what is accumulated must keep it. */
static double data_seed(long i) { return 0.25 + 0.01 * (double)(i % 7); }
static double data_scalar(int k) { return 0.7 - 0.15 * k; }
static int data_integer(long i) { return (int)((i * 7 + 3) % 5) - 1; }
/* A direction for forward mode. */
static double data_tangent(long i, int k) {
  return sin(2.1 * (double)i + 0.7 * k + 0.3);
}
