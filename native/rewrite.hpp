// New trees for the words of a text: other HEAD and DEPREL fields, every other byte as it was.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "conll.hpp"

namespace multiplane {

// Copies the text with the fields of all words replaced. A head of -1 is written as "_".
inline std::string rewritten(std::string_view text, const Index& index, int head_column, int deprel_column,
                             const int32_t* heads, const int32_t* labels, const std::vector<std::string>& names) {
  std::string out;
  out.reserve(text.size() + text.size() / 16);
  const int first = std::min(head_column, deprel_column), second = std::max(head_column, deprel_column);
  std::size_t copied = 0;
  auto replace = [&](int column, std::size_t w) {
    if (column == deprel_column) {
      out += names[labels[w]];
    } else if (heads[w] < 0) {
      out += '_';
    } else {
      out += std::to_string(heads[w]);
    }
  };
  std::size_t w = 0;
  for (std::size_t s = 0; s < index.size(); ++s) {
    for (; w < index.first_word[s + 1]; ++w) {
      std::size_t at = index.start[s] + index.word[w];
      int column = 0;
      for (int wanted : {first, second}) {
        for (; column < wanted; ++column) at = text.find('\t', at) + 1;
        out.append(text, copied, at - copied);
        replace(wanted, w);
        while (at < text.size() && text[at] != '\t' && text[at] != '\n' && text[at] != '\r') ++at;
        copied = at;
      }
    }
  }
  out.append(text, copied, std::string_view::npos);
  return out;
}

}  // namespace multiplane
