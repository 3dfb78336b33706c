# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Turns the printed LLVM text of a statement's body into a Python function.

The text is one block of straight-line code. Every instruction becomes a call of an
operation of one of two sets:
  Plain   numbers; float is computed in double unless rounding is asked for
  Dual    pairs of a value and its derivative in one direction, by rules of its own
"""

import ctypes
import math
import re
import struct


class BodyError(Exception):
    pass


def round_to_float(x):
    return ctypes.c_float(x).value


#===------------------------------------------------------------------------===#
# Arithmetic on numbers
#===------------------------------------------------------------------------===#


def divide(a, b):
    if b != 0:
        return a / b
    if a == 0 or a != a:
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1, b)


def guarded(fn, infinite=math.nan):
    """fn with C's answer instead of an exception."""

    def call(*args):
        if any(a != a for a in args):
            return math.nan
        try:
            return fn(*args)
        except OverflowError:
            return math.inf
        except ValueError:
            return infinite

    return call


def maximum(a, b):
    return b if a != a or b > a else a


def minimum(a, b):
    return b if a != a or b < a else a


def log_with(fn):
    return lambda x: -math.inf if x == 0 else guarded(fn)(x)


def round_half_away(x):
    return math.copysign(math.floor(abs(x) + 0.5), x)


def whole(fn):
    return lambda x: float(fn(x)) if math.isfinite(x) else x


def power(x, y):
    if x == 0 and y < 0:
        return math.inf
    return guarded(math.pow)(x, y)


MATH = {
    "exp": guarded(math.exp),
    "exp2": guarded(lambda x: 2.0**x),
    "exp10": guarded(lambda x: 10.0**x),
    "expm1": guarded(math.expm1),
    "log": log_with(math.log),
    "log2": log_with(math.log2),
    "log10": log_with(math.log10),
    "log1p": lambda x: -math.inf if x == -1 else guarded(math.log1p)(x),
    "sqrt": guarded(math.sqrt),
    "cbrt": lambda x: math.copysign(abs(x) ** (1 / 3), x),
    "sin": guarded(math.sin),
    "cos": guarded(math.cos),
    "tan": guarded(math.tan),
    "asin": guarded(math.asin),
    "acos": guarded(math.acos),
    "atan": math.atan,
    "sinh": guarded(math.sinh),
    "cosh": guarded(math.cosh),
    "tanh": math.tanh,
    "asinh": math.asinh,
    "acosh": guarded(math.acosh),
    "atanh": guarded(math.atanh),
    "erf": math.erf,
    "erfc": math.erfc,
    "fabs": abs,
    "floor": whole(math.floor),
    "ceil": whole(math.ceil),
    "trunc": whole(math.trunc),
    "round": whole(round_half_away),
    "rint": whole(round),
    "nearbyint": whole(round),
    "roundeven": whole(round),
    "pow": power,
    "powi": power,
    "atan2": math.atan2,
    "hypot": math.hypot,
    "fmod": guarded(math.fmod),
    "remainder": guarded(math.remainder),
    "fmax": maximum,
    "fmin": minimum,
    "maxnum": maximum,
    "minnum": minimum,
    "maximum": maximum,
    "minimum": minimum,
    "maximumnum": maximum,
    "minimumnum": minimum,
    "fdim": lambda a, b: a - b if a > b else 0.0,
    "copysign": math.copysign,
    "fma": lambda a, b, c: a * b + c,
    "fmuladd": lambda a, b, c: a * b + c,
    "ldexp": lambda x, n: x * 2.0**n,
    "canonicalize": lambda x: x,
}

INTEGER_CALLS = {
    "smax": max,
    "smin": min,
    "abs": lambda x, poison: abs(x),
}

FCMP = {
    "eq": lambda a, b: a == b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "ne": lambda a, b: a != b,
}


def compare(predicate, a, b):
    if predicate in ("true", "false"):
        return predicate == "true"
    unordered = a != a or b != b
    if predicate == "ord":
        return not unordered
    if predicate == "uno":
        return unordered
    if unordered:
        return predicate[0] == "u"
    return FCMP[predicate[1:]](a, b)


class Plain:
    """Operations on numbers."""

    fadd = staticmethod(lambda a, b: a + b)
    fsub = staticmethod(lambda a, b: a - b)
    fmul = staticmethod(lambda a, b: a * b)
    fdiv = staticmethod(divide)
    fneg = staticmethod(lambda a: -a)
    frem = staticmethod(guarded(math.fmod))
    fcmp = staticmethod(compare)
    select = staticmethod(lambda c, a, b: a if c else b)
    same = staticmethod(lambda a: a)
    to_int = staticmethod(lambda a: int(a) if math.isfinite(a) else 0)

    @staticmethod
    def call(name, *args):
        return MATH[name](*args)


