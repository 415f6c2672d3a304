// LSTMs that read sentences in both directions, layer upon layer. They only run; training is done elsewhere.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "scoring/dense.hpp"

namespace multiplane {

// One direction of one layer, as torch has it: a row for each gate of each unit, gates in the order i, f, g, o. The
// bias is the sum of torch's two.
struct LstmWeights {
  const float* input;      // 4 * units rows, as wide as the layer's input
  const float* recurrent;  // 4 * units rows of `units`
  const float* bias;       // 4 * units
};

// Between its layers and steps it keeps numbers of type Number: float, or int16_t for more speed. The latter
// is possible because what an LSTM gives is from -1 to 1. How exact it is depends on the weights: a ten-thousandth
// where they are as small as before training, less where large ones let errors grow from step to step.
template <typename Number>
class BiLstmOf {
 public:
  // Buffers for one who runs it; kept from call to call, they are allocated once.
  class Scratch {
    friend class BiLstmOf;

    struct Sentence {
      std::size_t length, first;  // in the order of the caller
      std::size_t place;          // of the first word, in the batch
    };

    std::vector<Sentence> sentences;
    std::vector<float> inputs, gates, cells, fresh;
    std::vector<Number> layers[2];     // what a layer gives and what that below gave, for every word of a batch
    std::vector<const float*> starts;  // what a word adds to the gates, for every word of a batch
    std::vector<const float*> start;   // the same for the words of one step
    std::vector<float*> gate_rows;
    std::vector<Number*> now, before;  // what the words of this step give, and those of the one before gave
  };

  // Weights of all layers, each forward and then backward. Layers above the first read both directions of that below.
  BiLstmOf(std::size_t inputs, std::size_t units, const std::vector<LstmWeights>& weights,
           const Kernels& kernels = fastest_kernels())
      : kernels_(&kernels),
        units_(units),
        padded_((units + kUnits - 1) / kUnits * kUnits),
        first_(pack_first(inputs, weights)) {
    for (std::size_t w = 0; w < weights.size(); ++w) {
      if (w >= 2)
        inputs_.emplace_back(in_groups(padded(weights[w].input, 8 * units).data(), 2 * padded_).data(), gates(),
                             2 * padded_, in_groups(weights[w].bias, 1).data(), kernels);
      recurrent_.emplace_back(in_groups(padded(weights[w].recurrent, 4 * units).data(), padded_).data(), gates(),
                              padded_, nullptr, kernels);
    }
  }

  std::size_t inputs() const { return first_.inputs(); }
  std::size_t width() const { return 2 * units_; }

  // What a word adds to the gates of the first layer, in both directions. It depends on the word's input alone, so that
  // callers can keep it. Units are filled up to a multiple of 8.
  std::size_t projected_width() const { return 2 * gates(); }
  void project(const float* x, std::size_t rows, float* out) const { first_.multiply(x, rows, out); }

  // `projected` has one row for each word of all sentences, one after another, and so has `output`: the forward half,
  // then the backward half. Results do not depend on which sentences come together.
  void run(const float* const* projected, const int32_t* lengths, std::size_t sentences, float* output,
           Scratch& s) const {
    s.sentences.clear();
    for (std::size_t i = 0, first = 0; i < sentences; first += static_cast<std::size_t>(lengths[i++]))
      if (lengths[i] > 0) s.sentences.push_back({static_cast<std::size_t>(lengths[i]), first, 0});
    std::sort(s.sentences.begin(), s.sentences.end(),
              [](const auto& a, const auto& b) { return std::pair(b.length, a.first) < std::pair(a.length, b.first); });
    for (std::size_t begin = 0, end = 0; begin < s.sentences.size(); begin = end) {
      std::size_t words = 0;
      while (end < s.sentences.size() && end - begin < kMostSentences &&
             (end == begin || words + s.sentences[end].length <= kMostWords)) {
        s.sentences[end].place = words;
        words += s.sentences[end++].length;
      }
      run_batch(projected, {&s.sentences[begin], end - begin, words}, output, s);
    }
  }

