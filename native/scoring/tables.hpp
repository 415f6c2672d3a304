// From encoded words to the tables that scorers look configurations up in, and to scores of pairs of words.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "scoring/dense.hpp"
#include "scoring/named_arrays.hpp"
#include "scoring/neural.hpp"

namespace multiplane {

inline void rectify(std::vector<float>& values) {
  for (float& v : values) v = std::max(v, 0.0f);
}

inline float dot(const float* a, const float* b, std::size_t width) {
  float sums[8] = {};
  std::size_t k = 0;
  for (; k + 8 <= width; k += 8)
    for (std::size_t i = 0; i < 8; ++i) sums[i] += a[k + i] * b[k + i];
  float sum = 0;
  for (; k < width; ++k) sum += a[k] * b[k];
  for (float part : sums) sum += part;
  return sum;
}

// What every word adds to the hidden layers of transitions, in each slot, and of labels, as governor and as dependent.
class WordTables {
 public:
  // Buffers for one thread.
  struct Workspace {
    std::vector<float> below, slots, governors, dependents;
  };

  WordTables(const NamedArrays& arrays, const NeuralHead& head, std::size_t top) {
    std::size_t below = top;
    if (arrays.has("projection")) {
      below = arrays.size("projection", 2, 0);
      projection_.emplace(arrays.dense("projection", below, top));
    }
    const std::size_t label_hidden = head.label_hidden;
    slots_.emplace(arrays.take("slots", {head.slot_width(), below}), head.slot_width(), below);
    special_slots_.resize(2 * slots_->outputs());
    slots_->multiply(arrays.take("special", {2, below}), 2, special_slots_.data());
    governors_.emplace(arrays.dense("governors", label_hidden, top));
    dependents_.emplace(arrays.dense("dependents", label_hidden, top));
    special_governors_.assign(2 * label_hidden, 0);
    std::copy_n(arrays.take("label.root", {label_hidden}), label_hidden,
                special_governors_.begin() + static_cast<std::ptrdiff_t>(label_hidden));
    special_dependents_.assign(2 * label_hidden, 0);
  }

  NeuralTables of(const float* encoded, std::size_t words, Workspace& work) const {
    const float* below = encoded;
    if (projection_) {
      work.below.resize(words * projection_->outputs());
      projection_->multiply(encoded, words, work.below.data());
      rectify(work.below);
      below = work.below.data();
    }
    fill(work.slots, special_slots_, *slots_, below, words);
    fill(work.governors, special_governors_, *governors_, encoded, words);
    fill(work.dependents, special_dependents_, *dependents_, encoded, words);
    return {work.slots.data(), work.governors.data(), work.dependents.data()};
  }

 private:
  static void fill(std::vector<float>& table, const std::vector<float>& special, const Dense& layer, const float* x,
                   std::size_t words) {
    table.resize((words + 2) * layer.outputs());
    layer.multiply(x, words, std::copy(special.begin(), special.end(), table.data()));
  }

  std::optional<Dense> projection_, slots_, governors_, dependents_;
  std::vector<float> special_slots_, special_governors_, special_dependents_;
};

// Scores of every word as the head of every other: a product of what the one is as a head and the other as a dependent.
class PairScores {
 public:
  struct Workspace {
    std::vector<float> heads, dependents, products;
  };

  // Names of weights begin with this one. With a root, that is a head, too.
  PairScores(const NamedArrays& arrays, const std::string& name, std::size_t top, bool has_root)
      : heads_(arrays.dense(name + ".head", arrays.size(name, 2, 0), top)),
        dependents_(arrays.dense(name + ".dependent", heads_.outputs(), top)),
        product_(arrays.dense(name, heads_.outputs(), heads_.outputs())) {
    if (has_root) root_ = arrays.copy(name + ".root", {heads_.outputs()});
  }

  // A row for each word as a dependent: the score of the root, if there is one, and of every word as its head.
  void of(const float* encoded, std::size_t words, Workspace& work, float* scores) const {
    const std::size_t width = heads_.outputs(), first = root_.empty() ? 0 : 1;
    work.heads.resize((words + first) * width);
    heads_.multiply(encoded, words, work.heads.data() + first * width);
    rectify(work.heads);
    if (first > 0) std::copy_n(root_.data(), width, work.heads.data());
    work.dependents.resize(words * width);
    dependents_.multiply(encoded, words, work.dependents.data());
    rectify(work.dependents);
    work.products.resize(words * width);
    product_.multiply(work.dependents.data(), words, work.products.data());
    for (std::size_t d = 0; d < words; ++d)
      for (std::size_t h = 0; h < words + first; ++h)
        *scores++ = dot(work.products.data() + d * width, work.heads.data() + h * width, width);
  }

  std::size_t width() const { return heads_.outputs(); }

 private:
  Dense heads_, dependents_, product_;
  std::vector<float> root_;
};

}  // namespace multiplane
