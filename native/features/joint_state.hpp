// What a synchronous parser knows while it parses: a state for each layer, over the same words.
#pragma once

#include <cstdint>
#include <utility>

#include "features/state.hpp"
#include "systems/synchronous.hpp"

namespace multiplane {

struct JointState {
  JointState(const Program& syntax_program, const Program& semantics_program, int32_t n)
      : syntax(syntax_program, n), semantics(semantics_program, n), unread_by_syntax(n), unread_by_semantics(n) {}

  State syntax;
  // Its arcs are those of its configuration, as a word may have several heads. Its tree is that of the syntax, so that
  // features of meaning look at syntax.
  State semantics;
  Unread unread_by_syntax, unread_by_semantics;
};

// Runs the transitions of both layers.
class JointMachine {
 public:
  JointMachine(const Program& syntax, const Program& semantics) : syntax_(syntax), semantics_(semantics) {}

  Machine& syntax() { return syntax_; }
  Machine& semantics() { return semantics_; }

  bool is_done(const JointState& s) const {
    return syntax_.is_terminal(s.syntax.c) && semantics_.is_terminal(s.semantics.c);
  }
  Layer layer(const JointState& s) const {
    return next_layer(s.unread_by_syntax, syntax_.is_terminal(s.syntax.c), s.unread_by_semantics,
                      semantics_.is_terminal(s.semantics.c));
  }

  // Takes a syntactic transition, unless it is illegal; see `take`.
  template <typename LabelOf>
  bool take_syntactic(JointState& s, int32_t transition, int32_t parameter, LabelOf&& label_of) {
    const int32_t arcs = s.syntax.c.header().arc_count;
    if (!take(syntax_, s.syntax, transition, parameter, std::forward<LabelOf>(label_of))) return false;
    for (int32_t a = arcs; a < s.syntax.c.header().arc_count; ++a) {
      const Arc& arc = s.syntax.c.arc(a);
      copy_head(s, arc.head);
      copy_head(s, arc.dependent);
    }
    s.unread_by_syntax.note(s.syntax.c);
    return true;
  }

  // Takes a semantic transition, unless it is illegal. Each arc that it builds gets the label that the caller gives it.
  template <typename LabelOf>
  bool take_semantic(JointState& s, int32_t transition, int32_t parameter, LabelOf&& label_of) {
    Configuration& c = s.semantics.c;
    const int32_t arcs = c.header().arc_count;
    if (!semantics_.apply(c, transition, parameter, -1)) return false;
    for (int32_t a = arcs; a < c.header().arc_count; ++a)
      c.set_label(a, label_of(Ends{c.arc(a).head, c.arc(a).dependent}));
    s.semantics.note_transition(transition);
    s.unread_by_semantics.note(c);
    return true;
  }

 private:
  static void copy_head(JointState& s, int32_t word) {
    const PartialTree& from = s.syntax.tree;
    PartialTree& to = s.semantics.tree;
    if (from.head(word) >= 0 && to.head(word) < 0) to.attach(from.head(word), word, from.label(word));
  }

  Machine syntax_, semantics_;
};

}  // namespace multiplane
