// What a latent state is made of: the earlier states that it is connected with, and the rows of what it observes.
#pragma once

#include <cstdint>
#include <vector>

#include "features/latent_state.hpp"
#include "scoring/latent_shape.hpp"

namespace multiplane {

struct LatentLink {
  int32_t connection;  // the matrix
  int32_t state;       // the earlier state
};

class LatentEye {
 public:
  explicit LatentEye(const LatentShape& shape)
      : shape_(shape),
        finders_{NodeFinder(shape.look.of[0].nodes), NodeFinder(shape.look.of[1].nodes),
                 NodeFinder(shape.look.of[2].nodes)} {}

  // Adds the connections and the rows of the state that a derivation is in.
  void look(const LatentState& s, StateKind kind, const LatentWords& words, std::vector<LatentLink>& links,
            std::vector<int32_t>& rows) {
    const KindLook& look = shape_.look[kind];
    const int32_t* nodes = finders_[static_cast<std::size_t>(kind)].find(s.layer(kind), 0, {});
    for (std::size_t c = 0; c < look.connections.size(); ++c) {
      const int32_t state = s.closest(look.connections[c], nodes);
      if (state >= 0) links.push_back({shape_.connection_first(kind) + static_cast<int32_t>(c), state});
    }
    for (std::size_t f = 0; f < look.features.size(); ++f)
      rows.push_back(shape_.feature_first(kind, f) + value(s, kind, words, look.features[f], nodes));
  }

 private:
  int32_t value(const LatentState& s, StateKind kind, const LatentWords& words, const Observed& o,
                const int32_t* nodes) const {
    switch (o.kind) {
      case ObservedKind::kWord:
        return words.number(nodes[o.a], static_cast<std::size_t>(o.b));
      case ObservedKind::kDeprel:
        return deprel(s.layer(kind).tree, nodes[o.a]);
      case ObservedKind::kSense:
        return sense(s, nodes[o.a]);
      case ObservedKind::kRole:
        return role(s.joint.semantics.c, nodes[o.a], nodes[o.b]);
      case ObservedKind::kTransition:
        return s.layer(kind).last_transition(o.a) + 1;
      case ObservedKind::kDistance:
        return distance_bucket(nodes[o.a], nodes[o.b]);
    }
    return 0;
  }

  static int32_t deprel(const PartialTree& tree, int32_t word) {
    if (word < 0) return 0;
    return tree.head(word) < 0 ? 1 : tree.label(word) + 2;
  }

  int32_t sense(const LatentState& s, int32_t word) const {
    if (word < 0) return 0;
    const int32_t sense = s.senses[word];
    if (sense < 0) return sense == kNoPredicate ? 1 : 2;
    return shape_.known.sense_numbers[sense];
  }

  static int32_t role(const Configuration& c, int32_t predicate, int32_t argument) {
    if (predicate < 0 || argument < 0) return 0;
    for (int32_t a = c.in_list()[argument]; a >= 0; a = c.arc(a).next_in)
      if (c.arc(a).head == predicate) return c.arc(a).label + 2;
    return 1;
  }

  const LatentShape& shape_;
  NodeFinder finders_[kStateKinds];
};

}  // namespace multiplane
