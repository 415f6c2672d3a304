// The roles of transitions in oracles, derived from what they do, not from their names.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "systems/program.hpp"

namespace multiplane {

// An elementary transition and the stack it works on, counted from the active one.
struct Elementary {
  Op op;
  int32_t ahead;
  bool operator==(const Elementary& other) const { return op == other.op && ahead == other.ahead; }
};

// What a transition does to stacks, buffer and arcs. SWITCH only selects the stack for the rest, UNSHIFT;SHIFT only
// tests that all stacks have the same top, and RESTORE and DROP only concern words set aside. A transition with a
// parameter is a family, which has no single work.
using Work = std::vector<Elementary>;

inline Work work_of(const Transition& transition, int32_t stacks) {
  Work work;
  if (transition.parametrized) return work;
  int32_t ahead = 0;
  for (const Step& step : transition.steps) {
    if (step.op == Op::kSwitch) {
      ahead = (ahead + step.times) % stacks;
    } else if (step.op == Op::kShift && step.times == 1 && !work.empty() && work.back().op == Op::kUnshift) {
      work.pop_back();
    } else if (step.op != Op::kRestore && step.op != Op::kDrop) {
      work.insert(work.end(), step.times, {step.op, ahead});
    }
  }
  return work;
}

inline bool builds_arc(const Transition& transition) {
  return std::any_of(transition.steps.begin(), transition.steps.end(), [](const Step& s) { return is_arc(s.op); });
}

// The transitions that work on one stack; -1 if there is none.
struct StackRoles {
  int32_t reduce = -1, left = -1, right = -1;
  bool is_complete() const { return reduce >= 0 && left >= 0 && right >= 0; }
};

// Indices of transitions in the program; -1 if there is none.
struct Roles {
  int32_t shift = -1, switch_stack = -1, swap = -1;
  int32_t reduce_all = -1;        // removes the word on top of every stack from all of them
  int32_t left_reduce = -1;       // LEFT-ARC, then REDUCE-ALL
  int32_t right_shift = -1;       // RIGHT-ARC, then SHIFT, if RIGHT-ARC alone is also a transition
  std::vector<StackRoles> on;     // by stack, counted from the active one, as far as transitions reach without SWITCH
  std::vector<int32_t> arcs;      // all that build an arc, in order of declaration
  bool right_arc_shifts = false;  // a word that gets its head from the left is shifted immediately, as in arc-eager

  bool reaches(int32_t ahead) const { return ahead < static_cast<int32_t>(on.size()); }
};

class RoleFinder {
 public:
  explicit RoleFinder(const Program& program) : program_(program) {
    if (program.undirected) left_ = right_ = Op::kArc;  // both ways at once
    for (const Transition& t : program.transitions) works_.push_back(work_of(t, program.stacks));
  }

  Roles find() const {
    Roles roles;
    roles.shift = exactly({{Op::kShift, 0}});
    for (std::size_t t = 0; t < works_.size(); ++t) {
      const Transition& transition = program_.transitions[t];
      const int32_t number = static_cast<int32_t>(t);
      if (builds_arc(transition)) {
        roles.arcs.push_back(number);
      } else if (roles.swap < 0 && has(transition, Op::kExchange)) {
        roles.swap = number;
      } else if (roles.switch_stack < 0 && only_switches(transition)) {
        roles.switch_stack = number;
      }
    }
    roles.on.push_back(on_stack(0));
    add_further_stacks(roles);
    add_folded(roles);
    return roles;
  }

 private:
  static bool has(const Transition& transition, Op op) {
    return std::any_of(transition.steps.begin(), transition.steps.end(), [op](const Step& s) { return s.op == op; });
  }
  static bool only_switches(const Transition& transition) {
    return std::all_of(transition.steps.begin(), transition.steps.end(),
                       [](const Step& s) { return s.op == Op::kSwitch; });
  }

  int32_t exactly(const Work& wanted) const {
    const auto found = std::find(works_.begin(), works_.end(), wanted);
    return found == works_.end() ? -1 : static_cast<int32_t>(found - works_.begin());
  }

  // The shortest transition that begins with an arc of this kind and then only moves or removes words.
  int32_t beginning_with(Elementary arc) const {
    int32_t best = -1;
    for (std::size_t t = 0; t < works_.size(); ++t) {
      const Work& work = works_[t];
      if (work.empty() || !(work[0] == arc)) continue;
      if (std::any_of(work.begin() + 1, work.end(), [](const Elementary& e) { return is_arc(e.op); })) continue;
      if (best < 0 || work.size() < works_[best].size()) best = static_cast<int32_t>(t);
    }
    return best;
  }

  StackRoles on_stack(int32_t ahead) const {
    const int32_t reduce = exactly({{Op::kReduce, ahead}});
    return {reduce >= 0 ? reduce : exactly({{Op::kSkip, ahead}}), beginning_with({left_, ahead}),
            beginning_with({right_, ahead})};
  }

  // All other stacks, or none: if some are out of reach, the active one would have to change anyway.
  void add_further_stacks(Roles& roles) const {
    std::vector<StackRoles> further;
    for (int32_t ahead = 1; ahead < program_.stacks; ++ahead) further.push_back(on_stack(ahead));
    if (std::all_of(further.begin(), further.end(), [](const StackRoles& r) { return r.is_complete(); }))
      roles.on.insert(roles.on.end(), further.begin(), further.end());
  }

  void add_folded(Roles& roles) const {
    Work everywhere;
    for (int32_t ahead = 0; ahead < program_.stacks; ++ahead) everywhere.push_back({Op::kReduce, ahead});
    Work left_and_reduce{{left_, 0}};
    left_and_reduce.insert(left_and_reduce.end(), everywhere.begin(), everywhere.end());
    roles.reduce_all = exactly(everywhere);
    roles.left_reduce = exactly(left_and_reduce);
    roles.right_shift = exactly({{right_, 0}, {Op::kShift, 0}});
    const StackRoles& active = roles.on[0];
    roles.right_arc_shifts = active.right >= 0 && active.right == roles.right_shift;
    if (roles.left_reduce == active.left) roles.left_reduce = -1;  // the only LEFT-ARC
    if (roles.right_shift == active.right) roles.right_shift = -1;
  }

  const Program& program_;
  Op left_ = Op::kLeftArc, right_ = Op::kRightArc;
  std::vector<Work> works_;
};

inline Roles roles_of(const Program& program) { return RoleFinder(program).find(); }

}  // namespace multiplane
