// Linear models: sums of weights by feature, for transitions and then, where an arc was built, for its label.
//
// While training, weights are floating-point numbers in tables that grow. To parse, they are frozen: whole numbers in
// tables of cache lines, which can be stored, mapped and shared as they are.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <vector>

#include "features.hpp"

namespace multiplane {

// What a search asks a model. A model looks at one sentence at a time.
class Scorer {
 public:
  virtual ~Scorer() = default;
  // One score for every transition. With an offset, as if so many words of the buffer had been shifted.
  virtual void transitions(const State& s, const Value* rows, int32_t offset, float* scores) = 0;
  // The best label of an arc, among all.
  virtual int32_t label(const State& s, const Value* rows, Ends ends) = 0;
};

struct FeatureModel {
  std::size_t width = 0;  // attributes of a word
  FeaturePart transition, label;
  uint64_t mask = ~uint64_t{0};  // fewer bits than all: features share rows
};

// The rows of a growing table, by key.
class Rows {
 public:
  explicit Rows(std::size_t slots = 1 << 12) : keys_(slots, 0), rows_(slots, -1) {}

  void prefetch(Value key) const {
    const std::size_t slot = key & (keys_.size() - 1);
    __builtin_prefetch(&keys_[slot]);
    __builtin_prefetch(&rows_[slot]);
  }

  int32_t find(Value key) const {
    const std::size_t mask = keys_.size() - 1;
    for (std::size_t i = key & mask; rows_[i] >= 0; i = (i + 1) & mask)
      if (keys_[i] == key) return rows_[i];
    return -1;
  }

  int32_t find_or_add(Value key) {
    if (2 * static_cast<std::size_t>(count_) >= keys_.size()) grow();
    const std::size_t mask = keys_.size() - 1;
    std::size_t i = key & mask;
    for (; rows_[i] >= 0; i = (i + 1) & mask)
      if (keys_[i] == key) return rows_[i];
    keys_[i] = key;
    return rows_[i] = count_++;
  }

  int32_t size() const { return count_; }

  // The keys, by row.
  std::vector<Value> keys() const {
    std::vector<Value> found(count_);
    for (std::size_t i = 0; i < keys_.size(); ++i)
      if (rows_[i] >= 0) found[rows_[i]] = keys_[i];
    return found;
  }

 private:
  void grow() {
    std::vector<Value> keys(2 * keys_.size(), 0);
    std::vector<int32_t> rows(2 * keys_.size(), -1);
    const std::size_t mask = keys.size() - 1;
    for (std::size_t j = 0; j < keys_.size(); ++j) {
      if (rows_[j] < 0) continue;
      std::size_t i = keys_[j] & mask;
      while (rows[i] >= 0) i = (i + 1) & mask;
      keys[i] = keys_[j];
      rows[i] = rows_[j];
    }
    keys_.swap(keys);
    rows_.swap(rows);
  }

  std::vector<Value> keys_;
  std::vector<int32_t> rows_;
  int32_t count_ = 0;
};

// Weights with what is needed for their average over time: every change is also counted with the time it was made at,
// so that average = weight - summed / now.
struct Weight {
  float now = 0;
  double summed = 0;
};

// Every row has a weight for every class: for transitions, which are few.
class DenseWeights {
 public:
  explicit DenseWeights(int32_t classes) : classes_(classes) {}

  void add_to(const std::vector<Value>& keys, float* scores) {
    for (Value key : keys) rows_.prefetch(key);
    found_.clear();
    for (Value key : keys) {
      const int32_t row = rows_.find(key);
      if (row < 0) continue;
      found_.push_back(row);
      __builtin_prefetch(&now_[static_cast<std::size_t>(row) * classes_]);
    }
    for (int32_t row : found_) {
      const float* w = &now_[static_cast<std::size_t>(row) * classes_];
      for (int32_t c = 0; c < classes_; ++c) scores[c] += w[c];
    }
  }

  void update(const std::vector<Value>& keys, int32_t cls, float change, double time) {
    for (Value key : keys) {
      const std::size_t row = rows_.find_or_add(key);
      if ((row + 1) * classes_ > now_.size()) {
        now_.resize((row + 1) * classes_, 0);
        summed_.resize((row + 1) * classes_, 0);
      }
      now_[row * classes_ + cls] += change;
      summed_[row * classes_ + cls] += change * time;
    }
  }

  // One row after another: keys and averaged weights.
  void average(double time, std::vector<Value>& keys, std::vector<float>& weights) const {
    keys = rows_.keys();
    weights.resize(now_.size());
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<float>(now_[i] - summed_[i] / time);
  }

