// A latent-variable model that scores: means of states, each computed once, with all that later states need of them.
//
// The product of a mean with the matrix of a connection is the same for all later states, so that states of a beam
// share it. Means are numbers from 0 to 1, and products are made with numbers of 16 bits, for many states at once.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "scoring/dense.hpp"
#include "scoring/latent_eye.hpp"

namespace multiplane {

class LatentNetwork {
 public:
  LatentNetwork(const LatentNetwork&) = delete;
  LatentNetwork& operator=(const LatentNetwork&) = delete;

  LatentNetwork(const LatentShape& shape, LatentWeights weights) : shape_(shape), weights_(std::move(weights)) {
    std::vector<std::vector<int32_t>> leaving(kStateKinds);
    for (std::size_t to = 0; to < kStateKinds; ++to) {
      const std::vector<Connection>& connections = shape.look.of[to].connections;
      for (std::size_t c = 0; c < connections.size(); ++c) {
        const int32_t number = shape.connection_first(static_cast<StateKind>(to)) + static_cast<int32_t>(c);
        std::vector<int32_t>& same = leaving[static_cast<std::size_t>(connections[c].from)];
        place_.push_back(static_cast<int32_t>(same.size()));
        same.push_back(number);
      }
    }
    for (std::size_t from = 0; from < kStateKinds; ++from) {
      count_[from] = leaving[from].size();
      out_.push_back(make_layer(leaving[from]));
    }
  }

  const LatentShape& shape() const { return shape_; }
  const LatentWeights& weights() const { return weights_; }
  std::size_t units() const { return shape_.units; }
  // How many products states of a kind have, and which one a connection takes.
  std::size_t products(StateKind kind) const { return count_[static_cast<std::size_t>(kind)]; }
  std::size_t place(int32_t connection) const { return static_cast<std::size_t>(place_[connection]); }

  // Products of the means of some states of one kind.
  void multiply(StateKind kind, const int16_t* means, std::size_t states, float* products) const {
    const auto& layer = out_[static_cast<std::size_t>(kind)];
    if (layer != nullptr) layer->multiply(means, states, products);
  }

 private:
  // All matrices that lead away from states of a kind, as one: the outputs of the first, then those of the second.
  std::unique_ptr<CoarseDense> make_layer(const std::vector<int32_t>& connections) const {
    const std::size_t units = shape_.units;
    if (connections.empty()) return nullptr;
    std::vector<float> rows(connections.size() * units * units);
    for (std::size_t c = 0; c < connections.size(); ++c) {
      const float* matrix = weights_.connections.data() + static_cast<std::size_t>(connections[c]) * units * units;
      for (std::size_t in = 0; in < units; ++in)
        for (std::size_t out = 0; out < units; ++out) rows[(c * units + out) * units + in] = matrix[in * units + out];
    }
    return std::make_unique<CoarseDense>(rows.data(), connections.size() * units, units);
  }

  const LatentShape& shape_;
  LatentWeights weights_;
  std::size_t count_[kStateKinds] = {};
  std::vector<int32_t> place_;
  std::vector<std::unique_ptr<CoarseDense>> out_;
};

// The latent states of one sentence.
class LatentStates {
 public:
  explicit LatentStates(const LatentNetwork& network) : network_(network), kernels_(fastest_kernels()) {}

  void clear() {
    states_ = 0;
    means_.clear();
    products_.clear();
    first_product_.clear();
    kinds_.clear();
    for (std::vector<int32_t>& waiting : waiting_) waiting.clear();
  }

  // A new state. Those that it is connected with must have their products.
  int32_t add(StateKind kind, const std::vector<LatentLink>& links, const std::vector<int32_t>& rows) {
    const std::size_t units = network_.units();
    const LatentWeights& weights = network_.weights();
    means_.resize((states_ + 1) * units);
    float* mean = means_.data() + states_ * units;
    const float* bias = weights.bias.data() + static_cast<std::size_t>(kind) * units;
    sum_.assign(bias, bias + units);
    for (int32_t row : rows) add_to_sum(weights.features.data() + static_cast<std::size_t>(row) * units);
    for (const LatentLink& link : links)
      add_to_sum(products_.data() + first_product_[link.state] + network_.place(link.connection) * units);
    kernels_.sigmoid(sum_.data(), units);
    std::copy(sum_.begin(), sum_.end(), mean);
    first_product_.push_back(0);
    kinds_.push_back(kind);
    waiting_[static_cast<std::size_t>(kind)].push_back(static_cast<int32_t>(states_));
    return static_cast<int32_t>(states_++);
  }

  const float* mean(int32_t state) const { return means_.data() + static_cast<std::size_t>(state) * network_.units(); }
  std::size_t size() const { return states_; }

  // Makes the products of all new states, of each kind together.
  void multiply() {
    const std::size_t units = network_.units();
    for (std::size_t kind = 0; kind < kStateKinds; ++kind) {
      std::vector<int32_t>& waiting = waiting_[kind];
      const std::size_t width = network_.products(static_cast<StateKind>(kind)) * units, first = products_.size();
      if (waiting.empty()) continue;
      coarse_.resize(waiting.size() * units);
      for (std::size_t i = 0; i < waiting.size(); ++i) {
        kernels_.coarsen(mean(waiting[i]), units, coarse_.data() + i * units);
        first_product_[waiting[i]] = first + i * width;
      }
      products_.resize(first + waiting.size() * width);
      network_.multiply(static_cast<StateKind>(kind), coarse_.data(), waiting.size(), products_.data() + first);
      waiting.clear();
    }
  }

  // Forgets states: by state, its new number, or -1. Numbers keep their order, and all states have their products.
  void renumber(const std::vector<int32_t>& numbers) {
    const std::size_t units = network_.units();
    std::size_t kept = 0, end = 0;
    for (std::size_t i = 0; i < states_; ++i) {
      if (numbers[i] < 0) continue;
      const std::size_t width = network_.products(kinds_[i]) * units;
      std::copy_n(means_.begin() + i * units, units, means_.begin() + kept * units);
      moved_.insert(moved_.end(), products_.begin() + first_product_[i], products_.begin() + first_product_[i] + width);
      first_product_[kept] = end;
      kinds_[kept++] = kinds_[i];
      end += width;
    }
    products_.swap(moved_);
    moved_.clear();
    states_ = kept;
    means_.resize(kept * units);
    first_product_.resize(kept);
    kinds_.resize(kept);
  }

 private:
  void add_to_sum(const float* row) {
    float* to = sum_.data();
    for (std::size_t u = 0, units = network_.units(); u < units; ++u) to[u] += row[u];
  }

  const LatentNetwork& network_;
  const Kernels& kernels_;
  std::size_t states_ = 0;
  std::vector<float> means_, products_, sum_, moved_;
  std::vector<StateKind> kinds_;
  std::vector<std::size_t> first_product_;
  std::vector<int16_t> coarse_;
  std::vector<int32_t> waiting_[kStateKinds];  // for products
};

}  // namespace multiplane
