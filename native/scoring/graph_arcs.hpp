// The arcs that the transitions of a graph system build, and which of them a parser may take.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/demand.hpp"
#include "features/state.hpp"
#include "oracles/roles.hpp"

namespace multiplane {

// The arc that a transition builds, between the front and the top of a stack; or whether it only swaps words.
struct ArcOfTransition {
  bool is_arc = false, from_front = false;
  int32_t ahead = 0;  // the stack, counted from the active one
  bool swaps = false;
};

inline std::vector<ArcOfTransition> arcs_of_transitions(const Program& program) {
  std::vector<ArcOfTransition> arcs;
  for (const Transition& transition : program.transitions) {
    demand(!transition.parametrized, "a graph is not parsed by transitions with parameters");
    ArcOfTransition arc;
    const Work work = work_of(transition, program.stacks);
    for (std::size_t i = 0; i < work.size(); ++i) {
      if (!is_arc(work[i].op)) continue;
      demand(i == 0 && work[i].op != Op::kArc, "the arcs of a graph must link the front with the top of a stack");
      arc = {true, work[i].op == Op::kLeftArc, work[i].ahead};
    }
    arc.swaps =
        !arc.is_arc && std::any_of(work.begin(), work.end(), [](const Elementary& e) { return e.op == Op::kExchange; });
    arcs.push_back(arc);
  }
  return arcs;
}

// Whether a transition builds no arc, or one from a predicate. To swap twice is to do nothing, and could go on forever.
template <typename IsPredicate>
bool is_allowed(const std::vector<ArcOfTransition>& arcs, const State& s, int32_t transition,
                IsPredicate&& is_predicate) {
  const ArcOfTransition& arc = arcs[transition];
  const Configuration& c = s.c;
  if (arc.swaps) return s.last_transition(0) != transition;
  if (!arc.is_arc || c.buffer_empty()) return true;
  if (arc.from_front) return is_predicate(c.front());
  const int32_t stack = (c.header().active + arc.ahead) % c.stacks(), size = c.stack_sizes()[stack];
  return size == 0 || is_predicate(c.stack(stack)[size - 1]);
}

constexpr float kForbidden = -1e30f;  // the score of a transition that a parser may not take

}  // namespace multiplane
