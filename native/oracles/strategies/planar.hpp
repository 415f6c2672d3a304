// The planar family (S0 §4.3, §5.1): arcs as soon as their ends meet, nearest first, in any number of planes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "graphs/planes.hpp"
#include "oracles/strategies/strategy.hpp"

namespace multiplane {

class PlanarStrategy final : public Strategy {
 public:
  PlanarStrategy(const Program& program, const Roles& roles, const Gold& gold) : Strategy(program, roles, gold) {
    const Spans all = gold_.spans();
    component_.assign(gold_.size(), -1);
    plane_.assign(gold_.size(), program_.stacks == 1 ? 0 : kNoPlane);
    if (program_.stacks > 1) find_components_of(all);
  }

  // The nearest link of the active plane; if there is none, of the next plane that has one: on its stack if a
  // transition works there, otherwise after a SWITCH.
  Taken wanted(Configuration& c) override {
    if (c.buffer_empty()) return kNothing;
    const int32_t j = c.front();
    if (j != front_) look_left(j);
    for (int32_t ahead = 0; ahead < program_.stacks; ++ahead) {
      const int32_t stack = stack_ahead(c, ahead), nearest = next_link(stack);
      if (nearest < 0) continue;
      if (!roles_.reaches(ahead)) return {roles_.switch_stack, 0, -1};
      assign(nearest, stack);
      const int32_t top = top_of(c, stack);
      const StackRoles& work = roles_.on[ahead];
      if (gold_.other_end(nearest, j) != top)
        return {roles_.reduce_all >= 0 && is_done_with(c, top) ? roles_.reduce_all : work.reduce, 0, -1};
      const GoldArc& arc = gold_.arc(nearest);
      const bool left = arc.head == j, either = program_.undirected;
      if ((left || either) && ahead == 0 && roles_.left_reduce >= 0 && is_done_with(c, top, nearest))
        return {roles_.left_reduce, 0, arc.label};
      if ((!left || either) && ahead == 0 && roles_.right_shift >= 0 && open_left_links() == 1)
        return {roles_.right_shift, 0, arc.label};
      return {left ? work.left : work.right, 0, arc.label};
    }
    return {roles_.shift, 0, -1};
  }

 private:
  // Arcs without crossings are components of their own, as most are; only the others need colours.
  void find_components_of(const Spans& all) {
    colour_.assign(gold_.size(), 0);
    ArcList kept;
    Spans spans;
    for (std::size_t a = 0; a < gold_.size(); ++a) {
      if (gold_.is_dropped(static_cast<int32_t>(a))) continue;
      kept.push_back(static_cast<int32_t>(a));
      spans.push_back(all[a]);
    }
    const ArcList sorted = all_arcs(spans);
    if (!find_crossing(spans, sorted)) return;
    const Components components = find_components(spans, sorted);
    for (std::size_t i = 0; i < components.arcs.size(); ++i) {
      const ArcList& component = components.arcs[i];
      if (component.size() == 1) continue;
      std::vector<int32_t> colours;  // beyond two planes, by search
      if (components.is_odd[i]) {
        Spans own;
        for (int32_t a : component) own.push_back(spans[a]);
        colours = minimal_planes(own, program_.stacks).of_arc;
      }
      members_.emplace_back();
      held_.emplace_back(program_.stacks, false);
      for (std::size_t j = 0; j < component.size(); ++j) {
        const int32_t arc = kept[component[j]];
        component_[arc] = static_cast<int32_t>(members_.size()) - 1;
        colour_[arc] = colours.empty() ? components.colour[component[j]] : colours[j];
        members_.back().push_back(arc);
      }
    }
  }

  // The first arc of each colour of a component takes the nearest plane, starting from the active one, that no other
  // colour of the component occupies, so stacks are switched only when needed.
  void assign(int32_t arc, int32_t active) {
    if (plane_[arc] != kNoPlane) return;
    if (component_[arc] < 0) {
      plane_[arc] = active;
      return;
    }
    std::vector<bool>& held = held_[component_[arc]];
    int32_t plane = active;
    while (held[plane]) plane = (plane + 1) % program_.stacks;
    held[plane] = true;
    for (int32_t other : members_[component_[arc]])
      if (colour_[other] == colour_[arc]) plane_[other] = plane;
  }

  bool fits(int32_t arc, int32_t plane) const {
    if (plane_[arc] != kNoPlane) return plane_[arc] == plane;
    return component_[arc] < 0 || !held_[component_[arc]][plane];
  }

  int32_t open_left_links() const {
    return static_cast<int32_t>(
        std::count_if(left_links_.begin(), left_links_.end(), [this](int32_t a) { return gold_.is_open(a); }));
  }

  // Whether a word can leave all stacks in one transition, once an arc is built.
  bool is_done_with(const Configuration& c, int32_t word, int32_t last = -1) const {
    if (word < 0) return false;
    for (int32_t a : gold_.links(word))
      if (a != last && gold_.is_open(a)) return false;
    for (int32_t s = 0; s < program_.stacks; ++s)
      if (top_of(c, s) != word) return false;
    return true;
  }

  // Lists the links of a new front to the words before it, the nearest first.
  void look_left(int32_t j) {
    front_ = j;
    left_links_.clear();
    for (int32_t a : gold_.links(j))
      if (gold_.position(gold_.other_end(a, j)) < gold_.position(j)) left_links_.push_back(a);
    std::sort(left_links_.begin(), left_links_.end(), [this, j](int32_t a, int32_t b) {
      return gold_.position(gold_.other_end(a, j)) > gold_.position(gold_.other_end(b, j));
    });
    next_.assign(program_.stacks, 0);
  }

  // The nearest link to be built in a plane, or -1. Links that are built or belong to another plane stay so, so each
  // list is walked once.
  int32_t next_link(int32_t plane) {
    std::size_t& next = next_[plane];
    while (next < left_links_.size()) {
      const int32_t a = left_links_[next];
      if (gold_.is_open(a) && fits(a, plane)) return a;
      ++next;
    }
    return -1;
  }

  std::vector<int32_t> plane_, component_, colour_;
  std::vector<ArcList> members_;
  std::vector<std::vector<bool>> held_;  // by component and plane
  int32_t front_ = -1;
  std::vector<int32_t> left_links_;
  std::vector<std::size_t> next_;
};

}  // namespace multiplane
