//===- Nest/Print.cpp - Print a program for people and tests --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One fact a line: a keyword, then its value up to the end of the line. Sets,
// relations and trees are in isl's own notation, so isl reads them back.
// Indentation and blank lines mean nothing, except that the text of a body
// stands between "body" and "end".
//
//   program primal of matmul     title and function; begins a program
//   param n i32 %n               name, then the value as an IR operand
//   context [n] -> { : n >= 0 }
//   array A                      then its properties:
//     kind Memory                Memory, Local, Slot, Shadow, Tape
//     type double                LLVM type of an element
//     base ptr %A                IR operand; "-" before code is emitted
//     shape ? | [m] -> { [(m)] } one for each dimension, separated by " | ";
//                                "?" if not known; empty for a slot
//     of B                       shadow and tape: the primal array
//     flags livein liveout       both, one or none; "private 1": number of a
//                                shadow's added dimensions; "scope M": lives
//                                below the marks M of the tree
//   statement S0
//     origin T3                  adjoint, forward: the primal statement, or "-"
//     domain [n] -> { S0[i0] : 0 <= i0 < n }
//     loops 0 1                  identity of the loop behind each iterator
//     read A [n] -> { S0[i0] -> A[i0] }       array and relation, in order
//     write A ...                in order, results of the body
//     accumulate A ...           in order, among the writes
//     guard S0.guard.0           of the access in front of it
//     guard-body S0.guard.0      as the body, in front of it
//     body                       LLVM text of the function, then "end"
//   order [n] -> { S0[i0] -> [i0] }
//   tree { domain: ... }         the schedule tree on one line; "-" if none
//   end program
//
//===----------------------------------------------------------------------===//

#include "Nest/Print.h"
#include "Support/IslUtils.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace pardiff;

static StringRef nameKind(ArrayKind K) {
  switch (K) {
  case ArrayKind::Memory:
    return "Memory";
  case ArrayKind::Local:
    return "Local";
  case ArrayKind::Slot:
    return "Slot";
  case ArrayKind::Shadow:
    return "Shadow";
  case ArrayKind::Tape:
    return "Tape";
  }
  return "";
}

static void printOperand(const Value *V, raw_ostream &OS) {
  if (V)
    V->printAsOperand(OS, /*PrintType=*/true);
  else
    OS << "-";
}

static void printArray(const Array &A, raw_ostream &OS) {
  OS << "array " << A.Name << "\n  kind " << nameKind(A.Kind) << "\n  type "
     << *A.ElemTy << "\n  base ";
  printOperand(A.Base, OS);
  OS << "\n  shape";
  for (unsigned D = 0; D < A.getNumDims(); ++D)
    OS << (D ? " | " : " ")
       << (A.Shape[D].is_null() ? "?" : toString(A.Shape[D]));
  OS << "\n";
  if (A.Of)
    OS << "  of " << A.Of->Name << "\n";
  OS << "  flags";
  if (A.LiveIn)
    OS << " livein";
  if (A.LiveOut)
    OS << " liveout";
  if (A.PrivateDims)
    OS << " private " << A.PrivateDims;
  if (!A.Scope.empty())
    OS << " scope " << A.Scope;
  OS << "\n";
}

static void printAccess(const Access &A, raw_ostream &OS) {
  switch (A.Kind) {
  case AccessKind::Read:
    OS << "  read ";
    break;
  case AccessKind::Write:
    OS << "  write ";
    break;
  case AccessKind::Accumulate:
    OS << "  accumulate ";
    break;
  }
  OS << A.Arr->Name << " " << toString(A.Relation) << "\n";
  if (A.Guard)
    OS << "  guard " << A.Guard->getName() << "\n";
}

/// Without references to attribute groups: their text is not printed.
static std::string dropAttributeGroups(StringRef Line) {
  std::string Result;
  while (!Line.empty()) {
    size_t Hash = Line.find(" #");
    Result += Line.substr(0, Hash);
    if (Hash == StringRef::npos)
      break;
    Line = Line.drop_front(Hash + 2).drop_while(isDigit);
  }
  return Result;
}

static void printFunction(const Twine &Title, const Function *F,
                          raw_ostream &OS) {
  OS << "  " << Title << "\n";
  std::string Text;
  raw_string_ostream TS(Text);
  if (F)
    F->print(TS);
  SmallVector<StringRef, 16> Lines;
  StringRef(Text).split(Lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef Line : Lines)
    if (!Line.starts_with(";"))
      OS << "    " << dropAttributeGroups(Line) << "\n";
  OS << "  end\n";
}

static void printStatement(const Statement &S, raw_ostream &OS) {
  OS << "statement " << S.Name << "\n  origin "
     << (S.Origin ? StringRef(S.Origin->Name) : "-") << "\n  domain "
     << toString(S.Domain) << "\n  loops";
  for (unsigned L : S.Loops)
    OS << " " << L;
  OS << "\n";
  for (const Access &A : S.Reads)
    printAccess(A, OS);
  for (const Access &A : S.Writes)
    printAccess(A, OS);
  for (const Function *Guard : S.getGuards())
    printFunction("guard-body " + Guard->getName(), Guard, OS);
  printFunction("body", S.Body, OS);
}
void pardiff::printProgram(const Program &P, StringRef Title, raw_ostream &OS) {
  const Nest &N = *P.N;
  OS << "program " << Title << " of " << N.Name << "\n";
  for (const Parameter &Param : N.Params) {
    OS << "param " << nameOf(Param.Id) << " ";
    printOperand(Param.V, OS);
    OS << "\n";
  }
  OS << "context " << toString(N.Context) << "\n";
  for (const auto &A : N.Arrays)
    printArray(*A, OS);
  for (const auto &S : P.Statements)
    printStatement(*S, OS);
  OS << "order " << toString(P.Order) << "\n";
  OS << "tree " << (P.Tree.is_null() ? "-" : toString(P.Tree)) << "\n";
  OS << "end program\n";
}
