// Guesses how a form becomes its lemma from its end: what the words of a treebank do that end alike.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/demand.hpp"
#include "common/hash.hpp"
#include "common/hash_table.hpp"
#include "text/scripts.hpp"

namespace multiplane {

// Where a form has capitals: this decides whether its lemma has them, so that endings are counted apart.
enum class Capitals : uint8_t { kNone, kFirst, kOthers };

inline constexpr std::string_view kCapitals[] = {"none", "first", "others"};

inline Capitals capitals_of(const Characters& form) {
  const auto is_capital = [](char32_t c) { return to_lower(c) != c; };
  if (form.empty()) return Capitals::kNone;
  if (std::any_of(form.begin() + 1, form.end(), is_capital)) return Capitals::kOthers;
  return is_capital(form[0]) ? Capitals::kFirst : Capitals::kNone;
}

// A distribution over scripts for each suffix, tag and place of capitals. Those of all suffixes of a form, from the
// empty one on, are interpolated by the method of Witten and Bell: the more words with a suffix and the fewer scripts
// they have, the less the shorter suffixes count.
class SuffixGuesser {
 public:
  static constexpr std::size_t kLongest = 6;

  // Rows of suffix, tag, capitals and "script:words" for each script, separated by tabs; a script is its number.
  SuffixGuesser(const std::vector<std::string>& rows, std::size_t scripts) : scripts_(scripts) {
    for (const std::string& row : rows) {
      const std::vector<std::string_view> fields = fields_of(row);
      const auto* capitals = std::find(std::begin(kCapitals), std::end(kCapitals), fields[2]);
      const Characters suffix = characters_of(fields[0]);
      demand(capitals != std::end(kCapitals) && suffix.size() <= kLongest, kWrong);
      Value key = start_of(hash_of(fields[1]), static_cast<Capitals>(capitals - std::begin(kCapitals)));
      for (std::size_t i = suffix.size(); i > 0; --i) key = mix(key, suffix[i - 1]);
      const std::size_t before = places_.size(), slot = places_.at(key | 1);
      demand(places_.size() > before, "two rows for the same suffix");
      *places_.payload(slot) = static_cast<int32_t>(distributions_.size());
      distributions_.push_back(counted({fields.begin() + 3, fields.end()}));
    }
  }

  // Adds the logarithms of the scripts' probabilities to their scores, up to what is the same for all.
  void add(const Characters& form, Value tag, float* scores, std::vector<double>& probabilities) const {
    if (distributions_.empty()) return;
    probabilities.assign(scripts_, 0.0);
    double rest = 1.0;  // what is left for scripts that no suffix was seen with
    Value key = start_of(tag, capitals_of(form));
    for (std::size_t length = 0;; ++length) {
      const std::size_t slot = places_.find(key | 1);
      if (slot == HashTable<int32_t>::kNone) break;
      rest *= interpolated(distributions_[*places_.payload(slot)], probabilities);
      if (length == std::min(kLongest, form.size())) break;
      key = mix(key, form[form.size() - 1 - length]);
    }
    const double least = rest / static_cast<double>(scripts_);
    for (std::size_t s = 0; s < scripts_; ++s)
      if (probabilities[s] > 0) scores[s] += kWeight * static_cast<float>(std::log1p(probabilities[s] / least));
  }

 private:
  static constexpr const char* kWrong = "a row of the suffixes of lemmas is not suffix, tag, capitals and scripts";
  // Against the network, which also knows the context.
  static constexpr float kWeight = 2;

  struct Distribution {
    std::vector<std::pair<uint32_t, double>> words;  // by script
    double all = 0;
  };

  static Value start_of(Value tag, Capitals capitals) {
    return mix(mix(0xC0AC29B7C97C50DDu, tag), static_cast<Value>(capitals));
  }

  // Four fields at least.
  static std::vector<std::string_view> fields_of(std::string_view row) {
    std::vector<std::string_view> fields;
    for (std::size_t tab; (tab = row.find('\t')) != std::string_view::npos; row.remove_prefix(tab + 1))
      fields.push_back(row.substr(0, tab));
    fields.push_back(row);
    demand(fields.size() >= 4, kWrong);
    return fields;
  }

  Distribution counted(const std::vector<std::string_view>& texts) const {
    Distribution found;
    for (std::string_view text : texts) {
      const std::size_t colon = text.find(':');
      demand(colon != std::string_view::npos, kWrong);
      const uint32_t script = number(text.substr(0, colon)), words = number(text.substr(colon + 1));
      demand(script < scripts_ && words > 0, kWrong);
      found.words.emplace_back(script, words);
      found.all += words;
    }
    return found;
  }

  static uint32_t number(std::string_view digits) {
    demand(!digits.empty() && digits.size() <= 9, kWrong);
    uint32_t value = 0;
    for (char digit : digits) {
      demand(digit >= '0' && digit <= '9', kWrong);
      value = value * 10 + static_cast<uint32_t>(digit - '0');
    }
    return value;
  }

  // Returns the share that shorter suffixes keep.
  static double interpolated(const Distribution& longer, std::vector<double>& probabilities) {
    const double kinds = static_cast<double>(longer.words.size()), all = longer.all + kinds;
    for (double& probability : probabilities) probability *= kinds / all;
    for (const auto& [script, words] : longer.words) probabilities[script] += words / all;
    return kinds / all;
  }

  std::size_t scripts_;
  HashTable<int32_t> places_{1};
  std::vector<Distribution> distributions_;
};

}  // namespace multiplane
