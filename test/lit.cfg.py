# -*- Python -*-
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The substitutions of the ParDiff tests:
#
#   %opt           opt with the plugin loaded
#   %clang         clang with the plugin loaded, include/ and test/Inputs on the include path
#   %clangxx       the same for C++
#   %flang         flang with the plugin loaded
#   %plain-clang   clang without the plugin
#   %plain-flang   flang without the plugin
#   %plain-opt     opt without the plugin
#   %check-levels  compiles a C file that uses Inputs/check.h at -O0 to -O3, serial and
#                  with OpenMP, and runs it (Inputs/check-levels.py says what it takes)
#   %FileCheck %not %python %cmake
#   %plugin        the plugin
#   %include       -I for include/ and test/Inputs
#   %src           the folder test/
#   %root          the root of the source tree
#   %llvm-tools    the folder of LLVM's tools
#
# A tool that is not there is an error, so no test can vanish for lack of it.

import os

import lit.formats

config.name = "ParDiff"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ll", ".c", ".cpp", ".f90", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.pardiff_obj_root, "test")

# What changes the behaviour of a program under test is not taken from the user's shell.
config.environment["LC_ALL"] = "C"
config.environment["OMP_NUM_THREADS"] = "2"
config.environment["PARDIFF_BUILD"] = config.pardiff_obj_root

inputs = os.path.join(config.test_source_root, "Inputs")
include = "-I%s -I%s" % (os.path.join(config.pardiff_src_root, "include"), inputs)
load = "-fpass-plugin=" + config.pardiff_plugin
check_levels = " ".join(
    [
        config.python,
        os.path.join(inputs, "check-levels.py"),
        "--clang=" + config.clang,
        "--plugin=" + config.pardiff_plugin,
        "--include=" + os.path.join(config.pardiff_src_root, "include"),
        "--work=%t.levels",
    ]
)

for name, text in [
    ("opt", config.opt + " -load-pass-plugin=" + config.pardiff_plugin),
    ("clangxx", "%s %s %s" % (config.clangxx, load, include)),
    ("clang", "%s %s %s" % (config.clang, load, include)),
    ("flang", "%s %s" % (config.flang, load)),
    ("plain-clang", "%s %s" % (config.clang, include)),
    ("plain-flang", config.flang),
    ("plain-opt", config.opt),
    ("check-levels", check_levels),
    ("FileCheck", config.filecheck),
    ("not", config.not_tool),
    ("python", config.python),
    ("cmake", config.cmake),
    ("plugin", config.pardiff_plugin),
    ("include", include),
    ("src", config.test_source_root),
    ("root", config.pardiff_src_root),
    ("llvm-tools", config.llvm_tools_dir),
]:
    config.substitutions.append((r"%" + name + r"(?![\w-])", text))
