//===- Request/Replace.cpp - Put the gradient in the place of a request ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The user declares what a request returns: a scalar, or a C structure of
// several. What LLVM sees of the structure is what the front end made of it by
// the C ABI: {double, double} stays, {float, float} is <2 x float>, {int,
// float} is i64, three doubles go through a hidden pointer (sret). In each case
// the returned pieces, laid out in memory one behind the other, are the bytes
// of the structure. So the results are matched with the declaration by their
// offsets in that structure:
//
//   declaration  { <2 x float>, double }  ->  pieces  float@0 float@4 double@8
//   results      float, float, double     ->          float@0 float@4 double@8
//
// A float result is also accepted where the declaration has a double, piece by
// piece in order; a declared result that nobody uses may stand for none.
// Nothing else fits.
//
//===----------------------------------------------------------------------===//

#include "Request/Conversion.h"
#include "Request/Erase.h"
#include "Request/Request.h"
#include "Request/Result.h"
#include "Support/Names.h"
#include "Support/Reason.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace pardiff;

namespace {

/// A scalar at an offset in memory.
struct Piece {
  Type *Ty;
  uint64_t Offset;
  /// The way to it in the declared type; vectors count as one more level.
  SmallVector<unsigned, 4> Path;
};

using Pieces = SmallVector<Piece, 8>;

/// Fits the results of a derivative to the declaration of its call.
class ResultAdapter {
public:
  ResultAdapter(const Request &R)
      : R(R), Call(*R.Call), DL(Call.getModule()->getDataLayout()),
        Results(R.getResultTypes()) {}

  /// Finds out how to. Changes nothing.
  Error check();
  /// Hands over the values, fields of Returned: returns what replaces the call,
  /// null if nothing does.
  Value *emit(Value *Returned, IRBuilder<> &B);

private:
  Error mismatch(const Twine &Detail) const;
  bool fitsByOffset() const;
  bool fitsByOrder() const;
  bool fitsAsBytes() const;
  Value *emitStores(ArrayRef<Value *> Values, IRBuilder<> &B);
  Value *emitInserts(ArrayRef<Value *> Values, IRBuilder<> &B);
  Value *emitBytes(ArrayRef<Value *> Values, IRBuilder<> &B);

  const Request &R;
  CallBase &Call;
  const DataLayout &DL;
  SmallVector<Type *, 4> Results;
  Type *Declared = nullptr;            ///< returned, or behind the sret pointer
  Pieces DeclaredPieces, ResultPieces; ///< the latter: of a struct of Results
  bool AsBytes = false;
};

} // namespace

static void collectPieces(Type *T, uint64_t Offset,
                          SmallVector<unsigned, 4> Path, const DataLayout &DL,
                          Pieces &Out) {
  auto Descend = [&](unsigned Index, Type *Elem, uint64_t At) {
    SmallVector<unsigned, 4> Inner = Path;
    Inner.push_back(Index);
    collectPieces(Elem, Offset + At, Inner, DL, Out);
  };
  if (auto *S = dyn_cast<StructType>(T)) {
    const StructLayout *Layout = DL.getStructLayout(S);
    for (auto [I, Elem] : enumerate(S->elements()))
      Descend(I, Elem, Layout->getElementOffset(I));
    return;
  }
  if (auto *A = dyn_cast<ArrayType>(T)) {
    uint64_t Size = DL.getTypeAllocSize(A->getElementType());
    // A structure of derivatives is short; a longer array cannot fit anyway.
    for (uint64_t I = 0, E = std::min<uint64_t>(A->getNumElements(), 4096);
         I != E; ++I)
      Descend(I, A->getElementType(), I * Size);
    return;
  }
  if (auto *V = dyn_cast<FixedVectorType>(T)) {
    uint64_t Size = DL.getTypeStoreSize(V->getElementType());
    for (unsigned I = 0, E = V->getNumElements(); I != E; ++I)
      Descend(I, V->getElementType(), I * Size);
    return;
  }
  Out.push_back({T, Offset, Path});
}

static std::string toString(Type *T) {
  std::string Text;
  raw_string_ostream OS(Text);
  if (auto *S = dyn_cast<StructType>(T); S && S->hasName()) {
    StringRef Name = S->getName();
    Name.consume_front("struct.");
    Name.consume_front("class.");
    OS << Name;
  } else if (T->isFloatTy() || T->isDoubleTy() || T->isVoidTy()) {
    T->print(OS);
  } else {
    OS << *T;
  }
  return Text;
}

