// Feature models: nodes found by their addresses, atoms that say something about them, templates that join atoms.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "state.hpp"
#include "words.hpp"

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
};

enum class AtomKind : uint8_t {
  kWord,
  kDeprel,
  kLeftValency,
  kRightValency,
  kValency,
  kLeftLabels,
  kRightLabels,
  kLabels,
  kDistance,
  kLinked,
  kTransition,
  kSize,
  kActive,
};

struct NodeAddress {
  NodeOp op;
  int32_t a, b;
};

struct FeatureAtom {
  AtomKind kind;
  int32_t a, b;
};

// One part of a feature model: what decides on transitions, or on labels.
struct FeaturePart {
  std::vector<NodeAddress> nodes;  // after those that they refer to
  std::vector<FeatureAtom> atoms;
  std::vector<int32_t> joined;  // the atoms of all templates, one template after another
  std::vector<int32_t> ends;    // where in it each template ends
};

// Where an arc is about to be labelled, its ends.
struct Ends {
  int32_t governor = -1, dependent = -1;
};

class FeatureExtractor {
 public:
  explicit FeatureExtractor(const FeaturePart& part)
      : part_(part), nodes_(part.nodes.size()), atoms_(part.atoms.size()), keys_(part.ends.size()) {
    for (std::size_t t = 0; t < part.ends.size(); ++t) seeds_.push_back(mix(0x452821E638D01377u, t + 1));
  }

  // The keys of all templates. With an offset, as if so many words of the buffer had been shifted.
  const std::vector<Value>& extract(const State& s, const Value* rows, std::size_t width, uint64_t mask, int32_t offset,
                                    Ends ends) {
    find_nodes(s, offset, ends);
    find_atoms(s, rows, width, offset);
    const int32_t* atom = part_.joined.data();
    for (std::size_t t = 0; t < keys_.size(); ++t) {
      const int32_t* end = part_.joined.data() + part_.ends[t];
      Value h = seeds_[t];
      for (; atom < end; ++atom) h = mix(h, atoms_[*atom]);
      keys_[t] = spread(h & mask);
    }
    return keys_;
  }

 private:
  // Keys serve as places in tables and as tags, so all bits must count, and none may be 0.
  static Value spread(Value h) {
    h *= 0xD6E8FEB86659FD93u;
    return h ^ (h >> 32);
  }

  void find_nodes(const State& s, int32_t offset, Ends ends) {
    const Configuration& c = s.c;
    const int32_t size = c.header().buffer_size;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const NodeAddress& n = part_.nodes[i];
      int32_t v = -1;
      switch (n.op) {
        case NodeOp::kStack: {
          int32_t place = n.b;
          if (place < offset) {
            if (offset - 1 - place < size) v = c.buffer()[size - offset + place];
            break;
          }
          place -= offset;
          const int32_t which = n.a == 0 ? c.header().active : (c.header().active + n.a) % c.stacks();
          if (place < c.stack_sizes()[which]) v = c.stack(which)[c.stack_sizes()[which] - 1 - place];
          break;
        }
        case NodeOp::kBuffer:
          if (n.a + offset < size) v = c.buffer()[size - 1 - n.a - offset];
          break;
        case NodeOp::kAside:
          if (n.a < c.header().aside_size) v = c.aside()[c.header().aside_size - 1 - n.a];
          break;
        case NodeOp::kGovernor:
          v = ends.governor;
          break;
        case NodeOp::kDependent:
          v = ends.dependent;
          break;
        default:
          if (nodes_[n.a] >= 0) v = relative(s, n.op, nodes_[n.a], n.b);
      }
      nodes_[i] = v;
    }
  }

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
        return -1;
    }
  }

  void find_atoms(const State& s, const Value* rows, std::size_t width, int32_t offset) {
    const PartialTree& tree = s.tree;
    for (std::size_t i = 0; i < atoms_.size(); ++i) {
      const FeatureAtom& atom = part_.atoms[i];
      const int32_t v = atom.kind <= AtomKind::kLinked ? nodes_[atom.a] : -1;
      Value value = 0;
      switch (atom.kind) {
        case AtomKind::kWord:
          value = rows[(v + 1) * width + atom.b];
          break;
        case AtomKind::kDeprel:
          value = v < 0 ? 0 : tree.label(v) + 2;
          break;
        case AtomKind::kLeftValency:
          value = v < 0 ? 0 : std::min(tree.left_valency(v), 9) + 1;
          break;
        case AtomKind::kRightValency:
          value = v < 0 ? 0 : std::min(tree.right_valency(v), 9) + 1;
          break;
        case AtomKind::kValency:
          value = v < 0 ? 0 : std::min(tree.left_valency(v) + tree.right_valency(v), 9) + 1;
          break;
        case AtomKind::kLeftLabels:
          value = v < 0 ? ~Value{0} : tree.left_labels(v);
          break;
        case AtomKind::kRightLabels:
          value = v < 0 ? ~Value{0} : tree.right_labels(v);
          break;
        case AtomKind::kLabels:
          value = v < 0 ? ~Value{0} : tree.left_labels(v) | tree.right_labels(v);
          break;
        case AtomKind::kDistance:
          value = v < 0 || nodes_[atom.b] < 0 ? 0 : distance(s, v, nodes_[atom.b]);
          break;
        case AtomKind::kLinked: {
          const int32_t w = nodes_[atom.b];
          value = v < 0 || w < 0 ? 0 : tree.head(w) == v ? 2 : tree.head(v) == w ? 3 : 1;
          break;
        }
        case AtomKind::kTransition:
          value = s.last_transition(atom.a) + 1;
          break;
        case AtomKind::kSize:
          value = in_bucket(size(s, atom.a, offset));
          break;
        case AtomKind::kActive:
          value = s.c.header().active;
          break;
      }
      atoms_[i] = value;
    }
  }

  static int32_t size(const State& s, int32_t which, int32_t offset) {
    const Configuration& c = s.c;
    switch (which) {
      case 0:
        return c.active_size() + offset;
      case 1:
        return c.stack_sizes()[(c.header().active + 1) % c.stacks()];
      case 2:
        return c.header().buffer_size - offset;
      default:
        return c.header().aside_size;
    }
  }

  static Value distance(const State& s, int32_t v, int32_t w) {
    const int32_t d = s.position(w) - s.position(v);
    return d >= 0 ? 32 + in_bucket(d) : 16 - in_bucket(-d);
  }

  static int32_t in_bucket(int32_t d) { return d <= 4 ? d : d <= 7 ? 5 : d <= 12 ? 6 : 7; }

  const FeaturePart& part_;
  std::vector<int32_t> nodes_;
  std::vector<Value> atoms_, seeds_, keys_;
};

}  // namespace multiplane
