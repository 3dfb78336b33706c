#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random affine programs through the plugin, against an operator-overloading reference.

fuzz.py --plugin=SO [--seeds=A:B] [--date N] [--levels=0,1,2,3] [--modes=serial,openmp]
fuzz.py --self-check [--seeds=A:B]     what the programs are worth, without the plugin
fuzz.py --show SEED                    prints a program

Each seed is compiled at one level and in one mode, in turns, or with --all at all of
them. One seed of eight is run in forward mode too, one in three directions at once, one
with three seeds at once, one in split mode, or each in those listed in --checks=: what
they give must agree with the gradient, see drivers.py. Every program runs at several sizes, small ones included. Results:
  ok        value, derivatives and shadows agree with the reference, and the primal's
            results are the same bits as without differentiation
  stopped   the program ended itself with "pardiff: stopped" on stderr
  rejected  the compiler said no, with a message
  wrong, crash, timeout: failures; how to reproduce each is printed
  skipped   the reference is not finite at any size
How many the nest engine has differentiated is printed as well: the flow engine took the rest.
So is how often, in all runs, a nest's run-time condition held and did not.
Exit status 1 if there is a failure.
"""

import argparse
import concurrent.futures
import datetime
import hashlib
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile

import drivers
import generate

HERE = os.path.dirname(os.path.abspath(__file__))
SIZES = [(7, 5), (5, 9), (3, 3), (2, 1), (1, 2), (0, 3), (4, 0), (0, 0)]
FIXED = "0:200"
STATES = ("ok", "wrong", "stopped", "rejected", "crash", "timeout", "skipped")
FAILURES = ("wrong", "crash", "timeout")


def run(command, timeout, env=None):
    """(exit status or "timeout", stdout, stderr)"""
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            errors="replace", timeout=timeout, env=env,
        )  # fmt: skip
        return done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        return "timeout", "", ""


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


def numbers(text):
    try:
        return [float(line) for line in text.split("\n") if line]
    except ValueError:
        return None


#===------------------------------------------------------------------------===#
# The reference
#===------------------------------------------------------------------------===#


class Reference:
    """Values of programs by size, from the C++ driver; kept in a folder if asked."""

    def __init__(self, options):
        self.options = options
        sources = "".join(
            open(os.path.join(HERE, f)).read() for f in ("reference.h", "data.h")
        )
        self.salt = sources + repr(SIZES)

    def path(self, program):
        key = hashlib.sha256(
            (self.salt + drivers.reference_file([program])).encode()
        ).hexdigest()[:32]
        return os.path.join(self.options.cache, key + ".json")

    def compute(self, programs, folder):
        """{ seed: { size: values } }"""
        found, rest = {}, []
        for p in programs:
            if self.options.cache and os.path.exists(self.path(p)):
                with open(self.path(p)) as file:
                    found[p.seed] = {tuple(k): v for k, v in json.load(file)}
            else:
                rest.append(p)
        if rest:
            source, binary = folder + "/reference.cpp", folder + "/reference"
            write(source, drivers.reference_file(rest))
            command = [self.options.clangxx, "-O0", "-w", "-ffp-contract=off"]
            status, _, errors = run(
                command + ["-I" + HERE, source, "-o", binary, "-lm"], 300
            )
            if status:
                raise SystemExit("the reference does not compile:\n" + errors[:2000])
            for p in rest:
                found[p.seed] = self.run_all(binary, p)
        return found

    def run_all(self, binary, program):
        result = {}
        for size in SIZES:
            status, out, _ = run([binary, str(program.seed), *map(str, size)], 60)
            values = numbers(out) if status == 0 else None
            if values and all(map(math.isfinite, values)) and max(map(abs, values)) < 1e6:
                result[size] = values
        if self.options.cache:
            os.makedirs(self.options.cache, exist_ok=True)
            path = self.path(program)
            write(path + ".new", json.dumps([[list(k), v] for k, v in result.items()]))
            os.replace(path + ".new", path)
        return result


#===------------------------------------------------------------------------===#
# The plugin
#===------------------------------------------------------------------------===#


def compile_batch(options, programs, level, mode, folder):
    """(binary or None, state, message)"""
    name = "%s/p%d-%d" % (folder, programs[0].seed, len(programs))
    write(name + ".c", drivers.c_file(programs, options.checks))
    command = [options.clang, "-O" + level, "-w", "-ffp-contract=off", "-I" + HERE]
    if mode == "openmp":
        command.append("-fopenmp")
    command += ["-fpass-plugin=" + options.plugin, *options.flags.split()]
    command += ["-mllvm", "-pardiff-report=" + name + ".json"]
    command += ["-mllvm", "-pardiff-count-sides"]
    command += [name + ".c", "-o", name, *options.link.split(), "-lm"]
    status, _, errors = run(command, options.compile_timeout * len(programs))
    if status == 0:
        return name, "ok", ""
    if status == "timeout":
        return None, "timeout", "compilation"
    if "unable to load plugin" in errors:
        raise SystemExit(errors.strip()[-300:])
    crashed = re.search(
        r"PLEASE submit|Stack dump|LLVM ERROR|Assertion|terminate called|undefined reference",
        errors,
    )
    if crashed or status < 0 or "error:" not in errors:
        return None, "crash", errors[-1500:]
    lines = [l for l in errors.splitlines() if "error:" in l]
    return None, "rejected", lines[0][-300:]


def count_nests(report):
    """How many gradients of a report are the nest engine's."""
    with open(report) as file:
        requests = json.load(file)["requests"]
    return sum(nest["recovered"] for r in requests for nest in r["nests"])


