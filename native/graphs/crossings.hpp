// Crossing arcs and planes: which arcs cross, and how few planes separate crossing arcs (S0 §3, S1 §4).
//
// G is k-planar iff its crossings graph U(G), with one node per arc and one edge per crossing, is k-colourable. U(G)
// can have a quadratic number of edges, so planarity and 2-planarity are decided without building it, in one sweep that
// is linear in the number of arcs. Only components that two planes cannot hold are built and searched.
#pragma once

#include <algorithm>
#include <climits>
#include <cstdint>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

namespace multiplane {

struct Span {
  int32_t left, right;
};

using Spans = std::vector<Span>;
using ArcList = std::vector<int32_t>;  // positions in a Spans

inline bool crosses(Span a, Span b) {
  return (a.left < b.left && b.left < a.right && a.right < b.right) ||
         (b.left < a.left && a.left < b.right && b.right < a.right);
}

// Outer arcs before the arcs they contain, from left to right.
inline void sort_by_nesting(const Spans& spans, ArcList& arcs) {
  std::sort(arcs.begin(), arcs.end(), [&spans](int32_t a, int32_t b) {
    if (spans[a].left != spans[b].left) return spans[a].left < spans[b].left;
    if (spans[a].right != spans[b].right) return spans[a].right > spans[b].right;
    return a < b;
  });
}

// All arcs in that order, by counting sort: linear in the number of arcs and the length of the sentence.
inline ArcList all_arcs(const Spans& spans) {
  int32_t last = 0;
  for (Span span : spans) last = std::max(last, span.right);
  ArcList arcs(spans.size()), sorted(spans.size());
  std::iota(arcs.begin(), arcs.end(), 0);
  std::vector<int32_t> place;
  auto sort_by = [&](auto key) {
    place.assign(last + 2, 0);
    for (int32_t a : arcs) ++place[key(spans[a]) + 1];
    for (std::size_t i = 1; i < place.size(); ++i) place[i] += place[i - 1];
    for (int32_t a : arcs) sorted[place[key(spans[a])]++] = a;
    arcs.swap(sorted);
  };
  sort_by([last](Span span) { return last - span.right; });
  sort_by([](Span span) { return span.left; });
  return arcs;
}

// Two crossing arcs, given arcs sorted by nesting; none if they are planar.
inline std::optional<std::pair<int32_t, int32_t>> find_crossing(const Spans& spans, const ArcList& sorted) {
  ArcList open;  // each contains the next
  for (int32_t arc : sorted) {
    while (!open.empty() && spans[open.back()].right <= spans[arc].left) open.pop_back();
    if (!open.empty() && spans[open.back()].right < spans[arc].right) return std::make_pair(open.back(), arc);
    open.push_back(arc);
  }
  return std::nullopt;
}

// All pairs of crossing arcs.
inline std::vector<std::pair<int32_t, int32_t>> all_crossings(const Spans& spans, const ArcList& sorted) {
  std::vector<std::pair<int32_t, int32_t>> pairs;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const Span a = spans[sorted[i]];
    for (std::size_t j = i + 1; j < sorted.size() && spans[sorted[j]].left < a.right; ++j) {
      if (crosses(a, spans[sorted[j]])) pairs.emplace_back(sorted[i], sorted[j]);
    }
  }
  return pairs;
}

// For each arc, the number of crossings in which it starts first; the sum counts every crossing once. Unlike the pairs
// themselves, which can be quadratic in number, the counts of a whole treebank fit in memory.
inline std::vector<int64_t> count_crossings(const Spans& spans, const ArcList& sorted) {
  std::vector<int64_t> counts(spans.size(), 0);
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const Span a = spans[sorted[i]];
    for (std::size_t j = i + 1; j < sorted.size() && spans[sorted[j]].left < a.right; ++j)
      counts[sorted[i]] += crosses(a, spans[sorted[j]]);
  }
  return counts;
}

