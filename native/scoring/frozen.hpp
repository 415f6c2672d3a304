// Linear models as they parse: whole numbers in tables of cache lines, which threads share.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <vector>

#include "common/array_view.hpp"
#include "common/demand.hpp"
#include "common/memory.hpp"
#include "features/features.hpp"
#include "scoring/scorer.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace multiplane {

// A frozen table finds the row of a key: 4 bytes of the key tell rows apart, the place tells the rest. A tag of 0 is an
// empty slot.
inline uint32_t tag_of(Value key) { return static_cast<uint32_t>(key >> 32) | 1; }

// Most keys have no row in a table; a sieve that fits into the cache holds nearly all of them back.
class Sieve {
 public:
  Sieve() = default;
  explicit Sieve(std::size_t rows) {
    std::size_t words = 16;
    while (words * 64 < 6 * rows) words *= 2;
    bits_.resize(words);
  }

  void insert(Value key) { bits_[word(key)] |= bit(key); }

  // Those keys that may have a row.
  void pass(const std::vector<Value>& keys, std::vector<Value>& passed) const {
    passed.resize(keys.size());
    std::size_t count = 0;
    for (Value key : keys) {
      passed[count] = key;
      count += (bits_[word(key)] & bit(key)) != 0;
    }
    passed.resize(count);
  }

 private:
  std::size_t word(Value key) const { return (key >> 26) & (bits_.size() - 1); }
  static uint64_t bit(Value key) { return uint64_t{1} << ((key >> 20) & 63); }

  Table<uint64_t> bits_;
};

// Rows of whole numbers for every class. A row is a power of two and a byte for every class, to be multiplied with it;
// a bucket is the tags of four rows and the rows, in whole lines of memory, and what finds it full goes to the next
// one. Whether a key is there cannot be foretold, so that a branch on it would be taken wrongly every other time: some
// row is always read, and counts for nothing if it is not the right one.
class FrozenDense {
 public:
  FrozenDense() = default;
  FrozenDense(int32_t classes, std::size_t rows)
      : classes_(classes), lines_((kWeights + static_cast<std::size_t>(classes) + kBlock - 1) / kBlock), sieve_(rows) {
    std::size_t buckets = 4;
    while (2 * buckets < 3 * rows / 2) buckets *= 2;
    mask_ = buckets - 1;
    memory_.resize(buckets * lines_);
  }

  void insert(Value key, const int16_t* weights) {
    sieve_.insert(key);
    int32_t largest = 0;
    for (int32_t c = 0; c < classes_; ++c) largest = std::max(largest, std::abs(int32_t{weights[c]}));
    int8_t shift = 0;
    while (shift < 8 && (largest >> shift) > INT8_MAX) ++shift;
    for (std::size_t bucket = key & mask_;; bucket = (bucket + 1) & mask_) {
      int8_t* bytes = at(bucket);
      for (std::size_t r = 0; r < kRows; ++r) {
        if (tag_in(bytes, r) != 0) continue;
        const uint32_t tag = tag_of(key);
        std::memcpy(bytes + r * sizeof tag, &tag, sizeof tag);
        int8_t* row = bytes + row_at(r, lines_);
        row[kShift] = shift;
        for (int32_t c = 0; c < classes_; ++c) row[kWeights + c] = halved(weights[c], shift);
        return;
      }
    }
  }

  void add_to(const std::vector<Value>& keys, std::vector<Value>& passed, float* scores) const {
    sieve_.pass(keys, passed);
    for (Value key : passed) __builtin_prefetch(at(key & mask_));
    if (lines_ == 1) return sum<1>(passed, scores);
    if (lines_ == 2) return sum<2>(passed, scores);
    for (Value key : passed) add_row(key, scores);
  }

  int32_t classes() const { return classes_; }

 private:
  // Rows are addressed from four bytes before them, so that they are read in whole blocks within their bucket.
  static constexpr std::size_t kRows = 4, kBlock = 16, kShift = 4, kWeights = 5;
  struct alignas(64) Line {  // of memory, as a processor fetches it
    int8_t bytes[64] = {};
  };

  static constexpr std::size_t row_at(std::size_t row, std::size_t lines) {
    return kBlock - kShift + row * (lines * kBlock - kShift);
  }

