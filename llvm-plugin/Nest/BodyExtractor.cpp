//===- Nest/BodyExtractor.cpp - Statements as pure functions --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nest/BodyExtractor.h"
#include "Nest/Gather.h"
#include "Nest/Guard.h"
#include "Nest/ScevEmitter.h"
#include "Nest/SubscriptExtractor.h"
#include "Support/IslUtils.h"
#include "Support/LoopFunctions.h"
#include "Support/Reason.h"
#include "polly/Support/ScopHelper.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace pardiff;

//===----------------------------------------------------------------------===//
// The walk over the block
//===----------------------------------------------------------------------===//

BodyExtractor::BodyExtractor(ScopReader &R, polly::ScopStmt &Stmt,
                             Statement &Out, const isl::id &Id,
                             const isl::set &PollyDomain, const isl::set &Valid)
    : R(R), Stmt(Stmt), Out(Out), Id(Id), PollyDomain(PollyDomain),
      Valid(Valid),
      Body(std::make_unique<PendingBody>(Stmt.getBasicBlock()->getContext())),
      B(Body->BB) {}

/// True if the value is a function of iterators and parameters: Polly does not
/// model it then.
bool BodyExtractor::isSynthesizable(Value *V) const {
  return polly::canSynthesize(V, R.getScop(), &R.getSE(),
                              Stmt.getSurroundingLoop()) &&
         V->getType()->isIntegerTy();
}

/// Finds the instructions of the block that its results depend on.
void BodyExtractor::markNeeded() {
  BasicBlock *BB = Stmt.getBasicBlock();
  auto Mark = [&](Value *V) {
    if (auto *I = dyn_cast<Instruction>(V); I && I->getParent() == BB)
      Needed.insert(I);
  };
  for (polly::MemoryAccess *MA : Stmt) {
    if (!MA->isWrite() || MA->isArrayKind())
      continue;
    if (MA->isAnyPHIKind())
      for (auto &In : MA->getIncoming())
        Mark(In.second);
    else
      Mark(MA->getAccessValue());
  }
  for (Instruction &I : reverse(*BB)) {
    if (auto *SI = dyn_cast<StoreInst>(&I))
      Mark(SI->getValueOperand());
    if (Value *Guard = R.getGuards().get(I);
        Guard && (isa<StoreInst>(I) || Needed.contains(&I)))
      Mark(Guard);
    if (!Needed.contains(&I) || isa<LoadInst, PHINode>(I) ||
        isSynthesizable(&I))
      continue;
    if (isGather(I) || isScatter(I)) {
      // The subscript is no part of the body; what it reads are accesses.
      for (LoadInst *Index : getIndexLoads(cast<CallInst>(I)))
        Mark(Index);
      if (isScatter(I))
        Mark(getScatteredValue(cast<CallInst>(I)));
      continue;
    }
    for (Value *Op : I.operands())
      Mark(Op);
  }
}

Expected<std::optional<isl::set>> BodyExtractor::extract() {
  LLVMContext &C = Stmt.getBasicBlock()->getContext();
  for (unsigned D = 0; D < Stmt.getNumIterators(); ++D)
    Body->addArgument(Body->Iterators, Type::getInt64Ty(C));
  markNeeded();
  for (Instruction &I : *Stmt.getBasicBlock()) {
    if (Error E = visit(I))
      return std::move(E);
    if (Split)
      return Split;
  }
  if (Error E = addScalarWrites())
    return std::move(E);
  return std::nullopt;
}