// The largest set of arcs that all cross one another, or the first `enough` of them found. Sorted by their left ends,
// such arcs have ascending right ends, so for a given leftmost arc it is a longest ascending subsequence.
inline ArcList find_clique(const Spans& spans, const ArcList& sorted, std::size_t enough) {
  ArcList best, piles, before(spans.size());
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const Span first = spans[sorted[i]];
    piles.clear();
    for (std::size_t j = i + 1; j < sorted.size() && spans[sorted[j]].left < first.right; ++j) {
      const int32_t arc = sorted[j];
      if (!crosses(first, spans[arc])) continue;
      auto pile = std::lower_bound(piles.begin(), piles.end(), spans[arc].right,
                                   [&spans](int32_t top, int32_t right) { return spans[top].right < right; });
      before[arc] = pile == piles.begin() ? sorted[i] : *(pile - 1);
      if (pile == piles.end()) {
        piles.push_back(arc);
        if (piles.size() + 1 >= enough) break;
      } else {
        *pile = arc;
      }
    }
    if (piles.size() + 1 > best.size()) {
      best.clear();
      for (int32_t arc = piles.empty() ? sorted[i] : piles.back(); arc != sorted[i]; arc = before[arc])
        best.push_back(arc);
      best.push_back(sorted[i]);
      std::reverse(best.begin(), best.end());
      if (best.size() >= enough) break;
    }
  }
  return best;
}

// Arcs in a fixed order, each with a key; arcs of a range with keys above a bound can be removed.
class Extractor {
 public:
  explicit Extractor(const std::vector<int32_t>& keys) {
    while (leaves_ < keys.size()) leaves_ *= 2;
    tree_.assign(2 * leaves_, INT_MIN);
    std::copy(keys.begin(), keys.end(), tree_.begin() + leaves_);
    for (std::size_t i = leaves_ - 1; i > 0; --i) tree_[i] = std::max(tree_[2 * i], tree_[2 * i + 1]);
  }

  void remove(std::size_t position) {
    std::size_t node = position + leaves_;
    tree_[node] = INT_MIN;
    while ((node /= 2) > 0) tree_[node] = std::max(tree_[2 * node], tree_[2 * node + 1]);
  }

  template <typename Take>
  void take(std::size_t begin, std::size_t end, int32_t above, Take&& taken) {
    take(1, 0, leaves_, begin, end, above, taken);
  }

 private:
  template <typename Take>
  void take(std::size_t node, std::size_t from, std::size_t to, std::size_t begin, std::size_t end, int32_t above,
            Take& taken) {
    if (end <= from || to <= begin || tree_[node] <= above) return;
    if (to - from == 1) {
      tree_[node] = INT_MIN;
      taken(from);
      return;
    }
    const std::size_t middle = (from + to) / 2;
    take(2 * node, from, middle, begin, end, above, taken);
    take(2 * node + 1, middle, to, begin, end, above, taken);
    tree_[node] = std::max(tree_[2 * node], tree_[2 * node + 1]);
  }

  std::size_t leaves_ = 1;
  std::vector<int32_t> tree_;
};

// A breadth-first search over each connected component of the crossings graph, without building it: O(m log m).
struct BreadthFirst {
  std::vector<ArcList> arcs;    // by component, sorted by nesting
  std::vector<int8_t> colour;   // by arc: the parity of its level
  std::vector<int32_t> parent;  // by arc; -1 at the root
};

