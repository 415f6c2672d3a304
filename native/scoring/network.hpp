// The network of a neural parser, as it runs: from the fields of words to what is said about them in a sentence.
//
// Training is done elsewhere; here are its weights, and what is worth keeping from one word or sentence to the next.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/demand.hpp"
#include "features/lexicon.hpp"
#include "scoring/dense.hpp"
#include "scoring/lstm.hpp"
#include "scoring/named_arrays.hpp"
#include "scoring/neural.hpp"
#include "scoring/tables.hpp"

namespace multiplane {

// Where the network looks in a configuration: slots and focus nodes are places among the addresses.
struct NeuralLook {
  std::vector<NodeAddress> addresses;
  std::vector<int32_t> slots, focus;
  int32_t other_stacks = 0;
  bool rectified = true;

  void check() const {
    demand(other_stacks >= 0, "a number of stacks below 0");
    for (const auto* places : {&slots, &focus})
      for (int32_t place : *places)
        demand(place >= 0 && place < static_cast<int32_t>(addresses.size()), "an unknown address");
  }
};

inline void look_into(NeuralHead& head, const NeuralLook& look) {
  head.addresses = look.addresses;
  head.slots = look.slots;
  head.focus = look.focus;
  head.other_stacks = look.other_stacks;
  head.rectified = look.rectified;
}

// The layers that score the configurations of a system.
inline void read_layers(const NamedArrays& arrays, const Program& program, std::size_t features, NeuralHead& head) {
  const std::size_t transitions = arrays.size("output", 2, 0), hidden = arrays.size("output", 2, 1);
  const std::size_t labels = arrays.size("label", 2, 0), label_hidden = arrays.size("label", 2, 1);
  head.hidden = static_cast<int32_t>(hidden);
  head.label_hidden = static_cast<int32_t>(label_hidden);
  head.transitions = static_cast<int32_t>(transitions);
  head.labels = static_cast<int32_t>(labels);
  head.bias = arrays.copy("hidden.bias", {hidden});
  if (features > 0) head.features = arrays.copy("features", {features, hidden});
  head.output = arrays.copy("output", {transitions, hidden});
  head.output_bias = arrays.copy("output.bias", {transitions});
  head.label_output = arrays.copy("label", {labels, label_hidden});
  head.label_bias = arrays.copy("label.bias", {labels});
  demand(transitions == program.transitions.size(), "'output' has not one row for each transition");
}

// What scores the configurations of a system.
inline NeuralHead read_head(const NamedArrays& arrays, const NeuralLook& look, const Program& program) {
  NeuralHead head;
  look_into(head, look);
  read_layers(arrays, program, head.feature_count(), head);
  return head;
}

// Rows of embeddings.
struct Embedding {
  std::size_t rows = 0, width = 0;
  std::vector<float> values;

  Embedding(const NamedArrays& arrays, const std::string& name)
      : rows(arrays.size(name, 2, 0)), width(arrays.size(name, 2, 1)), values(arrays.copy(name, {rows, width})) {}
  const float* row(std::size_t i) const { return values.data() + i * width; }
};

// What is made of the characters of a word: filters over three of them in a row, and of each its greatest value.
class Spelling {
 public:
  explicit Spelling(const NamedArrays& arrays) {
    const Embedding characters(arrays, "characters");
    width_ = arrays.size("convolution", 3, 0);
    const float* filters = arrays.take("convolution", {width_, characters.width, 3});
    bias_ = arrays.copy("convolution.bias", {width_});
    // Characters are few: what each adds at each of the three places is computed once for all.
    parts_.assign(characters.rows * 3 * width_, 0);
    for (std::size_t c = 0; c < characters.rows; ++c)
      for (std::size_t f = 0; f < width_; ++f)
        for (std::size_t e = 0; e < characters.width; ++e)
          for (std::size_t place = 0; place < 3; ++place)
            parts_[(c * 3 + place) * width_ + f] +=
                filters[(f * characters.width + e) * 3 + place] * characters.row(c)[e];
    rows_ = characters.rows;
  }