  static uint32_t tag_in(const int8_t* bucket, std::size_t row) {
    uint32_t tag;
    std::memcpy(&tag, bucket + row * sizeof tag, sizeof tag);
    return tag;
  }

  // A number divided by a power of two and rounded.
  static int8_t halved(int32_t number, int shift) {
    const int32_t size = std::min((std::abs(number) + (1 << shift >> 1)) >> shift, int32_t{INT8_MAX});
    return static_cast<int8_t>(number >= 0 ? size : -size);
  }

  template <int kLines>
  void sum(const std::vector<Value>& keys, float* scores) const {
    Totals<kLines> totals;
    for (Value key : keys) {
      for (std::size_t bucket = key & mask_;; bucket = (bucket + 1) & mask_) {
        const int8_t* bytes = memory_[bucket * kLines].bytes;
        // A bucket that was never full is the last one to look at.
        if (totals.add(bytes, tag_of(key)) || tag_in(bytes, kRows - 1) == 0) break;
      }
    }
    alignas(16) int32_t values[kBlock * kLines];
    totals.store(values);
    for (int32_t c = 0; c < classes_; ++c) scores[c] += static_cast<float>(values[kWeights + c]);
  }

  // Sums of the rows that bear a tag, lane by lane; the lanes before the weights mean nothing.
  template <int kLines>
  struct Totals {
#if defined(__SSE2__)
    __m128i sums[4 * kLines];

    Totals() {
      for (__m128i& s : sums) s = _mm_setzero_si128();
    }

    bool add(const int8_t* bucket, uint32_t tag) {
      const __m128i zero = _mm_setzero_si128();
      const __m128i tags = _mm_load_si128(reinterpret_cast<const __m128i*>(bucket));
      const __m128i same = _mm_cmpeq_epi32(tags, _mm_set1_epi32(static_cast<int32_t>(tag)));
      const int found = _mm_movemask_ps(_mm_castsi128_ps(same));
      const __m128i kept = _mm_set1_epi32(-static_cast<int32_t>(found != 0));
      const int8_t* row = bucket + row_at(static_cast<std::size_t>(__builtin_ctz(found | 1 << (kRows - 1))), kLines);
      __m128i shift;
      for (int b = 0; b < kLines; ++b) {
        const __m128i block = _mm_and_si128(_mm_loadu_si128(reinterpret_cast<const __m128i*>(row + b * kBlock)), kept);
        if (b == 0) shift = _mm_and_si128(_mm_srli_si128(block, kShift), _mm_cvtsi32_si128(0xFF));
        // A byte goes into the upper half of its new place and is shifted down with its sign.
        const __m128i low = _mm_sll_epi16(_mm_srai_epi16(_mm_unpacklo_epi8(zero, block), 8), shift);
        const __m128i high = _mm_sll_epi16(_mm_srai_epi16(_mm_unpackhi_epi8(zero, block), 8), shift);
        if (b > 0) accumulate(sums[4 * b], _mm_unpacklo_epi16(zero, low));
        accumulate(sums[4 * b + 1], _mm_unpackhi_epi16(zero, low));
        accumulate(sums[4 * b + 2], _mm_unpacklo_epi16(zero, high));
        accumulate(sums[4 * b + 3], _mm_unpackhi_epi16(zero, high));
      }
      return found != 0;
    }

    static void accumulate(__m128i& sum, __m128i upper) { sum = _mm_add_epi32(sum, _mm_srai_epi32(upper, 16)); }

    void store(int32_t* values) const {
      for (int i = 0; i < 4 * kLines; ++i) _mm_store_si128(reinterpret_cast<__m128i*>(values) + i, sums[i]);
    }
#else
    int32_t sums[kBlock * kLines] = {};

    bool add(const int8_t* bucket, uint32_t tag) {
      for (std::size_t r = 0; r < kRows; ++r) {
        if (tag_in(bucket, r) != tag) continue;
        const int8_t* row = bucket + row_at(r, kLines);
        for (std::size_t i = kWeights; i < kBlock * kLines; ++i) sums[i] += row[i] * (1 << row[kShift]);
        return true;
      }
      return false;
    }

    void store(int32_t* values) const { std::copy(std::begin(sums), std::end(sums), values); }
#endif
  };

