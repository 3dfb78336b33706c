#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compile and run every program in C or C++ of a page of the documentation.

  run-examples.py PAGE COUNT WORK COMMAND...

A block of C (```c) or C++ (```cpp) with a main function is a program; there must be COUNT of them, and each must
return 0 at -O0 and -O2.
"""

import re
import subprocess
import sys


def main():
    page, count, work, command = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4:]
    with open(page) as file:
        programs = [p for p in re.findall(r"```(c|cpp)\n(.*?)```", file.read(), re.S) if "int main(" in p[1]]
    if len(programs) != count:
        print("%d programs instead of %d" % (len(programs), count))
        return 1
    for number, (language, program) in enumerate(programs):
        for level in ("-O0", "-O2"):
            source = "%s.%d.%s" % (work, number, language)
            with open(source, "w") as file:
                file.write(program)
            subprocess.run([*command, level, source, "-o", work + ".exe", "-lm", *(["-llapacke", "-llapack", "-lblas"] if "lapack.h" in program else ["-lblas"] if "blas.h" in program else [])], check=True, timeout=120)
            subprocess.run([work + ".exe"], check=True, timeout=60)
    return 0


sys.exit(main())
