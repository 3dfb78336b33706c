//===- Adjoint/AdjointStatement.cpp - Build one adjoint statement
//-----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Adjoint/AdjointStatement.h"
#include "Support/Reason.h"
#include "llvm/IR/IRBuilder.h"
#include "isl/aff.h"
#include "isl/map.h"
#include "isl/val.h"

using namespace llvm;
using namespace pardiff;

/// Producers of producers that a recomputation follows before it gives up. A
/// plan that goes deeper is not economical, and a cyclic one would not end.
static constexpr unsigned MaxRecomputeDepth = 16;

/// How a body gets one value: read K of the statement, or a producer's result.
struct AdjointStatementBuilder::Value {
  int Read = -1;            ///< index into Reads, or -1
  Function *Code = nullptr; ///< the producer's body with one result
  isl::map Instance; ///< this statement's instance -> producer's instance
  SmallVector<std::unique_ptr<Value>, 4>
      Operands; ///< its reads; null if not used
  /// Zero unless these reads, one for each moving iterator of the chain, name
  /// this instance.
  const Choice *Chain = nullptr;
  SmallVector<unsigned, 2> Last;
};

struct AdjointStatementBuilder::GuardValue {
  Function *Primal = nullptr;
  SmallVector<std::unique_ptr<Value>, 4> Operands; ///< null if not used
};

AdjointStatementBuilder::AdjointStatementBuilder(
    Nest &N, const TapePlan &Plan,
    const MapVector<const Array *, Array *> &Shadows)
    : N(N), Plan(Plan), Shadows(Shadows) {}
AdjointStatementBuilder::~AdjointStatementBuilder() = default;

/// Guards only use reads that are there already.
unsigned AdjointStatementBuilder::addRead(Array &A, const isl::map &Relation,
                                          int Guard) {
  for (const auto &[I, R] : enumerate(Reads))
    if (R.Arr == &A && (ReadGuards[I] < 0 || ReadGuards[I] == Guard) &&
        R.Relation.is_equal(Relation).is_true())
      return I;
  Reads.push_back({AccessKind::Read, &A, Relation});
  ReadGuards.push_back(Guard);
  return Reads.size() - 1;
}

/// The value of read R of S itself.
Expected<std::unique_ptr<AdjointStatementBuilder::Value>>
AdjointStatementBuilder::resolveRead(const Statement &S, unsigned R,
                                     const isl::map &Here) {
  auto It = Plan.Reads.find({&S, R});
  if (It == Plan.Reads.end())
    return refuse(Reason::ValueNotKept, S.Name, S.Loc);
  Expected<int> Guard = addGuard(S.Reads[R].Guard, S, Here);
  if (!Guard)
    return Guard.takeError();
  return resolve(It->second, Here, 0, *Guard);
}

/// The index of a guard of S, with what it needs; negative for none.
Expected<int> AdjointStatementBuilder::addGuard(Function *Guard,
                                                const Statement &S,
                                                const isl::map &Here) {
  if (!Guard)
    return -1;
  for (const auto &[I, G] : enumerate(Guards))
    if (G->Primal == Guard)
      return I;
  auto New = std::make_unique<GuardValue>();
  New->Primal = Guard;
  New->Operands.resize(S.Reads.size());
  for (unsigned R = 0; R < S.Reads.size(); ++R) {
    if (!usesArgument(*Guard, R))
      continue;
    auto Operand = resolveRead(S, R, Here);
    if (!Operand)
      return Operand.takeError();
    New->Operands[R] = std::move(*Operand);
  }
  Guards.push_back(std::move(New));
  return Guards.size() - 1;
}

/// A function of the new body's arguments that tells whether one of the guards
/// holds.
Expected<Function *>
AdjointStatementBuilder::emitGuard(ArrayRef<unsigned> Which, const Statement &S,
                                   FunctionType *BodyTy, const Twine &Name) {
  LLVMContext &C = N.Bodies->getContext();
  StructType *ResultTy = StructType::get(Type::getInt1Ty(C));
  Function *F =
      Function::Create(FunctionType::get(ResultTy, BodyTy->params(), false),
                       GlobalValue::InternalLinkage, Name, *N.Bodies);
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  SmallVector<llvm::Value *, 8> All;
  for (Argument &A : F->args())
    All.push_back(&A);
  ArrayRef<llvm::Value *> Others = ArrayRef(All).drop_front(Reads.size());
  ArrayRef<llvm::Value *> Iterators = Others.take_front(S.getNumIterators());
  ArrayRef<llvm::Value *> Params = Others.drop_front(S.getNumIterators());
  llvm::Value *Any = nullptr;
  for (unsigned I : Which) {
    const GuardValue &G = *Guards[I];
    SmallVector<llvm::Value *, 8> Args;
    for (const auto &[R, Operand] : enumerate(G.Operands)) {
      if (!Operand) {
        Args.push_back(PoisonValue::get(G.Primal->getArg(R)->getType()));
        continue;
      }
      auto Arg = emitValue(*Operand, *F, Iterators, Params, B);
      if (!Arg)
        return Arg.takeError();
      Args.push_back(*Arg);
    }
    append_range(Args, Others);
    llvm::Value *Holds = inlineBody(*G.Primal, Args, B).front();
    Any = Any ? B.CreateOr(Any, Holds) : Holds;
  }
  B.CreateRet(B.CreateInsertValue(PoisonValue::get(ResultTy), Any, 0));
  simplifyBody(*F);
  return F;
}

