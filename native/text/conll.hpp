// Reader of the CoNLL family of formats: one pass over the text finds sentences, words and heads.
//
// The text itself is kept, so nothing in a file can be lost; the index only records positions: 8 bytes per word and 40
// per sentence. Fields are extracted from the text on demand.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "text/quote.hpp"
#include "text/utf8.hpp"

namespace multiplane {

// What distinguishes one tab-separated format from another.
struct Dialect {
  int columns;        // columns of a word line
  bool more_columns;  // more columns may follow (one per predicate in CoNLL-2008 and -2009)
  int head;           // the column of the head, from 0; -1 if there is none
  bool ranges;        // multiword ranges (3-4) and empty nodes (5.1) have their own lines
  bool bare_ids;      // a comment such as #22000001 names the sentence
};

struct Problem {
  uint64_t line;
  uint64_t sentence;  // ordinal, from 1
  std::string sent_id;
  std::string what;
};

constexpr int32_t kNoHead = -1;  // "_" in the file: not annotated

struct Index {
  std::vector<uint64_t> start;       // of each sentence: its first byte, including comments
  std::vector<uint64_t> end;         // the byte after its last line
  std::vector<uint64_t> line;        // the number of its first line
  std::vector<uint64_t> ordinal;     // its number in the file, from 1, including sentences with problems
  std::vector<uint64_t> first_word;  // prefix sums of lengths; one more entry than sentences
  std::vector<uint32_t> word;        // of each word: the start of its line, relative to its sentence
  std::vector<int32_t> heads;
  std::vector<Problem> problems;
  uint64_t lines = 0;      // lines read
  uint64_t sentences = 0;  // sentences read, including those with problems
  bool bare_ids = false;   // as in the dialect

  std::size_t size() const { return start.size(); }
};

inline std::string_view line_at(std::string_view text, std::size_t begin) {
  const void* found = std::memchr(text.data() + begin, '\n', text.size() - begin);
  std::size_t end = found ? static_cast<const char*>(found) - text.data() : text.size();
  if (end > begin && text[end - 1] == '\r') --end;
  return text.substr(begin, end - begin);
}

// The column-th field of a line, or an empty view if the line is too short.
inline std::string_view field(std::string_view line, int column) {
  std::size_t begin = 0;
  for (; column > 0; --column) {
    std::size_t tab = line.find('\t', begin);
    if (tab == std::string_view::npos) return {};
    begin = tab + 1;
  }
  std::size_t tab = line.find('\t', begin);
  return line.substr(begin, tab == std::string_view::npos ? tab : tab - begin);
}

// The value of "# sent_id = x", or of the older "# sent_id x"; empty if the line is no such comment.
inline std::string_view sent_id_in(std::string_view line) {
  auto skip_spaces = [&line] { line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size())); };
  line.remove_prefix(1);
  skip_spaces();
  constexpr std::string_view key = "sent_id";
  if (line.substr(0, key.size()) != key) return {};
  line.remove_prefix(key.size());
  if (line.empty() || (line[0] != ' ' && line[0] != '=' && line[0] != '\t')) return {};
  skip_spaces();
  if (!line.empty() && line[0] == '=') line.remove_prefix(1), skip_spaces();
  return line.substr(0, line.find_last_not_of(" \t") + 1);
}

// The value of "#22000001"; empty for comments with a space, such as "#SDP 2015".
inline std::string_view bare_id_in(std::string_view line) {
  line.remove_prefix(1);
  return line.find_first_of(" \t") == line.npos ? line : std::string_view();
}

// The sent_id in the comments at the start of a sentence.
inline std::string_view sent_id(std::string_view sentence, bool bare) {
  for (std::size_t begin = 0; begin < sentence.size() && sentence[begin] == '#';) {
    std::string_view line = line_at(sentence, begin);
    if (auto id = bare ? bare_id_in(line) : sent_id_in(line); !id.empty()) return id;
    std::size_t next = sentence.find('\n', begin);
    if (next == std::string_view::npos) break;
    begin = next + 1;
  }
  return {};
}

// A decimal number without sign or leading zero; -1 if it is not one or does not fit.
inline int64_t number(std::string_view digits) {
  if (digits.empty() || digits.size() > 9 || (digits[0] == '0' && digits.size() > 1)) return -1;
  int64_t value = 0;
  for (char c : digits) {
    if (c < '0' || c > '9') return -1;
    value = 10 * value + (c - '0');
  }
  return value;
}

class Reader {
 public:
  // Numbers continue those of earlier blocks of the same file.
  Reader(std::string_view text, const Dialect& dialect, uint64_t lines_before, uint64_t sentences_before)
      : text_(text), dialect_(dialect) {
    index_.lines = lines_before;
    index_.sentences = sentences_before;
    index_.bare_ids = dialect.bare_ids;
    index_.first_word.push_back(0);
  }

