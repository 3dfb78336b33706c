#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compile time of programs with a request, against the same without the plugin.

  compile-time.py --clang=C --plugin=SO [--factor=3] [--seconds=1] [--repeats=8]
                  [--slower=NAME,...] FILE... -- FLAGS...

The time of a compilation is the processor time of the compiler, so a loaded machine matters
little. With the plugin it may be FACTOR times that without, or SECONDS more, whichever is
larger; for programs in --slower three times these. What is over is compiled again, REPEATS
times in all, and the smallest times count.
"""

import argparse
import os
import resource
import subprocess
import sys


def measure(command):
    """The processor time of a command in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    own, flags = sys.argv[1:], []
    if "--" in own:
        cut = own.index("--")
        own, flags = own[:cut], own[cut + 1 :]
    parser = argparse.ArgumentParser()
    parser.add_argument("--clang", required=True)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--factor", type=float, default=3)
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--repeats", type=int, default=8)
    parser.add_argument("--slower", default="")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args(own)
    bad = 0
    for file in options.files:
        name = os.path.basename(file)
        command = [options.clang, *flags, "-c", file, "-o", os.devnull]
        wider = 3 if os.path.splitext(name)[0] in options.slower.split(",") else 1
        plain = ours = float("inf")
        for _ in range(options.repeats):
            plain = min(plain, measure(command))
            ours = min(ours, measure([*command, "-fpass-plugin=" + options.plugin]))
            slow = ours > max(wider * options.factor * plain, plain + wider * options.seconds)
            if not slow:
                break
        bad += slow
        print("%-20s %6.2f s without, %6.2f s with a request%s" % (
            name, plain, ours, ": TOO SLOW" if slow else ""))  # fmt: skip
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
