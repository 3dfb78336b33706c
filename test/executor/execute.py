#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The brute-force executor: checks printed programs by running them.

Reads what opt -passes='print<pardiff-gradient>' prints (primal, forward, adjoint and
the scheduled sweeps of each function), gives the parameters small values and the arrays random ones, and
checks for each function:
  1. the primal by its tree, if it has one, equals the primal by its order;
  2. the forward sweep, by order and by tree, leaves the same bits in the primal's
     arrays as the primal, and the reverse sweep reads no tape cell that it left empty;
  3. the adjoint by order gives, for each active array, the derivative of a random
     weighted sum of all outputs in a random direction, computed with dual numbers
     through the primal;
  4. the scheduled adjoint by its tree, with the iterations of parallel loops interleaved
     at random, gives the same shadows, and no two of these iterations conflict.
It shares no code with the compiler. Bodies run on an interpreter of its own.

  execute.py --llvm-lib=DIR [--sizes=5,4] [FILE]
Exit status 1 and one line for each objection if there are any; 2 if nothing was
checked.
"""

import argparse
import math
import sys

import model
from body import BodyError
from isl import Isl, IslError
from machine import UNDEFINED, Machine, Memory, Objection, seeded

TOLERANCE = 1e-9
TITLES = ("primal", "forward", "adjoint", "scheduled-forward", "scheduled")


class Check:
    """One function at one choice of its parameters."""

    def __init__(self, isl, programs, parameters, seed):
        self.isl, self.parameters, self.seed = isl, parameters, seed
        isl.set_parameters(parameters)
        self.primal = Machine(isl, programs["primal"])
        self.forward = Machine(isl, programs["forward"])
        self.sweep = Machine(isl, programs["scheduled-forward"])
        self.adjoint = Machine(isl, programs["adjoint"])
        self.scheduled = Machine(isl, programs["scheduled"])
        self.arrays = {}
        for program in programs.values():
            self.arrays.update(program.arrays)
        self.shadow_of = {
            a.of: a
            for a in programs["adjoint"].arrays.values()
            if a.kind == "Shadow" and a.of
        }
        # Partial sums: zero before and after the adjoint.
        self.temporaries = set(programs["scheduled"].arrays) - set(
            programs["adjoint"].arrays
        )
        self.read_by_adjoint = {
            a.array for s in programs["adjoint"].statements.values() for a in s.reads
        }
        for primal, shadow in self.shadow_of.items():
            if self.arrays[primal].kind == "Memory" and shadow.private_dims:
                raise Objection("the shadow of external memory %s is private" % primal)

    #--- Values ------------------------------------------------------------------

    def random(self, what, array, element):
        return seeded(self.seed, what, array.name, element)

    def primal_value(self, array, element):
        if array.kind == "Tape":
            return UNDEFINED
        if not array.is_input:
            # Undefined contents, which a select may discard.
            return math.nan if array.is_float else 0
        rng = self.random("value", array, element)
        if not array.is_float:
            return rng.randrange(0, 3)
        value = rng.uniform(0.5, 1.5)
        # Diagonally dominant matrices, so that factorisations exist.
        if len(element) >= 2 and element[-1] == element[-2]:
            value += 10
        return value

    def direction(self, array, element):
        return self.random("direction", array, element).uniform(-1, 1)

    def weight(self, array, element):
        return self.random("weight", array, element).uniform(-1, 1)

    def shadow_value(self, shadow, element):
        """The seed where the outside sees the primal, else zero."""
        array = self.arrays[shadow.of]
        return self.weight(array, element) if array.is_output else 0.0

    def adjoint_value(self, array, element):
        if array.kind == "Shadow":
            return self.shadow_value(array, element)
        if array.name in self.temporaries:
            return 0.0
        return self.primal_value(array, element)

    #--- Runs --------------------------------------------------------------------

    def run_primal(self):
        memory = Memory(self.parameters, self.primal_value)
        self.primal.run(self.primal.by_order(), memory)
        return memory

    def run_dual(self, array_name):
        """The primal with a tangent in one input array."""

        def initial(array, element):
            value = self.primal_value(array, element)
            if not array.is_float or value is UNDEFINED:
                return value
            moves = array.name == array_name
            return value, self.direction(array, element) if moves else 0.0

        memory = Memory(self.parameters, initial)
        self.primal.run(self.primal.by_order(), memory, dual=True)
        return memory

    def is_seen(self, array):
        """True if something reads the array's last values."""
        return array.is_output or array.name in self.read_by_adjoint

    def expect_same(self, what, got, want, all_arrays=True):
        for key, value in want.cells.items():
            array = self.arrays[key[0]]
            if array.kind == "Tape" or not (all_arrays or self.is_seen(array)):
                continue
            other = got.cells.get(key)
            if other is None:
                other = got.initial(array, key[1])
            if other != value and not (other != other and value != value):
                raise Objection(
                    "%s: %s%s is %r, expected %r"
                    % (what, key[0], list(key[1]), other, value)
                )

    def check(self):
        rng = seeded(self.seed, "order")
        result = self.run_primal()

        order = self.primal.by_tree(rng)
        if order is not None:
            memory = Memory(self.parameters, self.primal_value)
            self.primal.run(order, memory)
            self.expect_same("primal by its tree", memory, result)

        memory = Memory(self.parameters, self.primal_value)
        self.forward.run(self.forward.by_order(), memory)
        # A scalar whose readers read it elsewhere need not be written.
        self.expect_same("forward by its order", memory, result, False)
        order = self.sweep.by_tree(rng)
        if order is not None:
            other = Memory(self.parameters, self.primal_value)
            self.sweep.run(order, other)
            self.expect_same("forward by its tree", other, result, False)
            for key, value in memory.cells.items():
                if self.arrays[key[0]].kind == "Tape" and other.cells.get(key) != value and value == value:
                    raise Objection("forward by its tree: tape %s%s" % key)

        memory.initial = self.adjoint_value
        start = memory.copy()
        self.adjoint.run(self.adjoint.by_order(), memory)
        self.check_derivatives(memory)
        order = self.scheduled.by_tree(rng)
        if order is not None:
            other = start.copy()
            self.scheduled.run(order, other)
            self.check_shadows(other, memory)
        return order is not None

    def shadow_result(self, memory, array, element):
        return memory.load(self.shadow_of[array.name], element)

    def check_derivatives(self, memory):
        """The inner products of both sides, for a direction in each input."""
        for name in sorted(self.shadow_of):
            array = self.arrays[name]
            if not array.is_input:
                continue
            dual = self.run_dual(name)
            left = right = size = 0.0
            # What the sweeps did not touch is the same on both sides.
            touched = {key for key in dual.cells if key[0] in self.shadow_of}
            for key in memory.cells:
                shadow = self.arrays[key[0]]
                if shadow.kind == "Shadow" and self.arrays[shadow.of].is_input:
                    touched.add((shadow.of, key[1]))
            for key in sorted(touched):
                output = self.arrays[key[0]]
                if output.is_output:
                    tangent = dual.load(output, key[1])[1]
                    left += self.weight(output, key[1]) * tangent
                    size += abs(tangent)
                if key[0] == name:
                    move = self.direction(array, key[1])
                    right += self.shadow_result(memory, array, key[1]) * move
                    size += abs(move)
            if not abs(left - right) <= TOLERANCE * (size + abs(left)):
                raise Objection(
                    "adjoint by its order: d/d%s is %.12g along the direction, expected"
                    " %.12g" % (name, right, left)
                )

    def check_shadows(self, got, want):
        size = max(
            [1.0]
            + [abs(v) for k, v in want.cells.items() if self.arrays[k[0]].kind == "Shadow"]
        )
        keys = {k for k in (*want.cells, *got.cells) if len(k) == 2}
        for key in sorted(keys):
            array = self.arrays[key[0]]
            if array.name in self.temporaries and got.load(array, key[1]) != 0:
                raise Objection("scheduled adjoint: %s is not left zero" % array.name)
            if array.kind != "Shadow" or not self.arrays[array.of].is_input:
                continue
            value, other = want.load(array, key[1]), got.load(array, key[1])
            if not abs(other - value) <= TOLERANCE * size:
                raise Objection(
                    "scheduled adjoint by its tree: %s%s is %.12g, by its order %.12g"
                    % (key[0], list(key[1]), other, value)
                )


