// Trees of allowed arcs, whatever transitions would build them: the best one, and the best ones of smaller classes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "graphs/branching.hpp"
#include "graphs/crossings.hpp"
#include "graphs/projective.hpp"
#include "search/search.hpp"

namespace multiplane {

// Every arc has a cost. Arcs of the tree that was found without constraints come first where the model knows no odds of
// heads, then short ones. Trees are heads by word, from 1; empty where there is none.
class AllowedTrees {
 public:
  using Heads = std::vector<int32_t>;

  AllowedTrees(const State& free, const Scorer& scorer, const Constraints& fixed, const Program& program)
      : program_(program), n_(free.c.n()), costs_((n_ + 1) * (n_ + 1), kNever) {
    for (int32_t d = 1; d <= n_; ++d) {
      for (int32_t h = 0; h <= n_; ++h) {
        if (h == d || !fixed.allow(h, d)) continue;
        const bool is_free = std::max(free.tree.head(d), 0) == h;
        const double distance = h == 0 ? 1 : static_cast<double>(std::abs(h - d)) / n_;
        const double another_root = h == 0 && has_single_root() ? 100.0 * n_ : 0;
        cost(h, d) = (is_free ? 0 : 1 + distance) - scorer.head_odds(h, d) + another_root;
      }
    }
  }

  Heads best() const { return cheapest().heads; }

  // Looks for a tree that up to two planes hold. At least one arc of an odd cycle of crossings, or of two crossing
  // arcs, is not in such a tree, so the search tries each. It goes on from the cheapest tree first, so that it soon
  // finds one that is nearly the best, and ends where it has taken too long.
  Heads best_in_planes(int32_t planes) {
    if (planes > 2) return {};
    work_ = 0;
    return within(planes, cheapest());
  }

  Heads best_projective() const {
    if (n_ > kLongestForEisner) return {};
    Heads heads = best_projective_heads<double>(
        n_, [&](int32_t h, int32_t d) { return cost(h, d) == kNever ? -kForbidden : -cost(h, d); });
    for (int32_t d = 1; d <= n_; ++d)
      if (cost(heads[d], d) == kNever) return {};
    return has_too_many_roots(heads) ? Heads{} : heads;
  }

 private:
  static constexpr double kNever = std::numeric_limits<double>::infinity();
  static constexpr double kForbidden = 1e12;       // finite, as sums are compared
  static constexpr int64_t kMostWork = 4'000'000;  // arcs, over all trees

  struct Tree {
    Heads heads;
    double cost = kNever;
  };

  double& cost(int32_t head, int32_t dependent) { return costs_[head * (n_ + 1) + dependent]; }
  double cost(int32_t head, int32_t dependent) const { return costs_[head * (n_ + 1) + dependent]; }

  bool has_single_root() const { return program_.root == Root::kNone || program_.single_root; }
  bool has_too_many_roots(const Heads& heads) const {
    return has_single_root() && std::count(heads.begin() + 1, heads.end(), 0) != 1;
  }

  Tree cheapest() const {
    std::vector<int32_t> heads, dependents;
    std::vector<double> costs;
    for (int32_t h = 0; h <= n_; ++h) {
      for (int32_t d = 1; d <= n_; ++d) {
        if (cost(h, d) == kNever) continue;
        heads.push_back(h);
        dependents.push_back(d);
        costs.push_back(cost(h, d));
      }
    }
    Tree found{Heads(n_ + 1, -1), 0};
    try {
      const WeightedArcs arcs{
          {heads.data(), heads.size()}, {dependents.data(), dependents.size()}, {costs.data(), costs.size()}};
      for (int64_t arc : minimum_branching(n_ + 1, arcs, 0)) {
        if (arc < 0) continue;
        found.heads[dependents[arc]] = heads[arc];
        found.cost += costs[arc];
      }
    } catch (const std::invalid_argument&) {
      return {};  // a word is out of reach
    }
    return has_too_many_roots(found.heads) ? Tree{} : found;
  }

  Heads within(int32_t planes, const Tree& tree) {
    if (tree.heads.empty()) return {};
    const std::vector<int32_t> words = conflict(planes, tree.heads);
    if (words.empty()) return tree.heads;
    if ((work_ += static_cast<int64_t>(words.size()) * n_ * n_) > kMostWork) return {};
    std::vector<std::pair<Tree, int32_t>> others;  // without the arc of this word
    for (int32_t word : words) {
      double& arc = cost(tree.heads[word], word);
      const double before = std::exchange(arc, kNever);
      others.emplace_back(cheapest(), word);
      arc = before;
    }
    std::stable_sort(others.begin(), others.end(),
                     [](const auto& a, const auto& b) { return a.first.cost < b.first.cost; });
    const std::vector<double> before = costs_;
    for (const auto& [other, word] : others) {
      // Without this arc, but with those that were tried before.
      const std::vector<double> with_those = costs_;
      cost(tree.heads[word], word) = kNever;
      if (Heads found = within(planes, other); !found.empty()) return found;
      costs_ = with_those;
      for (int32_t h = 0; h <= n_; ++h)
        if (h != tree.heads[word]) cost(h, word) = kNever;
    }
    costs_ = before;
    return {};
  }

  // The words whose arcs cannot all be in these planes; none if the planes hold the tree.
  std::vector<int32_t> conflict(int32_t planes, const Heads& heads) const {
    std::vector<int32_t> words, found;
    Spans spans;
    for (int32_t d = 1; d <= n_; ++d) {
      if (heads[d] == 0 && program_.root == Root::kNone) continue;
      const int32_t h = heads[d] == 0 && program_.root == Root::kRight ? n_ + 1 : heads[d];
      words.push_back(d);
      spans.push_back({std::min(h, d), std::max(h, d)});
    }
    if (planes == 2) {
      for (int32_t arc : find_odd_cycle(spans)) found.push_back(words[arc]);
    } else if (const auto crossing = find_crossing(spans, all_arcs(spans))) {
      found = {words[crossing->first], words[crossing->second]};
    }
    return found;
  }

  const Program& program_;
  int32_t n_;
  std::vector<double> costs_;  // by head and dependent
  int64_t work_ = 0;           // arcs that were looked at
};

}  // namespace multiplane
