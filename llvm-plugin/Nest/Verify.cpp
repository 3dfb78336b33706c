//===- Nest/Verify.cpp - Check the invariants of a program ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every invariant at the head of Nest/Program.h, each with a message of its
// own. A relation that isl cannot decide within its operation limit counts as
// right.
//
//===----------------------------------------------------------------------===//

#include "Nest/Verify.h"
#include "Body/Body.h"
#include "Nest/LoopArrays.h"
#include "Support/IslUtils.h"
#include "Support/LoopFunctions.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Verifier.h"
#include "isl/map.h"
#include "isl/schedule.h"
#include "isl/schedule_node.h"

using namespace llvm;
using namespace pardiff;

namespace {
class ProgramVerifier {
public:
  ProgramVerifier(const Program &P, raw_ostream *OS) : P(P), N(*P.N), OS(OS) {}
  bool run();

private:
  void fail(const Twine &Msg) {
    Broken = true;
    if (OS)
      *OS << "broken program of " << N.Name << ": " << Msg << "\n";
  }
  void checkNames();
  void checkArray(const Array &A);
  void checkStatement(const Statement &S);
  void checkAccess(const Statement &S, const Access &A, Type *Ty, bool IsRead);
  void checkRanges(const Statement &S);
  void checkBody(const Statement &S);
  void checkGuard(const Statement &S, const Access &A, unsigned NumKnown);
  void checkOrder();
  void checkTree();
  void checkTreeNodes();
  isl::union_map getConflicts() const;

  const Program &P;
  const Nest &N;
  raw_ostream *OS;
  bool Broken = false;
};
} // namespace

void ProgramVerifier::checkNames() {
  StringSet<> Names;
  for (const auto &A : N.Arrays)
    if (!Names.insert(A->Name).second)
      fail("two objects are called '" + A->Name + "'");
  for (const auto &S : P.Statements)
    if (!Names.insert(S->Name).second)
      fail("two objects are called '" + S->Name + "'");
  for (const Parameter &Param : N.Params) {
    if (!Names.insert(nameOf(Param.Id)).second)
      fail("two objects are called '" + nameOf(Param.Id) + "'");
    if (isl_id_get_user(Param.Id.get()))
      fail("the id of parameter '" + nameOf(Param.Id) + "' has a user pointer");
    if (!Param.V || !Param.V->getType()->isIntegerTy(64))
      fail("parameter '" + nameOf(Param.Id) + "' has no value of type i64");
  }
}

void ProgramVerifier::checkArray(const Array &A) {
  if (!A.ElemTy)
    return fail("array '" + A.Name + "' has no element type");
  if ((A.Kind == ArrayKind::Shadow || A.Kind == ArrayKind::Tape) !=
      (A.Of != nullptr))
    fail("array '" + A.Name +
         "' must name its primal if it is a shadow or tape, and only then");
  if (A.Kind == ArrayKind::Slot && A.getNumDims())
    fail("slot '" + A.Name + "' has dimensions");
  if (A.Kind == ArrayKind::Memory && A.Shape.empty())
    fail("array '" + A.Name + "' has no dimension");
  if (A.PrivateDims > A.getNumDims())
    fail("array '" + A.Name +
         "' has fewer dimensions than privatisation added");
  for (unsigned D = 1; D < A.getNumDims(); ++D)
    if (A.Shape[D].is_null())
      fail("an inner extent of array '" + A.Name + "' is not known");
}

void ProgramVerifier::checkAccess(const Statement &S, const Access &A, Type *Ty,
                                  bool IsRead) {
  if (IsRead != (A.Kind == AccessKind::Read))
    fail("statement '" + S.Name + "': an access is in the wrong list");
  if (A.Arr && A.Arr->View && A.Kind == AccessKind::Write)
    fail("statement '" + S.Name + "': a view is written");
  if (!A.Arr || A.Relation.is_null())
    return fail("statement '" + S.Name +
                "': an access has no array or no relation");
  bool Member =
      any_of(N.Arrays, [&](const auto &X) { return X.get() == A.Arr; });
  if (!Member)
    fail("statement '" + S.Name + "', access to '" + A.Arr->Name +
         "': the array is not of this nest");
  if (Ty && Ty != A.Arr->ElemTy)
    fail("statement '" + S.Name + "', access to '" + A.Arr->Name +
         "': the body's type differs from the element's");
  if (nameOf(A.Relation.get_tuple_id(isl::dim::in)) != S.Name ||
      nameOf(A.Relation.get_tuple_id(isl::dim::out)) != A.Arr->Name)
    fail("statement '" + S.Name + "', access to '" + A.Arr->Name +
         "': the relation has other names");
  if (dimOf(A.Relation, isl::dim::in) != S.getNumIterators() ||
      dimOf(A.Relation, isl::dim::out) != A.Arr->getNumDims())
    return fail("statement '" + S.Name + "', access to '" + A.Arr->Name +
                "': the relation has the wrong number of dimensions");
  if (isFalse(A.Relation.is_single_valued()))
    fail("statement '" + S.Name + "', access to '" + A.Arr->Name +
         "': the relation is not single valued");
  if (isFalse(S.Domain.is_subset(A.Relation.domain())))
    fail("statement '" + S.Name + "', access to '" + A.Arr->Name +
         "': the relation is not total on the domain");
}

