//===- Flow/Globals.cpp - Shadows of global variables ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A global variable that the module may write has a shadow variable. It is zero
// whenever no gradient runs, and belongs to this module: what another module
// writes into the variable does not depend on the arguments of a gradient here,
// because all that a gradient calls is differentiated here. Gradients that run
// at the same time in several threads share the shadow as they share the
// variable.
//
//===----------------------------------------------------------------------===//

#include "Flow/Globals.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace pardiff;

static constexpr StringLiteral Prefix = "pardiff.shadow.";

/// True if a use of the address U may write values that matter through it.
static bool mayWrite(const Use &U) {
  const User *I = U.getUser();
  if (isa<LoadInst, CmpInst>(I))
    return false;
  if (auto *Store = dyn_cast<StoreInst>(I))
    return U.getOperandNo() == 0 ||
           !Store->getValueOperand()->getType()->isIntOrIntVectorTy();
  if (auto *Call = dyn_cast<CallBase>(I))
    return !Call->isArgOperand(&U) ||
           !(Call->onlyReadsMemory(Call->getArgOperandNo(&U)) &&
             Call->doesNotCapture(Call->getArgOperandNo(&U)));
  if (isa<GEPOperator>(I) || isa<BitCastOperator>(I))
    return any_of(I->uses(), mayWrite);
  return true;
}

/// True if the initial value of G leads to an active variable.
static bool pointsToActive(const GlobalVariable &G,
                           SmallPtrSetImpl<const GlobalVariable *> &Seen);

static bool isActive(const GlobalVariable &G,
                     SmallPtrSetImpl<const GlobalVariable *> &Seen) {
  if (G.isThreadLocal() || G.getName().starts_with("pardiff.") ||
      !Seen.insert(&G).second)
    return false;
  return (!G.isConstant() && any_of(G.uses(), mayWrite)) ||
         pointsToActive(G, Seen);
}

static bool pointsToActive(const GlobalVariable &G,
                           SmallPtrSetImpl<const GlobalVariable *> &Seen) {
  if (!G.hasInitializer())
    return false;
  SmallVector<const Constant *, 8> Work = {G.getInitializer()};
  SmallPtrSet<const Constant *, 8> Visited;
  while (!Work.empty()) {
    const Constant *C = Work.pop_back_val();
    if (auto *Other = dyn_cast<GlobalVariable>(C)) {
      if (isActive(*Other, Seen))
        return true;
    } else if (!isa<Function>(C) && Visited.insert(C).second) {
      for (const Use &U : C->operands())
        Work.push_back(cast<Constant>(U));
    }
  }
  return false;
}

bool pardiff::isActiveGlobal(const GlobalVariable &G) {
  SmallPtrSet<const GlobalVariable *, 8> Seen;
  return isActive(G, Seen);
}

bool pardiff::isGlobalShadow(const Value &Address) {
  auto *G = dyn_cast<GlobalVariable>(Address.stripInBoundsOffsets());
  return G && G->getName().starts_with(Prefix);
}

bool pardiff::mayPointAnywhere(const GlobalVariable &G) {
  return !G.hasInitializer() || (!G.isConstant() && !G.hasLocalLinkage());
}

static GlobalVariable &getShadowVariable(const GlobalVariable &G);

/// What the shadow holds at first: the shadows of pointers, and zero.
static Constant *getShadowInit(Constant *Init) {
  Type *Ty = Init->getType();
  if (Ty->isPointerTy()) {
    Constant *Shadow = getGlobalShadow(*Init);
    return Shadow ? Shadow : Constant::getNullValue(Ty);
  }
  if (!isa<ConstantAggregate>(Init))
    return Constant::getNullValue(Ty);
  SmallVector<Constant *, 8> Fields;
  for (Use &U : Init->operands())
    Fields.push_back(getShadowInit(cast<Constant>(U)));
  if (auto *Struct = dyn_cast<StructType>(Ty))
    return ConstantStruct::get(Struct, Fields);
  if (auto *Array = dyn_cast<ArrayType>(Ty))
    return ConstantArray::get(Array, Fields);
  return ConstantVector::get(Fields);
}

