//===- Support/TypeTags.cpp - The C type of an access ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support/TypeTags.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

std::optional<Type *> pardiff::getTypeByTBAA(const MDNode *Tag,
                                             LLVMContext &Context) {
  if (!Tag || Tag->getNumOperands() < 3)
    return std::nullopt;
  auto *Node = dyn_cast<MDNode>(Tag->getOperand(1));
  auto *Text = Node && Node->getNumOperands()
                   ? dyn_cast<MDString>(Node->getOperand(0))
                   : nullptr;
  if (!Text)
    return std::nullopt;
  // Names are those of clang.
  StringRef Name = Text->getString();
  Type *FloatTy = StringSwitch<Type *>(Name)
                      .Case("float", Type::getFloatTy(Context))
                      .Case("double", Type::getDoubleTy(Context))
                      .Cases({"_Float16", "__fp16"}, Type::getHalfTy(Context))
                      .Case("__bf16", Type::getBFloatTy(Context))
                      .Default(nullptr);
  if (FloatTy)
    return FloatTy;
  bool IsInteger = StringSwitch<bool>(Name)
                       .Cases({"int", "long", "short", "long long"}, true)
                       .Cases({"bool", "_Bool", "__int128"}, true)
                       .Cases({"any pointer", "vtable pointer"}, true)
                       .Case("descriptor member", true)
                       .Default(false);
  // Pointers by depth ("p1 int") and enumerations of C++.
  IsInteger |= Name.starts_with("_ZTS") ||
               (Name.size() > 2 && Name[0] == 'p' && isDigit(Name[1]));
  if (IsInteger)
    return nullptr;
  return std::nullopt;
}

MDNode *pardiff::getIntegerTag(LLVMContext &Context) {
  MDBuilder Metadata(Context);
  MDNode *Int = Metadata.createTBAAScalarTypeNode(
      "int", Metadata.createTBAARoot("pardiff"));
  return Metadata.createTBAAStructTagNode(Int, Int, 0);
}
