# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The drivers around generated programs: C files for the plugin and C++ files for the
reference, several programs in each. Both print, one a line: the value (if there is
one), the derivatives of scalars by value, the shadows of active arrays.

The C drivers also compare modes, and print a line with "differs" where they disagree:
forward mode in a direction that is data too must satisfy the dot-product identity with
the gradient, the two calls of split mode must give the gradient, although everything
that was passed is overwritten between them, and each of several seeds at once what a
gradient with that seed gives."""


def size(array):
    return " * ".join("(%s + 8)" % d for d in array.dims)


def real(program):
    return "float" if program.is_float else "double"


def argument_arrays(program):
    return [a for a in program.arrays if not a.is_local]


def pointer(array, name):
    """name as C's argument for an array."""
    if len(array.dims) == 1 or array.form == "flat":
        return name
    rows = "".join("[%s + 8]" % d for d in array.dims[1:])
    return "(REAL(*)%s)%s" % (rows, name)


def scalars(program):
    return ["data_scalar(%d)" % k for k in range(len(program.outs))]


def c_call(program):
    args = ["n", "m"] + (["K"] if program.int_array else [])
    args += ["(REAL)" + s for s in scalars(program)]
    args += [pointer(a, a.name) for a in argument_arrays(program)]
    return "f%d(%s)" % (program.seed, ", ".join(args))


def spelled(program):
    """Markers that say what is so anyway are there in half of the programs."""
    return program.seed % 2 == 0


def request(program, entry, shadow="d", width=0, front=(), back=(), out="pardiff_dup"):
    """A call of entry point. shadow: in front of the names of shadows. width: arrays get
    that many shadows each, and scalars that many tangents, unless they are marked as out."""
    args = ["(void *)f%d" % program.seed, *front]
    number = "(size_t)" if program.index_type == "size_t" else "(long)"
    if program.index_type == "int":
        number = ""
    mark = lambda marker: [marker] if spelled(program) else []
    for name in "nm":
        args += mark("pardiff_const") + [number + name]
    if program.int_array:
        args += ["pardiff_const", "K"]
    for k, value in enumerate(scalars(program)):
        args += mark(out if width else "pardiff_out") + ["(REAL)" + value]
        if out == "pardiff_dup":
            args += ["(REAL)data_tangent(%d, %d)" % (k, 50 + lane) for lane in range(width)]
    for a in argument_arrays(program):
        shadows = [shadow + a.name]
        if width:
            shadows = ["%s%d%s" % (shadow, lane, a.name) for lane in range(width)]
        if a.activity == "const":
            args += ["pardiff_const", a.name]
        elif a.activity == "noneed":
            args += ["pardiff_dupnoneed", a.name, *shadows]
        else:
            args += mark("pardiff_dup") + [a.name, *shadows]
    return "%s(%s)" % (entry, ", ".join(args + list(back)))


def result(program, count):
    """The type of a result of count values of the program's type."""
    return "%s%d" % (real(program), count) if count else "void"


def take(program, name, count, call):
    """Makes the values of a call those of the array name."""
    if count == 0:
        return ["  %s;" % call]
    if count == 1:
        return ["  REAL %s[1] = {%s};" % (name, call)]
    kind = result(program, count)
    return ["  %s %s_ = %s;" % (kind, name, call), "  const REAL *%s = %s_.v;" % (name, name)]


def copies(program, prefix):
    """New arrays beside those of the program, with their names behind the prefix."""
    return [
        "  REAL *%s%s = new_%s(%s);" % (prefix, a.name, real(program), size(a))
        for a in argument_arrays(program)
    ]


def compare_primal(program, mode):
    """Arrays hold what the function leaves in them, but those whose value is not needed."""
    return [
        '  same_%s("%s", "%s", %s, p%s, %s);' % (
            real(program), mode, a.name, a.name, a.name, size(a))
        for a in argument_arrays(program)
        if a.activity != "noneed"
    ]


def fill(program):
    return [
        "  fill_%s(%s, %s, %d);" % (real(program), a.name, size(a), k)
        for k, a in enumerate(argument_arrays(program))
    ]


def forward_check(program, width):
    """What forward mode gives in some directions, against the gradient: v and the
    shadows d."""
    kind, arrays = real(program), argument_arrays(program)
    active = [(k, a) for k, a in enumerate(arrays) if a.is_active]
    out = []
    for lane in range(width):
        out += copies(program, "t%d" % lane)
        out += [
            "  tangent_%s(t%d%s, %s, %d);" % (kind, lane, a.name, size(a), k + 10 * lane)
            for k, a in active
        ]
    out += fill(program)
    front = ["pardiff_primal_return"] if program.primal_return else []
    if width > 1:
        front += ["pardiff_width", str(width)]
    # One lane: the primal's value and the tangent. Several lanes: in a row.
    count = (width if program.returns else 0) + bool(program.primal_return)
    call = request(program, "__pardiff_fwddiff_" + result(program, count), "t", width, front)
    out += take(program, "tv", count, call)
    if program.primal_return:
        out.append('  if (memcmp(&tv[0], &value, sizeof(REAL))) puts("forward: primal value differs");')
    for lane in range(width):
        out.append("  pairing = (struct pairing){0};")
        if program.returns:
            out.append("  pair(tv[%d], 1, 1);" % (lane + bool(program.primal_return)))
        for k in range(len(program.outs)):
            out.append("  pair((REAL)data_tangent(%d, %d), v[%d], -1);" % (
                k, 50 + lane, k + program.primal_return))
        for k, a in active:
            out.append("  pair_%s(t%d%s, d%s, %s, %d);" % (
                kind, lane, a.name, a.name, size(a), k + 10 * lane))
        out.append('  compare_pairing("forward", %d, %s);' % (lane, TOLERANCE[kind]))
        out += ["  free(t%d%s);" % (lane, a.name) for a in arrays]
    return out + compare_primal(program, "forward")


