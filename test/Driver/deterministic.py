#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Two compilations give the same object, and -g changes no instruction.

  deterministic.py --llvm-tools=DIR --plugin=SO --work=DIR FILE... -- FLAGS...

The compilation with -g also verifies the module behind every pass. Instructions are
compared as llvm-objdump prints them, in the order of the object.
"""

import argparse
import os
import subprocess
import sys


def main():
    own, flags = sys.argv[1:], []
    if "--" in own:
        cut = own.index("--")
        own, flags = own[:cut], own[cut + 1 :]
    parser = argparse.ArgumentParser()
    parser.add_argument("--llvm-tools", required=True)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("files", nargs="+")
    options = parser.parse_args(own)
    os.makedirs(options.work, exist_ok=True)

    def tool(name, *args):
        command = [os.path.join(options.llvm_tools, name), *args]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout

    def compile(file, name, *more):
        path = os.path.join(options.work, name + ".o")
        tool("clang", *flags, *more, "-fpass-plugin=" + options.plugin, "-c", file, "-o", path)
        return path

    def read(path):
        with open(path, "rb") as file:
            return file.read()

    def instructions(path):
        text = tool("llvm-objdump", "-d", "--no-show-raw-insn", path)
        return text.split(b"\n", 3)[3:]  # the first lines name the file

    bad = 0
    for file in options.files:
        one, two = compile(file, "one"), compile(file, "two")
        debug = compile(file, "debug", "-g", "-Xclang", "-llvm-verify-each")
        for wrong, message in (
            (read(one) != read(two), "two compilations differ"),
            (instructions(one) != instructions(debug), "the code differs with -g"),
        ):
            if wrong:
                print("%s: %s (%s)" % (os.path.basename(file), message, " ".join(flags)))
                bad += 1
    print("%d files, %d differences" % (len(options.files), bad))
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
