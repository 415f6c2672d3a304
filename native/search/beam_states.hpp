// The states of a beam, and the history that they share.
//
// A beam needs a new state wherever an item has more than one successor, and another state is no longer needed then.
// Copying a state takes time in proportion to the sentence. The states of a beam mostly parted a few transitions ago,
// so that it takes less to undo those of the one that is free and to redo those of the one that is wanted.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "features/state.hpp"

namespace multiplane {

// A transition in the history of a beam: which one it follows, or -1, and the label of the last arc that it built.
struct BeamStep {
  int32_t before, transition, parameter, label;
};

class BeamStates {
 public:
  // For a beam of this width. A few more states than that stay where they were last, so that derivations that parted
  // long ago need not take states from each other.
  BeamStates(const Program& program, std::size_t width)
      : program_(program), machine_(program), most_(width + width / 4) {}

  // Whether every state is a copy; for comparison.
  void copy_always(bool on) { copies_ = on; }

  // Begins with one state, for n words; returns its place.
  int32_t start(int32_t n) {
    history_.clear();
    begins_.clear();
    log_.clear();
    forgotten_ = 0;
    first_logged_ = 0;
    reach_ = copies_ || n < kShort ? 0 : n / kWordsPerStep;
    State s(program_, n);
    if (reach_ > 0) s.c.keep_unions();
    if (slots_.empty()) slots_.push_back({s, kNowhere});
    slots_[0] = {std::move(s), kStart};
    free_.clear();
    for (std::size_t i = slots_.size(); i-- > 1;) {
      slots_[i].at = kNowhere;
      free_.push_back(static_cast<int32_t>(i));
    }
    return 0;
  }

  State& operator[](int32_t place) { return slots_[place].state; }
  const State& operator[](int32_t place) const { return slots_[place].state; }

  // Where a state equal to this one is now.
  int32_t twin(int32_t place) {
    if (const auto nearest = find_nearest(slots_[place].at); nearest != free_.end()) {
      const int32_t found = std::exchange(*nearest, free_.back());
      free_.pop_back();
      follow(slots_[found], slots_[place]);
      return found;
    }
    if (free_.empty() || (reach_ > 0 && slots_.size() < most_)) {
      slots_.push_back(Slot(slots_[place]));
      return static_cast<int32_t>(slots_.size()) - 1;
    }
    const int32_t found = free_.back();
    free_.pop_back();
    slots_[found] = slots_[place];
    return found;
  }

  // A state that is no longer needed.
  void release(int32_t place) { free_.push_back(place); }

  // Notes a transition of a state, which this machine has just taken.
  void note(int32_t place, int32_t transition, int32_t parameter, int32_t label, const Machine& machine) {
    Slot& slot = slots_[place];
    history_.push_back({slot.at, transition, parameter, label});
    slot.at = static_cast<int32_t>(history_.size()) - 1;
    if (reach_ == 0) return;
    if (log_.size() >= kMostLogged) forget_half();
    begins_.push_back(forgotten_ + log_.size());
    log_.insert(log_.end(), machine.last().begin(), machine.last().end());
  }

  // All transitions that led to a state.
  std::vector<BeamStep> sequence(int32_t place) const {
    std::vector<BeamStep> steps;
    for (int32_t i = slots_[place].at; i >= 0; i = history_[i].before) steps.push_back(history_[i]);
    std::reverse(steps.begin(), steps.end());
    return steps;
  }

 private:
  static constexpr int32_t kStart = -1, kNowhere = -2;  // before all transitions; in no sentence, or in an earlier one
  // Undoing or redoing a transition takes about as long as copying this many words.
  static constexpr int32_t kWordsPerStep = 4;
  // States of shorter sentences are always copied.
  static constexpr int32_t kShort = 250;
  // How many transitions away a free state is looked for at first, and among how many.
  static constexpr int32_t kNear = 8;
  static constexpr std::ptrdiff_t kLookedAt = 32;
  // The size of the log, in elementary steps.
  static constexpr std::size_t kMostLogged = std::size_t{1} << 18;

  struct Slot {
    State state;
    int32_t at;  // the place of the last transition in the history
  };

  // The free state that is nearest to a place in the history, if any is near enough. It looks further and further, for
  // most are near and some are very far.
  std::vector<int32_t>::iterator find_nearest(int32_t at) {
    auto nearest = free_.end();
    for (int32_t far = std::min(kNear, reach_); nearest == free_.end() && far > 0;) {
      int32_t limit = far;
      for (auto it = free_.end(); it != free_.begin() && free_.end() - it < kLookedAt;) {
        --it;
        const int32_t steps = distance(slots_[*it].at, at, limit);
        if (steps >= limit) continue;
        nearest = it;
        limit = steps;
      }
      far = far < reach_ ? std::min(4 * far, reach_) : 0;
    }
    return nearest;
  }

