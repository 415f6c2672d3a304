// Words as a latent-variable model sees them: numbers of their form given their tag, of the tag, and of other fields.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/demand.hpp"
#include "features/lexicon.hpp"

namespace multiplane {

// Rare words share a number with words of the same tag that end in the same letters, as many as the vocabulary knows;
// words with digits are of one kind. The key of such a class has two tabs, which no form has.
class LatentLexicon {
 public:
  // Words are keys: the tag, a tab and the form in small letters. Then the vocabularies of other fields, the first of
  // which is the tag, and the lemmas that predicates had.
  LatentLexicon(const std::vector<std::string>& words, const std::vector<std::vector<std::string>>& fields,
                const std::vector<std::string>& lemmas)
      : words_(words), lemmas_(lemmas) {
    for (const std::vector<std::string>& texts : fields) fields_.emplace_back(texts);
    demand(!fields_.empty(), "words have at least a form and a tag");
  }

  std::size_t channels() const { return fields_.size() + 1; }

  // Numbers of all words of a text: of the form, of other fields, and the place of the lemma, or -1. Columns are those
  // of the form, of the fields and of the lemma; -1 where a format has no such column.
  std::vector<int32_t> numbers(std::string_view text, const Index& index, const std::vector<int>& columns) const {
    demand(columns.size() == channels() + 1, "one column for each channel, and that of the lemma");
    std::vector<int32_t> found;
    found.reserve(index.heads.size() * columns.size());
    FieldReader reader(columns);
    for (std::size_t s = 0; s < index.size(); ++s) {
      for (std::size_t w = index.first_word[s]; w < index.first_word[s + 1]; ++w) {
        reader.read(text, index.start[s] + index.word[w]);
        const std::vector<std::string_view>& fields = reader.fields();
        found.push_back(kKnown + word(fields[0], fields[1]));
        for (std::size_t f = 0; f < fields_.size(); ++f) found.push_back(kKnown + fields_[f][fields[f + 1]]);
        const bool has_lemma = fields.back() != "_";  // otherwise it is the form
        found.push_back((has_lemma ? lemmas_[fields.back()] : lemmas_[lowered(fields[0])]) - 1);
      }
    }
    return found;
  }

  // The keys under which a word is looked for, the best first.
  static std::vector<std::string> keys(std::string_view form, std::string_view tag) {
    const std::string small = lowered(form), begin = std::string(tag) + '\t';
    std::vector<std::string> found{begin + small};
    if (small.find_first_of("0123456789") != std::string::npos) found.push_back(begin + "\t0");
    for (std::size_t count = 3; count > 0; --count) found.push_back(begin + '\t' + std::string(ending(small, count)));
    found.push_back(begin + '\t');
    return found;
  }

 private:
  static constexpr int32_t kKnown = 2;  // added to numbers that begin with 1, and 0 for what is unknown

  int32_t word(std::string_view form, std::string_view tag) const {
    for (const std::string& key : keys(form, tag))
      if (const int32_t number = words_[key]; number > 0) return number;
    return 0;
  }

  static std::string_view ending(std::string_view text, std::size_t characters) {
    std::size_t begin = text.size();
    while (begin > 0 && characters > 0)
      if ((static_cast<unsigned char>(text[--begin]) & 0xC0) != 0x80) --characters;
    return text.substr(begin);
  }

  Vocabulary words_;
  std::vector<Vocabulary> fields_;
  Vocabulary lemmas_;
};

}  // namespace multiplane
