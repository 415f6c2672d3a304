// Replaces fields of the words of a text in some columns; every other byte stays the same.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/conll.hpp"

namespace multiplane {

// New fields of a column: for every word, the index of its text in the names.
struct NewColumn {
  int column;  // from 0
  const int32_t* values;
  const std::vector<std::string>* names;  // or null if the values are heads; -1 is then written as "_"
  bool only_empty;                        // keep existing values
};

// Copies the text with the fields of all words replaced.
inline std::string rewritten(std::string_view text, const Index& index, std::vector<NewColumn> columns) {
  std::sort(columns.begin(), columns.end(), [](const auto& a, const auto& b) { return a.column < b.column; });
  std::string out;
  out.reserve(text.size() + text.size() / 16);
  std::size_t copied = 0, w = 0;
  for (std::size_t s = 0; s < index.size(); ++s) {
    for (; w < index.first_word[s + 1]; ++w) {
      std::size_t at = index.start[s] + index.word[w];
      int column = 0;
      for (const NewColumn& wanted : columns) {
        for (; column < wanted.column; ++column) at = text.find('\t', at) + 1;
        std::size_t end = at;
        while (end < text.size() && text[end] != '\t' && text[end] != '\n' && text[end] != '\r') ++end;
        const std::string_view old = text.substr(at, end - at);
        at = end;
        if (wanted.only_empty && old != "_") continue;
        out.append(text, copied, end - old.size() - copied);
        copied = end;
        const int32_t value = wanted.values[w];
        if (wanted.names != nullptr) {
          out += (*wanted.names)[value];
        } else if (value < 0) {
          out += '_';
        } else {
          out += std::to_string(value);
        }
      }
    }
  }
  out.append(text, copied, std::string_view::npos);
  return out;
}

}  // namespace multiplane
