// Learning which words are predicates, and in which sense.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "training/linear_learner.hpp"

namespace multiplane {

// What is decided on a word: templates of transitions tell whether it is a predicate, those of labels in which sense.
// When a word is met it is the front of the buffer; to the templates of senses it is the dependent.
class PredicateLearner : public LinearLearner {
 public:
  PredicateLearner(std::shared_ptr<const FeatureModel> features, int32_t senses)
      : LinearLearner(std::move(features), 2, senses) {}

  void learn_predicate(const State& s, const Value* rows, bool is_predicate, TrainingCounts& counts) {
    std::array<float, 2> scores;
    transitions(s, rows, 0, scores.data());
    ++counts.steps;
    time_ += 1;
    const float ahead = is_predicate ? scores[1] - scores[0] : scores[0] - scores[1];
    counts.wrong += ahead < 0;
    if (ahead > 0) return;
    ++counts.updates;
    transition_weights_.update(scored(), is_predicate, 1, time_);
    transition_weights_.update(scored(), !is_predicate, -1, time_);
  }

  // Learns a sense, -1 for none, of the candidates; returns the one that the model chooses, or -1 where there are none.
  int32_t learn_sense(const State& s, const Value* rows, int32_t word, int32_t gold, ArrayView<int32_t> candidates,
                      TrainingCounts& counts) {
    if (candidates.size() <= 1) return candidates.size() == 0 ? -1 : candidates[0];
    const std::vector<Value>& keys = score_labels(s, rows, {-1, word});
    const int32_t best = best_among(label_scores_, candidates);
    if (std::find(candidates.begin(), candidates.end(), gold) == candidates.end()) return best;
    ++counts.arcs;
    counts.wrong_labels += best != gold;
    if (best != gold) prefer_label(keys, gold, best);
    return best;
  }
};

}  // namespace multiplane