Error BodyExtractor::visit(Instruction &I) {
  if (auto *SI = dyn_cast<StoreInst>(&I)) {
    if (auto *Call = dyn_cast<CallInst>(SI->getValueOperand());
        Call && isScatter(*Call))
      return visitScatter(*Call);
    polly::MemoryAccess *MA = Stmt.getArrayAccessOrNULLFor(SI);
    if (!MA)
      return refuse(Reason::PartialAccess, "store without a model", &I);
    return visitStore(*SI, *MA);
  }
  if (isa<MemIntrinsic>(I))
    return refuse(Reason::BulkMemory, "", &I);
  if (!Needed.contains(&I) || isSynthesizable(&I) || isScatter(I))
    return Error::success();
  if (auto *LI = dyn_cast<LoadInst>(&I)) {
    polly::MemoryAccess *MA = Stmt.getArrayAccessOrNULLFor(LI);
    if (!MA)
      return refuse(Reason::PartialAccess, "load without a model", &I);
    return visitLoad(*LI, *MA);
  }
  if (isGather(I))
    return visitGather(cast<CallInst>(I));
  if (Function *Loop = getLoopFunction(&I); Loop && readsArrays(*Loop))
    return visitLoop(cast<CallInst>(I));
  auto *Phi = dyn_cast<PHINode>(&I);
  polly::MemoryAccess *PhiRead = Phi ? Stmt.lookupPHIReadOf(Phi) : nullptr;
  if (Phi && !PhiRead)
    return refuse(Reason::UnsupportedValue, "merge of values", &I);
  Expected<Value *> V = Phi ? readScalar(*PhiRead, Phi) : clone(I);
  if (!V)
    return V.takeError();
  Values[&I] = *V;
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// The access must touch one element of the array, and its address must be a
/// whole number of elements away from the base: Polly's relations round down.
Error BodyExtractor::checkElement(const Instruction &I, polly::MemoryAccess &MA,
                                  const Array &A) const {
  const DataLayout &DL = I.getDataLayout();
  if (getLoadStoreAlignment(&I) < DL.getABITypeAlign(MA.getElementType()))
    return refuse(Reason::MisalignedAccess, "array '" + A.Name + "'", &I);
  if (MA.getElementType() != A.ElemTy)
    return refuse(Reason::MixedElementTypes, "array '" + A.Name + "'", &I);
  ScalarEvolution &SE = R.getSE();
  const SCEV *Ptr = getAddress(I);
  const SCEV *Offset = SE.getMinusSCEV(Ptr, SE.getPointerBase(Ptr));
  APInt Size(DL.getIndexTypeSizeInBits(Ptr->getType()),
             DL.getTypeAllocSize(A.ElemTy).getFixedValue());
  if (isa<SCEVCouldNotCompute>(Offset) ||
      SE.getConstantMultiple(Offset).urem(Size) != 0)
    return refuse(Reason::MisalignedAccess, "array '" + A.Name + "'", &I);
  return Error::success();
}

Expected<std::pair<Array *, isl::map>>
BodyExtractor::getAccess(polly::MemoryAccess &MA) {
  const Instruction *I = MA.getAccessInstruction();
  const polly::ScopArrayInfo *SAI = MA.getLatestScopArrayInfo();
  Expected<Array *> A = R.getArray(SAI, I);
  if (!A)
    return A.takeError();
  if (MA.isArrayKind()) {
    if (!MA.isAffine() || MA.isMayWrite())
      return refuse(Reason::PartialAccess, "array '" + (*A)->Name + "'", I);
    if (Error E = checkElement(*I, MA, **A))
      return std::move(E);
  }
  Expected<isl::map> Relation = R.getRelation(MA, **A, Id, PollyDomain);
  if (!Relation)
    return Relation.takeError();
  return std::make_pair(*A, *Relation);
}

Value *BodyExtractor::addRead(Array *A, const isl::map &Relation,
                              Value *Guard) {
  Out.Reads.push_back({AccessKind::Read, A, Relation});
  Body->ReadGuards.push_back(Body->addGuard(Guard));
  return Body->addArgument(Body->Reads, A->ElemTy);
}

void BodyExtractor::addWrite(Array *A, const isl::map &Relation, Value *V,
                             Value *Guard) {
  Out.Writes.push_back({AccessKind::Write, A, Relation});
  Body->WriteGuards.push_back(Body->addGuard(Guard));
  Body->Results.push_back(V);
}

/// The condition of an access as a value of the body; null: it always happens.
Expected<Value *> BodyExtractor::getGuard(const Instruction &I) {
  Value *Guard = R.getGuards().get(I);
  if (!Guard && hasGuard(I))
    return refuse(Reason::DataDependentBranch, "", &I);
  return Guard ? getValue(Guard) : nullptr;
}

Error BodyExtractor::visitLoad(Instruction &I, polly::MemoryAccess &MA) {
  auto Acc = getAccess(MA);
  if (!Acc)
    return Acc.takeError();
  auto &[A, Relation] = *Acc;
  Expected<Value *> Guard = getGuard(I);
  if (!Guard)
    return Guard.takeError();
  Expected<Value *> V = getContent(I, A, Relation, *Guard);
  if (!V)
    return V.takeError();
  if (!Split)
    Values[&I] = *V;
  return Error::success();
}

/// What I, an access to element Relation of A, finds there where Guard holds.
/// Sets Split instead if that is not the same in all instances.
Expected<Value *> BodyExtractor::getContent(const Instruction &I, Array *A,
                                            const isl::map &Relation,
                                            Value *Guard) {
  const SCEV *Ptr = getAddress(I);
  // Stores that hit the element in some instances, and whether they do.
  SmallVector<std::pair<Value *, Value *>, 2> Maybe;
  Value *V = nullptr;
  for (const Known &K : reverse(Memory)) {
    if (K.Arr != A)
      continue;
    bool IsKnown = !K.Guard || K.Guard == Guard;
    isl::boolean Same = K.Relation.is_equal(Relation);
    if (isTrue(Same)) {
      if (IsKnown) {
        V = K.V;
        break;
      }
      if (K.Stored)
        Maybe.push_back({K.Guard, K.V});
      continue;
    }
    if (!K.Stored)
      continue;
    isl::set Overlap = K.Relation.intersect(Relation).domain();
    isl::boolean Never = Overlap.intersect_params(Valid).is_empty();
    if (Never.is_error() || Same.is_error())
      return refuse(Reason::IslFailed, "overlap of accesses", &I);
    if (isTrue(Never))
      continue;
    Value *Hit = isSimple(Overlap) ? nullptr : emitEqual(Ptr, K.Ptr);
    if (!Hit) {
      Split = Overlap;
      return nullptr;
    }
    if (!IsKnown)
      Hit = B.CreateLogicalAnd(K.Guard, Hit);
    Maybe.push_back({Hit, K.V});
  }
  if (!V)
    V = addRead(A, Relation, Guard);
  for (auto [Hit, Stored] : reverse(Maybe))
    V = B.CreateSelect(Hit, Stored, V);
  Memory.push_back({A, Relation, V, Ptr, false, Guard});
  return V;
}

Error BodyExtractor::visitGather(CallInst &Call) {
  Expected<ViewAccess> V = SubscriptExtractor(R, Stmt).extract(Call);
  if (!V)
    return V.takeError();
  Values[&Call] = addRead(V->Arr, V->getRelation(Out.Domain));
  return Error::success();
}

/// A sum into an element that is read from memory: the element is no value of
/// the nest, only what is added is.
Error BodyExtractor::visitScatter(CallInst &Call) {
  Expected<ViewAccess> V = SubscriptExtractor(R, Stmt).extract(Call);
  if (!V)
    return V.takeError();
  Expected<Value *> Added = getValue(getScatteredValue(Call));
  if (!Added)
    return Added.takeError();
  addWrite(V->Arr, V->getRelation(Out.Domain), *Added);
  Out.Writes.back().Kind = AccessKind::Accumulate;
  return Error::success();
}

/// A loop that reads arrays: its model, with what is read of their views.
Error BodyExtractor::visitLoop(CallInst &Call) {
  Function &Loop = *Call.getCalledFunction();
  Function *Model = declareLoopModel(Loop, *R.getNest().Bodies);
  SmallVector<Value *, 8> Args;
  for (auto [I, Arg] : enumerate(Call.args())) {
    if (!isLoopArray(Loop, I)) {
      Expected<Value *> New = getValue(Arg);
      if (!New)
        return New.takeError();
      Args.push_back(*New);
      continue;
    }
    Expected<ViewAccess> V = SubscriptExtractor(R, Stmt).extractRange(Call, I);
    if (!V)
      return V.takeError();
    Args.push_back(addRead(V->Arr, V->getRelation(Out.Domain)));
  }
  Values[&Call] = B.CreateCall(Model, Args);
  return Error::success();
}

const SCEV *BodyExtractor::getAddress(const Instruction &I) const {
  return R.getSE().getSCEVAtScope(
      const_cast<Value *>(getLoadStorePointerOperand(&I)),
      Stmt.getSurroundingLoop());
}

/// True if neither the instances in Part nor the others are more than one
/// polyhedron: then each becomes a statement of its own.
bool BodyExtractor::isSimple(const isl::set &Part) const {
  auto IsOne = [](const isl::set &X) {
    isl::size N = X.n_basic_set();
    return !N.is_error() && unsigned(N) <= 1 && isFalse(X.involves_locals());
  };
  return IsOne(coalesceChecked(Part)) &&
         IsOne(coalesceChecked(Out.Domain.subtract(Part)));
}

/// Whether two addresses are equal, as a value of the body; null if that cannot
/// be computed from iterators and parameters.
Value *BodyExtractor::emitEqual(const SCEV *P, const SCEV *Q) {
  const SCEV *Distance = R.getSE().getMinusSCEV(P, Q);
  if (isa<SCEVCouldNotCompute>(Distance))
    return nullptr;
  Value *V = emit(Distance);
  return V ? B.CreateIsNull(V) : nullptr;
}

/// True if a write of A under a guard may hit the element of another write, and
/// not always. The one under the guard would have to be seen as two.
bool BodyExtractor::meetsGuarded(const Array *A, const isl::map &Relation,
                                 bool IsGuarded) const {
  for (const auto &[Write, Guard] : zip(Out.Writes, Body->WriteGuards)) {
    if (Write.Arr != A || (!IsGuarded && Guard < 0) ||
        isTrue(Write.Relation.is_equal(Relation)))
      continue;
    isl::set Overlap = Write.Relation.intersect(Relation).domain();
    if (!isTrue(Overlap.intersect_params(Valid).is_empty()))
      return true;
  }
  return false;
}

Error BodyExtractor::visitStore(StoreInst &SI, polly::MemoryAccess &MA) {
  auto Acc = getAccess(MA);
  if (!Acc)
    return Acc.takeError();
  auto &[A, Relation] = *Acc;
  Expected<Value *> Guard = getGuard(SI);
  if (!Guard)
    return Guard.takeError();
  // What is stored elsewhere is of no importance.
  Value *New = SI.getValueOperand();
  if (auto *Sel = dyn_cast<SelectInst>(New);
      Sel && Sel->getCondition() == R.getGuards().get(SI))
    New = Sel->getTrueValue();
  Expected<Value *> NewValue = getValue(New);
  if (!NewValue)
    return NewValue.takeError();
  Value *V = *NewValue;
  if (!Out.Loc)
    Out.Loc = SI.getDebugLoc();
  if (meetsGuarded(A, Relation, *Guard != nullptr))
    return refuse(Reason::OverlappingAccess, "array '" + A->Name + "'", &SI);
  // The earlier write of the element, if there is one, becomes part of this.
  Value *Old = nullptr, *Where = *Guard;
  for (unsigned W = 0; W < Out.Writes.size(); ++W) {
    if (Out.Writes[W].Arr != A ||
        !isTrue(Out.Writes[W].Relation.is_equal(Relation)))
      continue;
    Old = Body->Results[W];
    int Earlier = Body->WriteGuards[W];
    if (Earlier < 0)
      Where = nullptr;
    else if (Where && Body->Guards[Earlier] != Where)
      Where = B.CreateLogicalOr(Where, Body->Guards[Earlier]);
    Out.Writes.erase(Out.Writes.begin() + W);
    Body->WriteGuards.erase(Body->WriteGuards.begin() + W);
    Body->Results.erase(Body->Results.begin() + W);
    break;
  }
  if (*Guard && !Old) {
    Expected<Value *> Content = getContent(SI, A, Relation, *Guard);
    if (!Content)
      return Content.takeError();
    if (Split)
      return Error::success();
    Old = *Content;
  }
  if (*Guard)
    V = B.CreateSelect(*Guard, V, Old);
  addWrite(A, Relation, V, Where);
  Memory.push_back({A, Relation, V, getAddress(SI), true, Where});
  return Error::success();
}

Expected<Value *> BodyExtractor::readScalar(polly::MemoryAccess &MA, Value *V) {
  if (Value *Old = Values.lookup(V))
    return Old;
  auto Acc = getAccess(MA);
  if (!Acc)
    return Acc.takeError();
  return Values[V] = addRead(Acc->first, Acc->second);
}

/// Values that other statements use, and the values that this block contributes
/// to merges behind it.
Error BodyExtractor::addScalarWrites() {
  for (polly::MemoryAccess *MA : Stmt) {
    if (!MA->isWrite() || MA->isArrayKind())
      continue;
    Value *Written = nullptr;
    if (!MA->isAnyPHIKind())
      Written = MA->getAccessValue();
    else if (MA->getIncoming().size() == 1)
      Written = MA->getIncoming().front().second;
    if (!Written)
      return refuse(Reason::UnsupportedValue, "merge of values",
                    MA->getAccessInstruction());
    auto Acc = getAccess(*MA);
    if (!Acc)
      return Acc.takeError();
    Expected<Value *> V = getValue(Written);
    if (!V)
      return V.takeError();
    addWrite(Acc->first, Acc->second, *V);
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Expected<Value *> BodyExtractor::getValue(Value *V) {
  if (Value *Known = Values.lookup(V))
    return Known;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !R.getScop().contains(I))
    return getOutside(V);
  if (isSynthesizable(V)) {
    const SCEV *S = R.getSE().getSCEVAtScope(V, Stmt.getSurroundingLoop());
    if (Value *New = emit(S))
      return Values[V] = New;
    return refuse(Reason::UnsupportedValue, "integer expression", I);
  }
  if (polly::MemoryAccess *MA = Stmt.lookupInputAccessOf(V))
    return readScalar(*MA, V);
  return refuse(Reason::UnsupportedValue, I->getOpcodeName(), I);
}

/// A value that exists before the nest.
Expected<Value *> BodyExtractor::getOutside(Value *V) {
  auto *At = dyn_cast<Instruction>(V);
  if (isa<ConstantData>(V))
    return V;
  if (auto *C = dyn_cast<ConstantAggregate>(V)) {
    if (!V->getType()->isPtrOrPtrVectorTy() && C->getType()->isVectorTy())
      return V;
  }
  if (V->getType()->isIntegerTy() && R.getSE().isSCEVable(V->getType()) &&
      !isa<Constant>(V)) {
    if (Value *New = emit(R.getSE().getSCEV(V)))
      return Values[V] = New;
    return refuse(Reason::UnsupportedValue, "integer", At);
  }
  if (auto *A = dyn_cast<Argument>(V); A && A->getType()->isFloatingPointTy()) {
    Array *Slot = R.getArgumentSlot(*A);
    isl::set D = Out.Domain;
    isl::space Space = isl::manage(isl_space_set_tuple_id(
        isl_space_set_from_params(isl_space_params(D.get_space().release())),
        isl_dim_set, isl_id_alloc(D.ctx().get(), Slot->Name.c_str(), nullptr)));
    isl::map Rel =
        isl::map::from_domain_and_range(D, isl::set::universe(Space));
    return Values[V] = addRead(Slot, Rel);
  }
  // A floating-point function of the sizes, computed in front of the nest.
  if (At && V->getType()->isFloatingPointTy() && !At->mayReadOrWriteMemory() &&
      !isa<PHINode>(At)) {
    for (Value *Op : At->operands())
      if (!isa<Function>(Op)) {
        Expected<Value *> New = getValue(Op);
        if (!New)
          return New.takeError();
      }
    Expected<Value *> New = clone(*At);
    if (New)
      Values[V] = *New;
    return New;
  }
  if (V->getType()->isPtrOrPtrVectorTy())
    return refuse(Reason::UnsupportedValue, "pointer", At);
  return refuse(Reason::UnsupportedValue, "value computed in front of the nest",
                At);
}

/// A copy of the function in the module of the bodies.
static Function *declareIn(Module &M, const Function &F) {
  if (Function *Old = M.getFunction(F.getName()))
    return Old->getFunctionType() == F.getFunctionType() ? Old : nullptr;
  Function *New = Function::Create(
      F.getFunctionType(), GlobalValue::ExternalLinkage, F.getName(), M);
  New->setCallingConv(F.getCallingConv());
  New->setAttributes(F.getAttributes());
  return New;
}

Expected<Value *> BodyExtractor::clone(Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (Call && (!isa<CallInst>(I) || !Callee || I.mayHaveSideEffects() ||
               I.mayReadFromMemory()))
    return refuse(Reason::CallInNest,
                  Callee ? "call of '" + Callee->getName() + "'"
                         : Twine("call through a pointer"),
                  &I);
  if (I.getType()->isPtrOrPtrVectorTy() || I.isTerminator() ||
      isa<PHINode>(I) || I.mayReadOrWriteMemory() || I.getType()->isTokenTy())
    return refuse(Reason::UnsupportedValue, I.getOpcodeName(), &I);

  SmallVector<Value *, 4> Ops;
  for (Value *Op : I.operands()) {
    if (Call && Op == Callee) {
      Function *New = declareIn(*R.getNest().Bodies, *Callee);
      if (!New)
        return refuse(Reason::CallInNest, "call of '" + Callee->getName() + "'",
                      &I);
      Ops.push_back(New);
      continue;
    }
    if (isa<MetadataAsValue>(Op))
      return refuse(Reason::UnsupportedValue, I.getOpcodeName(), &I);
    Expected<Value *> New = getValue(Op);
    if (!New)
      return New.takeError();
    Ops.push_back(*New);
  }
  Instruction *New = I.clone();
  for (unsigned K = 0; K < Ops.size(); ++K)
    New->setOperand(K, Ops[K]);
  New->dropUnknownNonDebugMetadata();
  New->setDebugLoc(DebugLoc());
  B.Insert(New);
  return New;
}

Value *BodyExtractor::emit(const SCEV *S) {
  return ScevEmitter(R, Stmt, *Body, B, &Values).emit(S);
}
