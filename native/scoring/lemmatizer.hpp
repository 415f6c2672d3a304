// Lemmas: those of known words are in a dictionary. For others, a network chooses an edit script. It sees what the
// BiLSTM says about a word, and the word itself, as the BiLSTM keeps only as much of the spelling as the sentence
// needs. Words that end alike have a say, and so does whether the result is a known word.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
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

// Lemmas of forms with a tag.
class LemmaDictionary {
 public:
  // Rows of form, tag and lemma, separated by tabs; without lemma, the word has several.
  explicit LemmaDictionary(const std::vector<std::string>& rows) {
    for (const std::string& row : rows) {
      const std::size_t one = row.find('\t'), two = row.find('\t', one + 1);
      demand(one != std::string::npos && two != std::string::npos && row.find('\t', two + 1) == std::string::npos,
             "a row of the dictionary of lemmas is not form, tag and lemma");
      const std::string_view text = row;
      const std::string_view form = text.substr(0, one), lemma = text.substr(two + 1);
      const Value tag = hash_of(text.substr(one + 1, two - one - 1));
      *places_.payload(places_.at(key(kForm, form, tag))) =
          lemma.empty() ? kSeveral : static_cast<int32_t>(lemmas_.size());
      if (lemma.empty()) continue;
      places_.at(key(kLemma, lemma, tag));
      lemmas_.emplace_back(lemma);
    }
  }

  struct Entry {
    const std::string* lemma;  // null if there are several, or none
    bool exists;
    bool is_exact;  // not of the form in lower case
  };

  // What is known of a form whose tag has this hash. As forms may begin a sentence, one that was not seen with its tag
  // is looked up in lower case.
  Entry find(std::string_view form, Value tag) const {
    const int32_t exact = place_of(form, tag), place = exact == kNone ? place_of(lowered(form), tag) : exact;
    return {place < 0 ? nullptr : &lemmas_[place], place != kNone, exact != kNone};
  }

  // Whether a form with this tag has this lemma.
  bool has_lemma(std::string_view lemma, Value tag) const {
    return places_.find(key(kLemma, lemma, tag)) != HashTable<int32_t>::kNone;
  }

 private:
  static constexpr Value kForm = 0x13198A2E03707344u, kLemma = 0x082EFA98EC4E6C89u;
  static constexpr int32_t kNone = -1, kSeveral = -2;

  int32_t place_of(std::string_view form, Value tag) const {
    const std::size_t slot = places_.find(key(kForm, form, tag));
    return slot == HashTable<int32_t>::kNone ? kNone : *places_.payload(slot);
  }

  static Value key(Value kind, std::string_view text, Value tag) { return mix(mix(kind, tag), hash_of(text)) | 1; }

  HashTable<int32_t> places_{1};
  std::vector<std::string> lemmas_;
};

// Whether lemmas of capitalized forms are capitalized, for each UPOS and XPOS with which nearly all are or are not.
class LemmaCapitals {
 public:
  // Rows of UPOS, XPOS, and "upper" or "lower", separated by tabs.
  explicit LemmaCapitals(const std::vector<std::string>& rows) {
    for (const std::string& row : rows) {
      const std::size_t one = row.find('\t'), two = row.find('\t', one + 1);
      demand(one != std::string::npos && two != std::string::npos, kWrong);
      const std::string_view text = row, answer = text.substr(two + 1);
      demand(answer == "upper" || answer == "lower", kWrong);
      *answers_.payload(answers_.at(key(hash_of(text.substr(0, one)), hash_of(text.substr(one + 1, two - one - 1))))) =
          answer == "upper";
    }
  }

  // Whether the lemma of a capitalized form with these tags is capitalized, if that is sure.
  std::optional<bool> find(Value upos, Value xpos) const {
    const std::size_t slot = answers_.find(key(upos, xpos));
    if (slot == HashTable<int32_t>::kNone) return std::nullopt;
    return *answers_.payload(slot) != 0;
  }

 private:
  static constexpr const char* kWrong = "a row of the capitals of lemmas is not UPOS, XPOS, and upper or lower";
  static Value key(Value upos, Value xpos) { return mix(mix(0x452821E638D01377u, upos), xpos) | 1; }

  HashTable<int32_t> answers_{1};
};

// A column of tags that lemmas depend on: predicted, given, or neither.
struct LemmaTags {
  std::vector<Value> values;  // hashes of those that are predicted
  int tagger;                 // its place among the predicted columns, or -1
  int channel;                // or its place among the channels, or -1

  LemmaTags(const std::vector<std::string>& texts, int predicted, int given) : tagger(predicted), channel(given) {
    for (const std::string& text : texts) values.push_back(hash_of(text));
  }

  Value of(std::size_t word, const std::vector<std::string_view>& fields,
           const std::vector<std::vector<int32_t>>& predicted) const {
    return tagger >= 0    ? values[predicted[tagger][word]]
           : channel >= 0 ? hash_of(fields[static_cast<std::size_t>(channel) + 1])
                          : hash_of("");
  }
};

// What a model knows of lemmas apart from weights.
struct LemmaRules {
  std::vector<EditScript> scripts;
  LemmaDictionary dictionary;
  SuffixGuesser suffixes;
  LemmaCapitals capitals;
  LemmaTags upos, xpos;

