// The loss of a derivation and its gradient: back through all connections of latent states.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "common/random.hpp"
#include "scoring/dense.hpp"
#include "training/latent_graph.hpp"

namespace multiplane {

// Sums of gradients. Few rows of features and decisions have any, so that these are remembered.
class LatentGradient {
 public:
  explicit LatentGradient(const LatentShape& shape)
      : units_(shape.units),
        sums(latent_zeros(shape)),
        is_touched_{std::vector<uint8_t>(shape.feature_rows()), std::vector<uint8_t>(shape.decision_rows())} {}

 private:
  std::size_t units_;

 public:
  LatentWeights sums;

  // Which rows have a gradient.
  const std::vector<int32_t>& features() const { return touched_[0]; }
  const std::vector<int32_t>& decisions() const { return touched_[1]; }

  float* feature(int32_t row) { return touch(0, row), sums.features.data() + row * units_; }
  void touch_decisions(int32_t first, int32_t count) {
    for (int32_t row = first; row < first + count; ++row) touch(1, row);
  }

  void add(const LatentGradient& other) {
    add_all(other.sums.bias, sums.bias);
    add_all(other.sums.connections, sums.connections);
    for (int32_t row : other.features()) {
      float* to = feature(row);
      for (std::size_t u = 0; u < units_; ++u) to[u] += other.sums.features[row * units_ + u];
    }
    for (int32_t row : other.decisions()) {
      touch(1, row);
      for (std::size_t u = 0; u < units_; ++u)
        sums.decisions[row * units_ + u] += other.sums.decisions[row * units_ + u];
      sums.offsets[row] += other.sums.offsets[row];
    }
  }

  void clear() {
    std::fill(sums.bias.begin(), sums.bias.end(), 0.f);
    std::fill(sums.connections.begin(), sums.connections.end(), 0.f);
    for (int32_t row : touched_[0]) std::fill_n(sums.features.data() + row * units_, units_, 0.f);
    for (int32_t row : touched_[1]) {
      std::fill_n(sums.decisions.data() + row * units_, units_, 0.f);
      sums.offsets[row] = 0;
    }
    for (std::size_t which : {0, 1}) {
      for (int32_t row : touched_[which]) is_touched_[which][row] = 0;
      touched_[which].clear();
    }
  }

 private:
  void touch(std::size_t which, int32_t row) {
    if (is_touched_[which][row]) return;
    is_touched_[which][row] = 1;
    touched_[which].push_back(row);
  }
  static void add_all(const std::vector<float>& from, std::vector<float>& to) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
  }

  std::vector<uint8_t> is_touched_[2];
  std::vector<int32_t> touched_[2];
};

struct LatentCounts {
  double loss = 0;
  int64_t decisions = 0, wrong = 0;

  void add(const LatentCounts& other) {
    loss += other.loss;
    decisions += other.decisions;
    wrong += other.wrong;
  }
};

class LatentBackward {
 public:
  LatentBackward(const LatentShape& shape, const LatentWeights& weights)
      : shape_(shape), weights_(weights), units_(shape.units), kernels_(fastest_kernels()) {}

  // Adds the gradient of one derivation. With dropout, units of latent vectors are missing at random; what is left of
  // features counts for all of them.
  LatentCounts run(const LatentGraph& graph, float dropout, float feature_dropout, Random& random,
                   LatentGradient& gradient) {
    feature_scale_ = 1 / (1 - feature_dropout);
    const std::size_t count = graph.steps.size() * units_;
    means_.assign(count, 0);
    errors_.assign(count, 0);
    scale_ = 1 / (1 - dropout);
    if (dropout > 0) {
      kept_.resize(count);
      for (uint8_t& kept : kept_) kept = random.uniform() >= dropout;
    }
    LatentCounts counts;
    LatentStep before{StateKind::kSyntax, 0, 0, 0};
    for (std::size_t i = 0; i < graph.steps.size(); before = graph.steps[i++]) {
      forward(graph, i, before, dropout > 0);
      for (std::size_t c = before.choices; c < graph.steps[i].choices; ++c)
        decide(graph, graph.choices[c], means(i), errors(i), gradient, counts);
    }
    for (std::size_t i = graph.steps.size(); i-- > 0;)
      back(graph, i, i == 0 ? LatentStep{StateKind::kSyntax, 0, 0, 0} : graph.steps[i - 1], dropout > 0, gradient);
    return counts;
  }

 private:
  float* means(std::size_t state) { return means_.data() + state * units_; }
  float* errors(std::size_t state) { return errors_.data() + state * units_; }
  const float* matrix(int32_t connection) const {
    return weights_.connections.data() + static_cast<std::size_t>(connection) * units_ * units_;
  }

