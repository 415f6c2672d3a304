// What a parser knows while it parses: the configuration, the tree built so far, and the last transitions.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "features/links.hpp"
#include "features/meaning.hpp"
#include "systems/machine.hpp"

namespace multiplane {

// The tree built so far, with the dependents of every node in the order of the sentence.
class PartialTree {
 public:
  explicit PartialTree(int32_t n) : nodes_(n + 1) {}

  int32_t head(int32_t v) const { return nodes_[v].head; }
  int32_t label(int32_t v) const { return nodes_[v].label; }
  int32_t left_valency(int32_t v) const { return nodes_[v].left; }
  int32_t right_valency(int32_t v) const { return nodes_[v].right; }
  uint64_t left_labels(int32_t v) const { return nodes_[v].left_labels; }
  uint64_t right_labels(int32_t v) const { return nodes_[v].right_labels; }
  int32_t left_sibling(int32_t v) const { return nodes_[v].previous; }
  int32_t right_sibling(int32_t v) const { return nodes_[v].next; }

  // The k-th dependent from the outside on one side of a node, or -1.
  int32_t left_dependent(int32_t v, int32_t k) const {
    if (k > left_valency(v)) return -1;
    int32_t d = nodes_[v].first;
    while (--k > 0) d = nodes_[d].next;
    return d;
  }
  int32_t right_dependent(int32_t v, int32_t k) const {
    if (k > right_valency(v)) return -1;
    int32_t d = nodes_[v].last;
    while (--k > 0) d = nodes_[d].previous;
    return d;
  }

  void attach(int32_t head, int32_t dependent, int32_t label) {
    Node &h = nodes_[head], &d = nodes_[dependent];
    // New dependents are mostly the outermost ones on their side.
    int32_t after = -1, before = -1;
    if (dependent < head) {
      before = h.first;
      while (before >= 0 && before < dependent) after = before, before = nodes_[before].next;
    } else {
      after = h.last;
      while (after > dependent) before = after, after = nodes_[after].previous;
    }
    d.head = head;
    d.label = label;
    d.previous = after;
    d.next = before;
    (after >= 0 ? nodes_[after].next : h.first) = dependent;
    (before >= 0 ? nodes_[before].previous : h.last) = dependent;
    ++(dependent < head ? h.left : h.right);
    // Sets of labels are told apart as long as there are no more than 64 of them.
    (dependent < head ? h.left_labels : h.right_labels) |= uint64_t{1} << (label & 63);
  }

  // Makes what is known of a node the same as in another tree of the same sentence.
  void copy_node(const PartialTree& from, int32_t v) { nodes_[v] = from.nodes_[v]; }

 private:
  struct Node {
    int32_t head = -1, label = -1;
    int32_t first = -1, last = -1;     // dependents
    int32_t next = -1, previous = -1;  // siblings
    int32_t left = 0, right = 0;       // how many dependents there are on either side
    uint64_t left_labels = 0, right_labels = 0;
  };

  std::vector<Node> nodes_;
};

// The ends of an arc that is about to be labelled; without direction, its left and its right end.
struct Ends {
  int32_t governor = -1, dependent = -1;
};

// A configuration and what was built on the way to it.
struct State {
  State(const Program& program, int32_t n)
      : c(n, program.stacks, program.root, !program.stack_is_final, n),
        tree(n),
        links(program.undirected ? n + 1 : 0, program.root),
        meaning(program.parses_graphs ? n : 0) {}

  Configuration c;
  PartialTree tree;                 // where graphs are parsed, that of their syntax
  LinkLists links;                  // instead of the tree, where arcs have no direction
  Meaning meaning;                  // beside the tree, where graphs are parsed
  std::array<int32_t, 8> recent{};  // the last transitions
  int32_t taken = 0;

  // The head that the label of an edge prefers is its head in the tree, unless the dependent has one already.
  void direct(Ends ends, int32_t label, const std::vector<int8_t>& directions) {
    if (directions.empty()) return;
    const bool has_root = ends.governor == 0 || ends.dependent == 0;
    const int32_t direction = has_root ? (ends.governor == 0 ? 1 : -1) : directions[label];
    if (direction == 0) return;
    const int32_t head = direction > 0 ? ends.governor : ends.dependent;
    const int32_t dependent = direction > 0 ? ends.dependent : ends.governor;
    if (tree.head(dependent) < 0) tree.attach(head, dependent, label);
  }

  // The i-th last transition, or -1.
  int32_t last_transition(int32_t i) const {
    return i < taken && i < static_cast<int32_t>(recent.size()) ? recent[(taken - 1 - i) % recent.size()] : -1;
  }
  void note_transition(int32_t t) { recent[taken++ % recent.size()] = t; }

  int32_t position(int32_t v) const { return v == 0 && c.root() == Root::kRight ? c.n() + 1 : v; }
};

// Takes a transition, unless it is illegal. Each arc that it builds gets the label that the caller gives it.
template <typename LabelOf>
bool take(Machine& machine, State& s, int32_t transition, int32_t parameter, LabelOf&& label_of) {
  const int32_t arcs = s.c.header().arc_count;
  if (!machine.apply(s.c, transition, parameter, -1)) return false;
  for (int32_t a = arcs; a < s.c.header().arc_count; ++a) {
    const Arc& arc = s.c.arc(a);
    if (machine.program().parses_graphs) {
      const Ends ends{arc.head, arc.dependent};
      const int32_t label = label_of(ends);
      s.c.set_label(a, label);
      s.meaning.note_arc(ends.governor, ends.dependent, label);
    } else if (machine.program().undirected) {
      const bool in_order = s.position(arc.head) < s.position(arc.dependent);
      const Ends ends = in_order ? Ends{arc.head, arc.dependent} : Ends{arc.dependent, arc.head};
      const int32_t label = label_of(ends);
      s.links.add(ends.governor, ends.dependent, label);
      s.direct(ends, label, machine.program().label_directions);
    } else {
      const Ends ends{arc.head, arc.dependent};
      s.tree.attach(ends.governor, ends.dependent, label_of(ends));
    }
  }
  s.note_transition(transition);
  return true;
}

}  // namespace multiplane
