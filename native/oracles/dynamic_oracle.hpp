// Dynamic oracles: how many gold arcs are lost at the least from a configuration on, and what each transition costs.
#pragma once

#include <algorithm>
#include <climits>
#include <cstdint>
#include <vector>

#include "oracles/gold.hpp"
#include "systems/machine.hpp"

namespace multiplane {

enum class LossKind : uint8_t {
  kPlanar,      // k stacks with a plane for every gold arc (S2 §3)
  kArcEager,    // Goldberg and Nivre (2012)
  kArcHybrid,   // Goldberg and Nivre (2013)
  kHybridSwap,  // static for SWAP, dynamic for the rest (de Lhoneux et al. 2017)
  kCovington,   // Gómez-Rodríguez and Fernández-González (2015)
};

class DynamicOracle {
 public:
  // A plane for every gold arc; kNoPlane for arcs that are not counted.
  DynamicOracle(const Program& program, LossKind kind, const Gold& gold, std::vector<int32_t> planes,
                int32_t switch_stack, int32_t swap, bool switch_is_bounded)
      : program_(program),
        kind_(kind),
        gold_(gold),
        planes_(std::move(planes)),
        switch_(switch_stack),
        swap_(swap),
        switch_is_bounded_(switch_is_bounded),
        machine_(program),
        places_(gold.n() + 1),
        head_(gold.n() + 1),
        mark_(gold.n() + 1) {
    if (kind == LossKind::kHybridSwap) order_ = gold.projective_order();
    if (kind == LossKind::kPlanar) find_works();
  }

  // The least number of gold arcs missing from any graph within reach.
  int32_t loss(Configuration& c) {
    if (!switch_is_bounded_ || c.header().switches == 0) return unbounded_loss(c);
    return after_switches(c);
  }

  static constexpr int32_t kIllegal = INT_MIN;

  // The cost of every transition; kIllegal where it is not defined.
  void costs(Configuration& c, bool regularized, std::vector<int32_t>& result) {
    result.assign(program_.transitions.size(), kIllegal);
    if (program_.trees && machine_.is_terminal(c)) return;
    const int32_t now = loss(c);
    int32_t free_here = INT_MAX;  // the least cost of what does not leave the active stack
    for (std::size_t t = 0; t < result.size(); ++t) {
      const int32_t transition = static_cast<int32_t>(t);
      if (transition == switch_) continue;
      if (!machine_.peek(c, transition, 0,
                         [&](const Configuration& after) { result[t] = unbounded_loss(after) - now; }))
        continue;
      if (kind_ != LossKind::kPlanar || !leaves(t)) free_here = std::min(free_here, result[t]);
    }
    if (switch_ >= 0 && machine_.is_legal(c, switch_, 0)) result[switch_] = loss_after_switch(c) - now;
    if (regularized && kind_ == LossKind::kPlanar && free_here == 0) regularize(c, result);
    if (kind_ == LossKind::kHybridSwap) force_swap(c, result);
  }

 private:
  // The loss after a SWITCH that may not be taken back at once.
  int32_t loss_after_switch(const Configuration& c) {
    Configuration after = c;
    machine_.apply(after, switch_, 0, -1);
    return switch_is_bounded_ ? after_switches(after) : unbounded_loss(after);
  }

  // The least loss after one more transition that is no SWITCH, on this stack or on one that may still become active.
  int32_t after_switches(Configuration& c) {
    int32_t least = INT_MAX;
    for (std::size_t t = 0; t < program_.transitions.size(); ++t) {
      const int32_t transition = static_cast<int32_t>(t);
      if (transition == switch_) continue;
      machine_.peek(c, transition, 0,
                    [&](const Configuration& after) { least = std::min(least, unbounded_loss(after)); });
    }
    if (machine_.is_legal(c, switch_, 0)) least = std::min(least, loss_after_switch(c));
    return least == INT_MAX ? unbounded_loss(c) : least;
  }

  // What is free costs 1 where it leaves the active stack and delays an arc there (S2), or where it is the beginning of
  // another free transition, which does the same in fewer steps. SWITCH also does where no other stack has an arc for
  // the next word: it can wait until one has, and S2 prefers the shortest derivation.
  void regularize(Configuration& c, std::vector<int32_t>& costs) {
    const int32_t active = c.header().active;
    const bool delays = can_link_front(c, active);
    if (switch_ >= 0 && costs[switch_] == 0) {
      bool is_needed = false;
      for (int32_t k = 0; k < c.stacks(); ++k) is_needed = is_needed || (k != active && can_link_front(c, k));
      if (!is_needed) costs[switch_] = 1;
    }
    for (std::size_t t = 0; t < costs.size(); ++t) {
      if (costs[t] != 0) continue;
      const bool begins_another =
          std::any_of(longer_[t].begin(), longer_[t].end(), [&](int32_t l) { return costs[l] == 0; });
      if (leaves(t) ? delays : begins_another) costs[t] = 1;
    }
  }

