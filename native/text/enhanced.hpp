// The enhanced layer of CoNLL-U: DEPS of words and empty nodes, and the same with empty nodes collapsed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/layers.hpp"

namespace multiplane {

struct Enhanced {
  std::vector<int64_t> first_node{0};  // prefix sums; the nodes of a sentence are its words and empty nodes in order
  std::vector<int32_t> node_word;      // the word, or the one before an empty node
  std::vector<int32_t> node_minor;     // 0 for a word, 1 for 5.1
  LayerArcs arcs;                      // between nodes
  LayerArcs collapsed;                 // between words; a path through empty nodes is one arc labelled a>b
  std::vector<std::string> labels, paths;  // of arcs and of collapsed
  std::vector<Problem> problems;
};

class EnhancedReader {
 public:
  EnhancedReader(std::string_view text, const Index& index, int deps)
      : text_(text), index_(index), deps_(deps), problems_(text, index) {}

  // Sentences with problems have nodes, but no arcs.
  Enhanced read() {
    for (s_ = 0; s_ < index_.size(); ++s_) {
      const std::size_t problems = problems_.found.size();
      read_nodes();
      for (node_ = 1; node_ <= nodes(); ++node_) read_deps();
      if (problems_.found.size() == problems) collapse();
      if (problems_.found.size() != problems) {
        read_.arcs.forget_sentence();
        read_.collapsed.forget_sentence();
      }
      read_.arcs.end_sentence();
      read_.collapsed.end_sentence();
      read_.first_node.push_back(static_cast<int64_t>(read_.node_word.size()));
    }
    read_.labels = labels_.all();
    read_.paths = paths_.all();
    read_.problems = std::move(problems_.found);
    return std::move(read_);
  }

 private:
  using Arc = std::pair<int32_t, int32_t>;  // head and label

  int32_t nodes() const { return static_cast<int32_t>(lines_.size()); }
  std::size_t base() const { return static_cast<std::size_t>(read_.first_node.back()) - 1; }
  int32_t word(int32_t node) const { return node == 0 ? 0 : read_.node_word[base() + node]; }
  bool is_empty(int32_t node) const { return node > 0 && read_.node_minor[base() + node] > 0; }

  void refuse(std::string what) { problems_.add(s_, lines_[node_ - 1], std::move(what)); }

  // Finds the lines of words and empty nodes; the reader of words has checked their order.
  void read_nodes() {
    lines_.clear();
    node_of_word_.assign(1, 0);
    for (std::size_t at = index_.start[s_]; at < index_.end[s_];) {
      const std::string_view line = line_at(text_, at);
      const std::size_t digits = line.find_first_not_of("0123456789");
      if (line[0] != '#' && line[digits] != '-') {
        const bool empty = line[digits] == '.';
        const auto id = static_cast<int32_t>(number(line.substr(0, digits)));
        const std::string_view rest = line.substr(digits + 1, line.find('\t') - digits - 1);
        lines_.push_back(at);
        read_.node_word.push_back(id);
        read_.node_minor.push_back(empty ? static_cast<int32_t>(number(rest)) : 0);
        if (!empty) node_of_word_.push_back(nodes());
      }
      const std::size_t end = text_.find('\n', at);
      at = end == text_.npos ? text_.size() : end + 1;
    }
    into_.resize(std::max(into_.size(), lines_.size() + 1));
  }

  void read_deps() {
    std::vector<Arc>& arcs = into_[node_];
    arcs.clear();
    std::string_view deps = field(line_at(text_, lines_[node_ - 1]), deps_);
    if (deps == "_") return;
    for (bool more = true; more;) {
      const std::size_t bar = deps.find('|');
      more = bar != deps.npos;
      read_arc(deps.substr(0, bar), arcs);
      if (more) deps.remove_prefix(bar + 1);
    }
    check_twice(arcs);
  }

  void read_arc(std::string_view dep, std::vector<Arc>& arcs) {
    const std::size_t colon = dep.find(':');
    if (colon == dep.npos || colon == 0 || colon + 1 == dep.size())
      return refuse("DEPS " + quoted(dep) + " is not of the form head:label; separate several by |");
    const int32_t head = node_named(dep.substr(0, colon));
    if (head < 0) return refuse("DEPS " + quoted(dep) + ": there is no such head in the sentence");
    const int32_t label = labels_.number(dep.substr(colon + 1));
    arcs.push_back({head, label});
    read_.arcs.add(head, node_, label);
  }

  void check_twice(const std::vector<Arc>& arcs) {
    sorted_ = arcs;
    std::sort(sorted_.begin(), sorted_.end());
    if (auto twice = std::adjacent_find(sorted_.begin(), sorted_.end()); twice != sorted_.end())
      refuse("DEPS has an arc labelled " + quoted(labels_[twice->second]) + " twice from the same head; keep one");
  }

  // The node with an ID such as 5 or 5.1; -1 if there is none.
  int32_t node_named(std::string_view id) const {
    const std::size_t dot = id.find('.');
    const int64_t after = number(id.substr(0, dot));
    if (after < 0 || after >= static_cast<int64_t>(node_of_word_.size())) return -1;
    if (dot == id.npos) return node_of_word_[after];
    const int64_t minor = number(id.substr(dot + 1));
    const int64_t node = node_of_word_[after] + minor;  // empty nodes stand right after their word
    return minor > 0 && node <= nodes() && is_empty(static_cast<int32_t>(node)) &&
                   word(static_cast<int32_t>(node)) == after
               ? static_cast<int32_t>(node)
               : -1;
  }

  void collapse() {
    for (node_ = 1; node_ <= nodes(); ++node_) {
      if (is_empty(node_)) continue;
      steps_ = 0;
      found_.clear();
      follow(node_, std::string());
      if (steps_ > kMostSteps) refuse("too many paths through empty nodes; remove some of their heads");
    }
  }

  // Adds the arcs into node_ whose path ends with `path`, which begins at `node`. No path visits an empty node twice.
  void follow(int32_t node, const std::string& path) {
    for (const auto& [head, label] : into_[node]) {
      if (++steps_ > kMostSteps) return;
      const std::string longer = path.empty() ? labels_[label] : labels_[label] + ">" + path;
      if (!is_empty(head)) {
        add(word(head), paths_.number(longer));
      } else if (std::find(visited_.begin(), visited_.end(), head) == visited_.end()) {
        visited_.push_back(head);
        follow(head, longer);
        visited_.pop_back();
      }
    }
  }

  void add(int32_t head, int32_t path) {
    if (std::find(found_.begin(), found_.end(), Arc{head, path}) != found_.end()) return;
    found_.push_back({head, path});
    read_.collapsed.add(head, word(node_), path);
  }

  // Real sentences need a handful; without a limit, a hostile file would take forever.
  static constexpr int kMostSteps = 1000;

  std::string_view text_;
  const Index& index_;
  int deps_;
  LayerProblems problems_;
  Names labels_, paths_;
  Enhanced read_;
  std::vector<std::size_t> lines_;      // of the sentence's nodes
  std::vector<int32_t> node_of_word_;   // 0 for the root
  std::vector<std::vector<Arc>> into_;  // the arcs into each node
  std::vector<int32_t> visited_;
  std::vector<Arc> found_, sorted_;
  std::size_t s_ = 0;
  int32_t node_ = 0;
  int steps_ = 0;
};

}  // namespace multiplane
