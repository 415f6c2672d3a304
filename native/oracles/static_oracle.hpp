// Static oracles: for a gold graph, one transition sequence that builds it.
//
// One oracle a gold graph. Every strategy only says which transition is wanted next; the machine says whether it is
// legal, and where it is not (a tree is asked for and the gold graph is none) the nearest legal one is taken.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "graphs/largest_planar.hpp"
#include "graphs/measures.hpp"
#include "graphs/planes.hpp"
#include "graphs/projective.hpp"
#include "oracles/gold.hpp"
#include "systems/machine.hpp"

namespace multiplane {

enum class Strategy : uint8_t {
  kPlanar,           // arcs as soon as they can be built, nearest first; any number of planes (S0 §4.3, §5.1)
  kBottomUp,         // a dependent is attached once it has all of its own; also Attardi's
  kSwapEager,        // bottom-up, and words out of the projective order are swapped as soon as they meet (Nivre 2009)
  kSwapLazy,         // only if the word behind them is not of the same projective component (Nivre et al. 2009)
  kHybridSwap,       // the same for arc-hybrid + swap
  kGraphLastResort,  // S4: swap when the word under the top must be linked to the front
  kGraphExhaustive,  // S4: swap when the word under the top has the earlier list of partners
  kSearch,           // any derivation, by search
};

// What works on a stack other than the active one, without a SWITCH of its own.
struct Work {
  int32_t reduce, left, right;
};

// The places of transitions in the program; -1 where there is none.
struct Roles {
  int32_t shift = -1, reduce = -1, left = -1, right = -1, switch_stack = -1, swap = -1;
  int32_t reduce_all = -1;    // takes the word that is the top of every stack off all of them
  int32_t left_reduce = -1;   // LEFT-ARC, then that
  int32_t right_shift = -1;   // RIGHT-ARC, then SHIFT
  std::vector<Work> further;  // by stack, counted on from the active one; empty where only SWITCH leads there
  std::vector<int32_t> arcs;  // all that build an arc, in the order of preference

  bool reach(int32_t ahead) const { return ahead == 0 || ahead <= static_cast<int32_t>(further.size()); }
  Work on(int32_t ahead) const { return ahead == 0 ? Work{reduce, left, right} : further[ahead - 1]; }
};

struct Taken {
  int32_t transition, parameter, label;
};

struct Derivation {
  std::vector<Taken> sequence;
  std::vector<int32_t> plane;                      // by gold arc; kNoPlane where it was not built
  std::vector<std::pair<int32_t, int32_t>> added;  // arcs built that are not gold
  bool complete = false;                           // whether it ended in a terminal configuration
};

class StaticOracle {
 public:
  StaticOracle(const Program& program, const Roles& roles, Strategy strategy, Gold& gold)
      : program_(program), roles_(roles), strategy_(strategy), gold_(gold), machine_(program) {
    if (strategy == Strategy::kPlanar) prepare_planes();
    if (is_swap()) order_ = gold.projective_order();
    if (strategy == Strategy::kSwapLazy) find_projective_components();
  }

  Derivation derive() {
    Configuration c(gold_.n(), program_.stacks, program_.root, !program_.stack_is_final, gold_.n());
    Derivation derivation;
    derivation.plane.assign(gold_.size(), kNoPlane);
    if (strategy_ == Strategy::kSearch) {
      search(c, derivation);
    } else {
      // A bound that no right derivation reaches, so that a wrong one ends.
      const std::size_t most =
          64 + 16 * static_cast<std::size_t>(gold_.n() + 1) * (is_quadratic() ? gold_.n() + 1 : program_.stacks + 1);
      while (derivation.sequence.size() < most) {
        Taken next = wanted(c);
        const Taken instead = instead_of_giving_up(c, next);
        if (instead.transition >= 0 && take(c, instead, derivation)) continue;
        if (next.transition < 0 || !take(c, next, derivation)) {
          if (machine_.is_terminal(c)) break;
          if (!take_any(c, derivation)) break;
        }
      }
    }
    derivation.complete = machine_.is_terminal(c);
    return derivation;
  }

 private:
  bool is_swap() const {
    return strategy_ == Strategy::kSwapEager || strategy_ == Strategy::kSwapLazy || strategy_ == Strategy::kHybridSwap;
  }
  bool is_quadratic() const {
    return is_swap() || program_.skips || strategy_ == Strategy::kGraphLastResort ||
           strategy_ == Strategy::kGraphExhaustive;
  }

