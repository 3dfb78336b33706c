//===- Nest/PendingBody.cpp - A body that is being written ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nest/PendingBody.h"
#include "Body/Body.h"
#include "Support/IslUtils.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace pardiff;

PendingBody::PendingBody(LLVMContext &C) : BB(BasicBlock::Create(C, "entry")) {}

PendingBody::~PendingBody() {
  if (!BB || BB->getParent())
    return;
  BB->dropAllReferences();
  delete BB;
}

Argument *PendingBody::addArgument(SmallVectorImpl<Argument *> &Group,
                                   Type *Ty) {
  Owned.push_back(std::make_unique<Argument>(Ty));
  Group.push_back(Owned.back().get());
  return Group.back();
}

Argument *PendingBody::getParam(unsigned Index, Type *Ty) {
  Argument *&A = Params[Index];
  if (!A) {
    Owned.push_back(std::make_unique<Argument>(Ty));
    A = Owned.back().get();
  }
  return A;
}

int PendingBody::addGuard(Value *V) {
  if (!V || match(V, PatternMatch::m_One()))
    return -1;
  for (auto [I, G] : enumerate(Guards))
    if (G == V)
      return I;
  Guards.push_back(V);
  return Guards.size() - 1;
}

void PendingBody::finish(Nest &N, Statement &S) {
  if (Guards.empty()) {
    S.Body = finish(N, S.Name);
    return;
  }
  // One function for all, which is taken apart.
  unsigned NumWrites = Results.size();
  Results.append(Guards);
  Function *All = finish(N, S.Name + ".all");
  All->setDoesNotAccessMemory();
  S.Body = selectResults(*All, to_vector(seq<unsigned>(0, NumWrites)));
  SmallVector<Function *, 2> Functions;
  for (unsigned I = 0; I < Guards.size(); ++I) {
    Function *F = selectResults(*All, {NumWrites + I});
    F->setName(S.Name + ".guard." + Twine(I));
    if (match(getResult(*F, 0), PatternMatch::m_One())) {
      F->eraseFromParent();
      F = nullptr;
    }
    Functions.push_back(F);
  }
  All->eraseFromParent();
  BB = nullptr;
  S.Body->setName(S.Name);
  for (auto [A, I] : zip(S.Reads, ReadGuards))
    A.Guard = I < 0 ? nullptr : Functions[I];
  for (auto [A, I] : zip(S.Writes, WriteGuards))
    A.Guard = I < 0 ? nullptr : Functions[I];
}

Function *PendingBody::finish(Nest &N, StringRef Name) {
  LLVMContext &C = N.Bodies->getContext();
  Type *I64 = Type::getInt64Ty(C);
  SmallVector<Type *, 16> ArgTypes, ResultTypes;
  for (Argument *A : Reads)
    ArgTypes.push_back(A->getType());
  ArgTypes.append(Iterators.size() + N.Params.size(), I64);
  for (Value *V : Results)
    ResultTypes.push_back(V->getType());
  auto *ResultTy = StructType::get(C, ResultTypes);

  Function *F =
      Function::Create(FunctionType::get(ResultTy, ArgTypes, false),
                       GlobalValue::InternalLinkage, Name, N.Bodies.get());
  F->setDoesNotThrow();
  F->addFnAttr(Attribute::WillReturn);
  auto Replace = [&](Argument *Old, unsigned Index, const Twine &Name) {
    F->getArg(Index)->setName(Name);
    if (!Old)
      return;
    for (Value *&V : Results)
      if (V == Old)
        V = F->getArg(Index);
    Old->replaceAllUsesWith(F->getArg(Index));
  };
  unsigned Index = 0;
  for (unsigned I = 0; I < Reads.size(); ++I)
    Replace(Reads[I], Index++, "r" + Twine(I));
  for (unsigned I = 0; I < Iterators.size(); ++I)
    Replace(Iterators[I], Index++, "i" + Twine(I));
  for (unsigned I = 0; I < N.Params.size(); ++I)
    Replace(Params.lookup(I), Index++, nameOf(N.Params[I].Id));

  BB->insertInto(F);
  IRBuilder<> B(BB);
  Value *Result = PoisonValue::get(ResultTy);
  for (unsigned I = 0; I < Results.size(); ++I)
    Result = B.CreateInsertValue(Result, Results[I], I);
  B.CreateRet(Result);
  return F;
}
