// Learns the weights of a latent-variable model from gold derivations, in batches of sentences.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "common/array_view.hpp"
#include "common/hash.hpp"
#include "training/latent_gradient.hpp"

namespace multiplane {

struct LatentOptions {
  std::size_t batch = 8;  // sentences
  float rate = 0.002f;
  float decay = 0;    // of weights, in every step
  float clip = 5;     // the largest norm of a gradient
  float dropout = 0;  // of units
  std::size_t threads = 1;
};

// Adam; rows without a gradient stay as they are.
class LatentOptimizer {
 public:
  explicit LatentOptimizer(const LatentShape& shape)
      : units_(shape.units), first(latent_zeros(shape)), second(latent_zeros(shape)) {}

 private:
  std::size_t units_;

 public:
  LatentWeights first, second;  // moments
  int64_t steps = 0;

  void step(LatentWeights& weights, const LatentGradient& gradient, const LatentOptions& options, float scale) {
    ++steps;
    const double age = static_cast<double>(steps);
    factor_ = options.rate * static_cast<float>(std::sqrt(1 - std::pow(kSecond, age)) / (1 - std::pow(kFirst, age)));
    keep_ = 1 - options.rate * options.decay;
    scale_ = scale * std::min(1.f, options.clip / std::max(scale * norm(gradient), 1e-30f));
    const LatentWeights& g = gradient.sums;
    move(weights.bias, g.bias, first.bias, second.bias, 0, g.bias.size());
    move(weights.connections, g.connections, first.connections, second.connections, 0, g.connections.size());
    for (int32_t row : gradient.features())
      move(weights.features, g.features, first.features, second.features, row * units_, units_);
    for (int32_t row : gradient.decisions()) {
      move(weights.decisions, g.decisions, first.decisions, second.decisions, row * units_, units_);
      move(weights.offsets, g.offsets, first.offsets, second.offsets, row, 1);
    }
  }

 private:
  static constexpr float kFirst = 0.9f, kSecond = 0.999f, kLittle = 1e-8f;

  void move(std::vector<float>& weights, const std::vector<float>& gradient, std::vector<float>& m,
            std::vector<float>& v, std::size_t begin, std::size_t count) const {
    for (std::size_t i = begin; i < begin + count; ++i) {
      const float g = gradient[i] * scale_;
      m[i] = kFirst * m[i] + (1 - kFirst) * g;
      v[i] = kSecond * v[i] + (1 - kSecond) * g * g;
      weights[i] = weights[i] * keep_ - factor_ * m[i] / (std::sqrt(v[i]) + kLittle);
    }
  }

  float norm(const LatentGradient& gradient) const {
    double sum = 0;
    const auto add = [&](const std::vector<float>& values, std::size_t begin, std::size_t count) {
      for (std::size_t i = begin; i < begin + count; ++i) sum += static_cast<double>(values[i]) * values[i];
    };
    const LatentWeights& g = gradient.sums;
    add(g.bias, 0, g.bias.size());
    add(g.connections, 0, g.connections.size());
    for (int32_t row : gradient.features()) add(g.features, row * units_, units_);
    for (int32_t row : gradient.decisions()) add(g.decisions, row * units_, units_), add(g.offsets, row, 1);
    return static_cast<float>(std::sqrt(sum));
  }

  float factor_ = 0, keep_ = 1, scale_ = 1;
};

class LatentLearner {
 public:
  LatentLearner(const Program& syntax, const Program& semantics, const LatentShape& shape)
      : shape_(shape), weights(latent_zeros(shape)), optimizer(shape) {
    for (std::size_t i = 0; i < kShards; ++i)
      shards_.push_back(std::make_unique<Shard>(syntax, semantics, shape, weights));
  }
  LatentLearner(const LatentLearner&) = delete;  // shards look at the weights
  LatentLearner& operator=(const LatentLearner&) = delete;

 private:
  const LatentShape& shape_;

 public:
  LatentWeights weights;
  LatentOptimizer optimizer;

  // One pass over sentences in this order. The result does not depend on the number of threads: every sentence of a
  // batch belongs to a shard, and shards are added in their order.
  LatentCounts train(const std::vector<LatentSentence>& sentences, ArrayView<int64_t> order, const LatentHiding& hiding,
                     const LatentOptions& options, uint64_t seed) {
    LatentCounts counts;
    for (std::size_t begin = 0; begin < order.size(); begin += options.batch) {
      const std::size_t end = std::min(begin + options.batch, order.size());
      const auto work = [&](std::size_t thread, std::size_t threads) {
        for (std::size_t shard = thread; shard < kShards; shard += threads)
          for (std::size_t i = begin + shard; i < end; i += kShards)
            shards_[shard]->add(sentences[order[i]], &hiding, options.dropout, seed + mix(0, order[i]));
      };
      run_threads(std::min({options.threads, kShards, end - begin}), work);
      LatentGradient& sum = shards_[0]->gradient;
      for (const auto& shard : shards_) {
        if (shard != shards_[0]) sum.add(shard->gradient);
        counts.add(shard->counts);
      }
      optimizer.step(weights, sum, options, 1.f / static_cast<float>(end - begin));
      for (const auto& shard : shards_) shard->clear();
    }
    return counts;
  }

  // The loss of some sentences and its gradient, without dropout.
  LatentCounts gradient(const std::vector<LatentSentence>& sentences, ArrayView<int64_t> order, LatentWeights& found) {
    Shard& shard = *shards_[0];
    for (int64_t i : order) shard.add(sentences[i], nullptr, 0, 0);
    const LatentCounts counts = shard.counts;
    found = shard.gradient.sums;
    shard.clear();
    return counts;
  }

 private:
  static constexpr std::size_t kShards = 4;

  struct Shard {
    Shard(const Program& syntax, const Program& semantics, const LatentShape& shape, const LatentWeights& weights)
        : replay(syntax, semantics, shape), backward(shape, weights), gradient(shape) {}

    void add(const LatentSentence& sentence, const LatentHiding* hiding, float dropout, uint64_t seed) {
      Random random(seed);
      const LatentGraph& graph = replay.run(sentence, hiding, random);
      counts.add(backward.run(graph, dropout, hiding == nullptr ? 0 : hiding->features, random, gradient));
    }
    void clear() {
      gradient.clear();
      counts = {};
    }

    LatentReplay replay;
    LatentBackward backward;
    LatentGradient gradient;
    LatentCounts counts;
  };

  template <typename Work>
  static void run_threads(std::size_t threads, const Work& work) {
    std::vector<std::thread> others;
    for (std::size_t t = 1; t < threads; ++t) others.emplace_back(work, t, threads);
    work(0, threads);
    for (std::thread& thread : others) thread.join();
  }

  std::vector<std::unique_ptr<Shard>> shards_;
};

}  // namespace multiplane
