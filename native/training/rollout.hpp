// Roll-outs: a network that is being trained parses sentences, and what it met on its way is recorded to learn from.
#pragma once

#include <climits>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "common/array_view.hpp"
#include "common/demand.hpp"
#include "common/random.hpp"
#include "oracles/dynamic_oracle.hpp"
#include "scoring/neural.hpp"
#include "training/sentences.hpp"

namespace multiplane {

struct RolloutOptions {
  bool dynamic = false;
  bool regularized = true;
  double exploration = 0;  // how often the network's own choice is followed where it is wrong
  double aggressive = 0;   // how often a wrong choice is followed that is nearly as good as the right one
  float margin = 1;        // how near that is
};

// Configurations one after another.
struct Rollout {
  std::vector<int32_t> rows;          // slots of a configuration
  std::vector<float> features;        // features of a configuration
  std::vector<int32_t> relations;     // rows of relations of a configuration, where there are any
  std::vector<uint8_t> legal, right;  // one for each transition
  int64_t steps = 0, wrong = 0;
};

// Follows derivations of a system, one sentence after another.
template <typename AnyScorer>
class Explorer {
 public:
  template <typename Head>
  Explorer(const Program& program, const Head& head, const NeuralTables& tables, const OracleSpec& spec)
      : program_(program), spec_(spec), scorer_(head), machine_(program), scores_(head.transitions) {
    scorer_.set_tables(tables);
  }

  // What looks at configurations; it must look at the sentence that begins.
  auto& view() { return scorer_.view(); }
  bool is_done(const State& s) const { return machine_.is_terminal(s.c); }

  void begin(const TrainingSentence& sentence, const RolloutOptions& options, uint64_t seed) {
    sentence_ = &sentence;
    options_ = options;
    random_ = Random(seed);
    step_ = 0;
    oracle_.reset();
    if (!options.dynamic) return;
    gold_.emplace(sentence.arcs.gold(sentence.n, program_));
    oracle_ = make_dynamic_oracle(program_, spec_, *gold_, sentence.planes);
  }

  // Takes one transition and records what was met; false where nothing is left to be learnt.
  bool step(State& s, Rollout& record) {
    if (options_.dynamic) {
      judge_by_cost(s, *oracle_, options_.regularized);
    } else {
      if (step_ >= sentence_->sequence.size()) return false;
      judge_by_sequence(s, sentence_->sequence[step_].transition);
    }
    ++step_;
    const int32_t next = choose(s, options_, random_, record);
    if (next < 0) return false;
    return take(machine_, s, next, 0, [&](Ends ends) { return gold_label(ends); });
  }

 private:
  void judge_by_cost(State& s, DynamicOracle& oracle, bool regularized) {
    oracle.costs(s.c, regularized, costs_);
    int32_t least = INT_MAX;
    for (int32_t cost : costs_)
      if (cost != DynamicOracle::kIllegal) least = std::min(least, cost);
    legal_.clear();
    right_.clear();
    for (int32_t cost : costs_) {
      legal_.push_back(cost != DynamicOracle::kIllegal);
      right_.push_back(cost == least);
    }
    forbid(s);
  }

  void judge_by_sequence(State& s, int32_t wanted) {
    const int32_t count = static_cast<int32_t>(program_.transitions.size());
    legal_.resize(count);
    right_.assign(count, 0);
    for (int32_t t = 0; t < count; ++t) legal_[t] = machine_.is_legal(s.c, t, 0);
    right_[wanted] = 1;
    forbid(s);
  }

  // What the parser does not do although the system allows it.
  void forbid(const State& s) {
    for (int32_t t = 0; t < static_cast<int32_t>(legal_.size()); ++t)
      legal_[t] = legal_[t] && scorer_.view().allows(s, t);
  }

  // The gold label of an arc; of one that is not gold, that of a gold arc to the same word, or any.
  int32_t gold_label(Ends ends) const {
    const int32_t label = sentence_->arcs.label(ends, program_.undirected);
    return std::max(label >= 0 ? label : sentence_->arcs.label_instead(ends), 0);
  }

