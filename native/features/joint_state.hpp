// What a synchronous parser knows while it parses: a state for each layer, over the same words.
#pragma once

#include <cstdint>

#include "features/state.hpp"
#include "systems/synchronous.hpp"

namespace multiplane {

struct JointState {
  JointState(const Program& syntax_program, const Program& semantics_program, int32_t n)
      : syntax(syntax_program, n), semantics(semantics_program, n), unread_by_syntax(n), unread_by_semantics(n) {}

  State syntax;
  State semantics;  // its tree is that of the syntax, so that features of meaning look at syntax
  Unread unread_by_syntax, unread_by_semantics;

  // To be called after every transition of a layer.
  void note(Layer layer) {
    if (layer == Layer::kSemantics) {
      unread_by_semantics.note(semantics.c);
      return;
    }
    unread_by_syntax.note(syntax.c);
    for (; arcs_seen_ < syntax.c.header().arc_count; ++arcs_seen_) {
      copy_head(syntax.c.arc(arcs_seen_).head);
      copy_head(syntax.c.arc(arcs_seen_).dependent);
    }
  }

  // Instead of parsing it: a tree that is known beforehand, by word from 0. Roots are arcs only where the system has an
  // artificial one, as in parsing.
  void give_tree(const int32_t* heads, const int32_t* labels) {
    for (int32_t v = 1; v <= semantics.c.n(); ++v)
      if (heads[v - 1] > 0 || syntax.c.root() != Root::kNone) semantics.tree.attach(heads[v - 1], v, labels[v - 1]);
  }

 private:
  void copy_head(int32_t word) {
    if (syntax.tree.head(word) >= 0 && semantics.tree.head(word) < 0)
      semantics.tree.attach(syntax.tree.head(word), word, syntax.tree.label(word));
  }

  int32_t arcs_seen_ = 0;
};

}  // namespace multiplane
