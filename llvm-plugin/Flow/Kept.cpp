//===- Flow/Kept.cpp - What is kept and what is computed again ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// While the reverse sweep is emitted, a value of the forward sweep that it
// needs is a placeholder. When all of them are known, each is found again, in
// this order, as
//   - itself: constants, parameters, allocas of the entry block
//   - its cell (Records.h), if it is one of those that are kept
//   - an induction variable: start + step * (iteration that is being reversed)
//   - loaded again, if nothing in the function may ever write to that memory
//   - computed again from its operands, if that is arithmetic without calls
//
// Which ones are kept is the cheapest cut between what can only be kept and
// what is needed; the cost of a value is its size, times a large factor for
// each loop around it. Of several such cuts it is the one that has the least to
// compute again. What is computed again does not decide anything (a comparison,
// an index) unless it is sure to be the same to the last bit.
//
//===----------------------------------------------------------------------===//

#include "Flow/NodeCut.h"
#include "Flow/ReverseSweep.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace pardiff;

/// The cost of a byte in a loop over that of one outside of it, as a shift.
static constexpr unsigned LoopFactor = 5, MaxLoopDepth = 8;
/// Work for one function that is worth it.
static constexpr uint64_t MaxSteps = 20'000'000;

/// Integer and address arithmetic, comparisons, conversions.
static bool isCheap(const Instruction &I) {
  if (isa<CastInst, GetElementPtrInst, CmpInst, ExtractElementInst>(I) ||
      I.getOpcode() == Instruction::FNeg)
    return true;
  if (isa<SelectInst>(I))
    return !I.getType()->isFPOrFPVectorTy();
  return isa<BinaryOperator>(I) && I.getType()->isIntOrIntVectorTy();
}

/// Floating-point operations that take about as long as loading their result.
static bool isArithmetic(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FDiv:
  case Instruction::Select:
  case Instruction::InsertElement:
  case Instruction::ShuffleVector:
    return true;
  default:
    break;
  }
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  if (!Call)
    return false;
  switch (Call->getIntrinsicID()) {
  case Intrinsic::fabs:
  case Intrinsic::copysign:
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
  case Intrinsic::sqrt:
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
  case Intrinsic::minimum:
  case Intrinsic::maximum:
    return true;
  default:
    return false;
  }
}

/// True if I may give another result when it is compiled a second time.
static bool isInexact(const Instruction &I) {
  if (auto *Call = dyn_cast<IntrinsicInst>(&I);
      Call && Call->getIntrinsicID() == Intrinsic::fmuladd)
    return true;
  auto *Op = dyn_cast<FPMathOperator>(&I);
  return Op && (Op->hasAllowReassoc() || Op->hasAllowContract() ||
                Op->hasAllowReciprocal() || Op->hasApproxFunc());
}

/// The derivative of a root is another one at zero, and there is none below.
static bool isRoot(const Instruction &I) {
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  return Call && Call->getIntrinsicID() == Intrinsic::sqrt;
}

bool ReverseSweep::isAvailable(const Value *V) const {
  auto *I = dyn_cast<Instruction>(V);
  return !I || (isa<AllocaInst>(I) && I->getParent() == &F.getEntryBlock());
}

Value *ReverseSweep::getValue(Value *V) {
  if (isAvailable(V))
    return V;
  Value *&Known = Here[V];
  if (!Known) {
    auto *Wanted = new FreezeInst(PoisonValue::get(V->getType()));
    B.Insert(Wanted, V->getName());
    Placeholders[Wanted] = V;
    Known = Wanted;
  }
  return Known;
}

/// The values that I can be computed from; false if it can only be kept.
bool ReverseSweep::canCompute(Instruction &I, SmallVectorImpl<Value *> &From) {
  if (auto *Phi = dyn_cast<PHINode>(&I)) {
    if (!isInduction(*Phi))
      return false;
    From.push_back(Phi->getIncomingValueForBlock(
        LI.getLoopFor(Phi->getParent())->getLoopPreheader()));
    return true;
  }
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    if (!isReloadable(*Load))
      return false;
    From.push_back(Load->getPointerOperand());
    return true;
  }
  // Outside of loops values are kept for nothing, unless it is in a frame.
  if (!isCheap(I) &&
      !(isArithmetic(I) && (R.IsSplit || LI.getLoopFor(I.getParent()))))
    return false;
  if (auto *Call = dyn_cast<CallBase>(&I))
    append_range(From, Call->args());
  else
    append_range(From, I.operands());
  return true;
}

uint64_t ReverseSweep::getWeight(const Value &V) const {
  uint64_t Bytes = F.getDataLayout().getTypeAllocSize(V.getType());
  unsigned Depth = 0;
  if (auto *I = dyn_cast<Instruction>(&V))
    Depth = LI.getLoopDepth(I->getParent());
  if (!Depth && !R.IsSplit)
    return 1;
  return (Bytes * 2) << (LoopFactor * std::min(Depth, MaxLoopDepth));
}

