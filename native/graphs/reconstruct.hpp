// Directed trees from undirected forests (S3 §4), in linear time.
//
// U is an undirected forest over the words 1..n and the root 0. A tree has arcs of D(U): either direction of an edge,
// except into 0, and 0→w for every word w. The methods are costs of these arcs, and the cheapest tree wins:
//
//                          agreeing   disagreeing   0→w in U       0→w not in U
//   naive                  1          1             1              2
//   label                  1          2             2n             2n
//   label-strict           1          2             1 or 2         2n
//
// An edge without a preference agrees both ways.
//
// One root per component. Without node 0, U falls into components of words. 0 is linked to at most one word of each:
// two edges would close a cycle. Arcs of D(U) between components do not exist, so that the components are independent.
// Say a tree has r arcs from 0 into a component of c words; then c - r of the other arcs are edges.
// - Naive: if 0 is linked to a word, the tree from that word uses edges only and costs c; any other uses an arc that
//   costs 2. If not, a tree costs c + r: r = 1 is cheapest.
// - Label: a tree with one root costs at most 2n + 2(c - 1), one with r ≥ 2 at least 2nr + c - r ≥ 4n + c - 2. The
//   difference is 2n - c or more, which is positive.
// - Label-strict: if 0 is linked to a word, the tree from that word costs at most 2c. A tree with another root has c ≥
// 2
//   and costs at least 2n + c - 1 > 2c, as c ≤ n. If 0 is linked to none, the costs are those of label.
// So each component has one root, which determines its tree. Ties are broken for the word that U links to 0, then for
// the leftmost.
//
// Fixed heads come before all costs: as few as possible are contradicted. Then come as few roots as possible; there is
// more than one in a component only if the fixed heads are 0 for several of its words. A fixed head that is neither 0
// nor linked to its word cannot be kept, and is as if there were none.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/array_view.hpp"
#include "common/demand.hpp"

namespace multiplane {

enum class Reconstruction : uint8_t { kNaive, kLabel, kLabelStrict };

struct Edge {
  int32_t a, b;
  int8_t preference;  // positive for a→b, negative for b→a, 0 for none
};

// Reconstructs one tree at a time; reuses its memory.
class Reconstructor {
 public:
  // fixed[0] is the fixed head of word 1; negative for a word that is free. Throws if the edges are not a forest.
  void run(int32_t n, ArrayView<Edge> edges, Reconstruction method, const int32_t* fixed) {
    n_ = n;
    edges_ = edges;
    method_ = method;
    fixed_ = fixed;
    check();
    list_edges();
    order_from_root();
    if (method == Reconstruction::kNaive && fixed == nullptr) {
      head_ = parent_;
      carried_ = via_;
      return;
    }
    weigh();
    orient();
    move_links();
  }

  // By word, from 1; entry 0 is unused.
  const std::vector<int32_t>& heads() const { return head_; }

  // The edge whose label each word's arc carries: the edge that became the arc; for an arc from 0 that replaces the
  // link between 0 and its component, that link; -1 for an arc from 0 that replaces nothing. No edge is carried twice.
  const std::vector<int32_t>& carried() const { return carried_; }

 private:
  // Compared part by part, so that no number of small differences outweighs a large one.
  struct Cost {
    int64_t faults = 0;  // (n + 1) times the contradicted fixed heads, and the roots
    int64_t excess = 0;  // what arcs cost above the least that the method charges for them
    int64_t place = 0;   // breaks ties between roots

    Cost operator+(const Cost& o) const { return {faults + o.faults, excess + o.excess, place + o.place}; }
    Cost operator-(const Cost& o) const { return {faults - o.faults, excess - o.excess, place - o.place}; }
    bool operator<(const Cost& o) const {
      if (faults != o.faults) return faults < o.faults;
      return excess != o.excess ? excess < o.excess : place < o.place;
    }
  };

  static constexpr int32_t kNone = -1;

  void check() const {
    for (const Edge& edge : edges_) {
      if (std::min(edge.a, edge.b) < 0 || std::max(edge.a, edge.b) > n_)
        refuse(edge, " is outside the words 1.." + std::to_string(n_) + " (0 is the root)");
      if (edge.a == edge.b) refuse(edge, " links a word to itself");
    }
    for (int32_t w = 1; fixed_ && w <= n_; ++w)
      demand(fixed_[w - 1] <= n_ && fixed_[w - 1] != w, "a fixed head is the word itself, or outside its sentence");
  }

