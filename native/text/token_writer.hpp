// Tokens as CoNLL-U, without annotation.
#pragma once

#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "text/pieces.hpp"

namespace multiplane {

struct FoundToken {
  std::size_t begin = 0, end = 0;   // bytes
  std::size_t first = 0, last = 0;  // code points
  bool space_after = true;
  std::vector<std::string> words;  // of a multiword token
};

class TokenWriter {
 public:
  // How many sentences and characters of the input come before this text.
  struct Before {
    std::size_t sentences = 0, characters = 0;
  };

  TokenWriter(std::string_view text, bool ranges, Before before) : text_(text), ranges_(ranges), before_(before) {}

  void sentence(const FoundToken* tokens, std::size_t count) {
    out_ += "# sent_id = ";
    number(before_.sentences + ++sentences_);
    out_ += "\n# text = ";
    append_clean(text_.substr(tokens[0].begin, tokens[count - 1].end - tokens[0].begin), out_);
    out_ += '\n';
    words_ = 0;
    for (std::size_t t = 0; t < count; ++t) token(tokens[t]);
    out_ += '\n';
  }

  std::size_t sentences() const { return sentences_; }
  std::string& out() { return out_; }

 private:
  void token(const FoundToken& token) {
    if (token.words.empty()) {
      number(++words_);
    } else {
      number(words_ + 1);
      out_ += '-';
      number(words_ + token.words.size());
    }
    out_ += '\t';
    append_clean(text_.substr(token.begin, token.end - token.begin), out_);
    out_ += kEmpty;
    misc(token);
    for (const std::string& word : token.words) {
      number(++words_);
      out_ += '\t';
      out_ += word;
      out_ += kEmpty;
      out_ += "_\n";
    }
  }

  void misc(const FoundToken& token) {
    if (!token.space_after) out_ += "SpaceAfter=No";
    if (ranges_) {
      if (!token.space_after) out_ += '|';
      out_ += "TokenRange=";
      number(before_.characters + token.first);
      out_ += ':';
      number(before_.characters + token.last);
    } else if (token.space_after) {
      out_ += '_';
    }
    out_ += '\n';
  }

  void number(std::size_t value) {
    char digits[20];
    out_.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
  }

  static constexpr std::string_view kEmpty = "\t_\t_\t_\t_\t_\t_\t_\t";

  std::string_view text_;
  bool ranges_;
  Before before_;
  std::size_t sentences_ = 0, words_ = 0;
  std::string out_;
};

}  // namespace multiplane
