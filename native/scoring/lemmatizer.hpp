// Lemmas: those of known words are in a dictionary; for others, a network chooses an edit script.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "common/demand.hpp"
#include "common/hash.hpp"
#include "common/hash_table.hpp"
#include "features/lexicon.hpp"
#include "scoring/named_arrays.hpp"
#include "text/scripts.hpp"

namespace multiplane {

// Lemmas of forms with a tag.
class LemmaDictionary {
 public:
  // Rows of form, tag and lemma, separated by tabs.
  explicit LemmaDictionary(const std::vector<std::string>& rows) {
    for (const std::string& row : rows) {
      const std::size_t one = row.find('\t'), two = row.find('\t', one + 1);
      demand(one != std::string::npos && two != std::string::npos && two + 1 < row.size() &&
                 row.find('\t', two + 1) == std::string::npos,
             "a row of the dictionary of lemmas is not form, tag and lemma");
      const std::string_view text = row;
      *places_.payload(places_.at(key(text.substr(0, one), hash_of(text.substr(one + 1, two - one - 1))))) =
          static_cast<int32_t>(lemmas_.size());
      lemmas_.emplace_back(text.substr(two + 1));
    }
  }

  // The lemma of a form whose tag has this hash, or null.
  const std::string* find(std::string_view form, Value tag) const {
    const std::size_t slot = places_.find(key(form, tag));
    return slot == HashTable<int32_t>::kNone ? nullptr : &lemmas_[*places_.payload(slot)];
  }

 private:
  static Value key(std::string_view form, Value tag) { return mix(mix(0x13198A2E03707344u, tag), hash_of(form)) | 1; }

  HashTable<int32_t> places_{1};
  std::vector<std::string> lemmas_;
};

// What a model knows of lemmas apart from weights.
struct LemmaRules {
  std::vector<EditScript> scripts;
  LemmaDictionary dictionary;
  std::vector<Value> tags;  // hashes of the values of the predicted column that the dictionary looks at
  int tagger;               // that column among the predicted ones, or -1
  int channel;              // or the given one among the channels, or -1

  LemmaRules(const std::vector<std::string>& texts, const std::vector<std::string>& rows,
             const std::vector<std::string>& tag_values, int predicted, int given)
      : dictionary(rows), tagger(predicted), channel(given) {
    demand(!texts.empty(), "no edit scripts");
    for (const std::string& text : texts) scripts.push_back(EditScript::parse(text));
    for (const std::string& value : tag_values) tags.push_back(hash_of(value));
  }
};

// The lemmas of a text: numbers of their texts, by word.
struct LemmaColumn {
  std::vector<int32_t> values;
  std::vector<std::string> texts;

  LemmaColumn(std::size_t words, std::vector<int> columns) : values(words), reader_(std::move(columns)) {}

 private:
  friend class Lemmatizer;

  void set(std::size_t word, std::string_view lemma) {
    const std::size_t before = places_.size(), slot = places_.at(hash_of(lemma) | 1);
    if (places_.size() > before) {
      *places_.payload(slot) = static_cast<int32_t>(texts.size());
      texts.emplace_back(lemma);
    }
    values[word] = *places_.payload(slot);
  }

  FieldReader reader_;  // of the form, and the tag if that is given
  HashTable<int32_t> places_{1};
  // Words that the dictionary lacks wait for the network until they are many, which is faster.
  std::vector<std::pair<std::size_t, std::string_view>> waiting_;
  std::vector<float> encoded_, hidden_, scores_;
};

class Lemmatizer {
 public:
  Lemmatizer(std::shared_ptr<const LemmaRules> rules, const NamedArrays& arrays, std::size_t width,
             std::size_t channels, std::size_t taggers)
      : rules_(std::move(rules)),
        width_(width),
        hidden_(arrays.dense("lemma.hidden", arrays.size("lemma.hidden", 2, 0), width)),
        output_(arrays.dense("lemma", rules_->scripts.size(), hidden_.outputs())) {
    demand(rules_->channel < static_cast<int>(channels) && rules_->tagger < static_cast<int>(taggers),
           "no such column for the dictionary of lemmas");
    if (rules_->tagger < 0) return;
    demand(arrays.size("tagger." + std::to_string(rules_->tagger), 2, 0) == rules_->tags.size(),
           "not one tag for each row of their tagger");
  }

  // For a text with the form and all channels in these columns.
  LemmaColumn new_column(std::size_t words, const std::vector<int>& columns) const {
    demand(static_cast<int>(columns.size()) > rules_->channel + 1, "the column of the form, and one for each channel");
    std::vector<int> wanted{columns[0]};
    if (rules_->channel >= 0) wanted.push_back(columns[static_cast<std::size_t>(rules_->channel) + 1]);
    return {words, std::move(wanted)};
  }

  // The lemma of a word whose line begins here; `encoded` is what the BiLSTM says about it, and `tags` are the values
  // of its predicted columns.
  void add(LemmaColumn& column, std::size_t word, std::string_view text, std::size_t line, const float* encoded,
           const std::vector<std::vector<int32_t>>& tags) const {
    column.reader_.read(text, line);
    const std::vector<std::string_view>& fields = column.reader_.fields();
    const Value tag = rules_->tagger >= 0    ? rules_->tags[tags[rules_->tagger][word]]
                      : rules_->channel >= 0 ? hash_of(fields[1])
                                             : hash_of("");
    if (const std::string* known = rules_->dictionary.find(fields[0], tag)) {
      column.set(word, *known);
      return;
    }
    column.waiting_.emplace_back(word, fields[0]);
    column.encoded_.insert(column.encoded_.end(), encoded, encoded + width_);
    if (column.waiting_.size() == kTogether) finish(column);
  }

  // The lemmas of the words that still wait.
  void finish(LemmaColumn& column) const {
    const std::size_t words = column.waiting_.size(), scripts = output_.outputs();
    column.hidden_.resize(words * hidden_.outputs());
    column.scores_.resize(words * scripts);
    hidden_.multiply(column.encoded_.data(), words, column.hidden_.data());
    for (float& value : column.hidden_) value = std::max(value, 0.0f);
    output_.multiply(column.hidden_.data(), words, column.scores_.data());
    for (std::size_t w = 0; w < words; ++w) {
      const auto& [word, form] = column.waiting_[w];
      column.set(word, lemma_of(form, column.scores_.data() + w * scripts));
    }
    column.waiting_.clear();
    column.encoded_.clear();
  }

 private:
  static constexpr std::size_t kTogether = 96;

  // By the best script that the form is long enough for; without any, the form.
  std::string lemma_of(std::string_view form, const float* scores) const {
    const Characters characters = characters_of(form);
    const EditScript* best = nullptr;
    float most = 0;
    for (std::size_t s = 0; s < rules_->scripts.size(); ++s) {
      if (best != nullptr && scores[s] <= most) continue;
      if (rules_->scripts[s].least_characters() > characters.size()) continue;
      best = &rules_->scripts[s];
      most = scores[s];
    }
    return best == nullptr ? std::string(form) : best->applied_to(characters);
  }

  std::shared_ptr<const LemmaRules> rules_;
  std::size_t width_;
  Dense hidden_, output_;
};

}  // namespace multiplane
