// A configuration: k stacks, a buffer and arcs, in one flat block of integers, so that a copy is one memcpy.
//
// Nodes are the words 1..n and, where a system has one, the artificial root 0. Beside the stacks there is room for
// Covington's second list. Weakly connected components are kept in a union-find forest whose representatives know
// how many nodes of the component are still open (on a stack or in the buffer) and which of them has no head.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

namespace multiplane {

enum class Root : uint8_t { kNone, kLeft, kRight };

struct Arc {
  int32_t head, dependent, label, plane;
  int32_t next_in;   // the next arc into the same dependent, or -1
  int32_t next_out;  // the next arc from the same head, or -1
};

class Configuration {
 public:
  // An artificial root at the left stands on the stacks, or before the buffer where the stack is never looked at.
  Configuration(int32_t n, int32_t stacks, Root root, bool root_on_stack, int32_t arc_capacity)
      : n_(n), k_(stacks), width_(n + 1), root_(root), block_(offset_arcs() + arc_capacity * kArcInts, 0) {
    const int32_t nodes = n + (root != Root::kNone);
    std::memset(in_list(), 0xFF, width_ * sizeof(int32_t));  // -1: no arc
    std::memset(out_list(), 0xFF, width_ * sizeof(int32_t));
    // The buffer lies with its front at the end, so that shifting is popping.
    if (root == Root::kRight) buffer()[header().buffer_size++] = 0;
    for (int32_t v = n; v >= 1; --v) buffer()[header().buffer_size++] = v;
    if (root == Root::kLeft && !root_on_stack) buffer()[header().buffer_size++] = 0;
    if (root == Root::kLeft && root_on_stack) {
      for (int32_t s = 0; s < k_; ++s) push(s, 0);
    }
    for (int32_t v = root == Root::kNone; v <= n; ++v) {
      places()[v] = v == 0 && root == Root::kLeft && root_on_stack ? k_ : 1;
      component_parent()[v] = v;
      component_open()[v] = 1;
      component_top()[v] = v;
    }
    header().words = n;
    header().components = nodes;
    header().closed_root = -1;
  }

  struct Header {
    int32_t active, switches, buffer_size, aside_size, arc_count, components;
    int32_t closed_roots;  // components whose root is no longer open, that of node 0 not counted; without directions,
                           // components without an open node
    int32_t closed_root;   // one of those roots
    int32_t root_arcs;     // arcs from node 0
    int32_t words;         // n, by which a block is known to fit
  };

  int32_t n() const { return n_; }
  int32_t stacks() const { return k_; }
  Root root() const { return root_; }
  Header& header() { return *reinterpret_cast<Header*>(block_.data()); }
  const Header& header() const { return *reinterpret_cast<const Header*>(block_.data()); }

  int32_t* stack_sizes() { return block_.data() + kHeaderInts; }
  const int32_t* stack_sizes() const { return block_.data() + kHeaderInts; }
  int32_t* buffer() { return array(0); }
  const int32_t* buffer() const { return array(0); }
  int32_t* stack(int32_t s) { return array(kFixedArrays + s); }
  const int32_t* stack(int32_t s) const { return array(kFixedArrays + s); }
  int32_t* aside() { return array(1); }
  const int32_t* aside() const { return array(1); }
  int32_t* head_counts() { return array(2); }
  const int32_t* head_counts() const { return array(2); }
  int32_t* in_list() { return array(3); }
  const int32_t* in_list() const { return array(3); }
  int32_t* places() { return array(4); }  // how many stacks hold the node, or 1 if it is in the buffer
  const int32_t* places() const { return array(4); }
  int32_t* component_parent() { return array(5); }
  const int32_t* component_parent() const { return array(5); }
  int32_t* component_rank() { return array(6); }
  int32_t* component_open() { return array(7); }
  const int32_t* component_open() const { return array(7); }
  int32_t* component_top() { return array(8); }
  const int32_t* component_top() const { return array(8); }
  int32_t* dependent_counts() { return array(9); }
  const int32_t* dependent_counts() const { return array(9); }
  int32_t* out_list() { return array(10); }
  const int32_t* out_list() const { return array(10); }

  bool buffer_empty() const { return header().buffer_size == 0; }
  int32_t front() const { return buffer()[header().buffer_size - 1]; }
  int32_t active_size() const { return stack_sizes()[header().active]; }
  int32_t top() const { return stack(header().active)[active_size() - 1]; }
  int32_t front_or(int32_t none) const { return buffer_empty() ? none : front(); }
  int32_t top_or(int32_t none) const { return active_size() == 0 ? none : top(); }
  void push(int32_t s, int32_t node) { stack(s)[stack_sizes()[s]++] = node; }
  bool has_head(int32_t node) const { return head_counts()[node] > 0; }

  const Arc& arc(int32_t a) const { return reinterpret_cast<const Arc*>(block_.data() + offset_arcs())[a]; }