void ReverseSweep::chooseKept() {
  // All values that matter, operands in front of users.
  MapVector<Value *, SmallVector<Value *, 2>> Graph;
  SmallPtrSet<Value *, 32> Leaves, Seen, Inexact, IsNeeded;
  SmallVector<Value *, 32> Needed, Stack;
  for (auto [Placeholder, V] : Placeholders)
    if (V && IsNeeded.insert(V).second)
      Needed.push_back(V);
  DenseMap<Value *, SmallVector<Value *, 2>> From;
  append_range(Stack, Needed);
  while (!Stack.empty()) {
    Value *V = Stack.back();
    if (Graph.count(V)) {
      Stack.pop_back();
      continue;
    }
    auto *I = dyn_cast<Instruction>(V);
    if (Seen.insert(V).second && I) {
      SmallVector<Value *, 2> Operands;
      if (!canCompute(*I, Operands))
        Leaves.insert(V);
      for (Value *Operand : Operands)
        if (!isAvailable(Operand) || (R.IsSplit && isa<Argument>(Operand))) {
          From[V].push_back(Operand);
          if (!Graph.count(Operand))
            Stack.push_back(Operand);
        }
      if (Stack.back() != V)
        continue;
    }
    Stack.pop_back();
    if (I && !Leaves.count(V)) {
      bool IsExact = !isInexact(*I) && none_of(From[V], [&](Value *Operand) {
        return Inexact.count(Operand);
      });
      if (!IsExact && I->getType()->isFPOrFPVectorTy() && !isRoot(*I))
        Inexact.insert(V);
      else if (!IsExact)
        Leaves.insert(V);
    }
    Graph[V] = Leaves.count(V) ? SmallVector<Value *, 2>() : From[V];
  }

  NodeCut Cut;
  DenseMap<Value *, unsigned> Nodes;
  for (auto &[V, Operands] : Graph) {
    unsigned Node = Nodes[V] = Cut.addNode(getWeight(*V));
    if (Leaves.count(V) || isa<Argument>(V))
      Cut.addSource(Node);
    for (Value *Operand : Operands)
      Cut.addEdge(Nodes.lookup(Operand), Node);
  }
  for (Value *V : Needed)
    Cut.addSink(Nodes.lookup(V));
  auto Found = Cut.find(MaxSteps);
  for (auto &[V, Operands] : Graph) {
    auto *I = dyn_cast<Instruction>(V);
    if (!I)
      continue;
    bool IsKept = Found ? (*Found)[Nodes.lookup(V)]
                        : IsNeeded.contains(V) && !isCheap(*I);
    if (Leaves.count(V) || IsKept)
      Kept.insert(V);
  }
}

/// V at B, where the operands that it is computed from are Here.
Value *ReverseSweep::emitAgain(Instruction &I) {
  if (Kept.contains(&I)) {
    AllocaInst *&Cell = Cells[&I];
    if (!Cell) {
      Cell = Tape.createCell(I.getType(), LI.getLoopFor(I.getParent()),
                             I.getName() + ".kept");
      Tape.setValue(Cell, I);
    }
    return B.CreateLoad(I.getType(), Cell);
  }
  auto Get = [&](Value *V) { return isAvailable(V) ? V : Here.lookup(V); };
  if (auto *Phi = dyn_cast<PHINode>(&I))
    return getInduction(
        *Phi, Get(Phi->getIncomingValueForBlock(
                  LI.getLoopFor(Phi->getParent())->getLoopPreheader())));
  Instruction *Copy = I.clone();
  for (Use &Operand : Copy->operands())
    Operand.set(Get(Operand.get()));
  // Facts about the forward sweep's place need not hold here.
  Copy->dropUnknownNonDebugMetadata();
  B.Insert(Copy, I.getName());
  return Copy;
}

/// The value of the forward sweep V at B.
Value *ReverseSweep::findAgain(Value *V) {
  SmallVector<Value *, 16> Stack = {V};
  while (!Stack.empty()) {
    auto *I = cast<Instruction>(Stack.back());
    if (Here.count(I)) {
      Stack.pop_back();
      continue;
    }
    SmallVector<Value *, 2> From;
    if (!Kept.contains(I))
      canCompute(*I, From);
    size_t Before = Stack.size();
    for (Value *Operand : From)
      if (!isAvailable(Operand) && !Here.count(Operand))
        Stack.push_back(Operand);
    if (Stack.size() == Before) {
      Here[I] = emitAgain(*I);
      Stack.pop_back();
    }
  }
  return Here.lookup(V);
}

void ReverseSweep::fillPlaceholders(Value *&Primal) {
  SmallSetVector<BasicBlock *, 16> Places;
  for (auto [Placeholder, V] : Placeholders)
    Places.insert(Placeholder->getParent());
  // What was emitted and is not used needs nothing; what the function is to
  // return stands in the last block and is not used yet.
  for (BasicBlock *Place : Places)
    for (Instruction &I : make_early_inc_range(reverse(*Place))) {
      auto *Placeholder = dyn_cast<FreezeInst>(&I);
      if (Place == Exit || !isInstructionTriviallyDead(&I) ||
          (Placeholder && !Placeholders.count(Placeholder)))
        continue;
      if (Placeholder)
        Placeholders[Placeholder] = nullptr;
      I.eraseFromParent();
    }
  chooseKept();
  for (BasicBlock *Place : Places) {
    Here.clear();
    for (Instruction &I : make_early_inc_range(*Place)) {
      auto *Placeholder = dyn_cast<FreezeInst>(&I);
      Value *V = Placeholder ? Placeholders.lookup(Placeholder) : nullptr;
      if (!V)
        continue;
      B.SetInsertPoint(Placeholder);
      B.SetCurrentDebugLocation(Placeholder->getDebugLoc());
      Value *Found = findAgain(V);
      if (Primal == Placeholder)
        Primal = Found;
      Placeholder->replaceAllUsesWith(Found);
      Placeholder->eraseFromParent();
    }
  }
}
