// Feature models: atoms that say something about nodes, and templates that join atoms.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "features/nodes.hpp"
#include "features/relations.hpp"
#include "features/state.hpp"
#include "features/words.hpp"

namespace multiplane {

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
  kLabel,
  kPath,
  // of graphs
  kRole,
  kPredicate,
  kSense,
  kArguments,
  kRoles,
};

// How many nodes a value is about; they come first among its operands.
inline int32_t node_count(AtomKind kind) {
  if (kind == AtomKind::kDistance || kind == AtomKind::kLinked) return 2;
  if (kind >= AtomKind::kLabel && kind <= AtomKind::kRole) return 2;
  return kind <= AtomKind::kLabels || kind >= AtomKind::kPredicate ? 1 : 0;
}

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

// What values say about the arcs of a partial tree.
struct BuiltArcs {
  const PartialTree& tree;

  int32_t deprel(int32_t v) const { return tree.label(v); }
  int32_t left_valency(int32_t v) const { return tree.left_valency(v); }
  int32_t right_valency(int32_t v) const { return tree.right_valency(v); }
  uint64_t left_labels(int32_t v) const { return tree.left_labels(v); }
  uint64_t right_labels(int32_t v) const { return tree.right_labels(v); }
  // 1 if no arc links two nodes; else which one is the head.
  Value linked(int32_t v, int32_t w) const { return tree.head(w) == v ? 2 : tree.head(v) == w ? 3 : 1; }
  // The label of the arc between two nodes, or -1.
  int32_t label(int32_t v, int32_t w) const {
    return tree.head(w) == v ? tree.label(w) : tree.head(v) == w ? tree.label(v) : -1;
  }
};

// The same about edges without direction. Where labels carry one, the tree has the arcs that they prefer.
struct BuiltEdges {
  const LinkLists& links;
  const PartialTree& tree;

  int32_t deprel(int32_t v) const { return tree.label(v); }
  int32_t left_valency(int32_t v) const { return links.left_count(v); }
  int32_t right_valency(int32_t v) const { return links.right_count(v); }
  uint64_t left_labels(int32_t v) const { return links.left_labels(v); }
  uint64_t right_labels(int32_t v) const { return links.right_labels(v); }
  Value linked(int32_t v, int32_t w) const { return links.edge_between(v, w) < 0 ? 1 : 2; }
  int32_t label(int32_t v, int32_t w) const {
    const int32_t edge = links.edge_between(v, w);
    return edge < 0 ? -1 : links.label(edge);
  }
};

class FeatureExtractor {
 public:
  explicit FeatureExtractor(const FeaturePart& part)
      : part_(part), finder_(part.nodes), atoms_(part.atoms.size()), keys_(part.ends.size()) {
    sort_atoms();
    sort_templates();
  }

  // The keys of all templates. With an offset k, as if k words of the buffer had been shifted.
  const std::vector<Value>& extract(const State& s, const Value* rows, std::size_t width, uint64_t mask, int32_t offset,
                                    Ends ends) {
    nodes_ = finder_.find(s, offset, ends);
    for (const Word& w : words_) atoms_[w.atom] = rows[(nodes_[w.node] + 1) * width + w.attribute];
    if (s.links.size() == 0) {  // for undirected systems too: a tree without arcs is like a graph without edges
      for (int32_t i : others_) atoms_[i] = value(s, BuiltArcs{s.tree}, part_.atoms[i], offset);
    } else {
      for (int32_t i : others_) atoms_[i] = value(s, BuiltEdges{s.links, s.tree}, part_.atoms[i], offset);
    }
    const Value* atoms = atoms_.data();
    Value* key = keys_.data();
    const int32_t* joined = joined_.data();
    const Value* seed = seeds_.data();
    for (const auto& [size, count] : sizes_) {
      switch (size) {  // the usual sizes as loops without inner loops
        case 1:
          for (int32_t t = 0; t < count; ++t, joined += 1) *key++ = spread(mix(*seed++, atoms[joined[0]]) & mask);
          break;
        case 2:
          for (int32_t t = 0; t < count; ++t, joined += 2)
            *key++ = spread(mix(mix(*seed++, atoms[joined[0]]), atoms[joined[1]]) & mask);
          break;
        case 3:
          for (int32_t t = 0; t < count; ++t, joined += 3)
            *key++ = spread(mix(mix(mix(*seed++, atoms[joined[0]]), atoms[joined[1]]), atoms[joined[2]]) & mask);
          break;
        default:
          for (int32_t t = 0; t < count; ++t, joined += size) {
            Value h = *seed++;
            for (int32_t a = 0; a < size; ++a) h = mix(h, atoms[joined[a]]);
            *key++ = spread(h & mask);
          }
      }
    }
    return keys_;
  }

  const std::vector<Value>& keys() const { return keys_; }

 private:
  struct Word {
    int32_t atom, node, attribute;
  };

