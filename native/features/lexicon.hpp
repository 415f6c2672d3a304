// Words as a network sees them: numbers of their form, tags and characters in the vocabularies of a model.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/demand.hpp"
#include "common/hash.hpp"
#include "common/hash_table.hpp"
#include "text/conll.hpp"
#include "text/unicode.hpp"

namespace multiplane {

enum class ChannelKind : uint8_t {
  kWhole,  // the field as it stands
  kLower,  // in small letters
  kBag,    // the parts between |
};

// Texts by number, from 1; 0 is for all that are unknown.
class Vocabulary {
 public:
  explicit Vocabulary(const std::vector<std::string>& texts) : size_(texts.size()) {
    for (std::size_t i = 0; i < texts.size(); ++i)
      *slots_.payload(slots_.at(key(texts[i]))) = static_cast<int32_t>(i) + 1;
  }
  std::size_t size() const { return size_; }
  int32_t operator[](std::string_view text) const {
    const std::size_t slot = slots_.find(key(text));
    return slot == HashTable<int32_t>::kNone ? 0 : *slots_.payload(slot);
  }

 private:
  // Keys are places in the table, so that all bits must count.
  static Value key(std::string_view text) {
    const Value h = hash_of(text) * 0xD6E8FEB86659FD93u;
    return (h ^ (h >> 32)) | 1;
  }
  std::size_t size_;
  HashTable<int32_t> slots_{1};
};

struct Channel {
  ChannelKind kind;
  Vocabulary vocabulary;
};

// The numbers of one word: one for each channel that is no bag, then those of bags; of its characters and its affixes.
struct WordNumbers {
  std::vector<int32_t> single, bag, characters, affixes;
};

inline constexpr std::size_t kLongestPrefix = 4, kLongestSuffix = 6;

// Calls for the affixes of a word in lower case: "un-" is a prefix, "-ing" a suffix.
template <typename Each>
void for_each_affix(std::string_view lower, Each&& each) {
  std::string affix;
  std::size_t end = 0;
  for (std::size_t count = 0; count < kLongestPrefix && end < lower.size(); ++count) {
    end = std::min(end + character_size(lower[end]), lower.size());
    each(affix.assign(lower.substr(0, end)) += '-');
  }
  std::size_t begin = lower.size();
  for (std::size_t count = 0; count < kLongestSuffix && begin > 0; ++count) {
    do --begin;
    while (begin > 0 && (lower[begin] & 0xC0) == 0x80);  // within a character
    each((affix = '-') += lower.substr(begin));
  }
}

class Lexicon {
 public:
  Lexicon(std::vector<Channel> channels, const std::vector<std::string>& characters,
          const std::vector<std::string>& affixes)
      : channels_(std::move(channels)), characters_(characters), affixes_(affixes) {
    demand(bags() <= 1, "one bag at the most");
  }

  std::size_t channels() const { return channels_.size(); }
  std::size_t bags() const {
    return static_cast<std::size_t>(std::count_if(channels_.begin(), channels_.end(), is_bag));
  }

  // Sizes of vocabularies: one for each channel that is no bag, that of the bag, of characters and of affixes.
  std::vector<std::size_t> singles() const {
    std::vector<std::size_t> sizes;
    for (const Channel& c : channels_)
      if (!is_bag(c)) sizes.push_back(c.vocabulary.size());
    return sizes;
  }
  std::size_t bag() const {
    const auto found = std::find_if(channels_.begin(), channels_.end(), is_bag);
    return found == channels_.end() ? 0 : found->vocabulary.size();
  }
  std::size_t characters() const { return characters_.size(); }
  std::size_t affixes() const { return affixes_.size(); }

  // What the fields of a word are: its form, and then one for each channel.
  void describe(const std::vector<std::string_view>& fields, WordNumbers& numbers) const {
    const std::string_view form = fields[0];
    numbers.single.clear();
    numbers.bag.clear();
    numbers.characters.clear();
    numbers.affixes.clear();
    for (std::size_t c = 0; c < channels_.size(); ++c) {
      const Vocabulary& known = channels_[c].vocabulary;
      switch (channels_[c].kind) {
        case ChannelKind::kWhole:
          numbers.single.push_back(known[fields[c + 1]]);
          break;
        case ChannelKind::kLower:
          numbers.single.push_back(known[lowered(fields[c + 1])]);
          break;
        case ChannelKind::kBag:
          add_parts(fields[c + 1], known, numbers.bag);
      }
    }
    std::size_t count = 0;
    for (std::size_t i = 0, size; i < form.size() && count < kMostCharacters; i += size, ++count) {
      size = std::min(character_size(form[i]), form.size() - i);
      numbers.characters.push_back(characters_[form.substr(i, size)]);
    }
    if (affixes() == 0) return;
    for_each_affix(lowered(form), [&](const std::string& affix) {
      if (const int32_t number = affixes_[affix]; number > 0) numbers.affixes.push_back(number - 1);
    });
  }

