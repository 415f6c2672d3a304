// The tree of allowed arcs that a model likes best, whatever transitions would build it.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <vector>

#include "graphs/branching.hpp"
#include "search/search.hpp"

namespace multiplane {

// Heads by word, from 1; empty where no tree has only allowed arcs. Arcs of the tree that was found without
// constraints come first where the model knows no odds of heads, then short ones.
inline std::vector<int32_t> allowed_tree(const State& free, const Scorer& scorer, const Constraints& fixed,
                                         bool single_root) {
  const int32_t n = free.c.n();
  std::vector<int32_t> heads, dependents;
  std::vector<double> costs;
  for (int32_t d = 1; d <= n; ++d) {
    for (int32_t h = 0; h <= n; ++h) {
      if (h == d || !fixed.allow(h, d)) continue;
      const bool is_free = std::max(free.tree.head(d), 0) == h;
      const double distance = h == 0 ? 1 : static_cast<double>(std::abs(h - d)) / n;
      heads.push_back(h);
      dependents.push_back(d);
      costs.push_back((is_free ? 0 : 1 + distance) - scorer.head_odds(h, d) + (h == 0 && single_root ? 100.0 * n : 0));
    }
  }
  std::vector<int32_t> found(n + 1, -1);
  try {
    const WeightedArcs arcs{
        {heads.data(), heads.size()}, {dependents.data(), dependents.size()}, {costs.data(), costs.size()}};
    int32_t roots = 0;
    for (int64_t arc : minimum_branching(n + 1, arcs, 0)) {
      if (arc < 0) continue;
      found[dependents[arc]] = heads[arc];
      roots += heads[arc] == 0;
    }
    if (single_root && roots != 1) return {};
  } catch (const std::invalid_argument&) {
    return {};  // a word is out of reach
  }
  return found;
}

}  // namespace multiplane
