#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles C files to IR with the plugin and expects, in what it generated, OpenMP
regions but no atomic operation and no call of the runtime's atomic or critical functions.

  no-atomics.py --clang=C --plugin=SO [--serial=NAME,...] [--gather=NAME,...] FILE... -- FLAGS...
--serial: programs without a parallel loop.
--gather: programs that must have atomic additions, and nothing else that is atomic.
"""

import argparse
import os
import re
import subprocess
import sys

ATOMIC = re.compile(r"\b(atomicrmw|cmpxchg|load atomic|store atomic|__kmpc_atomic\w*|__kmpc_critical\w*|__atomic_\w+)")

# The allocator of tapes: once in a call, not in loops.
MEMORY = re.compile(r"^define [^\n]*@pardiff\.memory\..*?^}", re.M | re.S)

FORK = re.compile(r"\bcall .*@__kmpc_fork_call")


def main():
    arguments = sys.argv[1:]
    split = arguments.index("--")
    parser = argparse.ArgumentParser()
    parser.add_argument("--clang", required=True)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--serial", default="")
    parser.add_argument("--gather", default="")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args(arguments[:split])
    serial = options.serial.split(",")
    bad = 0
    for file in sorted(options.files):
        name = os.path.splitext(os.path.basename(file))[0]
        command = [options.clang, "-fpass-plugin=" + options.plugin, "-S", "-emit-llvm",
                   "-o", "-", file, *arguments[split + 1 :]]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        if done.returncode:
            print("%s does not compile\n%s" % (name, done.stderr[-2000:]))
            bad += 1
            continue
        found = sorted(set(ATOMIC.findall(MEMORY.sub("", done.stdout))))
        if name in options.gather.split(","):
            found = [] if found == ["atomicrmw"] else ["expected atomicrmw", *found]
        parallel = bool(FORK.search(done.stdout))
        if found:
            print("%s: %s" % (name, ", ".join(found)))
        if parallel == (name in serial):
            print("%s: %s parallel region" % (name, "has a" if parallel else "no"))
        bad += bool(found) or parallel == (name in serial)
    print("%d programs, %d bad" % (len(options.files), bad))
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