  std::size_t width() const { return width_; }
  std::size_t rows() const { return rows_; }

  void read(const std::vector<int32_t>& characters, float* out) const {
    std::fill_n(out, width_, 0.0f);  // what is below counts for nothing
    const std::size_t count = characters.size() + 2;
    std::vector<float> sum(width_);
    for (std::size_t t = 0; t < count; ++t) {
      sum = bias_;
      for (std::size_t place = 0; place < 3; ++place) {
        if (t + place < 1 || t + place - 1 >= count) continue;
        const float* add = parts_.data() + (number(characters, t + place - 1) * 3 + place) * width_;
        for (std::size_t f = 0; f < width_; ++f) sum[f] += add[f];
      }
      for (std::size_t f = 0; f < width_; ++f) out[f] = std::max(out[f], sum[f]);
    }
  }

 private:
  // 1 stands at both ends, 2 for what is unknown; then come the characters that are known.
  static std::size_t number(const std::vector<int32_t>& characters, std::size_t t) {
    return t == 0 || t > characters.size() ? 1 : static_cast<std::size_t>(characters[t - 1]) + 2;
  }

  std::size_t width_ = 0, rows_ = 0;
  std::vector<float> parts_, bias_;
};

// The BiLSTM of a network, with numbers of one precision or another.
class Encoder {
 public:
  // Buffers for one thread.
  struct Scratch {
    virtual ~Scratch() = default;
  };

  virtual ~Encoder() = default;
  virtual std::size_t width() const = 0;
  virtual std::size_t projected_width() const = 0;
  virtual void project(const float* x, std::size_t rows, float* out) const = 0;
  virtual std::unique_ptr<Scratch> scratch() const = 0;
  virtual void run(const float* const* projected, const std::vector<int32_t>& lengths, float* output,
                   Scratch& scratch) const = 0;
};

template <typename Number>
class EncoderOf : public Encoder {
 public:
  EncoderOf(std::size_t inputs, std::size_t units, const std::vector<LstmWeights>& weights)
      : lstm_(inputs, units, weights) {}

  std::size_t width() const override { return lstm_.width(); }
  std::size_t projected_width() const override { return lstm_.projected_width(); }
  void project(const float* x, std::size_t rows, float* out) const override { lstm_.project(x, rows, out); }
  std::unique_ptr<Scratch> scratch() const override { return std::make_unique<Own>(); }
  void run(const float* const* projected, const std::vector<int32_t>& lengths, float* output,
           Scratch& scratch) const override {
    lstm_.run(projected, lengths.data(), lengths.size(), output, static_cast<Own&>(scratch).buffers);
  }

 private:
  struct Own : Scratch {
    typename BiLstmOf<Number>::Scratch buffers;
  };
  BiLstmOf<Number> lstm_;
};

// What of a network depends on the sizes of vocabularies and systems.
struct NetworkSizes {
  std::size_t singles = 0, bags = 0, layers = 0, units = 0, tags = 0;
  bool exact = true;      // else numbers of 16 bits between the steps of the BiLSTM
  std::size_t given = 0;  // the width of vectors that the caller gives for words in their sentences
};

class Network {
 public:
  Network(const NamedArrays& arrays, const NetworkSizes& sizes, NeuralHead head) : head_(std::move(head)) {
    std::size_t width = 0;
    for (std::size_t c = 0; c < sizes.singles; ++c) {
      embeddings_.emplace_back(arrays, "embedding." + std::to_string(c));
      width += embeddings_.back().width;
    }
    if (sizes.bags > 0) {
      bag_.emplace(arrays, "bag");
      width += bag_->width;
    }
    if (arrays.has("characters")) {
      spelling_.emplace(arrays);
      width += spelling_->width();
    }
    if (arrays.has("affixes")) {
      affixes_.emplace(arrays, "affixes");
      width += affixes_->width;
    }
    given_ = sizes.given;
    width += given_;
    inputs_ = width;
    if (sizes.layers < 1 || sizes.units < 1 || width < 1) throw std::invalid_argument("a network without layers");
    std::vector<LstmWeights> weights;
    for (std::size_t w = 0; w < 2 * sizes.layers; ++w) {
      const std::string name = "lstm." + std::to_string(w);
      const std::size_t gates = 4 * sizes.units;
      weights.push_back({arrays.take(name + ".input", {gates, w < 2 ? width : 2 * sizes.units}),
                         arrays.take(name + ".recurrent", {gates, sizes.units}), arrays.take(name + ".bias", {gates})});
    }
    if (sizes.exact) {
      lstm_ = std::make_unique<EncoderOf<float>>(width, sizes.units, weights);
    } else {
      lstm_ = std::make_unique<EncoderOf<int16_t>>(width, sizes.units, weights);
    }
    read_upper(arrays, 2 * sizes.units, sizes.tags);
  }

