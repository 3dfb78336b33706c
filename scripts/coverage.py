#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which functions are recovered as affine loop nests, what is kept, on which conditions.

  coverage.py --plugin=P [--llvm=DIR] [--check] [--markdown] FILE...

Compiles every C, C++ and Fortran file (clang, clang++, flang from DIR) without
optimisation passes and reads every function in it. Prints one row for each function
that has a line in front that tells what it shows:

  //= one nest: what the kernel shows                     (Fortran: != ...)
  //= refused SeveralExits: what the kernel shows

With --update FILE the tables replace what stands in FILE behind its line
"<!-- coverage.py -->". With --check it is an error if the function is not recovered as a whole, or not refused
for that reason. Without such lines in a file, all its functions are printed. Kept is
what a gradient with all floating-point data active keeps.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

MARK = re.compile(r"^\s*(?://=|!=) (one nest|refused (\w+)): (.*)$")
UNIT = re.compile(r"\b(?:subroutine|function)\s+(\w+)", re.I)
NAME = re.compile(r"(\w+)\s*\(")


def run(command, **more):
    return subprocess.run(
        command, capture_output=True, text=True, timeout=120, check=True, **more
    ).stdout


def compile_file(args, path, out):
    kind = os.path.splitext(path)[1]
    tool = lambda name: os.path.join(args.llvm, name) if args.llvm else name
    if kind == ".f90":
        command = [tool(args.flang), "-O1", "-mllvm", "-opt-bisect-limit=0"]
        command += ["-module-dir", os.path.dirname(out)]
    else:
        command = [tool(args.clang if kind == ".c" else args.clangxx), "-O1"]
        command += ["-Xclang", "-disable-llvm-passes", "-fno-discard-value-names"]
    run(command + ["-g", "-S", "-emit-llvm", path, "-o", out])


def read_marks(path):
    """[(function, refused for, text)] in the order of the file."""
    found, open_marks = [], None
    with open(path) as file:
        for line in file:
            mark = MARK.match(line)
            if mark:
                open_marks = (mark.group(2), mark.group(3).strip())
                continue
            more = re.match(r"^\s*(?://|!) (.*)$", line)
            if open_marks and more:
                open_marks = (open_marks[0], open_marks[1] + " " + more.group(1).strip())
                continue
            name = (UNIT.search(line) or NAME.search(line)) if open_marks else None
            if name:
                found.append((name.group(1),) + open_marks)
                open_marks = None
    return found


def describe_conditions(text):
    parts = []
    valid = re.search(r"^valid (?:\[.*?\] -> )?\{ *:(.*)\}$", text, re.M)
    if valid and valid.group(1).strip():
        # That sizes are below 2^40 goes without saying.
        sets = re.sub(r"-1099511627776 <= (\w+) <= 1099511627776( and )?", "", valid.group(1))
        sets = re.sub(r"-1099511627776 <= (\w+)( <=|\b)", r"\1\2", sets)
        sets = re.sub(r" <= 1099511627776\b", "", sets)
        sets = re.sub(r"\band \w+ and\b", "and", re.sub(r" and$", "", sets.strip()))
        if sets:
            parts.append("`%s`" % sets.replace("|", "\\|"))
    required = re.search(r"^requirements (\d+)", text, re.M)
    if required and int(required.group(1)):
        parts.append("%s required" % required.group(1))
    pairs = len(re.findall(r"^mayalias", text, re.M))
    if pairs:
        parts.append("%d pair%s of arrays disjoint" % (pairs, "s" * (pairs > 1)))
    return "; ".join(parts) or "none"


def describe_kept(text):
    tapes = re.findall(r"^  tape \S+ of (\S+): \w+ (.*); \d+ value", text, re.M)
    kept = ["%s `%s`" % (a, s.replace("|", "\\|")) if s else a for a, s in tapes]
    return ", ".join(kept) or "nothing"


def read_functions(args, ir):
    """{function: (reason or None, statements, depth, kept, conditions)}"""
    opt = [args.opt, "-load-pass-plugin=" + args.plugin, "-disable-output", ir]
    nests = run(opt + ["-passes=print<pardiff-nest>"])
    tapes = run(opt + ["-passes=pardiff-prepare,function(print<pardiff-tape>)"])
    kept = {}
    for part in re.split(r"^tape plan of ", tapes, flags=re.M)[1:]:
        kept[part.split(":", 1)[0]] = describe_kept(part)
    for name, why in re.findall(r"^refused (\S+): (.*)$", tapes, re.M):
        kept[name] = why
    functions = {}
    for part in re.split(r"^(?=program primal of |refused )", nests, flags=re.M):
        program = re.match(r"program primal of (\S+)", part)
        refused = re.match(r"refused (\S+): (\w+)", part)
        if refused:
            functions[refused.group(1)] = (refused.group(2), 0, 0, "", "")
        elif program:
            loops = re.findall(r"^  loops(.*)$", part, re.M)
            depth = max([len(loop.split()) for loop in loops] or [0])
            functions[program.group(1)] = (
                None,
                len(loops),
                depth,
                kept.get(program.group(1), "?"),
                describe_conditions(part),
            )
    return functions


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--llvm", default="")
    for tool in ("opt", "clang", "clangxx", "flang"):
        default = {"clangxx": "clang++-22"}.get(tool, tool + "-22")
        parser.add_argument("--" + tool, default=default)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--update")
    parser.add_argument("files", nargs="+")
    args = parser.parse_args()
    lines = []
    wrong = recovered = total = 0
    for path in args.files:
        with tempfile.TemporaryDirectory() as folder:
            ir = os.path.join(folder, "file.ll")
            compile_file(args, path, ir)
            functions = read_functions(args, ir)
        marks = read_marks(path) or [(name, "", "") for name in functions]
        if args.markdown or args.update:
            lines.append("\n### %s\n" % os.path.basename(path))
            lines.append("| kernel | what it shows | recovered | kept | conditions |")
            lines.append("|---|---|---|---|---|")
        for name, expected, text in marks:
            result = functions.get(name) or functions.get(name.lower() + "_")
            result = result or functions.get(name.lower()) or ("NotFound", 0, 0, "", "")
            why, statements, depth, kept, conditions = result
            total += 1
            recovered += why is None
            if args.check and why != expected:
                wrong += 1
                print("WRONG: %s: %s, expected %s" % (name, why, expected))
            if why:
                row = [name, text, "no: " + why, "", ""]
            else:
                shape = "%d statement%s, depth %d" % (statements, "s" * (statements != 1), depth)
                row = [name, text, shape, kept, conditions]
            if args.markdown or args.update:
                lines.append("| `%s` | %s |" % (row[0], " | ".join(row[1:])))
            else:
                lines.append(" | ".join(row))
    lines.append("\n%d of %d recovered as one nest" % (recovered, total))
    if args.update:
        with open(args.update) as file:
            head = file.read().split("<!-- coverage.py -->")[0]
        with open(args.update, "w") as file:
            file.write(head + "<!-- coverage.py -->\n" + "\n".join(lines) + ".\n")
    else:
        print("\n".join(lines))
    return wrong != 0


sys.exit(main())
