// The part of a network that parses graphs: predicates and their senses, probabilities of arcs, and tables of words.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "features/senses.hpp"
#include "scoring/semantic.hpp"
#include "scoring/tables.hpp"

namespace multiplane {

class SemanticNetwork {
 public:
  // Sentences of more words do without what takes a product of matrices of that size.
  static constexpr std::size_t kMostMultiplied = 512;

  // Buffers for one thread.
  struct Workspace {
    WordTables::Workspace tables;
    PairScores::Workspace pairs;
    std::vector<float> odds, hidden, words, heads, siblings, grandparents;
  };

  SemanticNetwork(const NamedArrays& arrays, SemanticHead head, std::size_t top)
      : head_(std::move(head)),
        tables_(arrays, head_, top),
        arcs_(arrays, "arc", top, false),
        offset_(arrays.copy("arc.offset", {arcs_.width()})),
        offset_bias_(*arrays.take("arc.offset.bias", {1})),
        syntax_(arrays.copy("arc.syntax", {kSyntax})) {
    demand(head_.label_senses.size() == ((arrays.has("sense") ? arrays.size("sense", 2, 0) : 0) + 1) *
                                            static_cast<std::size_t>(head_.label_hidden),
           "'label.senses' has not one row for each sense");
    if (arrays.has("word")) word_.emplace(arrays.dense("word", arrays.size("word", 2, 0), top));
    if (!arrays.has("predicate")) return;
    const std::size_t hidden = arrays.size("predicate", 2, 1);
    predicate_hidden_.emplace(arrays.dense("predicate.hidden", hidden, top));
    predicate_ = arrays.copy("predicate", {1, hidden});
    predicate_bias_ = *arrays.take("predicate.bias", {1});
    senses_ = arrays.size("sense", 2, 0);
    sense_ = arrays.copy("sense", {senses_, hidden});
    sense_bias_ = arrays.copy("sense.bias", {senses_});
  }

  const SemanticHead& head() const { return head_; }
  bool has_predicates() const { return predicate_hidden_.has_value(); }
  int32_t senses() const { return static_cast<int32_t>(senses_); }

  // The best of what is said about every word by itself; nothing where nothing is said.
  void classify(const float* encoded, std::size_t words, int32_t* best, Workspace& work) const {
    if (!word_) return;
    work.words.resize(words * word_->outputs());
    word_->multiply(encoded, words, work.words.data());
    for (std::size_t w = 0; w < words; ++w) {
      const float* scores = work.words.data() + w * word_->outputs();
      best[w] = static_cast<int32_t>(std::max_element(scores, scores + word_->outputs()) - scores);
    }
  }

  NeuralTables tables(const float* encoded, std::size_t words, Workspace& work) const {
    return tables_.of(encoded, words, work.tables);
  }

  // Which words are predicates, where that is not given (-1 stands for unknown). Senses can be asked for then.
  void find_predicates(const float* encoded, std::size_t words, const int8_t* given, uint8_t* predicates,
                       Workspace& work) const {
    if (!has_predicates()) {
      std::fill_n(predicates, words, uint8_t{1});  // arcs may start anywhere
      return;
    }
    work.hidden.resize(words * predicate_hidden_->outputs());
    predicate_hidden_->multiply(encoded, words, work.hidden.data());
    rectify(work.hidden);
    for (std::size_t w = 0; w < words; ++w)
      predicates[w] = given != nullptr && given[w] >= 0
                          ? given[w] != 0
                          : dot(predicate_.data(), hidden(w, work), predicate_.size()) + predicate_bias_ > 0;
  }

  // The best of some senses for a word, or -1 where there are none.
  int32_t sense(std::size_t word, ArrayView<int32_t> candidates, const Workspace& work) const {
    int32_t best = -1;
    float most = 0;
    for (int32_t sense : candidates) {
      const float score = candidates.size() == 1 ? 0
                                                 : sense_bias_[sense] + dot(sense_.data() + sense * predicate_.size(),
                                                                            hidden(word, work), predicate_.size());
      if (best < 0 || score > most) best = sense, most = score;
    }
    return best;
  }

  // For the n words of a sentence, how likely every word is a head of each; nothing where the sentence is too long for
  // that. Heads in the tree, if they are guessed, are taken into account.
  const float* odds(const float* encoded, std::size_t words, const float* heads, Workspace& work) const {
    if (words > static_cast<std::size_t>(ArcOdds::kMostWords)) return nullptr;
    work.odds.resize(words * words);
    arcs_.of(encoded, words, work.pairs, work.odds.data());
    const std::size_t width = arcs_.width();
    for (std::size_t a = 0; a < words; ++a) {
      const float more = offset_bias_ + dot(offset_.data(), work.pairs.dependents.data() + a * width, width);
      for (std::size_t p = 0; p < words; ++p) work.odds[a * words + p] += more;
    }
    if (heads != nullptr) add_syntax(words, heads, work);
    for (float& v : work.odds) v = 1 / (1 + std::exp(-v));
    return work.odds.data();
  }

 private:
  // How a word is related to a predicate in the tree: dependent, head, sibling, grandchild, grandparent.
  static constexpr std::size_t kSyntax = 5;

  const float* hidden(std::size_t word, const Workspace& work) const {
    return work.hidden.data() + word * predicate_.size();
  }

  void add_syntax(std::size_t words, const float* heads, Workspace& work) const {
    const std::size_t width = words + 1;
    const auto head = [&](std::size_t d, std::size_t h) { return heads[d * width + h + 1]; };
    for (std::size_t a = 0; a < words; ++a)
      for (std::size_t p = 0; p < words; ++p)
        work.odds[a * words + p] += syntax_[0] * head(a, p) + syntax_[1] * head(p, a);
    if (words > kMostMultiplied) return;
    work.heads.resize(words * words);
    for (std::size_t d = 0; d < words; ++d) std::copy_n(heads + d * width + 1, words, work.heads.data() + d * words);
    work.siblings.resize(words * words);
    work.grandparents.assign(words * words, 0);
    for (std::size_t a = 0; a < words; ++a) {
      const float* of_a = work.heads.data() + a * words;
      for (std::size_t p = 0; p < words; ++p)
        work.siblings[a * words + p] = dot(of_a, work.heads.data() + p * words, words);
      float* above = work.grandparents.data() + a * words;
      for (std::size_t k = 0; k < words; ++k) {
        const float* of_k = work.heads.data() + k * words;
        if (of_a[k] > 1e-4f)
          for (std::size_t p = 0; p < words; ++p) above[p] += of_a[k] * of_k[p];
      }
    }
    for (std::size_t a = 0; a < words; ++a)
      for (std::size_t p = 0; p < words; ++p)
        work.odds[a * words + p] += syntax_[2] * work.siblings[a * words + p] +
                                    syntax_[3] * work.grandparents[a * words + p] +
                                    syntax_[4] * work.grandparents[p * words + a];
  }

  SemanticHead head_;
  WordTables tables_;
  PairScores arcs_;
  std::vector<float> offset_;
  float offset_bias_;
  std::vector<float> syntax_;
  std::optional<Dense> word_, predicate_hidden_;
  std::vector<float> predicate_, sense_, sense_bias_;
  float predicate_bias_ = 0;
  std::size_t senses_ = 0;
};

}  // namespace multiplane