  LemmaRules(const std::vector<std::string>& texts, const std::vector<std::string>& rows,
             const std::vector<std::string>& suffix_rows, const std::vector<std::string>& capital_rows,
             LemmaTags first_tags, LemmaTags second_tags)
      : dictionary(rows),
        suffixes(suffix_rows, texts.size()),
        capitals(capital_rows),
        upos(std::move(first_tags)),
        xpos(std::move(second_tags)) {
    demand(!texts.empty(), "no edit scripts");
    for (const std::string& text : texts) scripts.push_back(EditScript::parse(text));
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
    Value upos, xpos;
    LemmaDictionary::Entry entry;
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
    for (const LemmaTags* tags : {&rules_->upos, &rules_->xpos}) {
      demand(tags->channel < static_cast<int>(lexicon.channels()) && tags->tagger < static_cast<int>(network.tags()),
             "no such column of tags for lemmas");
      if (tags->tagger >= 0) {
        demand(arrays.size("tagger." + std::to_string(tags->tagger), 2, 0) == tags->values.size(),
               "not one tag for each row of their tagger");
      }
    }
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
    const Value upos = rules_->upos.of(word, fields, tags), xpos = rules_->xpos.of(word, fields, tags);
    const LemmaDictionary::Entry entry = rules_->dictionary.find(fields[0], upos);
    if (entry.lemma != nullptr) {
      column.set(word, entry.is_exact ? *entry.lemma : with_usual_case(*entry.lemma, fields[0], upos, xpos));
      return;
    }
    column.waiting_.push_back({word, fields[0], upos, xpos, entry});
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
      const auto& [word, form, upos, xpos, entry] = column.waiting_[w];
      float* scores = column.scores_.data() + w * scripts;
      const Characters characters = characters_of(form);
      // Words with several lemmas are exceptions, for which other words are no model.
      if (!entry.exists) add_evidence(characters, upos, scores, column.probabilities_);
      const std::string lemma = lemma_of(characters, form, scores);
      column.set(word, entry.is_exact ? lemma : with_usual_case(lemma, form, upos, xpos));
    }
    column.waiting_.clear();
    column.inputs_.clear();
  }

 private:
  static constexpr std::size_t kTogether = 96;

  // Added to the score of a script whose result is a known lemma with this tag, or a known word.
  static constexpr float kKnownLemma = 6, kKnownWord = 3;

  // What unknown words tell about their scripts: words that end alike, and results that are words.
  void add_evidence(const Characters& form, Value upos, float* scores, std::vector<double>& probabilities) const {
    rules_->suffixes.add(form, upos, scores, probabilities);
    // Results of numbers and signs, such as other numbers, are known by chance.
    const auto is_letter = [](char32_t c) { return c >= 0x80 || to_lower(c) != to_upper(c); };
    const auto is_digit = [](char32_t c) { return c >= '0' && c <= '9'; };
    if (std::none_of(form.begin(), form.end(), is_letter) || std::any_of(form.begin(), form.end(), is_digit)) return;
    const std::size_t scripts = rules_->scripts.size();
    const auto fits = [&](std::size_t s) { return rules_->scripts[s].least_characters() <= form.size(); };
    float most = -std::numeric_limits<float>::infinity();
    for (std::size_t s = 0; s < scripts; ++s)
      if (fits(s)) most = std::max(most, scores[s]);
    for (std::size_t s = 0; s < scripts; ++s) {
      // Where a script keeps a single character, it is the lemma of an irregular word.
      if (!fits(s) || scores[s] + kKnownLemma + kKnownWord <= most || rules_->scripts[s].kept_of(form) < 2) continue;
      const std::string lemma = rules_->scripts[s].applied_to(form);
      if (rules_->dictionary.has_lemma(lemma, upos)) scores[s] += kKnownLemma;
      if (lexicon_.has_word(lowered(lemma))) scores[s] += kKnownWord;
    }
  }

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

  // The first letter of the lemma of a capitalized form has the usual case for these tags, if there is one. Otherwise,
  // if the dictionary has the lemma only with the other case, it gets that.
  std::string with_usual_case(const std::string& lemma, std::string_view form, Value upos, Value xpos) const {
    Characters characters = characters_of(lemma);
    const char32_t lower = to_lower(characters[0]), upper = to_upper(lower);
    if (lower == upper) return lemma;
    const bool is_upper = characters[0] != lower;
    characters[0] = is_upper ? lower : upper;
    const std::string other = utf8(characters);
    if (capitals_of(characters_of(form)) == Capitals::kFirst) {
      if (const std::optional<bool> usual = rules_->capitals.find(upos, xpos))
        return *usual == is_upper ? lemma : other;
    }
    const LemmaDictionary& known = rules_->dictionary;
    return known.has_lemma(other, upos) && !known.has_lemma(lemma, upos) ? other : lemma;
  }

  std::shared_ptr<const LemmaRules> rules_;
  const Network& network_;
  const Lexicon& lexicon_;
  Dense hidden_, output_;
};

}  // namespace multiplane
