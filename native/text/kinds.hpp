// What sort of character a code point is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "text/kinds_table.hpp"

namespace multiplane {

// As in kinds_table.hpp.
enum class Category : uint8_t {
  kLetter,
  kMark,  // and skin tones of emoji
  kDigit,
  kNumber,
  kDash,
  kConnector,
  kOpen,
  kClose,
  kPunctuation,
  kMath,
  kCurrency,
  kModifier,
  kSymbol,
  kSeparator,  // spaces of all kinds and widths, control characters, halves of surrogate pairs
  kFormat,
  kOther,
};

// Characters that may stand together without a boundary: letters of one kind of writing, or digits.
enum class Run : uint8_t { kNone, kAlphabetic, kHan, kHiragana, kKatakana, kHangul, kSpaceless, kDigits };
constexpr std::size_t kRuns = 8;

struct Kind {
  Category category;
  Run run;
};

namespace kinds_detail {

inline Run run_of_letter(uint32_t c) {
  struct Range {
    uint32_t first, last;
    Run run;
  };
  // The last group has no spaces between words: Thai, Lao, Tibetan, Burmese, Khmer, Tai Le, New Tai Lue, Tai Tham,
  // Javanese, Myanmar Extended, Tai Viet.
  static constexpr Range kRanges[] = {
      {0x3005, 0x3007, Run::kHan},       {0x3400, 0x4DBF, Run::kHan},       {0x4E00, 0x9FFF, Run::kHan},
      {0xF900, 0xFAFF, Run::kHan},       {0x20000, 0x3FFFF, Run::kHan},     {0x3040, 0x309F, Run::kHiragana},
      {0x30A0, 0x30FF, Run::kKatakana},  {0x31F0, 0x31FF, Run::kKatakana},  {0xFF66, 0xFF9F, Run::kKatakana},
      {0x1100, 0x11FF, Run::kHangul},    {0x3130, 0x318F, Run::kHangul},    {0xAC00, 0xD7FF, Run::kHangul},
      {0x0E00, 0x0FFF, Run::kSpaceless}, {0x1000, 0x109F, Run::kSpaceless}, {0x1780, 0x17FF, Run::kSpaceless},
      {0x1950, 0x19DF, Run::kSpaceless}, {0x1A20, 0x1AAF, Run::kSpaceless}, {0xA980, 0xA9DF, Run::kSpaceless},
      {0xA9E0, 0xA9FF, Run::kSpaceless}, {0xAA60, 0xAADF, Run::kSpaceless},
  };
  for (const Range& range : kRanges)
    if (c >= range.first && c <= range.last) return range.run;
  return Run::kAlphabetic;
}

inline std::vector<Kind> all_kinds() {
  constexpr uint32_t kEnd = 0x110000;
  std::vector<Kind> kinds(kEnd);
  const std::size_t count = std::size(kCategoryRanges);
  for (std::size_t r = 0; r < count; ++r) {
    const auto category = static_cast<Category>(kCategoryRanges[r] & 15);
    const uint32_t end = r + 1 < count ? kCategoryRanges[r + 1] >> 4 : kEnd;
    for (uint32_t c = kCategoryRanges[r] >> 4; c < end; ++c)
      kinds[c] = {category, category == Category::kLetter  ? run_of_letter(c)
                            : category == Category::kDigit ? Run::kDigits
                                                           : Run::kNone};
  }
  return kinds;
}

}  // namespace kinds_detail

inline Kind kind_of(uint32_t c) {
  static const std::vector<Kind> kinds = kinds_detail::all_kinds();
  return c < kinds.size() ? kinds[c] : Kind{Category::kOther, Run::kNone};
}

// Invisible marks within words, which no word keeps: soft hyphens, word joiners, and controls of the direction of text.
inline bool is_removed(uint32_t c) {
  if (c < 0x200E) return c == 0xAD || c == 0x61C;
  return c <= 0x200F || (c >= 0x202A && c <= 0x202E) || c == 0x2060 || (c >= 0x2066 && c <= 0x2069);
}

// What ends a paragraph without a blank line: form feed, paragraph separator.
inline bool ends_paragraph(uint32_t c) { return c == 0x0C || c == 0x2029; }

// What ends a line, as for Python's str.splitlines.
inline bool ends_line(uint32_t c) {
  return (c >= 0x0A && c <= 0x0D) || (c >= 0x1C && c <= 0x1E) || c == 0x85 || c == 0x2028 || ends_paragraph(c);
}

}  // namespace multiplane