  const NeuralHead& head() const { return head_; }
  std::size_t tags() const { return taggers_.size(); }
  std::size_t given() const { return given_; }

  // The numbers of a lexicon must be rows of embeddings.
  void check(const Lexicon& lexicon) const {
    const std::vector<std::size_t> singles = lexicon.singles();
    for (std::size_t c = 0; c < singles.size(); ++c)
      if (embeddings_[c].rows != singles[c] + 1)
        throw std::invalid_argument("'embedding." + std::to_string(c) + "' does not fit its vocabulary");
    if (bag_ && bag_->rows != lexicon.bag() + 1) throw std::invalid_argument("'bag' does not fit its vocabulary");
    if (spelling_ && spelling_->rows() != lexicon.characters() + 3)
      throw std::invalid_argument("'characters' does not fit its vocabulary");
    if ((affixes_ ? affixes_->rows : 0) != lexicon.affixes())
      throw std::invalid_argument("'affixes' does not fit its vocabulary");
  }

  // What is kept from one sentence to the next; for one thread.
  class Workspace {
   public:
    explicit Workspace(const Network& network)
        : capacity_(
              std::max<std::size_t>(kCacheBytes / (network.lstm_->projected_width() * sizeof(float)), kLeastTypes)),
          scratch_(network.lstm_->scratch()) {}

   private:
    friend class Network;
    // Word types whose first products are kept; when they are too many, all are forgotten.
    static constexpr std::size_t kCacheBytes = 32 << 20, kLeastTypes = 4 * 1024;
    std::size_t capacity_;
    HashTable<int32_t> known_{1};
    std::vector<std::vector<float>> blocks_, own_blocks_;
    std::size_t count_ = 0;
    WordNumbers numbers_;
    std::vector<float> inputs_;  // of types that are new
    std::vector<const float*> projected_, own_;
    std::vector<float> own_rows_;
    std::unique_ptr<Encoder::Scratch> scratch_;

   public:
    std::vector<float> encoded, odds, tag_scores;
    WordTables::Workspace tables;
    PairScores::Workspace pairs;
  };

  static constexpr std::size_t kBlock = 256;

  // The types of this many words can be looked up before any of them is forgotten.
  static constexpr std::size_t kMostWords = 2048;

  void begin(Workspace& work) const {
    if (work.count_ + kMostWords > work.capacity_) {
      work.known_ = HashTable<int32_t>(1);
      work.count_ = 0;
      for (auto* blocks : {&work.blocks_, &work.own_blocks_})
        blocks->resize(std::min(blocks->size(), work.capacity_ / kBlock));
    }
    work.projected_.clear();
    work.own_.clear();
    work.inputs_.clear();
  }

