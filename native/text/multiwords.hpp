// The words of multiword tokens: exceptions by form, then rules about beginnings and ends.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "common/demand.hpp"
#include "text/unicode.hpp"

namespace multiplane {

using Codes = std::u32string;

inline Codes codes_of(std::string_view text) {
  Codes codes;
  for (std::size_t i = 0, size; i < text.size(); i += size) {
    size = std::min(character_size(static_cast<unsigned char>(text[i])), text.size() - i);
    codes += static_cast<char32_t>(decode(text.data() + i, size));
  }
  return codes;
}

inline std::string text_of(const Codes& codes) {
  std::string text;
  for (char32_t c : codes) encode(c, text);
  return text;
}

// Upper case, where lower case leads back.
inline char32_t to_upper(char32_t c) {
  static const std::vector<uint16_t> uppers = [] {
    constexpr uint32_t kCased = 0x2000;  // beyond all that has a lower case here
    std::vector<uint16_t> found(kCased);
    for (uint32_t upper = kCased; upper-- > 0;) {
      const uint32_t lower = to_lower(upper);
      if (lower != upper && lower < kCased) found[lower] = static_cast<uint16_t>(upper);
    }
    return found;
  }();
  return c < uppers.size() && uppers[c] != 0 ? uppers[c] : c;
}

inline Codes lowered(const Codes& codes) {
  Codes small = codes;
  for (char32_t& c : small) c = to_lower(c);
  return small;
}

// How a form is written, for words that are stored in lower case.
class Writing {
 public:
  explicit Writing(const Codes& form) {
    std::size_t upper = 0, lower = 0;
    for (char32_t c : form) {
      upper += to_lower(c) != c;
      lower += to_upper(c) != c;
    }
    is_capital_ = !form.empty() && to_lower(form[0]) != form[0];
    is_upper_ = upper > 1 && lower == 0;
  }

  Codes written(Codes word, bool first) const {
    for (std::size_t i = 0; i < word.size() && (is_upper_ || (is_capital_ && first && i == 0)); ++i)
      word[i] = to_upper(word[i]);
    return word;
  }

 private:
  bool is_capital_, is_upper_;
};

// A form that begins and ends so, around a stem: its words, one of which has the stem.
struct MultiwordRule {
  Codes prefix, suffix;
  std::size_t place;  // of the word with the stem
  Codes before, behind;
  std::vector<Codes> words;  // without that one

  bool matches(const Codes& form) const {
    return form.size() > prefix.size() + suffix.size() && form.compare(0, prefix.size(), prefix) == 0 &&
           form.compare(form.size() - suffix.size(), suffix.size(), suffix) == 0;
  }
};

class Multiwords {
 public:
  // An exception is a form and its words, a rule its parts in the order above, both between tabs.
  Multiwords(const std::vector<std::string>& exceptions, const std::vector<std::string>& rules) {
    for (const std::string& row : exceptions) {
      std::vector<Codes> parts = split(row);
      demand(parts.size() >= 3, "an exception is a form and at least two words");
      exceptions_[text_of(parts[0])] = {parts.begin() + 1, parts.end()};
    }
    for (const std::string& row : rules) {
      std::vector<Codes> parts = split(row);
      demand(parts.size() >= 6 && parts[2].size() == 1, "a rule has five parts and at least one word");
      const std::size_t place = parts[2][0] - U'0';
      demand(place <= parts.size() - 5, "a rule without a place for the stem");
      rules_.push_back({parts[0], parts[1], place, parts[3], parts[4], {parts.begin() + 5, parts.end()}});
    }
  }

  // The words of a form; none if nothing says what they are.
  std::vector<std::string> words(std::string_view form) const {
    const Codes codes = codes_of(form), lower = lowered(codes);
    const auto found = exceptions_.find(text_of(lower));
    std::vector<std::string> words;
    if (found != exceptions_.end()) {
      const Writing writing(codes);
      for (const Codes& word : found->second) words.push_back(text_of(writing.written(word, words.empty())));
      return words;
    }
    for (const MultiwordRule& rule : rules_)
      if (rule.matches(lower)) return apply(rule, codes);
    return words;
  }

 private:
  static std::vector<Codes> split(const std::string& row) {
    std::vector<Codes> parts(1);
    for (char32_t c : codes_of(row)) {
      if (c == U'\t')
        parts.emplace_back();
      else
        parts.back() += c;
    }
    return parts;
  }

  // The stem is written as in the form.
  static std::vector<std::string> apply(const MultiwordRule& rule, const Codes& form) {
    const Writing writing(form);
    const Codes stem = form.substr(rule.prefix.size(), form.size() - rule.prefix.size() - rule.suffix.size());
    std::vector<std::string> words;
    for (std::size_t w = 0, other = 0; w <= rule.words.size(); ++w) {
      if (w != rule.place) {
        words.push_back(text_of(writing.written(rule.words[other++], w == 0)));
        continue;
      }
      words.push_back(text_of(writing.written(rule.before, w == 0) + stem + writing.written(rule.behind, false)));
    }
    return words;
  }

  std::unordered_map<std::string, std::vector<Codes>> exceptions_;
  std::vector<MultiwordRule> rules_;
};

}  // namespace multiplane
