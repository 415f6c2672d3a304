// The edges that an undirected parser has built, with the linked words of every node in the order of the sentence.
//
// Every edge is in two lists: among the links to the right of its left end, and among those to the left of its right
// end. Lists begin with the outermost link, since new links are mostly the outermost ones.
#pragma once

#include <cstdint>
#include <vector>

#include "systems/configuration.hpp"

namespace multiplane {

class LinkLists {
 public:
  // No nodes for systems that build directed arcs.
  LinkLists(int32_t nodes, Root root) : nodes_(nodes), root_position_(root == Root::kRight ? nodes : 0) {}

  bool is_in_use() const { return !nodes_.empty(); }
  int32_t size() const { return static_cast<int32_t>(edges_.size()); }
  int32_t label(int32_t edge) const { return edges_[edge].label; }
  int32_t left_end(int32_t edge) const { return edges_[edge].end[kLeft]; }
  int32_t right_end(int32_t edge) const { return edges_[edge].end[kRight]; }

  // The k-th linked node from the outside on one side of a node, or -1.
  int32_t left_link(int32_t v, int32_t k) const { return link(v, kLeft, k); }
  int32_t right_link(int32_t v, int32_t k) const { return link(v, kRight, k); }
  int32_t left_count(int32_t v) const { return nodes_[v].side[kLeft].count; }
  int32_t right_count(int32_t v) const { return nodes_[v].side[kRight].count; }
  uint64_t left_labels(int32_t v) const { return nodes_[v].side[kLeft].labels; }
  uint64_t right_labels(int32_t v) const { return nodes_[v].side[kRight].labels; }

  // S3's undirected siblings: the nearest node on one side that is linked, like this one, to a node behind both on the
  // other side; -1 if there is none.
  int32_t left_sibling(int32_t v) const { return nodes_[v].sibling[kLeft]; }
  int32_t right_sibling(int32_t v) const { return nodes_[v].sibling[kRight]; }

  int32_t edge_between(int32_t v, int32_t w) const {
    const bool in_order = position(v) < position(w);
    const int32_t left = in_order ? v : w, right = in_order ? w : v;
    const Side &from_left = nodes_[left].side[kRight], &from_right = nodes_[right].side[kLeft];
    const bool shorter = from_left.count < from_right.count;
    const End far = shorter ? kRight : kLeft, near = shorter ? kLeft : kRight;
    for (int32_t e = (shorter ? from_left : from_right).outermost; e >= 0; e = edges_[e].inner[near])
      if (edges_[e].end[far] == (shorter ? right : left)) return e;
    return -1;
  }

  void add(int32_t one, int32_t other, int32_t label) {
    const bool in_order = position(one) < position(other);
    edges_.push_back({{in_order ? one : other, in_order ? other : one}, {-1, -1}, {-1, -1}, label, {}, {}});
    insert(size() - 1, kLeft);
    insert(size() - 1, kRight);
  }

  // Undoes the last addition.
  void remove_last() {
    for (End end : {kLeft, kRight}) remove(size() - 1, end);
    edges_.pop_back();
  }

 private:
  enum End { kLeft, kRight };
  static End opposite(End end) { return end == kLeft ? kRight : kLeft; }

  struct Edge {
    int32_t end[2];
    int32_t outer[2], inner[2];  // the next links in the lists of its left and its right end
    int32_t label;
    // What there was in these lists without it: the siblings of its far end and of that of the inner link; the labels.
    int32_t siblings[2][2];
    uint64_t labels[2];
  };
  struct Side {
    int32_t outermost = -1, count = 0;
    uint64_t labels = 0;
  };
  struct Node {
    Side side[2];  // links to the left and to the right
    int32_t sibling[2] = {-1, -1};
  };

  int32_t position(int32_t v) const { return v == 0 ? root_position_ : v; }

  // The links of an edge's end that lie on the same side as the edge.
  Side& list_of(const Edge& edge, End end) { return nodes_[edge.end[end]].side[opposite(end)]; }

  // Whether the far end of one edge is further away from a common end than that of another.
  bool is_outer(int32_t one, int32_t other, End end) const {
    const int32_t a = position(edges_[one].end[opposite(end)]), b = position(edges_[other].end[opposite(end)]);
    return end == kLeft ? a > b : a < b;
  }

  void insert(int32_t e, End end) {
    Edge& edge = edges_[e];
    Side& list = list_of(edge, end);
    int32_t outer = -1, inner = list.outermost;
    while (inner >= 0 && is_outer(inner, e, end)) outer = inner, inner = edges_[inner].inner[end];
    edge.outer[end] = outer;
    edge.inner[end] = inner;
    (outer >= 0 ? edges_[outer].inner[end] : list.outermost) = e;
    if (inner >= 0) edges_[inner].outer[end] = e;
    meet_siblings(edge, end);
    ++list.count;
    edge.labels[end] = list.labels;
    list.labels |= bit(edge.label);
  }

  void remove(int32_t e, End end) {
    const Edge& edge = edges_[e];
    Side& list = list_of(edge, end);
    (edge.outer[end] >= 0 ? edges_[edge.outer[end]].inner[end] : list.outermost) = edge.inner[end];
    if (edge.inner[end] >= 0) edges_[edge.inner[end]].outer[end] = edge.outer[end];
    if (edge.inner[end] >= 0) sibling_of(edges_[edge.inner[end]], end) = edge.siblings[end][1];
    sibling_of(edge, end) = edge.siblings[end][0];
    --list.count;
    list.labels = edge.labels[end];
  }

  // Sets of labels are told apart as long as there are no more than 64 of them.
  static uint64_t bit(int32_t label) { return uint64_t{1} << (label & 63); }

  int32_t link(int32_t v, End side, int32_t k) const {
    const Side& list = nodes_[v].side[side];
    if (k > list.count) return -1;
    int32_t e = list.outermost;
    while (--k > 0) e = edges_[e].inner[opposite(side)];
    return edges_[e].end[side];
  }

  // The far end of a link in a list is a sibling of that of the next link inwards. New links only bring nearer
  // siblings, so the nearest is known without a look at all links of a node, of which there may be thousands.
  void meet_siblings(Edge& edge, End end) {
    edge.siblings[end][0] = sibling_of(edge, end);
    if (edge.outer[end] >= 0) bring(sibling_of(edge, end), far_end(edges_[edge.outer[end]], end), end);
    if (edge.inner[end] < 0) return;
    int32_t& of_inner = sibling_of(edges_[edge.inner[end]], end);
    edge.siblings[end][1] = of_inner;
    bring(of_inner, far_end(edge, end), end);
  }

  static int32_t far_end(const Edge& edge, End end) { return edge.end[opposite(end)]; }

  // The sibling of an edge's far end that is further away from the other end than it.
  int32_t& sibling_of(const Edge& edge, End end) { return nodes_[far_end(edge, end)].sibling[opposite(end)]; }

  void bring(int32_t& nearest, int32_t other, End end) const {
    const bool is_nearer = end == kLeft ? position(other) < position(nearest) : position(other) > position(nearest);
    if (nearest < 0 || is_nearer) nearest = other;
  }

  std::vector<Node> nodes_;
  int32_t root_position_;
  std::vector<Edge> edges_;
};

}  // namespace multiplane