  int32_t classes() const { return classes_; }
  std::vector<Value> keys() const { return rows_.keys(); }
  const std::vector<float>& now() const { return now_; }
  const std::vector<double>& summed() const { return summed_; }
  void restore(const Value* keys, std::size_t count, const float* now, const double* summed) {
    rows_ = Rows();
    for (std::size_t i = 0; i < count; ++i)
      if (rows_.find_or_add(keys[i]) != static_cast<int32_t>(i)) throw std::invalid_argument("a key occurs twice");
    now_.assign(now, now + count * classes_);
    summed_.assign(summed, summed + count * classes_);
  }

 private:
  int32_t classes_;
  Rows rows_;
  std::vector<float> now_;
  std::vector<double> summed_;
  std::vector<int32_t> found_;
};

// Every row has weights for the classes that it was changed for: for labels, which are many.
class SparseWeights {
 public:
  struct Entry {
    int32_t cls, next;  // the next entry of the same row, or -1
    float now;
    double summed;
  };

  void add_to(const std::vector<Value>& keys, float* scores) {
    for (Value key : keys) rows_.prefetch(key);
    for (Value key : keys) {
      const int32_t row = rows_.find(key);
      if (row < 0) continue;
      for (int32_t e = first_[row]; e >= 0; e = entries_[e].next) scores[entries_[e].cls] += entries_[e].now;
    }
  }

  void update(const std::vector<Value>& keys, int32_t cls, float change, double time) {
    for (Value key : keys) {
      const int32_t row = rows_.find_or_add(key);
      if (row == static_cast<int32_t>(first_.size())) first_.push_back(-1);
      int32_t e = first_[row];
      while (e >= 0 && entries_[e].cls != cls) e = entries_[e].next;
      if (e < 0) {
        e = static_cast<int32_t>(entries_.size());
        entries_.push_back({cls, first_[row], 0, 0});
        first_[row] = e;
      }
      entries_[e].now += change;
      entries_[e].summed += change * time;
    }
  }

  // One row after another: keys, how many entries each has, classes and averaged weights.
  void average(double time, std::vector<Value>& keys, std::vector<int32_t>& counts, std::vector<int32_t>& classes,
               std::vector<float>& weights) const {
    keys = rows_.keys();
    for (int32_t first : first_) {
      int32_t count = 0;
      for (int32_t e = first; e >= 0; e = entries_[e].next, ++count) {
        classes.push_back(entries_[e].cls);
        weights.push_back(static_cast<float>(entries_[e].now - entries_[e].summed / time));
      }
      counts.push_back(count);
    }
  }

  std::vector<Value> keys() const { return rows_.keys(); }
  const std::vector<int32_t>& first() const { return first_; }
  const std::vector<Entry>& entries() const { return entries_; }
  void restore(const Value* keys, std::size_t count, std::vector<int32_t> first, std::vector<Entry> entries) {
    rows_ = Rows();
    for (std::size_t i = 0; i < count; ++i)
      if (rows_.find_or_add(keys[i]) != static_cast<int32_t>(i)) throw std::invalid_argument("a key occurs twice");
    first_ = std::move(first);
    entries_ = std::move(entries);
  }

 private:
  Rows rows_;
  std::vector<int32_t> first_;
  std::vector<Entry> entries_;
};

// A frozen table finds the row of a key: 4 bytes of the key tell rows apart, the place tells the rest. A tag of 0 is an
// empty slot.
inline uint32_t tag_of(Value key) { return static_cast<uint32_t>(key >> 32) | 1; }

// Rows of whole numbers for every class, a tag before them, padded to 16 bytes.
class FrozenDense {
 public:
  FrozenDense() = default;
  FrozenDense(int32_t classes, std::size_t rows) : classes_(classes), stride_(stride_of(classes)) {
    std::size_t slots = 16;
    while (slots * 2 < rows * 3) slots *= 2;
    slots_.assign(slots * stride_ / 2, 0);
    count_ = slots;
  }

  static std::size_t stride_of(int32_t classes) { return (4 + 2 * static_cast<std::size_t>(classes) + 15) / 16 * 16; }

  void insert(Value key, const int16_t* weights) {
    std::size_t i = key & (count_ - 1);
    while (tag(i) != 0) i = (i + 1) & (count_ - 1);
    const uint32_t t = tag_of(key);
    std::memcpy(at(i), &t, 4);
    std::memcpy(at(i) + 2, weights, 2 * classes_);
  }

  void add_to(const std::vector<Value>& keys, float* scores) const {
    const std::size_t mask = count_ - 1;
    for (Value key : keys) __builtin_prefetch(at(key & mask));
    if (stride_ == 16) {
      sum<1>(keys, scores);
    } else if (stride_ == 32) {
      sum<2>(keys, scores);
    } else {
      for (Value key : keys) {
        const int16_t* row = find(key);
        if (row == nullptr) continue;
        for (int32_t c = 0; c < classes_; ++c) scores[c] += row[2 + c];
      }
    }
  }