  // Whether a word in lower case is in a vocabulary of forms.
  bool has_word(std::string_view lower) const {
    return std::any_of(channels_.begin(), channels_.end(),
                       [&](const Channel& c) { return c.kind == ChannelKind::kLower && c.vocabulary[lower] > 0; });
  }

  static constexpr std::size_t kMostCharacters = 40;  // of a word; what is longer is mostly a URL

 private:
  static bool is_bag(const Channel& c) { return c.kind == ChannelKind::kBag; }

  static void add_parts(std::string_view field, const Vocabulary& known, std::vector<int32_t>& numbers) {
    if (field == "_") return;
    for (std::size_t i = 0; i <= field.size();) {
      const std::size_t end = std::min(field.find('|', i), field.size());
      numbers.push_back(known[field.substr(i, end - i)]);
      i = end + 1;
    }
  }

  std::vector<Channel> channels_;
  Vocabulary characters_, affixes_;
};

// Reads the fields of words that a lexicon asks for. Words with the same fields are of the same type.
class FieldReader {
 public:
  // Columns in the file, from 0; -1 where its format has no such column. The first is that of the form.
  explicit FieldReader(std::vector<int> columns) : columns_(std::move(columns)), fields_(columns_.size()) {
    for (int column : columns_) last_ = std::max(last_, column);
    all_.resize(last_ + 1);
  }

  // Fields of the word whose line begins here; the key is the same for words of the same type.
  Value read(std::string_view text, std::size_t at) {
    for (int column = 0; column <= last_; ++column) {
      std::size_t end = at;
      while (end < text.size() && text[end] != '\t' && text[end] != '\n') ++end;
      std::size_t size = end - at;
      if (size > 0 && text[end - 1] == '\r' && (end == text.size() || text[end] == '\n')) --size;
      all_[column] = text.substr(at, size);
      at = std::min(end + 1, text.size());
    }
    Value key = 0x3F84D5B5B5470917u;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      fields_[c] = columns_[c] < 0 ? std::string_view("_") : all_[columns_[c]];
      key = mix(key, hash_of(fields_[c]));
    }
    return key + (key == 0);
  }

  const std::vector<std::string_view>& fields() const { return fields_; }

 private:
  std::vector<int> columns_;
  int last_ = -1;
  std::vector<std::string_view> all_, fields_;
};

// The types of the words of a text, and the numbers of every type; flat where types have different numbers of them.
struct WordTypes {
  std::vector<int32_t> words;  // the type of every word
  std::vector<int32_t> single, parts, part_ends, letters, letter_ends, affixes, affix_ends;
};

inline WordTypes types_of(const Lexicon& lexicon, std::string_view text, const Index& index, std::vector<int> columns) {
  demand(columns.size() == lexicon.channels() + 1, "the column of the form, and one for each channel");
  WordTypes types;
  types.words.resize(index.heads.size());
  FieldReader reader(std::move(columns));
  HashTable<int32_t> known(1);
  WordNumbers numbers;
  for (std::size_t s = 0; s < index.size(); ++s) {
    for (std::size_t w = index.first_word[s]; w < index.first_word[s + 1]; ++w) {
      const Value key = reader.read(text, index.start[s] + index.word[w]);
      const std::size_t before = known.size(), slot = known.at(key);
      if (known.size() > before) {
        *known.payload(slot) = static_cast<int32_t>(before);
        lexicon.describe(reader.fields(), numbers);
        types.single.insert(types.single.end(), numbers.single.begin(), numbers.single.end());
        types.parts.insert(types.parts.end(), numbers.bag.begin(), numbers.bag.end());
        types.letters.insert(types.letters.end(), numbers.characters.begin(), numbers.characters.end());
        types.affixes.insert(types.affixes.end(), numbers.affixes.begin(), numbers.affixes.end());
        types.part_ends.push_back(static_cast<int32_t>(types.parts.size()));
        types.letter_ends.push_back(static_cast<int32_t>(types.letters.size()));
        types.affix_ends.push_back(static_cast<int32_t>(types.affixes.size()));
      }
      types.words[w] = *known.payload(slot);
    }
  }
  return types;
}

}  // namespace multiplane
