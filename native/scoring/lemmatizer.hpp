// Lemmas: those of known words are in a dictionary; for others, a network chooses an edit script, together with what
// words do that end alike. The network sees what the BiLSTM says about a word, and the word itself: of its spelling,
// the BiLSTM keeps what the sentence needs.
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
#include "scoring/network.hpp"
#include "scoring/suffix_guesser.hpp"
#include "text/scripts.hpp"

namespace multiplane {

// Lemmas of forms with a tag. Tags are predicted, and forms may begin a sentence; so where a form was not seen with a
// tag, its lower case with this tag counts, and then the form, if its lemma is the same with all tags.
class LemmaDictionary {
 public:
  // Rows of form, tag and lemma, separated by tabs; without lemma, the word has several.
  explicit LemmaDictionary(const std::vector<std::string>& rows) {
    for (const std::string& row : rows) {
      const std::size_t one = row.find('\t'), two = row.find('\t', one + 1);
      demand(one != std::string::npos && two != std::string::npos && row.find('\t', two + 1) == std::string::npos,
             "a row of the dictionary of lemmas is not form, tag and lemma");
      const std::string_view text = row;
      const std::string_view form = text.substr(0, one), tag = text.substr(one + 1, two - one - 1);
      const std::string_view lemma = text.substr(two + 1);
      const int32_t place = lemma.empty() ? kSeveral : static_cast<int32_t>(lemmas_.size());
      *places_.payload(places_.at(key(form, hash_of(tag)))) = place;
      const std::size_t before = places_.size();
      int32_t& with_any = *places_.payload(places_.at(key(form, kAnyTag)));
      if (places_.size() > before) {
        with_any = place;
      } else if (with_any != kSeveral && (place == kSeveral || lemmas_[with_any] != lemma)) {
        with_any = kSeveral;
      }
      if (!lemma.empty()) lemmas_.emplace_back(lemma);
    }
  }

  struct Entry {
    const std::string* lemma;  // null if there are several, or none
    bool exists;
  };

  // What is known of a form whose tag has this hash.
  Entry find(std::string_view form, Value tag) const {
    const int32_t tagged = place_of(form, tag), lower = tagged == kNone ? place_of(lowered(form), tag) : tagged;
    const int32_t place = lower == kNone ? place_of(form, kAnyTag) : lower;
    return {place < 0 ? nullptr : &lemmas_[place], place != kNone};
  }

 private:
  static constexpr Value kAnyTag = 0xA4093822299F31D0u;
  static constexpr int32_t kNone = -1, kSeveral = -2;

  int32_t place_of(std::string_view form, Value tag) const {
    const std::size_t slot = places_.find(key(form, tag));
    return slot == HashTable<int32_t>::kNone ? kNone : *places_.payload(slot);
  }

  static Value key(std::string_view form, Value tag) { return mix(mix(0x13198A2E03707344u, tag), hash_of(form)) | 1; }

  HashTable<int32_t> places_{1};
  std::vector<std::string> lemmas_;
};

// What a model knows of lemmas apart from weights.
struct LemmaRules {
  std::vector<EditScript> scripts;
  LemmaDictionary dictionary;
  SuffixGuesser suffixes;
  std::vector<Value> tags;  // hashes of the values of the predicted column that the dictionary looks at
  int tagger;               // that column among the predicted ones, or -1
  int channel;              // or the given one among the channels, or -1