  int32_t classes() const { return classes_; }

 private:
  typedef int16_t Halves __attribute__((vector_size(16)));
  typedef int32_t Wholes __attribute__((vector_size(32)));

  template <int kBlocks>
  void sum(const std::vector<Value>& keys, float* scores) const {
    Wholes totals[kBlocks] = {};
    for (Value key : keys) {
      const int16_t* row = find(key);
      if (row == nullptr) continue;
      for (int b = 0; b < kBlocks; ++b) {
        Halves halves;
        std::memcpy(&halves, row + 8 * b, 16);
        totals[b] += __builtin_convertvector(halves, Wholes);
      }
    }
    for (int32_t c = 0; c < classes_; ++c) scores[c] += static_cast<float>(totals[(c + 2) / 8][(c + 2) % 8]);
  }

  const int16_t* find(Value key) const {
    const uint32_t wanted = tag_of(key);
    for (std::size_t i = key & (count_ - 1);; i = (i + 1) & (count_ - 1)) {
      const uint32_t t = tag(i);
      if (t == wanted) return at(i);
      if (t == 0) return nullptr;
    }
  }

  int16_t* at(std::size_t slot) { return slots_.data() + slot * (stride_ / 2); }
  const int16_t* at(std::size_t slot) const { return slots_.data() + slot * (stride_ / 2); }
  uint32_t tag(std::size_t slot) const {
    uint32_t t;
    std::memcpy(&t, at(slot), 4);
    return t;
  }

  int32_t classes_ = 0;
  std::size_t stride_ = 16, count_ = 0;
  std::vector<int16_t> slots_;
};

// Rows of a few classes with whole numbers: slots with a tag and the place of a list, which begins with its length.
class FrozenSparse {
 public:
  FrozenSparse() = default;
  explicit FrozenSparse(std::size_t rows) {
    std::size_t slots = 16;
    while (slots * 2 < rows * 3) slots *= 2;
    slots_.resize(slots);
    lists_.push_back({0, 0});  // place 0 is for no list
  }

  struct Item {
    uint16_t cls;
    int16_t weight;
  };

  void insert(Value key, const std::vector<Item>& items) {
    std::size_t i = key & (slots_.size() - 1);
    while (slots_[i].tag != 0) i = (i + 1) & (slots_.size() - 1);
    slots_[i] = {tag_of(key), static_cast<uint32_t>(lists_.size())};
    lists_.push_back({static_cast<uint16_t>(items.size()), 0});
    lists_.insert(lists_.end(), items.begin(), items.end());
  }

  void add_to(const std::vector<Value>& keys, std::vector<uint32_t>& places, float* scores) const {
    const std::size_t mask = slots_.size() - 1;
    for (Value key : keys) __builtin_prefetch(&slots_[key & mask]);
    places.clear();
    for (Value key : keys) {
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
  std::vector<Slot> slots_;
  std::vector<Item> lists_;
};

inline int32_t best_of(const std::vector<float>& scores) {
  return static_cast<int32_t>(std::max_element(scores.begin(), scores.end()) - scores.begin());
}

// The frozen weights of a model, shared by all that parse with it.
struct FrozenLinear {
  FrozenDense transition;
  FrozenSparse label;
  int32_t labels = 0;
};

class FrozenScorer : public Scorer {
 public:
  FrozenScorer(const FeatureModel& features, const FrozenLinear& weights)
      : features_(features),
        weights_(weights),
        transition_(features.transition),
        label_(features.label),
        label_scores_(weights.labels) {}

  void transitions(const State& s, const Value* rows, int32_t offset, float* scores) override {
    const std::vector<Value>& keys = transition_.extract(s, rows, features_.width, features_.mask, offset, {});
    std::fill_n(scores, weights_.transition.classes(), 0.0f);
    weights_.transition.add_to(keys, scores);
  }

  int32_t label(const State& s, const Value* rows, Ends ends) override {
    const std::vector<Value>& keys = label_.extract(s, rows, features_.width, features_.mask, 0, ends);
    std::fill(label_scores_.begin(), label_scores_.end(), 0.0f);
    weights_.label.add_to(keys, places_, label_scores_.data());
    return best_of(label_scores_);
  }

 private:
  const FeatureModel& features_;
  const FrozenLinear& weights_;
  FeatureExtractor transition_, label_;
  std::vector<float> label_scores_;
  std::vector<uint32_t> places_;
};

}  // namespace multiplane
