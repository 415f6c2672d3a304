// Static oracles: for a gold graph, one transition sequence that builds it.
//
// A strategy (one file each in strategies/) proposes transitions; if the machine refuses one, because a tree is
// required and the gold graph is none, the nearest legal transition is taken.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "oracles/gold.hpp"
#include "oracles/spec.hpp"
#include "oracles/strategies/strategy.hpp"
#include "systems/machine.hpp"

namespace multiplane {

struct Derivation {
  std::vector<Taken> sequence;
  std::vector<int32_t> plane;                      // by gold arc; kNoPlane if it was not built
  std::vector<std::pair<int32_t, int32_t>> added;  // arcs built that are not gold
  bool complete = false;                           // whether it ended in a terminal configuration

  int32_t lost() const { return static_cast<int32_t>(std::count(plane.begin(), plane.end(), kNoPlane)); }
};

class StaticOracle {
 public:
  StaticOracle(const Program& program, const Roles& roles, Gold& gold)
      : program_(program), roles_(roles), gold_(gold), machine_(program) {}

  Configuration initial() const {
    return Configuration(gold_.n(), program_.stacks, program_.root, !program_.stack_is_final, gold_.n());
  }

  Derivation start() const {
    Derivation derivation;
    derivation.plane.assign(gold_.size(), kNoPlane);
    return derivation;
  }

  Derivation follow(Strategy& strategy) {
    Configuration c = initial();
    Derivation derivation = start();
    // A bound that no correct derivation reaches, so that a wrong one ends.
    const std::size_t nodes = static_cast<std::size_t>(gold_.n()) + 1;
    const std::size_t most = 64 + 16 * nodes * (strategy.is_quadratic() ? nodes : program_.stacks + 1);
    while (derivation.sequence.size() < most) {
      const Taken next = strategy.wanted(c), instead = instead_of_giving_up(c, next);
      if (instead.transition >= 0 && take(c, instead, derivation)) continue;
      if (next.transition < 0 || !take(c, next, derivation)) {
        if (machine_.is_terminal(c)) break;
        if (!take_any(c, derivation)) break;
      }
    }
    derivation.complete = machine_.is_terminal(c);
    return derivation;
  }

  bool take(Configuration& c, const Taken& t, Derivation& derivation) {
    const int32_t arcs = c.header().arc_count;
    if (!machine_.apply(c, t.transition, t.parameter, t.label)) return false;
    for (int32_t a = arcs; a < c.header().arc_count; ++a) {
      const int32_t gold = gold_.build(c.arc(a).head, c.arc(a).dependent);
      if (gold >= 0) {
        derivation.plane[gold] = c.arc(a).plane;
      } else {
        derivation.added.emplace_back(c.arc(a).head, c.arc(a).dependent);
      }
    }
    derivation.sequence.push_back(t);
    return true;
  }

 private:
  // A legal transition, if the proposed one is not: an arc rather than a step that only gives up words, preferably to a
  // word whose gold head is unreachable anyway.
  bool take_any(Configuration& c, Derivation& derivation) {
    for (bool waits : {false, true}) {
      for (int32_t arc : roles_.arcs) {
        if (!program_.trees) break;  // a forest needs no arc that is not gold
        if (program_.transitions[arc].parametrized) continue;
        int32_t dependent = -1;
        const bool legal = machine_.peek(c, arc, 0, [&](const Configuration& after) {
          dependent = after.arc(after.header().arc_count - 1).dependent;
        });
        if (legal && waits_for_head(dependent) == waits) return take(c, {arc, 0, gold_.label(dependent)}, derivation);
      }
    }
    for (int32_t t : {roles_.on[0].reduce, roles_.shift, roles_.switch_stack})
      if (t >= 0 && take(c, {t, 0, -1}, derivation)) return true;
    for (std::size_t t = 0; t < program_.transitions.size(); ++t)
      for (int32_t i = program_.transitions[t].parametrized;
           i <= (program_.transitions[t].parametrized ? machine_.most(c) : 0); ++i)
        if (take(c, {static_cast<int32_t>(t), i, -1}, derivation)) return true;
    return false;
  }

  // If a word is about to leave the last stack without a head although it is not the root of the tree, its gold arc was
  // dropped, so any head is as good, unless the front depends on the word itself.
  Taken instead_of_giving_up(const Configuration& c, const Taken& next) const {
    if (!program_.trees || program_.undirected || c.buffer_empty() || next.transition < 0) return kNothing;
    const bool all = next.transition == roles_.reduce_all;
    for (int32_t ahead = 0; ahead < program_.stacks && roles_.reaches(ahead); ++ahead) {
      const StackRoles& work = roles_.on[ahead];
      if (!all && next.transition != work.reduce) continue;
      const int32_t top = top_of(c, stack_ahead(c, ahead));
      if (top > 0 && (all || c.places()[top] <= 1) && is_given_up(c, top)) return {work.left, 0, gold_.label(top)};
      break;
    }
    return kNothing;
  }

  bool is_given_up(const Configuration& c, int32_t word) const {
    if (c.has_head(word) || gold_.head(word) < 0 || waits_for_head(word)) return false;
    for (int32_t v = c.front(), steps = 0; v > 0 && steps <= gold_.n(); v = gold_.head(v), ++steps)
      if (v == word) return false;
    return true;
  }

  bool waits_for_head(int32_t node) const {
    const auto& links = gold_.links(node);
    return std::any_of(links.begin(), links.end(),
                       [&](int32_t a) { return gold_.arc(a).dependent == node && gold_.is_open(a); });
  }

  const Program& program_;
  const Roles& roles_;
  Gold& gold_;
  Machine machine_;
};

}  // namespace multiplane
