// What a search asks a model, and what models have in common.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "common/array_view.hpp"
#include "features/nodes.hpp"
#include "features/words.hpp"

namespace multiplane {

// What a search asks a model. A model looks at one sentence at a time.
class Scorer {
 public:
  virtual ~Scorer() = default;
  // One score for every transition. With an offset k, as if k words of the buffer had been shifted.
  virtual void transitions(const State& s, const Value* rows, int32_t offset, float* scores) = 0;
  // The best label of an arc among all, or the one wanted, with its score.
  virtual int32_t label(const State& s, const Value* rows, Ends ends, int32_t wanted, float& score) = 0;
  // The scores of all labels of an arc, if asked for.
  virtual void labels(const State&, const Value*, Ends, std::vector<float>& scores) { scores.clear(); }
  // How likely a word is the head of another, or 0 the root's dependent, as a logarithm; 0 where nothing is known.
  virtual float head_odds(int32_t, int32_t) const { return 0; }
  // Whether scores mean something only beside those of other transitions of the same state.
  virtual bool is_relative() const { return false; }
  // With a beam, many states look the same to the features: while this is on, none is scored twice.
  virtual void cache_scores(bool) {}
};

struct LabelScore {
  int32_t label;
  float score;
};

// Scores that were computed for the same features, as long as weights stay as they are. A new entry replaces an old
// one.
template <typename T>
class ScoreCache {
 public:
  explicit ScoreCache(std::size_t width) : width_(width) {}

  void restart(bool on) {
    on_ = on;
    if (on && marks_.empty()) {
      marks_.assign(kPlaces, {0, 0});
      values_.resize(kPlaces * width_);
    }
    ++generation_;
  }

  bool is_on() const { return on_; }

  // The values for these keys, and whether they are known already.
  std::pair<T*, bool> at(const std::vector<Value>& keys) {
    Value all = 0x9216D5D98979FB1Bu;
    for (Value key : keys) all = (all ^ key) * 0x9E3779B97F4A7C15u;
    all ^= all >> 31;
    auto& mark = marks_[all & (kPlaces - 1)];
    T* values = values_.data() + (all & (kPlaces - 1)) * width_;
    if (mark.first == all && mark.second == generation_) return {values, true};
    mark = {all, generation_};
    return {values, false};
  }

 private:
  static constexpr std::size_t kPlaces = 1 << 12;
  std::size_t width_;
  bool on_ = false;
  uint64_t generation_ = 0;
  std::vector<std::pair<Value, uint64_t>> marks_;
  std::vector<T> values_;
};

inline int32_t best_of(const std::vector<float>& scores) {
  return static_cast<int32_t>(std::max_element(scores.begin(), scores.end()) - scores.begin());
}

// The best of some candidates, the first of them among equals; -1 where there are none.
inline int32_t best_among(const std::vector<float>& scores, ArrayView<int32_t> candidates) {
  int32_t best = -1;
  for (int32_t c : candidates)
    if (best < 0 || scores[c] > scores[best]) best = c;
  return best;
}

}  // namespace multiplane
