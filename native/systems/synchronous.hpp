// Two derivations over one queue, synchronised at every word (S4 §3): the syntactic one until it has read the next
// word, then the semantic one until it has read that word too.
#pragma once

#include <algorithm>
#include <cstdint>

#include "systems/configuration.hpp"

namespace multiplane {

enum class Layer : uint8_t { kSyntax, kSemantics };

// How many words of the queue a derivation has not read yet. A word that a transition moves back to the buffer has been
// read; an artificial root is no word.
class Unread {
 public:
  explicit Unread(int32_t n) : words_(n) {}

  void note(const Configuration& c) {
    const int32_t waiting = c.header().buffer_size - (c.root() == Root::kRight);
    words_ = std::min(words_, std::max(waiting, 0));
  }
  int32_t words() const { return words_; }

 private:
  int32_t words_;
};

// The layer that goes on, of two that are not both done: semantics follows syntax word by word.
inline Layer next_layer(Unread syntax, bool syntax_done, Unread semantics, bool semantics_done) {
  if (syntax_done || semantics_done) return syntax_done ? Layer::kSemantics : Layer::kSyntax;
  return syntax.words() < semantics.words() ? Layer::kSemantics : Layer::kSyntax;
}

}  // namespace multiplane
