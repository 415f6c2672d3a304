// A gold graph as oracles use it: its arcs by their ends, with planes if several stacks build them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "graphs/crossings.hpp"
#include "systems/program.hpp"

namespace multiplane {

struct GoldArc {
  int32_t head, dependent, label;
};

constexpr int32_t kNoPlane = -1;

class Gold {
 public:
  // Arcs from node 0 count only if the system has an artificial root; arcs from a word to itself never do, as no system
  // builds them. If it builds undirected edges, arcs are stored as it stores them.
  Gold(int32_t n, const Program& program, const int32_t* heads, const int32_t* dependents, const int32_t* labels,
       std::size_t arcs)
      : n_(n), root_(program.root), links_(n + 1), dependents_left_(n + 1, 0), head_(n + 1, -1), label_(n + 1, -1) {
    for (std::size_t a = 0; a < arcs; ++a) {
      if (heads[a] == dependents[a]) continue;
      if (label_[dependents[a]] < 0) label_[dependents[a]] = labels[a];
      if (heads[a] == 0 && root_ == Root::kNone) continue;
      arcs_.push_back({heads[a], dependents[a], labels[a]});
      if (program.undirected && heads[a] > dependents[a]) std::swap(arcs_.back().head, arcs_.back().dependent);
      head_[dependents[a]] = heads[a];
    }
    for (std::size_t a = 0; a < arcs_.size(); ++a) {
      links_[arcs_[a].head].push_back(static_cast<int32_t>(a));
      links_[arcs_[a].dependent].push_back(static_cast<int32_t>(a));
      ++dependents_left_[arcs_[a].head];
    }
    built_.assign(arcs_.size(), false);
    dropped_.assign(arcs_.size(), false);
    // A second arc with the same ends and another label cannot be built.
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

  // Records that an arc was built; returns its index among the gold arcs, or -1.
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

  // Whether all arcs of a node have been built.
  bool is_finished(int32_t node) const {
    return std::none_of(links_[node].begin(), links_[node].end(), [this](int32_t a) { return is_open(a); });
  }

  // The position of a node: the root is before or after all words.
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

  // Each node's place in projective order: the inorder of the tree, with left dependents before a node and right ones
  // after it (Nivre 2009).
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
    // An explicit stack, as trees may be as deep as sentences are long. Entries are nodes to enter, or ~node to number.
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

}  // namespace multiplane