void ProgramVerifier::checkBody(const Statement &S) {
  Function *F = S.Body;
  if (!F)
    return fail("statement '" + S.Name + "' has no body");
  if (F->getParent() != N.Bodies.get())
    fail("statement '" + S.Name + "': the body is in another module");
  std::string Msg;
  raw_string_ostream MS(Msg);
  if (verifyFunction(*F, &MS))
    return fail("statement '" + S.Name + "': the body is not valid IR: " + Msg);
  if (F->size() != 1 || !isa<ReturnInst>(F->front().getTerminator()))
    return fail("statement '" + S.Name +
                "': the body is not one block that returns");
  auto *Ty = dyn_cast<StructType>(F->getReturnType());
  if (!Ty || !Ty->isLiteral() || Ty->getNumElements() != S.Writes.size())
    return fail("statement '" + S.Name +
                "': the body does not return one field for each write");
  unsigned Args = S.Reads.size() + S.getNumIterators() + N.Params.size();
  if (F->arg_size() != Args)
    return fail("statement '" + S.Name + "': the body has " +
                Twine(F->arg_size()) + " arguments instead of " + Twine(Args));
  for (unsigned I = S.Reads.size(); I < Args; ++I)
    if (!F->getArg(I)->getType()->isIntegerTy(64))
      fail("statement '" + S.Name + "': an iterator or parameter is not i64");
  for (const Instruction &I : F->front())
    if (I.mayReadOrWriteMemory() || I.mayHaveSideEffects())
      fail("statement '" + S.Name + "': the body has a side effect");
}

/// NumKnown: reads that the guard may use.
void ProgramVerifier::checkGuard(const Statement &S, const Access &A,
                                 unsigned NumKnown) {
  Function *F = A.Guard;
  if (!F)
    return;
  std::string Where =
      "statement '" + S.Name + "', access to '" + A.Arr->Name + "': the guard";
  auto *Ty = dyn_cast<StructType>(F->getReturnType());
  if (F->getParent() != N.Bodies.get() || verifyFunction(*F, nullptr) ||
      F->size() != 1 || !Ty || Ty->getNumElements() != 1 ||
      !Ty->getElementType(0)->isIntegerTy(1) ||
      F->getFunctionType()->params() != S.Body->getFunctionType()->params())
    return fail(Where + " is no function of the body's arguments");
  for (const Instruction &I : F->front())
    if (I.mayReadOrWriteMemory() || I.mayHaveSideEffects())
      fail(Where + " has a side effect");
  for (unsigned R = NumKnown; R < S.Reads.size(); ++R)
    if (!F->getArg(R)->use_empty())
      fail(Where + " uses a read behind it");
}

/// What is read of a range only stands for it: it goes to loops alone, and what
/// is added to a range comes from the derivative of such a loop.
void ProgramVerifier::checkRanges(const Statement &S) {
  auto CheckUses = [&](const Function &F) {
    for (const auto &[R, Read] : enumerate(S.Reads)) {
      if (!isRange(*Read.Arr))
        continue;
      for (const Use &U : F.getArg(R)->uses()) {
        auto *Call = dyn_cast<CallInst>(U.getUser());
        const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
        if (!Callee || !isLoopModel(*Callee) || Read.Guard)
          fail("statement '" + S.Name + "': a range is used as a number");
      }
    }
  };
  CheckUses(*S.Body);
  for (const Function *Guard : S.getGuards())
    CheckUses(*Guard);
  for (const auto &[W, Write] : enumerate(S.Writes)) {
    if (!isRange(*Write.Arr))
      continue;
    auto *Extract = dyn_cast<ExtractValueInst>(getResult(*S.Body, W));
    auto *Call =
        Extract ? dyn_cast<CallInst>(Extract->getAggregateOperand()) : nullptr;
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    bool IsDerivative =
        Callee && Callee->hasFnAttribute(LoopDerivativeAttribute);
    auto OfArray = find_if(
        S.Reads, [&](const Access &Read) { return Read.Arr == Write.Arr->Of; });
    // The field of the argument that stands for the array.
    int Field = -1;
    for (unsigned I = 0;
         IsDerivative && OfArray != S.Reads.end() && I < Call->arg_size();
         ++I) {
      Field += Call->getArgOperand(I)->getType()->isFloatingPointTy();
      if (Call->getArgOperand(I) == S.Body->getArg(OfArray - S.Reads.begin()))
        break;
      if (I + 1 == Call->arg_size())
        Field = -1;
    }
    if (Field < 0 || Extract->getIndices().front() != unsigned(Field) ||
        Write.Kind != AccessKind::Accumulate || Write.Guard ||
        !isLoopModel(*Callee))
      fail("statement '" + S.Name + "': a range is written");
  }
}

