#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare the tapes of a report with what was allocated: measured.py REPORT MEASURED

MEASURED has a line for each gradient: function, bytes allocated, bytes freed, and the
sizes, name=value.
"""

import json
import re
import sys

with open(sys.argv[1]) as file:
    requests = json.load(file)["requests"]
nests = {nest["function"]: nest for request in requests for nest in request["nests"]}
wrong = checked = 0
with open(sys.argv[2]) as file:
    for line in file:
        name, allocated, freed, *sizes = line.split()
        sizes = {key: int(value) for key, value in (size.split("=") for size in sizes)}
        said = 0
        for tape in nests[name]["tapes"]:
            formula = tape["elements"]
            if not re.fullmatch(r"[\w\s*+()-]+", formula):
                sys.exit("%s: the formula %r has pieces" % (name, formula))
            said += tape["element_bytes"] * eval(formula, {}, sizes)
        checked += 1
        if said != int(allocated) or said != int(freed):
            wrong += 1
            print("%s: report %d, allocated %s, freed %s" % (name, said, allocated, freed))
if not checked:
    sys.exit("nothing was measured")
sys.exit(wrong != 0)
