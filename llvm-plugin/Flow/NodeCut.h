//===- Flow/NodeCut.h - The cheapest nodes between two sides ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_FLOW_NODECUT_H
#define PARDIFF_FLOW_NODECUT_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace pardiff {

/// A directed graph whose nodes have weights. A cut is a set of nodes that
/// every way from a source to a sink passes through one of.
class NodeCut {
public:
  unsigned addNode(uint64_t Weight);
  void addEdge(unsigned From, unsigned To);
  void addSource(unsigned Node);
  void addSink(unsigned Node);

  /// The cut of least weight, of several the one that is nearest to the sinks:
  /// true for each node in it. Nothing if that takes more than MaxSteps visits
  /// of edges.
  std::optional<llvm::SmallVector<bool, 0>> find(uint64_t MaxSteps);

private:
  struct Edge {
    unsigned To;
    uint64_t Left; ///< what may still flow
  };
  void connect(unsigned From, unsigned To, uint64_t Capacity);
  bool rank();
  uint64_t push();

  /// Each node is two, the way in and the way out, joined by an edge of its
  /// weight. Edge I ^ 1 is edge I backwards.
  llvm::SmallVector<Edge, 0> Edges;
  llvm::SmallVector<llvm::SmallVector<unsigned, 4>, 0> Out{{}, {}};
  llvm::SmallVector<unsigned, 0> Rank, Next;
  uint64_t Steps = 0;
};

} // namespace pardiff

#endif // PARDIFF_FLOW_NODECUT_H
