// A gold graph as oracles look at it: its arcs by their ends, with planes where several stacks build them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "crossings.hpp"
#include "program.hpp"

namespace multiplane {

struct GoldArc {
  int32_t head, dependent, label;
};

constexpr int32_t kNoPlane = -1;

class Gold {
 public:
  // Arcs from node 0 count only where the system has an artificial root.
  Gold(int32_t n, Root root, const int32_t* heads, const int32_t* dependents, const int32_t* labels, std::size_t arcs)
      : n_(n), root_(root), links_(n + 1), dependents_left_(n + 1, 0), head_(n + 1, -1), label_(n + 1, -1) {
    for (std::size_t a = 0; a < arcs; ++a) {
      if (label_[dependents[a]] < 0) label_[dependents[a]] = labels[a];
      if (heads[a] == 0 && root == Root::kNone) continue;
      arcs_.push_back({heads[a], dependents[a], labels[a]});
      head_[dependents[a]] = heads[a];
    }
    for (std::size_t a = 0; a < arcs_.size(); ++a) {
      links_[arcs_[a].head].push_back(static_cast<int32_t>(a));
      links_[arcs_[a].dependent].push_back(static_cast<int32_t>(a));
      ++dependents_left_[arcs_[a].head];
    }
    built_.assign(arcs_.size(), false);
    dropped_.assign(arcs_.size(), false);
    // A second arc with the same ends, under another label, cannot be built.
    for (std::size_t a = 0; a < arcs_.size(); ++a)
      if (find(arcs_[a].head, arcs_[a].dependent) != static_cast<int32_t>(a)) drop(static_cast<int32_t>(a));
  }

  int32_t n() const { return n_; }
  std::size_t size() const { return arcs_.size(); }
  const std::vector<GoldArc>& arcs() const { return arcs_; }
  const GoldArc& arc(int32_t a) const { return arcs_[a]; }
  const std::vector<int32_t>& links(int32_t node) const { return links_[node]; }
  int32_t head(int32_t node) const { return head_[node]; }
  int32_t label(int32_t node) const { return label_[node]; }
  int32_t other_end(int32_t a, int32_t node) const {
    return arcs_[a].head == node ? arcs_[a].dependent : arcs_[a].head;
  }

  bool is_open(int32_t a) const { return !built_[a] && !dropped_[a]; }
  bool is_dropped(int32_t a) const { return dropped_[a]; }
  void drop(int32_t a) {
    dropped_[a] = true;
    --dependents_left_[arcs_[a].head];
  }

  // Notes that an arc was built; the gold arc it is, or -1.
  int32_t build(int32_t head, int32_t dependent) {
    const int32_t a = find(head, dependent);
    if (a >= 0 && !built_[a]) {
      built_[a] = true;
      if (!dropped_[a]) --dependents_left_[head];
    }
    return a;
  }

  int32_t find(int32_t head, int32_t dependent) const {
    const auto& shorter = links_[head].size() < links_[dependent].size() ? links_[head] : links_[dependent];
    for (int32_t a : shorter)
      if (arcs_[a].head == head && arcs_[a].dependent == dependent) return a;
    return -1;
  }

  // Whether all dependents of a node have been attached.
  bool is_complete(int32_t node) const { return dependents_left_[node] == 0; }

  // Whether no arc of a node is still to be built.
  bool is_finished(int32_t node) const {
    return std::none_of(links_[node].begin(), links_[node].end(), [this](int32_t a) { return is_open(a); });
  }

  // Where a node stands: the root before or behind all words.
  int32_t position(int32_t node) const { return node == 0 && root_ == Root::kRight ? n_ + 1 : node; }

  // The spans of arcs in the order of positions.
  Spans spans() const {
    Spans spans;
    for (const GoldArc& arc : arcs_) {
      const int32_t a = position(arc.head), b = position(arc.dependent);
      spans.push_back({std::min(a, b), std::max(a, b)});
    }
    return spans;
  }

  // Each node's place in the projective order: the order in which a walk through the tree, left dependents before
  // a node and right ones after it, meets them (Nivre 2009).
  std::vector<int32_t> projective_order() const {
    std::vector<std::vector<int32_t>> children(n_ + 1);
    std::vector<int32_t> tops;
    const int32_t first = root_ == Root::kNone ? 1 : 0;
    for (int32_t v = first; v <= n_; ++v) {
      if (head_[v] < 0) {
        tops.push_back(v);
      } else {
        children[head_[v]].push_back(v);
      }
    }
    auto by_position = [this](int32_t a, int32_t b) { return position(a) < position(b); };
    std::sort(tops.begin(), tops.end(), by_position);
    std::vector<int32_t> order(n_ + 1, 0);
    int32_t next = 0;
    // An explicit stack: trees may be as deep as sentences are long. Entries are nodes to enter, or ~node to number.
    std::vector<int32_t> todo(tops.rbegin(), tops.rend());
    while (!todo.empty()) {
      const int32_t v = todo.back();
      todo.pop_back();
      if (v < 0) {
        order[~v] = next++;
        continue;
      }
      for (auto c = children[v].rbegin(); c != children[v].rend(); ++c)
        if (position(*c) > position(v)) todo.push_back(*c);
      todo.push_back(~v);
      for (auto c = children[v].rbegin(); c != children[v].rend(); ++c)
        if (position(*c) < position(v)) todo.push_back(*c);
    }
    return order;
  }

