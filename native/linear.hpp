// Linear models: sums of weights by feature, for transitions and then, where an arc was built, for its label.
//
// While training, weights are floating-point numbers in tables that grow. To parse, they are frozen: whole numbers in
// tables of cache lines, which threads share.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <vector>

#include "features.hpp"
#include "memory.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace multiplane {

// What a search asks a model. A model looks at one sentence at a time.
class Scorer {
 public:
  virtual ~Scorer() = default;
  // One score for every transition. With an offset, as if so many words of the buffer had been shifted.
  virtual void transitions(const State& s, const Value* rows, int32_t offset, float* scores) = 0;
  // The best label of an arc among all, or the one wanted, with its score.
  virtual int32_t label(const State& s, const Value* rows, Ends ends, int32_t wanted, float& score) = 0;
  // Whether scores mean something only beside those of other transitions of the same state.
  virtual bool is_relative() const { return false; }
  // With a beam, many states look the same to the features; what was scored since this call need not be again.
  virtual void remember(bool) {}
};

struct LabelScore {
  int32_t label;
  float score;
};

// What was computed for the same features, as long as weights stay as they are. A new entry takes the place of an old.
template <typename T>
class Memory {
 public:
  explicit Memory(std::size_t width) : width_(width) {}

  void restart(bool on) {
    on_ = on;
    if (on && marks_.empty()) {
      marks_.assign(kPlaces, {0, 0});
      values_.resize(kPlaces * width_);
    }
    ++generation_;
  }

  bool is_on() const { return on_; }

  // The values for these keys; whether they are known already is told by the second.
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

struct FeatureModel {
  std::size_t width = 0;  // attributes of a word
  FeaturePart transition, label;
  uint64_t mask = ~uint64_t{0};  // fewer bits than all: features share rows
};

// A growing table: slots with a key and a payload, found by open addressing. Payloads lie beside their keys, so that
// finding one touches one line of memory. Key 0 is an empty slot.
template <typename Payload>
class Slots {
 public:
  explicit Slots(std::size_t payload, std::size_t slots = 1 << 12)
      : payload_(payload), stride_((sizeof(Value) + payload * sizeof(Payload) + 15) / 16 * 4), count_(slots) {
    allocate();
  }

  std::size_t size() const { return used_; }
  std::size_t slots() const { return count_; }
  Value key(std::size_t slot) const {
    Value k;
    std::memcpy(&k, memory_.data() + slot * stride_, sizeof k);
    return k;
  }
  Payload* payload(std::size_t slot) { return reinterpret_cast<Payload*>(memory_.data() + slot * stride_ + 2); }
  const Payload* payload(std::size_t slot) const {
    return reinterpret_cast<const Payload*>(memory_.data() + slot * stride_ + 2);
  }
  void prefetch(Value key) const { __builtin_prefetch(memory_.data() + (key & (count_ - 1)) * stride_); }

  static constexpr std::size_t kNone = ~std::size_t{0};

  std::size_t find(Value wanted) const {
    for (std::size_t i = wanted & (count_ - 1);; i = (i + 1) & (count_ - 1)) {
      const Value k = key(i);
      if (k == wanted) return i;
      if (k == 0) return kNone;
    }
  }

  // The slot of a key, which may be new.
  std::size_t at(Value wanted) {
    if (2 * used_ >= count_) grow();
    std::size_t i = wanted & (count_ - 1);
    for (;; i = (i + 1) & (count_ - 1)) {
      const Value k = key(i);
      if (k == wanted) return i;
      if (k == 0) break;
    }
    std::memcpy(memory_.data() + i * stride_, &wanted, sizeof wanted);
    ++used_;
    return i;
  }

  // Slots in the order of their keys: the same whatever their history.
  std::vector<std::size_t> sorted() const {
    std::vector<std::pair<Value, std::size_t>> found;
    found.reserve(used_);
    for (std::size_t i = 0; i < count_; ++i)
      if (key(i) != 0) found.emplace_back(key(i), i);
    std::sort(found.begin(), found.end());
    std::vector<std::size_t> order;
    order.reserve(used_);
    for (const auto& [k, i] : found) order.push_back(i);
    return order;
  }

 private:
  static_assert(sizeof(Payload) == 4, "payloads are counted in words of 4 bytes");

  void allocate() { memory_.assign(count_ * stride_, 0); }

  void grow() {
    Table<uint32_t> before;
    before.swap(memory_);
    const std::size_t slots = count_;
    count_ *= 2;
    allocate();
    for (std::size_t j = 0; j < slots; ++j) {
      Value k;
      std::memcpy(&k, before.data() + j * stride_, sizeof k);
      if (k == 0) continue;
      std::size_t i = k & (count_ - 1);
      while (key(i) != 0) i = (i + 1) & (count_ - 1);
      std::memcpy(memory_.data() + i * stride_, before.data() + j * stride_, stride_ * sizeof(uint32_t));
    }
  }

  std::size_t payload_, stride_;  // the stride in words of 4 bytes
  std::size_t count_, used_ = 0;
  Table<uint32_t> memory_;
};

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
      if (slot == Slots<float>::kNone) continue;
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
    slots_ = Slots<float>(classes_ + 1);
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
  Slots<float> slots_;
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
      if (slot == Slots<int32_t>::kNone) continue;
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

  Slots<int32_t> slots_{2};  // where a row begins, and how many weights it has
  Table<Weight> weights_;
  Table<double> summed_;
  std::vector<std::pair<int32_t, int32_t>> found_;
};

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
        label_scores_(weights.labels),
        known_scores_(weights.transition.classes()),
        known_labels_(1) {}

  void remember(bool on) override {
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
  Memory<float> known_scores_;
  Memory<LabelScore> known_labels_;
  std::vector<uint32_t> places_;
  std::vector<Value> passed_;
};

}  // namespace multiplane
