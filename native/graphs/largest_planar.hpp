// Large subsets of arcs that k planes hold.
#pragma once

#include <algorithm>
#include <climits>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "graphs/crossings.hpp"
#include "graphs/planes.hpp"

namespace multiplane {

// A subset of the arcs with renumbered ends, so that work on them does not depend on the length of the sentence.
inline Spans renumbered(const Spans& spans, const ArcList& arcs) {
  std::vector<int32_t> ends;
  for (int32_t a : arcs) {
    ends.push_back(spans[a].left);
    ends.push_back(spans[a].right);
  }
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  auto number = [&ends](int32_t end) {
    return static_cast<int32_t>(std::lower_bound(ends.begin(), ends.end(), end) - ends.begin());
  };
  Spans own;
  for (int32_t a : arcs) own.push_back({number(spans[a].left), number(spans[a].right)});
  return own;
}

// A set of arcs that k planes hold. Arcs are added in the order of nesting, and removed in reverse order.
class HeldArcs {
 public:
  HeldArcs(const Spans& arcs, int k)
      : arcs_(arcs),
        k_(k),
        crossed_(arcs.size()),
        is_held_(arcs.size(), false),
        parent_(arcs.size(), -1),
        apart_(arcs.size(), false),
        size_(arcs.size(), 1) {
    for (const auto& [a, b] : all_crossings(arcs, all_arcs(arcs))) crossed_[std::max(a, b)].push_back(std::min(a, b));
  }

  std::size_t work() const { return work_; }  // steps taken so far
  std::size_t size() const { return held_.size(); }

  // Adds an arc if the planes can hold it with the others; otherwise changes nothing.
  bool add(int32_t arc) {
    const std::size_t joined = joined_.size();
    work_ += 1 + crossed_[arc].size();
    if (!has_room(arc)) {
      separate(joined);
      return false;
    }
    is_held_[arc] = true;
    held_.push_back({arc, joined});
    return true;
  }

  // Removes arcs until this number is left.
  void shrink(std::size_t size) {
    for (; held_.size() > size; held_.pop_back()) {
      is_held_[held_.back().arc] = false;
      separate(held_.back().joined);
    }
  }

 private:
  struct Held {
    int32_t arc;
    std::size_t joined;  // number of joins before it was added
  };

  bool has_room(int32_t arc) {
    const ArcList& crossed = crossed_[arc];
    auto is_held = [this](int32_t other) { return is_held_[other]; };
    if (k_ == 2)
      return std::all_of(crossed.begin(), crossed.end(),
                         [&](int32_t other) { return !is_held(other) || join(arc, other); });
    // An arc that crosses fewer than k others always fits.
    if (std::count_if(crossed.begin(), crossed.end(), is_held) < k_) return true;
    if (k_ == 1) return false;
    Spans together;
    for (const Held& held : held_) together.push_back(arcs_[held.arc]);
    together.push_back(arcs_[arc]);
    work_ += 4 * together.size();  // the approximate cost
    return minimal_planes(together, k_).count <= k_;
  }

  // The root of an arc's component, and whether the two lie in different planes.
  std::pair<int32_t, bool> root(int32_t arc) const {
    bool apart = false;
    for (; parent_[arc] >= 0; arc = parent_[arc]) apart ^= apart_[arc];
    return {arc, apart};
  }

  // Joins the components of two arcs that cross; false if they lie in the same plane of one component.
  bool join(int32_t a, int32_t b) {
    auto [one, one_apart] = root(a);
    auto [two, two_apart] = root(b);
    if (one == two) return one_apart != two_apart;
    if (size_[one] > size_[two]) std::swap(one, two);
    parent_[one] = two;
    apart_[one] = one_apart == two_apart;
    size_[two] += size_[one];
    joined_.push_back(one);
    return true;
  }

  void separate(std::size_t joined) {
    for (; joined_.size() > joined; joined_.pop_back()) {
      const int32_t one = joined_.back();
      size_[parent_[one]] -= size_[one];
      parent_[one] = -1;
    }
  }

