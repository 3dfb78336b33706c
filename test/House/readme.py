#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Do what README.md shows: compile its program by its command and compare the output.

  readme.py ROOT WORK PLUGIN

The program is the first block marked c; the session is the block with lines that begin
with $, all other lines of which are what the commands print. The plugin in the command
is replaced by PLUGIN.
"""

import os
import re
import subprocess
import sys


def main():
    root, work, plugin = sys.argv[1:]
    with open(os.path.join(root, "README.md")) as file:
        text = file.read()
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", text, re.S | re.M)
    program = next(block for language, block in blocks if language == "c")
    session = next(block for _, block in blocks if block.startswith("$ "))

    os.makedirs(work, exist_ok=True)
    wanted, printed = [], []
    for line in session.splitlines():
        if not line.startswith("$ "):
            wanted.append(line)
            continue
        command = line[2:].replace("build/lib/LLVMPardiff.so", plugin)
        command = command.replace("-Iinclude", "-I" + os.path.join(root, "include"))
        source = re.search(r"\w+\.c\b", command)
        if source:
            with open(os.path.join(work, source.group(0)), "w") as file:
                file.write(program)
        done = subprocess.run(command.split(), cwd=work, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        printed += done.stdout.splitlines()
        if done.returncode != 0:
            print("failed: %s\n%s" % (command, done.stdout))
            return 1
    for path in re.findall(r"`((?:scripts|include|docs|integration|bench)/[\w./-]+)`", text):
        if not os.path.exists(os.path.join(root, path)):
            print("README.md names %s, which is not there" % path)
            return 1
    if wanted != printed:
        print("README.md says:\n%s\nthe program prints:\n%s" % ("\n".join(wanted), "\n".join(printed)))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