def compare(program, got, want):
    """A message if the values differ."""
    if len(got) != len(want):
        return "%d values instead of %d" % (len(got), len(want))
    tolerance = 1e-4 if program.is_float else 1e-9
    scale = max([1.0] + [abs(w) for w in want])
    wrong = [
        (k, g, w)
        for k, (g, w) in enumerate(zip(got, want))
        if not abs(g - w) <= tolerance * scale
    ]
    if wrong:
        return "%d of %d values differ; value %d is %.17g, expected %.17g" % (
            (len(wrong), len(want)) + wrong[0])
    return ""


def run_program(options, binary, program, wants, mode, sides):
    """(state, message). Adds to sides how often a nest's condition held and did not."""
    env = dict(os.environ, OMP_NUM_THREADS="2" if mode == "openmp" else "1")
    for size, want in wants.items():
        status, out, errors = run([binary, str(program.seed), *map(str, size)], 60, env)
        at = " at n = %d, m = %d" % size
        if status == "timeout":
            return "timeout", "run" + at
        if status != 0:
            if "pardiff: stopped" in errors:
                return "stopped", errors.strip()[-200:] + at
            return "wrong", "exit status %s%s: %s" % (status, at, errors[-300:])
        for line in errors.split("\n"):
            if options.verbose and "does not hold" in line:
                print("seed %d%s: %s" % (program.seed, at, line), flush=True)
            if line.startswith("conditions: "):
                for side, times in enumerate(line.split()[1:]):
                    sides[side] += int(times)
        differs = [line for line in out.split("\n") if "differs" in line]
        if differs:
            return "wrong", differs[0] + at
        got = numbers(out)
        message = compare(program, got, want) if got is not None else "no numbers"
        if message:
            return "wrong", message + at
    return "ok", ""


