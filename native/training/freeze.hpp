// Freezing: averaged weights as whole numbers, without those that count for nothing.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "training/weights.hpp"

namespace multiplane {

struct FrozenWeights {
  std::vector<Value> keys;
  std::vector<int16_t> weights;
  std::vector<Value> label_keys;
  std::vector<uint16_t> label_counts, label_classes;
  std::vector<int16_t> label_weights;
};

// Leaves out rows whose weights all round to 0, or are less than the threshold.
class Freezer {
 public:
  Freezer(const DenseWeights& transitions, const SparseWeights& labels, double time, double threshold)
      : labels_(labels), time_(std::max(time, 1.0)), threshold_(threshold), classes_(transitions.classes()) {
    transitions.average(time_, keys_, averages_);
    // One scale for both, since with a beam they are added up.
    float largest = 0;
    for (float w : averages_) largest = std::max(largest, std::abs(w));
    labels_.walk([&](Value, const std::vector<SparseWeights::Entry>& row) {
      for (const auto& e : row) largest = std::max(largest, std::abs(averaged(e)));
    });
    if (largest > 0) scale_ = kLargest / largest;
  }

  FrozenWeights freeze() const {
    FrozenWeights frozen;
    freeze_transitions(frozen);
    freeze_labels(frozen);
    return frozen;
  }

 private:
  void freeze_transitions(FrozenWeights& frozen) const {
    for (std::size_t r = 0; r < keys_.size(); ++r) {
      const float *begin = averages_.data() + r * classes_, *end = begin + classes_;
      if (std::none_of(begin, end, [&](float w) { return std::abs(w) >= threshold_ && rounded(w); })) continue;
      frozen.keys.push_back(keys_[r]);
      for (const float* w = begin; w != end; ++w) frozen.weights.push_back(rounded(*w));
    }
  }

  void freeze_labels(FrozenWeights& frozen) const {
    labels_.walk([&](Value key, const std::vector<SparseWeights::Entry>& row) {
      uint16_t count = 0;
      for (const auto& e : row) {
        const float w = averaged(e);
        if (std::abs(w) < threshold_ / 2 || rounded(w) == 0) continue;
        frozen.label_classes.push_back(static_cast<uint16_t>(e.cls));
        frozen.label_weights.push_back(rounded(w));
        ++count;
      }
      if (count == 0) return;
      frozen.label_keys.push_back(key);
      frozen.label_counts.push_back(count);
    });
  }

  float averaged(const SparseWeights::Entry& e) const { return static_cast<float>(e.now - e.summed / time_); }
  int16_t rounded(float w) const { return static_cast<int16_t>(std::lround(w * scale_)); }

  static constexpr double kLargest = 32000;

  const SparseWeights& labels_;
  double time_, threshold_;
  std::size_t classes_;
  double scale_ = 1;
  std::vector<Value> keys_;
  std::vector<float> averages_;
};

}  // namespace multiplane