 private:
  int32_t n_;
  Root root_;
  std::vector<GoldArc> arcs_;
  std::vector<std::vector<int32_t>> links_;
  std::vector<int32_t> dependents_left_, head_, label_;
  std::vector<bool> built_, dropped_;
};

// Tries to find the fewest arcs of a component without which k planes hold it: all ways to leave out one, then two,
// and so on, within bounds. Empty where none was found.
inline ArcList fewest_beyond(const Spans& spans, const ArcList& component, int k) {
  const std::size_t m = component.size();
  std::size_t tries = 200000 / m;  // each costs about as much as there are arcs
  ArcList places;
  Spans rest;
  for (std::size_t size = 1; size < m; ++size) {
    places.resize(size);
    std::iota(places.begin(), places.end(), 0);
    while (true) {
      if (tries-- == 0) return {};
      rest.clear();
      for (std::size_t i = 0, next = 0; i < m; ++i) {
        if (next < size && places[next] == static_cast<int32_t>(i)) {
          ++next;
        } else {
          rest.push_back(spans[component[i]]);
        }
      }
      try {
        if (minimal_planes(rest, k).count <= k) {
          ArcList found;
          for (int32_t place : places) found.push_back(component[place]);
          return found;
        }
      } catch (const Undecided&) {
        return {};
      }
      std::size_t i = size;
      while (i > 0 && places[i - 1] == static_cast<int32_t>(m - size + i - 1)) --i;
      if (i == 0) break;
      ++places[i - 1];
      for (; i < size; ++i) places[i] = places[i - 1] + 1;
    }
  }
  return {};
}

// The arcs of a component that find no room when each is put into the first plane where it crosses nothing, those with
// the fewest crossings first.
inline ArcList left_over(const Spans& spans, const ArcList& component, int k) {
  std::vector<std::pair<std::size_t, int32_t>> by_crossings;
  for (int32_t a : component) {
    const auto count =
        std::count_if(component.begin(), component.end(), [&](int32_t b) { return crosses(spans[a], spans[b]); });
    by_crossings.emplace_back(count, a);
  }
  std::sort(by_crossings.begin(), by_crossings.end());
  std::vector<ArcList> planes(k);
  ArcList left;
  for (const auto& [count, arc] : by_crossings) {
    auto has_room = [&, a = arc](const ArcList& plane) {
      return std::none_of(plane.begin(), plane.end(), [&](int32_t b) { return crosses(spans[a], spans[b]); });
    };
    const auto plane = std::find_if(planes.begin(), planes.end(), has_room);
    if (plane == planes.end()) {
      left.push_back(arc);
    } else {
      plane->push_back(arc);
    }
  }
  return left;
}

// Arcs without which the rest is k-planar, as few as can be found.
inline ArcList arcs_beyond(const Spans& spans, int k) {
  ArcList dropped;
  const ArcList sorted = all_arcs(spans);
  if (!find_crossing(spans, sorted)) return dropped;
  const Components components = find_components(spans, sorted);
  for (std::size_t i = 0; i < components.arcs.size(); ++i) {
    const ArcList& component = components.arcs[i];
    if (component.size() == 1 || (k >= 2 && !components.is_odd[i])) continue;
    Spans own;
    for (int32_t a : component) own.push_back(spans[a]);
    bool fits = false;
    try {
      fits = minimal_planes(own, k).count <= k;
    } catch (const Undecided&) {
    }
    if (fits) continue;
    ArcList beyond = fewest_beyond(spans, component, k);
    if (beyond.empty()) beyond = left_over(spans, component, k);
    dropped.insert(dropped.end(), beyond.begin(), beyond.end());
  }
  return dropped;
}

// The same planes, turned so that what crosses nothing lies in the first one, and so does the arc that can be built
// first of those that cross each other. -1 stands for an arc that is in no plane.
inline void turn_planes(const Spans& all, std::vector<int32_t>& planes) {
  if (std::none_of(planes.begin(), planes.end(), [](int32_t plane) { return plane > 0; })) return;
  ArcList kept;
  Spans spans;
  for (std::size_t a = 0; a < all.size(); ++a) {
    if (planes[a] < 0) continue;
    kept.push_back(static_cast<int32_t>(a));
    spans.push_back(all[a]);
  }
  for (ArcList component : find_components(spans, all_arcs(spans)).arcs) {
    std::sort(component.begin(), component.end(), [&](int32_t a, int32_t b) {
      return std::pair(spans[a].right, -spans[a].left) < std::pair(spans[b].right, -spans[b].left);
    });
    std::vector<int32_t> met;  // the planes of the component, in the order in which they become the first, the second …
    for (int32_t arc : component) {
      int32_t& plane = planes[kept[arc]];
      auto place = std::find(met.begin(), met.end(), plane);
      if (place == met.end()) place = met.insert(met.end(), plane);
      plane = static_cast<int32_t>(place - met.begin());
    }
  }
}

// A projective tree by lifting: while an arc has a word under it that its head does not dominate, the dependent moves
// up to its head's head (Nivre and Nilsson 2005). One step for each such arc a round.
inline std::vector<int32_t> lifted_heads(int32_t n, std::vector<int32_t> heads) {
  std::vector<int32_t> pending, order, size, number, next;
  for (bool changed = true; changed;) {
    changed = false;
    // Preorder numbers: h dominates those from number[h] to number[h] + size[h] - 1.
    pending.assign(n + 1, 0);
    size.assign(n + 1, 1);
    order.clear();
    for (int32_t v = 1; v <= n; ++v) ++pending[heads[v]];
    for (int32_t v = 1; v <= n; ++v)
      if (pending[v] == 0) order.push_back(v);
    for (std::size_t i = 0; i < order.size(); ++i) {
      const int32_t h = heads[order[i]];
      size[h] += size[order[i]];
      if (--pending[h] == 0 && h > 0) order.push_back(h);
    }
    number.assign(n + 1, 0);
    next.assign(n + 1, 1);
    for (auto v = order.rbegin(); v != order.rend(); ++v) {
      number[*v] = next[heads[*v]];
      next[heads[*v]] += size[*v];
      next[*v] = number[*v] + 1;
    }
    const std::vector<int32_t> before = heads;
    for (int32_t v = 1; v <= n; ++v) {
      const int32_t h = before[v];
      if (h == 0) continue;
      for (int32_t w = std::min(v, h) + 1; w < std::max(v, h); ++w) {
        if (number[w] >= number[h] && number[w] < number[h] + size[h]) continue;
        heads[v] = before[h];
        changed = true;
        break;
      }
    }
  }
  return heads;
}

// The heads of a projective tree with as many gold arcs as possible (Eisner 1996), O(n^3); by lifting where that
// would take too long. Roots hang from node 0, which stands at the left; arcs from it count only where a system can
// build them, and there is one where one root is asked for.
inline std::vector<int32_t> projective_heads(int32_t n, const std::vector<int32_t>& gold_head, bool root_counts,
                                             bool single_root) {
  constexpr int32_t longest = 500;
  if (n > longest) return lifted_heads(n, gold_head);
  const int32_t m = n + 1;
  auto score = [&](int32_t h, int32_t d) {
    if (d == 0) return -1000000;
    const int32_t gold = gold_head[d] == h && (h > 0 || root_counts) ? 1000 : 0;
    if (h > 0) return gold;
    return gold + (single_root ? -500000 : 1);  // else rather a further root than a wrong arc
  };
  auto at = [m](int32_t s, int32_t t) { return s * m + t; };
  // [direction][complete]: left means the head is t.
  std::vector<int32_t> best[2][2], split[2][2];
  for (auto& row : best)
    for (auto& table : row) table.assign(m * m, 0);
  for (auto& row : split)
    for (auto& table : row) table.assign(m * m, -1);
  for (int32_t width = 1; width < m; ++width) {
    for (int32_t s = 0; s + width < m; ++s) {
      const int32_t t = s + width;
      int32_t inner = INT_MIN, where = s;
      for (int32_t r = s; r < t; ++r) {
        const int32_t value = best[1][1][at(s, r)] + best[0][1][at(r + 1, t)];
        if (value > inner) inner = value, where = r;
      }
      best[0][0][at(s, t)] = inner + score(t, s);
      best[1][0][at(s, t)] = inner + score(s, t);
      split[0][0][at(s, t)] = split[1][0][at(s, t)] = where;
      int32_t left = INT_MIN, right = INT_MIN;
      for (int32_t r = s; r < t; ++r) {
        const int32_t value = best[0][1][at(s, r)] + best[0][0][at(r, t)];
        if (value > left) left = value, split[0][1][at(s, t)] = r;
      }
      for (int32_t r = s + 1; r <= t; ++r) {
        const int32_t value = best[1][0][at(s, r)] + best[1][1][at(r, t)];
        if (value > right) right = value, split[1][1][at(s, t)] = r;
      }
      best[0][1][at(s, t)] = left;
      best[1][1][at(s, t)] = right;
    }
  }
  std::vector<int32_t> heads(m, -1);
  struct Piece {
    int32_t s, t, direction, complete;
  };
  std::vector<Piece> todo{{0, n, 1, 1}};
  while (!todo.empty()) {
    const Piece p = todo.back();
    todo.pop_back();
    if (p.s == p.t) continue;
    const int32_t r = split[p.direction][p.complete][at(p.s, p.t)];
    if (!p.complete) {
      heads[p.direction ? p.t : p.s] = p.direction ? p.s : p.t;
      todo.push_back({p.s, r, 1, 1});
      todo.push_back({r + 1, p.t, 0, 1});
    } else if (p.direction) {
      todo.push_back({p.s, r, 1, 0});
      todo.push_back({r, p.t, 1, 1});
    } else {
      todo.push_back({p.s, r, 0, 1});
      todo.push_back({r, p.t, 0, 0});
    }
  }
  return heads;
}

}  // namespace multiplane
