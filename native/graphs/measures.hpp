// How far a dependency structure is from projective: the measures of S0 Table 1 and related ones.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "graphs/crossings.hpp"
#include "graphs/planes.hpp"

namespace multiplane {

constexpr int kMostPlanes = 4;  // minimal k is computed up to here; one more means "more"

struct Measures {
  bool nonprojective = false;
  int8_t planarity = 1;  // 0: undecided
  bool ill_nested = false;
  int32_t np_arcs = 0;
  int32_t gap_degree = 0;
  int32_t arc_degree = 0;
};

// r1, r2, i1, i2, j1, j2: i1 < i2 < j1 < j2, the first and third dominated by r1, the others by r2.
using IllNesting = std::array<int32_t, 6>;

inline int8_t capped_planarity(const Spans& spans) {
  try {
    return static_cast<int8_t>(minimal_planes(spans, kMostPlanes).count);
  } catch (const Undecided&) {
    return 0;
  }
}

// Measures forests given by their heads, one at a time; reuses its memory.
class ForestMeasurer {
 public:
  // heads[0] is the head of word 1; 0 (or less) marks a root. False if the heads form a cycle.
  bool load(const int32_t* heads, int32_t n) {
    n_ = n;
    head_.resize(n + 1);
    head_[0] = 0;
    for (int32_t v = 1; v <= n; ++v) head_[v] = std::max(heads[v - 1], 0);
    return order_from_leaves();
  }

  bool is_projective() const {
    for (int32_t v = 1; v <= n_; ++v)
      if (has_gap(v)) return false;
    return true;
  }

  Measures measure() {
    Measures m;
    if (is_projective()) return m;
    m.nonprojective = true;
    spans_.clear();
    for (int32_t v = 1; v <= n_; ++v)
      if (head_[v] > 0) spans_.push_back({std::min(v, head_[v]), std::max(v, head_[v])});
    m.planarity = capped_planarity(spans_);
    number_subtrees();
    for (int32_t v = 1; v <= n_; ++v) {
      if (head_[v] == 0) continue;
      const auto [np, degree] = arc_degree(v);
      m.np_arcs += np;
      m.arc_degree = std::max(m.arc_degree, degree);
    }
    m.ill_nested = collect_projections(&m.gap_degree).has_value();
    return m;
  }

  std::optional<IllNesting> find_ill_nesting() { return collect_projections(nullptr); }

 private:
  struct Interval {
    int32_t low, high;
  };

  bool has_gap(int32_t v) const { return high_[v] - low_[v] + 1 != size_[v]; }

  bool order_from_leaves() {
    pending_.assign(n_ + 1, 0);
    low_.resize(n_ + 1);
    high_.resize(n_ + 1);
    size_.assign(n_ + 1, 1);
    for (int32_t v = 1; v <= n_; ++v) {
      low_[v] = high_[v] = v;
      ++pending_[head_[v]];
    }
    order_.clear();
    for (int32_t v = 1; v <= n_; ++v)
      if (pending_[v] == 0) order_.push_back(v);
    for (std::size_t next = 0; next < order_.size(); ++next) {
      const int32_t v = order_[next], h = head_[v];
      if (h == 0) continue;
      low_[h] = std::min(low_[h], low_[v]);
      high_[h] = std::max(high_[h], high_[v]);
      size_[h] += size_[v];
      if (--pending_[h] == 0) order_.push_back(h);
    }
    return order_.size() == static_cast<std::size_t>(n_);
  }

  // Preorder numbers: the words that h dominates have those from number_[h] to number_[h] + size_[h] - 1.
  void number_subtrees() {
    number_.assign(n_ + 1, 0);
    free_number_.assign(n_ + 1, 1);
    for (auto v = order_.rbegin(); v != order_.rend(); ++v) {
      number_[*v] = free_number_[head_[*v]];
      free_number_[head_[*v]] += size_[*v];
      free_number_[*v] = number_[*v] + 1;
    }
  }

  bool dominates(int32_t h, int32_t v) const { return number_[h] <= number_[v] && number_[v] < number_[h] + size_[h]; }

  // Whether the arc to v is non-projective, and its degree (Nivre 2006).
  std::pair<bool, int32_t> arc_degree(int32_t v) const {
    const int32_t h = head_[v], left = std::min(v, h), right = std::max(v, h);
    bool np = false;
    int32_t degree = 0;
    for (int32_t inside = left + 1; inside < right; ++inside) {
      if (dominates(h, inside)) continue;
      np = true;
      degree += head_[inside] <= left || head_[inside] >= right;
    }
    return {np, degree};
  }