isl::map
AdjointStatementBuilder::getShadowRelation(const Array &Shadow,
                                           const isl::map &Primal) const {
  isl::map R = Primal.set_tuple_id(
      isl::dim::out, isl::id::alloc(Primal.ctx(), Shadow.Name, nullptr));
  if (Shadow.PrivateDims == 0 || R.is_null())
    return R;
  // S[i] -> [i_0, ..., i_(P-1)], in front of the element's own index.
  isl::map Private = isl::map::identity(R.domain().get_space().map_from_set());
  unsigned NumIn = isl_map_dim(R.get(), isl_dim_in);
  Private = Private.project_out(isl::dim::out, Shadow.PrivateDims,
                                NumIn - Shadow.PrivateDims);
  Private = Private.intersect_domain(R.domain());
  isl::map Element = isl::manage(isl_map_reset_tuple_id(R.copy(), isl_dim_out));
  return Private.flat_range_product(Element).set_tuple_id(
      isl::dim::out, isl::id::alloc(Primal.ctx(), Shadow.Name, nullptr));
}

Expected<std::unique_ptr<AdjointStatementBuilder::Value>>
AdjointStatementBuilder::resolve(const KeptValue &K, const isl::map &Here,
                                 unsigned Depth, int Guard) {
  if (Depth > MaxRecomputeDepth)
    return refuse(Reason::RecomputeTooDeep);
  auto V = std::make_unique<Value>();
  if (K.How != Keep::Recompute) {
    isl::map Relation = Here.apply_range(K.From.Relation);
    if (Relation.is_null())
      return refuse(Reason::IslFailed, "value of the adjoint");
    V->Read = addRead(*K.From.Arr, Relation, Guard);
    return V;
  }
  const Statement &P = *K.Producer;
  V->Instance = Here.apply_range(K.Instance);
  if (V->Instance.is_null())
    return refuse(Reason::IslFailed, "instance of a recomputed value");
  V->Code = selectResults(*P.Body, {K.Write});
  V->Operands.resize(P.Reads.size());
  for (unsigned R = 0; R < P.Reads.size(); ++R) {
    if (!usesArgument(*V->Code, R))
      continue;
    auto It = Plan.Reads.find({&P, R});
    if (It == Plan.Reads.end() || P.Reads[R].Guard)
      return refuse(Reason::ValueNotKept, P.Name);
    auto Operand = resolve(It->second, V->Instance, Depth + 1);
    if (!Operand)
      return Operand.takeError();
    V->Operands[R] = std::move(*Operand);
  }
  return V;
}

