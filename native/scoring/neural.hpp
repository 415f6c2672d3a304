// Neural scoring: what a network says about the words of a sentence, looked up configuration by configuration.
//
// The hidden layer of a transition is a sum of vectors, one for the word in each slot (top of the stack, front of the
// buffer …), which are computed once a sentence. So a step costs a few additions and one small product.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "features/nodes.hpp"
#include "scoring/dense.hpp"
#include "scoring/scorer.hpp"

namespace multiplane {

// What is the same for all sentences.
struct NeuralHead {
  std::vector<NodeAddress> addresses;
  std::vector<int32_t> slots;                   // places among the addresses
  std::vector<int32_t> focus;                   // those nodes whose heads and dependents to come are looked at, too
  int32_t other_stacks = 0;                     // stacks beside the first of which it matters whether they are active
  int32_t hidden = 0, label_hidden = 0;         // widths of the hidden layers
  int32_t transitions = 0, labels = 0;          // widths of the outputs
  std::vector<float> bias;                      // hidden
  std::vector<float> features;                  // one row of the hidden width for each feature of focus nodes
  std::vector<float> output, output_bias;       // transitions x hidden
  std::vector<float> label_output, label_bias;  // labels x label_hidden
  bool rectified = true;                        // else the hidden layer of transitions is a tanh

  std::size_t slot_width() const { return slots.size() * static_cast<std::size_t>(hidden); }
  // For every pair of focus nodes the probability of an arc; for every one that of being a root, of a head to come,
  // and how many dependents are to come. Then, for every stack but the first, whether it is active.
  std::size_t feature_count() const { return focus_feature_count() + static_cast<std::size_t>(other_stacks); }
  std::size_t focus_feature_count() const { return focus.size() * (focus.size() + 2); }
};

// Rows of all tables: 0 stands for no node, 1 for the artificial root; then the words of all sentences.
struct NeuralTables {
  const float* slots;       // slot_width() a row
  const float* governors;   // label_hidden a row
  const float* dependents;  // label_hidden a row
};

// How likely every word is the head of every other, and sums of that over the words to come.
class ArcOdds {
 public:
  // For n words, rows of n + 1 probabilities: of the root, and of every word as head. Sentences that are too long for
  // tables of that size do without.
  void set(int32_t n, const float* odds) {
    n_ = n;
    odds_ = odds;
    if (odds == nullptr) return;
    const std::size_t width = n + 2;
    head_to_come_.assign(width * width, 0);
    dependents_to_come_.assign(width * width, 0);
    for (int32_t d = 1; d <= n; ++d) {
      float* sums = head_to_come_.data() + d * width;
      for (int32_t k = n; k >= 1; --k) sums[k - 1] = sums[k] + head(d, k);
    }
    for (int32_t k = n; k >= 1; --k) {
      const float* after = dependents_to_come_.data() + k * width;
      float* sums = dependents_to_come_.data() + (k - 1) * width;
      for (int32_t h = 0; h <= n; ++h) sums[h] = after[h] + head(k, h);
    }
  }

  static constexpr int32_t kMostWords = 2048;

  bool is_known() const { return odds_ != nullptr; }
  float head(int32_t dependent, int32_t head) const { return odds_[(dependent - 1) * (n_ + 1) + head]; }
  // That the head is behind this word.
  float head_after(int32_t dependent, int32_t word) const { return head_to_come_[dependent * (n_ + 2) + word]; }
  // How many dependents are behind this word.
  float dependents_after(int32_t head, int32_t word) const { return dependents_to_come_[word * (n_ + 2) + head]; }

 private:
  int32_t n_ = 0;
  const float* odds_ = nullptr;
  std::vector<float> head_to_come_, dependents_to_come_;
};

// What a configuration looks like to the network.
class NeuralView {
 public:
  explicit NeuralView(const NeuralHead& head)
      : head_(head), finder_(head.addresses), rows_(head.slots.size()), features_(head.feature_count()) {}

  // The sentence whose words begin at this row.
  void look_at(int32_t first_row, int32_t n, const float* odds) {
    first_row_ = first_row;
    odds_.set(n, n <= ArcOdds::kMostWords ? odds : nullptr);
  }

  void find(const State& s, int32_t offset) {
    const int32_t* nodes = finder_.find(s, offset, {});
    for (std::size_t i = 0; i < rows_.size(); ++i) rows_[i] = row(nodes[head_.slots[i]]);
    if (features_.empty()) return;
    std::fill(features_.begin(), features_.end(), 0.0f);
    if (odds_.is_known() && !head_.focus.empty()) find_features(s, offset, nodes);
    const int32_t active = s.c.header().active;
    if (active > 0 && active <= head_.other_stacks) features_[head_.focus_feature_count() + active - 1] = 1;
  }

  const ArcOdds& odds() const { return odds_; }
  const std::vector<int32_t>& rows() const { return rows_; }
  const std::vector<float>& features() const { return features_; }
  const std::vector<int32_t>& relations() const { return relations_; }
  bool allows(const State&, int32_t) const { return true; }
  int32_t row(int32_t node) const { return node < 0 ? 0 : node == 0 ? 1 : first_row_ + node - 1; }

