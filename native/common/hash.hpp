// Hashes that mean the same everywhere: models store them.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace multiplane {

using Value = uint64_t;

inline Value mix(Value h, Value v) {
  h = (h ^ v) * 0x9E3779B97F4A7C15u;
  return h ^ (h >> 29);
}

inline Value hash_of(std::string_view text) {
  Value h = 0x243F6A8885A308D3u ^ text.size();
  std::size_t i = 0;
  for (; i + 8 <= text.size(); i += 8) {
    uint64_t block;
    std::memcpy(&block, text.data() + i, 8);
    h = mix(h, block);
  }
  uint64_t rest = 0;
  for (int shift = 0; i < text.size(); ++i, shift += 8) rest |= uint64_t{static_cast<unsigned char>(text[i])} << shift;
  return mix(h, rest);
}

}  // namespace multiplane
