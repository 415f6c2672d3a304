// The odds of decisions in a latent state, as logarithms.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "scoring/latent_network.hpp"

namespace multiplane {

class LatentOdds {
 public:
  explicit LatentOdds(const LatentNetwork& network) : network_(network), kernels_(fastest_kernels()) {}

  // Of rows that stand one after another. The result is valid until the next call.
  const std::vector<float>& of_range(const float* mean, int32_t first, int32_t count) {
    const LatentWeights& weights = network_.weights();
    scores_.assign(weights.offsets.begin() + first, weights.offsets.begin() + first + count);
    kernels_.add_dots(weights.decisions.data() + static_cast<std::size_t>(first) * network_.units(),
                      static_cast<std::size_t>(count), mean, network_.units(), scores_.data());
    return normalize();
  }

  // Of rows in a list.
  const std::vector<float>& of_list(const float* mean, const std::vector<int32_t>& rows) {
    const LatentWeights& weights = network_.weights();
    scores_.resize(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      scores_[i] = weights.offsets[rows[i]];
      kernels_.add_dots(weights.decisions.data() + static_cast<std::size_t>(rows[i]) * network_.units(), 1, mean,
                        network_.units(), &scores_[i]);
    }
    return normalize();
  }

  // Of one row among those that stand one after another.
  float of_one(const float* mean, int32_t first, int32_t count, int32_t place) {
    return count > 1 ? of_range(mean, first, count)[place] : 0;
  }

 private:
  const std::vector<float>& normalize() {
    const float most = *std::max_element(scores_.begin(), scores_.end());
    powers_.resize(scores_.size());
    for (std::size_t i = 0; i < scores_.size(); ++i) powers_[i] = scores_[i] -= most;
    kernels_.power(powers_.data(), powers_.size());
    float sum = 0;
    for (float power : powers_) sum += power;
    const float log_sum = std::log(sum);
    for (float& score : scores_) score -= log_sum;
    return scores_;
  }

  const LatentNetwork& network_;
  const Kernels& kernels_;
  std::vector<float> scores_, powers_;
};

}  // namespace multiplane
