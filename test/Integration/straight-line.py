#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bounds the time of compilation of straight-line code and of chains of merge points.

  straight-line.py --clang=C --plugin=P --work=DIR

10 000 statements take less than 10 seconds (at -O0, where LLVM's own passes take little of
it). Four times as many merge points take less than ten times as long: linear, with some room;
and the programs' gradients are right.
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

STATEMENTS = (
    "  a = 0.9 * a + 0.1 * b * c;",
    "  b = sin(b) * 0.5 + 0.2 * a;",
    "  c = c * a * 0.3 + 0.1 * x;",
    "  a = a / (1 + b * b) + 0.3;",
)
MERGE = "  if (a < 0.1 + 0.001 * %d) a = a * 1.01 + b * 0.1; else a = 0.9 * a * a + 0.05; if (b > a) b -= 0.3 * a * b;"


def compile_and_run(args, name, body):
    """Returns the seconds of a processor that the compilation took, or None."""
    stem = os.path.join(args.work, name)
    with open(stem + ".c", "w") as file:
        file.write(PROGRAM % "\n".join(body))
    start = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run([args.clang, "-O0", "-fpass-plugin=" + args.plugin, stem + ".c", "-lm", "-o", stem], timeout=300)
    took = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - start
    if done.returncode or subprocess.run([stem], timeout=60).returncode:
        print("%s: wrong" % name)
        return None
    print("%s: %.1f s" % (name, took))
    return took


def main():
    parser = argparse.ArgumentParser()
    for name in ("clang", "plugin", "work"):
        parser.add_argument("--" + name, required=True)
    args = parser.parse_args()
    os.makedirs(args.work, exist_ok=True)
    straight = compile_and_run(args, "straight", [STATEMENTS[i % 4] for i in range(10000)])
    few = compile_and_run(args, "few", [MERGE % (k % 50) for k in range(100)])
    many = compile_and_run(args, "many", [MERGE % (k % 50) for k in range(400)])
    if None in (straight, few, many):
        return 1
    return straight > 10 or many > max(10 * few, 5)


if __name__ == "__main__":
    sys.exit(main())