/// Emits the coordinates of Instance (statement instance -> producer instance)
/// from the iterators and parameters. Only single-piece affine instances: a
/// planner that wants others has to keep the value.
Error AdjointStatementBuilder::emitIndices(
    const isl::map &Instance, ArrayRef<llvm::Value *> Iterators,
    ArrayRef<llvm::Value *> Params, IRBuilder<> &B,
    SmallVectorImpl<llvm::Value *> &Out) {
  isl::pw_multi_aff Index = Instance.as_pw_multi_aff();
  if (Index.is_null())
    return refuse(Reason::IslFailed, "instance of a recomputed value");
  Index = Index.gist(Instance.domain());
  auto Constant = [&](const isl::val &V) {
    return ConstantInt::getSigned(B.getInt64Ty(), isl_val_get_num_si(V.get()));
  };
  unsigned NumOut = isl_pw_multi_aff_dim(Index.get(), isl_dim_out);
  for (unsigned D = 0; D < NumOut; ++D) {
    isl::pw_aff Piecewise =
        isl::manage(isl_pw_multi_aff_get_pw_aff(Index.get(), D));
    if (Piecewise.is_null() || isl_pw_aff_n_piece(Piecewise.get()) != 1)
      return refuse(Reason::RecomputeNotAffine);
    isl::aff A = Piecewise.as_aff();
    if (A.is_null() || isl_aff_dim(A.get(), isl_dim_div) != 0 ||
        isl::manage(isl_aff_get_denominator_val(A.get())).is_one().is_false())
      return refuse(Reason::RecomputeNotAffine);
    llvm::Value *Sum = Constant(isl::manage(isl_aff_get_constant_val(A.get())));
    auto AddTerms = [&](isl_dim_type Type, unsigned Count, auto GetValue) {
      for (unsigned I = 0; I < Count; ++I) {
        isl::val C = isl::manage(isl_aff_get_coefficient_val(A.get(), Type, I));
        if (C.is_zero().is_true())
          continue;
        Sum = B.CreateAdd(Sum, B.CreateMul(Constant(C), GetValue(I)));
      }
    };
    AddTerms(isl_dim_in, Iterators.size(),
             [&](unsigned I) { return Iterators[I]; });
    isl::space Space = A.domain_space();
    AddTerms(isl_dim_param, isl_aff_dim(A.get(), isl_dim_param),
             [&](unsigned I) -> llvm::Value * {
               isl::id Id = Space.get_dim_id(isl::dim::param, I);
               for (const auto &[P, Value] : zip(N.Params, Params))
                 if (P.Id.get() == Id.get())
                   return Value;
               llvm_unreachable("a parameter of the nest");
             });
    Out.push_back(Sum);
  }
  return Error::success();
}

Expected<llvm::Value *> AdjointStatementBuilder::emitValue(
    const Value &V, Function &F, ArrayRef<llvm::Value *> Iterators,
    ArrayRef<llvm::Value *> Params, IRBuilder<> &B) {
  if (V.Read >= 0) {
    llvm::Value *Seed = F.getArg(V.Read);
    for (const auto &[K, Last] : enumerate(V.Last)) {
      llvm::Value *Here =
          B.CreateAdd(Iterators[V.Chain->Moving[K]], B.getInt64(1));
      Seed = B.CreateSelect(B.CreateICmpEQ(F.getArg(Last), Here), Seed,
                            Constant::getNullValue(Seed->getType()));
    }
    return Seed;
  }
  SmallVector<llvm::Value *, 8> Args;
  for (const auto &[I, Operand] : enumerate(V.Operands)) {
    if (!Operand) {
      Args.push_back(PoisonValue::get(V.Code->getArg(I)->getType()));
      continue;
    }
    auto Arg = emitValue(*Operand, F, Iterators, Params, B);
    if (!Arg)
      return Arg.takeError();
    Args.push_back(*Arg);
  }
  unsigned NumIndices = V.Code->arg_size() - V.Operands.size() - Params.size();
  bool UsesIndices = false;
  for (unsigned I = 0; I < NumIndices; ++I)
    UsesIndices |= usesArgument(*V.Code, V.Operands.size() + I);
  if (UsesIndices) {
    if (Error E = emitIndices(V.Instance, Iterators, Params, B, Args))
      return std::move(E);
  } else {
    Args.append(NumIndices, PoisonValue::get(B.getInt64Ty()));
  }
  append_range(Args, Params);
  return inlineBody(*V.Code, Args, B).front();
}

/// Gives the reads, and the writes of New, their guards.
Error AdjointStatementBuilder::addGuards(
    Statement &New, const Statement &S,
    ArrayRef<SmallVector<unsigned, 1>> WriteGuards) {
  SmallVector<std::pair<ArrayRef<unsigned>, Function *>, 4> Made;
  auto Set = [&](Access &A, ArrayRef<unsigned> Which) -> Error {
    if (Which.empty())
      return Error::success();
    for (const auto &[Key, F] : Made)
      if (Key == Which) {
        A.Guard = F;
        return Error::success();
      }
    auto F = emitGuard(Which, S, New.Body->getFunctionType(),
                       New.Name + ".guard." + Twine(Made.size()));
    if (!F)
      return F.takeError();
    Made.push_back({Which, *F});
    A.Guard = *F;
    return Error::success();
  };
  SmallVector<unsigned, 8> Single(ReadGuards.begin(), ReadGuards.end());
  for (const auto &[I, R] : enumerate(Reads))
    if (ReadGuards[I] >= 0)
      if (Error E = Set(R, ArrayRef(Single).slice(I, 1)))
        return E;
  for (const auto &[W, Which] : zip(New.Writes, WriteGuards))
    if (Error E = Set(W, Which))
      return E;
  return Error::success();
}

