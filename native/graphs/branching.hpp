// Minimum branchings: the cheapest directed trees from a root to all nodes (Chu and Liu 1965, Edmonds 1967), found in
// O(m log m) as Tarjan (1977) describes.
#pragma once

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/array_view.hpp"

namespace multiplane {

// Arcs in parallel arrays; several may join the same two nodes.
struct WeightedArcs {
  ArrayView<int32_t> heads, dependents;
  ArrayView<double> costs;

  std::size_t size() const { return heads.size(); }
};

// Leftist heaps over arcs, by cost and then by number; one addition changes the costs of a whole heap. The right spine
// of a leftist heap is logarithmic in its size, which bounds every merge in the worst case.
class ArcHeaps {
 public:
  static constexpr int64_t kEmpty = -1;

  explicit ArcHeaps(ArrayView<double> costs) : nodes_(costs.size()) {
    // A quarter of each cost, so that no difference of two costs overflows.
    for (std::size_t a = 0; a < costs.size(); ++a) nodes_[a].cost = costs[a] / 4;
  }

  double cost(int64_t heap) const { return nodes_[heap].cost; }

  void add(int64_t heap, double amount) {
    if (heap == kEmpty) return;
    nodes_[heap].cost += amount;
    nodes_[heap].pending += amount;
  }

  int64_t merge(int64_t a, int64_t b) {
    spine_.clear();
    while (a != kEmpty && b != kEmpty) {
      if (std::pair(nodes_[b].cost, b) < std::pair(nodes_[a].cost, a)) std::swap(a, b);
      push_down(a);
      spine_.push_back(a);
      a = nodes_[a].right;
    }
    int64_t merged = a == kEmpty ? b : a;
    for (auto above = spine_.rbegin(); above != spine_.rend(); ++above) {
      Node& node = nodes_[*above];
      node.right = merged;
      if (rank(node.left) < rank(node.right)) std::swap(node.left, node.right);
      node.rank = rank(node.right) + 1;
      merged = *above;
    }
    return merged;
  }

  int64_t without_top(int64_t heap) {
    push_down(heap);
    return merge(nodes_[heap].left, nodes_[heap].right);
  }

 private:
  struct Node {
    double cost = 0, pending = 0;  // pending: what is still to be added below
    int64_t left = kEmpty, right = kEmpty;
    int32_t rank = 1;  // of the right spine
  };

  int32_t rank(int64_t heap) const { return heap == kEmpty ? 0 : nodes_[heap].rank; }

  void push_down(int64_t heap) {
    Node& node = nodes_[heap];
    add(node.left, node.pending);
    add(node.right, node.pending);
    node.pending = 0;
  }

  std::vector<Node> nodes_;
  std::vector<int64_t> spine_;
};

// Nodes are numbered from 0. Each node that is not yet linked to the root takes the cheapest arc into it, then the head
// of that arc does the same: a path grows backwards. A cycle on it is contracted into a new node, whose arcs cost less
// by what the arcs that they would replace cost. No call nests in another, however deep the contractions.
class Branching {
 public:
  Branching(int32_t nodes, const WeightedArcs& arcs, int32_t root)
      : arcs_(arcs), root_(root), count_(nodes), heaps_(arcs.costs) {
    check(nodes);
    const std::size_t most = 2 * static_cast<std::size_t>(nodes);  // each contraction joins at least two nodes
    leader_.reserve(most);
    for (int32_t v = 0; v < nodes; ++v) add_node();
    for (std::size_t a = 0; a < arcs.size(); ++a) {
      int64_t& heap = heap_[arcs.dependents[a]];
      heap = heaps_.merge(heap, static_cast<int64_t>(a));
    }
  }

  // The number of the arc into each node; -1 for the root. Throws if an arc is wrong or a node cannot be reached.
  std::vector<int64_t> run() {
    state_[root_] = State::kDone;
    for (int32_t start = 0; start < count_; ++start) link(start);
    expand();
    chosen_.resize(count_);
    return std::move(chosen_);
  }