 private:
  void find_features(const State& s, int32_t offset, const int32_t* nodes) {
    const int32_t left = s.c.header().buffer_size - offset;
    const int32_t front = left > 0 ? s.c.buffer()[left - 1] : s.c.n();
    const int32_t border = front == 0 ? s.c.n() : front;  // the root at the right is behind all words
    float* f = features_.data();
    for (int32_t a : head_.focus) {
      const int32_t d = nodes[a];
      const bool is_open = d > 0 && s.tree.head(d) < 0;
      for (int32_t b : head_.focus) {
        const int32_t h = nodes[b];
        if (a == b) {
          *f++ = is_open ? odds_.head(d, 0) : 0;
        } else {
          *f++ = is_open && h > 0 && h != d ? odds_.head(d, h) : 0;
        }
      }
      *f++ = is_open ? odds_.head_after(d, border) : 0;
      *f++ = d >= 0 ? odds_.dependents_after(d, border) : 0;
    }
  }

  const NeuralHead& head_;
  NodeFinder finder_;
  ArcOdds odds_;
  int32_t first_row_ = 2;
  std::vector<int32_t> rows_;
  std::vector<float> features_;
  std::vector<int32_t> relations_;  // none: the tree itself is what is built
};

// The hidden layer of transitions: a sum of rows, and of features times rows.
class TransitionLayer {
 public:
  explicit TransitionLayer(const NeuralHead& head)
      : head_(head),
        output_(head.output.data(), head.transitions, head.hidden, head.output_bias.data()),
        hidden_(head.hidden) {}

  void begin(const NeuralTables& tables, const std::vector<int32_t>& rows, const std::vector<float>& features) {
    const std::size_t width = head_.hidden;
    std::copy_n(head_.bias.data(), width, hidden_.data());
    for (std::size_t i = 0; i < rows.size(); ++i) add(tables.slots + rows[i] * head_.slot_width() + i * width);
    for (std::size_t f = 0; f < features.size(); ++f) {
      const float value = features[f];
      if (value == 0) continue;
      const float* row = head_.features.data() + f * width;
      for (std::size_t k = 0; k < width; ++k) hidden_[k] += value * row[k];
    }
  }

  void add(const float* row) {
    float* h = hidden_.data();
    for (int32_t k = 0; k < head_.hidden; ++k) h[k] += row[k];
  }

  void score(float* scores) {
    if (head_.rectified) {
      for (float& v : hidden_) v = std::max(v, 0.0f);
    } else {
      fastest_kernels().tanh(hidden_.data(), hidden_.size());
    }
    output_.multiply(hidden_.data(), 1, scores);
  }

 private:
  const NeuralHead& head_;
  Dense output_;
  std::vector<float> hidden_;
};

// The hidden layer of labels: a sum of rows, of the governor and of the dependent.
class LabelLayer {
 public:
  explicit LabelLayer(const NeuralHead& head)
      : output_(head.label_output.data(), head.labels, head.label_hidden, head.label_bias.data()),
        hidden_(head.label_hidden),
        scores_(head.labels) {}

  void begin(const NeuralTables& tables, int32_t governor_row, int32_t dependent_row) {
    const std::size_t width = hidden_.size();
    std::copy_n(tables.governors + governor_row * width, width, hidden_.data());
    add(tables.dependents + dependent_row * width);
  }

  void add(const float* row) {
    for (std::size_t k = 0; k < hidden_.size(); ++k) hidden_[k] += row[k];
  }

  int32_t best() { return best_of(scores()); }

  const std::vector<float>& scores() {
    for (float& v : hidden_) v = std::max(v, 0.0f);
    output_.multiply(hidden_.data(), 1, scores_.data());
    return scores_;
  }

 private:
  Dense output_;
  std::vector<float> hidden_, scores_;
};

class NeuralScorer : public Scorer {
 public:
  explicit NeuralScorer(const NeuralHead& head) : transitions_(head), labels_(head), view_(head) {}

  bool is_relative() const override { return true; }

  NeuralView& view() { return view_; }
  void set_tables(const NeuralTables& tables) { tables_ = tables; }

  void transitions(const State& s, const Value*, int32_t offset, float* scores) override {
    view_.find(s, offset);
    transitions_.begin(tables_, view_.rows(), view_.features());
    transitions_.score(scores);
  }

  int32_t label(const State&, const Value*, Ends ends, int32_t wanted, float& score) override {
    // Labels do not compete with transitions: a beam compares these alone.
    score = 0;
    if (wanted >= 0) return wanted;
    labels_.begin(tables_, view_.row(ends.governor), view_.row(ends.dependent));
    return labels_.best();
  }

  void labels(const State&, const Value*, Ends ends, std::vector<float>& scores) override {
    labels_.begin(tables_, view_.row(ends.governor), view_.row(ends.dependent));
    scores = labels_.scores();
  }

  float head_odds(int32_t head, int32_t dependent) const override {
    return view_.odds().is_known() ? std::log(std::max(view_.odds().head(dependent, head), 1e-9f)) : 0;
  }

 private:
  NeuralTables tables_{};
  TransitionLayer transitions_;
  LabelLayer labels_;
  NeuralView view_;
};

}  // namespace multiplane