void AdjointStatementBuilder::clear() {
  Reads.clear();
  ReadGuards.clear();
  Guards.clear();
}

/// A statement without accesses and body.
std::unique_ptr<Statement>
AdjointStatementBuilder::start(StringRef Name, const Statement &S,
                               const isl::set &Domain) const {
  auto Result = std::make_unique<Statement>();
  Result->Name = Name.str();
  Result->Domain =
      Domain.set_tuple_id(isl::id::alloc(Domain.ctx(), Name.str(), nullptr));
  Result->Loops = S.Loops;
  Result->Origin = &S;
  Result->Loc = S.Loc;
  return Result;
}

/// Gives New the reads, and all its accesses its name.
Error AdjointStatementBuilder::finish(Statement &New, const isl::set &Domain) {
  isl::id Id = New.Domain.get_tuple_id();
  New.Reads = std::move(Reads);
  for (Access &A : concat<Access>(New.Reads, New.Writes)) {
    A.Relation =
        A.Relation.intersect_domain(Domain).set_tuple_id(isl::dim::in, Id);
    if (A.Relation.is_null())
      return refuse(Reason::IslFailed, "access of the adjoint");
  }
  if (New.Domain.is_null())
    return refuse(Reason::IslFailed, "domain of the adjoint");
  return Error::success();
}

Expected<std::unique_ptr<Statement>>
AdjointStatementBuilder::buildChoiceEnd(StringRef Name, const Choice &C,
                                        const isl::set &Domain) {
  clear();
  const Statement &S = *C.S;
  std::unique_ptr<Statement> Result = start(Name, S, Domain);
  Array &Shadow = *Shadows.lookup(S.Writes[C.Write].Arr);
  Array &Tape = *C.Tapes.front();
  isl::map Element = getShadowRelation(
      Shadow, S.Writes[C.Write].Relation.intersect_domain(Domain));
  addRead(Tape, C.getPlace(Tape));
  addRead(Shadow, Element);

  LLVMContext &Ctx = N.Bodies->getContext();
  SmallVector<Type *, 8> Params = {Tape.ElemTy, Shadow.ElemTy};
  Params.append(S.getNumIterators() + N.Params.size(), Type::getInt64Ty(Ctx));
  StructType *ResultTy = StructType::get(Shadow.ElemTy);
  Function *F = Function::Create(FunctionType::get(ResultTy, Params, false),
                                 GlobalValue::InternalLinkage, Name, *N.Bodies);
  IRBuilder<> B(BasicBlock::Create(Ctx, "entry", F));
  llvm::Value *Kept = B.CreateSelect(
      B.CreateICmpEQ(F->getArg(0), Constant::getNullValue(Tape.ElemTy)),
      F->getArg(1), Constant::getNullValue(Shadow.ElemTy));
  B.CreateRet(B.CreateInsertValue(PoisonValue::get(ResultTy), Kept, 0));
  Result->Body = F;
  Result->Writes.push_back({AccessKind::Write, &Shadow, Element});
  if (Error E = finish(*Result, Domain))
    return std::move(E);
  return Result;
}

