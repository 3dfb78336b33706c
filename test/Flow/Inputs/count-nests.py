# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""count-nests.py REPORT.json FUNCTION=N...

Compares the number of recovered nests that a report names for each function.
"""
import json, sys

counts = {}
for request in json.load(open(sys.argv[1]))["requests"]:
    for nest in request["nests"]:
        counts[nest["function"]] = counts.get(nest["function"], 0) + nest["recovered"]
bad = 0
for argument in sys.argv[2:]:
    name, expected = argument.split("=")
    found = [n for f, n in counts.items() if name in f]
    if found != [int(expected)] and not (expected == "0" and not found):
        print("%s: %s nests, expected %s" % (name, found, expected))
        bad = 1
sys.exit(bad)
