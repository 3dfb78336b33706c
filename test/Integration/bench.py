#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compile the programs of bench/programs at small sizes, with every parallel region on all
threads, and run them.

  bench.py --clang=C --plugin=SO --work=DIR --include=DIR [--tsan] PROGRAM...
    without --tsan   gradients are right on 3 threads and the same bits on 1, 2, 3 and 8;
                     without vectors: iterations that are left over from a vector loop may
                     round in another way, since adjoint sums may be reassociated
    --tsan           the thread sanitizer finds no race on 4 threads

Sizes are the numbers of 24 and more among the enumerators of a program: each becomes one
between 5 and 15, all but every third one different from its neighbours.
"""

import argparse
import os
import re
import subprocess
import sys

SMALL = [11, 14, 9, 13, 15, 5]


def shrink(source):
    """The source with small sizes."""
    number = [0]

    def one(match):
        if int(match[0]) < 24:
            return match[0]
        number[0] += 1
        return str(SMALL[(number[0] - 1) % len(SMALL)])

    return re.sub(r"(?m)^enum \{[^}]*\}", lambda e: re.sub(r"(?<![\w.])\d+(?![\w.])", one, e[0]), source)


def run(command, environment=None):
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment)
    text = done.stdout + done.stderr
    bad = done.returncode != 0 or "WARNING: ThreadSanitizer" in text
    return bad, done.stdout, "%s\n%s (status %d)" % (" ".join(command), text[-4000:], done.returncode)


def check(options, file):
    """What is wrong with a program, or None."""
    name = os.path.splitext(os.path.basename(file))[0]
    source, program = os.path.join(options.work, name + ".c"), os.path.join(options.work, name)
    with open(file) as f, open(source, "w") as out:
        out.write(shrink(f.read()))
    sanitizer = ["-O2", "-g", "-fsanitize=thread"] if options.tsan else ["-O3", "-ffp-contract=off", "-fno-vectorize", "-fno-slp-vectorize"]
    build = [options.clang, *sanitizer, "-fopenmp", "-I" + os.path.dirname(os.path.dirname(os.path.abspath(file))),
             "-I" + options.include, "-fpass-plugin=" + options.plugin, "-mllvm", "-pardiff-min-region=0",
             source, "-lm", "-o", program]  # fmt: skip
    bad, _, text = run(build)
    if bad:
        return text
    if options.tsan:
        archer = os.path.join(os.path.dirname(options.clang), "..", "lib", "libarcher.so")
        environment = dict(os.environ, OMP_TOOL_LIBRARIES=archer, TSAN_OPTIONS="ignore_noninstrumented_modules=1")
        bad, _, text = run([program, "4", "1", "bits"], environment)
        return text if bad else None
    bad, _, text = run([program, "3", "1"])
    if bad:
        return text
    seen = {}
    for threads in ("1", "2", "3", "8"):
        bad, bits, text = run([program, threads, "1", "bits"])
        if bad:
            return text
        seen[threads] = bits.strip()
    return None if len(set(seen.values())) == 1 else "%s: bits depend on the number of threads: %s" % (name, seen)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--clang", required=True)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--include", required=True)
    parser.add_argument("--tsan", action="store_true")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    wrong = 0
    for file in sorted(options.files):
        text = check(options, file)
        if text:
            print(text)
            wrong += 1
    print("%d programs, %d failures" % (len(options.files), wrong))
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