inline BreadthFirst walk_crossings(const Spans& spans, const ArcList& sorted) {
  const std::size_t m = spans.size();
  ArcList by_right(sorted);
  std::sort(by_right.begin(), by_right.end(), [&spans](int32_t a, int32_t b) {
    return spans[a].right != spans[b].right ? spans[a].right < spans[b].right : a < b;
  });
  std::vector<int32_t> lefts(m), rights(m), key_right(m), key_left(m), place_left(m), place_right(m);
  for (std::size_t i = 0; i < m; ++i) {
    lefts[i] = spans[sorted[i]].left;
    key_right[i] = spans[sorted[i]].right;
    place_left[sorted[i]] = i;
    rights[i] = spans[by_right[i]].right;
    key_left[i] = -spans[by_right[i]].left;
    place_right[by_right[i]] = i;
  }
  Extractor beyond_right(key_right), beyond_left(key_left);
  // The positions in an ascending list whose values lie strictly between two bounds.
  auto between = [](const std::vector<int32_t>& values, int32_t low, int32_t high) {
    auto begin = std::upper_bound(values.begin(), values.end(), low);
    return std::make_pair(begin - values.begin(), std::lower_bound(begin, values.end(), high) - values.begin());
  };

  BreadthFirst found{{}, std::vector<int8_t>(m, -1), std::vector<int32_t>(m, -1)};
  ArcList queue;
  for (int32_t root : sorted) {
    if (found.colour[root] >= 0) continue;
    queue.assign(1, root);
    found.colour[root] = 0;
    beyond_right.remove(place_left[root]);
    beyond_left.remove(place_right[root]);
    for (std::size_t next = 0; next < queue.size(); ++next) {
      const int32_t arc = queue[next];
      const Span span = spans[arc];
      auto reach = [&](int32_t other) {
        found.colour[other] = 1 - found.colour[arc];
        found.parent[other] = arc;
        queue.push_back(other);
      };
      auto [begin, end] = between(lefts, span.left, span.right);
      beyond_right.take(begin, end, span.right, [&](std::size_t place) {
        reach(sorted[place]);
        beyond_left.remove(place_right[sorted[place]]);
      });
      std::tie(begin, end) = between(rights, span.left, span.right);
      beyond_left.take(begin, end, -span.left, [&](std::size_t place) {
        reach(by_right[place]);
        beyond_right.remove(place_left[by_right[place]]);
      });
    }
    sort_by_nesting(spans, queue);
    found.arcs.push_back(queue);
  }
  return found;
}

// The connected components of the crossings graph, and a 2-colouring of each, if there is one.
struct Components {
  std::vector<ArcList> arcs;   // by component, sorted by nesting
  std::vector<bool> is_odd;    // by component: it has an odd cycle, so two planes do not hold it
  std::vector<int8_t> colour;  // by arc; undefined in odd components
};

// One sweep from left to right, linear in the number of arcs. Open arcs belong to components, stacked in the order in
// which they opened. An arc that ends crosses all arcs that opened after it and are still open: the components above
// join its own, and all their open arcs must lie in the other plane. A component keeps one list of open arcs per plane,
// so a join links lists, and flipping a component flips a bit.
class Sweep {
 public:
  Sweep(const Spans& spans, const ArcList& sorted)
      : spans_(spans),
        parent_(spans.size()),
        turned_(spans.size(), false),
        odd_(spans.size(), false),
        before_(spans.size(), -1),
        ends_(spans.size()) {
    std::iota(parent_.begin(), parent_.end(), 0);
    // Arcs by where they end, the latest start first: the order of closing.
    int32_t last = 0;
    for (Span span : spans) last = std::max(last, span.right);
    std::vector<int32_t> first_ending(last + 1, -1), next_ending(spans.size(), -1);
    for (int32_t arc : sorted) {
      next_ending[arc] = first_ending[spans[arc].right];
      first_ending[spans[arc].right] = arc;
    }
    std::size_t next = 0;
    for (int32_t at = 0; at <= last; ++at) {
      for (int32_t arc = first_ending[at]; arc >= 0; arc = next_ending[arc]) close(arc);
      for (; next < sorted.size() && spans[sorted[next]].left == at; ++next) open(sorted[next]);
    }
  }

  Components components(const ArcList& sorted) {
    Components found{{}, {}, std::vector<int8_t>(spans_.size(), 0)};
    std::vector<int32_t> number(spans_.size(), -1);
    for (int32_t arc : sorted) {
      const auto [root, turned] = find(arc);
      if (number[root] < 0) {
        number[root] = static_cast<int32_t>(found.arcs.size());
        found.arcs.emplace_back();
        found.is_odd.push_back(odd_[root]);
      }
      found.arcs[number[root]].push_back(arc);
      found.colour[arc] = turned;
    }
    return found;
  }

 private:
  // The last open arc of each plane, and the first, so that another list can be linked to it.
  struct Ends {
    int32_t first[2] = {-1, -1}, last[2] = {-1, -1};
    int32_t open = 0;
  };

  void open(int32_t arc) {
    ends_[arc].first[0] = ends_[arc].last[0] = arc;
    ends_[arc].open = 1;
    stack_.push_back(arc);
  }