static GlobalVariable &getShadowVariable(const GlobalVariable &G) {
  Module &M = *const_cast<Module *>(G.getParent());
  std::string Name = (Prefix + G.getName()).str();
  if (GlobalVariable *Shadow = M.getNamedGlobal(Name))
    return *Shadow;
  Type *Ty = G.getValueType();
  auto *Shadow = new GlobalVariable(M, Ty, /*isConstant=*/false,
                                    GlobalValue::InternalLinkage,
                                    Constant::getNullValue(Ty), Name);
  Shadow->setAlignment(G.getAlign());
  if (G.hasInitializer())
    Shadow->setInitializer(
        getShadowInit(const_cast<Constant *>(G.getInitializer())));
  return *Shadow;
}

Constant *pardiff::getGlobalShadow(const Constant &Address) {
  if (!Address.getType()->isPointerTy())
    return nullptr;
  // The data layout comes from the variable itself.
  auto *G = dyn_cast<GlobalVariable>(Address.stripInBoundsOffsets());
  if (!G)
    return nullptr;
  const DataLayout &DL = G->getDataLayout();
  APInt Offset(DL.getIndexTypeSizeInBits(Address.getType()), 0);
  const Value *Base = Address.stripAndAccumulateConstantOffsets(
      DL, Offset, /*AllowNonInbounds=*/true);
  if (Base != G || !isActiveGlobal(*G))
    return nullptr;
  Constant *Shadow = &getShadowVariable(*G);
  if (Offset.isZero())
    return Shadow;
  LLVMContext &C = G->getContext();
  return ConstantExpr::getGetElementPtr(Type::getInt8Ty(C), Shadow,
                                        ConstantInt::get(C, Offset));
}

static bool holdsPointers(const Type *Ty) {
  return Ty->isPtrOrPtrVectorTy() ||
         any_of(Ty->subtypes(), [](Type *T) { return holdsPointers(T); });
}

/// Sets to zero what is no pointer in memory of type Ty at P.
static void emitZeros(Type *Ty, Value *P, IRBuilder<> &B) {
  const DataLayout &DL = B.GetInsertBlock()->getDataLayout();
  if (!holdsPointers(Ty)) {
    B.CreateMemSet(P, B.getInt8(0), DL.getTypeAllocSize(Ty), MaybeAlign());
  } else if (auto *Struct = dyn_cast<StructType>(Ty)) {
    for (unsigned I = 0; I != Struct->getNumElements(); ++I)
      emitZeros(Struct->getElementType(I), B.CreateStructGEP(Ty, P, I), B);
  } else if (auto *Array = dyn_cast<ArrayType>(Ty);
             Array && !Array->getElementType()->isPtrOrPtrVectorTy()) {
    auto [Body, Index] = SplitBlockAndInsertSimpleForLoop(
        B.getInt64(Array->getNumElements()), B.GetInsertPoint());
    Instruction *Behind = &*B.GetInsertPoint();
    B.SetInsertPoint(Body);
    emitZeros(Array->getElementType(),
              B.CreateInBoundsGEP(Array->getElementType(), P, Index), B);
    B.SetInsertPoint(Behind);
  }
}

/// A function that resets a shadow in which pointers are: they stay.
static Function &getReset(GlobalVariable &Shadow) {
  Module &M = *Shadow.getParent();
  std::string Name =
      ("pardiff.reset." + Shadow.getName().drop_front(Prefix.size())).str();
  if (Function *F = M.getFunction(Name))
    return *F;
  LLVMContext &C = M.getContext();
  auto *F = Function::Create(FunctionType::get(Type::getVoidTy(C), false),
                             GlobalValue::InternalLinkage, Name, M);
  F->addFnAttr(Attribute::NoUnwind);
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  B.SetInsertPoint(B.CreateRetVoid());
  emitZeros(Shadow.getValueType(), &Shadow, B);
  return *F;
}

static bool holdsFloats(const Type *Ty) {
  return Ty->isFPOrFPVectorTy() ||
         any_of(Ty->subtypes(), [](Type *T) { return holdsFloats(T); });
}

void pardiff::resetGlobalShadows(Instruction *End) {
  Module &M = *End->getModule();
  IRBuilder<> B(End);
  for (GlobalVariable &G : M.globals()) {
    if (!G.getName().starts_with(Prefix))
      continue;
    Type *Ty = G.getValueType();
    if (!holdsPointers(Ty))
      B.CreateMemSet(&G, B.getInt8(0), M.getDataLayout().getTypeAllocSize(Ty),
                     G.getAlign());
    else if (holdsFloats(Ty))
      B.CreateCall(&getReset(G));
  }
}
