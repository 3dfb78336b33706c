#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the executor on every kernel of a folder of C files.

A kernel is the function that the file's request differentiates. The file is compiled
without optimisation and without the request (-DCHECK_PLAIN), the kernel taken out and
its programs printed and executed.

  run-kernels.py --llvm-tools=DIR --plugin=SO [--sizes=4,2] [--not-affine=NAME,...]
                 FILE... -- COMPILER FLAGS...
--opt=OPTION: for the compiler of the programs
--not-affine: kernels that the nest engine is expected to refuse.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

import execute
import model
from isl import Isl

REQUEST = re.compile(r"__(?:pardiff|enzyme)_autodiff\w*(?:<[^>]*>)?\(\s*(?:\(void \*\)\s*)?(?!void\b)(\w+)")


def print_programs(options, file, flags):
    """The printed programs of a kernel, or of all functions if the file has no request.
    Raises SystemExit with a message."""
    with open(file) as source:
        found = REQUEST.search(source.read())

    def tool(name, *args):
        command = [os.path.join(options.llvm_tools, name), *args]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        if done.returncode:
            raise SystemExit("%s\n%s" % (" ".join(command), done.stderr[-2000:]))
        return done.stdout

    with tempfile.TemporaryDirectory(dir=options.work or None) as folder:
        whole, kernel = folder + "/whole.bc", folder + "/kernel.bc"
        tool("clang", "-O1", "-Xclang", "-disable-llvm-passes", "-DCHECK_PLAIN",
             "-emit-llvm", "-c", file, "-o", whole, *flags)  # fmt: skip
        if not found:
            kernel = whole
        else:
            tool("llvm-extract", "--func=" + found.group(1), "--recursive", whole, "-o", kernel)
        return tool("opt", "-load-pass-plugin=" + options.plugin, *options.opt,
                    "-passes=print<pardiff-gradient>", "-disable-output", kernel)  # fmt: skip


def check_kernel(options, isl, file):
    """Number of objections."""
    name = os.path.splitext(os.path.basename(file))[0]
    functions, other = model.read_programs(
        print_programs(options, file, options.flags)
    )
    print("%s:" % name)
    refused = [line for line in other if "refused" in line]
    if name in options.not_affine.split(","):
        if not refused:
            print("  expected to be refused, but was not")
        return not refused
    if refused or not functions:
        print("  no program", *refused, sep="\n  ")
        return 1
    sizes = [int(s) for s in options.sizes.split(",")]
    return sum(
        execute.check_function(isl, f, p, sizes, lambda text: print("  " + text))
        for f, p in functions.items()
    )


def make_parser():
    parser = argparse.ArgumentParser()
    parser.add_argument("--llvm-tools", required=True)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--sizes", default="4,2")
    parser.add_argument("--work", default="")
    parser.add_argument("--opt", action="append", default=[])
    parser.add_argument("files", nargs="+")
    return parser


def main():
    arguments, flags = sys.argv[1:], []
    if "--" in arguments:
        flags = arguments[arguments.index("--") + 1 :]
        arguments = arguments[: arguments.index("--")]
    parser = make_parser()
    parser.add_argument("--not-affine", default="")
    options = parser.parse_args(arguments)
    options.flags = flags
    isl = Isl(os.path.join(options.llvm_tools, "..", "lib"))
    objections = sum(check_kernel(options, isl, f) for f in sorted(options.files))
    print("%d kernels, %d objections" % (len(options.files), objections))
    return objections != 0


if __name__ == "__main__":
    sys.exit(main())
