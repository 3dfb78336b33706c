#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare the arrays of a report with what the gradients of kernels allocate.

  measured-kernels.py --clang=C --plugin=P --work=DIR KERNEL... -- CLANG OPTIONS

Each kernel, a test that calls check_gradient() (Inputs/check.h), is compiled with
measured-kernel.h in front, which runs the gradient once and prints what was allocated
and freed meanwhile. The sizes are those that the test gives to check_size().
"""

import argparse
import json
import os
import re
import subprocess
import sys

REQUEST = re.compile(r"__pardiff_autodiff\w*\(\s*\(void \*\)\s*(\w+),(.*?)\);", re.S)


def read_sizes(text):
    """{parameter of the kernel: value}"""
    name, arguments = REQUEST.search(text).groups()
    prototype = re.search(r"\b%s\(([^{;]*)\)\s*\{" % name, text).group(1)
    prototype = re.sub(r"\[[^\]]*\]", "", prototype)
    parameters = [re.findall(r"\w+", part)[-1] for part in prototype.split(",")]
    values = {k: int(v) for k, v in re.findall(r"(\w+) = check_size\((\d+)\)", text)}
    left, given = [a.strip() for a in arguments.split(",")][::-1], []
    while left:
        activity = left.pop()
        given.append(left.pop())
        if activity == "pardiff_dup":
            left.pop()
    return {p: values[a] for p, a in zip(parameters, given) if a in values}


def main():
    own, flags = sys.argv[1:], []
    if "--" in own:
        own, flags = own[: own.index("--")], own[own.index("--") + 1 :]
    parser = argparse.ArgumentParser()
    for option in ("clang", "plugin", "work"):
        parser.add_argument("--" + option, required=True)
    parser.add_argument("kernels", nargs="+")
    args = parser.parse_args(own)
    os.makedirs(args.work, exist_ok=True)
    header = os.path.join(os.path.dirname(os.path.abspath(__file__)), "measured-kernel.h")
    wrong = kept = 0
    for path in args.kernels:
        kernel = os.path.splitext(os.path.basename(path))[0]
        exe = os.path.join(args.work, kernel)
        command = [args.clang, "-O1", "-fno-discard-value-names", "-fpass-plugin=" + args.plugin]
        command += ["-mllvm", "-pardiff-report=" + exe + ".json", "-mllvm", "-pardiff-nest-only"]
        command += ["-include", header, path, "-o", exe, "-lm", *flags]
        command += ["-Wl,--wrap=malloc", "-Wl,--wrap=calloc", "-Wl,--wrap=free"]
        subprocess.run(command, check=True, timeout=120)
        found = subprocess.run([exe], check=True, timeout=60, capture_output=True, text=True)
        allocated, freed = map(int, found.stdout.split())
        with open(path) as file:
            sizes = read_sizes(file.read())
        with open(exe + ".json") as file:
            nests = [n for request in json.load(file)["requests"] for n in request["nests"]]
        tapes = [part for nest in nests for part in nest["tapes"] + nest["partial_sums"] + nest["own_arrays"]]
        floord = lambda a, b: a // b
        said = sum(
            tape["element_bytes"] * eval(tape["elements"], {"floord": floord}, sizes)
            for tape in tapes
        )
        kept += said > 0
        if said != allocated or said != freed:
            wrong += 1
            print("%s: report %d, allocated %d, freed %d" % (kernel, said, allocated, freed))
    print("%d of %d kernels keep something" % (kept, len(args.kernels)))
    return wrong != 0


sys.exit(main())
