#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which functions are recovered as affine loop nests, what is kept, on which conditions.

  coverage.py --plugin=P [--llvm=DIR] [--check] [--markdown] [--update=FILE] FILE...

Compiles every C, C++ and Fortran file (clang, clang++, flang from DIR) without
optimisation passes and reads every function in it. Prints one row for each function
that has a line in front that tells what it shows:

  //= one nest: what the kernel shows                     (Fortran: != ...)
  //= refused SeveralExits: what the kernel shows

With --update FILE the tables replace what stands in FILE behind its line
"<!-- coverage.py -->". With --check it is an error if the function is not recovered as a whole, or not refused
for that reason. Without such lines in a file, all its functions are printed. Kept is
what a gradient with all floating-point data active keeps.

A C file with a request and lines

  //= kept for A C: nothing
  //= kept for all: B m * n, tmp n

holds a kernel: what is kept, array by array, if only A and C have a shadow, and with all
shadows of its request. The first name is the input that has a derivative in NPBench, the
others are what is written. With --check it is an error if more or less is kept.
"""

import argparse
import json
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


def compile_file(args, path, out, more=()):
    kind = os.path.splitext(path)[1]
    tool = lambda name: os.path.join(args.llvm, name) if args.llvm else name
    if kind == ".f90":
        command = [tool(args.flang), "-O1", "-mllvm", "-opt-bisect-limit=0"]
        command += ["-module-dir", os.path.dirname(out)]
    else:
        command = [tool(args.clang if kind == ".c" else args.clangxx), "-O1"]
        command += ["-Xclang", "-disable-llvm-passes", "-fno-discard-value-names"]
    run(command + [*more, "-g", "-S", "-emit-llvm", path, "-o", out])


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


KEPT = re.compile(r"^//= kept for (.*): (.*)$", re.M)
REQUEST = re.compile(r"__pardiff_autodiff\w*\(\s*\(void \*\)\s*(\w+),(.*?)\);", re.S)


def make_request(name, arguments, shadows):
    """A function with a request, in which only the arrays in `shadows` have one."""
    wanted, out, left = [], 0, arguments[::-1]
    while left:
        activity, argument = left.pop(), left.pop()
        shadow = left.pop() if activity == "pardiff_dup" else None
        if shadows is not None and argument not in shadows:
            activity, shadow = "pardiff_const", None
        out += activity == "pardiff_out"
        wanted += [activity, argument] + ([shadow] if shadow else [])
    tag = "npbench" if shadows else "all"
    fields = "".join("double v%d; " % i for i in range(out))
    result = "struct result_%s { %s}" % (tag, fields) if out > 1 else ["void", "double"][out]
    declaration = result.split(" {")[0]
    return "%s;\n%s __pardiff_autodiff_%s(void *, ...);\nvoid %s(void) { %s((void *)%s, %s); }\n" % (
        result if out > 1 else "", declaration, tag, tag, "__pardiff_autodiff_" + tag, name,
        ", ".join(wanted))  # fmt: skip


def describe_tapes(nest, parameters):
    """What a nest of a report keeps. What is no parameter has no name that stays."""
    if nest["missed"]:
        return "no: " + nest["missed"]["reason"]
    tapes = [
        (tape["of"] if tape["of"] in parameters else "local") + " " + tape["elements"].replace(", ", ",")
        for tape in nest["tapes"]
    ]
    times = lambda text: " (%d times)" % tapes.count(text) if tapes.count(text) > 1 else ""
    return ", ".join(text + times(text) for text in sorted(set(tapes))) or "nothing"


def read_kernel(args, path, folder):
    """(name, active names, {active names or all: kept}, {the same: expected}, its IR)"""
    with open(path) as file:
        text = file.read()
    name, arguments = REQUEST.search(text).groups()
    prototype = re.search(r"\b%s\(([^{;]*)\)\s*\{" % name, text).group(1)
    arguments = [a.strip() for a in arguments.split(",")]
    expected = dict(KEPT.findall(text))
    names = next((n for n in expected if n != "all"), None)
    requests = [make_request(name, arguments, None)]
    if names:
        requests.append(make_request(name, arguments, names.split()))
    source, ir = os.path.join(folder, "kernel.c"), os.path.join(folder, "kernel.ll")
    with open(source, "w") as file:
        file.write('#include "%s"\n%s' % (os.path.abspath(path), "".join(requests)))
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    include = ["-I" + os.path.join(root, folder) for folder in ("include", "test/Inputs")]
    compile_file(args, source, ir, ["-DCHECK_PLAIN", *include])
    report = os.path.join(folder, "kernel.json")
    opt = [args.opt, "-load-pass-plugin=" + args.plugin, "-disable-output", ir]
    run(opt + ["-passes=pardiff", "-pardiff-report=" + report])
    with open(report) as file:
        nests = [n for request in json.load(file)["requests"] for n in request["nests"]]
    # Of two equal requests the second has no nest.
    parameters = re.findall(r"\w+", prototype)
    kept = {"all": describe_tapes(nests[0], parameters)}
    if names:
        kept[names] = describe_tapes(nests[-1], parameters)
    return name, names, kept, expected, ir


def describe_shape(statements, depth):
    return "%d statement%s, depth %d" % (statements, "s" * (statements != 1), depth)


def is_kernel(path):
    with open(path) as file:
        return path.endswith(".c") and REQUEST.search(file.read()) is not None


def tabulate_kernels(args, paths):
    """(lines of the table, number of kernels that do not keep what is expected)"""
    lines = ["\n### Programs of PolyBench and NPBench, and others\n"]
    lines.append("| kernel | recovered | active | kept | kept if all is active | conditions |")
    lines.append("|---|---|---|---|---|---|")
    wrong = total = free = 0
    code = lambda text: text if text == "nothing" else "`%s`" % text.replace(", ", "`, `")
    for path in paths:
        kernel = os.path.splitext(os.path.basename(path))[0]
        with tempfile.TemporaryDirectory() as folder:
            name, names, kept, expected, ir = read_kernel(args, path, folder)
            if args.markdown or args.update:
                _, statements, depth, _, conditions = read_functions(args, ir)[name]
                row = [kernel, describe_shape(statements, depth), names or "all"]
                row += [code(kept[names or "all"]), code(kept["all"]), conditions]
                lines.append("| `%s` | %s |" % (row[0], " | ".join(row[1:])))
        wrong += kept != expected
        for key in kept:
            if args.check and kept[key] != expected.get(key):
                print("WRONG: %s keeps for %s: %s" % (kernel, key, kept[key]))
        total += names is not None
        free += names is not None and kept[names] == "nothing"
    summary = "%d kernels; of %d of NPBench %d keep nothing for its input." % (len(paths), total, free)
    return (lines if args.markdown or args.update else []) + ["\n" + summary], wrong


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
    kernels = [path for path in args.files if is_kernel(path)]
    for path in args.files:
        if path in kernels:
            continue
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
                row = [name, text, describe_shape(statements, depth), kept, conditions]
            if args.markdown or args.update:
                lines.append("| `%s` | %s |" % (row[0], " | ".join(row[1:])))
            else:
                lines.append(" | ".join(row))
    if total:
        lines.append("\n%d of %d recovered as one nest." % (recovered, total))
    if kernels:
        table, bad = tabulate_kernels(args, kernels)
        lines += table
        wrong += bad if args.check else 0
    if args.update:
        with open(args.update) as file:
            head = file.read().split("<!-- coverage.py -->")[0]
        with open(args.update, "w") as file:
            file.write(head + "<!-- coverage.py -->\n" + "\n".join(lines) + "\n")
    else:
        print("\n".join(lines))
    return wrong != 0


sys.exit(main())
