# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random affine loop programs in the common subset of C and C++.

Program(seed) is one function with its parameters. The same text is compiled as C, where
REAL is float or double, for the plugin, and as C++, where REAL is the recording type of
reference.h, for the reference gradient. Values stay bounded: what is stored is damped or
squashed. All arrays are padded by PAD elements at each side of each dimension, so every
index below is legal for every size, also 0, 1 and 2.

Every program counts the features that it has in Program.features.
"""

import random
import re

from patterns import PATTERNS, Array, Patterns

PAD = 4

FEATURES = [
    # patterns
    "contraction", "stencil", "sweep", "softmax", "recurrence", "overlap", "copy",
    "scratch", "normalise", "convolution",
    # loops
    "triangular", "stride", "downward", "time", "deep", "short-loop", "odd-bounds",
    "affine-condition",
    # accesses
    "transposed", "reversed-index", "shifted", "divided-index", "constant-index",
    "three-dimensional", "flat", "unrestricted", "integer-array", "iterator-value",
    # statements
    "local-array", "scalar", "carried-scalar", "product", "quotient-update", "minmax",
    "select", "conditional-store", "helper", "branchy-helper", "power", "constant-store",
    # interface
    "float", "void", "scalar-out", "several-out", "const-array", "noneed", "wide-index",
    "primal-return",
]  # fmt: skip


class Loop:
    def __init__(self, name, bound):
        self.name, self.bound = name, bound


class Program(Patterns):
    def __init__(self, seed):
        self.seed = seed
        self.rng = random.Random("pardiff-%d" % seed)
        self.features = set()
        self.lines, self.helpers = [], []
        self.depth, self.counter = 1, 0
        self.loops, self.scalars = [], []
        self.front = False
        self.interface()
        self.function()

    #--- Small tools ---------------------------------------------------------------

    def chance(self, p):
        return self.rng.random() < p

    def pick(self, items):
        return self.rng.choice(list(items))

    def has(self, feature):
        self.features.add(feature)

    def emit(self, text):
        self.lines.append("  " * self.depth + text)

    def fresh(self, prefix):
        self.counter += 1
        return prefix + str(self.counter)

    def number(self, value):
        return ("%.3ff" if self.is_float else "%.3f") % value

    def constant(self, low, high):
        return self.number(self.rng.uniform(low, high))

    def math(self, name, *args):
        return "%s%s(%s)" % (name, "f" if self.is_float else "", ", ".join(args))

    #--- Interface -----------------------------------------------------------------

    def interface(self):
        self.is_float = self.chance(0.17)
        if self.is_float:
            self.has("float")
        self.index_type = self.pick(["int"] * 4 + ["long", "size_t"])
        if self.index_type != "int":
            self.has("wide-index")
        self.returns = not self.chance(0.3)
        self.primal_return = self.returns and self.chance(0.22)
        if self.primal_return:
            self.has("primal-return")
        if not self.returns:
            self.has("void")
        self.outs = ["u%d" % k for k in range(self.pick([0, 0, 1, 1, 2, 3]))]
        if self.outs:
            self.has("scalar-out")
        if len(self.outs) > 1:
            self.has("several-out")
        self.restrict = not self.chance(0.2)
        if not self.restrict:
            self.has("unrestricted")
        self.arrays = []
        for k in range(self.pick([2, 3, 3, 4])):
            self.arrays.append(self.new_array("A%d" % k, k))
        self.int_array = self.chance(0.35)
        if any(a.activity == "const" for a in self.arrays):
            self.has("const-array")
        if any(a.activity == "noneed" for a in self.arrays):
            self.has("noneed")

    def new_array(self, name, k):
        count = self.pick([1, 1, 2, 2, 2, 3])
        dims = [self.pick("nm") for _ in range(count)]
        if count == 3:
            self.has("three-dimensional")
        form = "rows"
        if count == 2 and self.chance(0.35):
            form = "flat"
            self.has("flat")
        activity = "dup"
        if k > 1 and self.chance(0.5):
            activity = self.pick(["const", "noneed"])
        return Array(name, dims, form, activity)

    def parameters(self):
        """(C declaration, name) of each parameter."""
        result = [(self.index_type + " n", "n"), (self.index_type + " m", "m")]
        if self.int_array:
            result.append(("const int *K", "K"))
        result += [("REAL " + u, u) for u in self.outs]
        restrict = "RESTRICT " if self.restrict else ""
        for a in self.arrays:
            if a.is_local:
                continue
            if len(a.dims) == 1 or a.form == "flat":
                result.append(("REAL *%s%s" % (restrict, a.name), a.name))
            else:
                # The first extent is not part of the type.
                macro = "ROWS%d%s" % (len(a.dims), "R" if self.restrict else "")
                extents = ", ".join(self.extent(d) for d in a.dims[1:])
                result.append(("%s(%s, %s)" % (macro, a.name, extents), a.name))
        return result

    @staticmethod
    def extent(dim):
        return "%s + %d" % (dim, 2 * PAD)

    #--- Accesses ------------------------------------------------------------------

    def element(self, array, indices):
        """The text of an element; indices are texts without the padding."""
        padded = [self.padded(i) for i in indices]
        if array.form == "flat":
            return "%s[(%s) * (%s) + %s]" % (
                array.name, padded[0], self.extent(array.dims[1]), padded[1])
        return array.name + "".join("[%s]" % p for p in padded)

    @staticmethod
    def padded(index):
        return "%s + %d" % (index, PAD)

    def loops_of(self, dim):
        return [l for l in self.loops if l.bound == dim]

    def index(self, dim):
        candidates = self.loops_of(dim)
        if not candidates or self.chance(0.06):
            self.has("constant-index")
            return str(self.rng.randint(0, 2))
        name = self.pick(candidates).name
        kind = self.rng.random()
        if kind < 0.66:
            return name
        if kind < 0.86:
            self.has("shifted")
            return "%s %s %d" % (name, self.pick("+-"), self.rng.randint(1, 2))
        if kind < 0.93:
            self.has("reversed-index")
            return "(%s - 1 - %s)" % (dim, name)
        self.has("divided-index")
        return "(%s + %s) / 2" % (name, self.pick(candidates).name)

    def reference(self, write=False, among=None):
        """A random element."""
        choices = among or self.arrays
        if write:
            choices = [a for a in choices if a.activity != "const"] or self.arrays[:1]
        array = self.pick(choices)
        indices = [self.index(d) for d in array.dims]
        if len(indices) > 1 and indices[0] in [l.name for l in self.loops[1:]]:
            self.has("transposed")
        if not write:
            array.note_read()
        return self.element(array, indices)

    def target(self):
        return self.reference(write=True)

    #--- Expressions ---------------------------------------------------------------

    def leaf(self):
        kind = self.rng.random()
        if kind < 0.08 and self.outs:
            return self.pick(self.outs)
        if kind < 0.17 and self.int_array and self.loops:
            self.has("integer-array")
            return "(REAL)K[%s]" % self.pick(self.loops).name
        if kind < 0.21 and self.loops:
            self.has("iterator-value")
            return "(%s * (REAL)(%s))" % (self.number(0.1), self.pick(self.loops).name)
        if kind < 0.4 and self.scalars:
            return self.pick(self.scalars)
        if kind < 0.93:
            return self.reference()
        return self.constant(0.2, 1.5)

    def bounded(self, depth):
        """An expression of moderate size and derivatives."""
        a = self.expression(depth)
        kind = self.rng.random()
        if kind < 0.2:
            return self.math("sin", a)
        if kind < 0.35:
            return self.math("tanh", a)
        if kind < 0.45:
            return self.math("atan", a)
        if kind < 0.55:
            return "(%s / (%s + %s * %s))" % (a, self.number(1), a, a)
        if kind < 0.65:
            return self.math("exp", "-(%s) * (%s)" % (a, a))
        return "(%s)" % a

    def expression(self, depth):
        if depth == 0 or self.chance(0.12):
            return self.leaf()
        a = self.expression(depth - 1)
        kind = self.rng.random()
        if kind < 0.24:
            return "(%s + %s)" % (a, self.expression(depth - 1))
        if kind < 0.38:
            return "(%s - %s)" % (a, self.expression(depth - 1))
        if kind < 0.58:
            return "(%s * %s)" % (a, self.expression(depth - 1))
        if kind < 0.64:
            b = self.leaf()
            return "(%s / (%s + %s * %s))" % (a, self.number(2), b, b)
        if kind < 0.69:
            self.has("minmax")
            return self.math(self.pick(["fmax", "fmin"]), a, self.leaf() + " + " + self.number(0.013))
        if kind < 0.74:
            self.has("select")
            return "(%s > %s ? %s : %s)" % (
                a, self.leaf(), self.expression(depth - 1),
                "(REAL)" + self.leaf() if self.chance(0.5) else self.leaf() + " * " + self.number(0.7))
        if kind < 0.8:
            return self.call(a, self.leaf())
        if kind < 0.84:
            self.has("power")
            base = "%s + %s * %s" % (self.number(0.6), a, a)
            if self.chance(0.5):
                return self.math("pow", base, self.constant(-1.5, 1.5))
            return "(%s * %s)" % (self.number(0.3), self.math("pow", base, self.math("sin", self.leaf())))
        kind = self.rng.random()
        square = "(%s) * (%s)" % (a, a)
        if kind < 0.2:
            return self.math("sqrt", "%s + %s" % (self.number(1), square))
        if kind < 0.4:
            return self.math("log", "%s + %s" % (self.number(1.5), square))
        if kind < 0.55:
            return self.math("fabs", a)
        if kind < 0.7:
            return self.math("cos", a)
        if kind < 0.85:
            return self.math("exp", "-" + self.math("fabs", a))
        return self.math("tan", "%s * %s" % (self.number(0.3), self.math("sin", a)))

    def call(self, a, b):
        self.has("helper")
        if len(self.helpers) < 2 and not (self.helpers and self.chance(0.4)):
            one, half = self.number(1), self.number(0.5)
            simple = [
                "return a * b + %s;" % self.math("sin", "a"),
                "REAL t = a * a; return t / (%s + t) + b;" % one,
                "return %s;" % self.math("fma", "a", "b", half),
            ]
            branchy = [
                "if (a > b) return a * b; return a - %s * b * b;" % half,
                "REAL s = 0; for (int q = 0; q < 3; ++q) s = s * %s + a * b; return s;" % half,
                "REAL t = a; if (b < %s) t = t * b; else t += b; return %s;"
                % (half, self.math("sin", "t")),
            ]
            is_branchy = self.chance(0.6)
            self.helpers.append((self.pick(branchy if is_branchy else simple), is_branchy))
        k = self.rng.randrange(len(self.helpers))
        if self.helpers[k][1]:
            self.has("branchy-helper")
        return "h%d_%d(%s, %s)" % (self.seed, k, a, b)

    #--- Statements ----------------------------------------------------------------

    def statement(self):
        e = self.bounded(self.rng.randint(1, 3))
        kind = self.rng.random()
        if kind < 0.25:
            self.emit("%s = %s * %s;" % (self.target(), e, self.number(0.4)))
        elif kind < 0.47:
            self.emit("%s %s= %s * %s;" % (self.target(), self.pick("++-"), e, self.number(0.08)))
        elif kind < 0.55:
            self.has("product")
            self.emit("%s *= %s;" % (self.target(), self.math("cos", "%s * %s" % (self.number(0.3), e))))
        elif kind < 0.62:
            self.has("quotient-update")
            self.emit("%s /= %s + %s;" % (self.target(), self.number(1.1), self.math("fabs", e)))
        elif kind < 0.70:
            self.has("conditional-store")
            self.emit("if (%s > %s) %s = %s * %s;" % (
                self.leaf(), self.leaf(), self.target(), e, self.number(0.5)))
        elif kind < 0.77:
            self.has("constant-store")
            self.emit("%s = %s;" % (self.target(), self.constant(0.1, 0.9)))
        elif kind < 0.88 and self.scalars:
            s = self.pick(self.scalars)
            if self.chance(0.5):
                self.emit("%s = %s * %s + %s * %s;" % (
                    s, s, self.number(0.4), self.number(0.3), self.math("sin", e)))
            else:
                self.emit("%s += %s * %s;" % (s, self.number(0.1), e))
        else:
            self.has("scalar")
            t = self.fresh("t")
            self.emit("REAL %s = %s;" % (t, e))
            self.emit("%s += %s * %s;" % (self.target(), self.number(0.5), self.math("tanh", t)))

    def condition(self):
        """An affine condition over the loops."""
        self.has("affine-condition")
        loop = self.pick(self.loops)
        others = ["1", "2", loop.bound + " / 2", self.pick(self.loops).name]
        return "%s %s %s" % (loop.name, self.pick([">", "<", "==", "<=", "!="]), self.pick(others))

    def guarded(self):
        """A statement, perhaps under an affine condition."""
        if not self.loops or not self.chance(0.22):
            self.statement()
            return
        self.emit("if (%s) {" % self.condition())
        self.depth += 1
        self.statement()
        self.depth -= 1
        if self.chance(0.4):
            self.emit("} else {")
            self.depth += 1
            self.statement()
            self.depth -= 1
        self.emit("}")

    #--- Loops ---------------------------------------------------------------------

    def open(self, bound, low="0", high=None, down=False, step=1, loop_bound=None):
        """Opens a loop; its iterator stays within [0, bound)."""
        name = self.fresh("i")
        high = high or bound
        if step > 1:
            self.has("stride")
        # A signed type, so that a loop may count down to 0.
        kind = "int" if self.index_type == "int" else "long"
        if down:
            self.has("downward")
            head = "%s %s = (%s) - 1; %s >= %s; %s" % (
                kind, name, high if kind == "int" else "(long)(%s)" % high, name, low,
                "--" + name if step == 1 else "%s -= %d" % (name, step))
        else:
            if kind == "long":
                high = "(long)(%s)" % high
            head = "%s %s = %s; %s < %s; %s" % (
                kind, name, low, name, high,
                "++" + name if step == 1 else "%s += %d" % (name, step))
        self.emit("for (%s) {" % head)
        self.depth += 1
        self.loops.append(Loop(name, bound))
        if len(self.loops) >= 3:
            self.has("deep")
        return name

    def close(self):
        self.loops.pop()
        self.depth -= 1
        self.emit("}")

    def random_open(self):
        bound, low, high = self.pick("nm"), "0", None
        same = self.loops_of(bound)
        if same and self.chance(0.35):
            self.has("triangular")
            other = self.pick(same).name
            if self.chance(0.5):
                low = other
            else:
                high = other + " + 1"
        elif self.chance(0.3):
            self.has("odd-bounds")
            low, high = self.pick([("1", bound + " - 1"), ("2", bound), ("0", bound + " / 2"), ("1", bound)])
            if self.index_type == "size_t" and high.endswith("- 1"):
                high = "(long)%s - 1" % bound
        return self.open(bound, low, high, self.chance(0.15), 2 if self.chance(0.12) else 1)

    def scoped(self, body):
        """Runs body; scalars declared in it go out of scope."""
        count = len(self.scalars)
        body()
        del self.scalars[count:]

    def nest(self, depth):
        carried = None
        if self.chance(0.3):
            self.has("carried-scalar")
            carried = self.fresh("s")
            self.emit("REAL %s = %s * %s;" % (carried, self.leaf(), self.number(0.5)))
            self.scalars.append(carried)
        self.random_open()
        self.scoped(lambda: self.block(depth))
        self.close()
        if carried:
            self.emit("%s += %s * %s;" % (self.target(), self.number(0.2), carried))

    def block(self, depth):
        for _ in range(self.rng.randint(1, 2)):
            if depth > 0 and self.chance(0.7):
                self.nest(depth - 1)
            else:
                self.guarded()

    def timed(self, body):
        """Runs body, perhaps inside a time loop."""
        if not self.chance(0.4):
            self.scoped(body)
            return
        self.has("time")
        name = self.fresh("t")
        self.emit("for (int %s = 0; %s < 3; ++%s) {" % (name, name, name))
        self.depth += 1
        self.scoped(body)
        self.depth -= 1
        self.emit("}")

    #--- The whole -----------------------------------------------------------------

    def function(self):
        for _ in range(self.rng.randint(2, 3)):
            name = self.rng.choices([p for p, _ in PATTERNS], [w for _, w in PATTERNS])[0]
            start = len(self.lines)
            self.scoped(getattr(self, name))
            for a in self.arrays:
                overwrites = re.compile(r"(^|[ )])%s\[[^=]*\] = " % a.name)
                if any(overwrites.search(line) for line in self.lines[start:]):
                    a.written = True
        self.use_everything()
        if self.front and not self.returns:
            self.use_front()
        if self.returns:
            self.finish_value()

    def use_everything(self):
        """Sees to it that each active input has a derivative."""
        active = [a for a in self.arrays if a.is_active]
        for u in self.outs:
            loop = self.open("n")
            factor = self.constant(0.1, 0.3)
            if self.chance(0.5):
                factor = self.math("exp", "-" + self.math("fabs", self.leaf()))
            self.emit("%s += %s * %s;" % (self.reference(True, active), u, factor))
            self.close()
        weak = [a for a in active if not a.scratch]
        if not weak:
            return
        # What may be overwritten before its use is summed up in front and added to
        # something at the end that nothing else touches.
        main, self.lines = self.lines, []
        self.emit("REAL front = %s;" % self.number(0))
        for a in weak:
            loop = self.open(a.dims[-1])
            value = self.element(a, ["1"] * (len(a.dims) - 1) + [loop])
            self.emit("front += %s * %s * %s;" % (
                self.number(0.1), value, self.pick([self.number(1), self.math("sin", value)])))
            self.close()
        self.lines += main
        self.front = True

    def use_front(self):
        corner = self.pick([a for a in self.arrays if a.is_active])
        padding = ["-%d" % PAD] * len(corner.dims)
        self.emit("%s += front;" % self.element(corner, padding))

    def finish_value(self):
        self.emit("REAL loss = %s;" % ("front" if self.front else self.number(0)))
        sources = [a for a in self.arrays if not a.is_local or self.chance(0.7)]
        for a in sources:
            names = [self.open(d) for d in a.dims]
            value = self.element(a, names)
            weight = "(%s + %s * (REAL)(%s))" % (
                self.number(0.3), self.number(0.05), names[-1])
            square = " * " + value if self.chance(0.3) else ""
            self.emit("loss += %s * %s%s;" % (value, weight, square))
            for _ in names:
                self.close()
        self.emit("return loss;")

    def text(self):
        """The helpers and the function, for both languages."""
        out = []
        for k, (body, _) in enumerate(self.helpers):
            out.append("static REAL h%d_%d(REAL a, REAL b) { %s }" % (self.seed, k, body))
        params = ", ".join(d for d, _ in self.parameters())
        out.append("%s f%d(%s) {" % ("REAL" if self.returns else "void", self.seed, params))
        out += self.lines + ["}"]
        return "\n".join(out)
