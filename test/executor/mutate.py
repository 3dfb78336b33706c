#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Does the executor notice? Makes mistakes in printed programs, one at a time, and
expects an objection to each.

A mutation knows all places where it applies; a few of each kernel are tried. Some may
make no difference at some places (two loops that commute, a clear that nobody needs):
these mutations must be noticed at one place at least, all others everywhere.

  mutate.py --llvm-tools=DIR --plugin=SO [--places=N] FILE... -- COMPILER FLAGS...
"""

import copy
import importlib
import os
import random
import re
import sys

import execute
import model
from isl import Isl

run_kernels = importlib.import_module("run-kernels")

MUTATIONS = []


def mutation(text, may_survive=False):
    """Registers a generator of changed programs: (programs, isl) -> (place, programs)."""

    def register(function):
        MUTATIONS.append((text, may_survive, function))
        return function

    return register


#===------------------------------------------------------------------------===#
# Tools
#===------------------------------------------------------------------------===#


def change(programs, title):
    """(a copy of all programs, the one to be changed)"""
    changed = copy.deepcopy(programs)
    if title == "forward":  # a right schedule of the wrong program
        changed["scheduled-forward"] = changed["forward"]
    return changed, changed[title]


def drop_statement(isl, program, name):
    domain = program.statements.pop(name).domain
    program.order = isl.without("union_map", program.order, domain)


RANGE = re.compile(r"-> (\w+)\[([^\]]*)\]")


def split_indices(text):
    """Indices of a tuple, split at commas outside of parentheses."""
    parts, depth, start = [], 0, 0
    for place, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if char == "," and depth == 0:
            parts.append(text[start:place])
            start = place + 1
    parts.append(text[start:])
    return [p.strip() for p in parts]


def with_index(relation, place, new):
    """The relation with an index of its range changed by new; None if it has none."""

    def replace(match):
        indices = split_indices(match.group(2))
        old = indices[place]
        # isl prints "[i0, o1 = ...]" as plain expressions in a range.
        indices[place] = new(old)
        return "-> %s[%s]" % (match.group(1), ", ".join(indices))

    match = RANGE.search(relation)
    if not match or not match.group(2):
        return None
    return RANGE.sub(replace, relation)


def accesses(program, kinds, array_kind):
    """(statement, access) of some kinds to arrays of a kind."""
    for s in program.statements.values():
        for a in s.reads + s.writes:
            if a.kind in kinds and program.arrays[a.array].kind == array_kind:
                yield s, a


def each_access(programs, title, kinds, array_kind, edit):
    """Edits one access at a time; edit(program, access) is True if it did."""
    count = len(list(accesses(programs[title], kinds, array_kind)))
    for k in range(count):
        changed, program = change(programs, title)
        s, a = list(accesses(program, kinds, array_kind))[k]
        if edit(program, a):
            yield "%s of %s: %s %s" % (s.name, title, a.kind, a.array), changed


def each_line(programs, title, pattern, replacement):
    """Replaces a pattern in one line of a body at a time."""
    for name, statement in programs[title].statements.items():
        for k, line in enumerate(statement.body):
            new = re.sub(pattern, replacement, line, count=1)
            if new != line:
                changed, program = change(programs, title)
                program.statements[name].body[k] = new
                yield "%s of %s: %s" % (name, title, line), changed


def nodes(node):
    yield node
    for child in node.children:
        yield from nodes(child)


def each_node(programs, title, edit):
    """Edits one node of the tree at a time; edit(node) is True if it did."""
    if programs[title].tree == "-":
        return
    count = len(list(nodes(model.read_tree(programs[title].tree))))
    for k in range(count):
        changed, program = change(programs, title)
        tree = model.read_tree(program.tree)
        node = list(nodes(tree))[k]
        if edit(node):
            program.tree = model.write_tree(tree)
            yield "node %d of %s" % (k, title), changed


#===------------------------------------------------------------------------===#
# Mistakes in the adjoint
#===------------------------------------------------------------------------===#


@mutation("a clear or update is dropped", may_survive=True)
def dropped_clear(programs, isl):
    for name, s in programs["adjoint"].statements.items():
        if any(a.kind == "write" for a in s.writes):
            changed, program = change(programs, "adjoint")
            drop_statement(isl, program, name)
            yield name, changed


@mutation("an accumulation is dropped")
def dropped_accumulation(programs, isl):
    for name, s in programs["adjoint"].statements.items():
        if all(a.kind == "accumulate" for a in s.writes):
            changed, program = change(programs, "adjoint")
            drop_statement(isl, program, name)
            yield name, changed


@mutation("a shadow is overwritten instead of accumulated into", may_survive=True)
def overwritten_shadow(programs, isl):
    def edit(program, access):
        access.kind = "write"
        return True

    yield from each_access(programs, "adjoint", ("accumulate",), "Shadow", edit)


@mutation("a sign is wrong")
def wrong_sign(programs, isl):
    yield from each_line(programs, "adjoint", r"= fsub ", "= fadd ")
    yield from each_line(programs, "adjoint", r"= fneg (\w+) (%?[\w.]+)", r"= fadd \1 \2, 0.0")


@mutation("a product is a sum")
def wrong_product(programs, isl):
    yield from each_line(programs, "adjoint", r"= fmul ", "= fadd ")


@mutation("an accumulation goes to the neighbour")
def wrong_offset(programs, isl):
    def edit(program, access):
        access.relation = with_index(access.relation, -1, lambda old: "1 + " + old)
        return access.relation is not None

    yield from each_access(programs, "adjoint", ("accumulate",), "Shadow", edit)


@mutation("a seed is taken from the neighbour")
def wrong_seed(programs, isl):
    def edit(program, access):
        access.relation = with_index(access.relation, -1, lambda old: "1 + " + old)
        return access.relation is not None

    yield from each_access(programs, "adjoint", ("read",), "Shadow", edit)


@mutation("a value is read in place from the neighbour")
def wrong_value(programs, isl):
    def edit(program, access):
        access.relation = with_index(access.relation, -1, lambda old: "1 + " + old)
        return access.relation is not None

    yield from each_access(programs, "adjoint", ("read",), "Memory", edit)


@mutation("an accumulation comes behind the update of its seed", may_survive=True)
def swapped_statements(programs, isl):
    names = list(programs["adjoint"].statements)
    origin = {n: programs["adjoint"].statements[n].origin for n in names}
    for a in names:
        for b in names:
            writes = {
                n: {w.kind for w in programs["adjoint"].statements[n].writes} for n in (a, b)
            }
            if origin[a] != origin[b] or writes[a] != {"accumulate"} or "write" not in writes[b]:
                continue
            changed, program = change(programs, "adjoint")
            program.order = exchange(program.order, a, b)
            yield "%s and %s" % (a, b), changed


def exchange(text, a, b):
    swap = {a: b, b: a}
    return re.sub(
        r"\b(%s|%s)\[" % (re.escape(a), re.escape(b)),
        lambda match: swap[match.group(1)] + "[",
        text,
    )


@mutation("a condition is the opposite")
def wrong_condition(programs, isl):
    yield from each_line(programs, "adjoint", r"fcmp (\w+ )*ogt", "fcmp olt")
    yield from each_line(programs, "adjoint", r"fcmp (\w+ )*olt", "fcmp ogt")


#===------------------------------------------------------------------------===#
# Mistakes with the tape
#===------------------------------------------------------------------------===#


@mutation("a tape is read at the next version")
def wrong_tape_index(programs, isl):
    def edit(program, access):
        access.relation = with_index(access.relation, 0, lambda old: "1 + " + old)
        return access.relation is not None

    yield from each_access(programs, "adjoint", ("read",), "Tape", edit)


@mutation("a tape lacks the index that tells versions apart", may_survive=True)
def wrong_q(programs, isl):
    """In both sweeps, so that the last version wins."""
    for tape in [a for a in programs["forward"].arrays.values() if a.kind == "Tape"]:
        if not tape.shape:
            continue
        changed = copy.deepcopy(programs)
        for title in ("forward", "scheduled-forward", "adjoint", "scheduled"):
            for _, a in accesses(changed[title], ("read", "write"), "Tape"):
                if a.array == tape.name:
                    a.relation = with_index(a.relation, 0, lambda old: "0")
        yield tape.name, changed


@mutation("the array is read instead of the tape")
def in_place(programs, isl):
    def edit(program, access):
        tape = program.arrays[access.array]
        array = program.arrays[tape.of]
        missing = len(tape.shape) - len(array.shape)
        if missing < 0:
            return False
        access.array = array.name
        access.relation = RANGE.sub(
            lambda m: "-> %s[%s]"
            % (array.name, ", ".join(split_indices(m.group(2))[missing:])),
            access.relation,
        )
        return True

    yield from each_access(programs, "adjoint", ("read",), "Tape", edit)


@mutation("a tape is filled from the neighbour")
def stale_tape(programs, isl):
    def edit(program, access):
        access.relation = with_index(access.relation, -1, lambda old: "1 + " + old)
        return access.relation is not None

    yield from each_access(programs, "forward", ("write",), "Tape", edit)


#===------------------------------------------------------------------------===#
# Mistakes in the forward sweep
#===------------------------------------------------------------------------===#


@mutation("the forward sweep computes something else")
def wrong_forward(programs, isl):
    yield from each_line(programs, "forward", r"= fmul ", "= fsub ")


@mutation("the forward sweep lacks a statement")
def dropped_forward(programs, isl):
    for name, s in programs["forward"].statements.items():
        changed, program = change(programs, "forward")
        drop_statement(isl, program, name)
        yield name, changed


#===------------------------------------------------------------------------===#
# Mistakes of the schedule
#===------------------------------------------------------------------------===#


@mutation("two parts of the schedule are swapped", may_survive=True)
def swapped_parts(programs, isl):
    for place in range(6):

        def edit(node):
            if node.kind != "sequence" or len(node.children) < place + 2:
                return False
            c = node.children
            c[place], c[place + 1] = c[place + 1], c[place]
            return True

        yield from each_node(programs, "scheduled", edit)


@mutation("a serial loop is marked parallel", may_survive=True)
def wrong_parallel(programs, isl):
    def edit(node):
        for k, child in enumerate(node.children):
            if child.kind == "band" and not (node.kind == "mark" and node.value == "parallel"):
                node.children[k] = model.Node("mark", "parallel", [child])
                return True
        return False

    yield from each_node(programs, "scheduled", edit)


@mutation("a loop runs backwards", may_survive=True)
def reversed_loop(programs, isl):
    def edit(node):
        if node.kind != "band":
            return False
        node.value = re.sub(r"\[\(", "[-(", node.value)
        return True

    yield from each_node(programs, "scheduled", edit)


@mutation("the schedule lacks a part")
def dropped_part(programs, isl):
    def edit(node):
        if node.kind != "sequence":
            return False
        node.children.pop()
        return True

    yield from each_node(programs, "scheduled", edit)


@mutation("private copies are shared by a parallel loop")
def shared_copies(programs, isl):
    """Moves the mark of a scope above the mark parallel."""

    def edit(node):
        if node.kind != "mark" or node.value != "parallel":
            return False
        band = node.children[0]
        scope = band.children[0]
        if scope.kind != "mark" or scope.value == "parallel":
            return False
        band.children = scope.children
        node.children = [band]
        inner = model.Node("mark", "parallel", [band])
        node.value, node.children = scope.value, [inner]
        return True

    yield from each_node(programs, "scheduled", edit)


#===------------------------------------------------------------------------===#
# The test
#===------------------------------------------------------------------------===#


def objects(isl, function, programs, parameters):
    """The executor's objection, or None."""
    heard = []

    def say(text):
        heard.append(text)

    failures = execute.check_parameters(isl, function, programs, parameters, 1, say)
    return heard[-1] if failures else None


