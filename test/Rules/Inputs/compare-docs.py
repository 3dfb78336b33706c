# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""compare-docs.py docs/rules.md < names: every name in the table is documented, and
every name in the tables of the documentation is in the table."""

import re
import sys

# Other spellings of functions in the table, and functions that are taken apart
# before it is read.
SPELLINGS = {"pow10", "drem", "frexp", "modf", "sincos"}

names = set()
for line in sys.stdin:
    names |= set(line.split(":", 1)[1].split())
with open(sys.argv[1]) as file:
    rows = [line.split("|")[1] for line in file if line.startswith("| `")]
listed = {name for row in rows for name in re.findall(r"`([^`]*)`", row)} - SPELLINGS
for name in sorted(names - listed):
    print("%s is not documented" % name)
for name in sorted(listed - names):
    print("%s is documented, but not in the table" % name)
sys.exit(names != listed or not names)
