// Runs of pieces that are one token in any language: URLs, e-mail addresses, @handles and #hashtags. And the letters of
// an abbreviation such as E.U.A., between which no token ends.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "text/kinds.hpp"
#include "text/pieces.hpp"

namespace multiplane {

// Looks at the pieces of one paragraph, from left to right, in linear time: what is read twice is bounded.
class Addresses {
 public:
  // The pieces from first to last, which are together.
  struct Found {
    std::size_t first, last;
    bool is_token;  // or else only the first part of one
  };

  Addresses(std::string_view text, const std::vector<Piece>& pieces, std::size_t begin, std::size_t end)
      : text_(text), pieces_(pieces), at_(begin), free_(begin), end_(end) {}

  // Whether there is one more.
  bool next(Found& found) {
    for (; at_ < end_; ++at_) {
      if (!find(found)) continue;
      at_ = free_ = found.last + 1;
      return true;
    }
    return false;
  }

 private:
  static constexpr std::size_t kMostBefore = 64, kMostBehind = 250;  // pieces of an e-mail address

  bool find(Found& found) const {
    found = {at_, at_, true};
    if (byte(at_) == '@') return mail(found) || (!follows(at_, "@#") && word_behind(found, true));
    if (byte(at_) == '#') return !follows(at_, "@#") && word_behind(found, false);
    return url(found) || initials(found);
  }

  unsigned char byte(std::size_t piece) const { return static_cast<unsigned char>(text_[pieces_[piece].begin]); }
  bool is(std::size_t piece, char sign) const { return piece < end_ && !spaced(piece) && byte(piece) == sign; }
  bool spaced(std::size_t piece) const { return pieces_[piece].spaced; }
  bool is_letter(std::size_t piece) const { return pieces_[piece].category == Category::kLetter; }

  // Not in writing without spaces, where an address may stand between words.
  bool is_word(std::size_t piece) const {
    const Run run = pieces_[piece].run;
    return run == Run::kAlphabetic || run == Run::kDigits || pieces_[piece].category == Category::kConnector;
  }

  // Whether a piece stands directly behind a word or one of these signs.
  bool follows(std::size_t piece, std::string_view signs) const {
    if (piece == free_ || spaced(piece)) return false;
    return is_word(piece - 1) || signs.find(static_cast<char>(byte(piece - 1))) != std::string_view::npos;
  }

  // The word behind a sign; dots may be in it.
  bool word_behind(Found& found, bool dots) const {
    std::size_t piece = at_ + 1;
    if (piece >= end_ || spaced(piece) || !is_letter(piece) || !is_word(piece)) return false;
    for (; piece < end_ && !spaced(piece) && piece - at_ < kMostBehind; ++piece) {
      if (is_word(piece))
        found.last = piece;
      else if (!dots || byte(piece) != '.' || found.last + 1 != piece)
        break;
    }
    return true;
  }

  bool mail(Found& found) const {
    while (found.first > free_ && !spaced(found.first) && at_ - found.first < kMostBefore &&
           (is_word(found.first - 1) || one_of(found.first - 1, ".%+-")))
      --found.first;
    while (found.first < at_ && !is_word(found.first)) ++found.first;
    if (found.first == at_) return false;
    for (std::size_t piece = at_ + 1; piece < end_ && !spaced(piece) && piece - at_ < kMostBehind; ++piece) {
      if (is_word(piece))
        found.last = piece;
      else if (piece == at_ + 1 || !one_of(piece, ".-"))
        break;
    }
    if (found.last > at_) return true;
    found.first = at_;
    return false;
  }

  bool one_of(std::size_t piece, std::string_view signs) const {
    return signs.find(static_cast<char>(byte(piece))) != std::string_view::npos;
  }

  bool url(Found& found) const {
    const std::size_t start = one_of(at_, "fhmwFHMW") && !follows(at_, "@") ? start_size() : 0;
    if (start == 0) return false;
    for (std::size_t piece = at_; piece < end_ && (piece == at_ || !spaced(piece)) && belongs(piece); ++piece)
      if (!closes(piece)) found.last = piece;
    if (pieces_[found.last].end > pieces_[at_].begin + start) return true;
    found.last = at_;
    return false;
  }

  // The length of what a URL starts with, or 0.
  std::size_t start_size() const {
    for (const std::string_view start : {"http://", "https://", "ftp://", "mailto:", "www."}) {
      const std::string_view here = text_.substr(pieces_[at_].begin, start.size());
      const auto same = [](char a, char b) { return a == b || (a >= 'A' && a <= 'Z' && a + 32 == b); };
      if (std::equal(here.begin(), here.end(), start.begin(), start.end(), same)) return start.size();
    }
    return 0;
  }

  // Whether a piece can be in a URL: words and signs, but no quotes.
  bool belongs(std::size_t piece) const {
    const Category category = pieces_[piece].category;
    if (is_word(piece) || one_of(piece, "()[]{}")) return true;
    return pieces_[piece].run == Run::kNone && !one_of(piece, "<>\"") && category != Category::kOpen &&
           category != Category::kClose;
  }

  // Whether a sign is not part of a URL if nothing else is behind it.
  bool closes(std::size_t piece) const {
    return one_of(piece, ".,;:!?)]}'(") || (byte(piece) >= 0x80 && pieces_[piece].category == Category::kPunctuation);
  }

  // Single letters with a dot behind each, at least two; whether the last dot belongs to them is for others to say.
  bool initials(Found& found) const {
    if (!is_single(at_) || !is(at_ + 1, '.') || follows(at_, ".")) return false;
    for (std::size_t more = at_ + 2; more < end_ && !spaced(more) && is_single(more) && is(more + 1, '.'); more += 2)
      found.last = more;
    found.is_token = false;
    return found.last > at_;
  }

  bool is_single(std::size_t piece) const {
    return is_letter(piece) && pieces_[piece].run == Run::kAlphabetic &&
           pieces_[piece].last - pieces_[piece].first == 1;
  }

  std::string_view text_;
  const std::vector<Piece>& pieces_;
  std::size_t at_, free_, end_;  // free_: behind the last one found
};

}  // namespace multiplane
