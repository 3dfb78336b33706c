#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Print a report of the plugin (-mllvm -pardiff-report=FILE) for people.

  show-report.py FILE
"""

import json
import sys
from collections import Counter


def loops(name, found):
    """One line that says how often each scheme occurs at which depth."""
    if not found:
        return
    count = Counter((loop["scheme"], loop["depth"]) for loop in found)
    parts = []
    for scheme, depth in sorted(count, key=lambda key: (key[1], key[0])):
        parts.append("%d %s%s" % (count[scheme, depth], scheme, " at depth %d" % depth if depth else ""))
    print("    %-15s %s" % (name, ", ".join(parts)))


def show_nest(nest):
    if not nest["recovered"]:
        missed = nest["missed"]
        print("    not recovered: %s (%s)" % (missed["sentence"], missed["detail"]))
        return
    print("    recovered       %d statements" % nest["statements"])
    for condition in nest["conditions"]:
        print("    if              %s" % condition)
    for tape in nest["tapes"]:
        what = "[%s, element]" % tape["index"] if tape["index"] else "a copy at entry"
        print("    on the tape     %s: %s, %s values of %d bytes" % (tape["of"], what, tape["elements"], tape["element_bytes"]))
    if nest["in_place"]:
        print("    read in place   %s" % ", ".join(nest["in_place"]))
    if nest["recomputed"]:
        print("    computed again  %s" % ", ".join(nest["recomputed"]))
    loops("forward loops", nest["forward_loops"])
    loops("adjoint loops", nest["adjoint_loops"])


def main():
    with open(sys.argv[1]) as file:
        report = json.load(file)
    for request in report["requests"]:
        print("  gradient of %s, asked for in %s" % (request["primal"], request["caller"]))
        if request["error"]:
            print("    error: %s" % request["error"]["sentence"])
        for nest in request["nests"]:
            show_nest(nest)


if __name__ == "__main__":
    main()
