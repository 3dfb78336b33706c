#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compile and run a C program at every optimisation level, serial and parallel.

For each level the program is built three times:
  plain    without the plugin and with -DCHECK_PLAIN: the requests vanish;
  serial   with the plugin;
  openmp   with the plugin and -fopenmp, run with two threads.
Each run must return 0. The primal results that Inputs/check.h writes into the file
named by CHECK_RECORD must be the same bytes in all three.

  check-levels.py --clang=C --plugin=P --include=DIR --work=DIR [options] FILE... [-- clang options]
    --levels=0,1,2,3       other levels
    --modes=serial,openmp  other modes
    --timeout=60           seconds for each compilation and each run
    --no-plain             no comparison with a build without the plugin
    --nest=DEPTH           demands the nest engine, see below
    --atomic               demands an atomic adjoint loop

With --nest a fourth mode comes to -O0 and -O2: "nest" is OpenMP without the flow engine
(-pardiff-nest-only), so a nest that is not recovered does not compile and a nest whose
run-time condition is false stops. In the report of the compilation no adjoint loop may be
atomic (or, with --atomic, one must be), and the adjoint statements in the most loops must each be in a parallel loop with at
most DEPTH loops around it. With --nest=serial no loop need be parallel.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys


def run(command, timeout, env=None):
    """Returns (exit status or a reason, output)."""
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=timeout,
            env=env,
            errors="replace",
        )
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired as late:
        text = late.stdout or b""
        return "no end after %g s" % timeout, text.decode(errors="replace")


def fail(what, command, status, output):
    print("FAILED: %s (status %s)" % (what, status))
    print("  " + " ".join(command))
    sys.stdout.write(output[-6000:])
    return False


def build_and_run(args, level, mode, extra):
    """Builds FILE in one mode and runs it. Returns the recorded bytes, or None."""
    here = os.path.join(args.work, "O%s-%s" % (level, mode))
    os.makedirs(here, exist_ok=True)
    exe, record = os.path.join(here, "a.out"), os.path.join(here, "record")
    what = "-O%s, %s" % (level, mode)
    inputs = os.path.dirname(os.path.abspath(__file__))
    command = [args.clang, "-O" + level, "-I" + args.include, "-I" + inputs]
    if mode == "plain":
        command += ["-DCHECK_PLAIN"]
    else:
        command += ["-fpass-plugin=" + args.plugin, "-Xclang", "-llvm-verify-each"]
    if mode in ("openmp", "nest"):
        command += ["-fopenmp"]
    if mode == "nest":
        command += ["-mllvm", "-pardiff-nest-only", "-mllvm", "-pardiff-report=" + exe + ".json"]
    command += args.files + extra + ["-lm", "-o", exe]
    status, output = run(command, args.timeout)
    if status != 0:
        fail("compile " + what, command, status, output)
        return None

    env = dict(os.environ, CHECK_RECORD=record, OMP_NUM_THREADS="2")
    status, output = run([exe], args.timeout, env)
    if status != 0:
        fail("run " + what, command, status, output)
        return None
    if not os.path.exists(record):
        open(record, "wb").close()
    with open(record, "rb") as file:
        return file.read()


def check_nests(report, depth, atomic):
    """What is wrong with the nests of a report, a list of sentences."""
    with open(report) as file:
        requests = json.load(file)["requests"]
    problems = [] if requests else ["no request"]
    for request in requests:
        if request["shared"]:
            continue
        if len(request["nests"]) != 1 or not request["nests"][0]["recovered"]:
            problems.append("%s is not recovered" % request["primal"])
            continue
        loops, place, found = {}, {}, False
        for loop in request["nests"][0]["adjoint_loops"]:
            found |= loop["scheme"] == "atomic"
            if loop["scheme"] == "atomic" and not atomic:
                problems.append("atomic: %s" % " ".join(loop["statements"]))
            for name in loop["statements"]:
                loops[name] = max(loops.get(name, 0), loop["depth"] + 1)
                if loop["scheme"] != "serial":
                    place[name] = min(place.get(name, 99), loop["depth"])
        if atomic and not found:
            problems.append("no atomic loop")
        if not loops:
            problems.append("no adjoint loop")
        for name in loops:
            deepest = loops[name] == max(loops.values())
            if depth != "serial" and deepest and place.get(name, 99) > int(depth):
                problems.append("%s is not in a parallel loop at depth %s" % (name, depth))
    return problems


def main():
    own, extra = sys.argv[1:], []
    if "--" in own:
        cut = own.index("--")
        own, extra = own[:cut], own[cut + 1 :]
    parser = argparse.ArgumentParser()
    parser.add_argument("--clang", required=True)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--include", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--levels", default="0,1,2,3")
    parser.add_argument("--modes", default="serial,openmp")
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("--no-plain", action="store_true")
    parser.add_argument("--nest", metavar="DEPTH")
    parser.add_argument("--atomic", action="store_true")
    parser.add_argument("files", nargs="+")
    args = parser.parse_args(own)

    shutil.rmtree(args.work, ignore_errors=True)
    good = True
    for level in args.levels.split(","):
        want = None
        if not args.no_plain:
            want = build_and_run(args, level, "plain", extra)
            good = good and want is not None
        modes = args.modes.split(",")
        if args.nest and level in ("0", "2") and "nest" not in modes:
            modes.append("nest")
        for mode in modes:
            got = build_and_run(args, level, mode, extra)
            if got is None:
                good = False
            elif want is not None and got != want:
                print("FAILED: primal results differ from those without the plugin (-O%s, %s)" % (level, mode))
                good = False
            if got is not None and mode == "nest":
                report = os.path.join(args.work, "O%s-nest" % level, "a.out.json")
                for problem in check_nests(report, args.nest, args.atomic):
                    print("FAILED: the nest at -O%s: %s" % (level, problem))
                    good = False
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