  const Spans& arcs_;
  int k_;
  std::vector<ArcList> crossed_;  // by arc: the earlier arcs that it crosses
  std::vector<bool> is_held_;
  std::vector<Held> held_;
  // For two planes: components of the crossings graph as trees, without path compression, so that joins can be undone.
  std::vector<int32_t> parent_;
  std::vector<bool> apart_;  // whether an arc lies in a different plane from its parent
  std::vector<int32_t> size_, joined_;
  std::size_t work_ = 0;
};

// Searches, within limits, for the smallest set of arcs whose removal makes a component k-planar; of several, the first
// in the order of nesting.
class FewestBeyond {
 public:
  FewestBeyond(const Spans& component, int k) : held_(component, k), least_(component.size() + 1, 0) {
    // Every run of arcs that do not fit together loses at least one.
    std::size_t start = 0;
    for (std::size_t i = 0; i < component.size() && held_.work() < kMostWork; ++i) {
      if (held_.add(static_cast<int32_t>(i))) continue;
      held_.shrink(0);
      least_[start] = 1;
      start = i + 1;
    }
    held_.shrink(0);
    for (std::size_t i = component.size(); i-- > 0;) least_[i] += least_[i + 1];
  }

  // Whether there are few enough crossings to enumerate.
  static bool is_feasible(const Spans& component) {
    std::size_t pairs = 0;  // of arcs, one of which begins within the other
    for (auto a = component.begin(); a != component.end() && pairs <= kMostPairs; ++a)
      pairs += std::partition_point(a, component.end(), [a](Span b) { return b.left < a->right; }) - a;
    return pairs <= kMostPairs;
  }

  // Indices of arcs in the component; none if the search would take too long.
  ArcList find() {
    last_work_ = held_.work() + kMostWork;
    for (int32_t count = least_[0]; count <= kMostArcs && held_.work() < last_work_; ++count)
      if (drop(0, count)) return dropped_;
    return {};
  }

 private:
  static constexpr std::size_t kMostPairs = std::size_t{1} << 22, kMostWork = 1'000'000;
  static constexpr int32_t kMostArcs = 64;  // each is a level of recursion

  // Drops this number of arcs from an index on; earlier arcs are already kept or dropped.
  bool drop(int32_t first, int32_t count) {
    if (least_[first] > count) return false;
    const std::size_t before = held_.size();
    const int32_t end = static_cast<int32_t>(least_.size()) - 1;
    for (int32_t i = first; i < end; ++i) {
      if (count > 0) {
        dropped_.push_back(i);
        if (drop(i + 1, count - 1)) return true;
        dropped_.pop_back();
      }
      if (held_.work() >= last_work_ || !held_.add(i)) {
        held_.shrink(before);
        return false;
      }
    }
    return true;
  }

  HeldArcs held_;
  std::vector<int32_t> least_;  // by index: a lower bound on the number of arcs to drop from there on
  ArcList dropped_;
  std::size_t last_work_ = 0;
};

// A maximum by position, with range queries.
class GreatestInRange {
 public:
  explicit GreatestInRange(std::size_t size) : size_(size), tree_(2 * size, INT_MIN) {}

  void put(int32_t position, int32_t value) {
    for (std::size_t i = position + size_; i > 0; i /= 2) tree_[i] = std::max(tree_[i], value);
  }

  int32_t between(int32_t begin, int32_t end) const {
    int32_t greatest = INT_MIN;
    for (std::size_t low = begin + size_, high = end + size_; low < high; low /= 2, high /= 2) {
      if (low % 2 == 1) greatest = std::max(greatest, tree_[low++]);
      if (high % 2 == 1) greatest = std::max(greatest, tree_[--high]);
    }
    return greatest;
  }

 private:
  std::size_t size_;
  std::vector<int32_t> tree_;
};

// A plane that accepts arcs as long as they cross none of its own.
class OpenPlane {
 public:
  explicit OpenPlane(std::size_t positions) : to_right_(positions), to_left_(positions) {}

  bool accepts(Span arc) const {
    // A crossing arc has one end within the arc, and extends beyond it on the other side.
    return to_right_.between(arc.left + 1, arc.right) <= arc.right &&
           to_left_.between(arc.left + 1, arc.right) <= -arc.left;
  }

