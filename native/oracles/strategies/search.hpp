// Search for any derivation that builds all gold arcs and no others: for systems that no other strategy fits.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "oracles/static_oracle.hpp"
#include "oracles/strategies/bottom_up.hpp"
#include "oracles/strategies/planar.hpp"

namespace multiplane {

class DerivationSearch {
 public:
  DerivationSearch(const Program& program, const Roles& roles, Gold& gold)
      : program_(program), roles_(roles), gold_(gold), machine_(program) {}

  // Tries the other strategies first: if one finds a derivation, that is much faster.
  Derivation derive() {
    Derivation found;
    if (roles_.on[0].is_complete() && roles_.shift >= 0 && finds_all<PlanarStrategy>(found)) return found;
    if (finds_all<BottomUpStrategy>(found)) return found;
    return depth_first();
  }

 private:
  struct Frame {
    Configuration c;
    std::vector<Taken> options;
    std::size_t next;
  };
  static constexpr std::size_t kMostVisited = 200000;

  template <typename Quick>
  bool finds_all(Derivation& found) const {
    Gold copy = gold_;
    Quick strategy(program_, roles_, copy);
    found = StaticOracle(program_, roles_, copy).follow(strategy);
    bool all = found.complete && found.added.empty();
    for (std::size_t a = 0; a < gold_.size(); ++a)
      all = all && (found.plane[a] != kNoPlane || !gold_.is_open(static_cast<int32_t>(a)));
    return all;
  }

  Derivation depth_first() {
    StaticOracle oracle(program_, roles_, gold_);
    Derivation derivation = oracle.start();
    Configuration start = oracle.initial();
    std::unordered_set<std::string> visited;
    std::size_t wanted_arcs = 0;
    for (std::size_t a = 0; a < gold_.size(); ++a) wanted_arcs += gold_.is_open(static_cast<int32_t>(a));
    std::vector<Frame> path;
    path.push_back({start, options(start), 0});
    while (!path.empty() && visited.size() < kMostVisited) {
      Frame& frame = path.back();
      if (machine_.is_terminal(frame.c) && static_cast<std::size_t>(frame.c.header().arc_count) == wanted_arcs) {
        for (std::size_t f = 0; f + 1 < path.size(); ++f)
          oracle.take(start, path[f].options[path[f].next - 1], derivation);
        break;
      }
      if (frame.next == frame.options.size()) {
        path.pop_back();
        continue;
      }
      const Taken option = frame.options[frame.next++];
      Configuration after = frame.c;
      machine_.apply(after, option.transition, option.parameter, option.label);
      const auto& block = after.block();
      std::string key(reinterpret_cast<const char*>(block.data()), block.size() * sizeof(int32_t));
      if (!visited.insert(std::move(key)).second) continue;
      std::vector<Taken> next = options(after);
      path.push_back({std::move(after), std::move(next), 0});
    }
    derivation.complete = machine_.is_terminal(start);
    return derivation;
  }

  std::vector<Taken> options(Configuration& c) {
    std::vector<Taken> found;
    for (std::size_t t = 0; t < program_.transitions.size(); ++t) {
      const bool parametrized = program_.transitions[t].parametrized;
      for (int32_t i = parametrized; i <= (parametrized ? machine_.most(c) : 0); ++i) {
        bool good = true;
        int32_t label = -1;
        const int32_t before = c.header().arc_count;
        const bool legal = machine_.peek(c, static_cast<int32_t>(t), i, [&](const Configuration& after) {
          for (int32_t a = before; a < after.header().arc_count; ++a) {
            const int32_t gold = gold_.find(after.arc(a).head, after.arc(a).dependent);
            good = good && gold >= 0 && !gold_.is_dropped(gold);
            if (gold >= 0) label = gold_.arc(gold).label;
          }
        });
        if (legal && good) found.push_back({static_cast<int32_t>(t), i, label});
      }
    }
    // Arcs first, as in every other strategy; shifts last.
    std::stable_partition(found.begin(), found.end(), [this](const Taken& t) { return t.transition != roles_.shift; });
    return found;
  }

  const Program& program_;
  const Roles& roles_;
  Gold& gold_;
  Machine machine_;
};

}  // namespace multiplane