def choose_parameters(isl, program, sizes):
    """Values for the parameters: all equal, and different ones."""
    names = [name for name, _ in program.params]
    choices = []
    for size in sizes:
        choices.append({n: size for n in names})
        choices.append({n: size - 1 + k % 3 for k, n in enumerate(names)})
    allowed = []
    for choice in choices:
        isl.set_parameters(choice)
        if choice not in allowed and isl.holds(program.context):
            allowed.append(choice)
    return allowed


def check_parameters(isl, function, programs, parameters, seed, say):
    """Number of objections to a function's programs at one choice of parameters."""
    text = ", ".join("%s = %d" % p for p in parameters.items()) or "no parameters"
    try:
        scheduled = Check(isl, programs, parameters, seed).check()
        say("%s at %s: ok%s" % (function, text, "" if scheduled else ", no tree"))
        return 0
    except (Objection, IslError, BodyError, model.FormatError) as objection:
        say("%s at %s: %s" % (function, text, objection))
        return 1


def check_function(isl, function, programs, sizes, say=print):
    """Number of objections to a function's programs."""
    missing = set(TITLES) - set(programs)
    if missing:
        say("%s: no %s" % (function, ", ".join(sorted(missing))))
        return 1
    choices = choose_parameters(isl, programs["primal"], sizes)
    return sum(
        check_parameters(isl, function, programs, parameters, seed, say)
        for seed, parameters in enumerate(choices)
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--llvm-lib", required=True)
    parser.add_argument("--sizes", default="5,2")
    parser.add_argument("file", nargs="?")
    options = parser.parse_args()
    sys.setrecursionlimit(10000)
    text = open(options.file).read() if options.file else sys.stdin.read()
    functions, other = model.read_programs(text)
    isl = Isl(options.llvm_lib)
    objections = 0
    for function, programs in functions.items():
        objections += check_function(
            isl, function, programs, [int(s) for s in options.sizes.split(",")]
        )
    if not functions:
        print("no program", *other, sep="\n")
        return 2
    return objections != 0


if __name__ == "__main__":
    sys.exit(main())
