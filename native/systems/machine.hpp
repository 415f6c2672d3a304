// The machine that runs transition systems.
//
// It runs the steps of a transition and takes them back if one is undefined, so that trying a transition costs no copy.
// What it did can be kept, to undo a transition later.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "systems/configuration.hpp"
#include "systems/program.hpp"

namespace multiplane {

enum class Refusal : uint8_t { kNone, kUndefined, kGuard, kTree };

struct Outcome {
  Refusal refusal = Refusal::kNone;
  int32_t step = -1;  // at which the transition failed
  explicit operator bool() const { return refusal == Refusal::kNone; }
};

class Machine {
 public:
  explicit Machine(const Program& program) : program_(program) {}

  const Program& program() const { return program_; }

  // Runs a transition; where it is not defined, the configuration stays as it was.
  Outcome apply(Configuration& c, int32_t transition, int32_t parameter, int32_t label) {
    const Outcome outcome = run(c, transition, parameter, label);
    if (!outcome) take_back(c);
    return outcome;
  }

  bool is_legal(Configuration& c, int32_t transition, int32_t parameter) {
    const Outcome outcome = run(c, transition, parameter, -1);
    take_back(c);
    return static_cast<bool>(outcome);
  }

  // Runs a transition, passes the result to `look`, and undoes it; false if it is not defined.
  template <typename Look>
  bool peek(Configuration& c, int32_t transition, int32_t parameter, Look&& look) {
    const Outcome outcome = run(c, transition, parameter, -1);
    if (outcome) look(static_cast<const Configuration&>(c));
    take_back(c);
    return static_cast<bool>(outcome);
  }

  bool is_terminal(const Configuration& c) const {
    return c.buffer_empty() && (!program_.trees || c.header().components <= 1);
  }

  // The largest parameter that a transition could have here.
  int32_t most(const Configuration& c) const { return c.n(); }

  // An elementary step that was done, with what undoing it takes.
  struct Done {
    Op op;
    int32_t node = -1;                                        // moved or reduced
    int32_t switches = 0;                                     // before
    int32_t joined = -1, into = -1, top = -1, rank_grew = 0;  // components united
    int32_t closed_root = -1;                                 // before
    bool closed = false;                                      // the node is no longer open
    bool closed_a_root = false;
  };

  // The steps of the transition that was applied last.
  const std::vector<Done>& last() const { return log_; }

  // Undoes the steps of a transition after which nothing else was done, or does them once more. The configuration must
  // keep its unions.
  void undo(Configuration& c, const Done* begin, const Done* end) {
    while (end != begin) undo(c, *--end);
  }
  void redo(Configuration& c, const Done* begin, const Done* end) {
    log_.clear();
    for (; begin != end; ++begin) execute(c, begin->op, -1);
  }

 private:
  Outcome run(Configuration& c, int32_t transition, int32_t parameter, int32_t label) {
    const Transition& t = program_.transitions[transition];
    log_.clear();
    if (program_.trees && is_terminal(c)) return {Refusal::kTree, -1};  // a complete tree is final
    for (std::size_t s = 0; s < t.steps.size(); ++s) {
      const Step& step = t.steps[s];
      const int32_t times = step.times >= 0 ? step.times : parameter + step.times + 1;
      for (int32_t i = 0; i < times; ++i) {
        if (!is_defined(c, step.op)) return {Refusal::kUndefined, static_cast<int32_t>(s)};
        if (step.guard >= 0 && !holds(c, program_.guards[step.guard]))
          return {Refusal::kGuard, static_cast<int32_t>(s)};
        execute(c, step.op, label);
      }
    }
    if (program_.trees && !tree_in_reach(c)) return {Refusal::kTree, -1};
    return {};
  }

  bool is_defined(const Configuration& c, Op op) const {
    switch (op) {
      case Op::kShift:
        return !c.buffer_empty();
      case Op::kUnshift: {
        for (int32_t s = 0; s < c.stacks(); ++s)
          if (c.stack_sizes()[s] == 0 || c.stack(s)[c.stack_sizes()[s] - 1] != c.stack(0)[c.stack_sizes()[0] - 1])
            return false;
        return true;
      }
      case Op::kReduce:
      case Op::kSkip:
        return c.active_size() > 0;
      case Op::kLeftArc:
        return may_add(c, c.front_or(-1), c.top_or(-1));
      case Op::kRightArc:
        return may_add(c, c.top_or(-1), c.front_or(-1));
      case Op::kArc:
        return may_add(c, std::min(c.top_or(-1), c.front_or(-1)), std::max(c.top_or(-1), c.front_or(-1)));
      case Op::kExchange:
        return c.active_size() > 0 && !c.buffer_empty();
      case Op::kSwitch:
        return c.stacks() > 1;
      case Op::kRestore:
      case Op::kDrop:
        return true;
    }
    return false;
  }

