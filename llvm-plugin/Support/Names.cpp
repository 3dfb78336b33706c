//===- Support/Names.cpp - Names as the user wrote them -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support/Names.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"

using namespace llvm;

/// _QMkernelPsq -> kernel::sq. Upper-case letters separate: M module, S
/// submodule, F host procedure, P procedure, E variable.
static std::string demangleFortran(StringRef Name) {
  std::string Text;
  for (char C : Name.drop_front(2)) {
    if (C < 'A' || C > 'Z')
      Text += C;
    else if (!Text.empty())
      Text += "::";
  }
  return Text;
}

/// pardiff.nest.pardiff.primal.f.3 -> f
static StringRef stripGenerated(StringRef Name) {
  if (!Name.starts_with("pardiff."))
    return Name;
  while (Name.consume_front("pardiff."))
    Name = Name.split('.').second;
  StringRef Stem = Name.rtrim("0123456789");
  return Stem.size() != Name.size() && Stem.ends_with(".") ? Stem.drop_back()
                                                           : Name;
}

static std::string makeReadable(StringRef Name) {
  if (Name == "_QQmain")
    return "the main program";
  if (Name.starts_with("_Q") && !Name.starts_with("_QQ"))
    return demangleFortran(Name);
  return demangle(Name);
}

std::string pardiff::getReadableName(const GlobalValue &G) {
  return makeReadable(stripGenerated(G.getName()));
}

std::string pardiff::getReadableName(const DISubprogram &P) {
  return P.getLinkageName().empty() ? P.getName().str()
                                    : makeReadable(P.getLinkageName());
}

std::string pardiff::getSourceFile(const Module &M) {
  if (M.getSourceFileName() != "FIRModule")
    return M.getSourceFileName();
  for (const DICompileUnit *Unit : M.debug_compile_units())
    return Unit->getFilename().str();
  for (const Function &F : M)
    if (!F.isDeclaration())
      return "FIRModule." + F.getName().str();
  return "FIRModule";
}
