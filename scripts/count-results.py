#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Count the results of a lit run: prints "PASSED FAILED".

  count-results.py FILE

FILE is what `lit -o FILE` wrote. A test that did not pass has failed, whatever lit
calls it (unsupported, expected failure, unresolved, timeout). No file, or no test in
it, is one failure. Names what failed on stderr.
"""

import json
import sys

try:
    with open(sys.argv[1]) as file:
        tests = json.load(file)["tests"]
except (OSError, ValueError, KeyError):
    tests = []

bad = [test for test in tests if test["code"] != "PASS"]
for test in bad:
    print("%s: %s" % (test["code"], test["name"]), file=sys.stderr)
if not tests:
    print("no test has run to its end", file=sys.stderr)
print(len(tests) - len(bad), len(bad) or int(not tests))