  LemmaRules(const std::vector<std::string>& texts, const std::vector<std::string>& rows,
             const std::vector<std::string>& suffix_rows, const std::vector<std::string>& tag_values, int predicted,
             int given)
      : dictionary(rows), suffixes(suffix_rows, texts.size()), tagger(predicted), channel(given) {
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

  FieldReader reader_;
  WordNumbers numbers_;
  HashTable<int32_t> places_{1};
  // Words without lemma in the dictionary wait for the network until they are many, which is faster.
  struct Waiting {
    std::size_t word;
    std::string_view form;
    Value tag;
    bool is_known;  // with several lemmas
  };
  std::vector<Waiting> waiting_;
  std::vector<float> inputs_, hidden_, scores_;
  std::vector<double> probabilities_;
};

class Lemmatizer {
 public:
  // The network and the lexicon must outlive it.
  Lemmatizer(std::shared_ptr<const LemmaRules> rules, const NamedArrays& arrays, const Network& network,
             const Lexicon& lexicon)
      : rules_(std::move(rules)),
        network_(network),
        lexicon_(lexicon),
        hidden_(arrays.dense("lemma.hidden", arrays.size("lemma.hidden", 2, 0), network.width() + network.inputs())),
        output_(arrays.dense("lemma", rules_->scripts.size(), hidden_.outputs())) {
    demand(rules_->channel < static_cast<int>(lexicon.channels()) && rules_->tagger < static_cast<int>(network.tags()),
           "no such column for the dictionary of lemmas");
    if (rules_->tagger < 0) return;
    demand(arrays.size("tagger." + std::to_string(rules_->tagger), 2, 0) == rules_->tags.size(),
           "not one tag for each row of their tagger");
  }

  // For a text with the form and all channels in these columns.
  LemmaColumn new_column(std::size_t words, const std::vector<int>& columns) const {
    demand(columns.size() == lexicon_.channels() + 1, "the column of the form, and one for each channel");
    return {words, columns};
  }

  // The lemma of a word whose line begins here; `given` is the vector that the caller gives for it, `encoded` what the
  // BiLSTM says about it, and `tags` are the values of its predicted columns.
  void add(LemmaColumn& column, std::size_t word, std::string_view text, std::size_t line, const float* given,
           const float* encoded, const std::vector<std::vector<int32_t>>& tags) const {
    column.reader_.read(text, line);
    const std::vector<std::string_view>& fields = column.reader_.fields();
    const Value tag = rules_->tagger >= 0    ? rules_->tags[tags[rules_->tagger][word]]
                      : rules_->channel >= 0 ? hash_of(fields[static_cast<std::size_t>(rules_->channel) + 1])
                                             : hash_of("");
    const LemmaDictionary::Entry entry = rules_->dictionary.find(fields[0], tag);
    if (entry.lemma != nullptr) {
      column.set(word, *entry.lemma);
      return;
    }
    column.waiting_.push_back({word, fields[0], tag, entry.exists});
    column.inputs_.insert(column.inputs_.end(), encoded, encoded + network_.width());
    column.inputs_.resize(column.inputs_.size() + network_.inputs());
    network_.read_word(fields, lexicon_, column.numbers_, given,
                       column.inputs_.data() + column.inputs_.size() - network_.inputs());
    if (column.waiting_.size() == kTogether) finish(column);
  }

  // The lemmas of the words that still wait.
  void finish(LemmaColumn& column) const {
    const std::size_t words = column.waiting_.size(), scripts = output_.outputs();
    column.hidden_.resize(words * hidden_.outputs());
    column.scores_.resize(words * scripts);
    hidden_.multiply(column.inputs_.data(), words, column.hidden_.data());
    for (float& value : column.hidden_) value = std::max(value, 0.0f);
    output_.multiply(column.hidden_.data(), words, column.scores_.data());
    for (std::size_t w = 0; w < words; ++w) {
      const auto& [word, form, tag, is_known] = column.waiting_[w];
      float* scores = column.scores_.data() + w * scripts;
      const Characters characters = characters_of(form);
      // Words with several lemmas are exceptions, of which words that end alike know nothing.
      if (!is_known) rules_->suffixes.add(characters, tag, scores, column.probabilities_);
      column.set(word, lemma_of(characters, form, scores));
    }
    column.waiting_.clear();
    column.inputs_.clear();
  }

 private:
  static constexpr std::size_t kTogether = 96;

  // By the best script that the form is long enough for; without any, the form.
  std::string lemma_of(const Characters& characters, std::string_view form, const float* scores) const {
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
  const Network& network_;
  const Lexicon& lexicon_;
  Dense hidden_, output_;
};

}  // namespace multiplane