#===------------------------------------------------------------------------===#
# Arithmetic on pairs: (value, derivative)
#===------------------------------------------------------------------------===#


def quotient_or_zero(a, b):
    """Derivatives that do not exist are 0, as the rule table documents."""
    return a / b if b != 0 else 0.0


DERIVATIVES = {
    "exp": lambda x, r: r,
    "exp2": lambda x, r: r * math.log(2),
    "exp10": lambda x, r: r * math.log(10),
    "expm1": lambda x, r: math.exp(x),
    "log": lambda x, r: divide(1, x),
    "log2": lambda x, r: divide(1, x * math.log(2)),
    "log10": lambda x, r: divide(1, x * math.log(10)),
    "log1p": lambda x, r: divide(1, 1 + x),
    "sqrt": lambda x, r: quotient_or_zero(0.5, math.sqrt(x)) if x > 0 else 0.0,
    "cbrt": lambda x, r: quotient_or_zero(1, 3 * r * r),
    "sin": lambda x, r: math.cos(x),
    "cos": lambda x, r: -math.sin(x),
    "tan": lambda x, r: 1 / math.cos(x) ** 2,
    "asin": lambda x, r: quotient_or_zero(1, math.sqrt(1 - x * x)),
    "acos": lambda x, r: -quotient_or_zero(1, math.sqrt(1 - x * x)),
    "atan": lambda x, r: 1 / (1 + x * x),
    "sinh": lambda x, r: math.cosh(x),
    "cosh": lambda x, r: math.sinh(x),
    "tanh": lambda x, r: 1 / math.cosh(x) ** 2 if abs(x) < 300 else 0.0,
    "asinh": lambda x, r: 1 / math.sqrt(x * x + 1),
    "acosh": lambda x, r: quotient_or_zero(1, math.sqrt(x * x - 1)),
    "atanh": lambda x, r: divide(1, 1 - x * x),
    "erf": lambda x, r: 2 / math.sqrt(math.pi) * math.exp(-x * x),
    "erfc": lambda x, r: -2 / math.sqrt(math.pi) * math.exp(-x * x),
    "fabs": lambda x, r: (x > 0) - (x < 0),
    "canonicalize": lambda x, r: 1.0,
}
PIECEWISE_CONSTANT = {"floor", "ceil", "trunc", "round", "rint", "nearbyint", "roundeven"}
CHOOSE_FIRST = {
    "fmax": lambda a, b: a >= b or b != b,
    "fmin": lambda a, b: a <= b or b != b,
}
for _name in ("maxnum", "maximum", "maximumnum"):
    CHOOSE_FIRST[_name] = CHOOSE_FIRST["fmax"]
for _name in ("minnum", "minimum", "minimumnum"):
    CHOOSE_FIRST[_name] = CHOOSE_FIRST["fmin"]


def times(a, b):
    """A zero tangent stays one, whatever it is multiplied with."""
    return a * b if a != 0 else 0.0


def dual_power(x, y):
    r = power(x[0], y[0])
    d = 0.0
    if x[1]:
        d += x[1] * (y[0] * power(x[0], y[0] - 1) if y[0] != 0 else 0.0)
    if y[1] and x[0] > 0:
        d += y[1] * r * math.log(x[0])
    return r, d


