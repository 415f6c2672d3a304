// Nodes of a configuration, found by their addresses.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "features/state.hpp"

namespace multiplane {

enum class NodeOp : uint8_t {
  kStack,
  kBuffer,
  kAside,
  kGovernor,
  kDependent,
  kHead,
  kLeftDependent,
  kRightDependent,
  kLeftSibling,
  kRightSibling,
  kNext,
  kPrevious,
  // of undirected systems
  kLeft,
  kRight,
  kLeftLink,
  kRightLink,
  kLeftUndirectedSibling,
  kRightUndirectedSibling,
};

// Whether an address of this kind starts from another one.
inline bool is_relative(NodeOp op) { return op >= NodeOp::kHead && op != NodeOp::kLeft && op != NodeOp::kRight; }

struct NodeAddress {
  NodeOp op;
  int32_t a, b;
};

class NodeFinder {
 public:
  // An address comes after the one that it refers to.
  explicit NodeFinder(const std::vector<NodeAddress>& addresses) : addresses_(addresses), nodes_(addresses.size()) {
    for (std::size_t i = 0; i < addresses.size(); ++i) {
      const NodeAddress& n = addresses[i];
      const int32_t place = static_cast<int32_t>(i);
      if (n.op == NodeOp::kStack && n.a == 0) {
        stack_.push_back({place, n.b});
      } else if (n.op == NodeOp::kBuffer) {
        buffer_.push_back({place, n.a});
      } else {
        rest_.push_back(place);
      }
    }
  }

  // Where all nodes are now, -1 for one that is not there. With an offset k, as if k words had been shifted.
  const int32_t* find(const State& s, int32_t offset, Ends ends) {
    const Configuration& c = s.c;
    const int32_t buffer_size = c.header().buffer_size, stack_size = c.active_size();
    const int32_t *buffer = c.buffer() + buffer_size - 1, *stack = c.stack(c.header().active) + stack_size - 1;
    for (const auto& [place, i] : stack_) {
      if (i >= offset) {
        nodes_[place] = i - offset < stack_size ? stack[offset - i] : -1;
      } else {
        nodes_[place] = offset - 1 - i < buffer_size ? buffer[i + 1 - offset] : -1;
      }
    }
    for (const auto& [place, i] : buffer_) nodes_[place] = i + offset < buffer_size ? buffer[-i - offset] : -1;
    for (int32_t i : rest_) {
      const NodeAddress& n = addresses_[i];
      int32_t v = -1;
      switch (n.op) {
        case NodeOp::kStack: {
          // An inactive stack with the same top has nothing to add.
          const int32_t which = (c.header().active + n.a) % c.stacks(), place = n.b - offset;
          const int32_t size = c.stack_sizes()[which], *top = c.stack(which) + size - 1;
          if (place >= 0 && place < size && (stack_size == 0 || *top != *stack)) v = top[-place];
          break;
        }
        case NodeOp::kAside:
          if (n.a < c.header().aside_size) v = c.aside()[c.header().aside_size - 1 - n.a];
          break;
        case NodeOp::kGovernor:
        case NodeOp::kLeft:
          v = ends.governor;
          break;
        case NodeOp::kDependent:
        case NodeOp::kRight:
          v = ends.dependent;
          break;
        default:
          if (nodes_[n.a] >= 0) v = relative(s, n.op, nodes_[n.a], n.b);
      }
      nodes_[i] = v;
    }
    return nodes_.data();
  }

 private:
  static int32_t relative(const State& s, NodeOp op, int32_t node, int32_t k) {
    switch (op) {
      case NodeOp::kHead:
        return s.tree.head(node);
      case NodeOp::kLeftDependent:
        return s.tree.left_dependent(node, k);
      case NodeOp::kRightDependent:
        return s.tree.right_dependent(node, k);
      case NodeOp::kLeftSibling:
        return s.tree.left_sibling(node);
      case NodeOp::kRightSibling:
        return s.tree.right_sibling(node);
      case NodeOp::kNext:
        return node > 0 && node + k <= s.c.n() ? node + k : -1;
      case NodeOp::kPrevious:
        return node - k >= 1 ? node - k : -1;
      default:
        return linked(s.links, op, node, k);
    }
  }

  static int32_t linked(const LinkLists& links, NodeOp op, int32_t node, int32_t k) {
    if (links.size() == 0) return -1;  // as in systems that build directed arcs
    switch (op) {
      case NodeOp::kLeftLink:
        return links.left_link(node, k);
      case NodeOp::kRightLink:
        return links.right_link(node, k);
      case NodeOp::kLeftUndirectedSibling:
        return links.left_sibling(node);
      case NodeOp::kRightUndirectedSibling:
        return links.right_sibling(node);
      default:
        return -1;
    }
  }

  const std::vector<NodeAddress>& addresses_;
  // One kind after another, so that each is a loop without branches: where a node goes, and its place on the stack or
  // in the buffer.
  std::vector<std::pair<int32_t, int32_t>> stack_, buffer_;
  std::vector<int32_t> rest_, nodes_;
};

}  // namespace multiplane
