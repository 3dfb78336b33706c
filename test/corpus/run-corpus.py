#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Differentiates many small programs that use C and C++ widely.

Each feature (features_c.py, features_cpp.py) is reached in four ways (corpus.h: directly,
in a loop, inside a recursive function, through a function pointer). Each program must

  compile and give the gradient of central differences, or
  end in errors of ours only: reason, place and autodiff call named, no crash, nothing left
  for the linker. A feature marked REFUSED must be refused, with that sentence.

  run-corpus.py --clang=C --clangxx=C++ --plugin=P --include=DIR --work=DIR
    [--levels=0,2] [--only=REGEX] [--part=I/N] [--jobs=N] [--verbose]

Through a pointer a feature that is refused compiles, and stops the program when it is
called. The last line counts: right, refused as marked, refused though not marked, and wrong.
Exits with 1 if anything is wrong, or if a feature that is known to work (not in
known-refusals.txt) is refused.
"""

import argparse
import concurrent.futures
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import features_c
import features_cpp

WRAPS = ("plain", "loop", "recursive", "pointer")
# Central differences of single precision: a larger step, and less to expect.
SINGLE = {"complex_float"}


def run(command, timeout):
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            timeout=timeout, errors="replace",
        )
        return done.returncode, done.stdout.decode(errors="replace") if isinstance(done.stdout, bytes) else done.stdout
    except subprocess.TimeoutExpired:
        return "timeout", ""


def judge(args, name, text, suffix, wrap, level):
    """One program: (kind, detail). Kinds: right, marked, unmarked, WRONG."""
    marked = None
    if text.startswith("REFUSED: "):
        marked, text = text[9:].split("\n", 1)
    stem = os.path.join(args.work, "%s_%s_%d_O%s" % (suffix, name, wrap, level))
    source = stem + "." + suffix
    with open(source, "w") as file:
        file.write('#define WRAP %d\n' % wrap)
        file.write("#define STEP %s\n#define TOLERANCE %s\n" % (("3e-3", "2e-3") if name in SINGLE else ("1e-6", "1e-5")))
        file.write('#include "corpus.h"\n')
        file.write("#line 1\n" + text.lstrip("\n") + "\n")
    compiler = [args.clangxx, "-std=c++17"] if suffix == "cpp" else [args.clang]
    command = compiler + [
        "-O" + level, "-gline-tables-only", "-fpass-plugin=" + args.plugin, "-Xclang", "-llvm-verify-each",
        "-I" + HERE, "-I" + args.include, "-w", source, "-o", stem + ".exe", "-lm", "-pthread",
    ]
    status, output = run(command, args.timeout)
    keep = lambda kind, detail: (kind, detail, command)
    if status == "timeout":
        return keep("WRONG", "the compiler does not end")
    if status != 0:
        errors = re.findall(r"error: (.*)", output)
        if "PLEASE submit a bug report" in output or "Stack dump" in output or "frontend command failed" in output:
            return keep("WRONG", "the compiler crashes: " + output[-1500:])
        ours = [e for e in errors if e.startswith("pardiff: ") or ": pardiff: " in e]
        if "undefined reference" in output or "undefined symbol" in output:
            # A function that is nowhere, called through a pointer only.
            if marked and wrap == 3 and "__pardiff" not in output:
                return keep("marked", "")
            return keep("WRONG", "left for the linker: " + output[-600:])
        if not ours or len(ours) != len(errors) - sum("linker command" in e for e in errors):
            return keep("WRONG", "not our error: " + output[-1500:])
        if any("__pardiff_autodiff" not in e for e in ours) or len(ours) != 1:
            return keep("WRONG", "an unclear error: " + output[-1500:])
        if "internal error" in ours[0]:
            return keep("WRONG", ours[0])
        if marked:
            return keep("marked", "") if marked in ours[0] else keep("WRONG", "another reason: " + ours[0])
        return keep("unmarked", ours[0].split("; in the derivative")[0])
    status, output = run([stem + ".exe"], args.timeout)
    os.remove(stem + ".exe")
    if status == 0:
        return keep("WRONG", "not refused") if marked else keep("right", "")
    if wrap == 3 and "pardiff: stopped: " in output:
        if marked:
            return keep("marked", "") if marked in output else keep("WRONG", "another reason: " + output)
        return keep("unmarked", output.strip())
    return keep("WRONG", "status %s: %s" % (status, output[-800:]))


def main():
    parser = argparse.ArgumentParser()
    for name in ("clang", "clangxx", "plugin", "include", "work"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--levels", default="0,2")
    parser.add_argument("--only", default="")
    parser.add_argument("--part", default="0/1")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=120)
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    os.makedirs(args.work, exist_ok=True)
    with open(os.path.join(HERE, "known-refusals.txt")) as file:
        known = {line.split()[0] for line in file if line.strip() and not line.startswith("#")}
    programs = []
    for level in args.levels.split(","):
        for suffix, features in (("c", features_c.FEATURES), ("cpp", features_cpp.FEATURES)):
            for name, text in features.items():
                for wrap in range(len(WRAPS)):
                    label = "%s/%s/%s/O%s" % (suffix, name, WRAPS[wrap], level)
                    if re.search(args.only, label):
                        programs.append((label, name, text, suffix, wrap, level))
    part, parts = map(int, args.part.split("/"))
    programs = programs[part::parts]
    counts = dict.fromkeys(("right", "marked", "unmarked", "WRONG"), 0)
    bad = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        jobs = [(p, pool.submit(judge, args, *p[1:])) for p in programs]
        for (label, *_), job in jobs:
            kind, detail, command = job.result()
            counts[kind] += 1
            unexpected = kind == "unmarked" and not {label.rsplit("/", k)[0] for k in range(3)} & known
            if kind == "WRONG" or unexpected:
                bad += 1
                print("%s: %s: %s" % (label, kind, detail))
                if args.verbose:
                    print("  " + " ".join(command))
            sys.stdout.flush()
    print("%(right)d right, %(marked)d refused as marked, %(unmarked)d refused, %(WRONG)d wrong" % counts)
    return 1 if bad or not programs else 0


if __name__ == "__main__":
    sys.exit(main())
