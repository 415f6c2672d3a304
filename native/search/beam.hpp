// Beam search: the best k derivations after every step.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "search/beam_states.hpp"
#include "search/search.hpp"

namespace multiplane {

inline bool is_better(const Candidate& a, const Candidate& b) {
  if (a.score != b.score) return a.score > b.score;
  if (a.item != b.item) return a.item < b.item;
  if (a.transition != b.transition) return a.transition < b.transition;
  return a.parameter < b.parameter;
}

// Keeps the best k items after every step. An item that has come to its end waits for the others.
class BeamSearch {
 public:
  struct Item {
    int32_t state = 0;  // its place among the states
    float score = 0;
    bool done = false;
    bool right = true;  // whether it followed the sequence that is looked for, in training
  };

  BeamSearch(const Program& program, Scorer& scorer, std::size_t width)
      : driver_(program, scorer), width_(std::max<std::size_t>(width, 1)), states_(program, width_) {}

  void copy_always(bool on) { states_.copy_always(on); }

  // In training, with the sequence that is looked for.
  void start(int32_t n, const std::vector<Taken>* wanted = nullptr) {
    beam_.assign(1, {states_.start(n)});
    beam_[0].done = driver_.is_done(states_[beam_[0].state]);
    wanted_ = wanted;
    steps_ = best_ = 0;
  }

  // Takes transitions that were chosen by hand, right after the start; false where one is illegal. Their scores count
  // for nothing, as all items have them.
  bool follow(const Value* rows, const std::vector<ChosenByHand>& chosen) {
    Item& item = beam_[0];
    State& s = states_[item.state];
    for (const ChosenByHand& next : chosen) {
      const int32_t arcs = s.c.header().arc_count;
      float score = 0;
      if (!driver_.take(s, rows, next, score)) return false;
      note(item, next.transition, next.parameter, arcs);
    }
    return true;
  }

  bool is_over() const {
    return std::all_of(beam_.begin(), beam_.end(), [](const Item& item) { return item.done; });
  }

  // One step of all; false where nothing legal is left.
  bool step(const Value* rows, const Constraints& fixed, Permission* permission) {
    find_candidates(rows);
    choose(permission);
    if (chosen_.empty()) return false;
    advance(rows, fixed);
    best_ = 0;  // labels may have changed the order
    for (std::size_t i = 1; i < beam_.size(); ++i)
      if (beam_[i].score > beam_[best_].score) best_ = i;
    ++steps_;
    return true;
  }

  const Item& best() const { return beam_[best_]; }
  // All items, the best one first.
  std::vector<Item> ranking() const {
    std::vector<Item> items = beam_;
    std::rotate(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(best_),
                items.begin() + static_cast<std::ptrdiff_t>(best_) + 1);
    std::stable_sort(items.begin() + 1, items.end(), [](const Item& a, const Item& b) { return a.score > b.score; });
    return items;
  }
  const std::vector<Item>& beam() const { return beam_; }
  const State& state(const Item& item) const { return states_[item.state]; }
  std::vector<BeamStep> sequence(const Item& item) const { return states_.sequence(item.state); }

 private:
  void find_candidates(const Value* rows) {
    candidates_.clear();
    for (std::size_t i = 0; i < beam_.size(); ++i) {
      const int32_t item = static_cast<int32_t>(i);
      if (beam_[i].done) {
        candidates_.push_back({beam_[i].score, item, kWait, 0});
      } else {
        driver_.comparable(states_[beam_[i].state], rows, item, beam_[i].score, candidates_);
      }
    }
    std::sort(candidates_.begin(), candidates_.end(), is_better);
  }

  // The best candidates that are legal and allowed.
  void choose(Permission* permission) {
    chosen_.clear();
    for (const Candidate& c : candidates_) {
      if (chosen_.size() == width_) return;
      if (c.transition == kWait || is_possible(c, permission)) chosen_.push_back(c);
    }
  }

  bool is_possible(const Candidate& c, Permission* permission) {
    State& s = states_[beam_[c.item].state];
    if (!driver_.machine().is_legal(s.c, c.transition, c.parameter)) return false;
    if (permission == nullptr) return true;
    permission->look_at(s);
    return permission->allows(s, c.transition, c.parameter);
  }

  // The last successor of an item takes its state over; the others need one of their own.
  void advance(const Value* rows, const Constraints& fixed) {
    successors_.assign(beam_.size(), 0);
    for (const Candidate& c : chosen_) ++successors_[c.item];
    for (std::size_t i = 0; i < beam_.size(); ++i)
      if (successors_[i] == 0) states_.release(beam_[i].state);
    next_.clear();
    for (const Candidate& c : chosen_) {
      Item item = beam_[c.item];
      if (--successors_[c.item] > 0) item.state = states_.twin(item.state);
      if (c.transition != kWait) take(item, c, rows, fixed);
      next_.push_back(item);
    }
    beam_.swap(next_);
  }

  void take(Item& item, const Candidate& c, const Value* rows, const Constraints& fixed) {
    State& s = states_[item.state];
    const int32_t arcs = s.c.header().arc_count;
    float score = 0;
    driver_.take(s, rows, c.transition, c.parameter, fixed, score);
    const int32_t label = note(item, c.transition, c.parameter, arcs);
    item.score = c.score + score;
    if (wanted_ != nullptr)
      item.right = item.right && steps_ < wanted_->size() && (*wanted_)[steps_].transition == c.transition &&
                   (*wanted_)[steps_].parameter == c.parameter && (*wanted_)[steps_].label == label;
  }

  // Notes a transition that an item has just taken, when it had k arcs; returns the label of the arc that it built.
  int32_t note(Item& item, int32_t transition, int32_t parameter, int32_t arcs) {
    const State& s = states_[item.state];
    const int32_t label = driver_.label_since(s, arcs);
    states_.note(item.state, transition, parameter, label, driver_.machine());
    item.done = driver_.is_done(s);
    return label;
  }

  static constexpr int32_t kWait = -1;  // the transition of an item that has come to its end

  Driver driver_;
  std::size_t width_;
  BeamStates states_;
  std::vector<Item> beam_, next_;
  const std::vector<Taken>* wanted_ = nullptr;
  std::size_t steps_ = 0, best_ = 0;
  std::vector<Candidate> candidates_, chosen_;
  std::vector<int32_t> successors_;  // by item
};

}  // namespace multiplane