  // What the strategy wants next; transition -1 where the derivation is at its end.
  Taken wanted(Configuration& c) {
    switch (strategy_) {
      case Strategy::kPlanar:
        return wanted_planar(c);
      case Strategy::kGraphLastResort:
      case Strategy::kGraphExhaustive:
        return wanted_graph(c);
      default:
        return wanted_bottom_up(c);
    }
  }

  bool take(Configuration& c, const Taken& t, Derivation& derivation) {
    const int32_t arcs = c.header().arc_count;
    if (!machine_.apply(c, t.transition, t.parameter, t.label)) return false;
    for (int32_t a = arcs; a < c.header().arc_count; ++a) {
      const int32_t gold = gold_.build(c.arc(a).head, c.arc(a).dependent);
      if (gold >= 0) {
        derivation.plane[gold] = c.arc(a).plane;
      } else {
        derivation.added.emplace_back(c.arc(a).head, c.arc(a).dependent);
      }
    }
    derivation.sequence.push_back(t);
    return true;
  }

  // Something legal, where what was wanted is not: an arc rather than a step that only gives up words, and first of
  // all one to a word whose gold head is out of reach anyway.
  bool take_any(Configuration& c, Derivation& derivation) {
    for (bool waits : {false, true}) {
      for (int32_t arc : roles_.arcs) {
        if (!program_.trees) break;  // a forest needs no arc that is not gold
        if (program_.transitions[arc].parametrized) continue;
        int32_t dependent = -1;
        const bool legal = machine_.peek(c, arc, 0, [&](const Configuration& after) {
          dependent = after.arc(after.header().arc_count - 1).dependent;
        });
        if (legal && waits_for_head(dependent) == waits) return take(c, {arc, 0, gold_.label(dependent)}, derivation);
      }
    }
    for (int32_t t : {roles_.reduce, roles_.shift, roles_.switch_stack})
      if (t >= 0 && take(c, {t, 0, -1}, derivation)) return true;
    for (std::size_t t = 0; t < program_.transitions.size(); ++t)
      for (int32_t i = program_.transitions[t].parametrized;
           i <= (program_.transitions[t].parametrized ? machine_.most(c) : 0); ++i)
        if (take(c, {static_cast<int32_t>(t), i, -1}, derivation)) return true;
    return false;
  }

  // Where a word is about to leave the last stack without a head though it is not the root of the tree, its gold arc
  // was dropped, so any head is as good, unless the front depends on the word itself.
  Taken instead_of_giving_up(const Configuration& c, const Taken& next) const {
    if (!program_.trees || c.buffer_empty() || next.transition < 0) return {-1, 0, -1};
    const bool all = next.transition == roles_.reduce_all;
    for (int32_t ahead = 0; ahead < program_.stacks && roles_.reach(ahead); ++ahead) {
      const Work work = roles_.on(ahead);
      if (!all && next.transition != work.reduce) continue;
      const int32_t top = top_of(c, stack_ahead(c, ahead));
      if (top > 0 && (all || c.places()[top] <= 1) && is_given_up(c, top)) return {work.left, 0, gold_.label(top)};
      break;
    }
    return {-1, 0, -1};
  }

  bool is_given_up(const Configuration& c, int32_t word) const {
    if (c.has_head(word) || gold_.head(word) < 0 || waits_for_head(word)) return false;
    for (int32_t v = c.front(), steps = 0; v > 0 && steps <= gold_.n(); v = gold_.head(v), ++steps)
      if (v == word) return false;
    return true;
  }

  static int32_t stack_ahead(const Configuration& c, int32_t ahead) { return (c.header().active + ahead) % c.stacks(); }
  static int32_t top_of(const Configuration& c, int32_t stack) {
    const int32_t size = c.stack_sizes()[stack];
    return size == 0 ? -1 : c.stack(stack)[size - 1];
  }

  bool waits_for_head(int32_t node) const {
    const auto& links = gold_.links(node);
    return std::any_of(links.begin(), links.end(),
                       [&](int32_t a) { return gold_.arc(a).dependent == node && gold_.is_open(a); });
  }

  Taken shift_or_end(const Configuration& c) const { return {c.buffer_empty() ? -1 : roles_.shift, 0, -1}; }

  // The planar family.