 private:
  // Enough sentences that products are fast, and so few that weights stay in the second cache beside their gates. Words
  // are as many as a moderate amount of memory holds.
  static constexpr std::size_t kMostSentences = 12, kMostWords = 2048;

  // Sentences that go step by step together, the longest first.
  struct Batch {
    const typename Scratch::Sentence* sentences;
    std::size_t count, words;
  };

  std::size_t gates() const { return 4 * padded_; }
  std::size_t layers() const { return recurrent_.size() / 2; }

  // Rows of as many numbers as there are units, filled up with zeros.
  std::vector<float> padded(const float* rows, std::size_t count) const {
    std::vector<float> wide(count * padded_);
    for (std::size_t r = 0; r < count; ++r) std::copy_n(rows + r * units_, units_, &wide[r * padded_]);
    return wide;
  }

  // Puts rows, one for each gate of each unit, into the groups that kernels want; units that fill up get zeros.
  std::vector<float> in_groups(const float* rows, std::size_t width) const {
    std::vector<float> grouped(gates() * width);
    for (std::size_t gate = 0; gate < 4; ++gate)
      for (std::size_t u = 0; u < units_; ++u)
        std::copy_n(rows + (gate * units_ + u) * width, width,
                    &grouped[((u / kUnits * 4 + gate) * kUnits + u % kUnits) * width]);
    return grouped;
  }

  Dense pack_first(std::size_t width, const std::vector<LstmWeights>& weights) const {
    std::vector<float> both, bias;
    for (std::size_t direction = 0; direction < 2; ++direction) {
      const std::vector<float> rows = in_groups(weights[direction].input, width);
      both.insert(both.end(), rows.begin(), rows.end());
      const std::vector<float> more = in_groups(weights[direction].bias, 1);
      bias.insert(bias.end(), more.begin(), more.end());
    }
    return Dense(both.data(), 2 * gates(), width, bias.data(), *kernels_);
  }

  void run_batch(const float* const* projected, const Batch& batch, float* output, Scratch& s) const {
    make_room(batch, s);
    for (std::size_t layer = 0; layer < layers(); ++layer) {
      for (std::size_t direction = 0; direction < 2; ++direction) {
        if (layer == 0)
          find_projected(projected, batch, direction, s);
        else
          inputs_[2 * layer - 2 + direction].multiply(s.layers[1].data(), batch.words, s.inputs.data());
        if (layer == 1) find_inputs(batch, s);
        run_direction(recurrent_[2 * layer + direction], direction, batch, layer + 1 == layers() ? output : nullptr, s);
      }
      std::swap(s.layers[0], s.layers[1]);
    }
  }

  template <typename T>
  static void at_least(std::vector<T>& values, std::size_t size) {
    if (values.size() < size) values.resize(size);
  }

  void make_room(const Batch& batch, Scratch& s) const {
    at_least(s.starts, batch.words);
    if (layers() > 1) at_least(s.inputs, batch.words * gates());
    for (auto& layer : s.layers) at_least(layer, batch.words * 2 * padded_);
    s.gates.resize(kMostSentences * gates());
    s.cells.resize(kMostSentences * padded_);
    s.fresh.resize(padded_);
    s.start.resize(kMostSentences);
    s.gate_rows.resize(kMostSentences);
    for (auto* rows : {&s.now, &s.before}) rows->resize(kMostSentences);
    for (std::size_t i = 0; i < kMostSentences; ++i) s.gate_rows[i] = &s.gates[i * gates()];
  }

  void find_projected(const float* const* projected, const Batch& batch, std::size_t direction, Scratch& s) const {
    for (std::size_t i = 0; i < batch.count; ++i) {
      const typename Scratch::Sentence& sentence = batch.sentences[i];
      for (std::size_t p = 0; p < sentence.length; ++p)
        s.starts[sentence.place + p] = projected[sentence.first + p] + direction * gates();
    }
  }