static std::string toString(ArrayRef<Type *> Types) {
  if (Types.empty())
    return "nothing";
  std::string Text;
  for (Type *T : Types)
    Text += (Text.empty() ? "" : ", ") + toString(T);
  return Text;
}

Error ResultAdapter::mismatch(const Twine &Detail) const {
  return refuse(Reason::WrongResult,
                "the derivative of '" + getReadableName(*R.Primal) +
                    "' returns " + toString(Results) + "; " + Detail,
                getPlace(Call));
}

/// The pieces that several results occupy in a C structure.
static StructType *getResultStruct(ArrayRef<Type *> Results, LLVMContext &C) {
  return StructType::get(C, Results);
}

bool ResultAdapter::fitsByOffset() const {
  return equal(DeclaredPieces, ResultPieces,
               [](const Piece &D, const Piece &P) {
                 return D.Ty == P.Ty && D.Offset == P.Offset;
               });
}

/// A float may be returned as a double.
bool ResultAdapter::fitsByOrder() const {
  return equal(
      DeclaredPieces, ResultPieces, [](const Piece &D, const Piece &P) {
        return D.Ty == P.Ty || (D.Ty->isDoubleTy() && P.Ty->isFloatTy());
      });
}

/// Integers share registers with what stands beside them: {int, float} is i64.
/// Each declared piece is one of the results, or an integer that covers some of
/// them, an integer among them.
bool ResultAdapter::fitsAsBytes() const {
  const Piece *Next = ResultPieces.begin();
  for (const Piece &D : DeclaredPieces) {
    uint64_t End = D.Offset + DL.getTypeStoreSize(D.Ty);
    bool IsSame = false, HasInteger = false;
    for (; Next != ResultPieces.end() && Next->Offset < End; ++Next) {
      if (Next->Offset < D.Offset ||
          Next->Offset + DL.getTypeStoreSize(Next->Ty) > End)
        return false;
      IsSame |= Next->Ty == D.Ty;
      HasInteger |= Next->Ty->isIntegerTy();
    }
    if (!IsSame && !(HasInteger && D.Ty->isIntegerTy()))
      return false;
  }
  return Next == ResultPieces.end();
}

Error ResultAdapter::check() {
  bool IsSRet = Call.hasStructRetAttr();
  Declared = IsSRet ? Call.getParamStructRetType(0) : Call.getType();
  if (Results.empty()) {
    if (!IsSRet && (Declared->isVoidTy() || Call.use_empty()))
      return Error::success();
    return mismatch("the call uses a result of type " + toString(Declared));
  }
  // Tangents of a result may be left; derivatives of arguments may not.
  if (Declared->isVoidTy() && R.Mode == RequestMode::Forward && !R.PrimalReturn)
    return Error::success();
  if (Declared->isVoidTy() && R.Mode == RequestMode::Augmented)
    return mismatch("the entry point is declared void");
  if (Declared->isVoidTy())
    return mismatch("the entry point is declared void; mark arguments by value "
                    "that are of no interest pardiff_const");
  // libstdc++ stores the last element first; a register result hides it.
  if (auto *S = dyn_cast<StructType>(Declared);
      S && S->hasName() && S->getName().starts_with("class.std::tuple"))
    return mismatch(
        "the layout of std::tuple is not defined; declare a structure");
  if (!Declared->isSized() || Declared->isScalableTy())
    return mismatch("the declared type is " + toString(Declared));
  collectPieces(Declared, 0, {}, DL, DeclaredPieces);
  collectPieces(getResultStruct(Results, Call.getContext()), 0, {}, DL,
                ResultPieces);
  if (fitsByOffset() || fitsByOrder())
    return Error::success();
  AsBytes = !IsSRet && fitsAsBytes();
  if (AsBytes)
    return Error::success();
  return mismatch("the declared type is " + toString(Declared));
}

/// Through the hidden pointer.
Value *ResultAdapter::emitStores(ArrayRef<Value *> Values, IRBuilder<> &B) {
  Value *Base = Call.getArgOperand(0);
  for (const auto &[V, D] : zip(Values, DeclaredPieces)) {
    Value *At = B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Base, D.Offset);
    B.CreateAlignedStore(
        V, At, commonAlignment(DL.getABITypeAlign(Declared), D.Offset));
  }
  return nullptr;
}

