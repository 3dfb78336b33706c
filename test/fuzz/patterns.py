# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The patterns that random programs are made of: loop nests of a kind that numerical
programs have, with random arrays, sizes, weights and neighbours."""

# (method of Patterns, weight)
PATTERNS = [
    ("generic", 5.5),
    ("contraction", 1.6),
    ("stencil", 2.2),
    ("sweep", 1.6),
    ("softmax", 1.8),
    ("recurrence", 1.6),
    ("overlap", 1.8),
    ("copy", 1.6),
    ("scratch", 1.6),
    ("normalise", 1.6),
    ("convolution", 1.6),
]


class Array:
    def __init__(self, name, dims, form, activity):
        self.name, self.dims, self.form, self.activity = name, dims, form, activity
        # read: a derivative flows from the initial contents, as far as one can see.
        self.read = self.written = self.scratch = False

    def note_read(self):
        if not self.written:
            self.read = True

    @property
    def is_local(self):
        return self.activity == "local"

    @property
    def is_active(self):
        return self.activity in ("dup", "noneed")


class Patterns:
    """The part of generate.Program that emits whole nests."""

    def writable(self, count=None, like=None):
        choices = [a for a in self.arrays if a.activity != "const"
                   and (count is None or len(a.dims) == count)
                   and (like is None or (a is not like and a.dims == like.dims))]
        return self.pick(choices) if choices else None

    def readable(self, count):
        choices = [a for a in self.arrays if len(a.dims) == count]
        if not choices:
            return None
        array = self.pick(choices)
        array.note_read()
        return array

    def local(self, dims):
        """A local array, filled."""
        self.has("local-array")
        array = Array(self.fresh("L"), dims, "rows", "local")
        sizes = ", ".join(self.extent(d) for d in dims)
        self.emit("LOCAL%d(%s, %s);" % (len(dims), array.name, sizes))
        factor = self.pick(self.outs) if self.outs and self.chance(0.5) else self.number(0.5)
        places = []
        for d in dims:
            q = self.fresh("q")
            self.emit("for (int %s = 0; %s < (int)(%s); ++%s)" % (q, q, self.extent(d), q))
            self.depth += 1
            places.append(q)
        self.emit("%s%s = %s * %s + %s * (REAL)%s;" % (
            array.name, "".join("[%s]" % q for q in places), factor, self.number(0.4),
            self.number(0.02), places[-1]))
        self.depth -= len(dims)
        return array

    def generic(self):
        if self.chance(0.3):
            self.arrays.append(self.local([self.pick("nm") for _ in range(self.pick([1, 1, 2]))]))
        depth = self.rng.randint(0, 2)

        def body():
            self.nest(depth)
            if self.chance(0.4):
                self.nest(self.rng.randint(0, 1))

        self.timed(body)

    def contraction(self):
        c = self.writable(2) or self.writable(1) or self.writable()
        names = [self.open(d) for d in c.dims]
        k = self.open(self.pick("nm"))
        bound = self.loops[-1].bound
        factors = [a for a in self.arrays if a is not c]
        if not factors:
            self.statement()
        else:
            a, b = self.pick(factors), self.pick(factors)
            a.note_read()
            b.note_read()

            def place(array):
                result = []
                for d in array.dims:
                    fits = [k] if d == bound else []
                    fits += [n for n, dim in zip(names, c.dims) if dim == d]
                    result.append(self.pick(fits) if fits else "1")
                return self.element(array, result)

            self.emit("%s += %s * %s * %s;" % (
                self.element(c, names), self.number(0.05), place(a), place(b)))
            self.has("contraction")
        for _ in range(len(c.dims) + 1):
            self.close()

    def stencil(self):
        a = self.writable(1) or self.writable(2)
        if not a:
            return self.generic()
        b = self.writable(like=a) or None
        if b is None:
            b = self.local(a.dims)
            self.arrays.append(b)
        self.has("stencil")
        a.note_read()

        def body():
            for source, sink in ((a, b), (b, a)):
                names = [self.open(d, self.pick(["0", "1"])) for d in a.dims]
                terms = [self.element(source, names)]
                for place in range(len(names)):
                    for sign in "+-":
                        moved = list(names)
                        moved[place] = "%s %s %d" % (names[place], sign, self.pick([1, 1, 2]))
                        terms.append(self.element(source, moved))
                weight = self.number(0.9 / len(terms))
                text = " + ".join(terms)
                if self.chance(0.3):
                    text = self.math("sin", text)
                self.emit("%s %s %s * (%s);" % (
                    self.element(sink, names), self.pick(["=", "=", "+="]), weight, text))
                for _ in names:
                    self.close()

        self.timed(body)

    def sweep(self):
        """An in-place sweep: each element uses new and old neighbours."""
        a = self.writable(2) or self.writable(1)
        if not a:
            return self.generic()
        self.has("sweep")
        a.note_read()

        def body():
            down = self.chance(0.3)
            names = [self.open(d, "0", None, down) for d in a.dims]
            place = self.rng.randrange(len(names))
            before, behind = list(names), list(names)
            before[place] += " - 1"
            behind[place] += " + 1"
            self.emit("%s = %s * (%s + %s * %s) + %s * %s;" % (
                self.element(a, names), self.number(0.4), self.element(a, before),
                self.element(a, names), self.math("sin", self.element(a, behind)),
                self.number(0.1), self.leaf()))
            for _ in names:
                self.close()

        self.timed(body)

    def softmax(self):
        a = self.readable(2)
        out = self.writable(2)
        if not a or not out:
            return self.generic()
        self.has("softmax")
        i = self.open(a.dims[0])
        top, total = self.fresh("top"), self.fresh("sum")
        self.emit("REAL %s = %s;" % (top, self.element(a, [i, "0"])))
        j = self.open(a.dims[1], "1")
        value = self.element(a, [i, j])
        if self.chance(0.5):
            self.emit("%s = %s;" % (top, self.math("fmax", top, value)))
        else:
            self.emit("if (%s > %s) %s = %s;" % (value, top, top, value))
        self.close()
        self.emit("REAL %s = %s;" % (total, self.number(0.1)))
        j = self.open(a.dims[1])
        value = self.math("exp", "%s - %s" % (self.element(a, [i, j]), top))
        self.emit("%s += %s;" % (total, value))
        self.close()
        j = self.open(a.dims[1])
        value = self.math("exp", "%s - %s" % (self.element(a, [i, j]), top))
        place = []
        for d in out.dims:
            fits = [l.name for l in self.loops_of(d)]
            place.append(fits[-1 - len(place) % len(fits)] if fits else "2")
        self.emit("%s %s %s * %s / %s;" % (
            self.element(out, place), self.pick(["=", "+="]), self.number(0.5), value, total))
        self.close()
        self.close()

    def recurrence(self):
        """A forward recurrence along one dimension and one back, as in a tridiagonal
        solver."""
        a = self.writable(1) or self.writable(2)
        if not a:
            return self.generic()
        self.has("recurrence")
        a.note_read()
        around = [self.open(d) for d in a.dims[:-1]]
        i = self.open(a.dims[-1], "1")
        self.emit("%s = %s - %s * %s / (%s + %s * %s);" % (
            self.element(a, around + [i]), self.element(a, around + [i]), self.number(0.3),
            self.element(a, around + [i + " - 1"]), self.number(1.2), self.leaf(),
            self.number(0.1)))
        self.close()
        i = self.open(a.dims[-1], "0", None, True)
        self.emit("%s = (%s - %s * %s) / %s;" % (
            self.element(a, around + [i]), self.element(a, around + [i]), self.number(0.3),
            self.element(a, around + [i + " + 1"]), self.number(1.3)))
        self.close()
        for _ in around:
            self.close()

    def overlap(self):
        """Reads that meet the written element in some instances."""
        squares = [a for a in self.arrays if a.activity != "const" and len(a.dims) == 2
                   and a.dims[0] == a.dims[1]]
        if not squares:
            a = self.writable(1)
            if not a:
                return self.generic()
            self.has("overlap")
            a.note_read()
            i, k = self.open(a.dims[0]), self.open(a.dims[0])
            self.emit("%s += %s * %s * %s;" % (
                self.element(a, [i]), self.number(0.04), self.element(a, [k]), self.leaf()))
            self.close()
            self.close()
            return
        self.has("overlap")
        a = self.pick(squares)
        a.note_read()
        k = self.open(a.dims[0])
        triangular = self.chance(0.4)
        if triangular:
            self.has("triangular")
        i = self.open(a.dims[0], k if triangular else "0")
        j = self.open(a.dims[0])
        self.emit("%s -= %s * %s * %s;" % (
            self.element(a, [i, j]), self.number(0.03), self.element(a, [i, k]),
            self.element(a, [k, j])))
        for _ in range(3):
            self.close()

    def copy(self):
        a = self.writable()
        b = self.writable(like=a)
        if b is None:
            b = self.local(a.dims)
            self.arrays.append(b)
        self.has("copy")
        a.note_read()
        names = [self.open(d) for d in a.dims]
        if self.chance(0.5) and not b.is_local:
            t = self.fresh("t")
            self.emit("REAL %s = %s;" % (t, self.element(a, names)))
            self.emit("%s = %s;" % (self.element(a, names), self.element(b, names)))
            self.emit("%s = %s;" % (self.element(b, names), t))
            b.note_read()
        else:
            self.emit("%s = %s;" % (self.element(b, names), self.element(a, names)))
        for _ in names:
            self.close()
        self.timed(lambda: self.nest(1))

    def scratch(self):
        """A buffer that every iteration of the outer loop fills and uses."""
        bound, inner = self.pick("nm"), self.pick("nm")
        buffers = [a for a in self.arrays if a.activity != "const" and not a.read
                   and a.dims == [inner]]
        if buffers and self.chance(0.6):
            buffer = buffers[0]
            buffer.scratch = True
        else:
            buffer = self.local([inner])
        self.has("scratch")
        i = self.open(bound)
        j = self.open(inner)
        self.emit("%s = %s;" % (self.element(buffer, [j]), self.bounded(2)))
        self.close()
        j = self.open(inner)
        self.emit("%s += %s * %s * %s;" % (
            self.target(), self.number(0.2), self.element(buffer, [j]),
            self.math("sin", self.element(buffer, [j]))))
        self.close()
        self.close()

    def normalise(self):
        a = self.writable(2) or self.writable(1)
        if not a:
            return self.generic()
        self.has("normalise")
        a.note_read()
        around = [self.open(d) for d in a.dims[:-1]]
        mean, spread = self.fresh("mean"), self.fresh("var")
        zero, last = self.number(0), a.dims[-1]
        self.emit("REAL %s = %s, %s = %s;" % (mean, zero, spread, self.number(0.3)))
        j = self.open(last)
        self.emit("%s += %s;" % (mean, self.element(a, around + [j])))
        self.close()
        self.emit("%s /= (REAL)(%s + 1);" % (mean, last))
        j = self.open(last)
        difference = "(%s - %s)" % (self.element(a, around + [j]), mean)
        self.emit("%s += %s * %s;" % (spread, difference, difference))
        self.close()
        j = self.open(last)
        self.emit("%s = %s / %s;" % (
            self.element(a, around + [j]), difference.replace(difference, "(%s - %s)" % (
                self.element(a, around + [j]), mean)), self.math("sqrt", spread)))
        self.close()
        for _ in around:
            self.close()

    def convolution(self):
        out = self.writable()
        sources = [a for a in self.arrays if a is not out]
        if not sources:
            return self.generic()
        a = self.pick(sources)
        a.note_read()
        self.has("convolution")
        self.has("short-loop")
        names = [self.open(d) for d in out.dims]
        self.emit("for (int r = 0; r < 3; ++r)")
        place = []
        for d in a.dims:
            fits = [l.name for l in self.loops_of(d)]
            place.append("%s + r - 1" % self.pick(fits) if fits else "r")
        self.emit("  %s += %s * (REAL)(r + 1) * %s * %s;" % (
            self.element(out, names), self.number(0.05), self.element(a, place), self.leaf()))
        for _ in names:
            self.close()
