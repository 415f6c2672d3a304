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

// Arcs whose removal makes the rest k-planar, as few as can be found: the fewest where few suffice and the component
// of the crossings graph is small, else those with the most crossings first.
inline ArcList arcs_beyond(const Spans& spans, int k) {
  ArcList dropped;
  if (!find_crossing(spans, all_arcs(spans))) return dropped;
  auto fits = [&spans, k](const ArcList& arcs) {
    Spans chosen;
    for (int32_t a : arcs) chosen.push_back(spans[a]);
    try {
      return minimal_planes(chosen, k).count <= k;
    } catch (const Undecided&) {
      return false;
    }
  };
  for (const ArcList& component : find_components(spans, all_arcs(spans)).arcs) {
    if (component.size() == 1 || fits(component)) continue;
    const std::size_t m = component.size();
    auto without = [&component](const ArcList& places) {
      ArcList rest;
      for (std::size_t i = 0; i < component.size(); ++i)
        if (std::find(places.begin(), places.end(), static_cast<int32_t>(i)) == places.end())
          rest.push_back(component[i]);
      return rest;
    };
    // All ways to leave out one arc, then two, and so on, within bounds.
    constexpr std::size_t most_tries = 20000;
    std::size_t tries = 0;
    ArcList places;
    bool found = false;
    for (std::size_t size = 1; size < m && !found && tries < most_tries; ++size) {
      places.resize(size);
      std::iota(places.begin(), places.end(), 0);
      while (!found && tries++ < most_tries) {
        if (fits(without(places))) {
          found = true;
          break;
        }
        std::size_t i = size;
        while (i > 0 && places[i - 1] == static_cast<int32_t>(m - size + i - 1)) --i;
        if (i == 0) break;
        ++places[i - 1];
        for (; i < size; ++i) places[i] = places[i - 1] + 1;
      }
    }
    if (!found) {
      places.clear();
      while (true) {
        const ArcList rest = without(places);
        if (fits(rest)) break;
        std::size_t most = 0;
        int32_t worst = rest[0];
        for (int32_t a : rest) {
          const std::size_t crossings =
              std::count_if(rest.begin(), rest.end(), [&](int32_t b) { return crosses(spans[a], spans[b]); });
          if (crossings > most) most = crossings, worst = a;
        }
        places.push_back(
            static_cast<int32_t>(std::find(component.begin(), component.end(), worst) - component.begin()));
      }
    }
    for (int32_t place : places) dropped.push_back(component[place]);
  }
  return dropped;
}

// The heads of a projective tree with as many gold arcs as possible (Eisner 1996), O(n^3). Words without a gold head
// hang from node 0; node 0 stands at the left.
inline std::vector<int32_t> projective_heads(int32_t n, const std::vector<int32_t>& gold_head) {
  const int32_t m = n + 1;
  auto score = [&gold_head](int32_t h, int32_t d) {
    if (d == 0) return -1000000;
    if (gold_head[d] == h) return 1000;
    return h == 0 ? 1 : 0;  // rather a further root than a wrong arc
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