  void forward(const LatentGraph& graph, std::size_t i, const LatentStep& before, bool drops) {
    const LatentStep& step = graph.steps[i];
    float* mean = means(i);
    std::copy_n(weights_.bias.data() + static_cast<std::size_t>(step.kind) * units_, units_, mean);
    for (std::size_t r = before.rows; r < step.rows; ++r) {
      const float* row = weights_.features.data() + static_cast<std::size_t>(graph.rows[r]) * units_;
      for (std::size_t u = 0; u < units_; ++u) mean[u] += feature_scale_ * row[u];
    }
    for (std::size_t l = before.links; l < step.links; ++l)
      kernels_.add_weighted_rows(means(graph.links[l].state), units_, matrix(graph.links[l].connection), units_, mean);
    kernels_.sigmoid(mean, units_);
    if (drops)
      for (std::size_t u = 0; u < units_; ++u) mean[u] *= kept_[i * units_ + u] ? scale_ : 0.f;
  }

  // The loss of one decision, and what it wants of the mean.
  void decide(const LatentGraph& graph, const LatentChoice& choice, const float* mean, float* error,
              LatentGradient& gradient, LatentCounts& counts) {
    scores_.assign(choice.count, 0);
    for_runs(graph, choice, [&](int32_t row, int32_t count, int32_t at) {
      std::copy_n(weights_.offsets.data() + row, count, scores_.data() + at);
      kernels_.add_dots(weights_.decisions.data() + row * units_, count, mean, units_, scores_.data() + at);
    });
    const auto most = std::max_element(scores_.begin(), scores_.end());
    const float top = *most, gold = scores_[choice.gold];
    counts.wrong += most - scores_.begin() != choice.gold;
    ++counts.decisions;
    for (float& score : scores_) score -= top;
    kernels_.power(scores_.data(), scores_.size());
    double sum = 0;
    for (float odds : scores_) sum += odds;
    counts.loss += std::log(sum) - (gold - top);
    for (float& odds : scores_) odds = static_cast<float>(odds / sum);
    scores_[choice.gold] -= 1;
    for_runs(graph, choice, [&](int32_t row, int32_t count, int32_t at) {
      const float* wrong = scores_.data() + at;
      gradient.touch_decisions(row, count);
      kernels_.add_weighted_rows(wrong, count, weights_.decisions.data() + row * units_, units_, error);
      kernels_.add_outer(wrong, count, mean, units_, gradient.sums.decisions.data() + row * units_);
      for (int32_t r = 0; r < count; ++r) gradient.sums.offsets[row + r] += wrong[r];
    });
  }

  // Calls with rows that stand one after another: the first, how many, and their place in the choice.
  template <typename Each>
  static void for_runs(const LatentGraph& graph, const LatentChoice& choice, Each&& each) {
    if (choice.list < 0) return each(choice.first, choice.count, 0);
    for (int32_t i = 0; i < choice.count; ++i) each(graph.lists[choice.list + i], 1, i);
  }

  void back(const LatentGraph& graph, std::size_t i, const LatentStep& before, bool drops, LatentGradient& gradient) {
    const LatentStep& step = graph.steps[i];
    const float* mean = means(i);
    float* error = errors(i);
    for (std::size_t u = 0; u < units_; ++u) {
      if (drops && !kept_[i * units_ + u]) {
        error[u] = 0;
      } else {
        const float whole = drops ? mean[u] / scale_ : mean[u];
        error[u] *= (drops ? scale_ : 1.f) * whole * (1 - whole);
      }
    }
    float* bias = gradient.sums.bias.data() + static_cast<std::size_t>(step.kind) * units_;
    for (std::size_t u = 0; u < units_; ++u) bias[u] += error[u];
    for (std::size_t r = before.rows; r < step.rows; ++r) {
      float* row = gradient.feature(graph.rows[r]);
      for (std::size_t u = 0; u < units_; ++u) row[u] += feature_scale_ * error[u];
    }
    for (std::size_t l = before.links; l < step.links; ++l) {
      const auto [connection, state] = graph.links[l];
      kernels_.add_dots(matrix(connection), units_, error, units_, errors(state));
      kernels_.add_outer(means(state), units_, error, units_,
                         gradient.sums.connections.data() + static_cast<std::size_t>(connection) * units_ * units_);
    }
  }

  const LatentShape& shape_;
  const LatentWeights& weights_;
  std::size_t units_;
  const Kernels& kernels_;
  float scale_ = 1, feature_scale_ = 1;
  std::vector<float> means_, errors_, scores_;
  std::vector<uint8_t> kept_;
};

}  // namespace multiplane
