//===- Body/Passes.cpp - Make this component available to opt, for tests --===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// opt -passes='test<pardiff-vjp>' differentiates every function F of a module
// that is one block and returns a floating-point value or a literal struct. Its
// leading floating-point arguments are the reads, all active. It adds
//   F.vjp        the vector-Jacobian product (Vjp::Fn), with the string
//   attributes
//                pardiff-uses-reads, -uses-results, -zero, -identity (pairs
//                a:w)
//   F.vjp.known  the same with all results known
//   F_vjp        void (arguments of F..., const double *seeds, double
//   *adjoints), and F_vjp_known, so that tests in C can call them.
// What has no rule is said on stderr, with the function's name.
//
// opt -passes='print<pardiff-rules>' prints the names in the rule table.
//
//===----------------------------------------------------------------------===//

#include "Body/Body.h"
#include "Rules/Rules.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;
using namespace pardiff;

namespace {

class TestVjpPass : public PassInfoMixin<TestVjpPass> {
public:
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

class PrintRulesPass : public PassInfoMixin<PrintRulesPass> {
public:
  PreservedAnalyses run(Module &, ModuleAnalysisManager &) {
    printRules(outs());
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

class TestComposePass : public PassInfoMixin<TestComposePass> {
public:
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace

/// F as a body: a copy that returns a struct; null if F cannot be one.
static Function *makeBody(Function &F) {
  if (F.isDeclaration() || F.size() != 1)
    return nullptr;
  auto *Ret = dyn_cast<ReturnInst>(F.front().getTerminator());
  Type *Ty = F.getReturnType();
  auto *StructTy = dyn_cast<StructType>(Ty);
  if (StructTy && StructTy->isLiteral())
    return isBody(F) ? &F : nullptr;
  if (!Ret || !Ty->isFloatingPointTy())
    return nullptr;
  auto *BodyTy = FunctionType::get(StructType::get(Ty),
                                   F.getFunctionType()->params(), false);
  Function *Body = Function::Create(BodyTy, GlobalValue::InternalLinkage,
                                    F.getName() + ".body", F.getParent());
  IRBuilder<> B(BasicBlock::Create(F.getContext(), "entry", Body));
  ValueToValueMapTy Map;
  for (auto [Old, New] : zip_equal(F.args(), Body->args())) {
    New.setName(Old.getName());
    Map[&Old] = &New;
  }
  for (Instruction &I : F.front()) {
    if (I.isTerminator())
      break;
    Instruction *Clone = I.clone();
    for (Use &Op : Clone->operands())
      if (Value *New = Map.lookup(Op.get()))
        Op.set(New);
    Clone->setDebugLoc(DebugLoc());
    Map[&I] = B.Insert(Clone, I.getName());
  }
  Value *Result = Ret->getReturnValue();
  if (Value *New = Map.lookup(Result))
    Result = New;
  B.CreateRet(
      B.CreateInsertValue(PoisonValue::get(StructType::get(Ty)), Result, 0));
  if (!isBody(*Body)) {
    Body->eraseFromParent();
    return nullptr;
  }
  return Body;
}

static std::string listBits(const SmallBitVector &Bits) {
  std::string Text;
  for (unsigned Bit : Bits.set_bits())
    Text += (Text.empty() ? "" : " ") + std::to_string(Bit);
  return Text;
}

static std::string listPairs(ArrayRef<SmallBitVector> Rows) {
  std::string Text;
  for (auto [A, Row] : enumerate(Rows))
    for (unsigned W : Row.set_bits())
      Text += (Text.empty() ? "" : " ") + std::to_string(A) + ":" +
              std::to_string(W);
  return Text;
}

/// Defines Name: void (arguments of Body..., ptr In, ptr Out) and calls Emit
/// with a builder in it and the arguments of Body.
static void
addWrapper(Function &Body, const Twine &Name,
           function_ref<void(IRBuilder<> &, SmallVectorImpl<Value *> &Args,
                             Value *In, Value *Out)>
               Emit) {
  Module &M = *Body.getParent();
  IRBuilder<> B(M.getContext());
  SmallVector<Type *, 8> ArgTypes(Body.getFunctionType()->params());
  ArgTypes.append(2, B.getPtrTy());
  auto *Ty = FunctionType::get(B.getVoidTy(), ArgTypes, false);
  auto *F =
      dyn_cast<Function>(M.getOrInsertFunction(Name.str(), Ty).getCallee());
  if (!F || !F->isDeclaration() || F->getFunctionType() != Ty)
    return;
  // A declaration may carry the attributes of a call of unknown code.
  F->setAttributes({});
  B.SetInsertPoint(BasicBlock::Create(M.getContext(), "entry", F));
  SmallVector<Value *, 8> Args;
  for (unsigned A = 0; A != Body.arg_size(); ++A)
    Args.push_back(F->getArg(A));
  Emit(B, Args, F->getArg(Body.arg_size()), F->getArg(Body.arg_size() + 1));
  B.CreateRetVoid();
}

/// Element N of an array of double, converted to Ty.
static Value *loadDouble(IRBuilder<> &B, Value *Base, unsigned N, Type *Ty) {
  if (!Ty->isFloatingPointTy())
    return PoisonValue::get(Ty);
  Value *Place = B.CreateConstInBoundsGEP1_64(B.getDoubleTy(), Base, N);
  return B.CreateFPCast(B.CreateLoad(B.getDoubleTy(), Place), Ty);
}

/// Stores the fields of a struct that are floating point as doubles.
static void storeDoubles(IRBuilder<> &B, Value *Struct, Value *Base) {
  for (unsigned N = 0, E = Struct->getType()->getStructNumElements(); N != E;
       ++N) {
    Value *V = B.CreateExtractValue(Struct, N);
    if (V->getType()->isFloatingPointTy())
      B.CreateStore(B.CreateFPCast(V, B.getDoubleTy()),
                    B.CreateConstInBoundsGEP1_64(B.getDoubleTy(), Base, N));
  }
}

static void addVjpWrapper(Function &Body, const Vjp &Result,
                          const Twine &Name) {
  addWrapper(Body, Name,
             [&](IRBuilder<> &B, SmallVectorImpl<Value *> &Args, Value *Seeds,
                 Value *Adjoints) {
               SmallVector<Value *, 4> Results = inlineBody(Body, Args, B);
               append_range(Args, Results);
               for (auto [W, V] : enumerate(Results))
                 Args.push_back(loadDouble(B, Seeds, W, V->getType()));
               storeDoubles(B, B.CreateCall(Result.Fn, Args), Adjoints);
             });
}

static void addJvpWrapper(Function &Body, Function &Jvp, unsigned NumReads,
                          const Twine &Name) {
  addWrapper(Body, Name,
             [&](IRBuilder<> &B, SmallVectorImpl<Value *> &Args,
                 Value *Tangents, Value *Results) {
               for (unsigned K = 0; K != NumReads; ++K)
                 Args.push_back(
                     loadDouble(B, Tangents, K, Body.getArg(K)->getType()));
               storeDoubles(B, B.CreateCall(&Jvp, Args), Results);
             });
}

static SmallVector<unsigned, 4> getReads(const Function &Body) {
  SmallVector<unsigned, 4> Reads;
  for (const Argument &A : Body.args()) {
    if (!A.getType()->isFloatingPointTy())
      break;
    Reads.push_back(A.getArgNo());
  }
  return Reads;
}

static void addVjp(Function &F, Function &Body, bool Known) {
  SmallVector<unsigned, 4> Active = getReads(Body);
  unsigned NumReads = Active.size();
  unsigned NumResults = getNumResults(Body);
  SmallBitVector Seeds(NumResults);
  for (unsigned W = 0; W != NumResults; ++W)
    Seeds[W] = getResult(Body, W)->getType()->isFloatingPointTy();

  Expected<Vjp> Result = buildVjp(Body, NumReads, Active, Seeds,
                                  SmallBitVector(NumResults, Known));
  if (!Result) {
    errs() << F.getName() << ": " << toString(Result.takeError()) << "\n";
    return;
  }
  Function &Fn = *Result->Fn;
  Fn.setName(F.getName() + (Known ? ".vjp.known" : ".vjp"));
  Fn.addFnAttr("pardiff-uses-reads", listBits(Result->UsesRead));
  Fn.addFnAttr("pardiff-uses-results", listBits(Result->UsesResult));
  Fn.addFnAttr("pardiff-zero", listPairs(Result->Zero));
  Fn.addFnAttr("pardiff-identity", listPairs(Result->Identity));
  addVjpWrapper(Body, *Result, F.getName() + (Known ? "_vjp_known" : "_vjp"));
}

static void addJvp(Function &F, Function &Body) {
  SmallVector<unsigned, 4> Active = getReads(Body);
  Expected<Function *> Jvp = buildJvp(Body, Active);
  if (!Jvp) {
    errs() << F.getName() << ": " << toString(Jvp.takeError()) << "\n";
    return;
  }
  (*Jvp)->setName(F.getName() + ".jvp");
  addJvpWrapper(Body, **Jvp, Active.size(), F.getName() + "_jvp");
}

PreservedAnalyses TestVjpPass::run(Module &M, ModuleAnalysisManager &) {
  SmallVector<std::pair<Function *, Function *>, 16> Bodies;
  SmallVector<Function *, 16> Functions;
  for (Function &F : M)
    Functions.push_back(&F);
  for (Function *F : Functions)
    if (Function *Body = makeBody(*F))
      Bodies.push_back({F, Body});
  for (auto [F, Body] : Bodies) {
    for (bool Known : {false, true})
      addVjp(*F, *Body, Known);
    addJvp(*F, *Body);
  }
  return PreservedAnalyses::none();
}

static void addComposed(Function &F, Function &G) {
  SmallVector<Type *, 8> ArgTypes(G.getFunctionType()->params());
  std::vector<ArgSource> InnerArgs, Sources;
  for (unsigned A = 0; A != G.arg_size(); ++A)
    InnerArgs.push_back(ArgSource::argument(A));
  Sources.push_back(ArgSource::result(G, 0, std::move(InnerArgs)));
  for (Type *Ty : F.getFunctionType()->params().drop_front()) {
    Sources.push_back(ArgSource::argument(ArgTypes.size()));
    ArgTypes.push_back(Ty);
  }
  composeBody(F, ArgTypes, Sources, F.getName() + ".composed");
}

PreservedAnalyses TestComposePass::run(Module &M, ModuleAnalysisManager &) {
  SmallVector<std::pair<Function *, Function *>, 4> Pairs;
  for (Function &F : M)
    if (Function *G =
            M.getFunction(F.getFnAttribute("compose-with").getValueAsString()))
      if (isBody(F, &errs()) && isBody(*G, &errs()))
        Pairs.push_back({&F, G});
  for (auto [F, G] : Pairs)
    addComposed(*F, *G);
  return PreservedAnalyses::none();
}

void pardiff::registerBodyPasses(PassBuilder &PB) {
  PB.registerPipelineParsingCallback(
      [](StringRef Name, ModulePassManager &MPM,
         ArrayRef<PassBuilder::PipelineElement>) {
        if (Name == "test<pardiff-vjp>")
          MPM.addPass(TestVjpPass());
        else if (Name == "test<pardiff-compose>")
          MPM.addPass(TestComposePass());
        else if (Name == "print<pardiff-rules>")
          MPM.addPass(PrintRulesPass());
        else
          return false;
        return true;
      });
}
