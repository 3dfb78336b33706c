//===- Nest/ScopReader.cpp - Copy the model out of Polly's Scop -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Order of work: parameters, condition, statements with their accesses and
// bodies, order and schedule tree, extents of local arrays. The condition comes
// early because two accesses only overlap if they do so for parameters that
// satisfy it.
//
//===----------------------------------------------------------------------===//

#include "Nest/ScopReader.h"
#include "Nest/BodyExtractor.h"
#include "Nest/Gather.h"
#include "Nest/Storage.h"
#include "Nest/SubscriptExtractor.h"
#include "Prepare/Prepare.h"
#include "Support/IslUtils.h"
#include "Support/Reason.h"
#include "Support/SourceName.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "isl/map.h"
#include "isl/schedule.h"
#include "isl/schedule_node.h"
#include "isl/set.h"
#include "isl/union_map.h"

using namespace llvm;
using namespace pardiff;

/// Statements into which one block may be split.
static constexpr unsigned MaxPieces = 8;

ScopReader::ScopReader(polly::Scop &S, bool OnlyBoundsAssumed, Nest &N,
                       Program &P, Function &F, ScalarEvolution &SE,
                       const AccessGuards &Guards)
    : S(S), OnlyBoundsAssumed(OnlyBoundsAssumed), N(N), P(P), F(F), SE(SE),
      Guards(Guards) {}

ScopReader::~ScopReader() = default;

Error ScopReader::read(Conditions &Cond) {
  addParameters();
  if (Error E = readConditions(Cond))
    return E;
  for (polly::ScopStmt &Stmt : S)
    if (Error E = readStatement(Stmt))
      return E;
  for (auto &[St, Body] : Bodies) {
    Body->finish(N, *St);
    St->Body->setDoesNotAccessMemory();
  }
  Bodies.clear();
  if (Error E = finishViews())
    return E;
  if (Error E = readOrder())
    return E;
  if (Error E = finishArrays())
    return E;
  return finishConditions(Cond);
}

//===----------------------------------------------------------------------===//
// Names and parameters
//===----------------------------------------------------------------------===//

/// Words of isl's notation, and letters that isl and the printed bodies use
/// with a number behind them (i0, o1, e2 ...).
static bool isReserved(StringRef Name) {
  static const StringSet<> Words = {
      "and",     "or",     "not",   "exists", "mod",   "floor", "ceil",
      "min",     "max",    "infty", "nan",    "true",  "false", "rat",
      "implies", "lexmin", "NaN",   "S",      "floord"};
  if (Words.contains(Name))
    return true;
  StringRef Number = Name.drop_front();
  return StringRef("iobercstS").contains(Name.front()) && !Number.empty() &&
         all_of(Number, isDigit);
}

std::string ScopReader::makeName(StringRef Wanted, StringRef Fallback) {
  std::string Name;
  for (char C : Wanted)
    Name += isAlnum(C) ? C : '_';
  StringRef Trimmed = StringRef(Name).trim('_');
  Name = Trimmed.empty() ? Fallback.str() : Trimmed.str();
  if (isDigit(Name.front()) || isReserved(Name))
    Name = "v_" + Name;
  std::string Unique = Name;
  for (unsigned I = 1; !Names.insert(Unique).second; ++I)
    Unique = Name + "_" + std::to_string(I);
  return Unique;
}

isl::id ScopReader::makeId(StringRef Name) const {
  return isl::manage(isl_id_alloc(N.Ctx.get(), Name.str().c_str(), nullptr));
}

/// What the source calls an expression, seen through casts.
static StringRef findName(const SCEV *S) {
  while (auto *Cast = dyn_cast<SCEVCastExpr>(S))
    S = Cast->getOperand();
  auto *U = dyn_cast<SCEVUnknown>(S);
  if (!U)
    return "";
  Value *V = U->getValue();
  StringRef Name = getSourceName(V);
  while (isa<CastInst, FreezeInst>(V)) {
    V = cast<Instruction>(V)->getOperand(0);
    if (StringRef Inner = getSourceName(V); !Inner.empty())
      Name = Inner;
  }
  return Name;
}