  void prepare_planes() {
    const Spans all = gold_.spans();
    component_.assign(gold_.size(), -1);
    plane_.assign(gold_.size(), program_.stacks == 1 ? 0 : kNoPlane);
    if (program_.stacks == 1) return;
    // Arcs without crossings are components of their own, and most are; only the others need colours.
    colour_.assign(gold_.size(), 0);
    ArcList kept;
    Spans spans;
    for (std::size_t a = 0; a < gold_.size(); ++a) {
      if (gold_.is_dropped(static_cast<int32_t>(a))) continue;
      kept.push_back(static_cast<int32_t>(a));
      spans.push_back(all[a]);
    }
    const ArcList sorted = all_arcs(spans);
    if (!find_crossing(spans, sorted)) return;
    const Components components = find_components(spans, sorted);
    for (std::size_t i = 0; i < components.arcs.size(); ++i) {
      const ArcList& component = components.arcs[i];
      if (component.size() == 1) continue;
      std::vector<int32_t> colours;  // beyond two planes, by search
      if (components.is_odd[i]) {
        Spans own;
        for (int32_t a : component) own.push_back(spans[a]);
        colours = minimal_planes(own, program_.stacks).of_arc;
      }
      members_.emplace_back();
      held_.emplace_back(program_.stacks, false);
      for (std::size_t j = 0; j < component.size(); ++j) {
        const int32_t arc = kept[component[j]];
        component_[arc] = static_cast<int32_t>(members_.size()) - 1;
        colour_[arc] = colours.empty() ? components.colour[component[j]] : colours[j];
        members_.back().push_back(arc);
      }
    }
  }

  // The first arc of each colour of a component takes the nearest plane, from the active one on, that no other colour
  // of the component holds; so stacks are switched only when needed.
  void assign(int32_t arc, int32_t active) {
    if (plane_[arc] != kNoPlane) return;
    if (component_[arc] < 0) {
      plane_[arc] = active;
      return;
    }
    std::vector<bool>& held = held_[component_[arc]];
    int32_t plane = active;
    while (held[plane]) plane = (plane + 1) % program_.stacks;
    held[plane] = true;
    for (int32_t other : members_[component_[arc]])
      if (colour_[other] == colour_[arc]) plane_[other] = plane;
  }

  bool fits(int32_t arc, int32_t plane) const {
    if (plane_[arc] != kNoPlane) return plane_[arc] == plane;
    return component_[arc] < 0 || !held_[component_[arc]][plane];
  }

  // The nearest link of the active plane; where there is none, of the next plane that has one, on its stack if a
  // transition works there, else after a SWITCH.
  Taken wanted_planar(Configuration& c) {
    if (c.buffer_empty()) return {-1, 0, -1};
    const int32_t j = c.front();
    if (j != front_) look_left(j);
    for (int32_t ahead = 0; ahead < program_.stacks; ++ahead) {
      const int32_t stack = stack_ahead(c, ahead), nearest = next_link(stack);
      if (nearest < 0) continue;
      if (!roles_.reach(ahead)) return {roles_.switch_stack, 0, -1};
      assign(nearest, stack);
      const int32_t top = top_of(c, stack);
      const Work work = roles_.on(ahead);
      if (gold_.other_end(nearest, j) != top) return {is_done_with(c, top) ? roles_.reduce_all : work.reduce, 0, -1};
      const GoldArc& arc = gold_.arc(nearest);
      const bool left = arc.head == j;
      if (left && ahead == 0 && roles_.left_reduce >= 0 && is_done_with(c, top, nearest))
        return {roles_.left_reduce, 0, arc.label};
      if (!left && ahead == 0 && roles_.right_shift >= 0 && open_left_links() == 1)
        return {roles_.right_shift, 0, arc.label};
      return {left ? work.left : work.right, 0, arc.label};
    }
    return {roles_.shift, 0, -1};
  }

  int32_t open_left_links() const {
    return static_cast<int32_t>(
        std::count_if(left_links_.begin(), left_links_.end(), [this](int32_t a) { return gold_.is_open(a); }));
  }

  // Whether a word can leave all stacks in one transition, once an arc is built.
  bool is_done_with(const Configuration& c, int32_t word, int32_t last = -1) const {
    if (roles_.reduce_all < 0 || word < 0) return false;
    for (int32_t a : gold_.links(word))
      if (a != last && gold_.is_open(a)) return false;
    for (int32_t s = 0; s < program_.stacks; ++s)
      if (top_of(c, s) != word) return false;
    return true;
  }