Expected<std::unique_ptr<Statement>>
AdjointStatementBuilder::build(StringRef Name, const Statement &S,
                               const isl::set &Domain, const Vjp *V,
                               ArrayRef<ShadowWrite> Writes) {
  clear();
  std::unique_ptr<Statement> Result = start(Name, S, Domain);
  auto Chain = Plan.Choices.find(&S);

  // Where the arguments of the product come from.
  SmallVector<unsigned, 4> Fields;
  for (const ShadowWrite &W : Writes)
    append_range(Fields, W.Fields);
  Function *Code = Fields.empty() ? nullptr : selectResults(*V->Fn, Fields);
  unsigned NumReads = S.Reads.size(), NumWrites = S.Writes.size();
  unsigned NumOthers = S.getNumIterators() + N.Params.size();
  SmallVector<std::unique_ptr<Value>, 8> Args; // of Code; null: not used
  isl::map Here = isl::map::identity(Domain.get_space().map_from_set())
                      .intersect_domain(Domain);
  if (Code) {
    Args.resize(Code->arg_size());
    for (unsigned R = 0; R < NumReads; ++R) {
      if (!usesArgument(*Code, R))
        continue;
      auto Resolved = resolveRead(S, R, Here);
      if (!Resolved)
        return Resolved.takeError();
      Args[R] = std::move(*Resolved);
    }
    for (unsigned W = 0; W < NumWrites; ++W) {
      unsigned Result = NumReads + NumOthers + W;
      unsigned Seed = Result + NumWrites;
      if (!usesArgument(*Code, Result) && !usesArgument(*Code, Seed))
        continue;
      Expected<int> Guard = addGuard(S.Writes[W].Guard, S, Here);
      if (!Guard)
        return Guard.takeError();
      if (usesArgument(*Code, Result)) {
        auto It = Plan.Results.find({&S, W});
        if (It == Plan.Results.end())
          return refuse(Reason::ValueNotKept, S.Name, S.Loc);
        auto Resolved = resolve(It->second, Here, 0, *Guard);
        if (!Resolved)
          return Resolved.takeError();
        Args[Result] = std::move(*Resolved);
      }
      if (!usesArgument(*Code, Seed))
        continue;
      Array *Shadow = Shadows.lookup(S.Writes[W].Arr);
      Args[Seed] = std::make_unique<Value>();
      Args[Seed]->Read =
          addRead(*Shadow,
                  getShadowRelation(
                      *Shadow, S.Writes[W].Relation.intersect_domain(Domain)),
                  *Guard);
      if (Chain == Plan.Choices.end() || Chain->second.Write != W)
        continue;
      Args[Seed]->Chain = &Chain->second;
      for (Array *T : Chain->second.Tapes)
        Args[Seed]->Last.push_back(addRead(*T, Chain->second.getPlace(*T)));
    }
  }
  std::vector<SmallVector<unsigned, 1>> WriteGuards;
  for (const ShadowWrite &W : Writes) {
    WriteGuards.emplace_back();
    for (Function *G : W.Guards) {
      Expected<int> Guard = addGuard(G, S, Here);
      if (!Guard)
        return Guard.takeError();
      WriteGuards.back().push_back(*Guard);
    }
  }

  // The body: reads..., iterators..., parameters... -> writes...
  LLVMContext &C = N.Bodies->getContext();
  Type *I64 = Type::getInt64Ty(C);
  SmallVector<Type *, 8> Params, Results;
  for (const Access &R : Reads)
    Params.push_back(R.Arr->ElemTy);
  Params.append(NumOthers, I64);
  for (const ShadowWrite &W : Writes)
    Results.push_back(W.Primal->ElemTy);
  StructType *ResultTy = StructType::get(C, Results);
  Function *F = Function::Create(FunctionType::get(ResultTy, Params, false),
                                 GlobalValue::InternalLinkage, Name, *N.Bodies);
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  SmallVector<llvm::Value *, 8> All;
  for (Argument &A : F->args())
    All.push_back(&A);
  ArrayRef<llvm::Value *> Iterators =
      ArrayRef(All).slice(Reads.size(), S.getNumIterators());
  ArrayRef<llvm::Value *> ParamArgs = ArrayRef(All).take_back(N.Params.size());

  SmallVector<llvm::Value *, 4> Adjoints;
  if (Code) {
    SmallVector<llvm::Value *, 8> CallArgs;
    for (unsigned A = 0; A < Code->arg_size(); ++A) {
      if (A >= NumReads && A < NumReads + NumOthers) {
        CallArgs.push_back(All[Reads.size() + A - NumReads]);
      } else if (!Args[A]) {
        CallArgs.push_back(PoisonValue::get(Code->getArg(A)->getType()));
      } else {
        auto Arg = emitValue(*Args[A], *F, Iterators, ParamArgs, B);
        if (!Arg)
          return Arg.takeError();
        CallArgs.push_back(*Arg);
      }
    }
    Adjoints = inlineBody(*Code, CallArgs, B);
  }
  llvm::Value *Aggregate = PoisonValue::get(ResultTy);
  unsigned Next = 0;
  for (const auto &[I, W] : enumerate(Writes)) {
    llvm::Value *Sum = nullptr;
    for (unsigned K = 0; K < W.Fields.size(); ++K) {
      llvm::Value *Adjoint = Adjoints[Next++];
      Sum = Sum ? B.CreateFAdd(Sum, Adjoint) : Adjoint;
    }
    if (!Sum)
      Sum = ConstantFP::get(W.Primal->ElemTy, 0.0);
    Aggregate = B.CreateInsertValue(Aggregate, Sum, I);
    Array *Shadow = Shadows.lookup(W.Primal);
    Result->Writes.push_back(
        {W.Kind, Shadow, getShadowRelation(*Shadow, W.Relation)});
  }
  B.CreateRet(Aggregate);
  simplifyBody(*F);
  Result->Body = F;
  if (Error E = addGuards(*Result, S, WriteGuards))
    return std::move(E);
  if (Error E = finish(*Result, Domain))
    return std::move(E);
  return Result;
}
