/* Flags, characters and numbers in structures that have a shadow are integers, whatever
 * their size, and may be copied and set.
 *
 * RUN: %clang -O0 %s -o %t && %t
 * RUN: %clang -O2 %s -o %t && %t
 * RUN: %clang -O0 -mllvm -pardiff-force-fallback %s -o %t && %t
 * RUN: %clang -O2 -mllvm -pardiff-force-fallback %s -o %t && %t
 */
#include <pardiff/pardiff.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct {
  double value;
  bool used;
  char tag;
  short small;
  int number;
} Entry;

static double f(int n, Entry *s, Entry *t) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    t[i].used = s[i].used;
    t[i].tag = s[i].tag;
    t[i].small = s[i].small;
    t[i].number = 0;
    s[i].used = true;
    sum += s[i].used ? s[i].value * s[i].value : t[i].value;
  }
  return sum;
}

int main(void) {
  Entry s[3] = {{1, 1, 2, 3, 4}, {2, 0, 2, 3, 4}, {3, 1, 2, 3, 4}};
  Entry t[3] = {{0}}, ds[3] = {{0}}, dt[3] = {{0}};
  __pardiff_autodiff((void *)f, pardiff_const, 3, pardiff_dup, s, ds, pardiff_dup, t, dt);
  int failures = 0;
  for (int i = 0; i < 3; i++)
    if (ds[i].value != 2 * (i + 1) || dt[i].value != 0 || t[i].tag != 2 ||
        t[i].small != 3 || t[i].used != (i != 1) || !s[i].used)
      ++failures, printf("%d: %g\n", i, ds[i].value);
  return failures != 0;
}