class Dual:
    """Operations on (value, derivative)."""

    fadd = staticmethod(lambda a, b: (a[0] + b[0], a[1] + b[1]))
    fsub = staticmethod(lambda a, b: (a[0] - b[0], a[1] - b[1]))
    fmul = staticmethod(
        lambda a, b: (a[0] * b[0], times(a[1], b[0]) + times(b[1], a[0]))
    )
    fneg = staticmethod(lambda a: (-a[0], -a[1]))
    fcmp = staticmethod(lambda p, a, b: compare(p, a[0], b[0]))
    select = staticmethod(lambda c, a, b: a if c else b)
    same = staticmethod(lambda a: a)
    to_int = staticmethod(lambda a: Plain.to_int(a[0]))

    @staticmethod
    def fdiv(a, b):
        r = divide(a[0], b[0])
        return r, divide(a[1] - times(b[1], r), b[0]) if a[1] or b[1] else 0.0

    @staticmethod
    def frem(a, b):
        r = Plain.frem(a[0], b[0])
        return r, a[1] - times(b[1], round(divide(a[0] - r, b[0])))

    @staticmethod
    def call(name, *args):
        if name in DERIVATIVES:
            (x, d), = args
            r = MATH[name](x)
            return r, times(d, DERIVATIVES[name](x, r)) if d else 0.0
        if name in PIECEWISE_CONSTANT:
            return MATH[name](args[0][0]), 0.0
        if name in CHOOSE_FIRST:
            return args[0] if CHOOSE_FIRST[name](args[0][0], args[1][0]) else args[1]
        if name in ("fma", "fmuladd"):
            return Dual.fadd(Dual.fmul(args[0], args[1]), args[2])
        if name == "pow":
            return dual_power(*args)
        if name in ("powi", "ldexp"):
            x, n = args
            if name == "ldexp":
                return x[0] * 2.0**n, x[1] * 2.0**n
            return dual_power(x, (n, 0.0))
        if name == "hypot":
            (x, dx), (y, dy) = args
            r = math.hypot(x, y)
            return r, quotient_or_zero(x * dx + y * dy, r)
        if name == "atan2":
            (y, dy), (x, dx) = args
            return math.atan2(y, x), quotient_or_zero(x * dy - y * dx, x * x + y * y)
        if name in ("fmod", "remainder"):
            (x, dx), (y, dy) = args
            r = MATH[name](x, y)
            return r, dx - times(dy, round(divide(x - r, y)))
        if name == "fdim":
            return Dual.fsub(*args) if args[0][0] > args[1][0] else (0.0, 0.0)
        if name == "copysign":
            (x, d), (y, _) = args
            sign = math.copysign(1, x) * math.copysign(1, y) if x else 0.0
            return math.copysign(x, y), d * sign
        raise BodyError("no derivative of " + name)


#===------------------------------------------------------------------------===#
# Translation
#===------------------------------------------------------------------------===#

FLOATS = ("float", "double", "x86_fp80", "fp128", "half")
FLAGS = re.compile(
    r"\b(fast|nnan|ninf|nsz|arcp|contract|afn|reassoc|nsw|nuw|exact|disjoint|nneg|"
    r"samesign|inbounds|tail|musttail|notail|noundef|zeroext|signext|fastcc|"
    r"range\([^)]*\))(?=\s)"
)
METADATA = re.compile(r",\s*![\w.]+\s+!\d+|\s+#\d+\s*$|\s*;.*$")
NAME = re.compile(r'%("[^"]*"|[\w.$-]+)')
INT_OPS = {
    "add": "({0} + {1})",
    "sub": "({0} - {1})",
    "mul": "({0} * {1})",
    "and": "({0} & {1})",
    "or": "({0} | {1})",
    "xor": "({0} ^ {1})",
    "shl": "({0} << {1})",
    "sdiv": "quotient({0}, {1})",
    "srem": "({0} - {1} * quotient({0}, {1}))",
    "ashr": "({0} >> {1})",
    "lshr": "(unsigned({0}, {2}) >> {1})",
    "udiv": "(unsigned({0}, {2}) // unsigned({1}, {2}))",
    "urem": "(unsigned({0}, {2}) % unsigned({1}, {2}))",
}
ICMP = {"eq": "==", "ne": "!=", "sgt": ">", "sge": ">=", "slt": "<", "sle": "<="}
UICMP = {"ugt": ">", "uge": ">=", "ult": "<", "ule": "<="}


def quotient(a, b):
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


def unsigned(a, bits):
    return a & ((1 << bits) - 1)


def signed(a, bits):
    a &= (1 << bits) - 1
    return a - (1 << bits) if bits > 1 and a >> (bits - 1) else a


