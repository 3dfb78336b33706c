//===- Tape/Choices.cpp - Chains of choices: max, min, last match ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Write W of S makes a chain of choices through read R if
//
//   - both are of the same element, which no other access of an instance is of;
//   - the result is an operation that chooses between R's value and another
//     one (select, fmax and the like: isGate), and no other result, nor the
//     other value, is a function of R's value;
//   - each value that S wrote is read through R at most once, and then by
//     nothing else: the other readers see final values only;
//   - the iterators that do not change along the chains tell them apart;
//   - no access of S has a guard.
//
// The condition may be any function of the reads. It is evaluated once, where
// the primal evaluates it: at ties, NaNs and whatever else the adjoint follows
// the primal's own choice.
//
// Other elements of the same array may be read, as in t[i][j] = max(t[i][j],
// t[i][k] + t[k][j]): they are final values of other chains, or of none.
//
// Not attempted: chains through several statements (unrolled loops), and
// instances that read the element that they write in two ways.
//
//===----------------------------------------------------------------------===//

#include "Tape/Choices.h"
#include "Body/Body.h"
#include "Rules/Rules.h"
#include "Support/IslUtils.h"
#include "Tape/BodyFacts.h"
#include "Tape/TupleId.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace pardiff;

/// Iterators along a chain: each has a tape.
static constexpr unsigned MaxMoving = 3;

static bool dependsOn(const Value *V, const Argument &A) {
  SmallVector<const Value *, 16> Work = {V};
  SmallPtrSet<const Value *, 16> Seen;
  while (!Work.empty()) {
    const Value *X = Work.pop_back_val();
    if (X == &A)
      return true;
    if (auto *I = dyn_cast<Instruction>(X); I && Seen.insert(X).second)
      append_range(Work, I->operand_values());
  }
  return false;
}

/// The operand of I that is chosen where operand Old is not, if I chooses
/// between two.
static std::optional<unsigned> getOtherOperand(const Instruction &I,
                                               unsigned Old) {
  const Rule *R = findRule(I);
  if (!R || !isGate(*R, I, Old))
    return std::nullopt;
  std::optional<unsigned> Other;
  unsigned NumOperands =
      isa<CallBase>(I) ? cast<CallBase>(I).arg_size() : I.getNumOperands();
  for (unsigned Op = 0; Op < NumOperands; ++Op) {
    if (Op == Old || isZeroPartial(*R, I, Op))
      continue;
    if (Other || !isGate(*R, I, Op) ||
        isGateInverted(*R, I, Op) == isGateInverted(*R, I, Old))
      return std::nullopt;
    Other = Op;
  }
  return Other;
}

/// The operation behind result C.Write, if it chooses between read C.Read and a
/// value that does not depend on it.
static bool isChoice(const Choice &C, unsigned &Other) {
  Function &Body = *C.S->Body;
  auto *I = dyn_cast<Instruction>(getResult(Body, C.Write));
  Argument *Old = Body.getArg(C.Read);
  if (!I || !I->hasOneUse())
    return false;
  for (unsigned Op = 0; Op < I->getNumOperands(); ++Op) {
    if (I->getOperand(Op) != Old)
      continue;
    auto Found = getOtherOperand(*I, Op);
    if (!Found || dependsOn(I->getOperand(*Found), *Old))
      continue;
    Other = *Found;
    return true;
  }
  return false;
}

/// The functions Chosen and Replaces, if operand Other of the operation that
/// makes the result is the other value.
static void buildBodies(Choice &C, unsigned Other) {
  Function &Body = *C.S->Body;
  Module &M = *Body.getParent();
  LLVMContext &Ctx = M.getContext();

  ValueToValueMapTy Map;
  C.Chosen = CloneFunction(&Body, Map);
  C.Chosen->setName(Body.getName() + ".chosen");
  auto *I = cast<Instruction>(getResult(*C.Chosen, C.Write));
  I->replaceAllUsesWith(I->getOperand(Other));
  simplifyBody(*C.Chosen);

  SmallVector<Type *, 8> Types;
  for (Argument &A : Body.args())
    Types.push_back(A.getType());
  Type *Bit = Type::getInt1Ty(Ctx);
  C.Replaces = Function::Create(
      FunctionType::get(StructType::get(Bit), Types, false),
      GlobalValue::InternalLinkage, Body.getName() + ".replaces", M);
  ValueToValueMapTy Again;
  Function *Clone = CloneFunction(&Body, Again);
  I = cast<Instruction>(getResult(*Clone, C.Write));
  C.Replaces->splice(C.Replaces->begin(), Clone);
  for (auto [From, To] : zip(Clone->args(), C.Replaces->args()))
    From.replaceAllUsesWith(&To);
  Clone->eraseFromParent();
  Instruction *Return = C.Replaces->getEntryBlock().getTerminator();
  IRBuilder<> B(Return);
  const Rule *R = findRule(*I);
  Value *Taken =
      emitGate(*R, *I, Other, B, [](Value *V) -> Value * { return V; });
  if (isGateInverted(*R, *I, Other))
    Taken = B.CreateNot(Taken);
  Value *Result = PoisonValue::get(C.Replaces->getReturnType());
  B.CreateRet(B.CreateInsertValue(Result, Taken, 0));
  Return->eraseFromParent();
  simplifyBody(*C.Replaces);
}

