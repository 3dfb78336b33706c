#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bounds the time of compilation of straight-line code and of chains of merge points.

  straight-line.py --clang=C --plugin=P --work=DIR

10 000 statements take less than 10 seconds (at -O0, where LLVM's own passes take little of
it). Four times as many merge points take less than ten times as long: linear, with some room.
So do four times as many statements at -O0 and -O2 (a quadratic step gives sixteen): on
variables and on an array that is passed by a pointer, straight and in a loop of unknown
length. The programs' gradients are right.
"""

import argparse
import os
import resource
import subprocess
import sys

PROGRAM = """
#include <math.h>
#include <stdio.h>
double __enzyme_autodiff(void *, double);
static double f(double x) {
  double a = x, b = 0.5, c = 0.25;
%s
  return a * b + c;
}
int main(void) {
  double x = 0.7, h = 1e-6;
  double want = (f(x + h) - f(x - h)) / (2 * h), got = __enzyme_autodiff((void *)f, x);
  printf("got %%g, want %%g\\n", got, want);
  return !(fabs(got - want) <= 1e-5 * (1 + fabs(want)));
}
"""

# Eight variables or elements of an array, straight or in a loop.
GROWING = """
#include <math.h>
#include <stdio.h>
void __enzyme_autodiff(void *, double *, double *, int, double *, double *);
static void f(double *x, int n, double *out) {
  %(begin)s
%(body)s
  %(end)s
}
static double value(double *x) {
  double copy[8], out = 0;
  for (int i = 0; i < 8; ++i)
    copy[i] = x[i];
  f(copy, 2, &out);
  return out;
}
static void gradient(double *x, double *d) {
  double copy[8], out = 0, d_out = 1;
  for (int i = 0; i < 8; ++i)
    copy[i] = x[i];
  __enzyme_autodiff((void *)f, copy, d, 2, &out, &d_out);
}
int main(void) {
  double x[8], d[8] = {0}, h = 1e-6;
  for (int i = 0; i < 8; ++i)
    x[i] = 0.3 + 0.1 * i;
  gradient(x, d);
  for (int i = 0; i < 8; ++i) {
    double at = x[i];
    x[i] = at + h;
    double want = value(x);
    x[i] = at - h;
    want = (want - value(x)) / (2 * h);
    x[i] = at;
    if (!(fabs(d[i] - want) <= 1e-5 * (1 + fabs(want))))
      return printf("%%d: got %%g, want %%g\\n", i, d[i], want);
  }
  return 0;
}
"""

STATEMENTS = (
    "  a = 0.9 * a + 0.1 * b * c;",
    "  b = sin(b) * 0.5 + 0.2 * a;",
    "  c = c * a * 0.3 + 0.1 * x;",
    "  a = a / (1 + b * b) + 0.3;",
)
# The values stay about where they are, so that no derivative vanishes.
SMALL = (
    "%s += 0.01 * sin(%s * %s);",
    "%s += 0.01 * (%s - 0.5 * %s);",
    "%s += 0.02 * cos(%s) * %s;",
    "%s -= 0.01 * %s * %s;",
)
MERGE = "  if (a < 0.1 + 0.001 * %d) a = a * 1.01 + b * 0.1; else a = 0.9 * a * a + 0.05; if (b > a) b -= 0.3 * a * b;"


def compile_and_run(args, name, program, level=0):
    """Returns the seconds of a processor that the compilation took, or None."""
    stem = os.path.join(args.work, name)
    with open(stem + ".c", "w") as file:
        file.write(program)
    command = [args.clang, "-O%d" % level, "-fpass-plugin=" + args.plugin, stem + ".c", "-lm", "-o", stem]
    start = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(command, timeout=300)
    took = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - start
    if done.returncode or subprocess.run([stem], timeout=60).returncode:
        print("%s: wrong" % name)
        return None
    print("%s: %.1f s" % (name, took))
    return took


def grow(count, array, loop):
    """A program with that many statements."""
    names = ["x[%d]" % i if array else "a%d" % i for i in range(8)]
    number, body = 12345, []
    for i in range(count):
        picked = []
        for _ in range(3):
            number = (number * 1103515245 + 12345) & 0x7FFFFFFF
            picked.append(names[(number >> 8) % 8])
        body.append("  " + SMALL[i % 4] % tuple(picked))
    begin = "" if array else "double " + ", ".join("a%d = x[%d]" % (i, i) for i in range(8)) + ";"
    if loop:
        begin += " while ((n-- > 0) & (%s < 1e3)) {" % names[0]
    end = "} " if loop else ""
    return GROWING % {"begin": begin, "body": "\n".join(body), "end": end + "*out = %s;" % " + ".join(names)}


def grows_fast(args, level, array, loop):
    """True if four times as many statements take more than ten times as long."""
    name = "O%d-%s-%s" % (level, "array" if array else "variables", "loop" if loop else "line")
    few = compile_and_run(args, name + "-few", grow(1000, array, loop), level)
    many = compile_and_run(args, name + "-many", grow(4000, array, loop), level)
    if None in (few, many):
        return True
    if many > max(10 * few, 3):
        print("%s: grows too fast" % name)
        return True
    return False


def main():
    parser = argparse.ArgumentParser()
    for name in ("clang", "plugin", "work"):
        parser.add_argument("--" + name, required=True)
    args = parser.parse_args()
    os.makedirs(args.work, exist_ok=True)
    scalar = lambda lines: PROGRAM % "\n".join(lines)
    straight = compile_and_run(args, "straight", scalar(STATEMENTS[i % 4] for i in range(10000)))
    few = compile_and_run(args, "few", scalar(MERGE % (k % 50) for k in range(100)))
    many = compile_and_run(args, "many", scalar(MERGE % (k % 50) for k in range(400)))
    if None in (straight, few, many):
        return 1
    bad = straight > 10 or many > max(10 * few, 5)
    for level in (0, 2):
        for array in (False, True):
            for loop in (False, True):
                bad |= grows_fast(args, level, array, loop)
    return bad


if __name__ == "__main__":
    sys.exit(main())