class Translator:
    """One body, as source text of a Python function."""

    def __init__(self, lines, dual, rounding):
        self.lines, self.dual, self.rounding = lines, dual, rounding
        self.names = {}
        self.code = []

    def variable(self, name):
        return self.names.setdefault(name, "v%d" % len(self.names))

    def number(self, text, kind):
        if kind in FLOATS:
            if text.startswith(("0x", "f0x")):
                value = self.hexadecimal(text)
            elif text in ("undef", "poison"):
                value = math.nan
            elif text == "zeroinitializer":
                value = 0.0
            else:
                value = float(text)
            spelled = "float('%r')" % value if not math.isfinite(value) else repr(value)
            return "(%s, 0.0)" % spelled if self.dual else spelled
        if text in ("true", "false"):
            return "1" if text == "true" else "0"
        if text in ("undef", "poison", "zeroinitializer"):
            return "0"
        return "(%d)" % int(text)

    @staticmethod
    def hexadecimal(text):
        if not re.fullmatch(r"0x[0-9A-Fa-f]{16}", text):
            raise BodyError("constant " + text)
        return struct.unpack(">d", bytes.fromhex(text[2:]))[0]

    def operand(self, text, kind):
        text = text.strip()
        if text.startswith("%"):
            return self.variable(text)
        if text.startswith("{"):
            fields = split(text[1:-1])
            return "[%s]" % ", ".join(self.typed(f) for f in fields)
        return self.number(text, kind)

    def typed(self, text):
        """An operand with its type in front."""
        text = text.strip()
        kind, rest = split_type(text)
        if kind.startswith("{") and not rest.startswith(("%", "{")):
            fields = [self.number("zeroinitializer", f.strip()) for f in split(kind[1:-1])]
            return "[%s]" % ", ".join(fields)
        return self.operand(rest, kind)

    def translate(self, name):
        header = self.lines[0]
        inside = header[header.index("(") + 1 : header.rindex(")")]
        params = []
        for place, text in enumerate(split(inside)):
            found = NAME.search(text)
            params.append(self.variable(found.group(0) if found else "%%%d" % place))
        for line in self.lines[1:]:
            self.line(line)
        body = "\n".join("  " + c for c in self.code)
        return "def %s(%s):\n%s\n" % (name, ", ".join(params), body)

    def line(self, line):
        line = METADATA.sub("", line).strip()
        line = METADATA.sub("", line).strip()
        if not line or line == "}" or re.fullmatch(r"[\w.$\"-]+:", line):
            return
        if line.startswith("#dbg"):
            return
        target, _, text = line.partition(" = ")
        if not text:
            if line.startswith("ret "):
                self.code.append("return " + self.typed(line[4:]))
                return
            if line.startswith("ret"):
                self.code.append("return []")
                return
            raise BodyError("instruction " + line)
        value, kind = self.instruction(FLAGS.sub("", text))
        if self.rounding and kind == "float":
            value = "round_to_float(%s)" % value
        self.code.append("%s = %s" % (self.variable(target), value))

    def instruction(self, text):
        """(Python expression, type of the result)"""
        opcode, _, rest = text.strip().partition(" ")
        rest = rest.strip()
        method = getattr(self, "op_" + opcode, None)
        if method:
            return method(rest)
        if opcode in ("fadd", "fsub", "fmul", "fdiv", "frem"):
            kind, operands = split_type(rest)
            a, b = (self.operand(o, kind) for o in split(operands))
            return "%s(%s, %s)" % (opcode, a, b), kind
        if opcode in INT_OPS:
            kind, operands = split_type(rest)
            a, b = (self.operand(o, kind) for o in split(operands))
            bits = int(kind[1:])
            value = INT_OPS[opcode].format(a, b, bits)
            return "signed(%s, %d)" % (value, bits), kind
        raise BodyError("instruction " + text)

    def op_fneg(self, rest):
        kind, operand = split_type(rest)
        return "fneg(%s)" % self.operand(operand, kind), kind

    def op_freeze(self, rest):
        return self.typed(rest), split_type(rest)[0]

    def op_fcmp(self, rest):
        predicate, _, rest = rest.partition(" ")
        kind, operands = split_type(rest.strip())
        a, b = (self.operand(o, kind) for o in split(operands))
        return "int(fcmp('%s', %s, %s))" % (predicate, a, b), "i1"

    def op_icmp(self, rest):
        predicate, _, rest = rest.partition(" ")
        kind, operands = split_type(rest.strip())
        a, b = (self.operand(o, kind) for o in split(operands))
        if predicate in ICMP:
            return "int(%s %s %s)" % (a, ICMP[predicate], b), "i1"
        bits = int(kind[1:])
        return (
            "int(unsigned(%s, %d) %s unsigned(%s, %d))"
            % (a, bits, UICMP[predicate], b, bits),
            "i1",
        )

    def op_select(self, rest):
        condition, yes, no = split(rest)
        return (
            "(%s if %s else %s)"
            % (self.typed(yes), self.typed(condition), self.typed(no)),
            split_type(yes.strip())[0],
        )

    def cast(self, rest):
        """(operand, its type, the type that it is cast to)"""
        source, _, target = rest.rpartition(" to ")
        kind, operand = split_type(source.strip())
        return self.operand(operand, kind), kind, target.strip()

    def op_fpext(self, rest):
        value, _, target = self.cast(rest)
        return value, target

    op_fptrunc = op_fpext

    def op_sitofp(self, rest):
        value, kind, target = self.cast(rest)
        if kind == "i1":
            value = "(-%s)" % value
        return ("(float(%s), 0.0)" if self.dual else "float(%s)") % value, target

    def op_uitofp(self, rest):
        value, kind, target = self.cast(rest)
        value = "float(unsigned(%s, %d))" % (value, int(kind[1:]))
        return "(%s, 0.0)" % value if self.dual else value, target

    def op_fptosi(self, rest):
        value, _, target = self.cast(rest)
        return "to_int(%s)" % value, target

    op_fptoui = op_fptosi

    def op_sext(self, rest):
        value, kind, target = self.cast(rest)
        return "(-%s)" % value if kind == "i1" else value, target

    def op_zext(self, rest):
        value, kind, target = self.cast(rest)
        return "unsigned(%s, %d)" % (value, int(kind[1:])), target

    def op_trunc(self, rest):
        value, _, target = self.cast(rest)
        return "signed(%s, %d)" % (value, int(target[1:])), target

    def op_insertvalue(self, rest):
        struct_, value, index = split(rest)
        return (
            "replaced(%s, %s, %d)"
            % (self.typed(struct_), self.typed(value), int(index)),
            split_type(struct_.strip())[0],
        )

    def op_extractvalue(self, rest):
        struct_, index = split(rest)
        kind = split_type(struct_.strip())[0]
        return (
            "%s[%d]" % (self.typed(struct_), int(index)),
            split(kind[1:-1])[int(index)].strip(),
        )

    def loop(self, callee, kind, args):
        """A loop that reads arrays, or its adjoint (Support/LoopFunctions.h). What it
        computes is not known here: it is taken for the sum of its arguments."""
        floats = [self.typed(a) for a in args if split_type(a.strip())[0] in FLOATS]
        fields = split(kind[1:-1])
        if callee.endswith(".adjoint"):
            if len(floats) != len(fields) + 1:
                raise BodyError("several results of " + callee)
            return "(%s)" % "".join(floats[-1] + ", " for _ in fields)
        if len(fields) != 1:
            raise BodyError("several results of " + callee)
        total = floats[0]
        for term in floats[1:]:
            total = "fadd(%s, %s)" % (total, term)
        return "(%s,)" % total

    def op_call(self, rest):
        match = re.match(r"(.*?)\s*@([\w.$]+)\((.*)\)[^()]*$", rest)
        if not match:
            raise BodyError("call " + rest)
        kind, callee, inside = match.groups()
        kind = kind.strip()
        args = [self.typed(a) for a in split(inside)]
        if re.match(r"pardiff\.loop\..*\.model(\.adjoint)?$", callee):
            return self.loop(callee, kind, split(inside)), kind
        name = re.sub(r"^llvm\.", "", callee)
        name = re.sub(r"\.(f32|f64|f80|i32|i64)", "", name)
        if kind not in FLOATS:
            if name in INTEGER_CALLS:
                return "%s(%s)" % (name, ", ".join(args)), kind
            raise BodyError("call of " + callee)
        if name not in MATH and name[-1:] in "fl" and name[:-1] in MATH:
            name = name[:-1]
        if name not in MATH:
            raise BodyError("call of " + callee)
        return "call('%s', %s)" % (name, ", ".join(args)), kind


