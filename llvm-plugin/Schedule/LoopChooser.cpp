//===- Schedule/LoopChooser.cpp - Search for loops and parallelism --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fission, interchange, fusion, from the outermost loop inwards:
//
//   1. Statements fall apart into strongly connected components.
//   2. Outside of parallel loops, a component gets a parallel loop where it has
//      one. Otherwise one loop of it runs serially and the search goes on
//      inside: each legal loop is tried, the best result taken.
//   3. Components join what is there already if they can share a loop, shifted
//      by constants: parallel loops with parallel ones so that no iterations
//      conflict (the gather of a stencil), serial ones so that no conflict goes
//      backwards.
//   4. Inside of parallel loops, and where there is no parallelism, loops are
//      ordered by their strides, the worst one outermost, and fused where that
//      costs no condition in the innermost loop and hinders no vectorizer. The
//      loops whose iterations own the elements of a private array come first
//      for all that use it: then it needs memory for one iteration.
//   5. Where the parallel loop itself is the one that should be innermost, it
//      runs over chunks, and its iterations come back as a loop inside.
//
// It considers no skewing and no tiling.
//
//===----------------------------------------------------------------------===//

#include "Schedule/LoopChooser.h"
#include "Schedule/Strides.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/CommandLine.h"
#include <optional>

using namespace llvm;
using namespace pardiff;

/// Iterations of a chunk: whole cache lines, enough for the vectorizer.
static constexpr unsigned ChunkSize = 64;
/// The same where a chunk is all the work that there is.
static constexpr unsigned FlatChunkSize = 512;
// Adding up private arrays must take little of the time, and the threads need
// chunks to share. Neither number depends on that of threads, so that the sums
// do not either.
static cl::opt<unsigned> PrivateChunkSize(
    "pardiff-private-chunk", cl::Hidden, cl::init(8),
    cl::desc("Iterations of a chunk that sums into a private array"));
static cl::opt<unsigned> MaxCopies(
    "pardiff-private-copies", cl::Hidden, cl::init(64),
    cl::desc("Private copies of an array that is summed into; 0: none"));

/// Statements in a loop over the iterations that all of them have: each one
/// gets code for its others.
static constexpr unsigned MaxRagged = 32;
/// A line of memory for each iteration, as getStrideCosts counts.
static constexpr unsigned LineCost = 8;

/// Serial loops around a parallel one among which the search still chooses.
static constexpr unsigned MaxTrials = 3;

namespace {

using StmtList = SmallVector<unsigned, 4>;
using NodePtr = std::unique_ptr<PlanNode>;

/// Components that will share their next loop.
struct Group {
  StmtList Stmts;
  SmallVector<LoopOption, 4> Options; ///< any of them would do
  enum { Parallel, Serial, Done } K = Serial;
  NodePtr Node; ///< Done
};

/// How good a plan is: smaller is better, compared from the left.
struct Score {
  unsigned SerialStatements = 0; ///< of maximal degree, without parallel loop
  unsigned Depths = 0;           ///< sum of the depths of parallel loops
  unsigned Regions = 0;          ///< number of parallel loops

  bool operator<(const Score &O) const {
    return std::tie(SerialStatements, Depths, Regions) <
           std::tie(O.SerialStatements, O.Depths, O.Regions);
  }
};

class Chooser {
public:
  Chooser(const Program &P, ArrayRef<StatementInfo> Infos)
      : P(P), Infos(Infos) {
    for (const StatementInfo &I : Infos)
      MaxDegree = std::max(MaxDegree, I.Degree);
  }

