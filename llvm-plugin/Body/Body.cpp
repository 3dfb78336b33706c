//===- Body/Body.cpp - Take bodies apart and put them together ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything about bodies but their derivatives: their form, results, cleaning,
// cloning into other code and composition. All of it is one block of
// straight-line code, so no dominance or loop analysis is needed.
//
//===----------------------------------------------------------------------===//

#include "Body/Body.h"
#include "Rules/Rules.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace pardiff;

//===----------------------------------------------------------------------===//
// Form
//===----------------------------------------------------------------------===//

static ReturnInst *getReturn(const Function &Body) {
  return cast<ReturnInst>(
      const_cast<Instruction *>(Body.front().getTerminator()));
}

unsigned pardiff::getNumResults(const Function &Body) {
  return cast<StructType>(Body.getReturnType())->getNumElements();
}

/// Field of Aggregate, seen through its construction; null if that is unusual.
static Value *findField(Value *Aggregate, unsigned Field) {
  while (auto *Insert = dyn_cast<InsertValueInst>(Aggregate)) {
    if (Insert->getIndices().front() == Field)
      return Insert->getNumIndices() == 1 ? Insert->getInsertedValueOperand()
                                          : nullptr;
    Aggregate = Insert->getAggregateOperand();
  }
  if (auto *C = dyn_cast<Constant>(Aggregate))
    return C->getAggregateElement(Field);
  return nullptr;
}

Value *pardiff::getResult(Function &Body, unsigned Field) {
  ReturnInst *Ret = getReturn(Body);
  if (Value *V = findField(Ret->getReturnValue(), Field))
    return V;
  IRBuilder<> B(Ret);
  return B.CreateExtractValue(Ret->getReturnValue(), Field);
}

bool pardiff::isBody(const Function &F, raw_ostream *OS) {
  auto no = [&](const Twine &Why) {
    if (OS)
      *OS << F.getName() << ": " << Why << "\n";
    return false;
  };
  if (F.isDeclaration() || F.size() != 1)
    return no("a body is one block");
  auto *Ty = dyn_cast<StructType>(F.getReturnType());
  if (!Ty || !Ty->isLiteral())
    return no("a body returns a literal struct");
  if (!isa<ReturnInst>(F.front().getTerminator()))
    return no("a body ends in a return");
  for (const Instruction &I : F.front()) {
    auto *Call = dyn_cast<CallInst>(&I);
    if (I.mayThrow() && !Call)
      return no("a body cannot throw");
    if (I.mayReadOrWriteMemory() && !Call)
      return no("a body reads and writes no memory");
    if (Call && !Call->getCalledFunction())
      return no("a body calls known functions only");
  }
  return true;
}

bool pardiff::usesArgument(const Function &F, unsigned A) {
  return !F.getArg(A)->use_empty();
}

//===----------------------------------------------------------------------===//
// Cleaning
//===----------------------------------------------------------------------===//

namespace {

/// Finds an earlier instruction of a block that computes the same.
class ValueTable {
public:
  /// The instruction that I repeats, made fit to replace it; else null, and I
  /// is known from now on.
  Instruction *findOrAdd(Instruction &I) {
    if (!canShare(I))
      return nullptr;
    auto &Bucket = Buckets[hash(I)];
    for (Instruction *Earlier : Bucket) {
      if (!isSame(*Earlier, I))
        continue;
      if (auto *Call = dyn_cast<CallInst>(Earlier))
        if (!Call->tryIntersectAttributes(cast<CallInst>(&I)))
          continue;
      Earlier->andIRFlags(&I);
      return Earlier;
    }
    Bucket.push_back(&I);
    return nullptr;
  }

private:
  static bool canShare(const Instruction &I) {
    if (I.isTerminator() || I.mayHaveSideEffects() || I.mayReadFromMemory())
      return false;
    auto *Call = dyn_cast<CallInst>(&I);
    return !Call || (!Call->isConvergent() && !Call->hasOperandBundles());
  }

