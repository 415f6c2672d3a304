// S4's swap for graphs, in the last-resort and the exhaustive order, with late reduce.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "oracles/strategies/strategy.hpp"

namespace multiplane {

class GraphSwapStrategy : public Strategy {
 public:
  using Strategy::Strategy;

  Taken wanted(Configuration& c) override {
    if (c.buffer_empty()) return kNothing;
    const int32_t size = c.active_size(), j = c.front();
    const Taken shift{roles_.shift, 0, -1};
    if (size == 0) return shift;
    const int32_t i = c.top();
    for (int32_t a : gold_.links(j)) {
      if (!gold_.is_open(a) || gold_.other_end(a, j) != i) continue;
      return {gold_.arc(a).head == j ? roles_.on[0].left : roles_.on[0].right, 0, gold_.arc(a).label};
    }
    if (size == 1) return shift;
    // Late reduce: a finished word leaves only when one below it still has arcs to build.
    if (gold_.is_finished(i)) {
      for (int32_t s = size - 2; s >= 0; --s)
        if (!gold_.is_finished(c.stack(0)[s])) return {roles_.on[0].reduce, 0, -1};
      return shift;
    }
    const int32_t under = c.stack(0)[size - 2];
    if (!gold_.is_finished(under) && wants_swap(c, under, i)) return {roles_.swap, 0, -1};
    return shift;
  }

  bool is_quadratic() const override { return true; }

 protected:
  virtual bool wants_swap(const Configuration& c, int32_t under, int32_t top) const = 0;

  // The words in the buffer that a word must still be linked to, in order.
  std::vector<int32_t> partners(const Configuration& c, int32_t node) const {
    std::vector<int32_t> found;
    for (int32_t a : gold_.links(node)) {
      const int32_t other = gold_.other_end(a, node);
      if (gold_.is_open(a) && gold_.position(other) >= gold_.position(c.front())) found.push_back(other);
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }
};

// Swaps when the word below the top must be linked to the front.
class LastResortStrategy final : public GraphSwapStrategy {
 public:
  using GraphSwapStrategy::GraphSwapStrategy;

 private:
  bool wants_swap(const Configuration& c, int32_t under, int32_t) const override {
    const std::vector<int32_t> of_under = partners(c, under);
    return !of_under.empty() && of_under[0] == c.front();
  }
};

// Swaps when the word below the top has the earlier list of partners.
class ExhaustiveStrategy final : public GraphSwapStrategy {
 public:
  using GraphSwapStrategy::GraphSwapStrategy;

 private:
  bool wants_swap(const Configuration& c, int32_t under, int32_t top) const override {
    return partners(c, under) < partners(c, top);
  }
};

}  // namespace multiplane
