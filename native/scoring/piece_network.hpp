// The network of a tokenizer, as it runs: a BiLSTM over the pieces of a text.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/demand.hpp"
#include "common/hash_table.hpp"
#include "features/pieces.hpp"
#include "scoring/lstm.hpp"
#include "scoring/named_arrays.hpp"
#include "scoring/network.hpp"

namespace multiplane {

// What is said about a piece.
enum PieceScore : std::size_t { kInside, kTokenEnd, kSentenceEnd, kMultiword, kPieceScores };

class PieceNetwork {
 public:
  PieceNetwork(const NamedArrays& arrays, const PieceLexicon& lexicon)
      : word_(arrays, "word"),
        chunk_(arrays, "chunk"),
        shape_(arrays, "shape"),
        spaces_(arrays, "spaces"),
        length_(arrays, "length"),
        parts_(arrays, "parts"),
        lstm_(make_lstm(arrays, inputs())),
        output_(arrays.dense("output", kPieceScores, lstm_.width())) {
    demand(word_.rows == lexicon.words() + 1 && chunk_.rows == lexicon.chunks() + 1,
           "'word' or 'chunk' does not fit its vocabulary");
    demand(shape_.rows == kShapes && spaces_.rows == kSpaces && length_.rows == kLengths,
           "'shape', 'spaces' or 'length' has another number of rows");
    demand(parts_.rows == lexicon.buckets(), "'parts' has not one row for each n-gram");
  }

  // What is kept from one text to the next; for one thread.
  class Workspace {
    friend class PieceNetwork;
    HashTable<int32_t> known_{1};
    std::vector<std::vector<float>> blocks_;  // first products of pieces that were seen; blocks never move
    std::size_t count_ = 0;
    PieceNumbers numbers_;
    std::vector<float> inputs_, encoded_;
    std::vector<const float*> projected_;
    CoarseBiLstm::Scratch scratch_;
  };

  // The scores of pieces, in sequences that are read independently of each other. `order` names the pieces of all
  // sequences, one after another.
  void score(const PieceLooks& looks, const PieceLexicon& lexicon, const std::vector<std::size_t>& order,
             const std::vector<int32_t>& lengths, Workspace& work, std::vector<float>& scores) const {
    if (work.count_ + order.size() > kCacheBytes / (lstm_.projected_width() * sizeof(float))) {
      work.known_ = HashTable<int32_t>(1);
      work.count_ = 0;
    }
    work.projected_.clear();
    for (std::size_t piece : order) work.projected_.push_back(projected(looks, lexicon, piece, work));
    project_new(work);
    work.encoded_.resize(order.size() * lstm_.width());
    lstm_.run(work.projected_.data(), lengths.data(), lengths.size(), work.encoded_.data(), work.scratch_);
    scores.resize(order.size() * kPieceScores);
    output_.multiply(work.encoded_.data(), order.size(), scores.data());
  }

 private:
  // First products that are kept; when they are too many, all are forgotten.
  static constexpr std::size_t kBlock = 256, kCacheBytes = 32 << 20;

  std::size_t inputs() const {
    return word_.width + chunk_.width + shape_.width + spaces_.width + length_.width + parts_.width;
  }

  static CoarseBiLstm make_lstm(const NamedArrays& arrays, std::size_t inputs) {
    const std::size_t units = arrays.size("lstm.0.recurrent", 2, 1);
    demand(units >= 1 && units <= 4096, "an LSTM has 1 to 4,096 units");
    std::vector<LstmWeights> weights;
    for (const std::string name : {"lstm.0", "lstm.1"})
      weights.push_back({arrays.take(name + ".input", {4 * units, inputs}),
                         arrays.take(name + ".recurrent", {4 * units, units}),
                         arrays.take(name + ".bias", {4 * units})});
    return CoarseBiLstm(inputs, units, weights);
  }

  const float* projected(const PieceLooks& looks, const PieceLexicon& lexicon, std::size_t piece,
                         Workspace& work) const {
    const std::size_t before = work.known_.size(), slot = work.known_.at(looks.key(piece));
    if (work.known_.size() > before) {
      lexicon.describe(looks, piece, work.numbers_);
      read(work);
      *work.known_.payload(slot) = static_cast<int32_t>(work.count_++);
    }
    return row(work, static_cast<std::size_t>(*work.known_.payload(slot)));
  }

  // The vector of a piece before the BiLSTM.
  void read(Workspace& work) const {
    const PieceNumbers& numbers = work.numbers_;
    work.inputs_.resize(work.inputs_.size() + lstm_.inputs());
    float* at = work.inputs_.data() + work.inputs_.size() - lstm_.inputs();
    const auto copy = [&](const Embedding& embedding, int32_t number) {
      at = std::copy_n(embedding.row(static_cast<std::size_t>(number)), embedding.width, at);
    };
    copy(word_, numbers.word);
    copy(chunk_, numbers.chunk);
    copy(shape_, numbers.shape);
    copy(spaces_, numbers.spaces);
    copy(length_, numbers.length);
    std::fill_n(at, parts_.width, 0.0f);
    for (int32_t part : numbers.parts) {
      const float* add = parts_.row(static_cast<std::size_t>(part));
      for (std::size_t k = 0; k < parts_.width; ++k) at[k] += add[k];
    }
    const float scale = 1 / std::sqrt(static_cast<float>(numbers.parts.size()));
    for (std::size_t k = 0; k < parts_.width; ++k) at[k] *= scale;
  }

  // The first products of the pieces that are new: of all at once, which is faster.
  void project_new(Workspace& work) const {
    const std::size_t rows = work.inputs_.size() / lstm_.inputs();
    for (std::size_t done = 0, count = 0; done < rows; done += count) {
      const std::size_t place = work.count_ - rows + done;
      count = std::min(rows - done, kBlock - place % kBlock);
      lstm_.project(work.inputs_.data() + done * lstm_.inputs(), count, row(work, place));
    }
    work.inputs_.clear();
  }

  float* row(Workspace& work, std::size_t place) const {
    const std::size_t width = lstm_.projected_width();
    while (work.blocks_.size() <= place / kBlock) work.blocks_.emplace_back(kBlock * width);
    return work.blocks_[place / kBlock].data() + place % kBlock * width;
  }

  Embedding word_, chunk_, shape_, spaces_, length_, parts_;
  CoarseBiLstm lstm_;
  Dense output_;
};

}  // namespace multiplane
