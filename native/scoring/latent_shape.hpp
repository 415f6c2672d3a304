// The shape of a latent-variable model: what its weights are for, and where among them they stand.
//
// Whatever is decided, the odds are a softmax over some rows of one matrix: those of transitions, of labels given a
// transition, of being a predicate or not, of senses, of tags, and of words given a tag.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "common/array_view.hpp"
#include "common/demand.hpp"
#include "features/latent_look.hpp"
#include "features/latent_state.hpp"

namespace multiplane {

// Numbers of a channel that stand for no word of the vocabulary: no node, the root, an unknown word.
constexpr int32_t kFirstKnown = 3;
// The same of senses: no node, no predicate, a predicate in a sense that is unknown or rare.
constexpr int32_t kFirstSense = 3;

// What the vocabularies of a model hold.
struct LatentVocabulary {
  std::vector<int32_t> channels;                     // how many numbers there are for words, by channel
  int32_t labels[2] = {0, 0};                        // of syntax and of semantics
  std::vector<int32_t> sense_numbers;                // by sense: its number among features
  std::vector<int32_t> candidate_first, candidates;  // by lemma: its first candidate; and all candidates, as senses
  std::vector<int32_t> class_first;                  // by tag: its first word; words are in the order of their tags

  std::size_t lemmas() const { return candidate_first.size() - 1; }

  void check() const {
    demand(channels.size() >= 2, "words have at least a form and a tag");
    for (int32_t size : channels) demand(size >= kFirstKnown && size <= kMost, "numbers of a channel");
    for (int32_t count : labels) demand(count >= 1 && count <= kMost, "numbers of labels");
    for (int32_t number : sense_numbers)
      demand(number >= kFirstSense - 1 && number < kFirstSense + senses(), "numbers of senses");
    check_lists(candidate_first, static_cast<int32_t>(candidates.size()), true);
    for (int32_t sense : candidates) demand(sense >= 0 && sense < senses(), "a candidate that is no sense");
    check_lists(class_first, channels[0] - kFirstKnown, false);
    demand(class_first.size() == static_cast<std::size_t>(channels[1] - kFirstKnown) + 1, "a class for each tag");
  }

  int32_t senses() const { return static_cast<int32_t>(sense_numbers.size()); }
  int32_t sense_number_count() const {
    int32_t most = kFirstSense - 1;
    for (int32_t number : sense_numbers) most = std::max(most, number);
    return most + 1;
  }

 private:
  static constexpr int32_t kMost = 1 << 22;

  static void check_lists(const std::vector<int32_t>& first, int32_t end, bool filled) {
    demand(!first.empty() && first.front() == 0 && first.back() == end, "lists that do not fit");
    for (std::size_t i = 1; i < first.size(); ++i) demand(first[i] >= first[i - 1] + filled, "lists that do not fit");
  }
};

// Numbers of words, one row of channels and a lemma for each, may come from anyone.
inline void check_numbers(const LatentVocabulary& known, ArrayView<int32_t> numbers) {
  const std::size_t channels = known.channels.size();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::size_t place = i % (channels + 1);
    const int32_t end = place < channels ? known.channels[place] : static_cast<int32_t>(known.lemmas());
    demand(numbers[i] >= (place < channels ? kFirstKnown - 1 : -1) && numbers[i] < end, "no such number of a word");
  }
}

class LatentShape {
 public:
  LatentShape(const Program& syntax, const Program& semantics, LatentLook looks, LatentVocabulary vocabulary,
              std::size_t unit_count, bool is_generative)
      : look(std::move(looks)), known(std::move(vocabulary)), units(unit_count), generative(is_generative) {
    demand(units >= 8 && units % 8 == 0 && units <= 4096, "latent vectors have 8 to 4,096 units, in eights");
    known.check();
    transitions_[0] = check_program(syntax);
    transitions_[1] = check_program(semantics);
    demand(semantics.root == Root::kNone && semantics.parses_graphs, "graphs are parsed without a root");
    for (const KindLook& of : look.of)
      demand(of.features.size() <= 256 && of.connections.size() <= 256, "a long table");
    for (std::size_t k = 0; k < kStateKinds; ++k) place_features(static_cast<StateKind>(k));
    place_decisions(syntax, semantics);
  }

  LatentLook look;
  LatentVocabulary known;
  std::size_t units;
  bool generative;  // whether tags and words are predicted

  int32_t transitions(StateKind kind) const { return transitions_[kind != StateKind::kSyntax]; }
  int32_t labels(StateKind kind) const { return known.labels[kind != StateKind::kSyntax]; }

