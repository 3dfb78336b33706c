//===- Prepare/HoistDescriptors.cpp - Loads of sizes and pointers move to the
// entry block ===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   struct S { long n; double *a, *c; };   for (i < s->n) s->c[i] = s->a[i];
//
// Integers and pointers that are loaded from memory which the function has not
// written before (fields of structs, the parts of a std::vector or of a Fortran
// descriptor, globals) are loaded in the entry block, together with the
// arithmetic of their addresses. They are then parameters and bases of arrays
// for Polly. (Polly could hoist such loads itself, but assumes then that two
// pointers loaded from one object are different.)
//
// Conditions for a load: simple; MemorySSA finds no write between the entry of
// the function and the load; its address is made of values of the entry block.
// A load that is not executed in every run loads from a dummy instead where the
// branches that lead to it are not taken, so no run accesses memory that it did
// not access before:
//
//   %p.safe = select i1 %c, ptr %p, ptr %dummy
//
// for which the conditions of these branches must be known in the entry block.
//
//===----------------------------------------------------------------------===//

#include "Prepare/Passes.h"
#include "Prepare/Prepare.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/Loads.h"
#include "llvm/Analysis/MemorySSA.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace pardiff;

namespace {

class DescriptorHoister {
public:
  DescriptorHoister(Function &F, FunctionAnalysisManager &FAM)
      : F(F), DT(FAM.getResult<DominatorTreeAnalysis>(F)),
        PDT(FAM.getResult<PostDominatorTreeAnalysis>(F)),
        AC(FAM.getResult<AssumptionAnalysis>(F)),
        MSSA(FAM.getResult<MemorySSAAnalysis>(F).getMSSA()),
        Walker(MSSA.getWalker()) {}
  bool run();

private:
  bool isAvailable(Value *V);
  bool decide(Instruction &I);
  bool isCandidate(LoadInst &Load);
  bool findGuards(BasicBlock *BB,
                  SmallVectorImpl<std::pair<Value *, bool>> &Guards);
  void hoist(Value *V);
  void hoistLoad(LoadInst &Load);
  Constant *getDummy();

  Function &F;
  DominatorTree &DT;
  PostDominatorTree &PDT;
  AssumptionCache &AC;
  MemorySSA &MSSA;
  MemorySSAWalker *Walker;
  DenseMap<Instruction *, bool> Available; ///< decided
  DenseMap<LoadInst *, SmallVector<std::pair<Value *, bool>, 2>> GuardsOf;
};

} // namespace

/// True if V can be computed in the entry block.
bool DescriptorHoister::isAvailable(Value *V) {
  if (isInEntryBlock(V))
    return true;
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return false;
  auto [It, IsNew] = Available.insert({I, false}); // false while it is decided
  if (!IsNew)
    return It->second;
  bool Result = decide(*I);
  return Available[I] = Result;
}

bool DescriptorHoister::decide(Instruction &I) {
  if (isa<PHINode>(I) || isa<AllocaInst>(I) || !I.getType()->isIntOrPtrTy())
    return false;
  if (any_of(I.operands(), [&](Value *Op) {
        return Op->getType()->isFPOrFPVectorTy() || !isAvailable(Op);
      }))
    return false;
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return isCandidate(*Load);
  return !I.mayReadOrWriteMemory() && isSafeToSpeculativelyExecute(&I);
}

bool DescriptorHoister::isCandidate(LoadInst &Load) {
  TypeSize Size = F.getDataLayout().getTypeStoreSize(Load.getType());
  if (!Load.isSimple() || Size.getFixedValue() > 16 ||
      !MSSA.getMemoryAccess(&Load))
    return false;
  if (!MSSA.isLiveOnEntryDef(Walker->getClobberingMemoryAccess(&Load)))
    return false;
  // Memory that is there in any case needs no guard.
  if (isDereferenceableAndAlignedPointer(
          Load.getPointerOperand(), Load.getType(), Load.getAlign(),
          F.getDataLayout(), F.getEntryBlock().getTerminator(), &AC, &DT))
    return true;
  SmallVector<std::pair<Value *, bool>, 2> Guards;
  if (!findGuards(Load.getParent(), Guards))
    return false;
  GuardsOf[&Load] = std::move(Guards);
  return true;
}

