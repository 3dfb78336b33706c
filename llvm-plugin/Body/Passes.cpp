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
//===----------------------------------------------------------------------===//

#include "Body/Body.h"
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

/// Adds Name: void (arguments of Body..., ptr seeds, ptr adjoints).
static void addWrapper(Function &Body, const Vjp &Result, const Twine &Name) {
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
  Value *Seeds = F->getArg(Body.arg_size());
  Value *Adjoints = F->getArg(Body.arg_size() + 1);
  auto element = [&](Value *Base, unsigned N) {
    return B.CreateConstInBoundsGEP1_64(B.getDoubleTy(), Base, N);
  };
  SmallVector<Value *, 4> Results = inlineBody(Body, Args, B);
  append_range(Args, Results);
  for (auto [W, V] : enumerate(Results)) {
    Value *Seed = B.CreateLoad(B.getDoubleTy(), element(Seeds, W));
    bool IsFloat = V->getType()->isFloatingPointTy();
    Args.push_back(IsFloat ? B.CreateFPCast(Seed, V->getType())
                           : PoisonValue::get(V->getType()));
  }
  Value *Struct = B.CreateCall(Result.Fn, Args);
  for (unsigned A = 0, E = Result.ActiveReads.size(); A != E; ++A)
    B.CreateStore(
        B.CreateFPCast(B.CreateExtractValue(Struct, A), B.getDoubleTy()),
        element(Adjoints, A));
  B.CreateRetVoid();
}

static void addVjp(Function &F, Function &Body, bool Known) {
  unsigned NumReads = 0;
  while (NumReads != Body.arg_size() &&
         Body.getArg(NumReads)->getType()->isFloatingPointTy())
    ++NumReads;
  SmallVector<unsigned, 4> Active;
  for (unsigned K = 0; K != NumReads; ++K)
    Active.push_back(K);
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
  addWrapper(Body, *Result, F.getName() + (Known ? "_vjp_known" : "_vjp"));
}

PreservedAnalyses TestVjpPass::run(Module &M, ModuleAnalysisManager &) {
  SmallVector<std::pair<Function *, Function *>, 16> Bodies;
  SmallVector<Function *, 16> Functions;
  for (Function &F : M)
    Functions.push_back(&F);
  for (Function *F : Functions)
    if (Function *Body = makeBody(*F))
      Bodies.push_back({F, Body});
  for (auto [F, Body] : Bodies)
    for (bool Known : {false, true})
      addVjp(*F, *Body, Known);
  return PreservedAnalyses::none();
}

void pardiff::registerBodyPasses(PassBuilder &PB) {
  PB.registerPipelineParsingCallback(
      [](StringRef Name, ModulePassManager &MPM,
         ArrayRef<PassBuilder::PipelineElement>) {
        if (Name != "test<pardiff-vjp>")
          return false;
        MPM.addPass(TestVjpPass());
        return true;
      });
}