  // The transition to follow, or -1 where there is none. Where there is a choice, it is recorded.
  int32_t choose(State& s, const RolloutOptions& options, Random& random, Rollout& record) {
    const auto choices = std::count(legal_.begin(), legal_.end(), uint8_t{1});
    if (choices == 0) return -1;
    if (choices == 1) return static_cast<int32_t>(std::find(legal_.begin(), legal_.end(), uint8_t{1}) - legal_.begin());
    scorer_.transitions(s, nullptr, 0, scores_.data());
    int32_t right = -1, wrong = -1;
    for (int32_t t = 0; t < static_cast<int32_t>(legal_.size()); ++t) {
      if (!legal_[t]) continue;
      int32_t& best = right_[t] ? right : wrong;
      if (best < 0 || scores_[t] > scores_[best]) best = t;
    }
    const auto& seen = scorer_.view();
    append(record.rows, seen.rows());
    append(record.features, seen.features());
    append(record.relations, seen.relations());
    append(record.legal, legal_);
    append(record.right, right_);
    ++record.steps;
    if (wrong < 0) return right;
    const float ahead = scores_[right] - scores_[wrong];
    record.wrong += ahead < 0;
    if (!options.dynamic) return right;
    const double chance = ahead < 0 ? options.exploration : ahead < options.margin ? options.aggressive : 0;
    return random.uniform() < chance ? wrong : right;
  }

  template <typename T>
  static void append(std::vector<T>& to, const std::vector<T>& from) {
    to.insert(to.end(), from.begin(), from.end());
  }

  const Program& program_;
  const OracleSpec& spec_;
  AnyScorer scorer_;
  Machine machine_;
  const TrainingSentence* sentence_ = nullptr;
  RolloutOptions options_;
  Random random_{0};
  std::size_t step_ = 0;
  std::optional<Gold> gold_;
  std::unique_ptr<DynamicOracle> oracle_;
  std::vector<float> scores_;
  std::vector<uint8_t> legal_, right_;
  std::vector<int32_t> costs_;
};

// What the network needs to know about words: rows of its slots, after those for no word and for the root; and for
// every sentence of n words n rows of n + 1 probabilities of heads, where it looks at those.
struct EncodedWords {
  const float* slots;
  std::size_t rows, width;
  ArrayView<float> odds;
};

// What a network meets when it parses the sentences with these numbers.
inline Rollout roll_out(const Program& program, const OracleSpec& oracle, const NeuralHead& head,
                        const std::vector<TrainingSentence>& sentences, ArrayView<int64_t> numbers,
                        const EncodedWords& encoded, const RolloutOptions& options, uint64_t seed) {
  std::size_t words = 0, odds = 0;
  for (int64_t number : numbers) {
    demand(number >= 0 && number < static_cast<int64_t>(sentences.size()), "no such sentence");
    const std::size_t n = static_cast<std::size_t>(sentences[number].n);
    words += n;
    odds += n * (n + 1);
  }
  const bool looks_at_odds = !head.focus.empty();
  demand(encoded.rows == words + 2 && encoded.width == head.slot_width(), "the table of slots does not fit");
  demand(!looks_at_odds || odds <= encoded.odds.size(), "the probabilities of heads do not fit");
  demand(!options.dynamic || oracle.is_dynamic(), "the system has no dynamic oracle");
  Rollout record;
  Explorer<NeuralScorer> explorer(program, head, {encoded.slots, nullptr, nullptr}, oracle);
  int32_t row = 2;
  const float* next = encoded.odds.data();
  for (int64_t number : numbers) {
    const TrainingSentence& sentence = sentences[number];
    explorer.view().look_at(row, sentence.n, looks_at_odds ? next : nullptr);
    explorer.begin(sentence, options, mix(seed, number + 1));
    State s(program, sentence.n);
    while (!explorer.is_done(s) && explorer.step(s, record)) {
    }
    row += sentence.n;
    if (looks_at_odds) next += static_cast<std::ptrdiff_t>(sentence.n) * (sentence.n + 1);
  }
  return record;
}

}  // namespace multiplane