void ProgramVerifier::checkStatement(const Statement &S) {
  if (S.Domain.is_null())
    return fail("statement '" + S.Name + "' has no domain");
  if (nameOf(S.Domain.get_tuple_id()) != S.Name ||
      dimOf(S.Domain, isl::dim::set) != S.getNumIterators())
    fail("statement '" + S.Name +
         "': the domain has another name or dimension");
  isl::id Id = S.Domain.get_tuple_id();
  if (!Id.is_null() && isl_id_get_user(Id.get()))
    fail("statement '" + S.Name + "': its id has a user pointer");
  checkBody(S);
  if (Broken)
    return;
  checkRanges(S);
  for (unsigned I = 0; I < S.Reads.size(); ++I) {
    checkAccess(S, S.Reads[I], S.Body->getArg(I)->getType(), true);
    checkGuard(S, S.Reads[I], I);
  }
  for (unsigned I = 0; I < S.Writes.size(); ++I) {
    checkAccess(S, S.Writes[I],
                S.Body->getReturnType()->getStructElementType(I), false);
    checkGuard(S, S.Writes[I], S.Reads.size());
  }
}

void ProgramVerifier::checkOrder() {
  if (P.Order.is_null())
    return fail("there is no order");
  if (isFalse(P.getDomain().is_subset(P.Order.domain())))
    fail("the order does not contain every instance");
  isl::union_map Order = P.Order.intersect_domain(P.getDomain());
  if (isFalse(Order.is_single_valued()))
    fail("the order puts an instance at several points");
  if (isFalse(Order.is_injective()))
    fail("the order puts two instances at one point");
  isl::size Spaces = isl::manage(isl_union_set_n_set(Order.range().get()));
  if (!Spaces.is_error() && unsigned(Spaces) > 1)
    fail("the order maps to several spaces");
}

/// { a -> b : a and b touch one element, one of them writes, a is executed
/// first
/// }. Accumulations do not conflict with each other: they commute.
isl::union_map ProgramVerifier::getConflicts() const {
  isl::union_map None = isl::union_map::empty(isl::ctx(N.Ctx.get()));
  isl::union_map Reads = None, Writes = None, Sums = None;
  for (const auto &S : P.Statements) {
    for (const Access &A : S->Reads)
      Reads = Reads.unite(isl::union_map(A.Relation));
    for (const Access &A : S->Writes)
      (A.Kind == AccessKind::Write ? Writes : Sums) =
          (A.Kind == AccessKind::Write ? Writes : Sums)
              .unite(isl::union_map(A.Relation));
  }
  isl::union_map Others = Reads.unite(Sums);
  isl::union_map Mixed = Writes.apply_range(Others.reverse())
                             .unite(Sums.apply_range(Reads.reverse()));
  isl::union_map All =
      Writes.apply_range(Writes.reverse()).unite(Mixed).unite(Mixed.reverse());
  return All.intersect(happensBefore(P.Order));
}

void ProgramVerifier::checkTreeNodes() {
  struct Result {
    bool Ok = true;
  } R;
  isl_schedule_foreach_schedule_node_top_down(
      P.Tree.get(),
      [](isl_schedule_node *Node, void *User) -> isl_bool {
        switch (isl_schedule_node_get_type(Node)) {
        case isl_schedule_node_domain:
        case isl_schedule_node_band:
        case isl_schedule_node_sequence:
        case isl_schedule_node_set:
        case isl_schedule_node_filter:
        case isl_schedule_node_mark:
        case isl_schedule_node_leaf:
          return isl_bool_true;
        default:
          static_cast<Result *>(User)->Ok = false;
          return isl_bool_false;
        }
      },
      &R);
  if (!R.Ok)
    fail("the tree has a node that is no band, sequence, filter or mark");
}

void ProgramVerifier::checkTree() {
  if (P.Tree.is_null())
    return;
  checkTreeNodes();
  if (isFalse(P.Tree.get_domain().is_equal(P.getDomain())))
    fail("the tree has other instances than the statements");
  // The order is the meaning of the program only as long as no storage was
  // contracted.
  if (any_of(N.Arrays, [](const auto &A) { return !A->Scope.empty(); }))
    return;
  isl::union_map Conflicts = getConflicts();
  isl::union_map Kept = happensBefore(P.Tree.get_map());
  if (isFalse(Conflicts.is_subset(Kept)))
    fail("the tree does not respect a dependence");
}

bool ProgramVerifier::run() {
  IslQuota Quota(N.Ctx.get());
  checkNames();
  for (const auto &A : N.Arrays)
    checkArray(*A);
  for (const auto &S : P.Statements)
    checkStatement(*S);
  if (!Broken)
    checkOrder();
  if (!Broken)
    checkTree();
  return Broken;
}

bool pardiff::verifyProgram(const Program &P, raw_ostream *OS) {
  return ProgramVerifier(P, OS).run();
}
