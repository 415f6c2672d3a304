// The weights of a linear model while they are learnt: features, updates, averages, and what training goes on from.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "common/array_view.hpp"
#include "common/demand.hpp"
#include "common/random.hpp"
#include "features/features.hpp"
#include "scoring/scorer.hpp"
#include "training/freeze.hpp"
#include "training/weights.hpp"

namespace multiplane {

// What training goes on from: for every key the weights of all transitions, and for keys and labels one weight each,
// now and summed over time.
struct PerceptronState {
  double time = 0;
  std::vector<Value> keys;
  std::vector<float> now;
  std::vector<double> summed;
  std::vector<Value> label_keys;
  std::vector<int32_t> classes;
  std::vector<float> label_now;
  std::vector<double> label_summed;
};

// The same as the caller holds it.
struct PerceptronArrays {
  ArrayView<Value> keys;
  ArrayView<float> now;
  ArrayView<double> summed;
  ArrayView<Value> label_keys;
  ArrayView<int32_t> classes;
  ArrayView<float> label_now;
  ArrayView<double> label_summed;
};

struct TrainingCounts {
  int64_t steps = 0, wrong = 0, arcs = 0, wrong_labels = 0, updates = 0;
};

class LinearLearner : public Scorer {
 public:
  LinearLearner(std::shared_ptr<const FeatureModel> features, int32_t transitions, int32_t labels)
      : features_(std::move(features)),
        transition_(features_->transition),
        label_(features_->label),
        transition_weights_(transitions),
        label_scores_(labels),
        known_scores_(transitions),
        known_labels_(1) {}

  void transitions(const State& s, const Value* rows, int32_t offset, float* scores) override {
    const std::vector<Value>& keys = keys_of(s, rows, offset);
    const int32_t classes = transition_weights_.classes();
    if (known_scores_.is_on()) {
      const auto [known, is_known] = known_scores_.at(keys);
      if (!is_known) {
        std::fill_n(known, classes, 0.0f);
        transition_weights_.add_to(keys, known);
      }
      std::copy_n(known, classes, scores);
      return;
    }
    std::fill_n(scores, classes, 0.0f);
    transition_weights_.add_to(keys, scores);
  }

  int32_t label(const State& s, const Value* rows, Ends ends, int32_t wanted, float& score) override {
    const std::vector<Value>& keys = label_keys_of(s, rows, ends);
    if (wanted < 0 && known_labels_.is_on()) {
      const auto [known, is_known] = known_labels_.at(keys);
      if (!is_known) *known = best_label(keys, wanted);
      score = known->score;
      return known->label;
    }
    const LabelScore best = best_label(keys, wanted);
    score = best.score;
    return best.label;
  }

  void cache_scores(bool on) override {
    known_scores_.restart(on);
    known_labels_.restart(on);
  }

  // Everything that training goes on from.
  PerceptronState state() const {
    PerceptronState state;
    state.time = time_;
    transition_weights_.dump(state.keys, state.now, state.summed);
    label_weights_.walk([&](Value key, const std::vector<SparseWeights::Entry>& row) {
      for (const auto& e : row) {
        state.label_keys.push_back(key);
        state.classes.push_back(e.cls);
        state.label_now.push_back(e.now);
        state.label_summed.push_back(e.summed);
      }
    });
    return state;
  }

  // A state may come from an untrusted file.
  void restore(double time, const PerceptronArrays& arrays) {
    const std::size_t width = transition_weights_.classes(), count = arrays.label_keys.size();
    demand(arrays.now.size() == arrays.keys.size() * width && arrays.summed.size() == arrays.now.size(),
           "weights do not fit their keys");
    demand(arrays.classes.size() == count && arrays.label_now.size() == count && arrays.label_summed.size() == count,
           "label weights do not fit their keys");
    const int32_t labels = static_cast<int32_t>(label_scores_.size());
    for (std::size_t i = 0; i < count; ++i)
      demand(arrays.label_keys[i] != 0 && arrays.classes[i] >= 0 && arrays.classes[i] < labels, "no such label");
    time_ = time;
    transition_weights_.restore(arrays.keys.data(), arrays.keys.size(), arrays.now.data(), arrays.summed.data());
    label_weights_.clear();
    for (std::size_t i = 0; i < count; ++i)
      label_weights_.restore(arrays.label_keys[i], arrays.classes[i], arrays.label_now[i], arrays.label_summed[i]);
  }

  FrozenWeights freeze(double threshold) const {
    return Freezer(transition_weights_, label_weights_, time_, threshold).freeze();
  }

 protected:
  // The keys of all templates, or of those that dropout keeps: what one feature would settle must then be learnt from
  // the others too.
  const std::vector<Value>& keys_of(const State& s, const Value* rows, int32_t offset) {
    const std::vector<Value>& keys = transition_.extract(s, rows, features_->width, features_->mask, offset, {});
    return kept_after_dropout(keys);
  }

  const std::vector<Value>& label_keys_of(const State& s, const Value* rows, Ends ends) {
    return label_.extract(s, rows, features_->width, features_->mask, 0, ends);
  }

  const std::vector<Value>& kept_after_dropout(const std::vector<Value>& keys) {
    if (dropout_ <= 0) return keys;
    kept_.clear();
    uint64_t bits = 0;
    int have = 0;
    for (Value key : keys) {
      if (have == 0) bits = random_.next(), have = 8;
      if (static_cast<double>(bits & 0xFF) >= dropout_ * 256) kept_.push_back(key);
      bits >>= 8;
      --have;
    }
    return kept_;
  }

  // The keys that were scored last.
  const std::vector<Value>& scored() const { return dropout_ > 0 ? kept_ : transition_.keys(); }

  const std::vector<Value>& score_labels(const State& s, const Value* rows, Ends ends) {
    const std::vector<Value>& keys = kept_after_dropout(label_keys_of(s, rows, ends));
    best_label(keys, -1);
    return keys;
  }

  LabelScore best_label(const std::vector<Value>& keys, int32_t wanted) {
    std::fill(label_scores_.begin(), label_scores_.end(), 0.0f);
    label_weights_.add_to(keys, label_scores_.data());
    const int32_t label = wanted >= 0 ? wanted : best_of(label_scores_);
    return {label, label_scores_[label]};
  }

  // Prefers one label to another from now on, a little.
  void prefer_label(const std::vector<Value>& keys, int32_t label, int32_t rival) {
    label_weights_.update(keys, label, 1, time_);
    label_weights_.update(keys, rival, -1, time_);
  }

  std::shared_ptr<const FeatureModel> features_;
  FeatureExtractor transition_, label_;
  DenseWeights transition_weights_;
  SparseWeights label_weights_;
  double time_ = 0;
  std::vector<float> label_scores_;
  Random random_{0};
  double dropout_ = 0;

 private:
  std::vector<Value> kept_;
  ScoreCache<float> known_scores_;
  ScoreCache<LabelScore> known_labels_;
};

}  // namespace multiplane
