// Weights while they are learnt: floating-point numbers in tables that grow.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <utility>
#include <vector>

#include "common/hash_table.hpp"
#include "common/memory.hpp"

namespace multiplane {

// Weights that are averaged over time: every change is also counted with the time at which it was made, so that
// average = weight - summed / now.

// Every row has a weight for every class: for transitions, which are few.
class DenseWeights {
 public:
  explicit DenseWeights(int32_t classes) : classes_(classes), slots_(classes + 1) {}

  void add_to(const std::vector<Value>& keys, float* scores) const {
    for (Value key : keys) slots_.prefetch(key);
    for (Value key : keys) {
      const std::size_t slot = slots_.find(key);
      if (slot == HashTable<float>::kNone) continue;
      const float* w = slots_.payload(slot) + 1;
      for (int32_t c = 0; c < classes_; ++c) scores[c] += w[c];
    }
  }

  void update(const std::vector<Value>& keys, int32_t cls, float change, double time) {
    for (Value key : keys) {
      const std::size_t before = slots_.size(), slot = slots_.at(key);
      float* payload = slots_.payload(slot);
      if (slots_.size() > before) {  // a new row: its number is where its sums are kept
        const uint32_t row = static_cast<uint32_t>(before);
        std::memcpy(payload, &row, sizeof row);
        summed_.resize(slots_.size() * classes_, 0);
      }
      payload[1 + cls] += change;
      summed_[row_of(payload) * classes_ + cls] += change * time;
    }
  }

  // One row after another in the order of keys: keys and averaged weights.
  void average(double time, std::vector<Value>& keys, std::vector<float>& weights) const {
    for (std::size_t slot : slots_.sorted()) {
      keys.push_back(slots_.key(slot));
      const float* payload = slots_.payload(slot);
      const double* sums = summed_.data() + row_of(payload) * classes_;
      for (int32_t c = 0; c < classes_; ++c) weights.push_back(static_cast<float>(payload[1 + c] - sums[c] / time));
    }
  }

  int32_t classes() const { return classes_; }

  void dump(std::vector<Value>& keys, std::vector<float>& now, std::vector<double>& summed) const {
    for (std::size_t slot : slots_.sorted()) {
      keys.push_back(slots_.key(slot));
      const float* payload = slots_.payload(slot);
      now.insert(now.end(), payload + 1, payload + 1 + classes_);
      const double* sums = summed_.data() + row_of(payload) * classes_;
      summed.insert(summed.end(), sums, sums + classes_);
    }
  }

  void restore(const Value* keys, std::size_t count, const float* now, const double* summed) {
    slots_ = HashTable<float>(classes_ + 1);
    summed_.assign(summed, summed + count * classes_);
    for (std::size_t i = 0; i < count; ++i) {
      float* payload = slots_.payload(slots_.at(keys[i]));
      if (keys[i] == 0 || slots_.size() != i + 1) throw std::invalid_argument("a key occurs twice");
      const uint32_t row = static_cast<uint32_t>(i);
      std::memcpy(payload, &row, sizeof row);
      std::copy_n(now + i * classes_, classes_, payload + 1);
    }
  }

 private:
  static std::size_t row_of(const float* payload) {
    uint32_t row;
    std::memcpy(&row, payload, sizeof row);
    return row;
  }

  int32_t classes_;
  HashTable<float> slots_;
  Table<double> summed_;
};

// Every row has weights for the classes that it was changed for: for labels, which are many.
class SparseWeights {
 public:
  struct Entry {
    int32_t cls;
    float now;
    double summed;
  };

  void add_to(const std::vector<Value>& keys, float* scores) {
    for (Value key : keys) slots_.prefetch(key);
    found_.clear();
    for (Value key : keys) {
      const std::size_t slot = slots_.find(key);
      if (slot == HashTable<int32_t>::kNone) continue;
      const int32_t* row = slots_.payload(slot);
      found_.emplace_back(row[0], row[0] + row[1]);
      __builtin_prefetch(&weights_[row[0]]);
    }
    for (const auto& [begin, end] : found_)
      for (int32_t e = begin; e < end; ++e) scores[weights_[e].cls] += weights_[e].now;
  }

  void update(const std::vector<Value>& keys, int32_t cls, float change, double time) {
    for (Value key : keys) {
      const int32_t e = place_of(key, cls);
      weights_[e].now += change;
      summed_[e] += change * time;
    }
  }

  // Calls with every row in the order of keys and its entries in the order of classes.
  template <typename Look>
  void walk(Look&& look) const {
    std::vector<Entry> row;
    for (std::size_t slot : slots_.sorted()) {
      const int32_t begin = slots_.payload(slot)[0], end = begin + slots_.payload(slot)[1];
      row.clear();
      for (int32_t e = begin; e < end; ++e) row.push_back({weights_[e].cls, weights_[e].now, summed_[e]});
      std::sort(row.begin(), row.end(), [](const Entry& x, const Entry& y) { return x.cls < y.cls; });
      look(slots_.key(slot), row);
    }
  }

  void restore(Value key, int32_t cls, float now, double summed) {
    const int32_t e = place_of(key, cls);
    weights_[e].now = now;
    summed_[e] = summed;
  }
  void clear() { *this = SparseWeights(); }

 private:
  struct Weight {
    int32_t cls;
    float now;
  };

  // The weights of a row lie side by side. What is needed only to change them lies apart.
  int32_t place_of(Value key, int32_t cls) {
    int32_t* row = slots_.payload(slots_.at(key));
    int32_t &begin = row[0], &size = row[1];
    for (int32_t e = begin; e < begin + size; ++e)
      if (weights_[e].cls == cls) return e;
    if ((size & (size - 1)) == 0) move(begin, size);
    weights_[begin + size] = {cls, 0};
    return begin + size++;
  }

  // A row has room for a power of two; when that is full it moves to where there is room for the next one.
  void move(int32_t& begin, int32_t size) {
    const std::size_t to = weights_.size(), room = size == 0 ? 1 : 2 * size;
    if (to + room > INT32_MAX) throw std::length_error("too many features of labels");
    weights_.resize(to + room);
    summed_.resize(to + room);
    std::copy_n(weights_.begin() + begin, size, weights_.begin() + static_cast<std::ptrdiff_t>(to));
    std::copy_n(summed_.begin() + begin, size, summed_.begin() + static_cast<std::ptrdiff_t>(to));
    begin = static_cast<int32_t>(to);
  }

  HashTable<int32_t> slots_{2};  // where a row begins, and how many weights it has
  Table<Weight> weights_;
  Table<double> summed_;
  std::vector<std::pair<int32_t, int32_t>> found_;
};

}  // namespace multiplane