  Index read() {
    std::size_t at = text_.substr(0, 3) == "\xEF\xBB\xBF" && index_.lines == 0 ? 3 : 0;
    begin_sentence(at);
    while (at < text_.size()) {
      std::string_view line = line_at(text_, at);
      const void* newline =
          std::memchr(line.data() + line.size(), '\n', text_.data() + text_.size() - line.data() - line.size());
      std::size_t next = newline ? static_cast<const char*>(newline) - text_.data() + 1 : text_.size();
      ++index_.lines;
      if (line.empty()) {
        end_sentence(at);
        begin_sentence(next);
      } else {
        read_line(line, at);
      }
      at = next;
    }
    end_sentence(at);
    index_.start.shrink_to_fit();
    index_.end.shrink_to_fit();
    index_.word.shrink_to_fit();
    index_.heads.shrink_to_fit();
    return std::move(index_);
  }

 private:
  void begin_sentence(std::size_t at) {
    start_ = at;
    first_line_ = index_.lines + 1;
    first_word_ = index_.word.size();
    word_lines_.clear();
    words_ = 0;
    counted_ = any_line_ = broken_ = named_ = false;
    columns_ = 0;
    range_end_ = range_line_ = empty_after_ = empty_minor_ = 0;
  }

  void read_line(std::string_view line, std::size_t at) {
    if (std::size_t good = valid_prefix(line); good != line.size()) {
      return refuse(line[good] == 0 ? "NUL byte" + in_column(line, good) + "; remove it"
                                    : "invalid UTF-8" + in_column(line, good) + "; save the file as UTF-8");
    }
    if (line[0] == '#') {
      if (any_line_)
        refuse("comment after the first word line; move it above the sentence, or end the sentence with a blank line");
      return;
    }
    if (!any_line_) first_row_ = index_.lines;
    any_line_ = true;
    count();
    const int tabs = scan_tabs(line);
    std::string_view id = line.substr(0, tabs ? tab_[0] : line.npos);
    const int64_t word = number(id);
    if (tabs + 1 < dialect_.columns || (tabs + 1 > dialect_.columns && !dialect_.more_columns)) {
      if (word == words_ + 1) ++words_;  // so that one error is not reported again for every later ID
      return refuse_columns(line, tabs + 1);
    }
    if (columns_ == 0) columns_ = tabs + 1;
    if (tabs + 1 != columns_) {
      if (word == words_ + 1) ++words_;
      return refuse(std::to_string(tabs + 1) + " columns, but the sentence's first line has " +
                    std::to_string(columns_) + "; give every word one column for each predicate");
    }
    if (word > 0) return read_word(line, at, word);
    if (dialect_.ranges) {
      if (std::size_t dash = id.find('-'); dash != id.npos)
        return read_range(id, number(id.substr(0, dash)), number(id.substr(dash + 1)));
      if (std::size_t dot = id.find('.'); dot != id.npos)
        return read_empty(id, number(id.substr(0, dot)), number(id.substr(dot + 1)));
    }
    refuse("ID " + quoted(id) + " is not a word number" +
           (dialect_.ranges ? ", a range (3-4) or an empty node (5.1)" : "") + "; expected " +
           std::to_string(words_ + 1));
  }

  void read_word(std::string_view line, std::size_t at, int64_t id) {
    if (id <= words_) return refuse("duplicate ID " + std::to_string(id) + "; expected " + std::to_string(words_ + 1));
    if (id > words_ + 1) {
      refuse("ID " + std::to_string(id) + " out of order; expected " + std::to_string(words_ + 1));
      words_ = id - 1;
    }
    if (at - start_ > UINT32_MAX) return refuse("sentence longer than 4 GiB; put a blank line between sentences");
    ++words_;
    index_.word.push_back(static_cast<uint32_t>(at - start_));
    word_lines_.push_back(index_.lines);
    const std::string_view head = dialect_.head < 0 ? "_" : head_in(line);
    if (head == "_") {
      index_.heads.push_back(kNoHead);
      return;
    }
    int64_t value = number(head);
    if (value < 0)
      refuse("HEAD " + quoted(head) + " is not a number; give the head's ID, 0 for the root or _ for none");
    index_.heads.push_back(static_cast<int32_t>(value));
  }

  std::string_view head_in(std::string_view line) const {
    const std::size_t from = tab_[dialect_.head - 1] + 1;
    return line.substr(from, tab_[dialect_.head] - from);
  }

  void read_range(std::string_view id, int64_t from, int64_t to) {
    if (from < 1 || to < from) return refuse("range " + quoted(id) + " is not of the form 3-4");
    if (from != words_ + 1)
      return refuse("range " + quoted(id) + " must stand right before word " + std::to_string(from));
    if (from <= range_end_)
      return refuse("range " + quoted(id) + " overlaps the one before it, which ends at " + std::to_string(range_end_));
    range_end_ = to;
    range_line_ = index_.lines;
  }

