// Which bytes are text.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace multiplane {

// The length of the longest prefix that is UTF-8 without NUL bytes.
inline std::size_t valid_prefix(std::string_view text) {
  const auto* s = reinterpret_cast<const unsigned char*>(text.data());
  const std::size_t n = text.size();
  std::size_t i = 0;
  while (i < n) {
    while (i + 8 <= n) {  // eight ASCII bytes at a time, none of them NUL
      uint64_t block;
      std::memcpy(&block, s + i, 8);
      if (block & 0x8080808080808080u || (block - 0x0101010101010101u) & ~block & 0x8080808080808080u) break;
      i += 8;
    }
    if (i == n) break;
    const unsigned char c = s[i];
    if (c == 0) return i;
    if (c < 0x80) {
      ++i;
      continue;
    }
    // Bounds of the second byte exclude overlong forms, surrogates and code points beyond U+10FFFF.
    int more;
    unsigned char low = 0x80, high = 0xBF;
    if (c >= 0xC2 && c <= 0xDF) {
      more = 1;
    } else if (c >= 0xE0 && c <= 0xEF) {
      more = 2;
      if (c == 0xE0) low = 0xA0;
      if (c == 0xED) high = 0x9F;
    } else if (c >= 0xF0 && c <= 0xF4) {
      more = 3;
      if (c == 0xF0) low = 0x90;
      if (c == 0xF4) high = 0x8F;
    } else {
      return i;
    }
    if (i + more >= n || s[i + 1] < low || s[i + 1] > high) return i;
    for (int k = 2; k <= more; ++k)
      if ((s[i + k] & 0xC0) != 0x80) return i;
    i += more + 1;
  }
  return n;
}

}  // namespace multiplane