  NodePtr run(std::vector<PairConflict> Conflicts, bool OneThread);

private:
  NodePtr plan(Level L, bool Inner, unsigned Trials);
  void place(Level &L, ArrayRef<unsigned> Comp, bool Inner, unsigned Trials,
             std::vector<Group> &Groups);
  void addToGroups(Level &L, Group New, unsigned First,
                   std::vector<Group> &Groups);
  std::optional<Group> join(Level &L, const Group &G, const Group &New,
                            unsigned &Loss);
  bool sharePrivate(const LoopOption &J, const LoopOption &A) const;
  bool mayShareSerial(Level &L, const LoopOption &A, const LoopOption &B,
                      LoopOption &J);
  NodePtr finish(Level &L, Group &G, unsigned Trials);
  NodePtr makeLoop(Level &L, const LoopOption &O, bool Parallel, bool Inner,
                   unsigned Trials);
  NodePtr makePrivateLoop(NodePtr Loop) const;
  NodePtr tryLoops(Level &L, ArrayRef<unsigned> Comp, unsigned Trials);

  const LoopOption &getBest(const Level &L, const Group &G);
  unsigned getParallelCost(const Level &L, const LoopOption &O,
                           unsigned *Chunk = nullptr) const;
  bool isChunked(const Level &L, const LoopOption &O) const;
  void addScore(const PlanNode &N, unsigned Depth, unsigned Degree,
                Score &Sc) const;

