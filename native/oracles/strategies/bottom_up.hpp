// Bottom-up: a word is attached once it has all its dependents.
#pragma once

#include <algorithm>
#include <cstdint>

#include "oracles/strategies/strategy.hpp"

namespace multiplane {

class BottomUpStrategy : public Strategy {
 public:
  BottomUpStrategy(const Program& program, const Roles& roles, const Gold& gold)
      : Strategy(program, roles, gold), machine_(program) {}

  Taken wanted(Configuration& c) override {
    const Taken arc = wanted_arc(c);
    return arc.transition >= 0 ? arc : shift_or_end(c);
  }

 protected:
  // The first transition that builds a gold arc whose dependent is ready, or kNothing.
  Taken wanted_arc(Configuration& c) {
    for (int32_t t : roles_.arcs) {
      const bool parametrized = program_.transitions[t].parametrized;
      const int32_t most = parametrized ? machine_.most(c) : 0;
      for (int32_t i = parametrized; i <= most; ++i) {
        if (program_.stack_is_final && i > 0 && !are_ready(c, i)) continue;
        const int32_t arc = built_by(c, t, i);
        if (arc >= 0) return {t, i, gold_.arc(arc).label};
      }
    }
    return kNothing;
  }

 private:
  // The gold arc that a transition builds, if its dependent is ready; or -1.
  int32_t built_by(Configuration& c, int32_t transition, int32_t parameter) {
    int32_t arc = -1;
    bool removed = false;
    const int32_t front = c.front_or(-1);
    machine_.peek(c, transition, parameter, [&](const Configuration& after) {
      const Arc& last = after.arc(after.header().arc_count - 1);
      arc = gold_.find(last.head, last.dependent);
      removed = after.places()[last.dependent] == 0;
    });
    if (arc < 0 || !gold_.is_open(arc)) return -1;
    const int32_t dependent = gold_.arc(arc).dependent;
    // A word leaves with its last arc; one that stays at the front must have no arcs to later words.
    const auto& links = gold_.links(dependent);
    const bool ready = std::none_of(links.begin(), links.end(), [&](int32_t a) {
      const bool later = gold_.position(gold_.other_end(a, dependent)) > gold_.position(dependent);
      return a != arc && gold_.is_open(a) && (removed || (dependent == front && later));
    });
    return ready ? arc : -1;
  }

  // Whether the i-th word of the buffer and the next can be linked, in either direction: what easy-first can do.
  bool are_ready(const Configuration& c, int32_t i) const {
    const int32_t size = c.header().buffer_size;
    if (i >= size) return false;
    const int32_t a = c.buffer()[size - i], b = c.buffer()[size - i - 1];
    for (int32_t arc : {gold_.find(a, b), gold_.find(b, a)})
      if (arc >= 0 && gold_.is_open(arc) && gold_.is_complete(gold_.arc(arc).dependent)) return true;
    return false;
  }

  Machine machine_;
};

}  // namespace multiplane