  // One more word, whose fields have this key, and the vector given for it, if such are given.
  void add(Workspace& work, Value key, const std::vector<std::string_view>& fields, const Lexicon& lexicon,
           const float* given) const {
    if (given_ > 0) {
      // Its vector depends on its sentence: nothing can be kept for the next word with these fields.
      read_word(fields, lexicon, work.numbers_, given, new_input(work));
      add_type(work, work.count_++);
      return;
    }
    const std::size_t before = work.known_.size(), slot = work.known_.at(key);
    if (work.known_.size() > before) {
      read_word(fields, lexicon, work.numbers_, given, new_input(work));
      *work.known_.payload(slot) = static_cast<int32_t>(work.count_++);
    }
    add_type(work, static_cast<std::size_t>(*work.known_.payload(slot)));
  }

  // Reads the words that were added since the beginning, which are sentences of these lengths.
  void encode(Workspace& work, const std::vector<int32_t>& lengths) const {
    project_new(work);
    work.encoded.resize(work.projected_.size() * lstm_->width());
    lstm_->run(work.projected_.data(), lengths, work.encoded.data(), *work.scratch_);
  }

  // What the BiLSTM says about a word that was encoded, and those behind it.
  const float* encoded(const Workspace& work, std::size_t first) const {
    return work.encoded.data() + first * lstm_->width();
  }
  std::size_t width() const { return lstm_->width(); }

  // The vector of a word before the BiLSTM: what its fields say, and the vector given for it.
  void read_word(const std::vector<std::string_view>& fields, const Lexicon& lexicon, WordNumbers& numbers,
                 const float* given, float* to) const {
    lexicon.describe(fields, numbers);
    std::copy_n(given, given_, read_word(numbers, to));
  }
  std::size_t inputs() const { return inputs_; }

  // Tables for some of the words that were encoded.
  NeuralTables tables(Workspace& work, std::size_t first, std::size_t words) const {
    return tables_->of(encoded(work, first), words, work.tables);
  }

  // For the n words of a sentence, how likely the root and every word is the head of each; nothing where heads are not
  // guessed, or the sentence is too long for that.
  const float* odds(Workspace& work, std::size_t first, int32_t n) const {
    if (!arcs_ || n > ArcOdds::kMostWords) return nullptr;
    const std::size_t words = static_cast<std::size_t>(n);
    work.odds.resize(words * (words + 1));
    arcs_->of(encoded(work, first), words, work.pairs, work.odds.data());
    for (std::size_t d = 0; d < words; ++d) normalize(work.odds.data() + d * (words + 1), words + 1, d + 1);
    return work.odds.data();
  }

  // The scores of all values of a column that is predicted, for some words that were encoded.
  void score_tags(Workspace& work, std::size_t column, std::size_t first, std::size_t words) const {
    work.tag_scores.resize(words * taggers_[column].outputs());
    taggers_[column].multiply(encoded(work, first), words, work.tag_scores.data());
    if (!own_) return;
    const std::size_t width = own_->outputs();
    work.own_rows_.resize(words * width);
    for (std::size_t w = 0; w < words; ++w) std::copy_n(work.own_[first + w], width, work.own_rows_.data() + w * width);
    own_taggers_[column].add(work.own_rows_.data(), words, work.tag_scores.data());
  }

  // The best value of a column that is predicted, for some words that were encoded.
  void tag(Workspace& work, std::size_t column, std::size_t first, std::size_t words, int32_t* best) const {
    const Dense& tagger = taggers_[column];
    score_tags(work, column, first, words);
    for (std::size_t w = 0; w < words; ++w) {
      const float* scores = work.tag_scores.data() + w * tagger.outputs();
      best[w] = static_cast<int32_t>(std::max_element(scores, scores + tagger.outputs()) - scores);
    }
  }

 private:
  void read_upper(const NamedArrays& arrays, std::size_t top, std::size_t tags) {
    tables_.emplace(arrays, head_, top);
    if (!head_.focus.empty()) arcs_.emplace(arrays, "arc", top, true);
    if (arrays.has("tag.hidden")) own_.emplace(arrays.dense("tag.hidden", arrays.size("tag.hidden", 2, 0), inputs_));
    for (std::size_t t = 0; t < tags; ++t) {
      const std::string name = "tagger." + std::to_string(t);
      const std::size_t values = arrays.size(name, 2, 0);
      taggers_.push_back(arrays.dense(name, values, top));
      if (!own_) continue;
      const std::size_t width = own_->outputs();
      own_taggers_.emplace_back(arrays.take(name + ".word", {values, width}), values, width);
    }
  }

