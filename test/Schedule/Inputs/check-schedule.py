# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# check-schedule.py PROGRAM PARAM=VALUE...  < output of test<pardiff-schedule>
#
# Runs the printed loops on small sizes and checks, instance by instance and with
# no polyhedral library, that every instance runs once, that instances which
# conflict keep the order of the program, and that no two iterations of a parallel
# loop conflict. Prints "legal" or what is wrong.

import itertools
import re
import sys

program, assignments = sys.argv[1], sys.argv[2:]
params = {k: int(v) for k, v in (a.split("=") for a in assignments)}


def python(e):
    """An expression or constraint of isl, chained comparisons included."""
    e = e.replace("&&", " and ").replace("||", " or ")
    e = re.sub(r"floor\(\(([^()]*)\)/(\d+)\)", r"((\1)//\2)", e)
    return re.sub(r"(?<![<>=!])=(?!=)", "==", e)


# --- the program -------------------------------------------------------------
class Statement:
    pass


statements = {}
for line in open(program):
    if not line.startswith(";;"):
        continue
    word, _, rest = line[2:].strip().partition(" ")
    if word == "statement":
        head, _, cond = rest.partition(" : ")
        m = re.match(r"(\w+)\(([^)]*)\)", head)
        s = Statement()
        s.name, s.its = m[1], [x.strip() for x in m[2].split(",") if x.strip()]
        s.cond, s.accesses = python(cond.strip() or "True"), []
        statements[s.name] = s
    elif word == "order":
        s.order = eval("lambda " + ",".join(s.its) + ": (" + python(rest) + ",)", dict(params))
    elif word in ("read", "write", "add", "clear"):
        m = re.match(r"(\w+)\[(.*)\]", rest)
        f = eval("lambda " + ",".join(s.its) + ": (" + python(m[2]) + ("," if m[2].strip() else "") + ")", dict(params))
        s.accesses.append((word if word in ("read", "add") else "write", m[1], f))

limit = max(params.values()) + 3
instances = set()
for s in statements.values():
    f = eval("lambda " + ",".join(s.its) + ": " + s.cond, dict(params))
    for point in itertools.product(range(-limit, limit), repeat=len(s.its)):
        if f(*point):
            instances.add((s.name, point))

# --- the loops ---------------------------------------------------------------
text = sys.stdin.read()
text = "\n".join(l for l in text.split("\n") if not re.match(r"\s*(serial|parallel|gather|chunked|original|\w+: \d+ dimensions)\b", l))
tokens = re.findall(r"// \S+|\w+|<=|>=|==|!=|&&|\|\||\+=|\S", text)
position = 0


def peek():
    return tokens[position] if position < len(tokens) else None


def take(expected=None):
    global position
    t = tokens[position]
    assert expected is None or t == expected, (t, expected)
    position += 1
    return t


def until(stop):
    """The expression up to a token outside of parentheses."""
    parts, depth = [], 0
    while depth or peek() != stop:
        t = take()
        depth += (t == "(") - (t == ")")
        parts.append({"&&": " and ", "||": " or ", "/": "//"}.get(t, t))
    take(stop)
    e = " ".join(parts)
    while " ? " in e:  # a ? b : c
        e = re.sub(r"\(([^()?:]*)\?([^()?:]*):([^()?:]*)\)", r"((\2) if (\1) else (\3))", e)
    return e


def parse():
    t = peek()
    if t == "{":
        take()
        body = []
        while peek() != "}":
            body.append(parse())
        take()
        return ("block", body)
    if t.startswith("// "):
        take()
        return ("mark", t[3:], parse())
    if t == "for":
        take(), take("("), take("int")
        var = take()
        take("=")
        init, cond = until(";"), until(";")
        take(var), take("+=")
        step = until(")")
        return ("for", var, compile(init, "", "eval"), compile(cond, "", "eval"), int(step), parse())
    if t == "if":
        take(), take("(")
        cond = compile(until(")"), "", "eval")
        then = parse()
        other = None
        if peek() == "else":
            take()
            other = parse()
        return ("if", cond, then, other)
    name = take()
    take("(")
    args = until(")")
    take(";")
    return ("call", name, compile("(" + args + ("," if args else "") + ")", "", "eval"))


nodes = []
while peek() is not None:
    nodes.append(parse())

env = dict(params, floord=lambda a, b: a // b, min=min, max=max, abs=abs)
trace, loops, place = [], [], []


def run(node, parallel=False):
    kind = node[0]
    if kind == "block":
        for n in node[1]:
            run(n, parallel)
    elif kind == "mark":
        # A parallel loop of one iteration is not printed: what stands in its place
        # are the loops inside.
        run(node[2], node[1] == "parallel" and node[2][0] == "for")
    elif kind == "if":
        if eval(node[1], env):
            run(node[2], parallel)
        elif node[3]:
            run(node[3], parallel)
    elif kind == "for":
        _, var, init, cond, step, body = node
        env[var] = eval(init, env)
        if parallel:
            loops.append(None)
            region = len(loops)
        while eval(cond, env):
            if parallel:
                place.append((region, env[var]))
            run(body)
            if parallel:
                place.pop()
            env[var] += step
    else:
        trace.append(((node[1], eval(node[2], env)), tuple(place)))


for n in nodes:
    run(n)


# --- the check ---------------------------------------------------------------
def fail(*what):
    print("illegal:", *what)
    sys.exit(0)


if len(trace) != len(set(i for i, _ in trace)):
    fail("an instance runs twice")
if set(i for i, _ in trace) != instances:
    fail("instances are missing or too many", sorted(set(i for i, _ in trace) ^ instances)[:5])
at = {i: k for k, (i, _) in enumerate(trace)}
where = {i: p for i, p in trace}
touched = {}
for name, point in instances:
    for kind, array, f in statements[name].accesses:
        touched.setdefault((array, f(*point)), set()).add((kind, name, point))
for element, accesses in touched.items():
    for (k1, n1, p1), (k2, n2, p2) in itertools.combinations(accesses, 2):
        a, b = (n1, p1), (n2, p2)
        if a == b or (k1 == "read" and k2 == "read"):
            continue
        for (r, x), (q, y) in zip(where[a], where[b]):
            if r != q:
                break
            if x != y:
                fail("iterations", x, "and", y, "of a parallel loop conflict:", a, b, element)
        if k1 == "add" and k2 == "add":
            continue
        before = statements[n1].order(*p1) < statements[n2].order(*p2)
        if before != (at[a] < at[b]):
            fail("order of", a, b, "on", element)
print("legal")