  [[noreturn]] static void refuse(const Edge& edge, const std::string& why) {
    throw std::invalid_argument("the edge " + std::to_string(edge.a) + "-" + std::to_string(edge.b) + why);
  }

  int32_t other_end(int32_t edge, int32_t v) const { return edges_[edge].a == v ? edges_[edge].b : edges_[edge].a; }

  void list_edges() {
    first_.assign(n_ + 2, 0);
    for (const Edge& edge : edges_) ++first_[edge.a], ++first_[edge.b];
    for (int32_t v = 0; v <= n_; ++v) first_[v + 1] += first_[v];
    incident_.resize(2 * edges_.size());
    for (std::size_t e = edges_.size(); e-- > 0;)
      for (int32_t v : {edges_[e].a, edges_[e].b}) incident_[--first_[v]] = static_cast<int32_t>(e);
  }

  // Breadth-first from 0, then from the leftmost word of each component that 0 is not linked to. The top of a component
  // has parent 0; the edge to its parent is its link to 0, or none.
  void order_from_root() {
    parent_.assign(n_ + 1, kNone);
    via_.assign(n_ + 1, kNone);
    order_.clear();
    std::size_t next = 0;
    for (int32_t start = 0; start <= n_; ++start) {
      if (parent_[start] != kNone) continue;
      parent_[start] = 0;
      order_.push_back(start);
      for (; next < order_.size(); ++next) visit_neighbours(order_[next]);
    }
  }

  void visit_neighbours(int32_t v) {
    for (int32_t i = first_[v]; i < first_[v + 1]; ++i) {
      const int32_t edge = incident_[i], to = other_end(edge, v);
      if (edge == via_[v]) continue;
      if (parent_[to] != kNone) {
        const bool twin = (via_[v] != kNone && parent_[v] == to) || (via_[to] != kNone && parent_[to] == v);
        refuse(edges_[edge],
               twin ? " has a twin; link two words only once" : " closes a cycle; leave out one edge of the cycle");
      }
      parent_[to] = v;
      via_[to] = edge;
      order_.push_back(to);
    }
  }

  bool contradicts(int32_t head, int32_t v) const { return fixed_ && fixed_[v - 1] >= 0 && fixed_[v - 1] != head; }
  bool disagrees(int32_t edge, int32_t head) const {
    const Edge& e = edges_[edge];
    return e.preference != 0 && (e.preference > 0) != (e.a == head);
  }
  bool is_linked_to_root(int32_t v) const { return parent_[v] == 0 && via_[v] != kNone; }

  Cost cost_of_arc(int32_t head, int32_t v, int32_t edge) const {
    Cost cost;
    cost.faults = contradicts(head, v) ? n_ + int64_t{1} : 0;
    cost.excess = method_ != Reconstruction::kNaive && disagrees(edge, head);
    return cost;
  }

  Cost cost_of_root(int32_t v) const {
    const bool linked = is_linked_to_root(v);
    Cost cost;
    cost.faults = 1 + (contradicts(0, v) ? n_ + int64_t{1} : 0);
    if (method_ == Reconstruction::kNaive) cost.excess = linked ? 0 : 1;
    if (method_ == Reconstruction::kLabelStrict) cost.excess = linked ? disagrees(via_[v], 0) : 2 * int64_t{n_} - 1;
    cost.place = linked ? 0 : v;
    return cost;
  }

  // From the leaves up. Cut off from its parent, the subtree of a word has a root of its own: the word itself, or one
  // below the child that becomes its head.
  void weigh() {
    below_.assign(n_ + 1, Cost{});  // the words under each word, which has its head elsewhere
    entry_.resize(n_ + 1);          // what it takes to find a head for the word, too
    entry_head_.assign(n_ + 1, 0);  // that head: a child, or 0
    is_cut_.assign(n_ + 1, false);  // whether a subtree is better off without the edge to its parent
    for (int32_t v = 1; v <= n_; ++v) entry_[v] = cost_of_root(v);
    for (std::size_t i = order_.size(); i-- > 1;) {
      const int32_t v = order_[i], parent = parent_[v];
      if (parent == 0) continue;
      const Cost cut = below_[v] + entry_[v], attached = below_[v] + cost_of_arc(parent, v, via_[v]);
      is_cut_[v] = cut < attached;
      const Cost best = is_cut_[v] ? cut : attached;
      below_[parent] = below_[parent] + best;
      const Cost entry = cut + cost_of_arc(v, parent, via_[v]) - best;
      if (!(entry < entry_[parent])) continue;
      entry_[parent] = entry;
      entry_head_[parent] = v;
    }
  }