void ScopReader::addParameters() {
  for (const SCEV *Param : S.parameters()) {
    ParamIndex[Param] = N.Params.size();
    std::string Name =
        makeName(findName(Param), "p" + std::to_string(N.Params.size()));
    N.Params.push_back({makeId(Name), nullptr});
    ParamValues.push_back(Param);
  }
}

std::optional<unsigned> ScopReader::findParam(const SCEV *E) const {
  auto It = ParamIndex.find(E);
  if (It == ParamIndex.end())
    return std::nullopt;
  return It->second;
}

std::optional<unsigned> ScopReader::getParam(const SCEV *E) {
  if (std::optional<unsigned> Old = findParam(E))
    return Old;
  if (!E->getType()->isIntegerTy() || E->getType()->getIntegerBitWidth() > 64)
    return std::nullopt;
  unsigned Index = N.Params.size();
  ParamIndex[E] = Index;
  N.Params.push_back(
      {makeId(makeName(findName(E), "p" + std::to_string(Index))), nullptr});
  ParamValues.push_back(E);
  return Index;
}

bool ScopReader::isInvariant(const SCEV *E) const {
  return !SCEVExprContains(E, [&](const SCEV *Part) {
    if (isa<SCEVAddRecExpr>(Part))
      return S.contains(cast<SCEVAddRecExpr>(Part)->getLoop());
    auto *U = dyn_cast<SCEVUnknown>(Part);
    auto *I = U ? dyn_cast<Instruction>(U->getValue()) : nullptr;
    return I && S.contains(I);
  });
}

//===--- Polly's ids replaced by ours -------------------------------------===//

static isl::set setParamId(isl::set X, unsigned I, isl::id Id) {
  return X.set_dim_id(isl::dim::param, I, Id);
}
static isl::map setParamId(isl::map X, unsigned I, isl::id Id) {
  return isl::manage(
      isl_map_set_dim_id(X.release(), isl_dim_param, I, Id.release()));
}
static isl::pw_aff setParamId(isl::pw_aff X, unsigned I, isl::id Id) {
  return isl::manage(
      isl_pw_aff_set_dim_id(X.release(), isl_dim_param, I, Id.release()));
}
static isl_id *getParamId(const isl::set &X, unsigned I) {
  return isl_set_get_dim_id(X.get(), isl_dim_param, I);
}
static isl_id *getParamId(const isl::map &X, unsigned I) {
  return isl_map_get_dim_id(X.get(), isl_dim_param, I);
}
static isl_id *getParamId(const isl::pw_aff &X, unsigned I) {
  return isl_pw_aff_get_dim_id(X.get(), isl_dim_param, I);
}

/// Polly's parameter ids carry the SCEV as user pointer. A null object results
/// if there is an id that is not Polly's.
template <typename T> T ScopReader::renameParams(T Obj) const {
  for (unsigned I = 0, E = dimOf(Obj, isl::dim::param); I < E; ++I) {
    isl::id Old = isl::manage(getParamId(Obj, I));
    auto *Param = static_cast<const SCEV *>(isl_id_get_user(Old.get()));
    std::optional<unsigned> Index = Param ? findParam(Param) : std::nullopt;
    if (!Index)
      return T();
    Obj = setParamId(Obj, I, N.Params[*Index].Id);
  }
  return Obj;
}

//===----------------------------------------------------------------------===//
// Arrays and accesses
//===----------------------------------------------------------------------===//