  bool take(Span arc) {
    if (!accepts(arc)) return false;
    to_right_.put(arc.left, arc.right);
    to_left_.put(arc.right, -arc.left);
    return true;
  }

 private:
  GreatestInRange to_right_, to_left_;
};

// By arc, the number of others it crosses: O(m log m), however many crossings there are.
inline std::vector<int32_t> crossing_counts(const Spans& spans) {
  int32_t last = 0;
  for (Span span : spans) last = std::max(last, span.right);
  std::vector<int32_t> ends_before(last + 2, 0);  // by position: the number of arc ends before it
  std::vector<ArcList> ending(last + 1);
  for (std::size_t a = 0; a < spans.size(); ++a) {
    ++ends_before[spans[a].left + 1];
    ++ends_before[spans[a].right + 1];
    ending[spans[a].right].push_back(static_cast<int32_t>(a));
  }
  std::partial_sum(ends_before.begin(), ends_before.end(), ends_before.begin());
  std::vector<int32_t> tree(last + 2, 0), count(spans.size());  // a Fenwick tree of the closed arcs, by left end
  auto end_arc = [&tree](int32_t left) {
    for (std::size_t i = left + 1; i < tree.size(); i += i & -i) ++tree[i];
  };
  int32_t ended = 0;
  auto ended_from = [&tree, &ended](int32_t left) {
    int32_t found = ended;
    for (std::size_t i = left; i > 0; i -= i & -i) found -= tree[i];
    return found;
  };
  for (int32_t at = 0; at <= last; ++at) {
    // Ends within an arc belong to arcs that cross it, except for arcs contained in it.
    for (int32_t a : ending[at])
      count[a] = ends_before[at] - ends_before[spans[a].left + 1] - ended_from(spans[a].left);
    for (int32_t a : ending[at]) end_arc(spans[a].left);
    ended += static_cast<int32_t>(ending[at].size());
    for (int32_t a : ending[at]) count[a] -= ended_from(spans[a].left + 1);
  }
  return count;
}

// The arcs of a component that fit in no plane when each goes into the first plane where it crosses nothing, those with
// the fewest crossings first.
inline ArcList left_over(const Spans& own, const ArcList& component, int k) {
  const std::vector<int32_t> crossings = crossing_counts(own);
  ArcList order(own.size()), left;
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int32_t i, int32_t j) {
    return std::pair(crossings[i], component[i]) < std::pair(crossings[j], component[j]);
  });
  std::vector<OpenPlane> planes(k, OpenPlane(2 * own.size()));
  for (int32_t i : order) {
    auto takes = [arc = own[i]](OpenPlane& plane) { return plane.take(arc); };
    if (std::none_of(planes.begin(), planes.end(), takes)) left.push_back(component[i]);
  }
  return left;
}

// The smallest set of arcs whose removal makes a component k-planar; none if the search would take too long.
inline ArcList fewest_beyond(const Spans& own, const ArcList& component, int k) {
  ArcList found;
  try {
    if (FewestBeyond::is_feasible(own))
      for (int32_t i : FewestBeyond(own, k).find()) found.push_back(component[i]);
  } catch (const Undecided&) {
  }
  return found;
}

// Whether k planes hold a component; false if deciding would take too long.
inline bool fits(const Spans& component, int k) {
  try {
    return minimal_planes(component, k).count <= k;
  } catch (const Undecided&) {
    return false;
  }
}

// Arcs whose removal makes the rest k-planar, as few as can be found.
inline ArcList arcs_beyond(const Spans& spans, int k) {
  ArcList dropped;
  const ArcList sorted = all_arcs(spans);
  if (!find_crossing(spans, sorted)) return dropped;
  const Components components = find_components(spans, sorted);
  for (std::size_t i = 0; i < components.arcs.size(); ++i) {
    const ArcList& component = components.arcs[i];
    if (component.size() == 1 || (k >= 2 && !components.is_odd[i])) continue;
    const Spans own = renumbered(spans, component);
    if (fits(own, k)) continue;
    ArcList beyond = fewest_beyond(own, component, k);
    if (beyond.empty()) beyond = left_over(own, component, k);
    dropped.insert(dropped.end(), beyond.begin(), beyond.end());
  }
  return dropped;
}

}  // namespace multiplane