  // Lists the links of a new front to the words before it, the nearest first.
  void look_left(int32_t j) {
    front_ = j;
    left_links_.clear();
    for (int32_t a : gold_.links(j))
      if (gold_.position(gold_.other_end(a, j)) < gold_.position(j)) left_links_.push_back(a);
    std::sort(left_links_.begin(), left_links_.end(), [this, j](int32_t a, int32_t b) {
      return gold_.position(gold_.other_end(a, j)) > gold_.position(gold_.other_end(b, j));
    });
    next_.assign(program_.stacks, 0);
  }

  // The nearest link still to be built in a plane, or -1. What is built, or belongs to another plane, stays so; each
  // list is walked once.
  int32_t next_link(int32_t plane) {
    std::size_t& next = next_[plane];
    while (next < left_links_.size()) {
      const int32_t a = left_links_[next];
      if (gold_.is_open(a) && fits(a, plane)) return a;
      ++next;
    }
    return -1;
  }

  // Bottom-up, with and without swaps.

  Taken wanted_bottom_up(Configuration& c) {
    for (int32_t t : roles_.arcs) {
      const int32_t most = program_.transitions[t].parametrized ? machine_.most(c) : 0;
      for (int32_t i = program_.transitions[t].parametrized; i <= most; ++i) {
        if (program_.stack_is_final && i > 0 && !are_ready(c, i)) continue;
        int32_t arc = -1;
        bool removed = false;
        const int32_t front = c.front_or(-1);
        machine_.peek(c, t, i, [&](const Configuration& after) {
          const Arc& last = after.arc(after.header().arc_count - 1);
          arc = gold_.find(last.head, last.dependent);
          removed = after.places()[last.dependent] == 0;
        });
        if (arc < 0 || !gold_.is_open(arc)) continue;
        const int32_t dependent = gold_.arc(arc).dependent;
        // A word leaves with its last arc; one that stays at the front must have nothing to do with later words.
        const auto& links = gold_.links(dependent);
        const bool ready = std::none_of(links.begin(), links.end(), [&](int32_t a) {
          const bool later = gold_.position(gold_.other_end(a, dependent)) > gold_.position(dependent);
          return a != arc && gold_.is_open(a) && (removed || (dependent == front && later));
        });
        if (ready) return {t, i, gold_.arc(arc).label};
      }
    }
    if (is_swap() && wants_swap(c)) return {roles_.swap, 0, -1};
    return shift_or_end(c);
  }

  // Whether one of the i-th word of the buffer and the next can be attached to the other: what easy-first can do.
  bool are_ready(const Configuration& c, int32_t i) const {
    const int32_t size = c.header().buffer_size;
    if (i >= size) return false;
    const int32_t a = c.buffer()[size - i], b = c.buffer()[size - i - 1];
    for (int32_t arc : {gold_.find(a, b), gold_.find(b, a)})
      if (arc >= 0 && gold_.is_open(arc) && gold_.is_complete(gold_.arc(arc).dependent)) return true;
    return false;
  }

  bool wants_swap(const Configuration& c) const {
    if (strategy_ == Strategy::kHybridSwap) {
      return c.active_size() > 0 && !c.buffer_empty() && c.top() != 0 && c.front() > c.top() &&
             order_[c.top()] > order_[c.front()];
    }
    const int32_t size = c.active_size();
    if (size < 2) return false;
    const int32_t top = c.top(), under = c.stack(0)[size - 2];
    if (under == 0 || under > top || order_[under] < order_[top]) return false;
    return strategy_ == Strategy::kSwapEager || c.buffer_empty() || component_[top] != component_[c.front()];
  }

  // Maximal projective components: what a bottom-up parser without swaps can put together.
  void find_projective_components() {
    component_.resize(gold_.n() + 1);
    std::iota(component_.begin(), component_.end(), 0);
    std::vector<int32_t> stack, left(gold_.n() + 1, 0);
    for (const GoldArc& arc : gold_.arcs()) ++left[arc.head];
    auto leader = [this](int32_t v) {
      while (component_[v] != v) v = component_[v];
      return v;
    };
    auto attach = [&](int32_t head, int32_t dependent) {
      component_[leader(dependent)] = leader(head);
      --left[head];
    };
    std::vector<int32_t> nodes;
    if (program_.root == Root::kLeft) nodes.push_back(0);
    for (int32_t v = 1; v <= gold_.n(); ++v) nodes.push_back(v);
    if (program_.root == Root::kRight) nodes.push_back(0);
    for (int32_t v : nodes) {
      stack.push_back(v);
      while (stack.size() >= 2) {
        const int32_t top = stack.back(), under = stack[stack.size() - 2];
        if (gold_.head(under) == top && left[under] == 0) {
          attach(top, under);
          stack.erase(stack.end() - 2);
        } else if (gold_.head(top) == under && left[top] == 0) {
          attach(under, top);
          stack.pop_back();
        } else {
          break;
        }
      }
    }
    for (int32_t v = 0; v <= gold_.n(); ++v) component_[v] = leader(v);
  }

