// Fixed heads in undirected parsers: whether the edges can still become arcs that have them all.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "oracles/losses/places.hpp"
#include "systems/program.hpp"

namespace multiplane {

// Take away the edges that are fixed arcs, and the words fall into pieces. Within a piece, arcs point away from one
// word, its top. A word whose head is fixed has it outside its piece, so it must be the top, and no piece has two such
// words. Links to the artificial root do not matter: reconstruction moves them to where fixed heads want them.
class Directions {
 public:
  explicit Directions(const Program& program)
      : has_one_root_(program.root == Root::kNone || program.single_root), places_(0) {}

  // heads[v] is the fixed head of word v, negative for none.
  bool remain(const Configuration& c, const int32_t* heads) {
    n_ = c.n();
    split(c, heads);
    has_fixed_.assign(n_ + 1, false);
    for (int32_t v = 1; v <= n_; ++v) {
      if (heads[v] < 0) continue;
      const int32_t piece = find(piece_, v);
      if (has_fixed_[piece]) return false;
      has_fixed_[piece] = true;
    }
    return !has_one_root_ || count_closed(c, heads) <= 1;
  }

 private:
  void split(const Configuration& c, const int32_t* heads) {
    for (std::vector<int32_t>* parents : {&piece_, &component_}) {
      parents->resize(n_ + 1);
      std::iota(parents->begin(), parents->end(), 0);
    }
    for (int32_t e = 0; e < c.header().arc_count; ++e) {
      const int32_t a = c.arc(e).head, b = c.arc(e).dependent;
      if (a == 0 || b == 0) continue;
      component_[find(component_, a)] = find(component_, b);
      if (heads[a] != b && heads[b] != a) piece_[find(piece_, a)] = find(piece_, b);
    }
  }

  // The number of components that no arc can enter any more, one of which has the root. An arc enters at a fixed word
  // whose edge is still to come or, if there is none, at any word of the piece without fixed ones that can get edges.
  int32_t count_closed(const Configuration& c, const int32_t* heads) {
    places_ = Places(n_);
    places_.locate(c);
    for (int32_t i = 0; i < c.header().aside_size; ++i) places_.set(c.aside()[i], Places::kPassed);
    is_open_.assign(n_ + 1, false);
    for (int32_t v = 1; v <= n_; ++v) {
      const int32_t component = find(component_, v);
      const bool awaits = heads[v] > 0 && find(component_, heads[v]) != component;
      if (awaits || (!has_fixed_[find(piece_, v)] && places_[v] != 0)) is_open_[component] = true;
    }
    int32_t closed = 0;
    for (int32_t v = 1; v <= n_; ++v) closed += component_[v] == v && !is_open_[v];
    return closed;
  }

  static int32_t find(std::vector<int32_t>& parents, int32_t v) {
    while (parents[v] != v) v = parents[v] = parents[parents[v]];
    return v;
  }

  const bool has_one_root_;
  int32_t n_ = 0;
  Places places_;
  std::vector<int32_t> piece_, component_;
  std::vector<bool> has_fixed_, is_open_;
};

}  // namespace multiplane
