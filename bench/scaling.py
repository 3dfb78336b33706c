# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the report says of a program's gradient on many threads, with the sizes that the
program has: evaluates the formulas of docs/report.md, "scale"."""
import re

THREADS = (4, 16, 64, 256)
FUNCTIONS = {"min": min, "max": max, "floord": lambda a, b: a // b}


def mangle(formula):
    """The formula with names that are none of Python's words."""
    return re.sub(r"(?<![\w.])[A-Za-z_]\w*", lambda m: m[0] if m[0] in FUNCTIONS else m[0] + "_", formula)


def split(text):
    """The arguments of a call or a definition: parts between commas at depth 0."""
    parts, depth = [""], 0
    for c in text:
        depth += (c in "([") - (c in ")]")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return [p.strip() for p in parts]


def inside(source, start):
    """What is in the parentheses that open behind start."""
    first = source.index("(", start) + 1
    depth, end = 1, first
    while depth:
        depth += (source[end] == "(") - (source[end] == ")")
        end += 1
    return source[first : end - 1]


def sizes(source):
    """The parameters of the function that a program differentiates which are whole
    numbers: what its call passes for them, names of enumerators."""
    source = re.sub(r"/\*.*?\*/", "", source, flags=re.S)
    known, value = {}, -1
    for body in re.findall(r"enum \{(.*?)\};", source, flags=re.S):
        for part in split(body):
            name, _, formula = part.partition("=")
            value = int(eval(mangle(formula).replace("/", "//"), {}, known)) if formula else value + 1
            known[mangle(name.strip())] = value
    call = split(inside(source, source.index("__pardiff_autodiff")))
    function = call[0].split(")")[-1].strip()
    passed, rest = [], call[1:]
    while rest:
        marker = rest.pop(0)
        passed.append(rest.pop(0))
        if marker == "pardiff_dup":
            rest.pop(0)
    definition = re.search(r"static void\s+%s\(" % function, source).start()
    names = [re.split(r"\W+", p.split(")")[0])[-1] for p in split(inside(source, definition))]
    return {mangle(n): known[mangle(p)] for n, p in zip(names, passed) if mangle(p) in known}


def value(formula, of):
    """A formula of the report, or None if it is not known."""
    try:
        return eval(mangle(formula.replace("?", "unknown")), FUNCTIONS, dict(of))
    except (NameError, SyntaxError, TypeError):
        return None


def predict(report, source):
    """Sums over the nests of the first request: work, span, barriers, bytes, tape bytes,
    and the speedups they predict; None if a formula has no value."""
    of = sizes(source)
    total = dict.fromkeys(("work", "span", "barriers", "bytes"), 0)
    total["tape_bytes"] = 0
    barrier = 0
    for nest in report["requests"][0]["nests"]:
        scale = nest["scale"]
        if not scale:
            return None
        barrier = scale["barrier_work"]
        parts = [(k, scale[s][k]) for s in ("forward", "adjoint") for k in ("work", "span", "barriers", "bytes")]
        for key, formula in parts + [("tape_bytes", scale["tape_bytes"])]:
            number = value(formula, of)
            if number is None:
                return None
            total[key] += number
    work, span, regions = total["work"], total["span"], barrier * total["barriers"]
    total["speedups"] = {t: max(1, work / (span + (work - span) / t + regions)) for t in (2,) + THREADS}
    return total