  // One more word, of the type at this place.
  void add_type(Workspace& work, std::size_t place) const {
    work.projected_.push_back(row(work.blocks_, lstm_->projected_width(), place));
    if (own_) work.own_.push_back(row(work.own_blocks_, own_->outputs(), place));
  }

  // The first products of the types that are new since the beginning: of all at once, which is faster.
  void project_new(Workspace& work) const {
    const std::size_t rows = work.inputs_.size() / inputs_;
    for (std::size_t done = 0, count = 0; done < rows; done += count) {
      const std::size_t place = work.count_ - rows + done;
      count = std::min(rows - done, kBlock - place % kBlock);
      const float* inputs = work.inputs_.data() + done * inputs_;
      lstm_->project(inputs, count, row(work.blocks_, lstm_->projected_width(), place));
      if (!own_) continue;
      float* own = row(work.own_blocks_, own_->outputs(), place);
      own_->multiply(inputs, count, own);
      for (std::size_t k = 0; k < count * own_->outputs(); ++k) own[k] = std::max(own[k], 0.0f);
    }
    work.inputs_.clear();
  }

  // Room for the vector of one more word.
  float* new_input(Workspace& work) const {
    work.inputs_.resize(work.inputs_.size() + inputs_);
    return work.inputs_.data() + work.inputs_.size() - inputs_;
  }

  // The vector of a word but for what the caller gives; returns where that belongs.
  float* read_word(const WordNumbers& numbers, float* at) const {
    for (std::size_t c = 0; c < embeddings_.size(); ++c)
      at = std::copy_n(embeddings_[c].row(numbers.single[c]), embeddings_[c].width, at);
    if (bag_) at = add_rows(*bag_, numbers.bag, at);
    if (spelling_) {
      spelling_->read(numbers.characters, at);
      at += spelling_->width();
    }
    return affixes_ ? add_rows(*affixes_, numbers.affixes, at) : at;
  }

  // The sum of some rows; returns where the next vector belongs.
  static float* add_rows(const Embedding& table, const std::vector<int32_t>& rows, float* at) {
    std::fill_n(at, table.width, 0.0f);
    for (int32_t r : rows)
      for (std::size_t k = 0; k < table.width; ++k) at[k] += table.row(static_cast<std::size_t>(r))[k];
    return at + table.width;
  }

  // Where something of a type is kept. Blocks never move.
  static float* row(std::vector<std::vector<float>>& blocks, std::size_t width, std::size_t place) {
    while (blocks.size() <= place / kBlock) blocks.emplace_back(kBlock * width);
    return blocks[place / kBlock].data() + place % kBlock * width;
  }

  // The softmax of scores, apart from the one of the word itself.
  static void normalize(float* scores, std::size_t count, std::size_t own) {
    float most = -INFINITY, sum = 0;
    scores[own] = -INFINITY;
    for (std::size_t i = 0; i < count; ++i) most = std::max(most, scores[i]);
    for (std::size_t i = 0; i < count; ++i) sum += scores[i] = std::exp(scores[i] - most);
    for (std::size_t i = 0; i < count; ++i) scores[i] /= sum;
  }

  NeuralHead head_;
  std::vector<Embedding> embeddings_;
  std::optional<Embedding> bag_, affixes_;
  std::optional<Spelling> spelling_;
  std::size_t inputs_ = 0, given_ = 0;
  std::unique_ptr<Encoder> lstm_;
  std::optional<WordTables> tables_;
  std::optional<PairScores> arcs_;
  std::optional<Dense> own_;  // what taggers see of a word by itself, besides the word in its sentence
  std::vector<Dense> taggers_, own_taggers_;
};

}  // namespace multiplane