  const Program &P;
  ArrayRef<StatementInfo> Infos;
  unsigned MaxDegree = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

/// The memory cost of the best loop order if O is parallel and outermost.
/// Chunk: the size of chunks if O's iterations should come back inside, or
/// zero.
unsigned Chooser::getParallelCost(const Level &L, const LoopOption &O,
                                  unsigned *Chunk) const {
  unsigned Whole = 0, InChunks = 0;
  bool Flat = true, Partial = false;
  for (const LoopMember &M : O.Shape.Members) {
    const LevelItem &I = L.getItem(M.Stmt);
    const StatementInfo &Info = Infos[M.Stmt];
    unsigned Weight = 1u << (2 * std::min(I.countFree(), 8u));
    unsigned Own = Info.StrideCost[M.Dim], Others = ~0u;
    bool IsFlat = true;
    for (unsigned D = 0; D < I.Used.size(); ++D) {
      if (I.Used[D] || D == M.Dim)
        continue;
      Others = std::min(Others, Info.StrideCost[D]);
      IsFlat &= Info.Short[D];
    }
    if (Others == ~0u)
      Others = Own;
    Whole += Weight * Others;
    InChunks += Weight * std::min(Others, Own + 1);
    Flat &= IsFlat;
    // A sum needs some iterations of its own for each partial sum.
    Partial |= IsFlat && Info.Reduces;
  }
  if (Chunk)
    *Chunk = !Partial && InChunks >= Whole ? 0
             : Flat                        ? FlatChunkSize
                                           : ChunkSize;
  return std::min(Whole, InChunks);
}

bool Chooser::isChunked(const Level &L, const LoopOption &O) const {
  unsigned Chunk;
  getParallelCost(L, O, &Chunk);
  return Chunk != 0;
}

void Chooser::addScore(const PlanNode &N, unsigned Depth, unsigned Degree,
                       Score &Sc) const {
  if (N.K == PlanNode::Kind::Loop && N.Parallel) {
    Sc.Depths += Depth * N.Stmts.size();
    ++Sc.Regions;
    return;
  }
  if (N.Children.empty()) {
    for (unsigned S : N.Stmts) {
      if (Infos[S].Degree == 0)
        continue;
      Sc.SerialStatements += Infos[S].Degree == Degree;
      Sc.Depths += 9;
    }
    return;
  }
  for (const auto &C : N.Children)
    addScore(*C, Depth + (N.K == PlanNode::Kind::Loop), Degree, Sc);
}

static bool hasParallel(const PlanNode &N) {
  return (N.K == PlanNode::Kind::Loop && N.Parallel) ||
         any_of(N.Children, [](const NodePtr &C) { return hasParallel(*C); });
}

//===----------------------------------------------------------------------===//
// Fusion
//===----------------------------------------------------------------------===//

/// Pairs of members of O that come from one statement of the primal, but from
/// different loops of it: they read other elements of the same arrays, where in
/// one loop of the source they would read the same ones.
static unsigned countStrangers(const Program &P, const LoopOption &O) {
  unsigned Count = 0;
  for (const LoopMember &X : O.Shape.Members)
    for (const LoopMember &Y : O.Shape.Members) {
      const Statement &A = *P.Statements[X.Stmt], &B = *P.Statements[Y.Stmt];
      Count += A.Origin == B.Origin && A.Loops[X.Dim] != B.Loops[Y.Dim];
    }
  return Count;
}

/// The option of a group that its loop will be.
const LoopOption &Chooser::getBest(const Level &L, const Group &G) {
  auto Worse = [&](const LoopOption &A, const LoopOption &B) {
    if (G.K == Group::Parallel)
      return std::pair(getParallelCost(L, A), countStrangers(P, A)) >
             std::pair(getParallelCost(L, B), countStrangers(P, B));
    return A.OuterGain < B.OuterGain;
  };
  const LoopOption *Best = &G.Options.front();
  for (const LoopOption &O : drop_begin(G.Options))
    if (Worse(*Best, O))
      Best = &O;
  return *Best;
}

static bool shareLoop(const Program &P, const LoopOption &A,
                      const LoopOption &B) {
  return any_of(A.Shape.Members, [&](const LoopMember &X) {
    return any_of(B.Shape.Members, [&](const LoopMember &Y) {
      return P.Statements[X.Stmt]->Loops[X.Dim] ==
             P.Statements[Y.Stmt]->Loops[Y.Dim];
    });
  });
}

/// True if A and B gain from being one serial loop J.
bool Chooser::mayShareSerial(Level &L, const LoopOption &A, const LoopOption &B,
                             LoopOption &J) {
  bool SameLoop = shareLoop(P, A, B);
  bool Reuse = any_of(A.Shape.Members, [&](const LoopMember &X) {
    return any_of(B.Shape.Members, [&](const LoopMember &Y) {
      return L.shareArray(X.Stmt, Y.Stmt);
    });
  });
  if (!SameLoop && !Reuse)
    return false;

  const LoopMember &First = J.Shape.Members.front();
  ArrayRef Others = ArrayRef(J.Shape.Members).drop_front();
  if (!all_of(Others, [&](const LoopMember &M) {
        return L.haveNearRanges(J.Shape, First, M);
      }))
    return false;
  auto IsInnermost = [&](const LoopMember &M) {
    return L.getItem(M.Stmt).countFree() == 1;
  };
  // A loop that one of them wants innermost is not put around its others: bad
  // strides cost more than a second pass over what they share. Less than a line
  // for each iteration is no bad stride.
  auto WantsInnermost = [&](const LoopMember &M) {
    const LevelItem &I = L.getItem(M.Stmt);
    ArrayRef<unsigned> Cost = Infos[M.Stmt].StrideCost;
    for (unsigned D = 0; D < I.Used.size(); ++D)
      if (!I.Used[D] && D != M.Dim && Cost[D] < Cost[M.Dim] + LineCost)
        return false;
    return !IsInnermost(M);
  };
  if (any_of(J.Shape.Members, WantsInnermost))
    return false;
  // A loop with loops inside is no vector loop in any case.
  if (!all_of(A.Shape.Members, IsInnermost) ||
      !all_of(B.Shape.Members, IsInnermost))
    return true;
  bool Vector = L.isVectorLoop(J);
  if (!L.haveSameRanges(J.Shape)) {
    // No conditions in an innermost loop: where one member has no instance,
    // they run apart. That keeps all conflicts, which are within iterations.
    if (!Vector || J.Shape.Members.size() > MaxRagged)
      return false;
    J.Ragged = true;
    return true;
  }
  if (Vector)
    return true;
  bool VectorA = L.isVectorLoop(A), VectorB = L.isVectorLoop(B);
  if (VectorA && VectorB)
    return false;
  return SameLoop || (!VectorA && !VectorB);
}

/// True if a private array whose elements live in one iteration of J is used by
/// members that are in A and by members that are not: apart, each iteration
/// needs memory of its own.
bool Chooser::sharePrivate(const LoopOption &J, const LoopOption &A) const {
  SmallPtrSet<const Array *, 8> Used[2];
  for (const LoopMember &M : J.Shape.Members) {
    const Statement &S = *P.Statements[M.Stmt];
    bool InA = A.Shape.find(M.Stmt);
    for (const Access &X : concat<const Access>(S.Reads, S.Writes)) {
      if (!X.Arr->PrivateDims || getPrivateDims(X, M.Dim).none())
        continue;
      Used[InA].insert(X.Arr);
      if (Used[!InA].contains(X.Arr))
        return true;
    }
  }
  return false;
}

/// G and New as one group, if some option of both allows it. Loss: what that
/// costs more than the best options of both.
std::optional<Group> Chooser::join(Level &L, const Group &G, const Group &New,
                                   unsigned &Loss) {
  Loss = 0;
  if (G.K != New.K || G.K == Group::Done)
    return std::nullopt;
  bool Parallel = G.K == Group::Parallel;
  SmallVector<LoopOption, 4> Joint;
  for (const LoopOption &A : G.Options) {
    for (const LoopOption &B : New.Options) {
      std::optional<LoopOption> J = L.join(A, B, Parallel);
      if (!J)
        continue;
      if (Parallel) {
        // The work of an iteration must not depend on where it is.
        const LoopMember &X = A.Shape.Members.front();
        bool Near = all_of(B.Shape.Members, [&](const LoopMember &M) {
          return L.haveNearRanges(J->Shape, X, *J->Shape.find(M.Stmt));
        });
        if (!Near)
          continue;
      } else if (!mayShareSerial(L, A, B, *J)) {
        continue;
      }
      Joint.push_back(std::move(*J));
    }
  }
  if (Joint.empty())
    return std::nullopt;
  Group Fused;
  Fused.K = G.K;
  Fused.Options = std::move(Joint);
  if (Parallel) {
    unsigned Apart =
        getParallelCost(L, getBest(L, G)) + getParallelCost(L, getBest(L, New));
    unsigned Together = getParallelCost(L, getBest(L, Fused));
    if (Together > Apart + Apart / 4)
      return std::nullopt;
    // Grids of three dimensions often have few levels: chunks of them are no
    // work for many threads.
    if (isChunked(L, getBest(L, Fused)) && !isChunked(L, getBest(L, G)) &&
        !isChunked(L, getBest(L, New)) &&
        all_of(Fused.Options.front().Shape.Members,
               [&](const LoopMember &M) { return Infos[M.Stmt].Degree > 2; }))
      return std::nullopt;
    Loss = Together > Apart ? Together - Apart : 0;
  } else {
    // Not for the price of a bad stride in the loops inside.
    unsigned Apart = getBest(L, G).OuterGain + getBest(L, New).OuterGain;
    const LoopOption &J = getBest(L, Fused);
    if (J.OuterGain < Apart - Apart / 4 && !sharePrivate(J, getBest(L, G)))
      return std::nullopt;
  }
  Fused.Stmts = G.Stmts;
  Fused.Stmts.append(New.Stmts.begin(), New.Stmts.end());
  return Fused;
}

/// Adds New to the group from First on that loses least by it, the last one of
/// equals, or at the end.
void Chooser::addToGroups(Level &L, Group New, unsigned First,
                          std::vector<Group> &Groups) {
  std::optional<Group> Best;
  unsigned BestLoss = 0, At = 0;
  for (unsigned I = Groups.size(); I-- > First;) {
    unsigned Loss;
    std::optional<Group> Fused = join(L, Groups[I], New, Loss);
    if (!Fused || (Best && Loss >= BestLoss))
      continue;
    Best = std::move(Fused);
    BestLoss = Loss;
    At = I;
    if (Loss == 0)
      break;
  }
  if (Best)
    Groups[At] = std::move(*Best);
  else
    Groups.push_back(std::move(New));
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

static unsigned getPrivateChunk() { return std::max(1u, +PrivateChunkSize); }

bool pardiff::hasPrivateCopies() { return MaxCopies != 0; }

/// Loop, whose iterations are independent apart from sums, in chunks that are
/// dealt out to a fixed number of iterations of a parallel loop:
///
///   parallel c:  for each chunk k with k mod MaxCopies = c:  for x in chunk k
NodePtr Chooser::makePrivateLoop(NodePtr Loop) const {
  Loop->Parallel = false;
  auto Wrap = [](NodePtr Inner) {
    auto N = std::make_unique<PlanNode>();
    N->K = PlanNode::Kind::Loop;
    N->Stmts = Inner->Stmts;
    N->Shape.Members = Inner->Shape.Members;
    N->Children.push_back(std::move(Inner));
    return N;
  };
  NodePtr Rounds = Wrap(std::move(Loop));
  Rounds->Shape.Chunk = getPrivateChunk() * MaxCopies;
  NodePtr Copies = Wrap(std::move(Rounds));
  Copies->Shape.Chunk = getPrivateChunk();
  Copies->Shape.Copies = MaxCopies;
  Copies->Parallel = true;
  return Copies;
}

/// True if N is nothing but a loop with a core.
static bool isCoreLoop(const PlanNode &N) {
  if (N.K == PlanNode::Kind::Sequence && N.Children.size() == 1)
    return isCoreLoop(*N.Children.front());
  return N.K == PlanNode::Kind::Loop && !N.Core.is_null();
}

/// The plan of a loop and of everything inside of it.
NodePtr Chooser::makeLoop(Level &L, const LoopOption &O, bool Parallel,
                          bool Inner, unsigned Trials) {
  auto N = std::make_unique<PlanNode>();
  N->K = PlanNode::Kind::Loop;
  N->Shape = O.Shape;
  N->Parallel = Parallel;
  sort(N->Shape.Members, [](const LoopMember &A, const LoopMember &B) {
    return A.Stmt < B.Stmt;
  });
  for (const LoopMember &M : N->Shape.Members)
    N->Stmts.push_back(M.Stmt);
  bool Private = Parallel && any_of(N->Shape.Members, [&](auto &M) {
                   return Infos[M.Stmt].NeedPrivate[M.Dim];
                 });
  if (Parallel && !Private)
    getParallelCost(L, O, &N->Shape.Chunk);
  N->Children.push_back(plan(L.enter(N->Shape), Inner || Parallel, Trials));
  auto IsStatement = [](const NodePtr &C) {
    return C->K == PlanNode::Kind::Statement;
  };
  const PlanNode &Body = *N->Children.front();
  if (O.Ragged && all_of(Body.Children, IsStatement))
    N->Core = L.getCore(N->Shape, N->CoreRows);
  // Around it: only iterations of the outer loops in which there may be a core.
  // In a parallel loop all instances stay together.
  if (isCoreLoop(Body) && !Parallel && L.isVectorLoop(O))
    N->Core = N->CoreRows = L.getCommonRows(N->Shape);
  return Private ? makePrivateLoop(std::move(N)) : std::move(N);
}

/// A component without parallel loop: the best plan with a serial loop outside,
/// or null if there is no parallelism in any.
NodePtr Chooser::tryLoops(Level &L, ArrayRef<unsigned> Comp, unsigned Trials) {
  NodePtr Best;
  Score BestScore;
  unsigned Degree = 0;
  for (unsigned S : Comp)
    Degree = std::max(Degree, Infos[S].Degree);
  SmallVector<unsigned, 4> Tried;
  for (const LoopOption &O : L.getSerialOptions(Comp)) {
    unsigned Dim = O.Shape.Members.front().Dim;
    if (is_contained(Tried, Dim))
      continue; // reversed, and legal forward
    if (!Tried.empty() && Trials == 0)
      break;
    Tried.push_back(Dim);
    Level Part = L.restrictTo(Comp);
    NodePtr N = makeLoop(Part, O, /*Parallel=*/false, /*Inner=*/false,
                         Trials ? Trials - 1 : 0);
    if (!hasParallel(*N))
      continue;
    Score Sc;
    addScore(*N, 0, Degree, Sc);
    if (Best && !(Sc < BestScore))
      continue;
    Best = std::move(N);
    BestScore = Sc;
  }
  return Best;
}

void Chooser::place(Level &L, ArrayRef<unsigned> Comp, bool Inner,
                    unsigned Trials, std::vector<Group> &Groups) {
  // It may not move before a group with something that must precede it.
  unsigned First = 0;
  for (auto [I, G] : enumerate(Groups))
    for (unsigned S : G.Stmts)
      for (unsigned T : Comp)
        if (L.mustPrecede(S, T))
          First = I;

  Group New;
  New.Stmts.assign(Comp.begin(), Comp.end());
  if (!Inner) {
    New.Options = L.getParallelOptions(Comp);
    if (!New.Options.empty()) {
      New.K = Group::Parallel;
      return addToGroups(L, std::move(New), First, Groups);
    }
    // Not for a small part of the work: a region for each iteration of a serial
    // loop takes longer than it.
    bool IsSmall = all_of(
        Comp, [&](unsigned S) { return Infos[S].Degree + 1 < MaxDegree; });
    if (!IsSmall)
      New.Node = tryLoops(L, Comp, Trials);
    if (New.Node) {
      New.K = Group::Done;
      Groups.push_back(std::move(New));
      return;
    }
  }
  New.Options = L.getSerialOptions(Comp);
  if (!New.Options.empty())
    return addToGroups(L, std::move(New), First, Groups);

  // No loop left.
  New.Node = std::make_unique<PlanNode>();
  bool Single = Comp.size() == 1 && L.getItem(Comp.front()).countFree() == 0;
  New.Node->K = Single ? PlanNode::Kind::Statement : PlanNode::Kind::Original;
  New.Node->Stmts = New.Stmts;
  New.K = Group::Done;
  Groups.push_back(std::move(New));
}

NodePtr Chooser::finish(Level &L, Group &G, unsigned Trials) {
  if (G.K == Group::Done)
    return std::move(G.Node);
  Level Part = L.restrictTo(G.Stmts);
  bool Parallel = G.K == Group::Parallel;
  return makeLoop(Part, getBest(Part, G), Parallel, /*Inner=*/true, Trials);
}

NodePtr Chooser::plan(Level L, bool Inner, unsigned Trials) {
  std::vector<Group> Groups;
  for (const auto &Comp : L.getComponents())
    place(L, Comp, Inner, Trials, Groups);
  auto N = std::make_unique<PlanNode>();
  N->K = PlanNode::Kind::Sequence;
  for (Group &G : Groups) {
    N->Children.push_back(finish(L, G, Trials));
    N->Stmts.append(N->Children.back()->Stmts);
  }
  if (N->Children.size() == 1)
    return std::move(N->Children.front());
  return N;
}

NodePtr Chooser::run(std::vector<PairConflict> Conflicts, bool OneThread) {
  std::vector<LevelItem> Items;
  for (auto [I, S] : enumerate(P.Statements)) {
    if (S->Domain.is_empty().is_true())
      continue;
    LevelItem Item;
    Item.Stmt = I;
    Item.Used.resize(S->getNumIterators());
    Items.push_back(std::move(Item));
  }
  return plan(Level(P, Infos, std::move(Items), std::move(Conflicts)),
              /*Inner=*/OneThread, MaxTrials);
}

NodePtr pardiff::chooseLoops(const Program &P, ArrayRef<StatementInfo> Infos,
                             std::vector<PairConflict> Conflicts,
                             bool OneThread) {
  return Chooser(P, Infos).run(std::move(Conflicts), OneThread);
}