  void close(int32_t arc) {
    auto [own, plane] = find(arc);
    std::size_t above = stack_.size();
    while (stack_[above - 1] != own) --above;
    for (std::size_t i = above; i < stack_.size(); ++i) join(stack_[i], own, !plane);
    stack_.resize(above);
    Ends& ends = ends_[own];
    if (!odd_[own]) {
      if (ends.last[plane] != arc) {
        odd_[own] = true;  // an arc that opened later and is still open lies in the same plane
      } else {
        ends.last[plane] = before_[arc];
        if (before_[arc] < 0) ends.first[plane] = -1;
      }
    }
    if (--ends.open == 0) stack_.pop_back();
  }

  // Joins a component to one below it, with all its open arcs in the given plane.
  void join(int32_t above, int32_t below, bool plane) {
    Ends &from = ends_[above], &to = ends_[below];
    parent_[above] = below;
    to.open += from.open;
    odd_[below] = odd_[below] || odd_[above] || (from.last[0] >= 0 && from.last[1] >= 0);
    if (odd_[below]) return;
    const bool lies_in = from.last[1] >= 0;
    turned_[above] = lies_in != plane;
    // The component's lists go above those of the lower one, in the order of opening.
    before_[from.first[lies_in]] = to.last[plane];
    if (to.last[plane] < 0) to.first[plane] = from.first[lies_in];
    to.last[plane] = from.last[lies_in];
  }

  // The component of an arc, named by its lowest arc, and whether the arc is flipped in it.
  std::pair<int32_t, bool> find(int32_t arc) {
    int32_t root = arc;
    bool turned = false;
    for (; parent_[root] != root; root = parent_[root]) turned ^= turned_[root];
    // Shorten the path, and adjust the flips.
    bool left = turned;
    while (parent_[arc] != root && arc != root) {
      const int32_t next = parent_[arc];
      const bool own = turned_[arc];
      parent_[arc] = root;
      turned_[arc] = left;
      left ^= own;
      arc = next;
    }
    return {root, turned};
  }

  const Spans& spans_;
  std::vector<int32_t> parent_;
  std::vector<bool> turned_, odd_;
  std::vector<int32_t> before_;  // the open arc below in the same plane
  std::vector<Ends> ends_;
  std::vector<int32_t> stack_;
};

inline Components find_components(const Spans& spans, const ArcList& sorted) {
  return Sweep(spans, sorted).components(sorted);
}

// An odd cycle of the crossings graph, the proof that two planes do not suffice; empty if they do.
inline ArcList find_odd_cycle(const Spans& spans) {
  ArcList shortest;
  const Components components = find_components(spans, all_arcs(spans));
  for (std::size_t i = 0; i < components.arcs.size(); ++i) {
    if (!components.is_odd[i]) continue;
    const ArcList& component = components.arcs[i];
    if (ArcList triangle = find_clique(spans, component, 3); triangle.size() == 3) return triangle;
    Spans own;
    for (int32_t arc : component) own.push_back(spans[arc]);
    const BreadthFirst walk = walk_crossings(own, all_arcs(own));
    // Two crossing arcs of the same colour; their paths up to the common ancestor close the cycle.
    std::optional<std::pair<int32_t, int32_t>> conflict;
    for (int8_t colour = 0; colour < 2 && !conflict; ++colour) {
      ArcList plane;
      for (int32_t arc : walk.arcs[0])
        if (walk.colour[arc] == colour) plane.push_back(arc);
      conflict = find_crossing(own, plane);
    }
    auto path = [&walk](int32_t arc) {
      ArcList up;
      for (; arc >= 0; arc = walk.parent[arc]) up.push_back(arc);
      return up;
    };
    ArcList one = path(conflict->first), other = path(conflict->second);
    while (one.size() > 1 && other.size() > 1 && one[one.size() - 2] == other[other.size() - 2])
      one.pop_back(), other.pop_back();
    one.insert(one.end(), other.rbegin() + 1, other.rend());
    if (!shortest.empty() && one.size() >= shortest.size()) continue;
    shortest.clear();
    for (int32_t arc : one) shortest.push_back(component[arc]);
  }
  return shortest;
}

}  // namespace multiplane