Expected<Array *> ScopReader::getArray(const polly::ScopArrayInfo *SAI,
                                       const Instruction *At) {
  auto It = Arrays.find(SAI);
  if (It != Arrays.end())
    return It->second;
  Type *Ty = SAI->getElementType();
  if (!Ty->isFloatingPointTy() &&
      !(Ty->isIntegerTy() && Ty->getIntegerBitWidth() <= 64))
    return refuse(Reason::UnsupportedValue,
                  Ty->isPointerTy() ? "pointer" : "element that is no number",
                  At);
  Value *Base = SAI->getBasePtr();
  std::string Name =
      makeName(Base ? getSourceName(Base) : "", SAI->isArrayKind() ? "A" : "s");
  Array *A = N.addArray(Name, ArrayKind::Slot, Ty);
  Arrays[SAI] = A;
  if (!SAI->isArrayKind())
    return A; // a value that crosses from one statement to another
  Storage St = classifyStorage(Base, F);
  A->Kind = St.Kind;
  A->LiveIn = St.LiveIn;
  A->LiveOut = St.LiveOut;
  A->Base = Base;
  if (A->Kind == ArrayKind::Slot)
    return A;
  auto &Sizes = ExtentValues[A];
  for (unsigned D = 0; D < SAI->getNumberOfDimensions(); ++D) {
    const SCEV *Size = D ? SAI->getDimensionSize(D) : nullptr;
    isl::pw_aff Extent;
    if (Size) {
      Extent = renameParams(SAI->getDimensionSizePw(D));
      Extent =
          isl::manage(isl_pw_aff_project_domain_on_params(Extent.release()));
      if (Extent.is_null())
        return refuse(Reason::IslFailed, "extent of array '" + A->Name + "'",
                      At);
    }
    A->Shape.push_back(Extent);
    Sizes.push_back(Size);
  }
  return A;
}

Array *ScopReader::getArgumentSlot(Argument &Arg) {
  Array *&A = ArgumentSlots[&Arg];
  if (!A) {
    A = N.addArray(makeName(getSourceName(&Arg), "s"), ArrayKind::Slot,
                   Arg.getType());
    A->LiveIn = true;
  }
  return A;
}