  static bool isSame(const Instruction &L, const Instruction &R) {
    if (L.isIdenticalToWhenDefined(&R, /*IntersectAttrs=*/true))
      return true;
    // The same operation with its first two operands exchanged.
    if (L.getOpcode() != R.getOpcode() || L.getType() != R.getType() ||
        !L.isCommutative() || L.getNumOperands() != R.getNumOperands() ||
        L.getOperand(0) != R.getOperand(1) ||
        L.getOperand(1) != R.getOperand(0))
      return false;
    if (isa<CmpInst>(L) &&
        cast<CmpInst>(L).getPredicate() != cast<CmpInst>(R).getPredicate())
      return false;
    for (unsigned Op = 2, E = L.getNumOperands(); Op != E; ++Op)
      if (L.getOperand(Op) != R.getOperand(Op))
        return false;
    return true;
  }

  /// Equal for instructions that are the same; decides over speed only, so that
  /// pointers may enter it.
  static size_t hash(const Instruction &I) {
    size_t Operands = 0;
    for (const Value *Op : I.operands())
      Operands += hash_value(Op);
    return hash_combine(I.getOpcode(), I.getType(), Operands);
  }

  DenseMap<size_t, SmallVector<Instruction *, 2>> Buckets;
};

} // namespace

/// A call in a body has no side effect, whatever its declaration says.
static void markPure(Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  if (!Call || isa<IntrinsicInst>(Call))
    return;
  Call->setDoesNotAccessMemory();
  Call->setDoesNotThrow();
  Call->addFnAttr(Attribute::WillReturn);
}

void pardiff::simplifyBody(Function &F) {
  F.setDoesNotAccessMemory();
  F.setDoesNotThrow();
  F.setWillReturn();
  BasicBlock &BB = F.front();
  const DataLayout &DL = F.getDataLayout();
  bool Changed = true;
  while (Changed) {
    Changed = false;
    ValueTable Known;
    for (Instruction &I : make_early_inc_range(BB)) {
      markPure(I);
      Value *Simpler = simplifyInstruction(&I, SimplifyQuery(DL, &I));
      if (!Simpler || Simpler == &I)
        Simpler = Known.findOrAdd(I);
      if (!Simpler)
        continue;
      I.replaceAllUsesWith(Simpler);
      Changed = true;
      if (isInstructionTriviallyDead(&I))
        I.eraseFromParent();
    }
    // Users stand behind their operands, so one walk backwards finds all dead
    // code.
    for (Instruction &I : make_early_inc_range(reverse(BB)))
      if (isInstructionTriviallyDead(&I))
        I.eraseFromParent();
  }
}

//===----------------------------------------------------------------------===//
// Cloning
//===----------------------------------------------------------------------===//

SmallVector<Value *, 4> pardiff::inlineBody(Function &F, ArrayRef<Value *> Args,
                                            IRBuilderBase &B) {
  Module &M = *B.GetInsertBlock()->getModule();
  DenseMap<const Value *, Value *> Map;
  for (auto [Formal, Actual] : zip_equal(F.args(), Args))
    Map[&Formal] = Actual;
  auto mapped = [&](Value *V) {
    auto It = Map.find(V);
    return It == Map.end() ? V : It->second;
  };

  for (Instruction &I : F.front()) {
    if (I.isTerminator())
      break;
    Instruction *Clone = I.clone();
    Clone->dropUnknownNonDebugMetadata();
    for (Use &Op : Clone->operands())
      Op.set(mapped(Op.get()));
    if (auto *Call = dyn_cast<CallInst>(Clone))
      if (const Function *Callee = Call->getCalledFunction())
        Call->setCalledFunction(getFunctionIn(M, *Callee));
    Clone->setDebugLoc(DebugLoc());
    B.Insert(Clone, I.getName());
    Map[&I] = Clone;
  }

  SmallVector<Value *, 4> Results;
  Value *Struct = getReturn(F)->getReturnValue();
  for (unsigned Field = 0, E = getNumResults(F); Field != E; ++Field) {
    if (Value *V = findField(Struct, Field))
      Results.push_back(mapped(V));
    else
      Results.push_back(B.CreateExtractValue(mapped(Struct), Field));
  }
  return Results;
}

