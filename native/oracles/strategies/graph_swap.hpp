// S4's swap for graphs, in the last-resort and the exhaustive order, with late reduce.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "graphs/partners.hpp"
#include "oracles/strategies/strategy.hpp"

namespace multiplane {

// Both orders look at the two topmost words that still have arcs to build, as if all finished words had left the stack.
// Finished words leave only when they are in the way of an arc or of a swap (late reduce).
class GraphSwapStrategy : public Strategy {
 public:
  GraphSwapStrategy(const Program& program, const Roles& roles, const Gold& gold)
      : Strategy(program, roles, gold), partners_(gold.n() + 1, links_of(gold)) {}

  Taken wanted(Configuration& c) override {
    if (c.buffer_empty()) return kNothing;
    front_ = c.front();
    note_unfinished(c);
    const int32_t* stack = c.stack(c.header().active);
    const int32_t last = c.active_size() - 1, x = unfinished_at_or_below(stack, last);
    const Taken shift{roles_.shift, 0, -1}, reduce{roles_.on[0].reduce, 0, -1};
    if (x < 0) return shift;
    const int32_t upper = stack[x];
    if (meets_front(upper)) return x == last ? arc_to(upper) : reduce;
    const int32_t y = unfinished_at_or_below(stack, x - 1);
    // A finished word between the two is swapped to the top first, where it is reduced.
    if (y >= 0 && wants_swap(stack[y], upper)) return x == last ? Taken{roles_.swap, 0, -1} : reduce;
    // Once the front is shifted, finished words below it can only leave by further swaps.
    if (looks_ahead() && x < last && next(upper) < partners_.last(position(front_))) return reduce;
    return shift;
  }

  bool is_quadratic() const override { return true; }

 protected:
  virtual bool wants_swap(int32_t under, int32_t upper) = 0;
  // Whether finished words leave before the front is shifted if it will be swapped with a word below them.
  virtual bool looks_ahead() const = 0;

  // Whether the next arc of a word on the stack is one to the front.
  bool meets_front(int32_t word) { return next(word) == position(front_); }

  // The place of what a word is still to be linked to, among the lists of all words in lexicographical order.
  int32_t rank(int32_t word) {
    next(word);
    return partners_.rank(position(word));
  }

 private:
  // The partners of words are numbered by position, as an artificial root may stand at the end.
  int32_t position(int32_t word) const { return gold_.position(word); }

  static Spans links_of(const Gold& gold) {
    const Spans all = gold.spans();
    Spans kept;
    for (std::size_t a = 0; a < all.size(); ++a)
      if (gold.is_open(static_cast<int32_t>(a))) kept.push_back(all[a]);
    return kept;
  }

  bool is_open(int32_t head, int32_t dependent) const {
    const int32_t a = gold_.find(head, dependent);
    return a >= 0 && gold_.is_open(a);
  }

  // The position of the next word in the buffer that a word must still be linked to, or PartnerLists::kNone.
  int32_t next(int32_t word) {
    const int32_t at = position(word), front = position(front_);
    partners_.skip_before(at, front);
    if (partners_.next(at) == front && !is_open(word, front_) && !is_open(front_, word))
      partners_.skip_before(at, front + 1);
    return partners_.next(at);
  }

  bool is_finished(int32_t word) { return next(word) == PartnerLists::kNone; }

  Taken arc_to(int32_t top) const {
    const bool left = is_open(front_, top);
    const GoldArc& arc = gold_.arc(left ? gold_.find(front_, top) : gold_.find(top, front_));
    return {left ? roles_.on[0].left : roles_.on[0].right, 0, arc.label};
  }

  // Every transition changes at most the two uppermost places of the stack.
  void note_unfinished(const Configuration& c) {
    const int32_t* stack = c.stack(c.header().active);
    const int32_t size = c.active_size();
    const int32_t changed = std::max(0, std::min(size, static_cast<int32_t>(unfinished_.size())) - 2);
    unfinished_.resize(size);
    for (int32_t s = changed; s < size; ++s)
      unfinished_[s] = !is_finished(stack[s]) ? s : s > 0 ? unfinished_[s - 1] : -1;
  }

  // The highest place in the stack, not above a given one, with a word that still has arcs to build; -1 if none. A word
  // that was not reached in time is finished without having been on top.
  int32_t unfinished_at_or_below(const int32_t* stack, int32_t place) {
    if (place < 0) return -1;
    int32_t found = unfinished_[place];
    while (found >= 0 && is_finished(stack[found])) found = found > 0 ? unfinished_[found - 1] : -1;
    return unfinished_[place] = found;
  }

  PartnerLists partners_;
  int32_t front_ = -1;
  std::vector<int32_t> unfinished_;  // by place in the stack: the highest place not above it with an unfinished word
};

// Swaps when the word below the top must be linked to the front. Only what is needed now counts, for words to leave,
// too.
class LastResortStrategy final : public GraphSwapStrategy {
 public:
  using GraphSwapStrategy::GraphSwapStrategy;

 private:
  bool wants_swap(int32_t under, int32_t) override { return meets_front(under); }
  bool looks_ahead() const override { return false; }
};

// Swaps when the word below the top has the earlier list of partners.
class ExhaustiveStrategy final : public GraphSwapStrategy {
 public:
  using GraphSwapStrategy::GraphSwapStrategy;

 private:
  bool wants_swap(int32_t under, int32_t upper) override { return rank(under) < rank(upper); }
  bool looks_ahead() const override { return true; }
};

}  // namespace multiplane