  // Whether a transition first works on another stack than the active one, or only leads there.
  bool leaves(std::size_t t) const { return works_[t].empty() || works_[t][0].ahead > 0; }

  // An elementary transition and the stack that it is for, counted on from the active one.
  struct Elementary {
    Op op;
    int32_t ahead;
    bool operator==(const Elementary& other) const { return op == other.op && ahead == other.ahead; }
  };
  using Work = std::vector<Elementary>;

  // What a transition does beside switching stacks; UNSHIFT;SHIFT only compares their tops.
  static Work work_of(const Transition& transition, int32_t stacks) {
    Work work;
    int32_t ahead = 0;
    for (const Step& step : transition.steps) {
      if (step.op == Op::kSwitch) {
        ahead = (ahead + step.times) % stacks;
      } else if (step.op == Op::kShift && !work.empty() && work.back().op == Op::kUnshift) {
        work.pop_back();
      } else {
        for (int32_t i = 0; i < step.times; ++i) work.push_back({step.op, ahead});
      }
    }
    return work;
  }

  void find_works() {
    for (const Transition& t : program_.transitions) works_.push_back(work_of(t, program_.stacks));
    for (const Work& work : works_) {
      longer_.emplace_back();
      for (std::size_t l = 0; l < works_.size(); ++l)
        if (works_[l].size() > work.size() && std::equal(work.begin(), work.end(), works_[l].begin()))
          longer_.back().push_back(static_cast<int32_t>(l));
    }
  }

  // Whether an arc of a plane can be built, or come nearer, before the next word is shifted.
  bool can_link_front(const Configuration& c, int32_t plane) {
    if (c.buffer_empty()) return false;
    locate(c);
    const int32_t j = c.front();
    for (int32_t a : gold_.links(j)) {
      if (planes_[a] == plane && !is_built(c, a) && is_reachable_planar(c, a)) {
        const int32_t other = gold_.other_end(a, j);
        if (places_[other] & bit_of_stack(plane)) return true;
      }
    }
    return false;
  }

  // While the top is behind the front in the projective order, SWAP is the only right transition, as in the static
  // oracle; otherwise it is wrong.
  void force_swap(Configuration& c, std::vector<int32_t>& costs) const {
    if (swap_ < 0 || costs[swap_] == kIllegal) return;
    const bool wanted = order_[c.top()] > order_[c.front()];
    for (std::size_t t = 0; t < costs.size(); ++t) {
      if (costs[t] == kIllegal) continue;
      if (static_cast<int32_t>(t) == swap_) {
        costs[t] = wanted ? 0 : std::max(costs[t], 1);
      } else if (wanted) {
        costs[t] = std::max(costs[t], 1);
      }
    }
  }

  int32_t unbounded_loss(const Configuration& c) {
    locate(c);
    int32_t lost = 0;
    std::fill(head_.begin(), head_.end(), -1);
    for (int32_t a = 0; a < c.header().arc_count; ++a) head_[c.arc(a).dependent] = c.arc(a).head;
    for (std::size_t g = 0; g < gold_.size(); ++g) {
      const int32_t a = static_cast<int32_t>(g);
      if (planes_[a] == kNoPlane || is_built(c, a)) continue;
      if (is_reachable(c, a)) {
        head_[gold_.arc(a).dependent] = gold_.arc(a).head;
      } else {
        ++lost;
      }
    }
    return lost + (kind_ == LossKind::kPlanar || kind_ == LossKind::kCovington ? cycles() : 0);
  }

  bool is_built(const Configuration& c, int32_t a) const {
    const GoldArc& gold = gold_.arc(a);
    for (int32_t b = c.in_list()[gold.dependent]; b >= 0; b = c.arc(b).next_in) {
      if (c.arc(b).head == gold.head && (kind_ != LossKind::kPlanar || c.arc(b).plane == planes_[a])) return true;
    }
    return false;
  }

