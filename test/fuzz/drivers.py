# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The drivers around generated programs: C files for the plugin and C++ files for the
reference, several programs in each. Both print, one a line: the value (if there is
one), the derivatives of scalars by value, the shadows of active arrays."""


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


def request(program):
    args = ["(void *)f%d" % program.seed]
    if program.primal_return:
        args.append("pardiff_primal_return")
    # Markers that say what is so anyway are there in half of the programs.
    spelled = program.seed % 2 == 0
    number = "(size_t)" if program.index_type == "size_t" else "(long)"
    if program.index_type == "int":
        number = ""
    for name in "nm":
        args += (["pardiff_const"] if spelled else []) + [number + name]
    if program.int_array:
        args += ["pardiff_const", "K"]
    for value in scalars(program):
        args += (["pardiff_out"] if spelled else []) + ["(REAL)" + value]
    for a in argument_arrays(program):
        if a.activity == "const":
            args += ["pardiff_const", a.name]
        elif a.activity == "noneed":
            args += ["pardiff_dupnoneed", a.name, "d" + a.name]
        else:
            args += (["pardiff_dup"] if spelled else []) + [a.name, "d" + a.name]
    count = len(program.outs) + program.primal_return
    suffix = "%s%d" % (real(program), count) if count else "void"
    return "__pardiff_autodiff_%s(%s)" % (suffix, ", ".join(args)), count


def c_driver(program):
    """The program and run<seed>(n, m)."""
    kind = real(program)
    out = ["#undef REAL", "#define REAL " + kind, program.text()]
    out.append("static void run%d(int n, int m) {" % program.seed)
    arrays = argument_arrays(program)
    if program.int_array:
        out.append("  int K[64];")
        out.append("  for (int i = 0; i < 64; ++i) K[i] = data_integer(i);")
    for a in arrays:
        out.append("  REAL *%s = new_%s(%s);" % (a.name, kind, size(a)))

    def fill():
        for k, a in enumerate(arrays):
            out.append("  fill_%s(%s, %s, %d);" % (kind, a.name, size(a), k))

    fill()
    call = c_call(program)
    out.append("  %s%s;" % ("REAL value = " if program.returns else "", call))
    if program.returns:
        out.append("  put(value);")
    for a in arrays:
        out.append("  REAL *p%s = new_%s(%s), *d%s = new_%s(%s);" % (
            a.name, kind, size(a), a.name, kind, size(a)))
        out.append("  memcpy(p%s, %s, sizeof(REAL) * %s);" % (a.name, a.name, size(a)))
        out.append("  seed_%s(d%s, %s);" % (kind, a.name, size(a)))
    fill()
    text, count = request(program)
    if count == 0:
        out.append("  %s;" % text)
    elif count == 1:
        out.append("  REAL r[1] = {%s};" % text)
        out.append("  const REAL *v = r;")
    else:
        out.append("  %s%d r = %s;" % (kind, count, text))
        out.append("  const REAL *v = r.v;")
    if program.primal_return:
        out.append('  if (memcmp(&v[0], &value, sizeof(REAL))) puts("primal value differs");')
    for k in range(len(program.outs)):
        out.append("  put(v[%d]);" % (k + program.primal_return))
    for a in arrays:
        if a.is_active:
            out.append("  put_%s(d%s, %s);" % (kind, a.name, size(a)))
        if a.activity != "noneed":
            out.append('  same_%s("%s", %s, p%s, %s);' % (kind, a.name, a.name, a.name, size(a)))
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


MAIN = """
int main(int argc, char **argv) {
  int seed = atoi(argv[1]), n = atoi(argv[2]), m = atoi(argv[3]);
  switch (seed) {
%s
  }
  return 99;
}
"""


def c_file(programs):
    cases = "\n".join("  case %d: run%d(n, m); return 0;" % (p.seed, p.seed) for p in programs)
    return '#include "program.h"\n' + "\n\n".join(map(c_driver, programs)) + MAIN % cases


def reference_file(programs):
    cases = "\n".join(
        "  case %d: p%d::run%d(n, m); return 0;" % (p.seed, p.seed, p.seed) for p in programs
    )
    return '#include "reference.h"\n' + "\n\n".join(map(reference_driver, programs)) + MAIN % cases