 private:
  enum class State : uint8_t { kFree, kOnPath, kDone };

  void check(int32_t nodes) const {
    auto refuse = [this](std::size_t a, const std::string& why) {
      throw std::invalid_argument("arc " + std::to_string(arcs_.heads[a]) + "→" + std::to_string(arcs_.dependents[a]) +
                                  " " + why);
    };
    for (std::size_t a = 0; a < arcs_.size(); ++a) {
      const int32_t h = arcs_.heads[a], d = arcs_.dependents[a];
      if (h < 0 || h >= nodes || d < 0 || d >= nodes) refuse(a, "is outside the nodes 0.." + std::to_string(nodes - 1));
      if (h == d) refuse(a, "goes from a node to itself; leave such arcs out");
      if (!std::isfinite(arcs_.costs[a])) refuse(a, "costs " + std::to_string(arcs_.costs[a]) + "; costs are finite");
    }
  }

  int32_t add_node() {
    const auto v = static_cast<int32_t>(leader_.size());
    leader_.push_back(v);
    inside_.push_back(-1);
    heap_.push_back(ArcHeaps::kEmpty);
    chosen_.push_back(-1);
    state_.push_back(State::kFree);
    return v;
  }

  // The outermost contraction that a node is part of.
  int32_t outermost(int32_t v) {
    while (leader_[v] != v) v = leader_[v] = leader_[leader_[v]];
    return v;
  }

  void link(int32_t start) {
    path_.clear();
    for (int32_t v = outermost(start); state_[v] != State::kDone; v = outermost(arcs_.heads[chosen_[v]])) {
      if (state_[v] == State::kOnPath) v = contract(v);
      choose(v);
      state_[v] = State::kOnPath;
      path_.push_back(v);
    }
    for (int32_t v : path_) state_[v] = State::kDone;
  }

  int32_t contract(int32_t last) {
    const int32_t whole = add_node();
    for (int32_t part = -1; part != last;) {
      part = path_.back();
      path_.pop_back();
      leader_[part] = inside_[part] = whole;
      heap_[whole] = heaps_.merge(heap_[whole], heap_[part]);
    }
    return whole;
  }

  void choose(int32_t v) {
    int64_t& heap = heap_[v];
    while (heap != ArcHeaps::kEmpty && outermost(arcs_.heads[heap]) == v) heap = heaps_.without_top(heap);
    if (heap == ArcHeaps::kEmpty) refuse_unreachable(v);
    chosen_[v] = heap;
    heaps_.add(heap, -heaps_.cost(heap));
    heap = heaps_.without_top(heap);
  }

  [[noreturn]] void refuse_unreachable(int32_t v) {
    int32_t node = 0;
    while (outermost(node) != v) ++node;
    throw std::invalid_argument("no path leads from " + std::to_string(root_) + " to " + std::to_string(node) +
                                "; add arcs");
  }

  // From the outermost contraction inwards: the arc into a contraction replaces the arcs into all parts around its
  // dependent, and the other parts keep theirs. Each node is replaced once at most, so that this is linear.
  void expand() {
    std::vector<bool> replaced(chosen_.size(), false);
    for (auto whole = static_cast<int32_t>(chosen_.size()) - 1; whole >= count_; --whole) {
      if (replaced[whole]) continue;
      for (int32_t v = arcs_.dependents[chosen_[whole]]; v != whole; v = inside_[v]) {
        chosen_[v] = chosen_[whole];
        replaced[v] = true;
      }
    }
  }

  WeightedArcs arcs_;
  int32_t root_, count_;
  ArcHeaps heaps_;
  std::vector<int32_t> leader_, inside_;  // inside: the contraction around a node, or -1
  std::vector<int64_t> heap_, chosen_;
  std::vector<State> state_;
  std::vector<int32_t> path_;
};

inline std::vector<int64_t> minimum_branching(int32_t nodes, const WeightedArcs& arcs, int32_t root) {
  return Branching(nodes, arcs, root).run();
}

}  // namespace multiplane