Expected<isl::map> ScopReader::getRelation(const polly::MemoryAccess &MA,
                                           const Array &A, const isl::id &Stmt,
                                           const isl::set &Domain) {
  isl::map Rel = MA.getLatestAccessRelation().intersect_domain(Domain);
  if (A.Kind == ArrayKind::Slot)
    Rel = Rel.project_out(isl::dim::out, 0, dimOf(Rel, isl::dim::out));
  Rel = renameParams(Rel);
  if (Rel.is_null())
    return refuse(Reason::IslFailed, "access relation",
                  MA.getAccessInstruction());
  Rel = coalesceChecked(Rel.set_tuple_id(isl::dim::in, Stmt)
                            .set_tuple_id(isl::dim::out, makeId(A.Name))
                            .intersect_params(N.Context));
  isl::set Total =
      renameParams(Domain).set_tuple_id(Stmt).intersect_params(N.Context);
  isl::boolean Ok = Rel.is_single_valued();
  if (isTrue(Ok))
    Ok = Total.is_subset(Rel.domain());
  if (Ok.is_error())
    return refuse(Reason::IslFailed, "access relation",
                  MA.getAccessInstruction());
  if (isFalse(Ok))
    return refuse(Reason::PartialAccess, "array '" + A.Name + "'",
                  MA.getAccessInstruction());
  return Rel;
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

PendingView &ScopReader::getView(const CallInst &Call, unsigned Param) {
  auto &V = Views[{&Call, Param}];
  if (!V)
    V = std::make_unique<PendingView>(Call.getContext());
  return *V;
}

Array *ScopReader::addView(Value *Base, Type *ElemTy) {
  std::string Name = makeName((getSourceName(Base) + "_at").str(), "A_at");
  Array *A = N.addArray(Name, ArrayKind::Memory, ElemTy);
  A->Base = Base;
  return A;
}

/// How a message calls the array that a view leads to.
static std::string nameArray(Value &Base) {
  StringRef Name = getSourceName(&Base);
  return Name.empty() ? "an array" : ("array '" + Name + "'").str();
}

/// Subscripts are evaluated again in the reverse sweep, and elements of views
/// are taken to be independent: what they read may not be written in the nest,
/// nor what they lead to. What is summed into is accessed in no other way.
Error ScopReader::finishViews() {
  SmallPtrSet<const Value *, 8> Written;
  for (const auto &St : P.Statements)
    for (const Access &W : St->Writes)
      if (W.Arr->Base)
        Written.insert(W.Arr->Base);
  SmallPtrSet<const Value *, 8> Otherwise;
  SmallPtrSet<const Array *, 8> Summed;
  for (auto &[Key, Pending] : Views)
    if (isScatter(*Key.first))
      Summed.insert(Pending->Arr);
  for (const auto &A : N.Arrays)
    if (A->Base && !Summed.contains(A.get()))
      Otherwise.insert(A->Base);
  for (auto &[Key, Pending] : Views) {
    const CallInst *Call = Key.first;
    Array *A = Pending->Arr;
    bool IsSum = Summed.contains(A);
    auto View = std::make_shared<Subscript>();
    View->Arrays = Pending->Arrays;
    for (const Array *X : View->Arrays)
      if (Written.contains(X->Base))
        return refuse(
            Reason::IndirectSubscript,
            "array '" + X->Name + "' is written and used in subscripts", Call);
    if (IsSum && Otherwise.contains(A->Base))
      return refuse(
          Reason::IndirectSubscript,
          nameArray(*A->Base) + " is summed into and accessed otherwise", Call);
    if (!IsSum && Written.contains(A->Base))
      return refuse(Reason::IndirectSubscript,
                    nameArray(*A->Base) + " is also written", Call);
    for (const auto &Other : N.Arrays)
      if (Other->Base == A->Base && Other->ElemTy != A->ElemTy)
        return refuse(Reason::MixedElementTypes, "array '" + A->Name + "'",
                      Call);
    // Extents that never serve to find an element.
    for (unsigned D = 1; D < A->getNumDims(); ++D)
      A->Shape[D] = isl::pw_aff(N.Context, isl::val::one(N.Context.ctx()));
    View->Fn = Pending->Body.finish(N, "subscript." + A->Name);
    A->View = std::move(View);
  }
  Views.clear();
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

Error ScopReader::readStatement(polly::ScopStmt &Stmt) {
  if (Stmt.isRegionStmt()) {
    const Instruction *Br = Stmt.getEntryBlock()->getTerminator();
    return refuse(Reason::DataDependentBranch, "", Br);
  }
  if (!Stmt.isBlockStmt())
    return refuse(Reason::NotAffine, "");
  return addPieces(Stmt, Stmt.getDomain(), MaxPieces);
}

/// Adds one statement for the part Domain of Stmt's domain, or several if the
/// body is not the same on all of it.
Error ScopReader::addPieces(polly::ScopStmt &Stmt, isl::set Domain,
                            unsigned Budget) {
  auto St = std::make_unique<Statement>();
  St->Name = "S" + std::to_string(NextStatement);
  isl::id Id = makeId(St->Name);
  St->Domain = coalesceChecked(
      renameParams(Domain).set_tuple_id(Id).intersect_params(N.Context));
  if (St->Domain.is_null())
    return refuse(Reason::IslFailed, "domain of a statement");
  for (unsigned D = 0; D < Stmt.getNumIterators(); ++D)
    St->Loops.push_back(getLoopId(Stmt.getLoopForDimension(D)));
  for (Instruction &I : *Stmt.getBasicBlock())
    if (!St->Loc)
      St->Loc = I.getDebugLoc();

  BodyExtractor Extractor(*this, Stmt, *St, Id, Domain, Valid);
  Expected<std::optional<isl::set>> Split = Extractor.extract();
  if (!Split)
    return Split.takeError();
  if (!*Split) {
    ++NextStatement;
    if (St->Writes.empty())
      return Error::success();
    Bodies.push_back({St.get(), Extractor.takeBody()});
    Pieces[&Stmt].push_back({St.get(), Domain});
    P.Statements.push_back(std::move(St));
    return Error::success();
  }

  if (Budget < 2)
    return refuse(Reason::OverlappingAccess, "",
                  Stmt.getBasicBlock()->getTerminator());
  isl::set Part = unrenamed(**Split, Domain);
  isl::set Rest = Domain.subtract(Part);
  Part = Domain.intersect(Part);
  for (const isl::set &Half : {Part, Rest}) {
    isl::boolean Empty = Half.is_empty();
    if (Empty.is_error())
      return refuse(Reason::IslFailed, "domain of a statement");
    if (isFalse(Empty))
      if (Error E = addPieces(Stmt, Half, Budget / 2))
        return E;
  }
  return Error::success();
}

unsigned ScopReader::getLoopId(const Loop *L) {
  if (LoopIds.empty())
    for (const Loop *X : S.getLI()->getLoopsInPreorder())
      LoopIds[X] = LoopIds.size();
  return LoopIds.lookup(L);
}

/// A set of our statement's instances as a set of Polly's.
isl::set ScopReader::unrenamed(isl::set X, const isl::set &Model) const {
  for (unsigned I = 0, E = dimOf(X, isl::dim::param); I < E; ++I) {
    isl::id Id = isl::manage(getParamId(X, I));
    for (unsigned K = 0; K < N.Params.size(); ++K)
      if (N.Params[K].Id.get() == Id.get())
        X = setParamId(X, I, S.getIdForParam(ParamValues[K]));
  }
  return X.set_tuple_id(Model.get_tuple_id());
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

/// Polly's statements replaced by the pieces that we made of them. Statements
/// that have no effect are dropped.
isl::union_map ScopReader::renameStatements(const isl::union_map &M) const {
  isl::union_map Result = isl::union_map::empty(M.ctx());
  bool Failed = M.is_null();
  if (Failed)
    return isl::union_map();
  isl::stat Stat = M.foreach_map([&](isl::map Map) {
    isl::id Id = Map.get_tuple_id(isl::dim::in);
    auto *Stmt = static_cast<polly::ScopStmt *>(isl_id_get_user(Id.get()));
    auto It = Pieces.find(Stmt);
    if (It == Pieces.end())
      return isl::stat::ok();
    for (const StatementPiece &Piece : It->second) {
      isl::map New = renameParams(Map.intersect_domain(Piece.Domain));
      New = New.set_tuple_id(isl::dim::in, makeId(Piece.S->Name));
      Result = Result.unite(isl::union_map(New));
    }
    return Result.is_null() ? isl::stat::error() : isl::stat::ok();
  });
  return Stat.is_ok() ? Result : isl::union_map();
}

isl::union_set ScopReader::renameStatements(const isl::union_set &X) const {
  return renameStatements(isl::union_map::from_domain(X)).domain();
}

/// Rebuilds the tree below Node for the instances in Domain. Null on an error.
isl::schedule ScopReader::readTree(isl::schedule_node Node,
                                   isl::union_set Domain) const {
  switch (isl_schedule_node_get_type(Node.get())) {
  case isl_schedule_node_leaf:
    return isl::schedule::from_domain(Domain);
  case isl_schedule_node_domain:
  case isl_schedule_node_mark:
    return readTree(Node.child(0), Domain);
  case isl_schedule_node_band: {
    isl::schedule Below = readTree(Node.child(0), Domain);
    if (isl_schedule_node_band_n_member(Node.get()) == 0)
      return Below;
    isl_union_map *Polly = isl_union_map_from_multi_union_pw_aff(
        isl_schedule_node_band_get_partial_schedule(Node.get()));
    isl::union_map Band =
        renameStatements(isl::manage(Polly)).intersect_domain(Domain);
    if (Below.is_null() || Band.is_null())
      return isl::schedule();
    isl_multi_union_pw_aff *Partial = isl_multi_union_pw_aff_reset_tuple_id(
        isl_multi_union_pw_aff_from_union_map(Band.release()), isl_dim_set);
    return isl::manage(
        isl_schedule_insert_partial_schedule(Below.release(), Partial));
  }
  case isl_schedule_node_sequence:
  case isl_schedule_node_set: {
    isl::schedule Result;
    for (int I = 0, E = isl_schedule_node_n_children(Node.get()); I < E; ++I) {
      isl::schedule_node Filter = Node.child(I);
      isl::union_set Part =
          isl::manage(isl_schedule_node_filter_get_filter(Filter.get()));
      Part = renameStatements(Part).intersect(Domain);
      isl::boolean Empty = Part.is_empty();
      if (isTrue(Empty))
        continue;
      isl::schedule Child = readTree(Filter.child(0), Part);
      if (Child.is_null())
        return Child;
      Result = Result.is_null() ? Child : Result.sequence(Child);
    }
    return Result;
  }
  default:
    return isl::schedule();
  }
}

Error ScopReader::readOrder() {
  isl::union_set Domain = P.getDomain();
  P.Order = renameStatements(S.getSchedule()).intersect_domain(Domain);
  if (P.Order.is_null())
    return refuse(Reason::IslFailed, "order of statements");
  if (P.Statements.empty())
    return Error::success();
  P.Tree = readTree(S.getScheduleTree().get_root(), Domain);
  if (P.Tree.is_null())
    return refuse(Reason::IslFailed, "schedule tree");
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Values in the entry block
//===----------------------------------------------------------------------===//

/// The outermost extent of a local array is what is accessed of it.
Error ScopReader::finishArrays() {
  for (const auto &A : N.Arrays) {
    if (A->Kind != ArrayKind::Local || A->Shape.empty())
      continue;
    isl::pw_aff Last = getAccessRange(P, *A).Max.front();
    if (Last.is_null())
      return refuse(Reason::IslFailed, "extent of array '" + A->Name + "'");
    isl::pw_aff Extent = Last.add_constant(1);
    isl::set Unused = Extent.domain().complement();
    isl::pw_aff None = isl::manage(
        isl_pw_aff_val_on_domain(Unused.release(), isl_val_zero(N.Ctx.get())));
    A->Shape.front() = coalesceChecked(Extent.union_add(None));
    if (A->Shape.front().is_null())
      return refuse(Reason::IslFailed, "extent of array '" + A->Name + "'");
  }
  return Error::success();
}

Error ScopReader::materialise() {
  Instruction *End = F.getEntryBlock().getTerminator();
  IRBuilder<> B(End);
  SCEVExpander Expander(SE, "pardiff");
  auto Expand = [&](const SCEV *E) -> Value * {
    if (!E->getType()->isIntOrPtrTy() || !Expander.isSafeToExpandAt(E, End))
      return nullptr;
    Value *V = Expander.expandCodeFor(E, E->getType(), End->getIterator());
    return V->getType()->isPointerTy() ? B.CreatePtrToInt(V, B.getInt64Ty())
                                       : B.CreateSExt(V, B.getInt64Ty());
  };
  for (unsigned I = 0; I < ParamValues.size(); ++I) {
    N.Params[I].V = Expand(ParamValues[I]);
    if (!N.Params[I].V)
      return refuse(Reason::UnsupportedValue,
                    "size '" + nameOf(N.Params[I].Id) + "'");
  }
  for (const auto &A : N.Arrays)
    for (const SCEV *Size : ExtentValues.lookup(A.get())) {
      A->Extents.push_back(Size ? Expand(Size) : nullptr);
      if (Size && !A->Extents.back())
        return refuse(Reason::UnsupportedValue,
                      "extent of array '" + A->Name + "'");
    }

  IRBuilder<> Top(&F.getEntryBlock(), F.getEntryBlock().getFirstInsertionPt());
  LLVMContext &C = F.getContext();
  for (const auto &A : N.Arrays)
    if (A->Kind == ArrayKind::Slot && !A->Base) {
      AllocaInst *Slot = Top.CreateAlloca(A->ElemTy, nullptr, A->Name);
      Slot->setMetadata(SlotMetadata,
                        MDNode::get(C, MDString::get(C, "scalar")));
      A->Base = Slot;
    }
  for (auto &[Arg, A] : ArgumentSlots) {
    Metadata *Ops[] = {MDString::get(C, "arg"),
                       ConstantAsMetadata::get(B.getInt32(Arg->getArgNo()))};
    cast<AllocaInst>(A->Base)->setMetadata(SlotMetadata, MDNode::get(C, Ops));
    B.CreateStore(Arg, A->Base);
  }
  return Error::success();
}