  // S4's swap for graphs.

  Taken wanted_graph(Configuration& c) {
    if (c.buffer_empty()) return {-1, 0, -1};
    const int32_t size = c.active_size(), j = c.front();
    if (size == 0) return {roles_.shift, 0, -1};
    const int32_t i = c.top();
    for (int32_t a : gold_.links(j)) {
      if (!gold_.is_open(a) || gold_.other_end(a, j) != i) continue;
      return {gold_.arc(a).head == j ? roles_.left : roles_.right, 0, gold_.arc(a).label};
    }
    if (size == 1) return {roles_.shift, 0, -1};
    // Late reduce: a finished word leaves only when one below it has still something to do.
    if (gold_.is_finished(i)) {
      for (int32_t s = size - 2; s >= 0; --s)
        if (!gold_.is_finished(c.stack(0)[s])) return {roles_.reduce, 0, -1};
      return {roles_.shift, 0, -1};
    }
    const int32_t under = c.stack(0)[size - 2];
    if (gold_.is_finished(under)) return {roles_.shift, 0, -1};
    const std::vector<int32_t> of_under = partners(c, under);
    if (strategy_ == Strategy::kGraphLastResort)
      return {!of_under.empty() && of_under[0] == j ? roles_.swap : roles_.shift, 0, -1};
    return {of_under < partners(c, i) ? roles_.swap : roles_.shift, 0, -1};
  }