def seeds_check(program):
    """Three seeds at once: that of the gradient, none but the result's, and the one that
    makes the first the mean of the three."""
    kind, arrays = real(program), argument_arrays(program)
    out = []
    for lane in range(3):
        out += copies(program, "t%d" % lane)
    for a in arrays:
        out.append("  seed_%s(t0%s, %s);" % (kind, a.name, size(a)))
        out.append("  mirror_%s(t2%s, t0%s, t1%s, %s);" % (kind, *[a.name] * 3, size(a)))
    out += fill(program)
    front = ["pardiff_width", "3"] + (["pardiff_primal_return"] if program.primal_return else [])
    count = 3 * len(program.outs) + program.primal_return
    call = request(program, "__pardiff_autodiff_" + result(program, count), "t", 3, front, out="pardiff_out")
    out += take(program, "tv", count, call)
    if program.primal_return:
        out.append('  if (memcmp(&tv[0], &value, sizeof(REAL))) puts("seeds: primal value differs");')
    for k in range(len(program.outs)):
        at, of = 3 * k + program.primal_return, k + program.primal_return
        out.append('  near("first seed", tv[%d], v[%d], 1, %s);' % (at, of, TOLERANCE[kind]))
        out.append('  near("other seeds", tv[%d] + tv[%d], 2 * v[%d], 1, %s);' % (
            at + 1, at + 2, of, TOLERANCE[kind]))
    for a in arrays:
        if a.is_active:
            args = (kind, a.name, a.name, size(a))
            out.append('  near_%s("first seed", t0%s, d%s, %s);' % args)
            out.append("  mirror_%s(t1%s, d%s, t1%s, %s);" % (kind, *[a.name] * 3, size(a)))
            out.append('  near_%s("other seeds", t1%s, t2%s, %s);' % args)
        out += ["  free(t%d%s);" % (lane, a.name) for lane in range(3)]
    return out + compare_primal(program, "seeds")


def split_check(program):
    """The two calls of split mode, against the gradient."""
    kind, arrays = real(program), argument_arrays(program)
    out = copies(program, "s")
    out += ["  seed_%s(s%s, %s);" % (kind, a.name, size(a)) for a in arrays]
    out += fill(program)
    front = ["pardiff_primal_return"] if program.primal_return else []
    call = request(program, "__pardiff_augmentfwd_" + ("with_" + kind if front else "tape"), "s", front=front)
    out.append("  %s tape = %s;" % ("taped_" + kind if front else "void *", call))
    if front:
        out.append('  if (memcmp(&tape.value, &value, sizeof(REAL))) puts("split: primal value differs");')
    out += compare_primal(program, "split")
    out += ["  wipe_%s(%s, %s);" % (kind, a.name, size(a)) for a in arrays]
    if program.int_array:
        out.append("  int L[64];")
        out.append("  memcpy(L, K, sizeof(K));")
        out.append("  memset(K, -1, sizeof(K));")
    count = len(program.outs)
    back = ["(REAL)1"] if program.returns else []
    back.append("tape.tape" if front else "tape")
    call = request(program, "__pardiff_reverse_" + result(program, count), "s", back=back)
    out += take(program, "sv", count, call)
    if program.int_array:
        out.append("  memcpy(K, L, sizeof(K));")
    for k in range(count):
        out.append('  near("split", sv[%d], v[%d], 1, %s);' % (
            k, k + program.primal_return, TOLERANCE[kind]))
    for a in arrays:
        if a.is_active:
            out.append('  near_%s("split", s%s, d%s, %s);' % (kind, a.name, a.name, size(a)))
    return out + ["  free(s%s);" % a.name for a in arrays]


TOLERANCE = {"double": "1e-10", "float": "1e-4"}