  // Keys serve as places in tables and as tags, so all bits must count; 0 is for empty places.
  static Value spread(Value h) {
    h *= 0xD6E8FEB86659FD93u;
    h ^= h >> 32;
    return h + (h == 0);
  }

  // One kind after another, so that each is a loop without branches.
  void sort_atoms() {
    for (std::size_t i = 0; i < part_.atoms.size(); ++i) {
      const FeatureAtom& atom = part_.atoms[i];
      const int32_t place = static_cast<int32_t>(i);
      if (atom.kind == AtomKind::kWord) {
        words_.push_back({place, atom.a, atom.b});
      } else {
        others_.push_back(place);
      }
    }
  }

  void sort_templates() {
    auto begin = [this](std::size_t t) { return t == 0 ? 0 : part_.ends[t - 1]; };
    std::vector<int32_t> order(part_.ends.size());
    std::iota(order.begin(), order.end(), 0);
    auto size = [&](int32_t t) { return part_.ends[t] - begin(t); };
    std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) { return size(a) < size(b); });
    for (int32_t t : order) {
      seeds_.push_back(mix(0x452821E638D01377u, t + 1));
      joined_.insert(joined_.end(), part_.joined.begin() + begin(t), part_.joined.begin() + part_.ends[t]);
      if (sizes_.empty() || sizes_.back().first != size(t)) sizes_.emplace_back(size(t), 0);
      ++sizes_.back().second;
    }
  }

  // The value of an atom that is no attribute of a word.
  template <typename Built>
  Value value(const State& s, const Built& built, const FeatureAtom& atom, int32_t offset) const {
    const int32_t v = node_count(atom.kind) > 0 ? nodes_[atom.a] : -1;
    const bool none = v < 0;
    switch (atom.kind) {
      case AtomKind::kDeprel:
        return none ? 0 : built.deprel(v) + 2;
      case AtomKind::kLeftValency:
        return none ? 0 : std::min(built.left_valency(v), 9) + 1;
      case AtomKind::kRightValency:
        return none ? 0 : std::min(built.right_valency(v), 9) + 1;
      case AtomKind::kValency:
        return none ? 0 : std::min(built.left_valency(v) + built.right_valency(v), 9) + 1;
      case AtomKind::kLeftLabels:
        return none ? ~Value{0} : built.left_labels(v);
      case AtomKind::kRightLabels:
        return none ? ~Value{0} : built.right_labels(v);
      case AtomKind::kLabels:
        return none ? ~Value{0} : built.left_labels(v) | built.right_labels(v);
      case AtomKind::kPredicate:
        return none ? 0 : s.meaning.is_predicate(v) + 1;
      case AtomKind::kSense:
        return none ? 0 : s.meaning.is_predicate(v) ? s.meaning.sense(v) + 3 : 1;
      case AtomKind::kArguments:
        return none ? ~Value{0} : s.meaning.arguments(v);
      case AtomKind::kRoles:
        return none ? ~Value{0} : s.meaning.roles(v);
      case AtomKind::kDistance:
        return none || nodes_[atom.b] < 0 ? 0 : distance(s, v, nodes_[atom.b]);
      case AtomKind::kLinked:
        return none || nodes_[atom.b] < 0 ? 0 : built.linked(v, nodes_[atom.b]);
      case AtomKind::kTransition:
        return s.last_transition(atom.a) + 1;
      case AtomKind::kSize:
        return in_bucket(size(s, atom.a, offset));
      case AtomKind::kActive:
        return s.c.header().active;
      case AtomKind::kLabel:
        return none || nodes_[atom.b] < 0 ? 0 : built.label(v, nodes_[atom.b]) + 2;
      case AtomKind::kPath:
        return none || nodes_[atom.b] < 0 ? 0 : path_between(s.tree, v, nodes_[atom.b]);
      case AtomKind::kRole:
        return none || nodes_[atom.b] < 0 ? 0 : roles_between(s, v, nodes_[atom.b]);
      case AtomKind::kWord:
        break;
    }
    return 0;
  }

  // The labels of the arcs of the graph between two words, in both directions.
  static Value roles_between(const State& s, int32_t v, int32_t w) {
    if (!s.meaning.is_known()) return 0;
    const auto role = [&](int32_t head, int32_t dependent) {
      const int32_t arc = s.c.find_arc(head, dependent);
      return static_cast<Value>(arc < 0 ? 0 : s.c.arc(arc).label + 2);
    };
    return mix(mix(0xC0AC29B7C97C50DDu, role(v, w)), role(w, v));
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
  NodeFinder finder_;
  const int32_t* nodes_ = nullptr;
  std::vector<int32_t> others_, joined_;
  std::vector<Word> words_;
  std::vector<std::pair<int32_t, int32_t>> sizes_;  // how many templates there are of each size
  std::vector<Value> atoms_, seeds_, keys_;
};

struct FeatureModel {
  std::size_t width = 0;  // attributes of a word
  FeaturePart transition, label;
  uint64_t mask = ~uint64_t{0};  // fewer bits than all: features share rows
};

}  // namespace multiplane