  bool may_add(const Configuration& c, int32_t head, int32_t dependent) const {
    if (head < 0 || dependent <= 0 || head == dependent) return false;  // node 0 has no head
    if (head == 0 && program_.single_root && c.header().root_arcs > 0) return false;
    // A word may be the larger end of thousands of edges; mostly the other word is not even in its component.
    if (program_.undirected && program_.track_components && !c.connected(head, dependent)) return true;
    return !c.has_arc(head, dependent);
  }

  bool value(const Configuration& c, Atom atom) const {
    if (atom == Atom::kMaySwitch) return c.header().switches < c.stacks() - 1;
    const bool has_top = c.active_size() > 0, has_front = !c.buffer_empty();
    if (atom == Atom::kTopHasHead) return has_top && c.has_head(c.top());
    if (atom == Atom::kFrontHasHead) return has_front && c.has_head(c.front());
    if (!has_top || !has_front) return false;
    const int32_t i = c.top(), j = c.front();
    switch (atom) {
      case Atom::kConnected:
        return c.connected(i, j);
      case Atom::kArcTopToFront:
        return c.has_arc(i, j);
      case Atom::kArcFrontToTop:
        return c.has_arc(j, i);
      case Atom::kPathTopToFront:
        return c.has_path(i, j);
      case Atom::kPathFrontToTop:
        return c.has_path(j, i);
      default:
        return i != 0 && i < j;
    }
  }

  bool holds(const Configuration& c, const Guard& guard) const {
    std::size_t row = 0;
    for (std::size_t a = 0; a < guard.atoms.size(); ++a) row |= static_cast<std::size_t>(value(c, guard.atoms[a])) << a;
    return guard.table[row];
  }

  Done begin(const Configuration& c, Op op) const {
    Done done{op};
    done.switches = c.header().switches;
    done.closed_root = c.header().closed_root;
    return done;
  }

  void execute(Configuration& c, Op op, int32_t label) {
    Configuration::Header& header = c.header();
    Done done = begin(c, op);
    if (op != Op::kSwitch) header.switches = 0;
    switch (op) {
      case Op::kShift: {
        done.node = c.front();
        --header.buffer_size;
        for (int32_t s = 0; s < c.stacks(); ++s) c.push(s, done.node);
        c.places()[done.node] = c.stacks();
        if (program_.stack_is_final) close(c, done);
        break;
      }
      case Op::kUnshift: {
        done.node = c.top();
        for (int32_t s = 0; s < c.stacks(); ++s) --c.stack_sizes()[s];
        c.buffer()[header.buffer_size++] = done.node;
        c.places()[done.node] = 1;
        if (program_.stack_is_final) reopen(c, done);
        break;
      }
      case Op::kReduce:
        done.node = c.top();
        --c.stack_sizes()[header.active];
        if (--c.places()[done.node] == 0 && !program_.stack_is_final) close(c, done);
        break;
      case Op::kLeftArc:
      case Op::kRightArc:
      case Op::kArc: {
        const int32_t i = c.top(), j = c.front();
        const bool to_top = op == Op::kLeftArc || (op == Op::kArc && j < i);
        const int32_t head = to_top ? j : i, dependent = to_top ? i : j;
        if (program_.stack_is_final && op == Op::kLeftArc && !c.has_head(dependent)) {
          done.closed_a_root = true;  // it was closed without a head, and now has one
          --header.closed_roots;
        }
        c.add_arc(head, dependent, label);
        unite(c, head, dependent, done);
        break;
      }
      case Op::kSwitch:
        header.active = (header.active + 1) % c.stacks();
        header.switches += program_.limits_switches && header.switches < c.stacks();  // larger counts are equivalent
        break;
      case Op::kExchange:
        std::swap(c.stack(header.active)[c.active_size() - 1], c.buffer()[header.buffer_size - 1]);
        break;
      case Op::kSkip:
        done.node = c.top();
        --c.stack_sizes()[header.active];
        c.aside()[header.aside_size++] = done.node;
        // Later words will see it again, but there are none behind the last.
        if (is_last_word(c)) {
          c.places()[done.node] = 0;
          close(c, done);
        }
        break;
      case Op::kRestore:
        while (header.aside_size > 0) {  // one entry each, so that each is taken back by itself
          Done restored = begin(c, op);
          restored.node = c.aside()[--header.aside_size];
          c.push(header.active, restored.node);
          if (c.places()[restored.node] == 0) {
            c.places()[restored.node] = 1;
            reopen(c, restored);
          }
          log_.push_back(restored);
        }
        return;
      case Op::kDrop:
        while (header.aside_size > 0) {  // one entry each, so that each is closed and taken back by itself
          Done dropped = begin(c, op);
          dropped.node = c.aside()[--header.aside_size];
          if (c.places()[dropped.node] == 1) {
            c.places()[dropped.node] = 0;
            close(c, dropped);
          }
          log_.push_back(dropped);
        }
        return;
    }
    log_.push_back(done);
  }