def split(text):
    """Splits at commas outside of brackets."""
    parts, depth, start = [], 0, 0
    for place, char in enumerate(text):
        if char in "([{<":
            depth += 1
        elif char in ")]}>":
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(text[start:place])
            start = place + 1
    if text[start:].strip():
        parts.append(text[start:])
    return parts


def split_type(text):
    """(type, rest)"""
    if not text.startswith("{"):
        kind, _, rest = text.partition(" ")
        return kind, rest.strip()
    depth = 0
    for place, char in enumerate(text):
        depth += (char == "{") - (char == "}")
        if depth == 0:
            return text[: place + 1], text[place + 1 :].strip()
    raise BodyError("type of " + text)


def replaced(fields, value, index):
    fields = list(fields)
    fields[index] = value
    return fields


def compile_body(lines, dual=False, rounding=False):
    """A Python function (reads..., iterators..., parameters...) -> [writes...]. With
    dual, floating-point values are pairs."""
    if not lines:
        raise BodyError("no body")
    source = Translator(lines, dual, rounding).translate("body")
    operations = Dual if dual else Plain
    space = {name: getattr(operations, name) for name in vars(operations) if name[0] != "_"}
    space.update(
        quotient=quotient,
        unsigned=unsigned,
        signed=signed,
        replaced=replaced,
        round_to_float=round_to_float,
        **INTEGER_CALLS,
    )
    exec(compile(source, "<body>", "exec"), space)
    return space["body"]
