// What a parser knows while it parses: the configuration, the tree built so far, and the last transitions.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "systems/machine.hpp"

namespace multiplane {

// The tree built so far, with the dependents of every node in the order of the sentence. One block, as configurations.
class PartialTree {
 public:
  explicit PartialTree(int32_t n) : width_(n + 1), block_(kArrays * width_, -1), labels_(2 * width_, 0) {
    std::fill_n(array(kLeft), 2 * width_, 0);
  }

  int32_t head(int32_t v) const { return array(kHead)[v]; }
  int32_t label(int32_t v) const { return array(kLabel)[v]; }
  int32_t left_valency(int32_t v) const { return array(kLeft)[v]; }
  int32_t right_valency(int32_t v) const { return array(kRight)[v]; }
  uint64_t left_labels(int32_t v) const { return labels_[v]; }
  uint64_t right_labels(int32_t v) const { return labels_[width_ + v]; }
  int32_t left_sibling(int32_t v) const { return array(kPrevious)[v]; }
  int32_t right_sibling(int32_t v) const { return array(kNext)[v]; }

  // The k-th dependent from the outside on one side of a node, or -1.
  int32_t left_dependent(int32_t v, int32_t k) const {
    if (k > left_valency(v)) return -1;
    int32_t d = array(kFirst)[v];
    while (--k > 0) d = array(kNext)[d];
    return d;
  }
  int32_t right_dependent(int32_t v, int32_t k) const {
    if (k > right_valency(v)) return -1;
    int32_t d = array(kLast)[v];
    while (--k > 0) d = array(kPrevious)[d];
    return d;
  }

  void attach(int32_t head, int32_t dependent, int32_t label) {
    array(kHead)[dependent] = head;
    array(kLabel)[dependent] = label;
    int32_t *next = array(kNext), *previous = array(kPrevious);
    // New dependents are mostly the outermost ones on their side.
    int32_t after = -1, before = -1;
    if (dependent < head) {
      before = array(kFirst)[head];
      while (before >= 0 && before < dependent) after = before, before = next[before];
    } else {
      after = array(kLast)[head];
      while (after > dependent) before = after, after = previous[after];
    }
    previous[dependent] = after;
    next[dependent] = before;
    (after >= 0 ? next[after] : array(kFirst)[head]) = dependent;
    (before >= 0 ? previous[before] : array(kLast)[head]) = dependent;
    ++array(dependent < head ? kLeft : kRight)[head];
    // Sets of labels are told apart as long as there are no more than 64 of them.
    labels_[(dependent < head ? 0 : width_) + head] |= uint64_t{1} << (label & 63);
  }

 private:
  enum { kHead, kLabel, kFirst, kLast, kNext, kPrevious, kLeft, kRight, kArrays };
  int32_t* array(int i) { return block_.data() + i * width_; }
  const int32_t* array(int i) const { return block_.data() + i * width_; }

  std::size_t width_;
  std::vector<int32_t> block_;
  std::vector<uint64_t> labels_;
};

struct State {
  State(const Program& program, int32_t n) : c(n, program.stacks, program.root, !program.stack_is_final, n), tree(n) {}

  Configuration c;
  PartialTree tree;
  std::array<int32_t, 8> recent{};  // the last transitions
  int32_t taken = 0;

  // The i-th last transition, or -1.
  int32_t last_transition(int32_t i) const {
    return i < taken && i < static_cast<int32_t>(recent.size()) ? recent[(taken - 1 - i) % recent.size()] : -1;
  }
  void note_transition(int32_t t) { recent[taken++ % recent.size()] = t; }

  int32_t position(int32_t v) const { return v == 0 && c.root() == Root::kRight ? c.n() + 1 : v; }
};

// The ends of an arc that is about to be labelled.
struct Ends {
  int32_t governor = -1, dependent = -1;
};

// Takes a transition, unless it is illegal. Each arc that it builds gets the label that the caller gives it.
template <typename LabelOf>
bool take(Machine& machine, State& s, int32_t transition, int32_t parameter, LabelOf&& label_of) {
  const int32_t arcs = s.c.header().arc_count;
  if (!machine.apply(s.c, transition, parameter, -1)) return false;
  for (int32_t a = arcs; a < s.c.header().arc_count; ++a) {
    const Ends ends{s.c.arc(a).head, s.c.arc(a).dependent};
    s.tree.attach(ends.governor, ends.dependent, label_of(ends));
  }
  s.note_transition(transition);
  return true;
}

}  // namespace multiplane
