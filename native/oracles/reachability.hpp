// Derives from a declaration which single arcs can still be built, by exhaustive search over short sentences.
//
// For every configuration that a system reaches, and every arc, the search finds whether some continuation builds the
// arc. If that depends only on the features of a ReachTable, the table is the derived predicate; if two configurations
// with the same features differ, they prove that it does not.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "oracles/reach_table.hpp"
#include "oracles/state_space.hpp"
#include "systems/program.hpp"

namespace multiplane {

// Two configurations with the same features; an arc can be built from one but not from the other.
struct ReachConflict {
  Configuration reachable, unreachable;
  int32_t reachable_head, reachable_dependent, unreachable_head, unreachable_dependent;
};

class ReachabilityFinder {
 public:
  explicit ReachabilityFinder(const Program& program) : program_(program), known_(ReachTable::kSize) {}

  // Visits all configurations for n words; false if there are too many.
  bool look_at(int32_t n, std::size_t most_states) {
    Configuration start(n, program_.stacks, program_.root, !program_.stack_is_final, n);
    std::optional<StateSpace> space;
    try {
      space.emplace(program_, start, most_states);
    } catch (const std::length_error&) {
      return false;
    }
    NodePlaces places(n, program_.stacks);
    for (int32_t head = 1; head <= n; ++head)
      for (int32_t dependent = program_.undirected ? head : 1; dependent <= n; ++dependent)
        for (int32_t plane = 0; plane < program_.stacks && head != dependent && !conflict_; ++plane)
          look_at_arc(*space, places, head, dependent, plane);
    return true;
  }

  const std::optional<ReachConflict>& conflict() const { return conflict_; }

  // The table over as few features as distinguish reachable arcs from others.
  ReachTable table() const {
    std::vector<Known> known = known_;
    ReachTable table;
    table.used = ReachTable::kSize - 1;
    // The least informative first: the rest generalises to longer sentences, and is readable.
    for (ReachFeature feature :
         {ReachFeature::kHeadHasHead, ReachFeature::kHeadOnDependent, ReachFeature::kDependentOnHead,
          ReachFeature::kBufferEmpty, ReachFeature::kFrontIsHead, ReachFeature::kFrontIsDependent,
          ReachFeature::kPathBack, ReachFeature::kConnected, ReachFeature::kDependentHasHead}) {
      std::vector<Known> without = known;
      if (!drop(without, ReachTable::bits_of(feature))) continue;
      known = std::move(without);
      table.used &= ~ReachTable::bits_of(feature);
    }
    for (const Known& k : known) table.reachable.push_back(k.met && k.reachable);
    return table;
  }

 private:
  struct Known {
    bool met = false, reachable = false;
  };
  struct Witness {
    Configuration c;
    int32_t head, dependent;
  };

  void look_at_arc(StateSpace& space, NodePlaces& places, int32_t head, int32_t dependent, int32_t plane) {
    const std::vector<int32_t> best = space.most_arcs({head}, {dependent}, {plane});
    for (std::size_t s = 0; s < space.size() && !conflict_; ++s) {
      const Configuration& c = space.state(s);
      // A dynamic oracle looks one step further if a SWITCH cannot be undone immediately.
      if (c.header().switches > 0 || c.has_arc(head, dependent)) continue;
      places.locate(c);
      const uint32_t key = places.key(c, head, dependent, plane, ReachTable::kSize - 1);
      const bool reachable = best[s] > 0;
      if (!known_[key].met) {
        known_[key] = {true, reachable};
        witnesses_.emplace(key, Witness{c, head, dependent});
      } else if (known_[key].reachable != reachable) {
        const Witness now{c, head, dependent}, &before = witnesses_.at(key);
        const Witness &yes = reachable ? now : before, &no = reachable ? before : now;
        conflict_ = ReachConflict{yes.c, no.c, yes.head, yes.dependent, no.head, no.dependent};
      }
    }
  }

  // Removes a bit from all keys; false if it matters.
  static bool drop(std::vector<Known>& known, uint32_t bit) {
    for (uint32_t key = 0; key < known.size(); ++key) {
      if ((key & bit) == 0 || !known[key].met) continue;
      Known& other = known[key & ~bit];
      if (other.met && other.reachable != known[key].reachable) return false;
      other = known[key];
      known[key] = {};
    }
    return true;
  }

  const Program& program_;
  std::vector<Known> known_;
  std::unordered_map<uint32_t, Witness> witnesses_;
  std::optional<ReachConflict> conflict_;
};

}  // namespace multiplane