  // The number of an arc, or -1. Looks at the shorter list, as some words have a great many arcs.
  int32_t find_arc(int32_t head, int32_t dependent) const {
    int32_t a;
    if (dependent_counts()[head] < head_counts()[dependent]) {
      for (a = out_list()[head]; a >= 0 && arc(a).dependent != dependent;) a = arc(a).next_out;
    } else {
      for (a = in_list()[dependent]; a >= 0 && arc(a).head != head;) a = arc(a).next_in;
    }
    return a;
  }
  bool has_arc(int32_t head, int32_t dependent) const { return find_arc(head, dependent) >= 0; }

  // The head of a node in a forest, or -1.
  int32_t head_of(int32_t node) const { return in_list()[node] < 0 ? -1 : arc(in_list()[node]).head; }

  void add_arc(int32_t head, int32_t dependent, int32_t label) {
    const std::size_t needed = offset_arcs() + static_cast<std::size_t>(header().arc_count + 1) * kArcInts;
    if (needed > block_.size()) block_.resize(offset_arcs() + 2 * (needed - offset_arcs()), 0);
    const Arc arc{head, dependent, label, header().active, in_list()[dependent], out_list()[head]};
    std::memcpy(block_.data() + offset_arcs() + header().arc_count * kArcInts, &arc, sizeof arc);
    out_list()[head] = header().arc_count;
    in_list()[dependent] = header().arc_count++;
    ++head_counts()[dependent];
    ++dependent_counts()[head];
    header().root_arcs += head == 0;
  }

  void set_label(int32_t a, int32_t label) { reinterpret_cast<Arc*>(block_.data() + offset_arcs())[a].label = label; }

  void remove_last_arc() {
    const Arc& last = arc(--header().arc_count);
    in_list()[last.dependent] = last.next_in;
    out_list()[last.head] = last.next_out;
    --head_counts()[last.dependent];
    --dependent_counts()[last.head];
    header().root_arcs -= last.head == 0;
  }

  int32_t component(int32_t node) const {
    while (component_parent()[node] != node) node = component_parent()[node];
    return node;
  }

  // From now on transitions may be undone long after they were taken, so unions stay as they were made.
  void keep_unions() { keeps_unions_ = true; }

  // The same, shortening the path for later calls.
  int32_t component_compressing(int32_t node) {
    if (keeps_unions_) return component(node);
    int32_t* parent = component_parent();
    while (parent[node] != node) node = parent[node] = parent[parent[node]];
    return node;
  }

  bool connected(int32_t a, int32_t b) const { return component(a) == component(b); }

  // Whether a directed path leads from one node to another; searches up from the latter. Words that are new to the
  // front have neither dependents nor heads, so that most questions are answered at once.
  bool has_path(int32_t from, int32_t to) const {
    if (from == to) return true;
    if (dependent_counts()[from] == 0 || in_list()[to] < 0) return false;
    std::vector<int32_t> todo{to};
    std::vector<bool> seen(width_, false);
    while (!todo.empty()) {
      const int32_t node = todo.back();
      todo.pop_back();
      if (node == from) return true;
      for (int32_t a = in_list()[node]; a >= 0; a = arc(a).next_in) {
        if (!seen[arc(a).head]) todo.push_back(arc(a).head);
        seen[arc(a).head] = true;
      }
    }
    return false;
  }

  const std::vector<int32_t>& block() const { return block_; }

  // Restores a block of another configuration for the same number of words; false if it does not fit.
  bool restore(const char* bytes, std::size_t size) {
    const std::size_t least = offset_arcs() * sizeof(int32_t);
    if (size < least || (size - least) % sizeof(Arc) != 0) return false;
    Header given;
    std::memcpy(&given, bytes, sizeof given);
    if (given.words != n_) return false;
    block_.resize(size / sizeof(int32_t));
    std::memcpy(block_.data(), bytes, size);
    return header().arc_count >= 0 && static_cast<std::size_t>(header().arc_count) <= (size - least) / sizeof(Arc);
  }

 private:
  static constexpr std::size_t kHeaderInts = sizeof(Header) / sizeof(int32_t);
  static constexpr std::size_t kArcInts = sizeof(Arc) / sizeof(int32_t);
  static constexpr std::size_t kFixedArrays = 11;

  int32_t* array(std::size_t i) { return block_.data() + kHeaderInts + k_ + i * width_; }
  const int32_t* array(std::size_t i) const { return block_.data() + kHeaderInts + k_ + i * width_; }
  std::size_t offset_arcs() const { return kHeaderInts + k_ + (kFixedArrays + k_) * width_; }

  int32_t n_, k_;
  std::size_t width_;
  Root root_;
  bool keeps_unions_ = false;
  std::vector<int32_t> block_;
};

}  // namespace multiplane