  // Builds the projections with gaps, from the leaves up; stores the largest gap degree or, if that is not needed,
  // stops at the first interleaving.
  std::optional<IllNesting> collect_projections(int32_t* gap_degree) {
    std::optional<IllNesting> found;
    intervals_.assign(n_ + 1, {});
    first_child_.assign(n_ + 2, 0);
    for (int32_t v = 1; v <= n_; ++v) ++first_child_[head_[v] + 1];
    for (int32_t v = 0; v <= n_; ++v) first_child_[v + 1] += first_child_[v];
    child_.resize(n_);
    std::vector<int32_t> fill(first_child_.begin(), first_child_.end() - 1);
    for (int32_t v = 1; v <= n_; ++v) child_[fill[head_[v]]++] = v;

    for (int32_t v : order_) {
      if (!found) found = find_interleaving(v);
      if (found && !gap_degree) return found;
      if (has_gap(v)) {
        merge_projection(v);
        if (gap_degree) *gap_degree = std::max<int32_t>(*gap_degree, intervals_[v].size() - 1);
      }
      for (int32_t c = first_child_[v]; c < first_child_[v + 1]; ++c)
        std::vector<Interval>().swap(intervals_[child_[c]]);
    }
    if (!found) found = find_interleaving(0);
    return found;
  }

  void merge_projection(int32_t v) {
    // The longest list is kept and the others, sorted, are merged into it: linear if one child has nearly all
    // intervals.
    int32_t longest = 0;
    for (int32_t c = first_child_[v]; c < first_child_[v + 1]; ++c)
      if (intervals_[child_[c]].size() > intervals_[longest].size()) longest = child_[c];
    scratch_.assign(1, {v, v});
    for (int32_t c = first_child_[v]; c < first_child_[v + 1]; ++c) {
      const int32_t child = child_[c];
      if (child == longest) continue;
      if (has_gap(child)) {
        scratch_.insert(scratch_.end(), intervals_[child].begin(), intervals_[child].end());
      } else {
        scratch_.push_back({low_[child], high_[child]});
      }
    }
    auto by_low = [](Interval a, Interval b) { return a.low < b.low; };
    std::sort(scratch_.begin(), scratch_.end(), by_low);
    std::vector<Interval>& merged = intervals_[v];
    const std::vector<Interval>& base = intervals_[longest];
    merged.reserve(base.size() + scratch_.size());
    std::merge(base.begin(), base.end(), scratch_.begin(), scratch_.end(), std::back_inserter(merged), by_low);
    std::size_t last = 0;
    for (std::size_t i = 1; i < merged.size(); ++i) {
      if (merged[i].low == merged[last].high + 1) {
        merged[last].high = merged[i].high;
      } else {
        merged[++last] = merged[i];
      }
    }
    merged.resize(last + 1);
  }

  // Two disjoint subtrees interleave iff two subtrees of siblings do, and both of those have gaps.
  std::optional<IllNesting> find_interleaving(int32_t parent) {
    pieces_.clear();
    int32_t with_gaps = 0;
    for (int32_t c = first_child_[parent]; c < first_child_[parent + 1]; ++c) {
      const int32_t child = child_[c];
      if (!has_gap(child)) continue;
      ++with_gaps;
      for (Interval interval : intervals_[child]) pieces_.push_back({interval.low, child});
    }
    if (with_gaps < 2) return std::nullopt;
    std::sort(pieces_.begin(), pieces_.end(), [](const Piece& a, const Piece& b) { return a.low < b.low; });
    std::vector<int32_t> open;  // open subtrees, each within a gap of the one before
    for (const Piece& piece : pieces_) {
      const std::vector<Interval>& own = intervals_[piece.child];
      if (piece.low == own.front().low) {
        open.push_back(piece.child);
      } else if (open.back() != piece.child) {
        const std::vector<Interval>& other = intervals_[open.back()];
        return IllNesting{piece.child, open.back(), own.front().low, other.front().low, piece.low, other.back().low};
      }
      if (piece.low == own.back().low) open.pop_back();
    }
    return std::nullopt;
  }

  struct Piece {
    int32_t low, child;
  };

  int32_t n_ = 0;
  std::vector<int32_t> head_, pending_, order_, low_, high_, size_, number_, free_number_, first_child_, child_;
  std::vector<std::vector<Interval>> intervals_;  // of words whose projection has gaps
  std::vector<Interval> scratch_;
  std::vector<Piece> pieces_;
  Spans spans_;
};

// Measures any graph, including those with several heads and cycles, from the sets of words that each word dominates.
class GraphMeasurer {
 public:
  GraphMeasurer(int32_t n, const int32_t* heads, const int32_t* dependents, std::size_t arcs)
      : n_(n), words_((n + 64) / 64) {
    std::vector<std::vector<int32_t>> dependents_of(n + 1);
    has_head_.assign(n + 1, false);
    for (std::size_t a = 0; a < arcs; ++a) {
      if (heads[a] <= 0) continue;
      heads_.push_back(heads[a]);
      dependents_.push_back(dependents[a]);
      dependents_of[heads[a]].push_back(dependents[a]);
      has_head_[dependents[a]] = true;
      spans_.push_back({std::min(heads[a], dependents[a]), std::max(heads[a], dependents[a])});
    }
    dominated_.assign(static_cast<std::size_t>(n + 1) * words_, 0);
    std::vector<int32_t> stack;
    for (int32_t v = 1; v <= n; ++v) {
      stack.assign(1, v);
      mark(v, v);
      while (!stack.empty()) {
        const int32_t from = stack.back();
        stack.pop_back();
        for (int32_t to : dependents_of[from]) {
          if (dominates(v, to)) continue;
          mark(v, to);
          stack.push_back(to);
        }
      }
    }
  }