def main():
    arguments, flags = sys.argv[1:], []
    if "--" in arguments:
        flags = arguments[arguments.index("--") + 1 :]
        arguments = arguments[: arguments.index("--")]
    parser = run_kernels.make_parser()
    parser.add_argument("--places", type=int, default=2)
    options = parser.parse_args(arguments)
    options.flags = flags
    isl = Isl(os.path.join(options.llvm_tools, "..", "lib"))
    sizes = [int(s) for s in options.sizes.split(",")]

    kernels = []
    for file in options.files:
        text = run_kernels.print_programs(options, file, flags)
        functions, _ = model.read_programs(text)
        for function, programs in functions.items():
            parameters = execute.choose_parameters(isl, programs["primal"], sizes)[-1]
            isl.set_parameters(parameters)
            found = objects(isl, function, programs, parameters)
            if found:
                raise SystemExit("without a mutation: " + found)
            # Reading what is written back changes nothing.
            again, _ = model.read_programs("".join(p.text() for p in programs.values()))
            if objects(isl, function, again[function], parameters):
                raise SystemExit("the text of %s does not survive" % function)
            kernels.append((function, programs, parameters))

    problems = noticed = 0
    for text, may_survive, generate in MUTATIONS:
        tried, survivors = 0, []
        for function, programs, parameters in kernels:
            isl.set_parameters(parameters)
            places = list(generate(programs, isl))
            random.Random(text).shuffle(places)
            for place, changed in places[: options.places]:
                tried += 1
                if not objects(isl, function, changed, parameters):
                    survivors.append("%s: %s" % (function, place))
        killed = tried - len(survivors)
        noticed += killed > 0
        bad = killed == 0 or (survivors and not may_survive)
        problems += bool(bad)
        print("%s: noticed %d of %d%s" % (text, killed, tried, ": PROBLEM" if bad else ""))
        for survivor in survivors:
            print("    not noticed: " + survivor)
    print("%d kinds of mistakes noticed, %d problems" % (noticed, problems))
    return problems != 0 or noticed < 10


if __name__ == "__main__":
    sys.exit(main())
