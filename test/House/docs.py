#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the documentation lists is what the code has.

  docs.py ROOT

Compares the options and passes of docs/options.md, the keys of docs/report.md, the
packages of scripts/setup and the files that documentation names with the sources.
docs/diagnostics.md must explain each reason for a refusal, and nothing else; each row of
docs/behaviours.md must name a test.
"""

import glob
import os
import re
import sys

PASSES_FOR_TESTS = {
    "pardiff-roundtrip",
    "check<pardiff-tape>",
    "test<pardiff-vjp>",
    "test<pardiff-compose>",
    "test<pardiff-schedule>",
}


def main():
    root = sys.argv[1]
    problems = []

    def read(path):
        with open(os.path.join(root, path)) as file:
            return file.read()

    def compare(what, documented, there):
        for name in sorted(there - documented):
            problems.append("%s %s is not documented" % (what, name))
        for name in sorted(documented - there):
            problems.append("%s %s is documented, but not there" % (what, name))

    sources = {
        os.path.relpath(path, root): read(os.path.relpath(path, root))
        for pattern in ("*/*.cpp", "*/*.h")
        for path in sorted(glob.glob(os.path.join(root, "llvm-plugin", pattern)))
    }
    code = "\n".join(sources.values())

    # Options and passes.
    table = re.findall(r"^\| (`[^|]*`) \|", read("docs/options.md"), re.M)
    listed = {name for row in table for name in re.findall(r"`([^`]*)`", row)}
    options = {name.split("=")[0] for name in listed if name.startswith("-")}
    compare("the option", options, {"-" + name for name in re.findall(r'cl::opt<[^>]*>\s*\w+\(\s*"([^"]*)"', code)})
    registered = set(re.findall(r'Name [!=]= "(\w*<?pardiff[a-z-]*>?)"', code)) - PASSES_FOR_TESTS
    compare("the pass", {name for name in listed if not name.startswith("-")}, registered)

    # The report.
    written = set(re.findall(r'\{"([a-z_]+)",', sources["llvm-plugin/Support/Report.cpp"]))
    compare("the key", set(re.findall(r"`([a-z]+(?:_[a-z]+)*)`", read("docs/report.md"))) & written, written)

    # Files that are named.
    for page in ["README.md", "CONTRIBUTING.md", *glob.glob(os.path.join(root, "docs", "*.md"))]:
        text = read(page)
        for path in re.findall(r"`((?:scripts|include|docs|integration|bench|test|llvm-plugin|runtime)/[\w./-]+)`", text):
            if not os.path.exists(os.path.join(root, path)):
                problems.append("%s names %s, which is not there" % (os.path.basename(page), path))
        for path in re.findall(r"\]\(([\w./-]+)\)", text):
            if not os.path.exists(os.path.join(root, os.path.dirname(page), path)):
                problems.append("%s links to %s, which is not there" % (os.path.basename(page), path))

    # Reasons are one sentence each, and none is there twice.
    sentences = re.findall(r'PARDIFF_REASON\((\w+), "([^"]*)"\)', read("llvm-plugin/Support/Reasons.def"))
    texts = [text for _, text in sentences]
    for name, text in sentences:
        if texts.count(text) > 1 or text.endswith("."):
            problems.append("the sentence of %s" % name)
        if "(Enumerator" not in text and not re.search(r"\b%s\b" % name, code):
            if name != "Enumerator":
                problems.append("nobody refuses by %s" % name)
    # Each of them is explained, in its own words.
    chapter = re.sub(r"\s+", " ", read("docs/diagnostics.md"))
    explained = re.findall(r"- \*\*((?:(?!\*\*).)*)\*\* \((\w+)\)\. (?=\S)", chapter)
    reasons = {(text, name) for name, text in sentences if name != "Enumerator"}
    compare("the reason", {"%s: %s" % (name, text) for text, name in explained}, {"%s: %s" % (name, text) for text, name in reasons})

    # Behaviours have tests.
    for number, files in re.findall(r"^\| (\d+) \|.*\|([^|]*)\|$", read("docs/behaviours.md"), re.M):
        if not re.search(r"`test/|not here", files):
            problems.append("behaviour %s has no test" % number)
    print("\n".join(problems))
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
