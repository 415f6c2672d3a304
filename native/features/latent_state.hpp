// A synchronous derivation as a latent-variable model sees it: the states of both layers, the senses of predicates, and
// in which latent state a word was last at the front or on top.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "features/joint_state.hpp"
#include "features/latent_look.hpp"
#include "oracles/roles.hpp"

namespace multiplane {

// What stands for the sense of a word.
constexpr int32_t kNoPredicate = -1, kUnknownSense = -2;

// The words of a sentence: numbers of channels for no word, the root, and each word; then which list of candidate
// senses its lemma has, or -1.
struct LatentWords {
  int32_t n = 0;
  std::size_t channels = 0;
  const int32_t* numbers = nullptr;  // (channels + 1) for each word

  // No word is 0, the root 1.
  int32_t number(int32_t word, std::size_t channel) const {
    return word <= 0 ? word + 1 : numbers[static_cast<std::size_t>(word - 1) * (channels + 1) + channel];
  }
  int32_t lemma(int32_t word) const { return numbers[static_cast<std::size_t>(word - 1) * (channels + 1) + channels]; }
};

class LatentState {
 public:
  LatentState(const Program& syntax, const Program& semantics, int32_t n)
      : joint(syntax, semantics, n), senses(n + 1, kNoPredicate), last_(kStateKinds * 2 * (n + 2), -1) {}

  JointState joint;
  std::vector<int32_t> senses;

  int32_t n() const { return joint.syntax.c.n(); }
  // The word that was read last, which is the front of the queue that both layers share; n + 1 at the end.
  int32_t front() const {
    return n() - std::max(joint.unread_by_syntax.words(), joint.unread_by_semantics.words()) + 1;
  }
  bool asks_for_predicate() const { return asked_ < front() && front() <= n(); }

  void note_predicate(int32_t sense) {
    asked_ = front();
    senses[asked_] = sense;
  }

  // The closest earlier state, or -1.
  int32_t closest(const Connection& c, const int32_t* nodes) const {
    if (c.as == SeenAs::kAnything) return previous_[static_cast<std::size_t>(c.from)];
    return nodes[c.node] < 0 ? -1 : last_[place(c.from, c.as, nodes[c.node])];
  }

  // A latent state has come into being here.
  void note_state(StateKind kind, int32_t state) {
    const State& s = layer(kind);
    previous_[static_cast<std::size_t>(kind)] = state;
    if (s.c.front_or(-1) >= 0) last_[place(kind, SeenAs::kFront, s.c.front())] = state;
    if (s.c.top_or(-1) >= 0) last_[place(kind, SeenAs::kTop, s.c.top())] = state;
  }

  // Calls with the number of every latent state that later ones may be connected with, which may be changed.
  template <typename Each>
  void for_each_state(Each&& each) {
    for (int32_t& state : last_)
      if (state >= 0) each(state);
    for (int32_t& state : previous_)
      if (state >= 0) each(state);
  }

  const State& layer(StateKind kind) const { return kind == StateKind::kSyntax ? joint.syntax : joint.semantics; }
  State& layer(StateKind kind) { return kind == StateKind::kSyntax ? joint.syntax : joint.semantics; }

 private:
  std::size_t place(StateKind kind, SeenAs as, int32_t node) const {
    const std::size_t row = static_cast<std::size_t>(kind) * 2 + static_cast<std::size_t>(as);
    return row * static_cast<std::size_t>(n() + 2) + static_cast<std::size_t>(node);
  }

  std::vector<int32_t> last_;
  int32_t previous_[kStateKinds] = {-1, -1, -1};
  int32_t asked_ = 0;
};

// Runs the transitions of a latent state.
class LatentMachine {
 public:
  LatentMachine(const Program& syntax, const Program& semantics)
      : syntax_(syntax), semantics_(semantics), swap_(roles_of(semantics).swap) {}

  bool is_done(const LatentState& s) const {
    return !s.asks_for_predicate() && syntax_.is_terminal(s.joint.syntax.c) &&
           semantics_.is_terminal(s.joint.semantics.c);
  }

  // Of the next state of a derivation that is not done.
  StateKind kind(const LatentState& s) const {
    if (s.asks_for_predicate()) return StateKind::kPredicate;
    const Layer next = next_layer(s.joint.unread_by_syntax, syntax_.is_terminal(s.joint.syntax.c),
                                  s.joint.unread_by_semantics, semantics_.is_terminal(s.joint.semantics.c));
    return next == Layer::kSyntax ? StateKind::kSyntax : StateKind::kSemantics;
  }

  // Whether a transition of a layer is legal. Arcs of meaning lead from predicates; two swaps after another would lead
  // back to where they began.
  bool is_legal(LatentState& s, StateKind kind, int32_t transition) {
    if (kind == StateKind::kSyntax) return syntax_.is_legal(s.joint.syntax.c, transition, 0);
    if (transition == swap_ && s.joint.semantics.last_transition(0) == swap_) return false;
    bool leads_from_predicate = true;
    const int32_t arcs = s.joint.semantics.c.header().arc_count;
    const bool legal = semantics_.peek(s.joint.semantics.c, transition, 0, [&](const Configuration& after) {
      for (int32_t a = arcs; a < after.header().arc_count; ++a)
        leads_from_predicate = leads_from_predicate && s.senses[after.arc(a).head] != kNoPredicate;
    });
    return legal && leads_from_predicate;
  }

  // Takes a transition of a layer, whose arc gets a label; false if it is illegal.
  bool take(LatentState& s, StateKind kind, int32_t transition, int32_t label) {
    Machine& machine = kind == StateKind::kSyntax ? syntax_ : semantics_;
    if (!multiplane::take(machine, s.layer(kind), transition, 0, [&](Ends) { return label; })) return false;
    s.joint.note(kind == StateKind::kSyntax ? Layer::kSyntax : Layer::kSemantics);
    return true;
  }

 private:
  Machine syntax_, semantics_;
  int32_t swap_;
};

}  // namespace multiplane
