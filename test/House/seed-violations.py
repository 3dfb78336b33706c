#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Write a small source tree with one violation of each rule of check-sources.py.

  seed-violations.py ROOT
"""

import os
import sys

SPDX = "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"
FILES = {
    # Allowed, beside what is not.
    "llvm-plugin/Nest/Good.cpp": SPDX + '#include "Body/Body.h"\n#include "polly/ScopInfo.h"\n',
    "llvm-plugin/Emit/Good.cpp": SPDX + '#include "Nest/Program.h"\n#include "llvm/Frontend/OpenMP/OMPIRBuilder.h"\n',
    "llvm-plugin/Driver/Good.cpp": SPDX + '#include "Contract/Gradient.h"\n#include "llvm/IR/Module.h"\n',
    "test/input.c": "// a test begins with what it tests\n",
    # Violations.
    "llvm-plugin/Body/Up.cpp": SPDX + '#include "Rules/Rules.h"\n#include "Nest/Program.h"\n'
    + '#  include "llvm/Frontend/OpenMP/OMPIRBuilder.h"\n',
    "llvm-plugin/Driver/Relative.cpp": SPDX + '#include "../Nest/Program.h"\n',
    "llvm-plugin/Emit/Polly.cpp": SPDX + '#include "isl/ast.h"\n#include <polly/ScopInfo.h>\n',
    "llvm-plugin/Nest/Long.cpp": SPDX + "\n" * 800,
    "llvm-plugin/Nest/NoLicense.h": "\n",
    "llvm-plugin/Odd/New.cpp": SPDX,
    "llvm-plugin/Request/Sideways.cpp": SPDX + '#include "Prepare/Prepare.h"\n',
    "llvm-plugin/Prepare/One.cpp": SPDX + '#include "polly/CodePreparation.h"\n',
    "llvm-plugin/Prepare/Two.cpp": SPDX + '#include "polly/CodePreparation.h"\n',
    "scripts/tool": "#!/bin/bash\n",
    "test/tool.py": "#!/usr/bin/env python3\n",
}

for path, text in FILES.items():
    full = os.path.join(sys.argv[1], path)
    os.makedirs(os.path.dirname(full), exist_ok=True)
    with open(full, "w") as file:
        file.write(text)
