// Dynamic oracles: the smallest number of gold arcs lost from a configuration on, and the cost of each transition.
//
// A loss (one file each in losses/) decides which gold arcs are reachable one by one; the code common to all losses is
// here. The template keeps the loop over arcs free of virtual calls.
#pragma once

#include <algorithm>
#include <climits>
#include <cstdint>
#include <utility>
#include <vector>

#include "oracles/gold.hpp"
#include "oracles/spec.hpp"
#include "systems/machine.hpp"

namespace multiplane {

class DynamicOracle {
 public:
  static constexpr int32_t kIllegal = INT_MIN;

  virtual ~DynamicOracle() = default;

  // The smallest number of gold arcs missing from any reachable graph.
  virtual int32_t loss(Configuration& c) = 0;

  // The cost of every transition; kIllegal if it is not defined.
  virtual void costs(Configuration& c, bool regularized, std::vector<int32_t>& result) = 0;
};

// A loss has these members:
//   locate(c)              looks at a configuration; what follows is asked of this one
//   is_reachable(c, arc)   whether a gold arc that is not built can still be, by itself
//   counts_cycles()        whether arcs that are reachable one by one may close a cycle together
//   adjust(c, costs)       changes costs by what else the oracle knows
template <typename Loss>
class LossOracle final : public DynamicOracle {
 public:
  // A plane for every gold arc; kNoPlane for arcs that do not count.
  LossOracle(const Program& program, const OracleSpec& spec, const Gold& gold, std::vector<int32_t> planes)
      : program_(program),
        roles_(spec.roles),
        switch_is_bounded_(spec.switch_is_bounded),
        gold_(gold),
        planes_(std::move(planes)),
        loss_(program, spec, gold, planes_),
        machine_(program),
        head_(gold.n() + 1),
        mark_(gold.n() + 1) {
    for (const Transition& t : program.transitions) works_.push_back(work_of(t, program.stacks));
    for (const Work& work : works_) {
      longer_.emplace_back();
      for (std::size_t l = 0; l < works_.size(); ++l)
        if (!work.empty() && works_[l].size() > work.size() && std::equal(work.begin(), work.end(), works_[l].begin()))
          longer_.back().push_back(static_cast<int32_t>(l));
    }
    for (std::size_t t = 0; t < works_.size(); ++t) has_detours_ = has_detours_ || leaves(t) || !longer_[t].empty();
  }

  int32_t loss(Configuration& c) override {
    if (!switch_is_bounded_ || c.header().switches == 0) return unbounded_loss(c);
    return after_switches(c);
  }

  void costs(Configuration& c, bool regularized, std::vector<int32_t>& result) override {
    result.assign(program_.transitions.size(), kIllegal);
    if (program_.trees && machine_.is_terminal(c)) return;
    const int32_t now = loss(c);
    int32_t least_here = INT_MAX;  // of transitions that stay on the active stack
    for (std::size_t t = 0; t < result.size(); ++t) {
      const int32_t transition = static_cast<int32_t>(t);
      if (transition == roles_.switch_stack) continue;
      if (!machine_.peek(c, transition, 0,
                         [&](const Configuration& after) { result[t] = unbounded_loss(after) - now; }))
        continue;
      if (!leaves(t)) least_here = std::min(least_here, result[t]);
    }
    const int32_t switching = roles_.switch_stack;
    if (switching >= 0 && machine_.is_legal(c, switching, 0)) result[switching] = loss_after_switch(c) - now;
    if (regularized && has_detours_ && least_here == 0) regularize(c, result);
    loss_.adjust(c, result);
  }

 private:
  // The loss after a SWITCH that may not be undone immediately.
  int32_t loss_after_switch(const Configuration& c) {
    Configuration after = c;
    machine_.apply(after, roles_.switch_stack, 0, -1);
    return switch_is_bounded_ ? after_switches(after) : unbounded_loss(after);
  }

  // The smallest loss after one more transition other than SWITCH, on this stack or on one that may still become
  // active.
  int32_t after_switches(Configuration& c) {
    int32_t least = INT_MAX;
    for (std::size_t t = 0; t < program_.transitions.size(); ++t) {
      const int32_t transition = static_cast<int32_t>(t);
      if (transition == roles_.switch_stack) continue;
      machine_.peek(c, transition, 0,
                    [&](const Configuration& after) { least = std::min(least, unbounded_loss(after)); });
    }
    if (machine_.is_legal(c, roles_.switch_stack, 0)) least = std::min(least, loss_after_switch(c));
    return least == INT_MAX ? unbounded_loss(c) : least;
  }

  // A free transition costs 1 if it leaves the active stack and delays an arc there (S2), or if another free transition
  // begins with it and does the same in fewer steps. SWITCH also costs 1 if no other stack has an arc for the next
  // word: it can wait until one has, and S2 prefers the shortest derivation.
  void regularize(Configuration& c, std::vector<int32_t>& costs) {
    const int32_t active = c.header().active, switching = roles_.switch_stack;
    const bool delays = can_link_front(c, active);
    if (switching >= 0 && costs[switching] == 0) {
      bool is_needed = false;
      for (int32_t k = 0; k < c.stacks(); ++k) is_needed = is_needed || (k != active && can_link_front(c, k));
      if (!is_needed) costs[switching] = 1;
    }
    for (std::size_t t = 0; t < costs.size(); ++t) {
      if (costs[t] != 0) continue;
      const bool begins_another =
          std::any_of(longer_[t].begin(), longer_[t].end(), [&](int32_t l) { return costs[l] == 0; });
      if (leaves(t) ? delays : begins_another) costs[t] = 1;
    }
  }

