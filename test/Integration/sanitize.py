#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compile programs that use Inputs/check.h, and run each under a checking tool.

  sanitize.py --clang=C --plugin=SO --work=DIR --tool=TOOL FILE... -- FLAGS...
    address   address and undefined-behaviour sanitizers, leaks; serial and with OpenMP
    thread    the thread sanitizer, with OpenMP (libomp's archer knows its barriers)
    valgrind  serial

Arrays have no guard zones here, so the tools see every access outside.
"""

import argparse
import os
import subprocess
import sys

# The flags of each build, and the command in front of the program.
ADDRESS = ["-g", "-fsanitize=address,undefined"]
VALGRIND = ["valgrind", "-q", "--error-exitcode=9", "--leak-check=full", "--errors-for-leak-kinds=definite"]
TOOLS = {
    "address": ([["-O1", *ADDRESS], ["-O2", "-fopenmp", *ADDRESS]], []),
    "thread": ([["-O2", "-fopenmp", "-g", "-fsanitize=thread"]], []),
    "valgrind": ([["-O2", "-gdwarf-4"]], VALGRIND),
}


def main():
    own, flags = sys.argv[1:], []
    if "--" in own:
        cut = own.index("--")
        own, flags = own[:cut], own[cut + 1 :]
    parser = argparse.ArgumentParser()
    parser.add_argument("--clang", required=True)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--tool", required=True, choices=TOOLS)
    parser.add_argument("files", nargs="+")
    options = parser.parse_args(own)
    os.makedirs(options.work, exist_ok=True)
    archer = os.path.join(os.path.dirname(options.clang), "..", "lib", "libarcher.so")
    env = dict(
        os.environ,
        OMP_NUM_THREADS="2",
        OMP_TOOL_LIBRARIES=archer if options.tool == "thread" else "",
        TSAN_OPTIONS="ignore_noninstrumented_modules=1",
        UBSAN_OPTIONS="halt_on_error=1",
    )
    builds, front = TOOLS[options.tool]
    bad = 0
    for file in options.files:
        program = os.path.join(options.work, "program")
        for build in builds:
            compile = [options.clang, *build, "-DCHECK_GUARD=0", *flags,
                       "-fpass-plugin=" + options.plugin, file, "-lm", "-o", program]  # fmt: skip
            for command in (compile, [*front, program]):
                done = subprocess.run(command, capture_output=True, text=True, env=env, timeout=300)
                if done.returncode or "WARNING: ThreadSanitizer" in done.stderr:
                    print("%s: FAILED (status %d)\n  %s" % (os.path.basename(file), done.returncode, " ".join(command)))
                    print((done.stdout + done.stderr)[-6000:])
                    bad += 1
                    break
    print("%d programs, %d failures" % (len(options.files), bad))
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
