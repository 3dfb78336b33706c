// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An exception that leaves the function leaves the gradient as well, and takes
// everything along that the gradient has allocated until then: tapes of loops of
// known and unknown length, frames of recursive calls. What the function does
// otherwise stays the same: the handler sees the exception, destructors run once.
//
// DEFINE: %{wrap} = -Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=free
// RUN: %clangxx -std=c++17 -O0 -Xclang -llvm-verify-each %s -o %t0 %{wrap} && %t0
// RUN: %clangxx -std=c++17 -O1 -Xclang -llvm-verify-each %s -o %t1 %{wrap} && %t1
// RUN: %clangxx -std=c++17 -O2 -Xclang -llvm-verify-each %s -o %t2 %{wrap} && %t2
// RUN: %clangxx -std=c++17 -O3 -Xclang -llvm-verify-each %s -o %t3 %{wrap} && %t3
#include <cmath>
#include <cstdio>
#include <cstdlib>

template <class Result, class... T> Result __pardiff_autodiff(T...);

static int live, destroyed;
extern "C" {
void *__real_malloc(size_t);
void *__real_calloc(size_t, size_t);
void __real_free(void *);
void *__wrap_malloc(size_t n) { return ++live, __real_malloc(n); }
void *__wrap_calloc(size_t n, size_t m) { return ++live, __real_calloc(n, m); }
void __wrap_free(void *p) {
  live -= p != nullptr;
  __real_free(p);
}
}

struct Noted {
  ~Noted() { destroyed = destroyed + 1; }
};
struct Negative {
  double Value;
};

static void need(double v) {
  if (v < 0)
    throw Negative{v};
}

// A loop of known length, and one of unknown length inside.
static double loops(double *x, int n) {
  Noted note;
  double s = 1;
  for (int i = 0; i < n; ++i) {
    for (double t = x[i]; t > 0.1; t *= 0.5)
      s = s * 0.7 + std::sin(s * t);
    need(x[i]);
    s *= x[i];
  }
  return s;
}

// Recursive, with a loop in each call.
static double deep(double *x, int n) {
  if (n == 0)
    return 1;
  double s = 1;
  for (double t = 1; t > 0.1; t *= 0.5)
    s = s * 0.7 + std::sin(s * x[0]);
  need(x[0]);
  return s * deep(x + 1, n - 1);
}

static int failures;
template <double (*F)(double *, int)> void check(const char *Name) {
  for (int bad = 0; bad < 6; ++bad) {
    double x[5], dx[5] = {0};
    for (int i = 0; i < 5; ++i)
      x[i] = i == bad ? -1 - i : 0.4 + 0.1 * i;
    int before = live, caught = 0, gone = destroyed;
    try {
      F(x, 5);
    } catch (const Negative &) {
    }
    gone = destroyed - gone;
    int goneBefore = destroyed;
    try {
      __pardiff_autodiff<void>((void *)F, x, dx, 5);
    } catch (const Negative &E) {
      caught = E.Value == -1 - bad;
    }
    if (caught != (bad < 5) || live != before || destroyed - goneBefore != gone)
      std::printf("%s, %d: %d caught, %d allocations left, %d destroyed "
                  "instead of %d\n",
                  Name, bad, caught, live - before, destroyed - goneBefore,
                  gone),
          failures = 1;
  }
}

int main() {
  check<loops>("loops");
  check<deep>("deep");
  return failures;
}
