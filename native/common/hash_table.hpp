// A hash table that grows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "common/hash.hpp"
#include "common/memory.hpp"

namespace multiplane {

// A growing table: slots with a key and a payload, found by open addressing. Payloads lie beside their keys, so that
// finding one touches one line of memory. Key 0 is an empty slot.
template <typename Payload>
class HashTable {
 public:
  explicit HashTable(std::size_t payload, std::size_t slots = 1 << 12)
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

}  // namespace multiplane