  // For systems with many transitions.
  void add_row(Value key, float* scores) const {
    for (std::size_t bucket = key & mask_;; bucket = (bucket + 1) & mask_) {
      const int8_t* bytes = at(bucket);
      for (std::size_t r = 0; r < kRows; ++r) {
        if (tag_in(bytes, r) == 0) return;
        if (tag_in(bytes, r) != tag_of(key)) continue;
        const int8_t* row = bytes + row_at(r, lines_);
        for (int32_t c = 0; c < classes_; ++c) scores[c] += static_cast<float>(row[kWeights + c] * (1 << row[kShift]));
        return;
      }
    }
  }

  int8_t* at(std::size_t bucket) { return memory_[bucket * lines_].bytes; }
  const int8_t* at(std::size_t bucket) const { return memory_[bucket * lines_].bytes; }

  int32_t classes_ = 0;
  std::size_t lines_ = 1, mask_ = 0;
  Table<Line> memory_;
  Sieve sieve_;
};

// Rows of a few classes with whole numbers: slots with a tag and the place of a list, which begins with its length.
class FrozenSparse {
 public:
  FrozenSparse() = default;
  explicit FrozenSparse(std::size_t rows) {
    std::size_t slots = 16;
    while (slots * 2 < rows * 3) slots *= 2;
    slots_.resize(slots);
    sieve_ = Sieve(rows);
    lists_.push_back({0, 0});  // place 0 is for no list
  }

  struct Item {
    uint16_t cls;
    int16_t weight;
  };

  void insert(Value key, const std::vector<Item>& items) {
    sieve_.insert(key);
    std::size_t i = key & (slots_.size() - 1);
    while (slots_[i].tag != 0) i = (i + 1) & (slots_.size() - 1);
    slots_[i] = {tag_of(key), static_cast<uint32_t>(lists_.size())};
    lists_.push_back({static_cast<uint16_t>(items.size()), 0});
    lists_.insert(lists_.end(), items.begin(), items.end());
  }

  void add_to(const std::vector<Value>& keys, std::vector<Value>& passed, std::vector<uint32_t>& places,
              float* scores) const {
    const std::size_t mask = slots_.size() - 1;
    sieve_.pass(keys, passed);
    for (Value key : passed) __builtin_prefetch(&slots_[key & mask]);
    places.clear();
    for (Value key : passed) {
      const uint32_t wanted = tag_of(key);
      for (std::size_t i = key & mask; slots_[i].tag != 0; i = (i + 1) & mask) {
        if (slots_[i].tag != wanted) continue;
        places.push_back(slots_[i].place);
        __builtin_prefetch(&lists_[slots_[i].place]);
        break;
      }
    }
    for (uint32_t place : places) {
      const Item* list = &lists_[place];
      for (int i = list->cls; i > 0; --i) {
        ++list;
        scores[list->cls] += list->weight;
      }
    }
  }

 private:
  struct Slot {
    uint32_t tag = 0, place = 0;
  };
  Table<Slot> slots_;
  Table<Item> lists_;
  Sieve sieve_;
};

// The weights of a linear model as they are stored.
struct LinearArrays {
  ArrayView<Value> keys;
  ArrayView<int16_t> weights;  // one for each transition, key by key
  ArrayView<Value> label_keys;
  ArrayView<uint16_t> label_counts;   // how many labels each key has weights for
  ArrayView<uint16_t> label_classes;  // which labels, key by key
  ArrayView<int16_t> label_weights;
};

// The frozen weights of a model, shared by all that parse with it.
class FrozenLinear {
 public:
  FrozenDense transition;
  FrozenSparse label;
  int32_t labels;

  // Arrays may come from an untrusted file: whatever they are, no list may lead outside another.
  FrozenLinear(const LinearArrays& arrays, const FeatureModel& features, std::size_t transitions, int32_t label_count)
      : labels(label_count) {
    check(arrays, transitions);
    demand(features.transition.ends.size() <= kMostTemplates, "too many templates");
    transition = FrozenDense(static_cast<int32_t>(transitions), arrays.keys.size());
    for (std::size_t r = 0; r < arrays.keys.size(); ++r)
      transition.insert(arrays.keys[r], arrays.weights.data() + r * transitions);
    label = FrozenSparse(arrays.label_keys.size());
    std::vector<FrozenSparse::Item> items;
    std::size_t at = 0;
    for (std::size_t r = 0; r < arrays.label_keys.size(); ++r) {
      items.clear();
      for (int i = 0; i < arrays.label_counts[r]; ++i, ++at)
        items.push_back({arrays.label_classes[at], arrays.label_weights[at]});
      label.insert(arrays.label_keys[r], items);
    }
  }