/// Inserts V at Path into the aggregate, whose innermost level may be a vector.
static Value *insertAt(Value *Into, Value *V, ArrayRef<unsigned> Path,
                       IRBuilder<> &B) {
  if (Path.empty())
    return V;
  Type *Inner =
      ExtractValueInst::getIndexedType(Into->getType(), Path.drop_back());
  if (!isa<FixedVectorType>(Inner))
    return B.CreateInsertValue(Into, V, Path);
  ArrayRef<unsigned> Outer = Path.drop_back();
  Value *Vector = Outer.empty() ? Into : B.CreateExtractValue(Into, Outer);
  Vector = B.CreateInsertElement(Vector, V, B.getInt64(Path.back()));
  return Outer.empty() ? Vector : B.CreateInsertValue(Into, Vector, Outer);
}

Value *ResultAdapter::emitInserts(ArrayRef<Value *> Values, IRBuilder<> &B) {
  Value *Result = PoisonValue::get(Declared);
  for (const auto &[V, D] : zip(Values, DeclaredPieces))
    Result = insertAt(Result, V, D.Path, B);
  return Result;
}

/// Through memory, as the front end does it. The slot goes with the first
/// promotion.
Value *ResultAdapter::emitBytes(ArrayRef<Value *> Values, IRBuilder<> &B) {
  Type *Struct = getResultStruct(Results, Call.getContext());
  BasicBlock &Entry = Call.getFunction()->getEntryBlock();
  IRBuilder<> AtEntry(&Entry, Entry.getFirstInsertionPt());
  bool DeclaredIsLarger =
      DL.getTypeAllocSize(Declared) > DL.getTypeAllocSize(Struct);
  AllocaInst *Slot = AtEntry.CreateAlloca(DeclaredIsLarger ? Declared : Struct);
  Slot->setAlignment(
      std::max(DL.getPrefTypeAlign(Declared), DL.getPrefTypeAlign(Struct)));
  for (const auto &[V, P] : zip(Values, ResultPieces)) {
    Value *At = B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Slot, P.Offset);
    B.CreateAlignedStore(V, At, commonAlignment(Slot->getAlign(), P.Offset));
  }
  return B.CreateAlignedLoad(Declared, Slot, Slot->getAlign());
}

/// What stands at Path in the aggregate; inverse of insertAt.
static Value *extractAt(Value *From, ArrayRef<unsigned> Path, IRBuilder<> &B) {
  Type *Inner =
      ExtractValueInst::getIndexedType(From->getType(), Path.drop_back());
  if (!isa<FixedVectorType>(Inner))
    return B.CreateExtractValue(From, Path);
  return B.CreateExtractElement(B.CreateExtractValue(From, Path.drop_back()),
                                B.getInt64(Path.back()));
}

Value *ResultAdapter::emit(Value *Returned, IRBuilder<> &B) {
  if (Results.empty() || DeclaredPieces.empty())
    return nullptr;
  SmallVector<Value *, 4> Values;
  for (const Piece &P : ResultPieces)
    Values.push_back(extractAt(Returned, P.Path, B));
  if (AsBytes)
    return emitBytes(Values, B);
  SmallVector<Value *, 4> Widened;
  for (const auto &[V, D] : zip(Values, DeclaredPieces))
    Widened.push_back(V->getType() == D.Ty ? V : B.CreateFPExt(V, D.Ty));
  return Call.hasStructRetAttr() ? emitStores(Widened, B)
                                 : emitInserts(Widened, B);
}

/// A copy of a structure passed by value: the gradient may write to what it
/// gets.
static Value *copyByVal(Value *From, Type *T, IRBuilder<> &B,
                        Function &Caller) {
  const DataLayout &DL = Caller.getParent()->getDataLayout();
  BasicBlock &Entry = Caller.getEntryBlock();
  IRBuilder<> AtEntry(&Entry, Entry.getFirstInsertionPt());
  AllocaInst *Copy = AtEntry.CreateAlloca(T);
  B.CreateMemCpy(Copy, Copy->getAlign(), From, Align(1),
                 DL.getTypeAllocSize(T));
  return Copy;
}

/// Memory for what a primal returns through its first parameter.
static AllocaInst *createReturnSlot(const Request &R) {
  BasicBlock &Entry = R.Call->getFunction()->getEntryBlock();
  IRBuilder<> AtEntry(&Entry, Entry.getFirstInsertionPt());
  AllocaInst *Slot = AtEntry.CreateAlloca(R.getReturnType());
  if (MaybeAlign A = R.Primal->getParamAlign(0))
    Slot->setAlignment(std::max(Slot->getAlign(), *A));
  return Slot;
}