def c_driver(program, checks=()):
    """The program and run<seed>(n, m)."""
    kind, arrays = real(program), argument_arrays(program)
    out = ["#undef REAL", "#define REAL " + kind, program.text()]
    out.append("static void run%d(int n, int m) {" % program.seed)
    if program.int_array:
        out.append("  int K[64];")
        out.append("  for (int i = 0; i < 64; ++i) K[i] = data_integer(i);")
    for a in arrays:
        out.append("  REAL *%s = new_%s(%s);" % (a.name, kind, size(a)))
    out += fill(program)
    call = c_call(program)
    out.append("  %s%s;" % ("REAL value = " if program.returns else "", call))
    if program.returns:
        out.append("  put(value);")
    for a in arrays:
        out.append("  REAL *p%s = new_%s(%s), *d%s = new_%s(%s);" % (
            a.name, kind, size(a), a.name, kind, size(a)))
        out.append("  memcpy(p%s, %s, sizeof(REAL) * %s);" % (a.name, a.name, size(a)))
        out.append("  seed_%s(d%s, %s);" % (kind, a.name, size(a)))
    out += fill(program)
    count = len(program.outs) + program.primal_return
    front = ["pardiff_primal_return"] if program.primal_return else []
    call = request(program, "__pardiff_autodiff_" + result(program, count), front=front)
    out += take(program, "v", count, call)
    if program.primal_return:
        out.append('  if (memcmp(&v[0], &value, sizeof(REAL))) puts("primal value differs");')
    for k in range(len(program.outs)):
        out.append("  put(v[%d]);" % (k + program.primal_return))
    for a in arrays:
        if a.is_active:
            out.append("  put_%s(d%s, %s);" % (kind, a.name, size(a)))
    out += compare_primal(program, "reverse")
    if "forward" in checks:
        out += ["  {", *forward_check(program, 1), "  }"]
    if "width" in checks and program.primal_return + 3 * program.returns <= 4:
        out += ["  {", *forward_check(program, 3), "  }"]
    if "seeds" in checks:
        out += ["  {", *seeds_check(program), "  }"]
    if "split" in checks:
        out += ["  {", *split_check(program), "  }"]
    for a in arrays:
        out.append("  free(%s), free(p%s), free(d%s);" % (a.name, a.name, a.name))
    out.append("}")
    return "\n".join(out)


def reference_driver(program):
    kind = real(program)
    out = ["namespace p%d {" % program.seed, "typedef Recorded<%s> REAL;" % kind]
    out.append(program.text())
    out.append("static void run%d(int n, int m) {" % program.seed)
    out.append("  tape.clear();")
    arrays = argument_arrays(program)
    args = ["n", "m"]
    if program.int_array:
        out.append("  int K[64];")
        out.append("  for (int i = 0; i < 64; ++i) K[i] = data_integer(i);")
        args.append("K")
    for k, u in enumerate(program.outs):
        out.append("  REAL %s = REAL::input((%s)data_scalar(%d));" % (u, kind, k))
        args.append(u)
    for k, a in enumerate(arrays):
        out.append("  std::vector<REAL> %s = inputs<REAL>(%s, %d, %s);" % (
            a.name, size(a), k, "true" if a.is_active else "false"))
        out.append("  const std::vector<REAL> %s_start = %s;" % (a.name, a.name))
        extents = "".join(", (long)(%s + 8)" % d for d in a.dims[1:])
        if len(a.dims) == 1 or a.form == "flat":
            args.append("%s.data()" % a.name)
        else:
            args.append("Rows%d<REAL>{%s.data()%s}" % (len(a.dims), a.name, extents))
    call = "f%d(%s)" % (program.seed, ", ".join(args))
    if program.returns:
        out.append("  REAL value = %s;" % call)
        out.append("  put(value.v);")
    else:
        out.append("  %s;" % call)
    out.append("  std::vector<double> adjoint(tape.size(), 0.0);")
    if program.returns:
        out.append("  if (value.id >= 0) adjoint[value.id] += 1;")
    for a in arrays:
        if a.is_active:
            out.append("  seed(adjoint, %s);" % a.name)
    out.append("  sweep(adjoint);")
    for u in program.outs:
        out.append("  put(adjoint[%s.id]);" % u)
    for a in arrays:
        if a.is_active:
            out.append("  for (const REAL &x : %s_start) put(adjoint[x.id]);" % a.name)
    out += ["}", "}"]
    return "\n".join(out)


SIDES = """
/* Which side of its run-time condition each nest has taken. */
static long sides[2];
void pardiff_count_side(const char *function, int line, int holds) {
  sides[holds]++;
  if (!holds) fprintf(stderr, "the condition does not hold: %s, line %d\\n", function, line);
}
static void report_sides(void) { fprintf(stderr, "conditions: %ld %ld\\n", sides[1], sides[0]); }
"""

MAIN = """
int main(int argc, char **argv) {
  int seed = atoi(argv[1]), n = atoi(argv[2]), m = atoi(argv[3]);
%s  switch (seed) {
%s
  }
  return 99;
}
"""


def c_file(programs, checks):
    """checks: which modes to compare with the gradient, for each program."""
    cases = "\n".join("  case %d: run%d(n, m); return 0;" % (p.seed, p.seed) for p in programs)
    texts = [c_driver(p, checks(p.seed)) for p in programs]
    count = "  atexit(report_sides);\n"
    return '#include "program.h"\n' + "\n\n".join(texts) + SIDES + MAIN % (count, cases)


def reference_file(programs):
    cases = "\n".join(
        "  case %d: p%d::run%d(n, m); return 0;" % (p.seed, p.seed, p.seed) for p in programs
    )
    return '#include "reference.h"\n' + "\n\n".join(map(reference_driver, programs)) + MAIN % ("", cases)