 private:
  static constexpr std::size_t kMostTemplates = 10'000;  // so that no sum of weights can overflow

  void check(const LinearArrays& arrays, std::size_t transitions) const {
    demand(arrays.weights.size() == arrays.keys.size() * transitions,
           "the weights of transitions do not fit their keys");
    demand(arrays.label_counts.size() == arrays.label_keys.size() &&
               arrays.label_classes.size() == arrays.label_weights.size(),
           "the weights of labels do not fit their keys");
    for (const ArrayView<Value>& keys : {arrays.keys, arrays.label_keys})
      for (std::size_t r = 0; r < keys.size(); ++r)
        demand(keys[r] > (r == 0 ? 0 : keys[r - 1]), "keys must be in order, each once");
    demand(labels >= 1 && labels < 65536, "no such label");
    std::size_t total = 0;
    for (uint16_t count : arrays.label_counts) total += count;
    demand(total == arrays.label_classes.size(), "the weights of labels do not fit their keys");
    for (uint16_t cls : arrays.label_classes) demand(cls < labels, "no such label");
  }
};

class FrozenScorer : public Scorer {
 public:
  FrozenScorer(const FeatureModel& features, const FrozenLinear& weights)
      : features_(features),
        weights_(weights),
        transition_(features.transition),
        label_(features.label),
        label_scores_(weights.labels),
        known_scores_(weights.transition.classes()),
        known_labels_(1) {}

  void cache_scores(bool on) override {
    known_scores_.restart(on);
    known_labels_.restart(on);
  }

  void transitions(const State& s, const Value* rows, int32_t offset, float* scores) override {
    const std::vector<Value>& keys = transition_.extract(s, rows, features_.width, features_.mask, offset, {});
    if (!known_scores_.is_on()) return score(keys, scores);
    const auto [known, is_known] = known_scores_.at(keys);
    if (!is_known) score(keys, known);
    std::copy_n(known, weights_.transition.classes(), scores);
  }

  int32_t label(const State& s, const Value* rows, Ends ends, int32_t wanted, float& score) override {
    const std::vector<Value>& keys = label_.extract(s, rows, features_.width, features_.mask, 0, ends);
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

  void labels(const State& s, const Value* rows, Ends ends, std::vector<float>& scores) override {
    best_label(label_.extract(s, rows, features_.width, features_.mask, 0, ends), -1);
    scores = label_scores_;
  }

  // The best label of an arc among some, or -1 where there are none.
  int32_t label_among(const State& s, const Value* rows, Ends ends, ArrayView<int32_t> candidates) {
    if (candidates.size() <= 1) return candidates.size() == 0 ? -1 : candidates[0];
    best_label(label_.extract(s, rows, features_.width, features_.mask, 0, ends), -1);
    return best_among(label_scores_, candidates);
  }

 private:
  void score(const std::vector<Value>& keys, float* scores) {
    std::fill_n(scores, weights_.transition.classes(), 0.0f);
    weights_.transition.add_to(keys, passed_, scores);
  }

  LabelScore best_label(const std::vector<Value>& keys, int32_t wanted) {
    std::fill(label_scores_.begin(), label_scores_.end(), 0.0f);
    weights_.label.add_to(keys, passed_, places_, label_scores_.data());
    const int32_t label = wanted >= 0 ? wanted : best_of(label_scores_);
    return {label, label_scores_[label]};
  }

  const FeatureModel& features_;
  const FrozenLinear& weights_;
  FeatureExtractor transition_, label_;
  std::vector<float> label_scores_;
  ScoreCache<float> known_scores_;
  ScoreCache<LabelScore> known_labels_;
  std::vector<uint32_t> places_;
  std::vector<Value> passed_;
};

}  // namespace multiplane