  // Whether a transition first works on another stack than the active one, or only switches to it.
  bool leaves(std::size_t t) const { return works_[t].empty() || works_[t][0].ahead > 0; }

  // Whether an arc of a plane can be built, or brought closer, before the next word is shifted.
  bool can_link_front(const Configuration& c, int32_t plane) {
    if (c.buffer_empty()) return false;
    loss_.locate(c);
    const int32_t j = c.front();
    for (int32_t a : gold_.links(j)) {
      if (planes_[a] != plane || is_built(c, a) || !loss_.is_reachable(c, a)) continue;
      const int32_t other = gold_.other_end(a, j), *stack = c.stack(plane);
      if (std::find(stack, stack + c.stack_sizes()[plane], other) != stack + c.stack_sizes()[plane]) return true;
    }
    return false;
  }

  int32_t unbounded_loss(const Configuration& c) {
    loss_.locate(c);
    if (program_.undirected) return undirected_loss(c);
    int32_t lost = 0;
    std::fill(head_.begin(), head_.end(), -1);
    const int32_t built = c.header().arc_count, count = static_cast<int32_t>(gold_.size());
    for (int32_t a = 0; a < built; ++a) head_[c.arc(a).dependent] = c.arc(a).head;
    for (int32_t a = 0; a < count; ++a) {
      if (planes_[a] == kNoPlane || is_built(c, a)) continue;
      const GoldArc& arc = gold_.arc(a);
      if (loss_.is_reachable(c, a) && leaves_a_tree(c, arc)) {
        head_[arc.dependent] = arc.head;
      } else {
        ++lost;
      }
    }
    return lost + (loss_.counts_cycles() ? cycles() : 0);
  }

  // The edges that can be built one by one, and do not close a cycle, can be built together: any maximal set of edges
  // without a cycle has the same size.
  int32_t undirected_loss(const Configuration& c) {
    int32_t lost = 0;
    for (std::size_t v = 0; v < mark_.size(); ++v) mark_[v] = static_cast<int32_t>(v);
    auto joined = [&](int32_t v) {
      v = c.component(v);
      while (mark_[v] != v) v = mark_[v] = mark_[mark_[v]];
      return v;
    };
    for (int32_t a = 0; a < static_cast<int32_t>(gold_.size()); ++a) {
      if (planes_[a] == kNoPlane || is_built(c, a)) continue;
      const GoldArc& edge = gold_.arc(a);
      const bool is_second_root = edge.head == 0 && program_.single_root && c.header().root_arcs > 0;
      if (is_second_root || !loss_.is_reachable(c, a)) {
        ++lost;
      } else if (loss_.counts_cycles()) {
        const int32_t one = joined(edge.head), other = joined(edge.dependent);
        lost += one == other;
        mark_[one] = other;
      }
    }
    return lost;
  }

  bool is_built(const Configuration& c, int32_t a) const {
    const GoldArc& gold = gold_.arc(a);
    for (int32_t b = c.in_list()[gold.dependent]; b >= 0; b = c.arc(b).next_in)
      if (c.arc(b).head == gold.head && c.arc(b).plane == planes_[a]) return true;
    return false;
  }

  // If only trees are derived, the last word must join the component with the root of the tree, if that is already
  // fixed; and a system that shifts it with its head must leave no other component behind.
  bool leaves_a_tree(const Configuration& c, const GoldArc& arc) const {
    const Configuration::Header& header = c.header();
    if (!program_.trees || program_.arcs_on_stack || header.buffer_size != 1 || arc.dependent != c.front()) return true;
    const int32_t root = program_.root == Root::kLeft ? 0 : header.closed_roots == 1 ? header.closed_root : -1;
    if (root >= 0 && !c.connected(arc.head, root)) return false;
    if (!roles_.right_arc_shifts) return true;
    for (int32_t i = 0; i < c.stack_sizes()[0] && c.stack(0)[i] != arc.head; ++i) {
      const int32_t below = c.stack(0)[i];
      if (!c.has_head(below) && !c.connected(below, arc.head)) return false;
    }
    return true;
  }

  // The number of cycles in a graph where every node has at most one head.
  int32_t cycles() {
    int32_t found = 0;
    std::fill(mark_.begin(), mark_.end(), 0);
    for (int32_t v = 1; v <= gold_.n(); ++v) {
      int32_t at = v;
      while (at > 0 && mark_[at] == 0) mark_[at] = v, at = head_[at];
      found += at > 0 && mark_[at] == v;
    }
    return found;
  }

  const Program& program_;
  const Roles& roles_;
  bool switch_is_bounded_;
  const Gold& gold_;
  const std::vector<int32_t> planes_;
  Loss loss_;
  Machine machine_;
  std::vector<int32_t> head_, mark_;
  std::vector<Work> works_;
  std::vector<std::vector<int32_t>> longer_;  // by transition: those that begin with the same work
  bool has_detours_ = false;                  // some transitions can only delay the work of others
};

}  // namespace multiplane