def check_batch(options, reference, programs, level, mode):
    """([(seed, level, mode, state, message)], number of nests, how often a condition held
    and did not)"""
    folder = tempfile.mkdtemp(prefix="pardiff-fuzz-", dir=options.work or None)
    results, nests, sides = [], 0, [0, 0]

    def add(program, state, message=""):
        results.append((program.seed, level, mode, state, message))

    try:
        wants = reference.compute(programs, folder)
        for p in programs:
            if not wants[p.seed]:
                add(p, "skipped")
        programs = [p for p in programs if wants[p.seed]]
        pending = [programs] if programs else []
        while pending:
            part = pending.pop()
            binary, state, message = compile_batch(options, part, level, mode, folder)
            if binary:
                nests += count_nests(binary + ".json")
                for p in part:
                    add(p, *run_program(options, binary, p, wants[p.seed], mode, sides))
            elif len(part) == 1:
                add(part[0], state, message)
            else:
                # Some of them do not compile: find out which.
                pending += [part[: len(part) // 2], part[len(part) // 2 :]]
    finally:
        shutil.rmtree(folder)
    return results, nests, sides


def describe_failure(options, seed, level, mode, state, message):
    again = "%s --plugin=%s --seeds=%d:%d --levels=%s --modes=%s --checks=%s" % (
        os.path.abspath(__file__), options.plugin, seed, seed + 1, level, mode,
        ",".join(options.checks(seed)) or "none")
    print("seed %d at -O%s, %s: %s: %s\n  again: %s" % (seed, level, mode, state, message, again), flush=True)


def keep_program(options, seed, state):
    os.makedirs(options.keep, exist_ok=True)
    program = generate.Program(seed)
    base = os.path.join(options.keep, "%d-%s" % (seed, state))
    write(base + ".c", drivers.c_file([program], options.checks))
    write(base + ".cpp", drivers.reference_file([program]))


def check(options, seeds):
    levels, modes = options.levels.split(","), options.modes.split(",")
    settings = [(level, mode) for mode in modes for level in levels]
    groups = {s: [] for s in settings}
    for seed in seeds:
        program = generate.Program(seed)
        for s in settings if options.all else [settings[seed % len(settings)]]:
            groups[s].append(program)
    batches = []
    for (level, mode), programs in groups.items():
        for k in range(0, len(programs), options.batch):
            batches.append((programs[k : k + options.batch], level, mode))
    reference = Reference(options)
    count, nests, sides = dict.fromkeys(STATES, 0), 0, [0, 0]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        jobs = [pool.submit(check_batch, options, reference, *b) for b in batches]
        for job in jobs:
            results, here, taken = job.result()
            nests += here
            sides = [a + b for a, b in zip(sides, taken)]
            for result in results:
                state = result[3]
                count[state] += 1
                if state in FAILURES or (options.verbose and state in ("stopped", "rejected")):
                    describe_failure(options, *result)
                if options.keep and state not in ("ok", "skipped"):
                    keep_program(options, result[0], state)
    print(" ".join("%s=%d" % (s, count[s]) for s in STATES))
    print("differentiated as affine nests: %d" % nests)
    print("run-time conditions: %d held, %d did not" % tuple(sides))
    if sides[1] > options.max_else / 100 * sum(sides):
        print("more than %g %% did not" % options.max_else)
        return 1
    if count["ok"] < options.min_ok:
        print("fewer than %d are ok" % options.min_ok)
        return 1
    return any(count[s] for s in FAILURES)


#===------------------------------------------------------------------------===#
# Self check
#===------------------------------------------------------------------------===#


def has_gradient(program, values):
    """True if every active input has a derivative that is not just the seed. Scratch
    arrays are overwritten in front of their use: theirs is zero by construction."""
    n, m = SIZES[0]
    place = 1 if program.returns else 0
    for _ in program.outs:
        if abs(values[place]) < 1e-9:
            return False
        place += 1
    for a in drivers.argument_arrays(program):
        if not a.is_active:
            continue
        count = 1
        for d in a.dims:
            count *= (n if d == "n" else m) + 8
        part = values[place : place + count]
        place += count
        moved = [
            v for i, v in enumerate(part)
            if abs(v) > 1e-9 and abs(v - (0.25 + 0.01 * (i % 7))) > 1e-6
        ]  # fmt: skip
        if not moved and not a.scratch:
            return False
    return place == len(values)


def self_check(options, seeds):
    programs = [generate.Program(s) for s in seeds]
    problems = []
    for feature in generate.FEATURES:
        share = sum(feature in p.features for p in programs) / len(programs)
        print("%5.1f %%  %s" % (100 * share, feature))
        if share < 0.1:
            problems.append("feature %s in fewer than a tenth of the seeds" % feature)
    unknown = set().union(*(p.features for p in programs)) - set(generate.FEATURES)
    if unknown:
        problems.append("features that are not listed: %s" % ", ".join(sorted(unknown)))

    reference = Reference(options)

    def values(batch):
        folder = tempfile.mkdtemp(prefix="pardiff-fuzz-", dir=options.work or None)
        try:
            return reference.compute(batch, folder)
        finally:
            shutil.rmtree(folder)

    batches = [
        programs[k : k + options.batch] for k in range(0, len(programs), options.batch)
    ]
    found = {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for part in pool.map(values, batches):
            found.update(part)
    lost = sum(len(SIZES) - len(v) for v in found.values())
    print("%d of %d runs are not finite" % (lost, len(SIZES) * len(programs)))
    if lost > 0.01 * len(SIZES) * len(programs):
        problems.append("too many programs whose values are not finite")
    without = [
        p.seed for p in programs
        if SIZES[0] in found[p.seed] and not has_gradient(p, found[p.seed][SIZES[0]])
    ]  # fmt: skip
    if without:
        problems.append("seeds with an active input without a derivative: %s" % without)
    for problem in problems:
        print("problem: " + problem)
    return bool(problems)


def choose_checks(text, seed):
    """The checks of a seed: those of the option, or one of them in turns. (Levels and modes
    go by the last digits of the seed in base two, so this goes by others.)"""
    if text:
        return text.split(",")
    turns = ["forward", "", "split", "", "width", "", "seeds", ""]
    return (turns[seed // 8 % 8],)


def parse_seeds(text):
    low, _, high = text.partition(":")
    return range(int(low), int(high))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--plugin")
    parser.add_argument("--seeds", default=FIXED)
    parser.add_argument("--date", type=int, default=0, metavar="N",
                        help="N seeds that depend on the day (UTC) instead of --seeds")
    parser.add_argument("--levels", default="0,1,2,3")
    parser.add_argument("--modes", default="serial,openmp")
    parser.add_argument("--checks", default="", help="forward,width,seeds,split: with each seed; none")
    parser.add_argument("--all", action="store_true", help="all levels and modes for each seed")
    parser.add_argument("--batch", type=int, default=8, help="programs in one compilation")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--clang", default="clang-22")
    parser.add_argument("--clangxx", default="clang++-22")
    parser.add_argument("--flags", default="", help="more flags for the compiler")
    parser.add_argument("--link", default="", help="more flags for the linker")
    parser.add_argument("--cache", default="", help="folder for reference results")
    parser.add_argument("--work", default="", help="folder for temporary files")
    parser.add_argument("--keep", default="", help="folder for programs that are not ok")
    parser.add_argument("--compile-timeout", type=int, default=60, help="seconds for a program")
    parser.add_argument("--max-else", type=float, default=100, metavar="PERCENT",
                        help="fail if more of the nests' run-time conditions do not hold")
    parser.add_argument("--min-ok", type=int, default=0, help="fail if fewer are ok")
    parser.add_argument("-v", "--verbose", action="store_true", help="print what is rejected or stopped")
    parser.add_argument("--self-check", action="store_true")
    parser.add_argument("--show", type=int, metavar="SEED")
    options = parser.parse_args()
    options.checks_text = options.checks
    options.checks = lambda seed: choose_checks(options.checks_text, seed)
    if options.show is not None:
        print(drivers.c_file([generate.Program(options.show)], options.checks))
        return 0
    seeds = parse_seeds(options.seeds)
    if options.date:
        day = datetime.datetime.now(datetime.timezone.utc).date().toordinal()
        first = day * 1000
        seeds = range(first, first + options.date)
        print("seeds of %s: %d:%d" % (datetime.date.fromordinal(day), first, first + options.date))
    if options.self_check:
        return self_check(options, seeds)
    if not options.plugin:
        parser.error("--plugin is missing")
    return check(options, seeds)


if __name__ == "__main__":
    sys.exit(main())