  void find_inputs(const Batch& batch, Scratch& s) const {
    for (std::size_t word = 0; word < batch.words; ++word) s.starts[word] = &s.inputs[word * gates()];
  }

  // All sentences from their own first word, or backward from their own last word; those that end drop out. `output` is
  // none but for the last layer.
  void run_direction(const DenseOf<Number>& recurrent, std::size_t direction, const Batch& batch, float* output,
                     Scratch& s) const {
    std::fill_n(s.cells.begin(), batch.count * padded_, 0.f);
    std::size_t active = batch.count;
    for (std::size_t step = 0; step < batch.sentences[0].length; ++step) {
      while (batch.sentences[active - 1].length <= step) --active;
      for (std::size_t i = 0; i < active; ++i) {
        const std::size_t word = batch.sentences[i].place + position(batch.sentences[i], direction, step);
        s.start[i] = s.starts[word];
        s.now[i] = &s.layers[0][(2 * word + direction) * padded_];
      }
      if (step > 0) recurrent.add_rows(s.before.data(), active, s.start.data(), s.gate_rows.data());
      for (std::size_t i = 0; i < active; ++i) {
        const float* found = finish_step(step > 0 ? s.gate_rows[i] : s.start[i], i, s);
        if (output == nullptr) continue;
        const std::size_t word = batch.sentences[i].first + position(batch.sentences[i], direction, step);
        std::copy_n(found, units_, output + (2 * word + direction) * units_);
      }
      std::swap(s.now, s.before);
    }
  }

  static std::size_t position(const typename Scratch::Sentence& sentence, std::size_t direction, std::size_t step) {
    return direction == 0 ? step : sentence.length - 1 - step;
  }

  // From the gates to what the units give, which is also kept for the next step and the next layer.
  const float* finish_step(const float* gates, std::size_t sentence, Scratch& s) const {
    float* cells = &s.cells[sentence * padded_];
    if constexpr (std::is_same_v<Number, float>) {
      kernels_->lstm_step(gates, padded_, cells, s.now[sentence]);
      return s.now[sentence];
    } else {
      kernels_->lstm_step(gates, padded_, cells, s.fresh.data());
      kernels_->coarsen(s.fresh.data(), padded_, s.now[sentence]);
      return s.fresh.data();
    }
  }

  const Kernels* kernels_;
  std::size_t units_, padded_;
  Dense first_;                             // both directions
  std::vector<DenseOf<Number>> inputs_;     // of the layers above, each forward and backward
  std::vector<DenseOf<Number>> recurrent_;  // of all layers, each forward and backward
};

using BiLstm = BiLstmOf<float>;
using CoarseBiLstm = BiLstmOf<int16_t>;

// Runs some sentences at a time, for what the first layer takes in is much wider than the words are.
template <typename Lstm>
void run_in_batches(const Lstm& lstm, const float* x, const int32_t* lengths, std::size_t sentences, float* output) {
  constexpr std::size_t kEnough = 2048;
  typename Lstm::Scratch scratch;
  std::vector<float> projected;
  std::vector<const float*> rows;
  for (std::size_t begin = 0, end = 0; begin < sentences; begin = end) {
    std::size_t words = 0;
    while (end < sentences && words < kEnough) words += static_cast<std::size_t>(lengths[end++]);
    if (projected.size() < words * lstm.projected_width()) projected.resize(words * lstm.projected_width());
    lstm.project(x, words, projected.data());
    rows.clear();
    for (std::size_t word = 0; word < words; ++word) rows.push_back(&projected[word * lstm.projected_width()]);
    lstm.run(rows.data(), lengths + begin, end - begin, output, scratch);
    x += words * lstm.inputs();
    output += words * lstm.width();
  }
}

}  // namespace multiplane
