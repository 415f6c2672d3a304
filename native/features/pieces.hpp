// Pieces as a network sees them: their letters, their shape, and what stands around them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/hash.hpp"
#include "common/hash_table.hpp"
#include "text/multiwords.hpp"
#include "text/pieces.hpp"

namespace multiplane {

// The numbers of a piece: rows of embeddings, and those whose sum counts.
struct PieceNumbers {
  int32_t word = 0, chunk = 0;  // in vocabularies; 0 is unknown
  int32_t shape = 0, spaces = 0, length = 0;
  std::vector<int32_t> parts;  // n-grams of letters, by hash
};

constexpr int32_t kShapes = 32, kSpaces = 4, kLengths = 8;

// Pieces of a paragraph, or of a part of one, with their letters in lower case.
class PieceLooks {
 public:
  void clear() {
    letters_.clear();
    ends_.clear();
    keys_.clear();
    shapes_.clear();
    chunks_.clear();
    alone_.clear();
    spaced_.clear();
  }

  // The pieces of one more paragraph.
  void add(std::string_view text, const Piece* pieces, std::size_t count) {
    for (std::size_t a = 0; a < count; ++a) {
      spaced_.push_back(a == 0 || pieces[a].spaced);
      read(text, pieces[a]);
    }
    find_chunks(spaced_.size() - count);
  }

  std::size_t size() const { return ends_.size(); }
  const char32_t* letters(std::size_t piece) const { return letters_.data() + begin(piece); }
  std::size_t length(std::size_t piece) const { return ends_[piece] - begin(piece); }

  std::u32string_view word(std::size_t piece) const { return {letters(piece), length(piece)}; }
  // What is between two spaces; empty where that is the piece alone.
  std::u32string_view chunk(std::size_t piece) const {
    if (alone_[piece]) return {};
    std::size_t first = piece, last = piece + 1;
    while (!spaced_[first]) --first;
    while (last < size() && !spaced_[last]) ++last;
    return {letters(first), ends_[last - 1] - begin(first)};
  }

  bool spaced(std::size_t piece) const { return piece >= size() || spaced_[piece]; }
  int32_t shape(std::size_t piece) const { return shapes_[piece]; }
  Value chunk_key(std::size_t piece) const { return chunks_[piece]; }

  // The letter before a piece or behind it, without a space between; 0 if there is none.
  char32_t before(std::size_t piece) const { return spaced_[piece] ? 0 : letters_[begin(piece) - 1]; }
  char32_t behind(std::size_t piece) const { return spaced(piece + 1) ? 0 : letters_[ends_[piece]]; }

  // The key of a piece, and of those beside it without a space between; 0 if there is none.
  Value word_key(std::size_t piece) const { return keys_[piece]; }
  Value key_before(std::size_t piece) const { return spaced_[piece] ? 0 : keys_[piece - 1]; }
  Value key_behind(std::size_t piece) const { return spaced(piece + 1) ? 0 : keys_[piece + 1]; }

  static Value key_of(std::u32string_view letters) {
    Value h = 0x243F6A8885A308D3u ^ letters.size();
    for (char32_t c : letters) h = mix(h, c);
    return h | 1;
  }

  // What all that the network sees of a piece depends on.
  Value key(std::size_t piece) const {
    Value h = mix(keys_[piece], chunks_[piece]);
    h = mix(h, static_cast<Value>(shapes_[piece]) << 2 | static_cast<Value>(spaces(piece)));
    return mix(mix(h, key_before(piece)), key_behind(piece)) | 1;
  }
  int32_t spaces(std::size_t piece) const { return (spaced_[piece] ? 1 : 0) + (spaced(piece + 1) ? 2 : 0); }

 private:
  std::size_t begin(std::size_t piece) const { return piece == 0 ? 0 : ends_[piece - 1]; }

  void read(std::string_view text, const Piece& piece) {
    std::size_t upper = 0, cased = 0, count = 0;
    bool first_upper = false;
    for (std::size_t at = piece.begin; at < piece.end;) {
      const Character c = character_at(text, at);
      at += c.size;
      if (is_removed(c.code)) continue;
      const char32_t lower = to_lower(c.code);
      letters_ += kind_of(lower).category == Category::kDigit ? U'0' : lower;  // all digits look the same
      if (lower != c.code) {
        ++upper;
        if (count == 0) first_upper = true;
      }
      cased += lower != c.code || to_upper(lower) != lower;
      ++count;
    }
    ends_.push_back(letters_.size());
    keys_.push_back(key_of({letters(size() - 1), length(size() - 1)}));
    shapes_.push_back(shape_of(piece, count, upper, cased, first_upper));
  }

