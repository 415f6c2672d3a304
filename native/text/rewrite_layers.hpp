// Replaces the semantic or the enhanced layer of a text; every other byte stays the same.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/semantics.hpp"

namespace multiplane {

// Predicates and arcs to write: positions in flat arrays, as the readers give them, and texts.
struct NewPredicates {
  const int64_t* first;
  const int32_t *words, *senses;
  const std::vector<std::string>* names;
};

struct NewArcs {
  const int64_t* first;
  const int32_t *heads, *dependents, *labels;
  const std::vector<std::string>* names;
};

class SemanticWriter {
 public:
  SemanticWriter(std::string_view text, const Index& index, const SemanticColumns& columns)
      : text_(text), index_(index), columns_(columns) {}

  // The caller has checked that heads of arcs are predicates, or 0 for tops, and that no two arcs have the same ends.
  std::string written(const NewPredicates& predicates, const NewArcs& arcs) {
    std::string out;
    out.reserve(text_.size() + text_.size() / 8);
    std::size_t copied = 0;
    for (std::size_t s = 0; s < index_.size(); ++s) {
      arrange(s, predicates, arcs);
      const std::size_t words = index_.first_word[s + 1] - index_.first_word[s];
      for (std::size_t w = 0; w < words; ++w) {
        const std::size_t at = index_.start[s] + index_.word[index_.first_word[s] + w];
        out.append(text_, copied, at - copied);
        const std::string_view line = line_at(text_, at);
        write_line(line, w, predicates, arcs, out);
        copied = at + line.size();
      }
    }
    out.append(text_, copied, text_.npos);
    return out;
  }

 private:
  // Sorts the sentence's predicates and arcs into tables: the predicate of each word, the arc in each cell.
  void arrange(std::size_t s, const NewPredicates& predicates, const NewArcs& arcs) {
    const std::size_t words = index_.first_word[s + 1] - index_.first_word[s];
    count_ = static_cast<std::size_t>(predicates.first[s + 1] - predicates.first[s]);
    first_ = predicates.first[s];
    predicate_.assign(words + 1, -1);
    for (std::size_t k = 0; k < count_; ++k) predicate_[predicates.words[first_ + k]] = static_cast<int32_t>(k);
    top_.assign(words, false);
    cells_.assign(words * count_, -1);
    for (int64_t a = arcs.first[s]; a < arcs.first[s + 1]; ++a) {
      const std::size_t row = static_cast<std::size_t>(arcs.dependents[a]) - 1;
      if (arcs.heads[a] == 0) {
        top_[row] = true;
      } else {
        cells_[row * count_ + predicate_[arcs.heads[a]]] = arcs.labels[a];
      }
    }
  }

  void write_line(std::string_view line, std::size_t w, const NewPredicates& predicates, const NewArcs& arcs,
                  std::string& out) {
    split(line, '\t', fields_);
    const int32_t predicate = predicate_[w + 1];
    const bool was = columns_.mark >= 0 && fields_[columns_.mark] == columns_.yes;
    for (int column = 0; column < columns_.arguments; ++column) {
      if (column > 0) out += '\t';
      if (column == columns_.mark) {
        out += predicate >= 0 ? columns_.yes : columns_.no;
      } else if (column == columns_.top) {
        out += top_[w] ? columns_.yes : columns_.no;
      } else if (column == columns_.sense && predicate >= 0) {
        out += (*predicates.names)[predicates.senses[first_ + predicate]];
      } else if (column == columns_.sense && (was || !columns_.senses_anywhere)) {
        out += '_';
      } else {
        out += fields_[column];
      }
    }
    for (std::size_t k = 0; k < count_; ++k) {
      const int32_t label = cells_[w * count_ + k];
      out += '\t';
      if (label < 0) {
        out += '_';
      } else {
        out += (*arcs.names)[label];
      }
    }
  }

  std::string_view text_;
  const Index& index_;
  SemanticColumns columns_;
  std::vector<std::string_view> fields_;
  std::size_t count_ = 0;
  int64_t first_ = 0;
  std::vector<int32_t> predicate_, cells_;
  std::vector<bool> top_;
};

// The text with other DEPS of words, in the order in which the arcs are given; DEPS of empty nodes stay.
inline std::string with_deps(std::string_view text, const Index& index, int column, const NewArcs& arcs) {
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  std::size_t copied = 0;
  std::vector<std::string> deps;
  for (std::size_t s = 0; s < index.size(); ++s) {
    deps.assign(index.first_word[s + 1] - index.first_word[s], std::string());
    for (int64_t a = arcs.first[s]; a < arcs.first[s + 1]; ++a) {
      std::string& of = deps[arcs.dependents[a] - 1];
      if (!of.empty()) of += '|';
      of += std::to_string(arcs.heads[a]) + ':' + (*arcs.names)[arcs.labels[a]];
    }
    for (std::size_t w = 0; w < deps.size(); ++w) {
      const std::size_t at = index.start[s] + index.word[index.first_word[s] + w];
      const std::string_view old = field(line_at(text, at), column);
      const std::size_t begin = static_cast<std::size_t>(old.data() - text.data());
      out.append(text, copied, begin - copied);
      out += deps[w].empty() ? "_" : deps[w];
      copied = begin + old.size();
    }
  }
  out.append(text, copied, text.npos);
  return out;
}

}  // namespace multiplane