  // How many transitions lie between two places, if that is less than a limit.
  int32_t distance(int32_t a, int32_t b, int32_t limit) const {
    if (a == kNowhere) return limit;
    int32_t steps = 0;
    for (; a != b && steps < limit; ++steps) {
      const int32_t later = std::max(a, b), earlier = std::min(a, b);
      if (later < first_logged_) return limit;
      a = history_[later].before;
      b = earlier;
    }
    return steps;
  }

  // Makes a state equal to another one: back to where they parted, and on. The trees differ only around arcs that were
  // built since then.
  void follow(Slot& slot, const Slot& wanted) {
    State& s = slot.state;
    path_.clear();
    touched_.clear();
    for (int32_t at = wanted.at; slot.at != at;) {
      int32_t& later = slot.at > at ? slot.at : at;
      if (&later == &at) {
        path_.push_back(at);
      } else {
        const int32_t arcs = s.c.header().arc_count;
        machine_.undo(s.c, log_of(later), log_of(later + 1));
        touch(s, s.c.header().arc_count, arcs);  // which no other arcs have replaced yet
        if (program_.undirected)
          for (int32_t a = s.c.header().arc_count; a < arcs; ++a) s.links.remove_last();
      }
      later = history_[later].before;
    }
    for (; !path_.empty(); path_.pop_back()) {
      const int32_t arcs = s.c.header().arc_count;
      machine_.redo(s.c, log_of(path_.back()), log_of(path_.back() + 1));
      touch(wanted.state, arcs, s.c.header().arc_count);
      if (program_.undirected)
        for (int32_t a = arcs; a < s.c.header().arc_count; ++a) link(s.links, wanted.state.links, a);
    }
    for (int32_t v : touched_) s.tree.copy_node(wanted.state.tree, v);
    s.recent = wanted.state.recent;
    s.taken = wanted.state.taken;
    slot.at = wanted.at;
  }

  // Adds an edge that other links have already.
  static void link(LinkLists& links, const LinkLists& from, int32_t edge) {
    links.add(from.left_end(edge), from.right_end(edge), from.label(edge));
  }

  // Collects the nodes around some arcs of a state: their ends, and the dependents beside them. Either end of an edge
  // may be the dependent.
  void touch(const State& s, int32_t begin, int32_t end) {
    for (int32_t a = begin; a < end; ++a) {
      touched_.push_back(s.c.arc(a).head);
      touch_with_siblings(s, s.c.arc(a).dependent);
      if (program_.undirected) touch_with_siblings(s, s.c.arc(a).head);
    }
  }

  void touch_with_siblings(const State& s, int32_t v) {
    touched_.push_back(v);
    for (int32_t sibling : {s.tree.left_sibling(v), s.tree.right_sibling(v)})
      if (sibling >= 0) touched_.push_back(sibling);
  }

  // Where the log of a transition begins.
  const Machine::Done* log_of(int32_t place) const {
    const bool is_last = place == static_cast<int32_t>(begins_.size());
    return log_.data() + (is_last ? log_.size() : begins_[place] - forgotten_);
  }

  void forget_half() {
    const std::size_t half = log_.size() / 2;
    const auto kept = std::lower_bound(begins_.begin(), begins_.end(), forgotten_ + half);
    first_logged_ = static_cast<int32_t>(kept - begins_.begin());
    const std::size_t begin = kept == begins_.end() ? log_.size() : *kept - forgotten_;
    log_.erase(log_.begin(), log_.begin() + static_cast<std::ptrdiff_t>(begin));
    forgotten_ += begin;
  }

  const Program& program_;
  Machine machine_;
  std::size_t most_;
  bool copies_ = false;
  int32_t reach_ = 0;  // how many transitions away a state may be, not to be copied
  std::vector<BeamStep> history_;
  std::vector<Slot> slots_;
  std::vector<int32_t> free_;
  // What the transitions of the history did, of which only the later half is kept when it is long.
  std::vector<Machine::Done> log_;
  std::vector<std::size_t> begins_;  // by transition, counting what was forgotten
  std::size_t forgotten_ = 0;
  int32_t first_logged_ = 0;
  std::vector<int32_t> path_, touched_;
};

}  // namespace multiplane
