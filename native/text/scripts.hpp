// Edit scripts: how a form becomes its lemma.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/demand.hpp"
#include "text/unicode.hpp"

namespace multiplane {

using Characters = std::u32string;

inline Characters characters_of(std::string_view text) {
  Characters found;
  for (std::size_t i = 0, size; i < text.size(); i += size) {
    size = std::min(character_size(text[i]), text.size() - i);
    found += static_cast<char32_t>(decode(text.data() + i, size));
  }
  return found;
}

inline std::string utf8(const Characters& characters) {
  std::string text;
  for (char32_t c : characters) encode(c, text);
  return text;
}

// Lemmas are in lower case, or have the case of the form, as a whole or in their first letter.
enum class LemmaCase : uint8_t { kLower, kTitle, kKeep };

inline constexpr std::string_view kLemmaCases[] = {"lower", "title", "keep"};

inline Characters with_case(Characters form, LemmaCase wanted) {
  if (wanted == LemmaCase::kKeep) return form;
  for (std::size_t i = wanted == LemmaCase::kTitle ? 1 : 0; i < form.size(); ++i)
    form[i] = static_cast<char32_t>(to_lower(form[i]));
  return form;
}

// Replaces characters at an end of a word.
struct EndEdit {
  std::size_t dropped = 0;
  Characters added;

  std::size_t cost() const { return dropped + added.size(); }
  std::string text() const { return std::to_string(dropped) + '+' + utf8(added); }

  // "2+en": drops two characters and adds others.
  static EndEdit parse(std::string_view text) {
    const std::size_t plus = text.find('+');
    demand(plus != std::string_view::npos && plus >= 1 && plus <= 4, "not an edit script");
    EndEdit edit;
    for (char digit : text.substr(0, plus)) {
      demand(digit >= '0' && digit <= '9', "not an edit script");
      edit.dropped = edit.dropped * 10 + static_cast<std::size_t>(digit - '0');
    }
    edit.added = characters_of(text.substr(plus + 1));
    return edit;
  }
};

// A script gives the form another case and replaces characters at both of its ends; at least one between them stays.
// Where a form and its lemma share no character, the script is the lemma itself. Fields of its text are separated by
// tabs: the case and both edits, as in "lower 0+ 3+e"; or "lemma be".
class EditScript {
 public:
  // The shortest script for a form and its lemma; of several, that with the case that comes first.
  static EditScript between(std::string_view form_text, std::string_view lemma_text) {
    demand(!lemma_text.empty(), "an empty lemma");
    const Characters form = characters_of(form_text), lemma = characters_of(lemma_text);
    std::optional<EditScript> best;
    for (LemmaCase wanted : {LemmaCase::kLower, LemmaCase::kTitle, LemmaCase::kKeep}) {
      std::optional<EditScript> found = aligned(with_case(form, wanted), lemma, wanted);
      if (found && (!best || found->cost() < best->cost())) best = std::move(found);
    }
    if (best) return *best;
    EditScript whole;
    whole.lemma_ = std::string(lemma_text);
    return whole;
  }

  static EditScript parse(std::string_view text) {
    const std::size_t tab = text.find('\t');
    demand(tab != std::string_view::npos, "not an edit script");
    const std::string_view name = text.substr(0, tab), rest = text.substr(tab + 1);
    EditScript script;
    if (name == "lemma") {
      demand(!rest.empty() && rest.find('\t') == std::string_view::npos, "not an edit script");
      script.lemma_ = std::string(rest);
      return script;
    }
    const auto* found = std::find(std::begin(kLemmaCases), std::end(kLemmaCases), name);
    const std::size_t between = rest.find('\t');
    demand(found != std::end(kLemmaCases) && between != std::string_view::npos &&
               rest.find('\t', between + 1) == std::string_view::npos,
           "not an edit script");
    script.case_ = static_cast<LemmaCase>(found - std::begin(kLemmaCases));
    script.front_ = EndEdit::parse(rest.substr(0, between));
    script.back_ = EndEdit::parse(rest.substr(between + 1));
    return script;
  }

  std::string text() const {
    if (!lemma_.empty()) return "lemma\t" + lemma_;
    return std::string(kLemmaCases[static_cast<std::size_t>(case_)]) + '\t' + front_.text() + '\t' + back_.text();
  }

  // A form with fewer characters has no lemma by this script.
  std::size_t least_characters() const { return lemma_.empty() ? front_.dropped + back_.dropped + 1 : 0; }

  // How many characters of a form that is long enough are in its lemma.
  std::size_t kept_of(const Characters& form) const {
    return lemma_.empty() ? form.size() - front_.dropped - back_.dropped : 0;
  }

  std::string applied_to(const Characters& form) const {
    if (!lemma_.empty()) return lemma_;
    demand(form.size() >= least_characters(), "the form is too short for this edit script");
    const Characters from = with_case(form, case_);
    return utf8(front_.added + from.substr(front_.dropped, from.size() - front_.dropped - back_.dropped) + back_.added);
  }

 private:
  // Longer texts are aligned only as wholes: what makes a word out of them takes time, and teaches nothing.
  static constexpr std::size_t kMostCharacters = 100;

  std::size_t cost() const { return front_.cost() + back_.cost(); }

  // Keeps the longest sequence of characters that a form and its lemma share; of several, the first in the form.
  static std::optional<EditScript> aligned(const Characters& form, const Characters& lemma, LemmaCase wanted) {
    EditScript script;
    script.case_ = wanted;
    if (form == lemma) return script;
    if (std::max(form.size(), lemma.size()) > kMostCharacters) return std::nullopt;
    std::size_t longest = 0, in_form = 0, in_lemma = 0;
    std::vector<std::size_t> before(lemma.size() + 1), here(lemma.size() + 1);  // lengths of what ends at a place
    for (std::size_t i = 1; i <= form.size(); ++i, std::swap(before, here)) {
      for (std::size_t j = 1; j <= lemma.size(); ++j) {
        here[j] = form[i - 1] == lemma[j - 1] ? before[j - 1] + 1 : 0;
        if (here[j] > longest) longest = here[j], in_form = i, in_lemma = j;
      }
    }
    if (longest == 0) return std::nullopt;
    script.front_ = {in_form - longest, lemma.substr(0, in_lemma - longest)};
    script.back_ = {form.size() - in_form, lemma.substr(in_lemma)};
    return script;
  }

  LemmaCase case_ = LemmaCase::kLower;
  EndEdit front_, back_;
  std::string lemma_;  // the lemma itself, if the form does not matter
};

}  // namespace multiplane