/// The conditions under which BB is executed at least once, each with the value
/// that it must have. False if one of them is not known in the entry block.
bool DescriptorHoister::findGuards(
    BasicBlock *BB, SmallVectorImpl<std::pair<Value *, bool>> &Guards) {
  while (!BB->isEntryBlock()) {
    auto *Node = DT.getNode(BB);
    if (!Node)
      return false;
    BasicBlock *Dom = Node->getIDom()->getBlock();
    if (!PDT.dominates(BB, Dom)) {
      auto *Br = dyn_cast<BranchInst>(Dom->getTerminator());
      if (!Br || !Br->isConditional() || isa<FCmpInst>(Br->getCondition()) ||
          !isAvailable(Br->getCondition()))
        return false;
      unsigned S = 0;
      for (; S < 2; ++S) {
        BasicBlock *Succ = Br->getSuccessor(S);
        if (DT.dominates(BasicBlockEdge(Dom, Succ), BB) &&
            PDT.dominates(BB, Succ))
          break;
      }
      if (S == 2)
        return false;
      Guards.push_back({Br->getCondition(), S == 0});
    }
    BB = Dom;
  }
  return true;
}

/// Memory that can always be loaded from.
Constant *DescriptorHoister::getDummy() {
  Module &M = *F.getParent();
  Type *Ty = ArrayType::get(Type::getInt64Ty(M.getContext()), 2);
  if (GlobalVariable *G = M.getNamedGlobal(ZerosName))
    return G;
  auto *G = new GlobalVariable(M, Ty, /*isConstant=*/true,
                               GlobalValue::PrivateLinkage,
                               Constant::getNullValue(Ty), ZerosName);
  G->setAlignment(Align(16));
  return G;
}

void DescriptorHoister::hoistLoad(LoadInst &Load) {
  Instruction *At = F.getEntryBlock().getTerminator();
  IRBuilder<> B(At);
  Value *Runs = nullptr;
  SmallVector<std::pair<Value *, bool>, 2> Guards = GuardsOf.lookup(&Load);
  for (auto [Cond, IsTrue] : reverse(Guards)) {
    hoist(Cond);
    Value *C = IsTrue ? Cond : B.CreateNot(Cond);
    Runs = Runs ? B.CreateLogicalAnd(Runs, C) : C;
  }
  AAMDNodes AA = Load.getAAMetadata();
  Load.moveBefore(At->getIterator());
  Load.dropUBImplyingAttrsAndMetadata();
  Load.setAAMetadata(AA);
  if (!Runs)
    return;
  B.SetInsertPoint(&Load);
  Load.setOperand(LoadInst::getPointerOperandIndex(),
                  B.CreateSelect(Runs, Load.getPointerOperand(), getDummy()));
}

/// Moves V, which is available, to the end of the entry block, operands first.
void DescriptorHoister::hoist(Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || I->getParent()->isEntryBlock())
    return;
  for (Value *Op : I->operands())
    hoist(Op);
  if (auto *Load = dyn_cast<LoadInst>(I))
    return hoistLoad(*Load);
  I->moveBefore(F.getEntryBlock().getTerminator()->getIterator());
  I->dropUBImplyingAttrsAndMetadata();
}

bool DescriptorHoister::run() {
  SmallVector<LoadInst *, 16> Work;
  ReversePostOrderTraversal<Function *> RPOT(&F);
  for (BasicBlock *BB : RPOT)
    if (!BB->isEntryBlock())
      for (Instruction &I : *BB)
        if (auto *Load = dyn_cast<LoadInst>(&I); Load && isAvailable(Load))
          Work.push_back(Load);
  // All decisions are made: the function changes only now.
  for (LoadInst *Load : Work)
    hoist(Load);
  return !Work.empty();
}

PreservedAnalyses HoistDescriptorsPass::run(Function &F,
                                            FunctionAnalysisManager &FAM) {
  return DescriptorHoister(F, FAM).run() ? PreservedAnalyses::none()
                                         : PreservedAnalyses::all();
}

Value *pardiff::getGuardedPointer(Value *V) {
  auto *Select = dyn_cast<SelectInst>(V);
  auto *Zeros =
      Select ? dyn_cast<GlobalVariable>(Select->getFalseValue()) : nullptr;
  return Zeros && Zeros->getName() == ZerosName ? Select->getTrueValue()
                                                : nullptr;
}

Value *pardiff::getRootObject(Value *V) {
  while (true) {
    V = getUnderlyingObject(V, /*MaxLookup=*/0);
    if (auto *Load = dyn_cast<LoadInst>(V))
      V = Load->getPointerOperand();
    else if (Value *Guarded = getGuardedPointer(V))
      V = Guarded;
    else
      return V;
  }
}
