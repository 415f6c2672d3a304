// What is known about the graph of a sentence while it is parsed: predicates, their senses, and the roles of words.
#pragma once

#include <cstdint>
#include <vector>

namespace multiplane {

class Meaning {
 public:
  // Of n words; without any, nothing is known.
  explicit Meaning(int32_t n = 0) : words_(n == 0 ? 0 : n + 1) {}

  bool is_known() const { return !words_.empty(); }
  bool is_predicate(int32_t v) const { return !words_.empty() && words_[v].is_predicate; }
  int32_t sense(int32_t v) const { return words_.empty() ? -1 : words_[v].sense; }
  // Sets of roles, told apart as long as there are no more than 64 of them: of the arguments of a predicate, and those
  // that a word has itself.
  uint64_t arguments(int32_t v) const { return words_.empty() ? 0 : words_[v].arguments; }
  uint64_t roles(int32_t v) const { return words_.empty() ? 0 : words_[v].roles; }

  // The sense may be unknown: -1.
  void note_predicate(int32_t v, int32_t sense) {
    words_[v].is_predicate = true;
    words_[v].sense = sense;
  }
  void note_arc(int32_t head, int32_t dependent, int32_t role) {
    words_[head].arguments |= uint64_t{1} << (role & 63);
    words_[dependent].roles |= uint64_t{1} << (role & 63);
  }

 private:
  struct Word {
    bool is_predicate = false;
    int32_t sense = -1;
    uint64_t arguments = 0, roles = 0;
  };

  std::vector<Word> words_;
};

}  // namespace multiplane