  void read_empty(std::string_view id, int64_t after, int64_t minor) {
    if (after < 0 || minor < 1) return refuse("empty node " + quoted(id) + " is not of the form 5.1");
    if (after != words_)
      return refuse("empty node " + quoted(id) + " must stand right after word " + std::to_string(after));
    if (minor != (after == empty_after_ ? empty_minor_ : 0) + 1)
      return refuse("empty node " + quoted(id) + " is out of order");
    empty_after_ = after;
    empty_minor_ = minor;
  }

  void end_sentence(std::size_t at) {
    if (!counted_) return;  // only comments, or nothing
    if (!broken_ && words_ == 0) refuse_at(first_row_, "sentence without words; give it at least one");
    if (!broken_ && range_end_ > words_) {
      refuse_at(range_line_, "range ends at " + std::to_string(range_end_) + ", but the sentence has " +
                                 std::to_string(words_) + " words");
    }
    if (!broken_) check_heads();
    if (broken_) {
      index_.word.resize(first_word_);
      index_.heads.resize(first_word_);
      return;
    }
    index_.start.push_back(start_);
    index_.end.push_back(at);
    index_.line.push_back(first_line_);
    index_.ordinal.push_back(index_.sentences);
    index_.first_word.push_back(index_.word.size());
  }

  void check_heads() {
    const int32_t* head = index_.heads.data() + first_word_ - 1;  // 1-based
    for (int32_t word = 1; word <= words_; ++word) {
      if (head[word] > words_) {
        refuse_at(word_lines_[word - 1], "HEAD " + std::to_string(head[word]) +
                                             " is outside the sentence, whose words are 1 to " +
                                             std::to_string(words_));
      } else if (head[word] == word) {
        refuse_at(word_lines_[word - 1],
                  "word " + std::to_string(word) + " is its own head; give another head, or 0 for the root");
      }
    }
    // Walk up from every word; meeting a word of the same walk again closes a cycle. Heads outside the sentence end a
    // walk.
    walk_.assign(words_ + 1, 0);
    for (int32_t word = 1; word <= words_; ++word) {
      int32_t at = word;
      while (at > 0 && at <= words_ && walk_[at] == 0) walk_[at] = word, at = head[at];
      if (at > 0 && at <= words_ && walk_[at] == word && head[at] != at) refuse_cycle(head, at);
    }
  }

  void refuse_cycle(const int32_t* head, int32_t first) {
    std::string path = std::to_string(first);
    int steps = 0;
    for (int32_t at = head[first]; at != first && ++steps < 8; at = head[at]) path += " ← " + std::to_string(at);
    path += steps < 8 ? " ← " + std::to_string(first) : " ← …";
    refuse_at(word_lines_[first - 1],
              "the heads form a cycle (" + path + "); one of these words needs a head outside it");
  }

  void refuse_columns(std::string_view line, int found) {
    std::string what = std::to_string(found) + (found == 1 ? " column" : " columns") + " instead of " +
                       std::to_string(dialect_.columns);
    if (dialect_.more_columns) what += " or more";
    what += found == 1 && line.find(' ') != line.npos ? "; separate the columns by tabs, not spaces"
                                                      : "; check the tabs, or name the format";
    refuse(what);
  }

  void refuse(const std::string& what) { refuse_at(index_.lines, what); }

  void refuse_at(uint64_t line, const std::string& what) {
    broken_ = true;
    count();
    if (!named_) {  // once per sentence, however many problems it has
      named_ = true;
      const std::string_view id = sent_id(text_.substr(start_), dialect_.bare_ids);
      name_ = valid_prefix(id) == id.size() ? shortened(id, 200) : std::string();
    }
    index_.problems.push_back({line, index_.sentences, name_, what});
  }

  void count() {
    index_.sentences += !counted_;
    counted_ = true;
  }

  int scan_tabs(std::string_view line) {
    int tabs = 0;
    const char* at = line.data();
    const char* end = at + line.size();
    while (const void* found = std::memchr(at, '\t', end - at)) {
      at = static_cast<const char*>(found) + 1;
      if (tabs < kMostTabs) tab_[tabs] = at - 1 - line.data();
      ++tabs;
    }
    return tabs;
  }

  static std::string in_column(std::string_view line, std::size_t byte) {
    if (line[0] == '#') return " in a comment";
    int column = 1;
    for (std::size_t i = 0; i < byte; ++i) column += line[i] == '\t';
    return " in column " + std::to_string(column);
  }

  static constexpr int kMostTabs = 16;  // beyond the head column of every dialect

  std::string_view text_;
  Dialect dialect_;
  Index index_;
  std::size_t start_ = 0;
  uint64_t first_line_ = 1;
  std::size_t first_word_ = 0;
  int64_t words_ = 0, range_end_ = 0, empty_after_ = 0, empty_minor_ = 0;
  uint64_t range_line_ = 0;
  uint64_t first_row_ = 0;
  int columns_ = 0;
  bool counted_ = false, any_line_ = false, broken_ = false, named_ = false;
  std::string name_;
  std::size_t tab_[kMostTabs] = {};
  std::vector<uint64_t> word_lines_;
  std::vector<int32_t> walk_;
};

}  // namespace multiplane
