// The latent states of a gold derivation: how they are connected, what they observe, and what is decided in them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/random.hpp"
#include "features/latent_state.hpp"
#include "oracles/strategies/strategy.hpp"
#include "scoring/latent_eye.hpp"

namespace multiplane {

// A sentence to learn from.
struct LatentSentence {
  int32_t n = 0;
  std::vector<int32_t> numbers;    // (channels + 1) for each word
  std::vector<int32_t> senses;     // by word, from 1
  std::vector<Taken> sequence[2];  // of syntax and of semantics
};

// A decision: one of some rows, which stand one after another, or in a list.
struct LatentChoice {
  int32_t first, count, gold;
  int32_t list;  // where the list begins, or -1
};

struct LatentStep {
  StateKind kind;
  std::size_t links, rows, choices;  // where they end
};

struct LatentGraph {
  std::vector<LatentStep> steps;
  std::vector<LatentLink> links;
  std::vector<int32_t> rows;
  std::vector<LatentChoice> choices;
  std::vector<int32_t> lists;

  void clear() {
    steps.clear();
    links.clear();
    rows.clear();
    choices.clear();
    lists.clear();
  }
};

// How often words are hidden in training, by the number of their form, and the number that they get then; and how often
// a feature is left out.
struct LatentHiding {
  std::vector<float> chances;
  std::vector<int32_t> instead;
  float features = 0;
};

class LatentReplay {
 public:
  LatentReplay(const Program& syntax, const Program& semantics, const LatentShape& shape)
      : syntax_(syntax), semantics_(semantics), shape_(shape), eye_(shape), machine_(syntax, semantics) {}

  // A derivation that leads to no end is followed as far as it goes.
  const LatentGraph& run(const LatentSentence& gold, const LatentHiding* hiding, Random& random) {
    graph_.clear();
    gold_ = &gold;
    random_ = hiding != nullptr && hiding->features > 0 ? &random : nullptr;
    dropout_ = random_ == nullptr ? 0 : hiding->features;
    const std::size_t channels = shape_.known.channels.size();
    seen_ = gold.numbers;
    if (hiding != nullptr)
      for (std::size_t at = 0; at < seen_.size(); at += channels + 1)
        if (random.uniform() < hiding->chances[seen_[at]]) seen_[at] = hiding->instead[seen_[at]];
    words_ = {gold.n, channels, seen_.data()};
    LatentState s(syntax_, semantics_, gold.n);
    std::size_t taken[2] = {0, 0};
    while (!machine_.is_done(s)) {
      const StateKind kind = machine_.kind(s);
      if (kind == StateKind::kPredicate) {
        begin(s, kind);
        decide_predicate(s);
      } else {
        const std::size_t layer = kind != StateKind::kSyntax;
        if (taken[layer] == gold.sequence[layer].size()) break;
        if (!follow(s, kind, gold.sequence[layer][taken[layer]++])) break;
      }
      graph_.steps.push_back({kind, graph_.links.size(), graph_.rows.size(), graph_.choices.size()});
    }
    return graph_;
  }

 private:
  void begin(LatentState& s, StateKind kind) {
    const std::size_t first = graph_.rows.size();
    eye_.look(s, kind, words_, graph_.links, graph_.rows);
    if (random_ != nullptr) {
      const auto is_left_out = [&](int32_t) { return random_->uniform() < dropout_; };
      graph_.rows.erase(std::remove_if(graph_.rows.begin() + first, graph_.rows.end(), is_left_out), graph_.rows.end());
    }
    s.note_state(kind, static_cast<int32_t>(graph_.steps.size()));
  }

  void decide_predicate(LatentState& s) {
    const int32_t word = s.front(), sense = gold_->senses[word], lemma = words_.lemma(word);
    graph_.choices.push_back({shape_.predicate_row(), 2, sense != kNoPredicate, -1});
    if (sense >= 0 && lemma >= 0) {
      const int32_t list = static_cast<int32_t>(graph_.lists.size());
      int32_t place = -1, count = 0;
      for (int32_t c = shape_.known.candidate_first[lemma]; c < shape_.known.candidate_first[lemma + 1]; ++c, ++count) {
        if (shape_.known.candidates[c] == sense) place = count;
        graph_.lists.push_back(shape_.sense_row() + shape_.known.candidates[c]);
      }
      if (place >= 0 && count > 1) graph_.choices.push_back({0, count, place, list});
    }
    s.note_predicate(sense);
  }

  bool follow(LatentState& s, StateKind kind, const Taken& step) {
    const int32_t list = static_cast<int32_t>(graph_.lists.size());
    int32_t place = -1, count = 0;
    for (int32_t t = 0; t < shape_.transitions(kind); ++t) {
      if (t != step.transition && !machine_.is_legal(s, kind, t)) continue;
      if (t == step.transition) place = count;
      graph_.lists.push_back(shape_.action_row(kind) + t);
      ++count;
    }
    const std::size_t links = graph_.links.size(), rows = graph_.rows.size();
    LatentState& now = s;
    begin(now, kind);
    const int32_t front = s.front();
    if (!machine_.take(s, kind, step.transition, std::max(step.label, 0))) {
      graph_.links.resize(links);
      graph_.rows.resize(rows);
      return false;
    }
    if (count > 1) graph_.choices.push_back({0, count, place, list});
    const int32_t labels = shape_.label_row(kind, step.transition);
    if (labels >= 0 && step.label >= 0) graph_.choices.push_back({labels, shape_.labels(kind), step.label, -1});
    if (shape_.generative && s.front() > front && s.front() <= s.n()) predict_word(s.front());
    return true;
  }

  // Unknown tags and words are certain, as far as comparing derivations goes.
  void predict_word(int32_t word) {
    const std::size_t at = static_cast<std::size_t>(word - 1) * (words_.channels + 1);
    const int32_t tag = gold_->numbers[at + 1] - kFirstKnown, form = gold_->numbers[at] - kFirstKnown;
    if (tag < 0) return;
    graph_.choices.push_back({shape_.tag_row(), shape_.tags(), tag, -1});
    const int32_t first = shape_.known.class_first[tag], end = shape_.known.class_first[tag + 1];
    if (form >= first && form < end)
      graph_.choices.push_back({shape_.word_row() + first, end - first, form - first, -1});
  }

  const Program &syntax_, &semantics_;
  const LatentShape& shape_;
  LatentEye eye_;
  LatentMachine machine_;
  LatentGraph graph_;
  const LatentSentence* gold_ = nullptr;
  Random* random_ = nullptr;
  float dropout_ = 0;
  std::vector<int32_t> seen_;
  LatentWords words_;
};

}  // namespace multiplane