/// True if no other access of an instance of S is of the chain's element, and
/// no two of them partly overlap: instances are differentiated apart.
static bool isAlone(const Choice &C) {
  const Statement &S = *C.S;
  if (S.isGuarded())
    return false;
  const Access &Write = S.Writes[C.Write];
  auto Meet = [&](const Access &X, const Access &Y) {
    return X.Arr == Y.Arr && !X.Relation.intersect_domain(S.Domain)
                                  .is_disjoint(Y.Relation)
                                  .is_true();
  };
  for (const auto &[R, Read] : enumerate(S.Reads)) {
    if (R == C.Read)
      continue;
    if (Meet(Read, Write))
      return false;
    for (const Access &W : S.Writes)
      if (Meet(Read, W) && !W.Relation.is_equal(Read.Relation).is_true())
        return false;
  }
  for (const auto &[W, Other] : enumerate(S.Writes))
    if (W != C.Write &&
        (Other.Arr == Write.Arr || getResultFacts(S, W).Reads[C.Read]))
      return false;
  return true;
}

/// { S[j] -> S[i] : R at i reads what j wrote }, if that is a set of chains of
/// which the other readers see the ends only. Else null.
static isl::map getNext(const Program &P, const Choice &C, const Dataflow &D) {
  isl::map Next;
  SmallVector<isl::set, 4> SeenByOthers;
  auto Look = [&](const Dataflow::ReadFlow &Flow, bool IsChain) {
    for (const Dataflow::Source &Src : Flow.Sources) {
      if (Src.Writer != C.S || Src.Write != C.Write)
        continue;
      if (IsChain)
        Next = Next.is_null() ? Src.Map : Next.unite(Src.Map);
      else
        SeenByOthers.push_back(Src.Map.domain());
    }
  };
  for (const auto &T : P.Statements) {
    for (unsigned R = 0; R < T->Reads.size(); ++R)
      if (auto It = D.Reads.find({T.get(), R}); It != D.Reads.end())
        Look(It->second, T.get() == C.S && R == C.Read);
    for (unsigned W = 0; W < T->Writes.size(); ++W)
      if (auto It = D.Accumulates.find({T.get(), W}); It != D.Accumulates.end())
        Look(It->second, false);
  }
  if (Next.is_null() || !Next.is_injective().is_true() ||
      !Next.is_single_valued().is_true())
    return isl::map();
  for (const isl::set &Seen : SeenByOthers)
    if (!Seen.is_disjoint(Next.domain()).is_true())
      return isl::map();
  return Next;
}

/// Sorts the iterators of S and checks that the fixed ones name the chains.
static bool nameChains(Choice &C, const isl::map &Next) {
  const Statement &S = *C.S;
  isl::set Steps = Next.deltas();
  for (unsigned I = 0; I < S.getNumIterators(); ++I) {
    isl::set Still = Steps.fix_si(isl::dim::set, I, 0);
    if (Steps.is_subset(Still).is_true())
      C.Fixed.push_back(I);
    else
      C.Moving.push_back(I);
    // The tapes keep values plus one, and zero for none.
    if (!S.Domain.lower_bound_si(isl::dim::set, I, 0)
             .is_equal(S.Domain)
             .is_true())
      return false;
  }
  if (C.Moving.empty() || C.Moving.size() > MaxMoving)
    return false;
  C.Cell = S.Domain.identity();
  C.Cell = isl::manage(isl_map_reset_tuple_id(C.Cell.release(), isl_dim_out));
  for (unsigned I : reverse(C.Moving))
    C.Cell = C.Cell.project_out(isl::dim::out, I, 1);
  C.Starts = coalesceChecked(S.Domain.subtract(Next.range()));
  return C.Cell.intersect_domain(C.Starts).is_injective().is_true();
}

isl::map Choice::getPlace(const Array &Tape) const {
  return Place.set_range_tuple(tupleId(Place.ctx(), Tape.Name));
}

DenseMap<const Statement *, Choice> pardiff::findChoices(const Program &P,
                                                         const Dataflow &D) {
  DenseMap<const Statement *, Choice> Found;
  for (const auto &S : P.Statements) {
    for (const auto &[W, Write] : enumerate(S->Writes)) {
      if (Write.Kind != AccessKind::Write || !Write.Arr->isFloat())
        continue;
      for (const auto &[R, Read] : enumerate(S->Reads)) {
        if (Read.Arr != Write.Arr ||
            !Read.Relation.is_equal(Write.Relation).is_true())
          continue;
        Choice C;
        C.S = S.get();
        C.Read = R;
        C.Write = W;
        unsigned Other = 0;
        if (!isChoice(C, Other) || !isAlone(C))
          continue;
        isl::map Next = getNext(P, C, D);
        if (Next.is_null() || !nameChains(C, Next))
          continue;
        buildBodies(C, Other);
        Found[S.get()] = C;
      }
    }
  }
  return Found;
}
