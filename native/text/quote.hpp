// Values from files in messages, cut to a readable length.
#pragma once

#include <string>
#include <string_view>

namespace multiplane {

inline std::string shortened(std::string_view value, std::size_t most = 40) {
  if (value.size() <= most) return std::string(value);
  while (most > 0 && (value[most] & 0xC0) == 0x80) --most;  // do not split a character
  return std::string(value.substr(0, most)) + "…";
}

inline std::string quoted(std::string_view value) { return "'" + shortened(value) + "'"; }

// "1 word", "2 words".
inline std::string counted(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace multiplane
