// Texts: the trees and the derivations of all their sentences.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "features/words.hpp"
#include "graphs/reconstruct.hpp"
#include "search/fixed_arcs.hpp"
#include "search/scored_derivation.hpp"
#include "search/sentence_parser.hpp"

namespace multiplane {

// The trees of a text.
struct ParsedTrees {
  std::vector<int32_t> heads, labels;  // by word
  std::vector<uint8_t> complete;       // by sentence: whether the search came to its end with all that was fixed
  std::vector<float> scores;           // by sentence, of its derivation
  int32_t root_label;

  ParsedTrees(const Index& index, int32_t root) : ParsedTrees(index.heads.size(), index.size(), root) {}
  ParsedTrees(std::size_t words, std::size_t sentences, int32_t root)
      : heads(words), labels(words), complete(sentences), scores(sentences), root_label(root) {}

  // Parses one sentence: n words from the first one on.
  void add(SentenceParser& parser, std::size_t sentence, std::size_t first, int32_t n, const Value* rows, int beam,
           const FixedArcs& fixed) {
    const State& s = parser.parse(n, rows, beam, fixed.heads(first), fixed.labels(first), fixed.forbidden(first));
    add(s, sentence, first, n, parser.score(), parser.is_complete(), fixed.labels(first));
  }

  // Adds what was parsed.
  void add(const State& s, std::size_t sentence, std::size_t first, int32_t n, float score, bool is_complete,
           const int32_t* fixed_labels = nullptr) {
    complete[sentence] = is_complete;
    scores[sentence] = score;
    if (s.links.is_in_use()) {
      note_edges(s.links, first, n);
    } else {
      note(s.tree, first, n, fixed_labels);
    }
  }

  // The edge that became the arc of a word, in the sentence that was added last; -1 for none.
  int32_t edge_of(int32_t word) const { return reconstructor_.carried()[word]; }

 private:
  // Edges, as a tree: away from the root or, without one, from the first word.
  void note_edges(const LinkLists& links, std::size_t first, int32_t n) {
    edges_.clear();
    for (int32_t e = 0; e < links.size(); ++e) edges_.push_back({links.left_end(e), links.right_end(e), 0});
    reconstructor_.run(n, {edges_.data(), edges_.size()}, Reconstruction::kNaive, nullptr);
    for (int32_t v = 1; v <= n; ++v) {
      const std::size_t w = first + static_cast<std::size_t>(v) - 1;
      const int32_t edge = reconstructor_.carried()[v];
      heads[w] = reconstructor_.heads()[v];
      labels[w] = edge < 0 ? root_label : links.label(edge);
    }
  }

  void note(const PartialTree& tree, std::size_t first, int32_t n, const int32_t* fixed_labels) {
    for (int32_t v = 1; v <= n; ++v) {
      const std::size_t w = first + static_cast<std::size_t>(v) - 1;
      const int32_t head = tree.head(v);
      heads[w] = std::max(head, 0);
      labels[w] = head < 0 ? root_label : tree.label(v);
      // Also of the root, which no arc labels.
      if (fixed_labels != nullptr && fixed_labels[v - 1] >= 0) labels[w] = fixed_labels[v - 1];
    }
  }

  Reconstructor reconstructor_;
  std::vector<Edge> edges_;
};

// The transitions of every sentence.
using Derivations = std::vector<std::vector<Taken>>;

// Parses texts with a scorer that looks at the attributes of words.
class TextParser {
 public:
  TextParser(const Program& program, Scorer& scorer, const OracleSpec& oracle, std::vector<Attribute> attributes)
      : program_(program), scorer_(scorer), reader_(std::move(attributes)), parser_(program, scorer, oracle) {}

  ParsedTrees parse(std::string_view text, const Index& index, int beam, const FixedArcs& fixed, int32_t root_label) {
    ParsedTrees trees(index, root_label);
    for_each(text, index, [&](std::size_t i, std::size_t first, int32_t n) {
      trees.add(parser_, i, first, n, rows_.data(), beam, fixed);
    });
    return trees;
  }

  // With whole copies of states, a beam is slower and finds the same; for comparison.
  Derivations derive(std::string_view text, const Index& index, int beam, bool copies = false) {
    Derivations found(index.size());
    if (copies) parser_.copy_states();
    for_each(text, index, [&](std::size_t i, std::size_t, int32_t n) {
      parser_.note_steps(&found[i]);
      parser_.parse(n, rows_.data(), beam, nullptr, nullptr);
    });
    return found;
  }

  // The derivation of one sentence after transitions that were chosen by hand, and all that was legal on the way.
  ScoredDerivation derive_scored(std::string_view text, const Index& index, int beam,
                                 std::vector<ChosenByHand> chosen) {
    demand(index.size() == 1, "one sentence");
    ScoredDerivation found;
    for_each(text, index, [&](std::size_t, std::size_t, int32_t n) {
      found = multiplane::derive_scored(program_, scorer_, parser_, n, rows_.data(), beam, std::move(chosen));
    });
    return found;
  }

  // Calls for every sentence with its number, its first word and its length, once its words are read.
  template <typename Each>
  void for_each(std::string_view text, const Index& index, Each&& each) {
    for (std::size_t i = 0; i < index.size(); ++i) {
      reader_.read(text, index, i, rows_);
      each(i, index.first_word[i], static_cast<int32_t>(index.first_word[i + 1] - index.first_word[i]));
    }
  }

  SentenceParser& parser() { return parser_; }
  const Value* rows() const { return rows_.data(); }

 private:
  const Program& program_;
  Scorer& scorer_;
  WordReader reader_;
  SentenceParser parser_;
  std::vector<Value> rows_;
};

}  // namespace multiplane
