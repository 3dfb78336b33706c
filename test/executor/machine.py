# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a printed program: its instances, in its order or by its schedule tree, on a
memory of Python numbers.

Objections are raised as Objection with a message that says where. They are: what the
model promises (relations that are single valued and total, an order of all instances,
a tree with the same instances) and what a parallel loop promises (no two of its
iterations touch one element, unless both read). An access whose guard does not hold
does not happen; what is read is zero then.
"""

import random

import model
from body import compile_body


class Objection(Exception):
    pass


UNDEFINED = object()


class Step:
    """An instance at its place in an order. Copies: which copy of the arrays that
    live below a mark of the tree it works on."""

    __slots__ = ("instance", "copies")

    def __init__(self, instance, copies):
        self.instance, self.copies = instance, copies

    def key(self, array, element):
        """Names an element of memory."""
        if array.name in self.copies:
            return array.name, element, self.copies[array.name]
        return array.name, element


class Instance:
    __slots__ = ("statement", "point", "reads", "writes")

    def __init__(self, statement, point, reads, writes):
        self.statement, self.point = statement, point
        self.reads, self.writes = reads, writes

    def __str__(self):
        return "%s%s" % (self.statement.name, list(self.point))


class Machine:
    """A program with values for its parameters."""

    def __init__(self, isl, program):
        self.isl, self.program = isl, program
        self.instances = {}
        for statement in program.statements.values():
            self._enumerate(statement)
        self.functions, self.guards = {}, {}

    #--- Instances ---------------------------------------------------------------

    def _enumerate(self, statement):
        reads = [self._access(statement, a) for a in statement.reads]
        writes = [self._access(statement, a) for a in statement.writes]
        for point in self.isl.points(statement.domain):
            try:
                element = [(a, table[point]) for a, table in reads]
                target = [(kind, a, table[point]) for kind, a, table in writes]
            except KeyError:
                raise Objection(
                    "%s: an access of %s%s has no element"
                    % (self.program.title, statement.name, list(point))
                )
            self.instances[statement.name, point] = Instance(
                statement, point, element, target
            )

    def _access(self, statement, access):
        array = self.program.arrays.get(access.array)
        if array is None:
            raise Objection("access to an unknown array " + access.array)
        table = {}
        for point, element in self.isl.pairs(access.relation):
            if table.setdefault(point, element) != element:
                raise Objection(
                    "%s: %s of %s is not single valued at %s%s"
                    % (
                        self.program.title,
                        access.kind,
                        access.array,
                        statement.name,
                        list(point),
                    )
                )
        if access.kind == "read":
            return array, table
        return access.kind, array, table

    #--- Order -------------------------------------------------------------------

    def by_order(self):
        """The instances in the order that gives the program its meaning."""
        timed = []
        for name, pairs in self.isl.union_pairs(self.program.order).items():
            for point, time in pairs:
                if (name, point) in self.instances:
                    timed.append((time, self.instances[name, point]))
        self._expect_all([i for _, i in timed], "the order")
        timed.sort(key=lambda pair: pair[0])
        for (a, first), (b, second) in zip(timed, timed[1:]):
            if a == b:
                raise Objection(
                    "%s: the order does not tell %s and %s apart"
                    % (self.program.title, first, second)
                )
        return [Step(i, {}) for _, i in timed]

    def _expect_all(self, instances, what):
        seen = {(i.statement.name, i.point) for i in instances}
        if len(seen) != len(instances) or len(seen) != len(self.instances):
            missing = [i for k, i in self.instances.items() if k not in seen]
            raise Objection(
                "%s: %s has %d instances (%d different), the statements %d%s"
                % (
                    self.program.title,
                    what,
                    len(instances),
                    len(seen),
                    len(self.instances),
                    ", without %s" % missing[0] if missing else "",
                )
            )

    #--- Tree --------------------------------------------------------------------

    def by_tree(self, rng):
        """The instances in an order that the tree allows: iterations of parallel
        loops are interleaved at random. Objects to conflicts between them."""
        if self.program.tree == "-":
            return None
        root = model.read_tree(self.program.tree)
        if root.kind != "domain":
            raise Objection(self.program.title + ": the tree has no domain")
        self.rng, self.domain, self.copies = rng, root.value, {}
        self.number_of_copies = 0
        self.scoped = {}
        for array in self.program.arrays.values():
            if array.scope:
                self.scoped.setdefault(array.scope, []).append(array)
        instances = self._filtered(root.value, list(self.instances.values()))
        order = self._walk(root.children[0], instances, False)
        self._expect_all([step.instance for step in order], "the tree")
        self._expect_scopes(order)
        return order

    def _expect_scopes(self, order):
        for step in order:
            i = step.instance
            for array in [a for a, _ in i.reads] + [a for _, a, _ in i.writes]:
                if array.scope and array.name not in step.copies:
                    raise Objection(
                        "%s: %s uses %s outside of its mark"
                        % (self.program.title, i, array.name)
                    )

    def _filtered(self, text, instances):
        points = self.isl.union_points(text, self.domain)
        return [i for i in instances if i.point in points.get(i.statement.name, ())]

    def _walk(self, node, instances, parallel):
        """The steps of the instances below a node. parallel: the node is the band
        below a mark that says so."""
        if not instances:
            return []
        title = self.program.title
        if parallel and node.kind != "band":
            raise Objection("%s: a mark parallel above no band" % title)
        if node.kind == "leaf":
            if len(instances) > 1:
                raise Objection(
                    "%s: the tree does not order %s and %s"
                    % (title, instances[0], instances[1])
                )
            return [Step(instances[0], dict(self.copies))]
        if node.kind == "mark":
            return self._walk_mark(node, instances)
        if node.kind == "filter":
            chosen = self._filtered(node.value, instances)
            return self._walk(node.children[0], chosen, False)
        if node.kind in ("sequence", "set"):
            parts = [self._walk(child, instances, False) for child in node.children]
            return [step for part in parts for step in part]
        if node.kind != "band":
            raise Objection("%s: the tree has a node %s" % (title, node.kind))
        return self._walk_band(node, instances, parallel)

    def _walk_mark(self, node, instances):
        arrays = self.scoped.get(node.value)
        if arrays is None:
            return self._walk(node.children[0], instances, node.value == "parallel")
        outer = self.copies
        self.number_of_copies += 1
        self.copies = dict(outer)
        self.copies.update((a.name, self.number_of_copies) for a in arrays)
        order = self._walk(node.children[0], instances, False)
        self.copies = outer
        return order

    def _walk_band(self, node, instances, parallel):
        title = self.program.title
        values = self.isl.schedule_values(node.value, self.domain)
        groups = {}
        for i in instances:
            try:
                time = values[i.statement.name][i.point]
            except KeyError:
                raise Objection("%s: a band without %s" % (title, i))
            groups.setdefault(time, []).append(i)
        order = [
            self._walk(node.children[0], groups[time], False) for time in sorted(groups)
        ]
        if not parallel:
            return [step for part in order for step in part]
        if any(len(time) != 1 for time in groups):
            count = len(next(iter(groups)))
            raise Objection(
                "%s: a mark parallel above a band of %d loops" % (title, count)
            )
        self._check_independent(order)
        return interleave(order, self.rng)

    def _check_independent(self, iterations):
        """No element is touched by two iterations, unless both only read it."""
        touched = {}
        for number, part in enumerate(iterations):
            for step in part:
                i = step.instance
                accesses = [(a, e, False) for a, e in i.reads]
                accesses += [(a, e, True) for _, a, e in i.writes]
                for array, element, writes in accesses:
                    key = step.key(array, element)
                    other = touched.get(key)
                    if other is None:
                        touched[key] = (number, writes, i)
                    elif other[0] != number and (writes or other[1]):
                        raise Objection(
                            "%s: iterations of a parallel loop conflict: %s and %s at %s%s"
                            % (self.program.title, other[2], i, array.name, list(element))
                        )
                    elif writes and not other[1]:
                        touched[key] = (number, True, i)

    #--- Execution ---------------------------------------------------------------

    def run(self, order, memory, dual=False, rounding=False):
        key = (dual, rounding)
        if key not in self.functions:
            self.functions[key] = {
                s.name: compile_body(s.body, dual, rounding)
                for s in self.program.statements.values()
            }
            self.guards[key] = {
                s.name: {
                    name: compile_body(lines, dual, rounding) for name, lines in s.guards.items()
                }
                for s in self.program.statements.values()
            }
        functions, guard_functions = self.functions[key], self.guards[key]
        parameters = [memory.parameters[name] for name, _ in self.program.params]
        add = functions_add(dual)
        for step in order:
            i = step.instance
            guards = guard_functions[i.statement.name]
            others = (*i.point, *parameters)
            args = [0] * len(i.reads)

            def happens(access):
                return not access.guard or guards[access.guard](*args, *others)[0]

            for k, (access, (a, e)) in enumerate(zip(i.statement.reads, i.reads)):
                if happens(access):
                    args[k] = memory.load(a, e, step)
                else:
                    args[k] = (0.0, 0.0) if dual and a.is_float else 0
            results = functions[i.statement.name](*args, *i.point, *parameters)
            if len(results) != len(i.writes):
                raise Objection("%s: a body with %d results" % (i, len(results)))
            for access, (kind, array, element), value in zip(
                i.statement.writes, i.writes, results
            ):
                if not happens(access):
                    continue
                if kind == "accumulate":
                    value = add(memory.load(array, element, step), value)
                memory.store(array, element, value, step)


def functions_add(dual):
    if dual:
        return lambda a, b: (a[0] + b[0], a[1] + b[1])
    return lambda a, b: a + b


def interleave(parts, rng):
    """Merges lists at random, each in its own order."""
    parts = [list(reversed(p)) for p in parts if p]
    merged = []
    while parts:
        k = rng.randrange(len(parts))
        # A few in a row, so that whole iterations move as well.
        for _ in range(rng.choice((1, 1, 2, 8, 64))):
            if not parts[k]:
                break
            merged.append(parts[k].pop())
        if not parts[k]:
            parts[k] = parts[-1]
            parts.pop()
    return merged


class Memory:
    """Elements by array and index. What was not stored yet comes from initial(array,
    element), which may answer UNDEFINED; copies of arrays below a mark start as zeros."""

    def __init__(self, parameters, initial):
        self.parameters, self.initial = parameters, initial
        self.cells = {}

    def load(self, array, element, step=None):
        key = step.key(array, element) if step else (array.name, element)
        if key not in self.cells:
            self.cells[key] = 0.0 if len(key) == 3 else self.initial(array, element)
        value = self.cells[key]
        if value is UNDEFINED:
            raise Objection(
                "%s reads %s%s, which nobody wrote"
                % (step.instance if step else "the check", array.name, list(element))
            )
        return value

    def store(self, array, element, value, step=None):
        key = step.key(array, element) if step else (array.name, element)
        # Tapes of choices are updated, all others are written once.
        updates = step and any(a.array == array.name for a in step.instance.statement.reads)
        if array.kind == "Tape" and not updates:
            old = self.cells.get(key, UNDEFINED)
            if old is not UNDEFINED and old != value and value == value:
                raise Objection(
                    "%s stores another value in %s%s" % (step.instance, array.name, list(element))
                )
        self.cells[key] = value

    def copy(self):
        other = Memory(self.parameters, self.initial)
        other.cells = dict(self.cells)
        return other


def seeded(*key):
    """A random generator that depends on the key alone."""
    return random.Random(repr(key))
