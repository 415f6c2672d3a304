// Characters of UTF-8 texts, and their lower case.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace multiplane {

// UTF-8, one character at a time. Texts are validated on reading.
inline std::size_t character_size(unsigned char first) {
  return first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

inline uint32_t decode(const char* at, std::size_t size) {
  const auto* s = reinterpret_cast<const unsigned char*>(at);
  uint32_t c = size == 1 ? s[0] : s[0] & (0xFF >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) c = c << 6 | (s[i] & 0x3F);
  return c;
}

inline void encode(uint32_t c, std::string& out) {
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | c >> 6);
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | c >> 12);
    out += static_cast<char>(0x80 | (c >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | c >> 18);
    out += static_cast<char>(0x80 | (c >> 12 & 0x3F));
    out += static_cast<char>(0x80 | (c >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  }
}

// Lower case for alphabets with two cases; independent of the locale, so that a model means the same everywhere.
inline uint32_t to_lower(uint32_t c) {
  if (c >= 'A' && c <= 'Z') return c + 32;
  if (c < 0xC0) return c;
  if (c <= 0xDE) return c == 0xD7 ? c : c + 32;
  if (c >= 0x100 && c <= 0x137) return c == 0x130 ? 'i' : c | 1;
  if (c >= 0x139 && c <= 0x148) return c + (c & 1);
  if (c >= 0x14A && c <= 0x177) return c | 1;
  if (c == 0x178) return 0xFF;
  if (c >= 0x179 && c <= 0x17E) return c + (c & 1);
  if (c == 0x386) return 0x3AC;
  if (c >= 0x388 && c <= 0x38A) return c + 37;
  if (c == 0x38C) return 0x3CC;
  if (c == 0x38E || c == 0x38F) return c + 63;
  if (c >= 0x391 && c <= 0x3AB && c != 0x3A2) return c + 32;
  if (c >= 0x400 && c <= 0x40F) return c + 80;
  if (c >= 0x410 && c <= 0x42F) return c + 32;
  if (c >= 0x460 && c <= 0x4FF && !(c >= 0x482 && c <= 0x489) && c != 0x4C0) {
    return c >= 0x4C1 && c <= 0x4CE ? c + (c & 1) : c | 1;
  }
  if (c >= 0x531 && c <= 0x556) return c + 48;
  if (c >= 0x1E00 && c <= 0x1EFF && !(c >= 0x1E96 && c <= 0x1E9F)) return c | 1;
  if (c >= 0x1F00 && c <= 0x1F6F && (c & 8)) return c - 8;
  return c;
}

// The first character with this lower case; itself if there is none.
inline uint32_t to_upper(uint32_t c) {
  constexpr uint32_t kEnd = 0x2000;  // behind all characters that `to_lower` changes
  static const std::array<uint16_t, kEnd> upper = [] {
    std::array<uint16_t, kEnd> found{};
    for (uint32_t u = kEnd; u-- > 0;)
      if (to_lower(u) != u) found[to_lower(u)] = static_cast<uint16_t>(u);
    return found;
  }();
  return c < kEnd && upper[c] != 0 ? upper[c] : c;
}

inline std::string lowered(std::string_view text) {
  std::string small;
  for (std::size_t i = 0, size; i < text.size(); i += size) {
    size = std::min(character_size(text[i]), text.size() - i);
    encode(to_lower(decode(text.data() + i, size)), small);
  }
  return small;
}

}  // namespace multiplane