  Measures measure() {
    Measures m;
    m.planarity = capped_planarity(spans_);
    m.nonprojective = m.planarity != 1 || has_covered_root();
    for (int32_t v = 1; v <= n_; ++v) m.gap_degree = std::max(m.gap_degree, gaps(v));
    for (std::size_t a = 0; a < spans_.size(); ++a) {
      const int32_t degree = arc_degree(a);
      m.np_arcs += degree > 0;
      m.arc_degree = std::max(m.arc_degree, degree);
    }
    m.ill_nested = find_ill_nesting().has_value();
    return m;
  }

  std::optional<IllNesting> find_ill_nesting() const {
    std::vector<int32_t> with_gaps;
    for (int32_t v = 1; v <= n_; ++v)
      if (gaps(v) > 0) with_gaps.push_back(v);
    for (std::size_t i = 0; i < with_gaps.size(); ++i) {
      for (std::size_t j = i + 1; j < with_gaps.size(); ++j) {
        if (!disjoint(with_gaps[i], with_gaps[j])) continue;
        if (auto found = interleaving(with_gaps[i], with_gaps[j])) return found;
      }
    }
    return std::nullopt;
  }

 private:
  bool dominates(int32_t h, int32_t v) const { return dominated_[h * words_ + v / 64] >> (v % 64) & 1; }
  void mark(int32_t h, int32_t v) { dominated_[h * words_ + v / 64] |= uint64_t{1} << (v % 64); }

  bool disjoint(int32_t a, int32_t b) const {
    for (std::size_t w = 0; w < words_; ++w)
      if (dominated_[a * words_ + w] & dominated_[b * words_ + w]) return false;
    return true;
  }

  int32_t gaps(int32_t v) const {
    int32_t intervals = 0;
    for (int32_t w = 1; w <= n_; ++w) intervals += dominates(v, w) && (w == 1 || !dominates(v, w - 1));
    return intervals - 1;
  }

  bool has_covered_root() const {
    std::vector<int32_t> depth(n_ + 2, 0);
    for (Span span : spans_) ++depth[span.left + 1], --depth[span.right];
    for (int32_t v = 1, covering = 0; v <= n_; ++v) {
      covering += depth[v];
      if (covering > 0 && !has_head_[v]) return true;
    }
    return false;
  }

  // The first four alternating runs of words of a and b, whichever comes first.
  std::optional<IllNesting> interleaving(int32_t a, int32_t b) const {
    std::array<int32_t, 4> first{};
    int runs = 0, owner = 0;
    for (int32_t w = 1; w <= n_; ++w) {
      const int32_t now = dominates(a, w) ? a : dominates(b, w) ? b : 0;
      if (now == 0 || now == owner) continue;
      owner = now;
      first[runs++] = w;
      if (runs == 4) return IllNesting{owner == a ? b : a, owner, first[0], first[1], first[2], first[3]};
    }
    return std::nullopt;
  }

  // The weakly connected components strictly inside the span that the head does not dominate entirely.
  int32_t arc_degree(std::size_t arc) const {
    const Span span = spans_[arc];
    std::vector<int32_t> leader(span.right - span.left + 1);
    std::iota(leader.begin(), leader.end(), 0);
    auto find = [&leader](int32_t v) {
      while (leader[v] != v) v = leader[v] = leader[leader[v]];
      return v;
    };
    for (Span inner : spans_) {
      if (inner.left > span.left && inner.right < span.right)
        leader[find(inner.left - span.left)] = find(inner.right - span.left);
    }
    std::vector<bool> foreign(leader.size(), false);
    int32_t degree = 0;
    for (int32_t v = span.left + 1; v < span.right; ++v) {
      if (dominates(heads_[arc], v)) continue;
      const int32_t component = find(v - span.left);
      degree += !foreign[component];
      foreign[component] = true;
    }
    return degree;
  }

  int32_t n_;
  std::size_t words_;
  std::vector<int32_t> heads_, dependents_;
  std::vector<bool> has_head_;
  std::vector<uint64_t> dominated_;
  Spans spans_;
};

}  // namespace multiplane