  // The words of the buffer that a word is still to be linked to, in their order.
  std::vector<int32_t> partners(const Configuration& c, int32_t node) const {
    std::vector<int32_t> found;
    for (int32_t a : gold_.links(node)) {
      const int32_t other = gold_.other_end(a, node);
      if (gold_.is_open(a) && gold_.position(other) >= gold_.position(c.front())) found.push_back(other);
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

  // Depth-first search for any derivation that builds gold arcs only, and all of them. Where bottom-up finds one, that
  // is much faster.
  void search(Configuration& start, Derivation& derivation) {
    Gold copy = gold_;
    Derivation quick = StaticOracle(program_, roles_, Strategy::kBottomUp, copy).derive();
    bool all = quick.complete && quick.added.empty();
    for (std::size_t a = 0; a < gold_.size(); ++a)
      all = all && (quick.plane[a] != kNoPlane || !gold_.is_open(static_cast<int32_t>(a)));
    if (all) {
      for (const Taken& t : quick.sequence) take(start, t, derivation);
      return;
    }

    struct Frame {
      Configuration c;
      std::vector<Taken> options;
      std::size_t next;
    };
    constexpr std::size_t most_visited = 200000;
    std::unordered_set<std::string> visited;
    std::size_t wanted_arcs = 0;
    for (std::size_t a = 0; a < gold_.size(); ++a) wanted_arcs += gold_.is_open(static_cast<int32_t>(a));
    std::vector<Frame> path;
    path.push_back({start, options(start), 0});
    while (!path.empty() && visited.size() < most_visited) {
      Frame& frame = path.back();
      if (machine_.is_terminal(frame.c) && static_cast<std::size_t>(frame.c.header().arc_count) == wanted_arcs) {
        for (std::size_t f = 0; f + 1 < path.size(); ++f) take(start, path[f].options[path[f].next - 1], derivation);
        return;
      }
      if (frame.next == frame.options.size()) {
        path.pop_back();
        continue;
      }
      const Taken option = frame.options[frame.next++];
      Configuration after = frame.c;
      machine_.apply(after, option.transition, option.parameter, option.label);
      const auto& block = after.block();
      std::string key(reinterpret_cast<const char*>(block.data()), block.size() * sizeof(int32_t));
      if (!visited.insert(std::move(key)).second) continue;
      std::vector<Taken> next = options(after);
      path.push_back({std::move(after), std::move(next), 0});
    }
  }

  std::vector<Taken> options(Configuration& c) {
    std::vector<Taken> found;
    for (std::size_t t = 0; t < program_.transitions.size(); ++t) {
      const bool parametrized = program_.transitions[t].parametrized;
      for (int32_t i = parametrized; i <= (parametrized ? machine_.most(c) : 0); ++i) {
        bool good = true;
        int32_t label = -1;
        const int32_t before = c.header().arc_count;
        const bool legal = machine_.peek(c, static_cast<int32_t>(t), i, [&](const Configuration& after) {
          for (int32_t a = before; a < after.header().arc_count; ++a) {
            const int32_t gold = gold_.find(after.arc(a).head, after.arc(a).dependent);
            good = good && gold >= 0 && !gold_.is_dropped(gold);
            if (gold >= 0) label = gold_.arc(gold).label;
          }
        });
        if (legal && good) found.push_back({static_cast<int32_t>(t), i, label});
      }
    }
    // Arcs first, as every other strategy does; shifting last.
    std::stable_partition(found.begin(), found.end(), [this](const Taken& t) { return t.transition != roles_.shift; });
    return found;
  }

  const Program& program_;
  const Roles& roles_;
  Strategy strategy_;
  Gold& gold_;
  Machine machine_;
  std::vector<int32_t> plane_, component_, colour_, order_;
  std::vector<ArcList> members_;
  std::vector<std::vector<bool>> held_;  // by component and plane
  int32_t front_ = -1;
  std::vector<int32_t> left_links_;
  std::vector<std::size_t> next_;
};

// How a gold graph outside a system's class is brought into it.
enum class ClassOf : uint8_t { kAny, kPlanar, kProjective, kProjectiveIfNeeded };

// The derivation of a graph of words, or of the nearest projective tree.
inline Derivation derive_projective(const Program& program, const Roles& roles, Strategy strategy, const Gold& gold,
                                    const std::vector<int32_t>& head_of) {
  const std::vector<int32_t> nearest =
      projective_heads(gold.n(), head_of, program.root != Root::kNone, program.trees && program.single_root);
  std::vector<int32_t> dependents(gold.n()), labels;
  std::iota(dependents.begin(), dependents.end(), 1);
  for (int32_t v : dependents) labels.push_back(gold.label(v));  // new arcs keep the label of their dependent
  Gold near(gold.n(), program.root, nearest.data() + 1, dependents.data(), labels.data(), dependents.size());
  Derivation derivation = StaticOracle(program, roles, strategy, near).derive();
  std::vector<int32_t> plane(gold.size(), kNoPlane);
  for (std::size_t b = 0; b < near.size(); ++b) {
    const GoldArc& arc = near.arc(static_cast<int32_t>(b));
    const int32_t a = gold.find(arc.head, arc.dependent);
    if (a >= 0) {
      plane[a] = derivation.plane[b];
    } else if (derivation.plane[b] != kNoPlane) {
      derivation.added.emplace_back(arc.head, arc.dependent);
    }
  }
  derivation.plane = plane;
  return derivation;
}

// Derives a graph, or what is nearest to it in the class.
inline Derivation derive(const Program& program, const Roles& roles, Strategy strategy, ClassOf target, int32_t n,
                         const int32_t* heads, const int32_t* dependents, const int32_t* labels, std::size_t arcs) {
  Gold gold(n, program.root, heads, dependents, labels, arcs);
  if (target == ClassOf::kPlanar) {
    for (int32_t a : arcs_beyond(gold.spans(), program.stacks)) gold.drop(a);
    return StaticOracle(program, roles, strategy, gold).derive();
  }
  std::vector<int32_t> head_of(n + 1, 0);
  for (std::size_t a = 0; a < arcs; ++a) head_of[dependents[a]] = heads[a];
  ForestMeasurer forest;
  const bool is_projective = !forest.load(head_of.data() + 1, n) || forest.is_projective();
  if (target == ClassOf::kProjective && !is_projective)
    return derive_projective(program, roles, strategy, gold, head_of);
  Derivation derivation = StaticOracle(program, roles, strategy, gold).derive();
  auto lost = [](const Derivation& d) { return std::count(d.plane.begin(), d.plane.end(), kNoPlane); };
  if (target == ClassOf::kProjectiveIfNeeded && !is_projective && lost(derivation) > 0) {
    Derivation other =
        derive_projective(program, roles, strategy, Gold(n, program.root, heads, dependents, labels, arcs), head_of);
    if (lost(other) < lost(derivation)) return other;
  }
  return derivation;
}

}  // namespace multiplane