  bool is_reachable(const Configuration& c, int32_t a) const {
    const GoldArc& arc = gold_.arc(a);
    if (c.has_head(arc.dependent) || !leaves_a_tree(c, arc)) return false;
    const uint64_t head = places_[arc.head], dependent = places_[arc.dependent];
    switch (kind_) {
      case LossKind::kPlanar:
        return is_reachable_planar(c, a);
      case LossKind::kArcEager:
        return (head & kBuffer && dependent) || (dependent & kBuffer && head);
      case LossKind::kArcHybrid:
      case LossKind::kHybridSwap:
        if (!head || !dependent) return false;
        if (head & kBuffer || dependent & kBuffer) return true;
        // Both on the stack: the dependent must lie right on its head.
        return under_[arc.dependent] == arc.head;
      case LossKind::kCovington:
        // One of them must still be to come, and if it is the front, the other must not have been passed.
        return (head & kBuffer && (dependent & (kBuffer | kStack) || arc.head != c.front())) ||
                       (dependent & kBuffer && (head & (kBuffer | kStack) || arc.dependent != c.front()))
                   ? !c.connected(arc.head, arc.dependent)
                   : false;
    }
    return false;
  }

  // Where only trees are wanted, the last word must join the component that has the root of the tree, if that is
  // settled already; and a system that shifts it with its head must leave no other component behind.
  bool leaves_a_tree(const Configuration& c, const GoldArc& arc) const {
    const Configuration::Header& header = c.header();
    if (!program_.trees || program_.arcs_on_stack || header.buffer_size != 1 || arc.dependent != c.front()) return true;
    const int32_t root = program_.root == Root::kLeft ? 0 : header.closed_roots == 1 ? header.closed_root : -1;
    if (root >= 0 && !c.connected(arc.head, root)) return false;
    if (kind_ != LossKind::kArcEager) return true;
    for (int32_t i = 0; i < c.stack_sizes()[0] && c.stack(0)[i] != arc.head; ++i) {
      const int32_t below = c.stack(0)[i];
      if (!c.has_head(below) && !c.connected(below, arc.head)) return false;
    }
    return true;
  }

  bool is_reachable_planar(const Configuration& c, int32_t a) const {
    const GoldArc& arc = gold_.arc(a);
    const uint64_t open = kBuffer | bit_of_stack(planes_[a]);
    const uint64_t head = places_[arc.head], dependent = places_[arc.dependent];
    const bool in_place = (head & kBuffer && dependent & open) || (dependent & kBuffer && head & open);
    return in_place && !c.has_head(arc.dependent) && !c.connected(arc.head, arc.dependent);
  }

  // Where every node is: one bit for the buffer and one for each stack.
  static constexpr uint64_t kBuffer = 1, kStack = 2;
  static uint64_t bit_of_stack(int32_t s) { return kStack << s; }  // at most 60 stacks

  void locate(const Configuration& c) {
    std::fill(places_.begin(), places_.end(), 0);
    const Configuration::Header& header = c.header();
    for (int32_t i = 0; i < header.buffer_size; ++i) places_[c.buffer()[i]] = kBuffer;
    for (int32_t s = 0; s < c.stacks(); ++s)
      for (int32_t i = 0; i < c.stack_sizes()[s]; ++i) places_[c.stack(s)[i]] |= bit_of_stack(s);
    if (kind_ == LossKind::kCovington) {
      for (int32_t i = 0; i < header.aside_size; ++i) places_[c.aside()[i]] = kPassed;
    }
    if (kind_ == LossKind::kArcHybrid || kind_ == LossKind::kHybridSwap) {
      under_.assign(gold_.n() + 1, -1);
      for (int32_t i = 1; i < c.stack_sizes()[0]; ++i) under_[c.stack(0)[i]] = c.stack(0)[i - 1];
    }
    if (kind_ == LossKind::kHybridSwap) {
      // A word on the stack that is behind one of the buffer in the projective order will be swapped back to it.
      int32_t first = INT_MAX;
      for (int32_t i = 0; i < header.buffer_size; ++i) first = std::min(first, order_[c.buffer()[i]]);
      for (int32_t i = 0; i < c.stack_sizes()[0]; ++i)
        if (order_[c.stack(0)[i]] > first) places_[c.stack(0)[i]] = kBuffer;
    }
  }
  static constexpr uint64_t kPassed = uint64_t{1} << 63;

  // The number of cycles in a graph where every node has one head at the most.
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
  LossKind kind_;
  const Gold& gold_;
  std::vector<int32_t> planes_;
  int32_t switch_, swap_;
  bool switch_is_bounded_;
  Machine machine_;
  std::vector<uint64_t> places_;
  std::vector<int32_t> head_, mark_, under_, order_;
  std::vector<Work> works_;
  std::vector<std::vector<int32_t>> longer_;  // by transition, those that begin with the same work
};

}  // namespace multiplane
