// How two words are related in the syntactic tree built so far, as one number.
#pragma once

#include <array>
#include <cstdint>

#include "common/hash.hpp"
#include "features/state.hpp"

namespace multiplane {

class Relations {
 public:
  // With k labels of syntax.
  explicit Relations(int32_t labels = 0) : labels_(labels) {}

  static constexpr int32_t count(int32_t labels) { return 5 * labels + 1; }
  int32_t count() const { return count(labels_); }

  // Head, dependent, sibling, grandparent or grandchild, with the label of the lower of the two; 0 for none of these.
  int32_t of(const PartialTree& tree, int32_t a, int32_t b) const {
    const int32_t over_a = tree.head(a), over_b = tree.head(b);
    if (over_a == b) return labelled(0, tree.label(a));
    if (over_b == a) return labelled(1, tree.label(b));
    if (over_a > 0 && over_a == over_b) return labelled(2, tree.label(a));
    if (over_a > 0 && tree.head(over_a) == b) return labelled(3, tree.label(a));
    if (over_b > 0 && tree.head(over_b) == a) return labelled(4, tree.label(b));
    return 0;
  }

 private:
  int32_t labelled(int32_t kind, int32_t label) const { return 1 + kind * labels_ + label; }

  int32_t labels_;
};

// The way from one word to another in the tree built so far, as a hash of the labels up to the lowest word above both,
// and down again; 1 where there is none of at most kMostSteps steps up and as many down.
inline Value path_between(const PartialTree& tree, int32_t a, int32_t b) {
  constexpr int32_t kMostSteps = 6;
  std::array<int32_t, kMostSteps + 1> above;
  int32_t count = 0;
  for (int32_t v = a; v > 0 && count <= kMostSteps; v = tree.head(v)) above[count++] = v;
  Value down = 0xBE5466CF34E90C6Cu;
  int32_t steps = 0;
  for (int32_t v = b; v > 0 && steps <= kMostSteps; v = tree.head(v), ++steps) {
    Value up = 0x3F84D5B5B5470917u;
    for (int32_t i = 0; i < count; ++i) {
      if (above[i] == v) return mix(up, down);
      up = mix(up, tree.label(above[i]) + 2);
    }
    down = mix(down, tree.label(v) + 2);
  }
  return 1;
}

}  // namespace multiplane