/// The arguments of the gradient: the primal's parameters, then the shadows.
/// Slots: where the primal's value and its tangents go, if not into registers.
static SmallVector<Value *, 16> emitArguments(const Request &R,
                                              Function &Gradient,
                                              ArrayRef<AllocaInst *> Slots,
                                              IRBuilder<> &B) {
  SmallVector<Value *, 16> Args(Slots.take_front(1));
  for (const auto &[Arg, Param] : zip(R.Args, R.params())) {
    Value *V = convertArgument(Arg.Primal, Param.getType(), B);
    if (Param.hasByValAttr() && !Gradient.getArg(Args.size())->hasByValAttr())
      V = copyByVal(V, Param.getParamByValType(), B, *R.Call->getFunction());
    Args.push_back(V);
  }
  append_range(Args, drop_begin(Slots, !Slots.empty()));
  for (const RequestArg &Arg : R.Args)
    for (Value *Shadow : Arg.Shadows)
      Args.push_back(
          convertArgument(Shadow, Gradient.getArg(Args.size())->getType(), B));
  for (Value *V : {R.Seed, R.Tape})
    if (V)
      Args.push_back(
          convertArgument(V, Gradient.getArg(Args.size())->getType(), B));
  return Args;
}

/// What caller and callee must agree on.
static void copyABIAttributes(const Function &Callee, CallBase &Call) {
  LLVMContext &C = Callee.getContext();
  Call.setCallingConv(Callee.getCallingConv());
  for (const Argument &Param : Callee.args()) {
    for (Attribute::AttrKind Kind :
         {Attribute::ZExt, Attribute::SExt, Attribute::InReg})
      if (Param.hasAttribute(Kind))
        Call.addParamAttr(Param.getArgNo(), Kind);
    if (Param.hasByValAttr()) {
      Call.addParamAttr(Param.getArgNo(), Attribute::getWithByValType(
                                              C, Param.getParamByValType()));
      if (MaybeAlign A = Param.getParamAlign())
        Call.addParamAttr(Param.getArgNo(), Attribute::getWithAlignment(C, *A));
    }
  }
}

Error pardiff::checkResult(const Request &R) {
  return ResultAdapter(R).check();
}

void pardiff::replaceTapeSize(const Request &R) {
  R.Call->replaceAllUsesWith(
      ConstantInt::get(R.Call->getType(),
                       R.Call->getDataLayout().getPointerSize()));
  eraseRequest(*R.Call);
}

Error pardiff::replaceCall(const Request &R, Function &Gradient) {
  ResultAdapter Adapter(R);
  if (Error E = Adapter.check())
    return E;
  CallBase &Old = *R.Call;
  IRBuilder<> B(&Old);
  SmallVector<AllocaInst *, 2> Slots;
  for (unsigned I = 0; R.returnsThroughPointer() && I != 1 + R.Width; ++I)
    Slots.push_back(createReturnSlot(R));
  for (AllocaInst *Slot : drop_begin(Slots, !Slots.empty()))
    B.CreateMemSet(
        Slot, B.getInt8(0),
        Old.getDataLayout().getTypeAllocSize(Slot->getAllocatedType()),
        Slot->getAlign());
  SmallVector<Value *, 8> Args = emitArguments(R, Gradient, Slots, B);
  CallBase *New = nullptr;
  if (auto *Invoke = dyn_cast<InvokeInst>(&Old)) {
    // What comes back is taken apart in a block of its own.
    BasicBlock *Dest = Invoke->getNormalDest();
    BasicBlock *Returned = BasicBlock::Create(Old.getContext(), "returned",
                                              Old.getFunction(), Dest);
    New = B.CreateInvoke(&Gradient, Returned, Invoke->getUnwindDest(), Args);
    Dest->replacePhiUsesWith(Old.getParent(), Returned);
    B.SetInsertPoint(BranchInst::Create(Dest, Returned));
    B.SetCurrentDebugLocation(Old.getDebugLoc());
  } else {
    New = B.CreateCall(&Gradient, Args);
  }
  copyABIAttributes(Gradient, *New);
  Value *Returned = New;
  if (R.returnsThroughPointer()) {
    SmallVector<Type *, 4> Types = R.getResultTypes();
    Returned = PoisonValue::get(StructType::get(Old.getContext(), Types));
    unsigned From = R.PrimalReturn ? 0 : 1;
    for (unsigned I = 0; I != Types.size(); ++I)
      Returned = B.CreateInsertValue(
          Returned, B.CreateLoad(Types[I], Slots[From + I]), I);
  }
  if (Value *Result = Adapter.emit(Returned, B))
    Old.replaceAllUsesWith(Result);
  else if (!Old.getType()->isVoidTy())
    Old.replaceAllUsesWith(PoisonValue::get(Old.getType()));
  eraseRequest(Old);
  return Error::success();
}
