// The semantic layer of CoNLL-2008, CoNLL-2009 and SDP: predicates, and one argument column for each of them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/layers.hpp"

namespace multiplane {

// Where a format has its predicates; columns from 0, or -1 for one that it lacks.
struct SemanticColumns {
  int sense;             // the predicate's sense, "_" for none
  int mark;              // says which words are predicates; without it, those with a sense are
  std::string yes, no;   // the two values of mark and top
  int top;               // says which words are tops
  bool senses_anywhere;  // other words may have a sense too (SDP's frames)
  int arguments;         // the first argument column
};

constexpr std::string_view kTop = "TOP";  // the label of arcs from 0 to the tops

struct Predicates {
  std::vector<int64_t> first{0};
  std::vector<int32_t> words, senses;
};

struct Semantics {
  Predicates predicates;
  LayerArcs arcs;  // by argument, then by predicate
  std::vector<std::string> senses, labels;
  std::vector<Problem> problems;
};

// Cuts a line into its fields.
inline void split(std::string_view line, char separator, std::vector<std::string_view>& fields) {
  fields.clear();
  std::size_t begin = 0;
  for (std::size_t end; (end = line.find(separator, begin)) != line.npos; begin = end + 1)
    fields.push_back(line.substr(begin, end - begin));
  fields.push_back(line.substr(begin));
}

class SemanticReader {
 public:
  SemanticReader(std::string_view text, const Index& index, const SemanticColumns& columns)
      : text_(text), index_(index), columns_(columns), problems_(text, index) {}

  // Sentences with problems have no predicates and no arcs.
  Semantics read() {
    for (s_ = 0; s_ < index_.size(); ++s_) {
      const std::size_t problems = problems_.found.size();
      read_predicates();
      if (problems_.found.size() == problems) read_arguments();
      if (problems_.found.size() != problems) forget_sentence();
      read_.arcs.end_sentence();
      read_.predicates.first.push_back(static_cast<int64_t>(read_.predicates.words.size()));
    }
    read_.senses = senses_.all();
    read_.labels = labels_.all();
    read_.problems = std::move(problems_.found);
    return std::move(read_);
  }

 private:
  std::size_t line_of(uint64_t w) const { return index_.start[s_] + index_.word[w]; }

  void refuse(uint64_t w, std::string what) { problems_.add(s_, line_of(w), std::move(what)); }

  void forget_sentence() {
    const auto kept = static_cast<std::size_t>(read_.predicates.first.back());
    read_.predicates.words.resize(kept);
    read_.predicates.senses.resize(kept);
    read_.arcs.forget_sentence();
  }

  void read_predicates() {
    for (uint64_t w = index_.first_word[s_]; w < index_.first_word[s_ + 1]; ++w) {
      split(line_at(text_, line_of(w)), '\t', fields_);
      const std::string_view sense = fields_[columns_.sense];
      if (sense.empty()) {
        refuse(w, "the predicate's sense is empty; write _ for none");
        continue;
      }
      if (!is_predicate(w, sense)) continue;
      read_.predicates.words.push_back(static_cast<int32_t>(w - index_.first_word[s_] + 1));
      read_.predicates.senses.push_back(senses_.number(sense));
    }
  }

  bool is_predicate(uint64_t w, std::string_view sense) {
    if (columns_.mark < 0) return sense != "_";
    const std::string_view mark = fields_[columns_.mark];
    if (mark == columns_.yes) return true;
    if (mark != columns_.no) {
      refuse(w, "predicate mark " + quoted(mark) + " is neither " + columns_.yes + " nor " + columns_.no);
    } else if (sense != "_" && !columns_.senses_anywhere) {
      refuse(w, "sense " + quoted(sense) + " without a predicate; mark the word with " + columns_.yes +
                    " or remove the sense");
    }
    return false;
  }

  void read_arguments() {
    const uint64_t begin = index_.first_word[s_];
    const auto from = static_cast<std::size_t>(read_.predicates.first.back());
    const std::size_t predicates = read_.predicates.words.size() - from;
    const std::size_t given = fields_.size() - columns_.arguments;  // the same for all words of a sentence
    const bool unknown = given == 0 && predicates > 0 && are_given_alone(from);
    if (given != predicates && !unknown) {
      refuse(begin, counted(given, "argument column") + " for " + counted(predicates, "predicate") +
                        "; give one for each predicate, in order of position");
      return;
    }
    for (uint64_t w = begin; w < index_.first_word[s_ + 1]; ++w) {
      split(line_at(text_, line_of(w)), '\t', fields_);
      const auto word = static_cast<int32_t>(w - begin + 1);
      if (columns_.top >= 0) read_top(w, word);
      for (std::size_t k = 0; k < given; ++k) {
        const std::string_view label = fields_[columns_.arguments + k];
        if (label == "_") continue;
        if (label.empty()) refuse(w, "argument column " + std::to_string(k + 1) + " is empty; write _ for none");
        read_.arcs.add(read_.predicates.words[from + k], word, labels_.number(label));
      }
    }
  }

  // The input of CoNLL-2009's evaluation marks the predicates and leaves senses and arguments to the parser.
  bool are_given_alone(std::size_t from) const {
    if (columns_.mark < 0 || columns_.senses_anywhere) return false;
    for (std::size_t p = from; p < read_.predicates.words.size(); ++p)
      if (senses_[read_.predicates.senses[p]] != "_") return false;
    return true;
  }

  void read_top(uint64_t w, int32_t word) {
    const std::string_view top = fields_[columns_.top];
    if (top == columns_.yes) {
      read_.arcs.add(0, word, labels_.number(kTop));
    } else if (top != columns_.no) {
      refuse(w, "top mark " + quoted(top) + " is neither " + columns_.yes + " nor " + columns_.no);
    }
  }

  std::string_view text_;
  const Index& index_;
  SemanticColumns columns_;
  LayerProblems problems_;
  Names senses_, labels_;
  Semantics read_;
  std::vector<std::string_view> fields_;
  std::size_t s_ = 0;
};

}  // namespace multiplane
