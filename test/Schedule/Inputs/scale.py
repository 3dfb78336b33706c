#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles programs and looks at the report's formulas of what their gradients cost.

  scale.py --clang=C --plugin=SO --work=DIR FILE:SERIAL:DEGREE... -- FLAGS...

SERIAL: the parameters (joined by +) that barriers may grow with. DEGREE: of the span, the
most factors that are parameters in a product; it must be less than that of the work.
"""

import argparse
import json
import os
import re
import subprocess
import sys


def products(formula):
    """The parameters in each product of a formula, with repetitions."""
    return [re.findall(r"(?<![\w.])[A-Za-z_]\w*", part) for part in re.split(r" [+-] ", formula)]


def degree(formula):
    return max(len(p) for p in products(formula))


def check(nest, serial, most):
    scale = nest["scale"]
    for sweep in ("forward", "adjoint"):
        of = scale[sweep]
        if any(not of[k] or "?" in of[k] for k in ("work", "span", "barriers", "bytes")):
            yield "%s: something is not known: %s" % (sweep, of)
        grows = {name for p in products(of["barriers"]) for name in p} - serial
        if grows:
            yield "%s: barriers grow with %s: %s" % (sweep, sorted(grows), of["barriers"])
        if degree(of["span"]) > most:
            yield "%s: the span is too long: %s" % (sweep, of["span"])
    if most >= degree(scale["adjoint"]["work"]):
        yield "the span may be as long as the work: %s" % scale["adjoint"]["work"]
    if [s["threads"] for s in scale["speedups"]] != [4, 16, 64, 256]:
        yield "speedups: %s" % scale["speedups"]
    if any(not 1 <= s["speedup"] <= s["threads"] for s in scale["speedups"]):
        yield "speedups: %s" % scale["speedups"]


def main():
    arguments = sys.argv[1:]
    cut = arguments.index("--")
    parser = argparse.ArgumentParser()
    parser.add_argument("--clang", required=True)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("programs", nargs="+")
    options = parser.parse_args(arguments[:cut])
    os.makedirs(options.work, exist_ok=True)
    bad = 0
    for program in options.programs:
        file, serial, most = program.rsplit(":", 2)
        report = os.path.join(options.work, os.path.basename(file) + ".json")
        command = [options.clang, "-fpass-plugin=" + options.plugin, "-mllvm", "-pardiff-report=" + report, "-g", "-c",
                   file, "-o", os.path.join(options.work, "program.o"), *arguments[cut + 1 :]]  # fmt: skip
        subprocess.run(command, check=True, timeout=120)
        with open(report) as f:
            nest = json.load(f)["requests"][0]["nests"][0]
        for text in check(nest, set(filter(None, serial.split("+"))), int(most)):
            print("%s: %s" % (os.path.basename(file), text))
            bad += 1
    print("%d programs, %d failures" % (len(options.programs), bad))
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
