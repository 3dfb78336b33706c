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

std::string pardiff::getReadableName(const GlobalValue &G) {
  StringRef Name = G.getName();
  if (Name == "_QQmain")
    return "the main program";
  if (Name.starts_with("_Q") && !Name.starts_with("_QQ"))
    return demangleFortran(Name);
  return demangle(Name);
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
