#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Print a report of the plugin (-mllvm -pardiff-report=FILE) for people.

  show-report.py FILE
"""

import json
import sys


def show_loops(name, found):
    """One line for each loop, indented by its depth: its scheme, what it computes."""
    for loop in found:
        what = " ".join(loop["statements"])
        if len(what) > 60:
            what = "%s ... (%d statements)" % (what[:40].rsplit(" ", 1)[0], len(loop["statements"]))
        print("    %-15s %s%s: %s" % (name, "  " * loop["depth"], loop["scheme"], what))
        name = ""


def show_nest(nest):
    if not nest["recovered"]:
        missed = nest["missed"]
        print("    not recovered: %s (%s)" % (missed["sentence"], missed["detail"]))
        return
    print("    recovered       %d statements" % nest["statements"])
    apart = [c for c in nest["conditions"] if c.endswith("do not overlap")]
    for condition in nest["conditions"]:
        if condition not in apart:
            print("    if              %s" % condition)
    if apart:
        print("    if              %d pairs of arrays do not overlap" % len(apart))
    for tape in nest["tapes"]:
        what = "[%s, element]" % tape["index"] if tape["index"] else "a copy at entry"
        print("    on the tape     %s: %s, %s values of %d bytes" % (tape["of"], what, tape["elements"], tape["element_bytes"]))
    if nest["in_place"]:
        print("    read in place   %s" % ", ".join(nest["in_place"]))
    if nest["recomputed"]:
        print("    computed again  %s" % ", ".join(nest["recomputed"]))
    for sums in nest.get("partial_sums", []):
        print("    partial sums    %s: %s values of %d bytes" % (sums["name"], sums["elements"], sums["element_bytes"]))
    for array in nest.get("own_arrays", []):
        print("    allocated       %s: %s values of %d bytes" % (array["name"], array["elements"], array["element_bytes"]))
    show_loops("forward loops", nest["forward_loops"])
    show_loops("adjoint loops", nest["adjoint_loops"])


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
