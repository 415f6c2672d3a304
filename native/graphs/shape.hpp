// How far a graph is from a tree: words with several heads, cycles, separate parts.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

namespace multiplane {

struct Shape {
  int32_t multi_headed = 0;  // words with several heads
  bool cyclic = false;
  bool disconnected = false;  // the arcs, regardless of direction, form several parts; words without arcs are none
};

// Finds the shape of graphs, one at a time; reuses its memory.
class ShapeFinder {
 public:
  // The arcs must be within the words 1..n, without arcs from 0 and loops.
  Shape find(int32_t n, const int32_t* heads, const int32_t* dependents, std::size_t arcs) {
    Shape shape;
    heads_.assign(n + 1, 0);
    parent_.resize(n + 1);
    std::iota(parent_.begin(), parent_.end(), 0);
    std::size_t joined = 0, taking_part = 0;
    part_.assign(n + 1, false);
    for (std::size_t a = 0; a < arcs; ++a) {
      shape.multi_headed += ++heads_[dependents[a]] == 2;
      joined += join(heads[a], dependents[a]);
      for (int32_t end : {heads[a], dependents[a]}) {
        taking_part += !part_[end];
        part_[end] = true;
      }
    }
    shape.disconnected = taking_part > joined + 1;
    shape.cyclic = is_cyclic(n, heads, dependents, arcs);
    return shape;
  }

 private:
  int32_t root(int32_t node) {
    while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
    return node;
  }

  bool join(int32_t one, int32_t other) {
    one = root(one), other = root(other);
    parent_[one] = other;
    return one != other;
  }

  // Removes words without heads until none is left; those that stay lie on cycles or below them.
  bool is_cyclic(int32_t n, const int32_t* heads, const int32_t* dependents, std::size_t arcs) {
    begin_.assign(n + 2, 0);
    for (std::size_t a = 0; a < arcs; ++a) ++begin_[heads[a] + 1];
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    below_.resize(arcs);
    next_ = begin_;
    for (std::size_t a = 0; a < arcs; ++a) below_[next_[heads[a]]++] = dependents[a];
    todo_.clear();
    for (int32_t word = 1; word <= n; ++word)
      if (heads_[word] == 0) todo_.push_back(word);
    for (std::size_t done = 0; done < todo_.size(); ++done) {
      const int32_t word = todo_[done];
      for (std::size_t k = begin_[word]; k < begin_[word + 1]; ++k)
        if (--heads_[below_[k]] == 0) todo_.push_back(below_[k]);
    }
    return todo_.size() < static_cast<std::size_t>(n);
  }

  std::vector<int32_t> heads_, parent_, below_, todo_;
  std::vector<std::size_t> begin_, next_;
  std::vector<bool> part_;
};

}  // namespace multiplane