  // Where rows of weights begin.
  int32_t feature_rows() const { return feature_rows_; }
  int32_t feature_first(StateKind kind, std::size_t feature) const {
    return feature_first_[static_cast<std::size_t>(kind)][feature];
  }
  int32_t connection_first(StateKind kind) const { return connection_first_[static_cast<std::size_t>(kind)]; }
  int32_t decision_rows() const { return decision_rows_; }
  int32_t action_row(StateKind kind) const { return action_[kind != StateKind::kSyntax]; }
  // -1 for a transition that builds no arc.
  int32_t label_row(StateKind kind, int32_t transition) const {
    return label_[kind != StateKind::kSyntax][static_cast<std::size_t>(transition)];
  }
  int32_t predicate_row() const { return predicate_; }
  int32_t sense_row() const { return sense_; }
  int32_t tag_row() const { return tag_; }
  int32_t word_row() const { return word_; }
  int32_t tags() const { return known.channels[1] - kFirstKnown; }

 private:
  static int32_t check_program(const Program& program) {
    demand(!program.undirected, "latent-variable models build directed arcs");
    for (const Transition& t : program.transitions) {
      demand(!t.parametrized, "latent-variable models need transitions without parameters");
      int32_t arcs = 0;
      for (const Step& step : t.steps) arcs += is_arc(step.op) ? std::max(step.times, 1) : 0;
      demand(arcs <= 1, "latent-variable models need transitions with one arc at the most");
    }
    return static_cast<int32_t>(program.transitions.size());
  }

  void place_features(StateKind kind) {
    const KindLook& of = look[kind];
    of.check(static_cast<int32_t>(known.channels.size()));
    const std::size_t k = static_cast<std::size_t>(kind);
    connection_first_[k] = connections_;
    connections_ += static_cast<int32_t>(of.connections.size());
    for (const Observed& o : of.features) {
      feature_first_[k].push_back(feature_rows_);
      feature_rows_ += size_of(kind, o);
    }
  }

  int32_t size_of(StateKind kind, const Observed& o) const {
    switch (o.kind) {
      case ObservedKind::kWord:
        return known.channels[static_cast<std::size_t>(o.b)];
      case ObservedKind::kDeprel:
        return known.labels[0] + 2;
      case ObservedKind::kSense:
        return known.sense_number_count();
      case ObservedKind::kRole:
        return known.labels[1] + 2;
      case ObservedKind::kTransition:
        return transitions(kind) + 1;
      case ObservedKind::kDistance:
        return kDistances;
    }
    return 0;
  }

  void place_decisions(const Program& syntax, const Program& semantics) {
    for (std::size_t layer = 0; layer < 2; ++layer) {
      action_[layer] = decision_rows_;
      decision_rows_ += transitions_[layer];
      for (const Transition& t : (layer == 0 ? syntax : semantics).transitions) {
        label_[layer].push_back(builds_arc(t) ? decision_rows_ : -1);
        if (builds_arc(t)) decision_rows_ += known.labels[layer];
      }
    }
    predicate_ = decision_rows_;
    sense_ = predicate_ + 2;
    tag_ = sense_ + known.senses();
    word_ = tag_ + (generative ? tags() : 0);
    decision_rows_ = word_ + (generative ? known.class_first.back() : 0);
  }

  int32_t transitions_[2] = {0, 0}, action_[2] = {0, 0};
  int32_t connection_first_[kStateKinds] = {}, connections_ = 0;
  std::vector<int32_t> feature_first_[kStateKinds], label_[2];
  int32_t feature_rows_ = 0, decision_rows_ = 0;
  int32_t predicate_ = 0, sense_ = 0, tag_ = 0, word_ = 0;
};

// The weights: rows of `units` numbers, one after another.
template <typename Numbers>
struct LatentArrays {
  Numbers bias;         // by kind of state
  Numbers connections;  // by connection, a row for each unit of the earlier state
  Numbers features;     // by feature and value
  Numbers decisions;    // by outcome
  Numbers offsets;      // by outcome, one number each

  template <typename Each>
  void for_each(Each&& each) {
    each(bias), each(connections), each(features), each(decisions), each(offsets);
  }
};

using LatentWeights = LatentArrays<std::vector<float>>;

inline LatentArrays<std::size_t> latent_sizes(const LatentShape& shape) {
  return {kStateKinds * shape.units, shape.look.connections() * shape.units * shape.units,
          static_cast<std::size_t>(shape.feature_rows()) * shape.units,
          static_cast<std::size_t>(shape.decision_rows()) * shape.units,
          static_cast<std::size_t>(shape.decision_rows())};
}

// Whether arrays have the sizes of a shape.
template <typename Numbers>
bool fits(const LatentShape& shape, const LatentArrays<Numbers>& arrays) {
  const LatentArrays<std::size_t> sizes = latent_sizes(shape);
  return arrays.bias.size() == sizes.bias && arrays.connections.size() == sizes.connections &&
         arrays.features.size() == sizes.features && arrays.decisions.size() == sizes.decisions &&
         arrays.offsets.size() == sizes.offsets;
}

inline LatentWeights latent_zeros(const LatentShape& shape) {
  const LatentArrays<std::size_t> sizes = latent_sizes(shape);
  LatentWeights weights;
  weights.bias.resize(sizes.bias);
  weights.connections.resize(sizes.connections);
  weights.features.resize(sizes.features);
  weights.decisions.resize(sizes.decisions);
  weights.offsets.resize(sizes.offsets);
  return weights;
}

}  // namespace multiplane
