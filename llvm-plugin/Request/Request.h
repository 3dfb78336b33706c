//===- Request/Request.h - What a call of an entry point asks for ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A request is a call of a declaration whose name contains an entry point's
// name
// (__pardiff_autodiff, __enzyme_fwddiff). This component turns such a call
// into a Request, or into a refusal. Where the function or a marker is hidden
// behind stack slots or a wrapper, exposeRequests (Request/Expose.h) goes
// first.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_REQUEST_REQUEST_H
#define PARDIFF_REQUEST_REQUEST_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Support/Error.h"

namespace pardiff {

enum class RequestMode {
  Reverse,   ///< __pardiff_autodiff
  Forward,   ///< __pardiff_fwddiff
  Augmented, ///< __pardiff_augmentfwd: the forward sweep, which returns a tape
  Split,     ///< __pardiff_reverse: the reverse sweep, which uses it up
  TapeSize   ///< __pardiff_augmentsize: the bytes of a tape, a constant
};

enum class ArgActivity {
  Const,     ///< inactive
  Dup,       ///< memory with a shadow; the primal's results are wanted. In
             ///< forward mode also a value with a tangent
  DupNoNeed, ///< memory with a shadow; its contents after the call are not
             ///< wanted
  Out        ///< floating point by value; its derivative is returned
};

/// "const", "dup", "dupnoneed", "out"
llvm::StringRef getActivityName(ArgActivity A);

/// One parameter of the primal, as the call passes it.
struct RequestArg {
  ArgActivity Activity = ArgActivity::Const;
  llvm::Value *Primal = nullptr;
  /// Dup, DupNoNeed: the shadow, or the tangent of a value; as many as the
  /// request is wide.
  llvm::SmallVector<llvm::Value *, 1> Shadows;

  bool hasShadow() const {
    return Activity == ArgActivity::Dup || Activity == ArgActivity::DupNoNeed;
  }
};

/// One call of an entry point.
struct Request {
  RequestMode Mode = RequestMode::Reverse;
  /// Directions in which forward mode differentiates; seeds of reverse mode.
  unsigned Width = 1;
  llvm::CallBase *Call = nullptr;
  llvm::Function *Primal = nullptr;
  llvm::SmallVector<RequestArg, 8> Args; ///< one for each parameter of Primal
  bool PrimalReturn = false; ///< the primal's value comes first in the result
  bool ConstReturn = false;  ///< forward mode: no tangent of the result
  /// Split mode: the adjoint of the primal's value; null if it has none.
  llvm::Value *Seed = nullptr;
  /// Split mode: the tape. Augmented forward mode: null, or the memory to put
  /// it in (TapeInMemory).
  llvm::Value *Tape = nullptr;
  /// Tape points to memory of the caller that holds the tape.
  bool TapeInMemory = false;
  /// The gradient serves this call only: where the call passes a constant, it
  /// may take that for its parameter.
  bool IsOnly = false;
  /// Its derivative is differentiated in turn: it uses one thread.
  bool IsNested = false;

  /// Types of the derivative's result: the primal's value if PrimalReturn, then
  /// one entry for each Out argument, in order; in forward mode the tangents of
  /// the primal's value; in augmented forward mode the tape, unless it goes
  /// into memory, and the primal's value if PrimalReturn. Empty: void.
  llvm::SmallVector<llvm::Type *, 4> getResultTypes() const;

  /// What the primal returns, also through a hidden pointer.
  llvm::Type *getReturnType() const;
  /// True if the primal returns through its first parameter, which has no
  /// argument in the call and none in Args.
  bool returnsThroughPointer() const { return Primal->hasStructRetAttr(); }
  /// The parameters of the primal that Args belong to.
  auto params() const {
    return llvm::drop_begin(Primal->args(), returnsThroughPointer());
  }
};

/// True for types whose values have tangents in forward mode: floating point,
/// pointers, and aggregates that contain such.
bool hasTangent(const llvm::Type *Ty);

/// True if F is a declaration whose name contains an entry point's name.
bool isEntryPoint(const llvm::Function &F);

/// The mode that an entry point stands for.
RequestMode getMode(const llvm::Function &EntryPoint);

/// True if F is a declaration of an entry point that Enzyme has and ParDiff
/// does not.
bool isUnsupportedEntryPoint(const llvm::Function &F);

/// Replaces a call of __pardiff_augmentsize by its constant.
void replaceTapeSize(const Request &R);

/// True if M uses an entry point. Cheap; nothing else may be changed if it is
/// false.
bool hasRequests(const llvm::Module &M);

/// All calls of entry points in M, unsupported ones too, in the order of the
/// module.
llvm::SmallVector<llvm::CallBase *, 8> findRequests(llvm::Module &M);

/// The entry point that a request calls.
llvm::Function &getEntryPoint(const llvm::CallBase &Call);

/// The name of the entry point that a request calls, for messages.
std::string getEntryPointName(const llvm::CallBase &Call);

/// Where the user wrote the request: the call of the outermost wrapper that was
/// inlined.
llvm::DebugLoc getPlace(const llvm::CallBase &Call);

/// Reads a call. Errors are Refusals with the place of the call.
llvm::Expected<Request> parseRequest(llvm::CallBase &Call);

/// Replaces the call by a call of Gradient, a function that takes the primal's
/// parameters followed by the shadows of each Dup or DupNoNeed argument in
/// order, the seed and the tape if there are some, and returns a literal struct
/// of getResultTypes() (void if empty). A primal that returns through a pointer
/// has the shadows of that in front of the others, and its results go through
/// these pointers. Adapts the result to what the call's declaration returns by
/// the C ABI (scalar, vector of two floats, struct, sret). Errors if the
/// declaration does not fit.
llvm::Error replaceCall(const Request &R, llvm::Function &Gradient);

/// Removes a call that cannot be served, after the error. Its result becomes
/// zero.
void dropRequest(llvm::CallBase &Call);

/// Removes the loads of markers and the declarations of markers and entry
/// points that served requests left unused: they need not be defined anywhere.
void removeLeftovers(llvm::Module &M);

} // namespace pardiff

#endif // PARDIFF_REQUEST_REQUEST_H
