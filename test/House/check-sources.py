#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Check the rules of the source tree that a compiler does not check.

  check-sources.py ROOT

1. An #include in llvm-plugin/ points to the own component or to one below it.
2. Polly's headers are included in Nest and in at most one file of Prepare,
   OpenMPIRBuilder's in Emit alone.
3. Every source file has the SPDX line among its first lines. (Inputs of tests in
   C, C++, Fortran and IR are exempt: they begin with what they test.)
4. No source file is longer than 800 lines.

Prints one line for each violation and returns 1 if there is one.
"""

import os
import re
import sys

# component: the components that it may include, besides itself
CHAIN = ["Support", "Rules", "Body", "Nest", "Tape", "Adjoint", "Schedule", "Emit"]
MAY_INCLUDE = {name: set(CHAIN[:at]) for at, name in enumerate(CHAIN)}
MAY_INCLUDE["Prepare"] = {"Support", "Rules"}  # which functions are mathematics
MAY_INCLUDE["Request"] = {"Support"}
MAY_INCLUDE["Nest"].add("Prepare")  # reads the form that Prepare defines
MAY_INCLUDE["Flow"] = {"Support", "Rules", "Body", "Emit"}
MAY_INCLUDE["Tangent"] = MAY_INCLUDE["Flow"] | {"Flow"}
MAY_INCLUDE["Contract"] = set(CHAIN) | {"Prepare", "Request", "Flow", "Tangent"}
MAY_INCLUDE["Driver"] = MAY_INCLUDE["Contract"] | {"Contract"}

FOLDERS = ["llvm-plugin", "runtime", "include", "test", "integration", "bench", "scripts", ".ci"]
ENDINGS = (".h", ".hpp", ".def", ".cpp", ".c", ".f90", ".ll", ".py", ".in", "CMakeLists.txt", ".sh", ".cmake")
MAX_LINES = 800
SPDX = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')


def sources(root):
    """All source files below root, as paths relative to it, sorted."""
    found = ["CMakeLists.txt"] if os.path.exists(os.path.join(root, "CMakeLists.txt")) else []
    for folder in FOLDERS:
        for where, folders, files in os.walk(os.path.join(root, folder)):
            folders[:] = [f for f in folders if f not in ("__pycache__", "Output")]
            for name in files:
                path = os.path.join(where, name)
                script = folder in ("scripts", ".ci") and "." not in name
                if name.endswith(ENDINGS) or script:
                    found.append(os.path.relpath(path, root))
    return sorted(found)


def is_test_input(path):
    return path.startswith("test" + os.sep) and path.endswith((".c", ".cpp", ".f90", ".ll"))


def check_includes(path, lines, polly_in_prepare):
    """Rules 1 and 2 for one file of the plugin."""
    component = path.split(os.sep)[1]
    if component not in MAY_INCLUDE:
        yield 1, "the component %s is not in the order of components" % component
        return
    allowed = MAY_INCLUDE[component] | {component}
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        header = match.group(1)
        top = header.split("/")[0]
        if top == "..":
            yield number, "include %s by its component, not by a relative path" % header
        elif top in MAY_INCLUDE and top not in allowed:
            yield number, "%s may not include %s" % (component, header)
        elif top == "polly" and component == "Prepare":
            polly_in_prepare.setdefault(path, number)
        elif top == "polly" and component != "Nest":
            yield number, "%s may not include Polly's %s" % (component, header)
        elif header.startswith("llvm/Frontend/OpenMP") and component != "Emit":
            yield number, "%s may not include %s" % (component, header)


def check(root):
    polly_in_prepare = {}
    files = sources(root)
    if not files:
        yield root, 1, "there are no sources here"
    for path in files:
        with open(os.path.join(root, path), errors="replace") as file:
            lines = file.read().split("\n")
        if not is_test_input(path):
            if not any(SPDX in line for line in lines[:8]):
                yield path, 1, "the SPDX line is missing"
            if len(lines) - 1 > MAX_LINES:
                yield path, MAX_LINES, "longer than %d lines" % MAX_LINES
        if path.startswith("llvm-plugin" + os.sep) and path.count(os.sep) > 1:
            for number, text in check_includes(path, lines, polly_in_prepare):
                yield path, number, text
    for path, number in list(polly_in_prepare.items())[1:]:
        yield path, number, "a second file of Prepare includes Polly"


def main():
    bad = 0
    for path, number, text in check(sys.argv[1]):
        print("%s:%d: %s" % (path, number, text))
        bad += 1
    if bad:
        print("%d violations" % bad)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
