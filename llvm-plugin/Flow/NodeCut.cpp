//===- Flow/NodeCut.cpp - The cheapest nodes between two sides ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dinic's algorithm for the largest flow; the edges that bound it are a cut.
//
//===----------------------------------------------------------------------===//

#include "Flow/NodeCut.h"
#include <algorithm>

using namespace llvm;
using namespace pardiff;

static constexpr unsigned Source = 0, Sink = 1, Unseen = ~0u;
static constexpr uint64_t Infinite = uint64_t(1) << 60;

static unsigned getIn(unsigned Node) { return 2 + 2 * Node; }
static unsigned getOut(unsigned Node) { return 3 + 2 * Node; }

void NodeCut::connect(unsigned From, unsigned To, uint64_t Capacity) {
  Out[From].push_back(Edges.size());
  Edges.push_back({To, Capacity});
  Out[To].push_back(Edges.size());
  Edges.push_back({From, 0});
}

unsigned NodeCut::addNode(uint64_t Weight) {
  unsigned Node = (Out.size() - 2) / 2;
  Out.resize(Out.size() + 2);
  connect(getIn(Node), getOut(Node), std::min(Weight, Infinite));
  return Node;
}

void NodeCut::addEdge(unsigned From, unsigned To) {
  connect(getOut(From), getIn(To), Infinite);
}

void NodeCut::addSource(unsigned Node) {
  connect(Source, getIn(Node), Infinite);
}

void NodeCut::addSink(unsigned Node) { connect(getOut(Node), Sink, Infinite); }

/// Distances from the source over edges where something may flow; false if the
/// sink cannot be reached.
bool NodeCut::rank() {
  Rank.assign(Out.size(), Unseen);
  Next.assign(Out.size(), 0);
  SmallVector<unsigned, 0> Queue = {Source};
  Rank[Source] = 0;
  for (unsigned I = 0; I < Queue.size(); ++I)
    for (unsigned E : Out[Queue[I]]) {
      ++Steps;
      if (Edges[E].Left && Rank[Edges[E].To] == Unseen) {
        Rank[Edges[E].To] = Rank[Queue[I]] + 1;
        Queue.push_back(Edges[E].To);
      }
    }
  return Rank[Sink] != Unseen;
}

/// Sends as much as it can along one shortest way; 0 if there is none left.
uint64_t NodeCut::push() {
  SmallVector<unsigned, 0> Way; // edges
  unsigned At = Source;
  while (At != Sink) {
    bool Advanced = false;
    for (unsigned &I = Next[At]; I < Out[At].size() && !Advanced;) {
      ++Steps;
      unsigned E = Out[At][I];
      if (Edges[E].Left && Rank[Edges[E].To] == Rank[At] + 1) {
        Way.push_back(E);
        At = Edges[E].To;
        Advanced = true;
      } else {
        ++I;
      }
    }
    if (Advanced)
      continue;
    if (Way.empty())
      return 0;
    At = Edges[Way.pop_back_val() ^ 1].To;
    ++Next[At];
  }
  uint64_t Amount = Infinite;
  for (unsigned E : Way)
    Amount = std::min(Amount, Edges[E].Left);
  for (unsigned E : Way) {
    Edges[E].Left -= Amount;
    Edges[E ^ 1].Left += Amount;
  }
  return Amount;
}

std::optional<SmallVector<bool, 0>> NodeCut::find(uint64_t MaxSteps) {
  Steps = 0;
  while (rank())
    while (push())
      if (Steps > MaxSteps)
        return std::nullopt;
  // What still reaches the sink is behind the cut.
  SmallVector<bool, 0> Behind(Out.size(), false);
  SmallVector<unsigned, 0> Queue = {Sink};
  Behind[Sink] = true;
  for (unsigned I = 0; I < Queue.size(); ++I)
    for (unsigned E : Out[Queue[I]]) {
      unsigned From = Edges[E].To;
      if (!Behind[From] && Edges[E ^ 1].Left) {
        Behind[From] = true;
        Queue.push_back(From);
      }
    }
  SmallVector<bool, 0> Cut;
  for (unsigned Node = 0; getOut(Node) < Out.size(); ++Node)
    Cut.push_back(!Behind[getIn(Node)] && Behind[getOut(Node)]);
  return Cut;
}
