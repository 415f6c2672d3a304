// The nearest projective tree: by lifting arcs, or by Eisner's algorithm.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace multiplane {

// A projective tree by lifting: while an arc covers a word that its head does not dominate, the dependent moves up to
// its head's head (Nivre and Nilsson 2005). One step per arc and round.
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

// The heads of the projective tree with the highest sum of scores (Eisner 1996), in O(n^3). Roots depend on node 0, at
// the left; scores are `score(head, dependent)`, for heads from 0 and dependents from 1.
template <typename Value, typename Score>
std::vector<int32_t> best_projective_heads(int32_t n, Score&& score) {
  const int32_t m = n + 1;
  constexpr Value least = std::numeric_limits<Value>::lowest();
  auto at = [m](int32_t s, int32_t t) { return s * m + t; };
  // [direction][complete]: left means the head is t.
  std::vector<Value> best[2][2];
  std::vector<int32_t> split[2][2];
  for (auto& row : best)
    for (auto& table : row) table.assign(m * m, 0);
  for (auto& row : split)
    for (auto& table : row) table.assign(m * m, -1);
  for (int32_t width = 1; width < m; ++width) {
    for (int32_t s = 0; s + width < m; ++s) {
      const int32_t t = s + width;
      Value inner = least;
      int32_t where = s;
      for (int32_t r = s; r < t; ++r) {
        const Value value = best[1][1][at(s, r)] + best[0][1][at(r + 1, t)];
        if (value > inner) inner = value, where = r;
      }
      if (s > 0) best[0][0][at(s, t)] = inner + score(t, s);
      best[1][0][at(s, t)] = inner + score(s, t);
      split[0][0][at(s, t)] = split[1][0][at(s, t)] = where;
      Value left = least, right = least;
      for (int32_t r = s; s > 0 && r < t; ++r) {
        const Value value = best[0][1][at(s, r)] + best[0][0][at(r, t)];
        if (value > left) left = value, split[0][1][at(s, t)] = r;
      }
      for (int32_t r = s + 1; r <= t; ++r) {
        const Value value = best[1][0][at(s, r)] + best[1][1][at(r, t)];
        if (value > right) right = value, split[1][1][at(s, t)] = r;
      }
      best[0][1][at(s, t)] = left;
      best[1][1][at(s, t)] = right;
    }
  }
  std::vector<int32_t> heads(m, -1);
  struct Item {
    int32_t s, t, direction, complete;
  };
  std::vector<Item> todo{{0, n, 1, 1}};
  while (!todo.empty()) {
    const Item p = todo.back();
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

// Longer sentences would take too much time and memory for that.
constexpr int32_t kLongestForEisner = 500;

// The heads of a projective tree with as many gold arcs as possible; by lifting if the sentence is too long. Arcs from
// the root count only if a system can build them, and there is only one if a single root is required.
inline std::vector<int32_t> projective_heads(int32_t n, const std::vector<int32_t>& gold_head, bool root_counts,
                                             bool single_root) {
  if (n > kLongestForEisner) return lifted_heads(n, gold_head);
  return best_projective_heads<int32_t>(n, [&](int32_t h, int32_t d) {
    const int32_t gold = gold_head[d] == h && (h > 0 || root_counts) ? 1000 : 0;
    if (h > 0) return gold;
    return gold + (single_root ? -500000 : 1);  // otherwise prefer another root to a wrong arc
  });
}

}  // namespace multiplane
