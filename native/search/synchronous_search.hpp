// Greedy search in synchronous derivations of trees and graphs.
#pragma once

#include <cstdint>
#include <vector>

#include "features/joint_state.hpp"
#include "search/search.hpp"
#include "text/conll.hpp"

namespace multiplane {

// The graphs of a text.
struct ParsedGraphs {
  std::vector<uint8_t> predicates;  // by word
  std::vector<int32_t> senses;      // by word; -1 where it is no predicate, or its lemma is unknown
  std::vector<int32_t> classes;     // by word: what is said about it by itself; -1 where nothing is
  std::vector<int32_t> counts;      // by sentence: its arcs
  std::vector<int32_t> heads, dependents, labels;

  explicit ParsedGraphs(const Index& index)
      : predicates(index.heads.size()),
        senses(index.heads.size(), -1),
        classes(index.heads.size(), -1),
        counts(index.size()) {}

  void note(const Configuration& c, std::size_t sentence) {
    counts[sentence] = c.header().arc_count;
    for (int32_t a = 0; a < c.header().arc_count; ++a) {
      heads.push_back(c.arc(a).head);
      dependents.push_back(c.arc(a).dependent);
      labels.push_back(c.arc(a).label);
    }
  }
};

// What need not be predicted, by word.
struct GivenLayers {
  const int8_t* predicates = nullptr;  // -1 stands for unknown
  const int32_t *heads = nullptr, *labels = nullptr;
};

// A transition of one of the layers.
struct JointStep {
  Layer layer;
  Taken taken;
};

// The search of one layer, and the values of the words that it looks at.
struct LayerSearch {
  GreedySearch& search;
  const Value* rows;
};

// Parses to the end of both layers, or of the semantics if it has the tree; false where nothing legal is left before
// that. Tells which word the semantics is about to meet at the front of its buffer for the first time. The steps may be
// asked for.
template <typename Meet>
bool search_synchronously(JointState& s, const LayerSearch& syntax, const LayerSearch& semantics, bool has_tree,
                          Meet&& meet, std::vector<JointStep>* steps) {
  std::vector<Taken> taken;
  int32_t met = 0;
  bool syntax_done = has_tree || syntax.search.is_done(s.syntax),
       semantics_done = semantics.search.is_done(s.semantics);
  while (!syntax_done || !semantics_done) {
    const Layer layer = next_layer(s.unread_by_syntax, syntax_done, s.unread_by_semantics, semantics_done);
    const bool is_syntax = layer == Layer::kSyntax;
    if (!is_syntax && !s.semantics.c.buffer_empty() && s.semantics.c.front() > met) meet(met = s.semantics.c.front());
    const LayerSearch& next = is_syntax ? syntax : semantics;
    State& state = is_syntax ? s.syntax : s.semantics;
    taken.clear();
    if (!next.search.step(state, next.rows, {}, nullptr, steps == nullptr ? nullptr : &taken)) return false;
    for (const Taken& step : taken) steps->push_back({layer, step});
    s.note(layer);
    (is_syntax ? syntax_done : semantics_done) = next.search.is_done(state);
  }
  return true;
}

}  // namespace multiplane