  static int32_t shape_of(const Piece& piece, std::size_t count, std::size_t upper, std::size_t cased,
                          bool first_upper) {
    if (piece.run == Run::kAlphabetic) {
      if (cased == 0) return 5;
      if (upper == 0) return 0;
      if (count == 1) return 2;
      return upper == cased ? 3 : first_upper && upper == 1 ? 1 : 4;
    }
    if (piece.run == Run::kDigits) return 10 + static_cast<int32_t>(std::min<std::size_t>(count, 5));
    if (piece.run != Run::kNone) return 4 + static_cast<int32_t>(piece.run);  // 6 to 10
    return 15 + static_cast<int32_t>(piece.category);                         // numbers and signs, to 30
  }

  void find_chunks(std::size_t from) {
    for (std::size_t first = from, last = from; first < size(); first = last) {
      for (last = first + 1; last < size() && !spaced_[last];) ++last;
      const bool alone = last == first + 1;
      const bool is_short = ends_[last - 1] - begin(first) <= kLongestChunk;
      const Value key = alone || !is_short ? 0 : key_of({letters(first), ends_[last - 1] - begin(first)});
      chunks_.insert(chunks_.end(), last - first, key);
      alone_.insert(alone_.end(), last - first, alone || !is_short);
    }
  }

  static constexpr std::size_t kLongestChunk = 64;

  Codes letters_;
  std::vector<std::size_t> ends_;
  std::vector<int32_t> shapes_;
  std::vector<Value> keys_, chunks_;
  std::vector<bool> alone_, spaced_;
};

// What a network knows about pieces: frequent words and chunks by number, and n-grams by hash.
class PieceLexicon {
 public:
  PieceLexicon(const std::vector<std::string>& words, const std::vector<std::string>& chunks, std::size_t buckets)
      : words_(numbered(words)), chunks_(numbered(chunks)), buckets_(buckets) {
    demand(buckets >= 1 && buckets <= (1u << 24), "an impossible number of n-grams");
  }

  std::size_t buckets() const { return buckets_; }
  std::size_t words() const { return words_.size(); }
  std::size_t chunks() const { return chunks_.size(); }

  void describe(const PieceLooks& looks, std::size_t piece, PieceNumbers& numbers) const {
    const std::u32string_view word = looks.word(piece);
    numbers.word = find(words_, looks.word_key(piece));
    numbers.chunk = looks.chunk_key(piece) == 0 ? 0 : find(chunks_, looks.chunk_key(piece));
    numbers.shape = looks.shape(piece);
    numbers.spaces = looks.spaces(piece);
    numbers.length = static_cast<int32_t>(std::min<std::size_t>(word.size(), kLengths) - 1);
    numbers.parts.clear();
    Codes marked = U"\x02";
    marked.append(word.substr(0, kEdge));
    if (word.size() > 2 * kEdge) marked += U'\x03';
    if (word.size() > kEdge) marked.append(word.substr(std::max(kEdge, word.size() - std::min(word.size(), kEdge))));
    marked += U'\x02';
    for (std::size_t n = 1; n <= kLongest; ++n)
      for (std::size_t i = n == 1; i + n <= marked.size() - (n == 1); ++i) add({marked.data() + i, n}, numbers);
    const char32_t before = looks.before(piece), behind = looks.behind(piece);
    const char32_t around[] = {U'\x04', before, word.front(), word.back(), behind, U'\x05'};
    if (before != 0) add({around, 3}, numbers);
    if (behind != 0) add({around + 3, 3}, numbers);
    const Value key = looks.word_key(piece), left = looks.key_before(piece), right = looks.key_behind(piece);
    if (left != 0) add(mix(mix(kPair, left), key), numbers);
    if (right != 0) add(mix(mix(kPair, key), right), numbers);
    if (left != 0 && right != 0) add(mix(mix(left, key), right), numbers);
  }

 private:
  static constexpr std::size_t kLongest = 4, kEdge = 8;
  static constexpr Value kPair = 2;

  static HashTable<int32_t> numbered(const std::vector<std::string>& texts) {
    HashTable<int32_t> table(1);
    for (std::size_t i = 0; i < texts.size(); ++i)
      *table.payload(table.at(spread(PieceLooks::key_of(codes_of(texts[i]))))) = static_cast<int32_t>(i) + 1;
    return table;
  }
  static int32_t find(const HashTable<int32_t>& table, Value key) {
    const std::size_t slot = table.find(spread(key));
    return slot == HashTable<int32_t>::kNone ? 0 : *table.payload(slot);
  }
  // Keys are places in the table, so that all bits must count.
  static Value spread(Value key) {
    const Value h = key * 0xD6E8FEB86659FD93u;
    return (h ^ (h >> 32)) | 1;
  }
  void add(std::u32string_view letters, PieceNumbers& numbers) const { add(PieceLooks::key_of(letters), numbers); }
  void add(Value key, PieceNumbers& numbers) const {
    numbers.parts.push_back(static_cast<int32_t>(spread(key) / 2 % buckets_));
  }

  HashTable<int32_t> words_, chunks_;
  std::size_t buckets_;
};

}  // namespace multiplane
