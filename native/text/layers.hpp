// What the layers beside the tree share: arcs and predicates as flat arrays, names, and problems at their lines.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "text/conll.hpp"

namespace multiplane {

// Distinct texts, numbered by first appearance.
class Names {
 public:
  int32_t number(std::string_view name) {
    if (auto known = number_.find(name); known != number_.end()) return known->second;
    names_.emplace_back(name);
    number_.emplace(names_.back(), static_cast<int32_t>(number_.size()));
    return static_cast<int32_t>(names_.size()) - 1;
  }
  const std::string& operator[](int32_t number) const { return names_[number]; }
  std::vector<std::string> all() const { return {names_.begin(), names_.end()}; }

 private:
  std::deque<std::string> names_;  // never moves what the keys look into
  std::unordered_map<std::string_view, int32_t> number_;
};

// The arcs of all sentences; those of sentence s are first[s] to first[s + 1].
struct LayerArcs {
  std::vector<int64_t> first{0};
  std::vector<int32_t> heads, dependents, labels;

  void add(int32_t head, int32_t dependent, int32_t label) {
    heads.push_back(head);
    dependents.push_back(dependent);
    labels.push_back(label);
  }
  void end_sentence() { first.push_back(static_cast<int64_t>(heads.size())); }
  void forget_sentence() {
    const std::size_t kept = static_cast<std::size_t>(first.back());
    heads.resize(kept);
    dependents.resize(kept);
    labels.resize(kept);
  }
};

// Problems in the layers of a corpus, each with its line, as the reader of words reports them.
class LayerProblems {
 public:
  LayerProblems(std::string_view text, const Index& index) : text_(text), index_(index) {}

  // `at` is the start of the line at fault. Problems of a sentence come in order, so that lines are counted once.
  void add(std::size_t s, std::size_t at, std::string what) {
    if (found.empty() || found.back().sentence != index_.ordinal[s]) {
      counted_ = index_.start[s];
      line_ = index_.line[s];
      const std::string_view sentence = text_.substr(index_.start[s], index_.end[s] - index_.start[s]);
      name_ = shortened(sent_id(sentence, index_.bare_ids), 200);
    }
    line_ += static_cast<uint64_t>(std::count(text_.begin() + counted_, text_.begin() + at, '\n'));
    counted_ = at;
    found.push_back({line_, index_.ordinal[s], name_, std::move(what)});
  }

  std::vector<Problem> found;

 private:
  std::string_view text_;
  const Index& index_;
  std::size_t counted_ = 0;  // lines before this byte are
  uint64_t line_ = 0;
  std::string name_;
};

}  // namespace multiplane
