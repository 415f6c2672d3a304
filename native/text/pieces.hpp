// The smallest parts of a text that a tokenizer may put together: words or single characters, as a script needs it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "text/kinds.hpp"
#include "text/unicode.hpp"

namespace multiplane {

struct Piece {
  std::size_t begin = 0, end = 0;   // bytes
  std::size_t first = 0, last = 0;  // code points; the last one is behind it
  Category category = Category::kOther;
  Run run = Run::kNone;
  bool spaced = false;  // whether a separator stands before it
};

// Which runs are one piece; the characters of others are pieces of their own.
using Glue = uint32_t;
inline bool glues(Glue glue, Run run) { return (glue >> static_cast<unsigned>(run) & 1) != 0; }

struct Character {
  uint32_t code;
  std::size_t size;
};

// Texts may hold halves of surrogate pairs, in three bytes each.
inline Character character_at(std::string_view text, std::size_t at) {
  const std::size_t size = std::min(character_size(static_cast<unsigned char>(text[at])), text.size() - at);
  return {decode(text.data() + at, size), size};
}

// Reads the pieces of a text, paragraph by paragraph. A blank line ends a paragraph, and so do some signs, and every
// line if lines are sentences.
class PieceReader {
 public:
  enum class Event { kPiece, kParagraph, kEnd };

  PieceReader(std::string_view text, Glue glue, bool lines) : text_(text), glue_(glue), lines_(lines) {}

  // Goes on behind a piece that was read before, as if a paragraph began there.
  void go_back(const Piece& piece) {
    at_ = piece.end;
    count_ = piece.last;
    in_line_ = true;
    in_paragraph_ = false;
    spaced_ = false;
  }

  Event next(Piece& piece) {
    while (at_ < text_.size()) {
      const Character c = character_at(text_, at_);
      if (!is_removed(c.code)) {
        const Kind kind = kind_of(c.code);
        if (kind.category != Category::kSeparator) {
          read(c, kind, piece);
          return Event::kPiece;
        }
        spaced_ = true;
        if (ends_line(c.code)) {
          step(c);
          if (c.code == '\r' && at_ < text_.size() && text_[at_] == '\n') step({'\n', 1});
          if (end_line(ends_paragraph(c.code))) return Event::kParagraph;
          continue;
        }
      }
      step(c);
    }
    const bool open = in_paragraph_;
    in_paragraph_ = false;
    return open ? Event::kParagraph : Event::kEnd;
  }

 private:
  static constexpr std::size_t kLongest = 256;  // code points
  static constexpr uint32_t kJoiner = 0x200D;

  void step(const Character& c) {
    at_ += c.size;
    ++count_;
  }

  // Whether a paragraph ends with this line; it must where a sign says so.
  bool end_line(bool must) {
    const bool ends = in_paragraph_ && (must || lines_ || !in_line_);
    in_line_ = false;
    if (ends) in_paragraph_ = false;
    return ends;
  }

  static bool is_open(Category category) { return category == Category::kMark || category == Category::kFormat; }

  // One piece. Marks and invisible signs belong to what is before them, or behind them where nothing is before.
  void read(Character c, Kind kind, Piece& piece) {
    piece = {at_, at_ + c.size, count_, count_ + 1, kind.category, kind.run, spaced_};
    uint32_t before = c.code;
    for (step(c); at_ < text_.size() && count_ - piece.first < kLongest; step(c)) {
      c = character_at(text_, at_);
      if (is_removed(c.code)) continue;
      kind = kind_of(c.code);
      if (kind.category == Category::kSeparator) break;
      const bool starts = is_open(piece.category) && !is_open(kind.category);
      const bool joins = starts || is_open(kind.category) || before == kJoiner ||
                         (kind.run != Run::kNone && kind.run == piece.run && glues(glue_, kind.run));
      if (!joins) break;
      if (starts) {
        piece.category = kind.category;
        piece.run = kind.run;
      }
      before = c.code;
      piece.end = at_ + c.size;
      piece.last = count_ + 1;
    }
    spaced_ = false;
    in_line_ = in_paragraph_ = true;
  }

  std::string_view text_;
  Glue glue_;
  bool lines_;
  std::size_t at_ = 0, count_ = 0;
  bool spaced_ = false, in_line_ = false, in_paragraph_ = false;
};

// Appends text to a form or comment: without invisible marks, and with one space for a run of separators.
inline void append_clean(std::string_view text, std::string& out) {
  bool spaced = false;
  for (std::size_t at = 0; at < text.size();) {
    const unsigned char byte = static_cast<unsigned char>(text[at]);
    const Character c = byte > 0x20 && byte < 0x7F ? Character{byte, 1} : character_at(text, at);
    if (!is_removed(c.code)) {
      const bool separates =
          c.size > 1 || byte <= 0x20 || byte == 0x7F ? kind_of(c.code).category == Category::kSeparator : false;
      if (separates) {
        spaced = true;
      } else {
        if (spaced) out += ' ';
        spaced = false;
        out.append(text, at, c.size);
      }
    }
    at += c.size;
  }
}

// What stands around a sign between letters or digits, without spaces, and the sign itself: "a-a", "0/a"; nothing if a
// piece of a paragraph is not such a sign.
inline std::u32string joint_at(std::string_view text, const Piece* pieces, std::size_t count, std::size_t p) {
  if (p == 0 || p + 1 >= count || pieces[p].run != Run::kNone || pieces[p].last != pieces[p].first + 1) return {};
  if (pieces[p].spaced || pieces[p + 1].spaced) return {};
  std::u32string found;
  for (std::size_t beside : {p - 1, p + 1}) {
    if (pieces[beside].run != Run::kAlphabetic && pieces[beside].run != Run::kDigits) return {};
    found += pieces[beside].run == Run::kDigits ? U'0' : U'a';
  }
  return found.insert(1, 1, static_cast<char32_t>(character_at(text, pieces[p].begin).code));
}

}  // namespace multiplane
