// Where a latent-variable model looks: which earlier states a state is connected with, and what it observes (S4 §4).
//
// All of it is data: rows of tables that a model stores.
#pragma once

#include <cstdint>
#include <vector>

#include "common/demand.hpp"
#include "features/nodes.hpp"

namespace multiplane {

// Before every decision there is a state: of the syntactic derivation, of the semantic one, or, when a word has come to
// the front of the queue, of the decision whether it is a predicate and in which sense.
enum class StateKind : uint8_t { kSyntax, kSemantics, kPredicate };
constexpr std::size_t kStateKinds = 3;

// What a word was in the earlier state that is looked for.
enum class SeenAs : uint8_t { kFront, kTop, kAnything };

// To the closest earlier state of a kind in which a word, found by its address now, was at the front or on top; or to
// the closest one at all.
struct Connection {
  StateKind from;
  SeenAs as;
  int32_t node;
};

enum class ObservedKind : uint8_t {
  kWord,        // a number of a word: of its form, its tag, ...
  kDeprel,      // the label of its syntactic arc
  kSense,       // its sense
  kRole,        // the label of the semantic arc from one word to another
  kTransition,  // the i-th last transition of the layer
  kDistance,    // from one word to another, in buckets
};

struct Observed {
  ObservedKind kind;
  int32_t a, b;
};

// What states of one kind look at.
struct KindLook {
  std::vector<NodeAddress> nodes;
  std::vector<Connection> connections;
  std::vector<Observed> features;

  void check(int32_t channels) const {
    const int32_t count = static_cast<int32_t>(nodes.size());
    const auto is_node = [&](int32_t node) { return node >= 0 && node < count; };
    for (const Connection& c : connections)
      demand(c.as == SeenAs::kAnything || is_node(c.node), "a connection of an unknown address");
    for (const Observed& o : features) {
      demand(o.kind == ObservedKind::kTransition ? o.a >= 0 && o.a < 8 : is_node(o.a), "a feature of an unknown place");
      const bool has_two = o.kind == ObservedKind::kRole || o.kind == ObservedKind::kDistance;
      demand(!has_two || is_node(o.b), "a feature of an unknown address");
      demand(o.kind != ObservedKind::kWord || (o.b >= 0 && o.b < channels), "a feature of an unknown channel");
    }
  }
};

struct LatentLook {
  KindLook of[kStateKinds];

  const KindLook& operator[](StateKind kind) const { return of[static_cast<std::size_t>(kind)]; }
  std::size_t connections() const {
    std::size_t count = 0;
    for (const KindLook& look : of) count += look.connections.size();
    return count;
  }
};

constexpr int32_t kDistances = 9;

// 0 where a word is missing, then 1, 2, 3, 4, 5-6, 7-9, 10-14, more.
inline int32_t distance_bucket(int32_t from, int32_t to) {
  if (from < 0 || to < 0) return 0;
  const int32_t d = from < to ? to - from : from - to;
  return d <= 4 ? d : d <= 6 ? 5 : d <= 9 ? 6 : d <= 14 ? 7 : 8;
}

}  // namespace multiplane