  void orient() {
    head_.assign(n_ + 1, 0);
    carried_.assign(n_ + 1, kNone);
    for (std::size_t i = 1; i < order_.size(); ++i) {
      const int32_t v = order_[i], parent = parent_[v];
      const bool has_root = parent == 0 || is_cut_[v] || head_[parent] == v;
      head_[v] = has_root ? entry_head_[v] : parent;
      if (head_[v] != 0) {
        carried_[v] = has_root ? via_[head_[v]] : via_[v];
      } else if (is_linked_to_root(v)) {
        carried_[v] = via_[v];
      }
    }
  }

  // The link of a component to 0 whose word is no root goes to the leftmost root.
  void move_links() {
    top_.resize(n_ + 1);
    for (std::size_t i = 1; i < order_.size(); ++i) {
      const int32_t v = order_[i];
      top_[v] = parent_[v] == 0 ? v : top_[parent_[v]];
    }
    for (int32_t v = 1; v <= n_; ++v) {
      int32_t& link = via_[top_[v]];
      if (head_[v] != 0 || link == kNone || head_[top_[v]] == 0) continue;
      carried_[v] = link;
      link = kNone;
    }
  }

  int32_t n_ = 0;
  ArrayView<Edge> edges_;
  Reconstruction method_ = Reconstruction::kLabel;
  const int32_t* fixed_ = nullptr;
  std::vector<int32_t> first_, incident_, parent_, via_, order_, entry_head_, top_, head_, carried_;
  std::vector<Cost> below_, entry_;
  std::vector<bool> is_cut_;
};

// Reconstructs many sentences, given by the edge {heads[w], w} of each word; negative for a word without one. A
// positive preference is for the arc from left to right, a negative one for the other; 0 is left of all words. Results
// are the heads, and the words whose edges they carry, as `Reconstructor::carried` defines; -1 for none.
class ForestReconstructor {
 public:
  void run(int32_t n, const int32_t* heads, const int8_t* preferences, Reconstruction method, const int32_t* fixed,
           int32_t* new_heads, int32_t* carried) {
    if (fixed == nullptr && agrees(n, heads, preferences)) {
      std::copy_n(heads, n, new_heads);
      std::iota(carried, carried + n, 1);
      return;
    }
    edges_.clear();
    owners_.clear();
    for (int32_t w = 1; w <= n; ++w) {
      if (heads[w - 1] < 0) continue;
      edges_.push_back({std::min(heads[w - 1], w), std::max(heads[w - 1], w), preferences[w - 1]});
      owners_.push_back(w);
    }
    one_.run(n, {edges_.data(), edges_.size()}, method, fixed);
    for (int32_t w = 1; w <= n; ++w) {
      const int32_t edge = one_.carried()[w];
      new_heads[w - 1] = one_.heads()[w];
      carried[w - 1] = edge < 0 ? -1 : owners_[edge];
    }
  }

 private:
  // Whether the heads are a tree already, and all preferences agree with it, as those of most sentences do. No other
  // tree costs less then, and of those that cost the same this one keeps the links to 0.
  bool agrees(int32_t n, const int32_t* heads, const int8_t* preferences) {
    for (int32_t w = 1; w <= n; ++w) {
      const int32_t head = heads[w - 1], preference = preferences[w - 1];
      if (head < 0 || head > n || head == w) return false;
      if (head != 0 && preference != 0 && (preference > 0) != (head < w)) return false;
    }
    seen_.assign(n + 1, 0);
    for (int32_t w = 1; w <= n; ++w) {
      int32_t v = w;
      for (; v != 0 && seen_[v] == 0; v = heads[v - 1]) seen_[v] = w;
      if (v != 0 && seen_[v] == w) return false;  // a cycle
    }
    return true;
  }

  Reconstructor one_;
  std::vector<Edge> edges_;
  std::vector<int32_t> owners_, seen_;
};

}  // namespace multiplane