  void take_back(Configuration& c) {
    undo(c, log_.data(), log_.data() + log_.size());
    log_.clear();
  }

  void undo(Configuration& c, const Done& done) {
    Configuration::Header& header = c.header();
    switch (done.op) {
      case Op::kShift:
        if (done.closed) open_again(c, done);
        for (int32_t s = 0; s < c.stacks(); ++s) --c.stack_sizes()[s];
        c.buffer()[header.buffer_size++] = done.node;
        c.places()[done.node] = 1;
        break;
      case Op::kUnshift:
        if (done.closed) close_again(c, done);
        --header.buffer_size;
        for (int32_t s = 0; s < c.stacks(); ++s) c.push(s, done.node);
        c.places()[done.node] = c.stacks();
        break;
      case Op::kReduce:
        if (done.closed) open_again(c, done);
        ++c.places()[done.node];
        c.push(header.active, done.node);
        break;
      case Op::kLeftArc:
      case Op::kRightArc:
      case Op::kArc:
        separate(c, done);
        c.remove_last_arc();
        header.closed_roots += done.closed_a_root;
        break;
      case Op::kSwitch:
        header.active = (header.active + c.stacks() - 1) % c.stacks();
        break;
      case Op::kExchange:
        std::swap(c.stack(header.active)[c.active_size() - 1], c.buffer()[header.buffer_size - 1]);
        break;
      case Op::kSkip:
        if (done.closed) {
          open_again(c, done);
          c.places()[done.node] = 1;
        }
        --header.aside_size;
        c.push(header.active, done.node);
        break;
      case Op::kRestore:
        if (done.closed) {
          close_again(c, done);
          c.places()[done.node] = 0;
        }
        --c.stack_sizes()[header.active];
        c.aside()[header.aside_size++] = done.node;
        break;
      case Op::kDrop:
        if (done.closed) {
          open_again(c, done);
          c.places()[done.node] = 1;
        }
        c.aside()[header.aside_size++] = done.node;
        break;
    }
    header.switches = done.switches;
    header.closed_root = done.closed_root;
  }

  // The bookkeeping of components and of which of their nodes are open.

  void close(Configuration& c, Done& done) {
    done.closed = true;
    close_again(c, done);
    done.closed_a_root = is_out_of_reach(c, done.node);
    if (!done.closed_a_root) return;
    ++c.header().closed_roots;
    c.header().closed_root = done.node;
  }

  void reopen(Configuration& c, Done& done) {
    done.closed = true;
    done.closed_a_root = is_out_of_reach(c, done.node);
    ++c.component_open()[c.component(done.node)];
    c.header().closed_roots -= done.closed_a_root;
  }

  // Whether no later arc can link the component of a closed node from above. Without directions any open node of the
  // component will do.
  bool is_out_of_reach(const Configuration& c, int32_t node) const {
    if (program_.undirected) return c.component_open()[c.component(node)] == 0;
    return node != 0 && !c.has_head(node);
  }

  // Undo of closing, and of reopening.
  void open_again(Configuration& c, const Done& done) {
    ++c.component_open()[c.component(done.node)];
    c.header().closed_roots -= done.closed_a_root;
  }
  void close_again(Configuration& c, const Done& done) {
    --c.component_open()[c.component(done.node)];
    c.header().closed_roots += done.closed_a_root;
  }

  void unite(Configuration& c, int32_t head, int32_t dependent, Done& done) {
    if (!program_.track_components) return;
    // Paths may be shortened only while no earlier union of this transition may have to be undone.
    bool pending = false;
    for (const Done& earlier : log_) pending = pending || earlier.joined >= 0;
    int32_t a = pending ? c.component(head) : c.component_compressing(head);
    int32_t b = pending ? c.component(dependent) : c.component_compressing(dependent);
    if (a == b) return;
    const int32_t top = c.component_top()[a];
    int32_t* rank = c.component_rank();
    if (rank[a] < rank[b]) std::swap(a, b);
    done.into = a;
    done.joined = b;
    done.top = c.component_top()[a];
    done.rank_grew = rank[a] == rank[b];
    rank[a] += done.rank_grew;
    c.component_parent()[b] = a;
    c.component_open()[a] += c.component_open()[b];
    c.component_top()[a] = top;
    --c.header().components;
  }

