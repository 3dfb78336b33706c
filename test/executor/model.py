# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the programs that print<pardiff-gradient> writes (format: the head of
llvm-plugin/Nest/Print.cpp) and writes them back."""

import re


class FormatError(Exception):
    pass


class Array:
    def __init__(self, name):
        self.name = name
        self.kind = self.type = self.of = None
        self.base = "-"
        self.shape = []
        self.flags = []

    @property
    def is_float(self):
        return self.type in ("float", "double", "x86_fp80", "fp128", "half")

    @property
    def private_dims(self):
        if "private" in self.flags:
            return int(self.flags[self.flags.index("private") + 1])
        return 0

    @property
    def scope(self):
        """The mark of the tree below which the array lives, or None."""
        if "scope" in self.flags:
            return self.flags[self.flags.index("scope") + 1]
        return None

    @property
    def is_input(self):
        return self.kind == "Memory" or "livein" in self.flags

    @property
    def is_output(self):
        return self.kind == "Memory" or "liveout" in self.flags


class Access:
    def __init__(self, kind, array, relation):
        self.kind, self.array, self.relation = kind, array, relation
        self.guard = None  # a name in the statement's guards


class Statement:
    def __init__(self, name):
        self.name, self.origin, self.domain = name, "-", None
        self.loops, self.reads, self.writes, self.body = [], [], [], []
        self.guards = {}  # lines of text by name


class Program:
    def __init__(self, title, function):
        self.title, self.function = title, function
        self.params, self.context = [], "{ : }"
        self.arrays, self.statements = {}, {}
        self.order, self.tree = None, "-"

    def text(self):
        out = ["program %s of %s" % (self.title, self.function)]
        out += ["param %s %s" % p for p in self.params]
        out.append("context " + self.context)
        for a in self.arrays.values():
            out += ["array " + a.name, "  kind " + a.kind, "  type " + a.type]
            out += ["  base " + a.base, "  shape " + " | ".join(a.shape)]
            if a.of:
                out.append("  of " + a.of)
            out.append("  flags " + " ".join(a.flags))
        for s in self.statements.values():
            out += ["statement " + s.name, "  origin " + s.origin]
            out += ["  domain " + s.domain, "  loops " + " ".join(s.loops)]
            for a in s.reads + s.writes:
                out.append("  %s %s %s" % (a.kind, a.array, a.relation))
                if a.guard:
                    out.append("  guard " + a.guard)
            for name, lines in s.guards.items():
                out += ["  guard-body " + name] + ["    " + line for line in lines] + ["  end"]
            out += ["  body"] + ["    " + line for line in s.body] + ["  end"]
        out += ["order " + self.order, "tree " + self.tree, "end program", ""]
        return "\n".join(out)


def read_programs(text):
    """All programs of a text, by function: { function: { title: Program } }, and the
    lines outside of them."""
    functions, other = {}, []
    program = item = None
    lines = iter(text.splitlines())
    for line in lines:
        key, _, value = line.strip().partition(" ")
        value = value.strip()
        if key == "program":
            title, _, function = value.partition(" of ")
            program = Program(title, function)
            item = None
        elif program is None:
            if key:
                other.append(line)
        elif line.strip() == "end program":
            functions.setdefault(program.function, {})[program.title] = program
            program = None
        elif key == "param":
            name, _, operand = value.partition(" ")
            program.params.append((name, operand))
        elif key in ("context", "order", "tree"):
            setattr(program, key, value)
        elif key == "array":
            item = program.arrays[value] = Array(value)
        elif key == "statement":
            item = program.statements[value] = Statement(value)
        elif key == "shape":
            item.shape = value.split(" | ") if value else []
        elif key in ("flags", "loops"):
            setattr(item, key, value.split())
        elif key in ("kind", "type", "base", "of", "origin", "domain"):
            setattr(item, key, value)
        elif key in ("read", "write", "accumulate"):
            array, _, relation = value.partition(" ")
            accesses = item.reads if key == "read" else item.writes
            access = Access(key, array, relation)
            accesses.append(access)
        elif key == "guard":
            access.guard = value
        elif key in ("body", "guard-body"):
            text = item.body if key == "body" else item.guards.setdefault(value, [])
            for inner in lines:
                if inner.strip() == "end":
                    break
                text.append(inner.strip())
        elif key:
            raise FormatError("not understood: " + line)
    if program is not None:
        raise FormatError("the text ends within a program")
    return functions, other


class Node:
    """A node of a schedule tree: kind is domain, band, mark, filter, sequence, set or
    leaf; value is its text; children are nodes."""

    def __init__(self, kind, value=None, children=()):
        self.kind, self.value, self.children = kind, value, list(children)


TOKEN = re.compile(r'\s*("[^"]*"|[{}\[\]:,]|[^\s{}\[\]:,"]+)')


def read_tree(text):
    """The schedule tree in isl's notation."""
    tokens, at = [], 0
    while at < len(text.rstrip()):
        match = TOKEN.match(text, at)
        if not match:
            raise FormatError("schedule tree: " + text[at : at + 40])
        tokens.append(match.group(1))
        at = match.end()
    tokens.reverse()

    def value():
        token = tokens.pop()
        if token == "{":
            fields = {}
            while tokens[-1] != "}":
                key = tokens.pop().strip('"')
                if tokens.pop() != ":":
                    raise FormatError("schedule tree: no colon after " + key)
                fields[key] = value()
                if tokens[-1] == ",":
                    tokens.pop()
            tokens.pop()
            return fields
        if token == "[":
            items = []
            while tokens[-1] != "]":
                items.append(value())
                if tokens[-1] == ",":
                    tokens.pop()
            tokens.pop()
            return items
        return token.strip('"')

    return build_tree(value())


def build_tree(fields):
    if fields is None:
        return Node("leaf")
    for kind in ("sequence", "set"):
        if kind in fields:
            return Node(kind, None, [build_tree(f) for f in fields[kind]])
    child = [build_tree(fields.get("child"))]
    for key, kind in (
        ("domain", "domain"),
        ("schedule", "band"),
        ("mark", "mark"),
        ("filter", "filter"),
    ):
        if key in fields:
            return Node(kind, fields[key], child)
    raise FormatError("schedule tree: a node of " + ", ".join(fields))


def write_tree(node):
    """The text of a tree, as read_tree reads it."""
    if node.kind in ("sequence", "set"):
        return "{ %s: [ %s ] }" % (
            node.kind,
            ", ".join(write_tree(c) for c in node.children),
        )
    key = "schedule" if node.kind == "band" else node.kind
    text = '%s: "%s"' % (key, node.value)
    if node.children[0].kind != "leaf":
        text += ", child: " + write_tree(node.children[0])
    return "{ %s }" % text
