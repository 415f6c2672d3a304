// Where every node is: one bit for the buffer and one for each stack.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "systems/configuration.hpp"

namespace multiplane {

class Places {
 public:
  static constexpr uint64_t kBuffer = 1, kStack = 2;
  static constexpr uint64_t kPassed = uint64_t{1} << 63;       // set aside
  static uint64_t on_stack(int32_t s) { return kStack << s; }  // at most 60 stacks

  explicit Places(int32_t n) : bits_(n + 1) {}

  void locate(const Configuration& c) {
    std::fill(bits_.begin(), bits_.end(), 0);
    for (int32_t i = 0; i < c.header().buffer_size; ++i) bits_[c.buffer()[i]] = kBuffer;
    for (int32_t s = 0; s < c.stacks(); ++s)
      for (int32_t i = 0; i < c.stack_sizes()[s]; ++i) bits_[c.stack(s)[i]] |= on_stack(s);
  }

  uint64_t operator[](int32_t node) const { return bits_[node]; }
  void set(int32_t node, uint64_t place) { bits_[node] = place; }

 private:
  std::vector<uint64_t> bits_;
};

}  // namespace multiplane