  void separate(Configuration& c, const Done& done) {
    if (done.joined < 0) return;
    c.component_parent()[done.joined] = done.joined;
    c.component_rank()[done.into] -= done.rank_grew;
    c.component_open()[done.into] -= c.component_open()[done.joined];
    c.component_top()[done.into] = done.top;
    ++c.header().components;
  }

  // Whether the front is the last node that words can be linked to. With a single word below an artificial root at
  // the right, that is the last word, since the root can link only one.
  bool is_last_word(const Configuration& c) const { return c.header().buffer_size <= (root_waits() ? 2 : 1); }

  bool root_waits() const {
    return program_.trees && program_.root == Root::kRight && program_.single_root && !program_.arcs_on_stack;
  }

  // Whether some continuation ends in a well-formed tree. Every component can still be linked to the last word of the
  // buffer: through its root, which must be open to receive a head, or, for the one component that keeps its root
  // as the root of the tree, through any open node that takes the last word as a dependent.
  bool tree_in_reach(const Configuration& c) const {
    const Configuration::Header& header = c.header();
    // A root at the right sees again what was skipped before, so until then only the words matter.
    const bool root_apart = program_.skips && root_waits() && header.buffer_size >= 2;
    const Root where = root_apart ? Root::kNone : program_.root;
    const bool placed = where != Root::kNone;
    const int32_t components = header.components - root_apart;
    if (components <= 1) return true;
    if (header.closed_roots > (placed || program_.undirected ? 0 : 1)) return false;
    const int32_t root = placed ? 0 : header.closed_roots == 1 ? header.closed_root : -1;
    if (root >= 0) {
      int32_t open = c.component_open()[c.component(root)];
      // If a single root is required, the artificial root takes one dependent only, and then cannot be used again.
      if (placed && program_.single_root && header.root_arcs > 0 && c.places()[0] > 0) --open;
      if (open <= 0) return false;
    }
    if (header.buffer_size == 0) {
      if (!program_.arcs_on_stack) return false;
      if (where == Root::kRight) return program_.left_arcs_on_stack && (!program_.single_root || components == 2);
      return placed || header.closed_roots == 0;
    }
    if (root_waits() && header.buffer_size == 1 && (components > 2 || header.root_arcs > 0)) return false;
    if (!is_last_word(c)) return true;
    const int32_t last = c.front();
    int32_t kept = -1;  // a root that must stay open though the last word is below it
    if (c.has_head(last) && !program_.undirected) {
      if (root >= 0 && where != Root::kRight && !c.connected(last, root)) return false;
      const bool must_stay = placed ? root_waits() : program_.keeps_roots;
      if (must_stay && components > (placed ? 2 : 1)) {
        kept = c.component_top()[c.component(last)];
        if (may_block(c, last) && !others_reachable(c, kept, -1)) return false;
      }
    }
    // After a switch something must be left to do: shifting the last word, or work on a stack that may become active.
    if (header.switches == 0 || (root_waits() && header.buffer_size == 2 && components == 2)) return true;
    for (int32_t s = 0; s <= c.stacks() - 1 - header.switches; ++s) {
      const int32_t stack = (header.active + s) % c.stacks(), size = c.stack_sizes()[stack];
      if (size > 0 && (c.stack(stack)[size - 1] != kept || others_reachable(c, kept, stack))) return true;
    }
    return false;
  }

  // Whether this transition can have put others out of reach: by giving the last word its head, or by taking a root off
  // a stack. Nothing else can, and looking at the stacks each time would cost their length.
  bool may_block(const Configuration& c, int32_t last) const {
    for (const Done& done : log_) {
      if (is_arc(done.op) && c.arc(c.header().arc_count - 1).dependent == last) return true;
      if (done.op == Op::kReduce && !c.has_head(done.node)) return true;
    }
    return false;
  }

  // Whether the roots of all other components can be brought to a top while some stack other than the one left out
  // keeps this root.
  bool others_reachable(const Configuration& c, int32_t root, int32_t left_out) const {
    const int32_t own = c.component(root);
    for (int32_t s = 0; s < c.stacks(); ++s) {
      if (s == left_out) continue;
      bool holds_root = false, blocks = false;
      for (int32_t i = c.stack_sizes()[s] - 1; i >= 0 && !blocks; --i) {
        const int32_t node = c.stack(s)[i];
        if (node == root) {
          holds_root = true;
        } else if (holds_root) {
          blocks = !c.has_head(node) && c.places()[node] == 1 && c.component(node) != own;
        }
      }
      if (holds_root && !blocks) return true;
    }
    return false;
  }

  const Program& program_;
  std::vector<Done> log_;
};

}  // namespace multiplane