/// An empty function for a body in the module of Like, with a builder in it.
static Function *createBody(Function &Like, ArrayRef<Type *> ArgTypes,
                            ArrayRef<Type *> ResultTypes, const Twine &Name) {
  LLVMContext &Context = Like.getContext();
  auto *Ty = FunctionType::get(StructType::get(Context, ResultTypes), ArgTypes,
                               /*isVarArg=*/false);
  Function *F = Function::Create(Ty, GlobalValue::InternalLinkage, Name,
                                 Like.getParent());
  BasicBlock::Create(Context, "entry", F);
  return F;
}

/// Ends a body by returning Results.
static void createReturn(ArrayRef<Value *> Results, IRBuilderBase &B) {
  Type *Ty = B.GetInsertBlock()->getParent()->getReturnType();
  Value *Struct = PoisonValue::get(Ty);
  for (auto [Field, V] : enumerate(Results))
    Struct = B.CreateInsertValue(Struct, V, Field);
  B.CreateRet(Struct);
}

Function *pardiff::selectResults(Function &F, ArrayRef<unsigned> Fields) {
  auto *StructTy = cast<StructType>(F.getReturnType());
  SmallVector<Type *, 4> ResultTypes;
  for (unsigned Field : Fields)
    ResultTypes.push_back(StructTy->getElementType(Field));
  Function *New = createBody(F, F.getFunctionType()->params(), ResultTypes,
                             F.getName() + ".part");
  SmallVector<Value *, 8> Args;
  for (auto [Old, Arg] : zip_equal(F.args(), New->args())) {
    Arg.setName(Old.getName());
    Args.push_back(&Arg);
  }
  IRBuilder<> B(&New->front());
  SmallVector<Value *, 4> All = inlineBody(F, Args, B), Selected;
  for (unsigned Field : Fields)
    Selected.push_back(All[Field]);
  createReturn(Selected, B);
  simplifyBody(*New);
  return New;
}

//===----------------------------------------------------------------------===//
// Composition
//===----------------------------------------------------------------------===//

ArgSource ArgSource::argument(unsigned Index) {
  ArgSource S;
  S.Index = Index;
  return S;
}

ArgSource ArgSource::result(Function &Inner, unsigned Field,
                            std::vector<ArgSource> InnerArgs) {
  ArgSource S;
  S.How = Result;
  S.Index = Field;
  S.Inner = &Inner;
  S.InnerArgs = std::move(InnerArgs);
  return S;
}

ArgSource ArgSource::computed(ComputeFn Compute) {
  ArgSource S;
  S.How = Computed;
  S.Compute = std::move(Compute);
  return S;
}

/// Emits the value of a source in a new body with arguments NewArgs.
static Value *emitSource(const ArgSource &S, ArrayRef<Value *> NewArgs,
                         IRBuilderBase &B) {
  switch (S.How) {
  case ArgSource::Argument:
    return NewArgs[S.Index];
  case ArgSource::Computed:
    return S.Compute(B, NewArgs);
  case ArgSource::Result:
    break;
  }
  SmallVector<Value *, 8> InnerArgs;
  for (const ArgSource &Inner : S.InnerArgs)
    InnerArgs.push_back(emitSource(Inner, NewArgs, B));
  return inlineBody(*S.Inner, InnerArgs, B)[S.Index];
}

Function *pardiff::composeBody(Function &Outer, ArrayRef<Type *> ArgTypes,
                               ArrayRef<ArgSource> Sources, const Twine &Name) {
  auto *StructTy = cast<StructType>(Outer.getReturnType());
  Function *New = createBody(Outer, ArgTypes, StructTy->elements(), Name);
  SmallVector<Value *, 8> NewArgs, OuterArgs;
  for (Argument &A : New->args())
    NewArgs.push_back(&A);
  IRBuilder<> B(&New->front());
  for (auto [Formal, Source] : zip_equal(Outer.args(), Sources)) {
    OuterArgs.push_back(emitSource(Source, NewArgs, B));
    if (Source.How == ArgSource::Argument && !NewArgs[Source.Index]->hasName())
      NewArgs[Source.Index]->setName(Formal.getName());
  }
  createReturn(inlineBody(Outer, OuterArgs, B), B);
  simplifyBody(*New);
  return New;
}
