// Roll-outs: a network that is being trained parses sentences, and what it met on its way is recorded to learn from.
#pragma once

#include <climits>
#include <cstdint>
#include <memory>
#include <numeric>
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
  std::vector<uint8_t> legal, right;  // one for each transition
  int64_t steps = 0, wrong = 0;
};

class Explorer {
 public:
  Explorer(const Program& program, const NeuralHead& head, const NeuralTables& tables, const OracleSpec& spec)
      : program_(program), spec_(spec), scorer_(head), machine_(program), scores_(head.transitions) {
    scorer_.set_tables(tables);
  }

  // The words of the sentence begin at this row of the tables.
  void run(const TrainingSentence& sentence, int32_t first_row, const float* odds, const RolloutOptions& options,
           uint64_t seed, Rollout& record) {
    const int32_t n = sentence.n;
    scorer_.view().look_at(first_row, n, odds);
    State s(program_, n);
    const Gold gold = sentence.arcs.gold(n, program_);
    std::unique_ptr<DynamicOracle> oracle;
    if (options.dynamic) oracle = make_dynamic_oracle(program_, spec_, gold, sentence.planes);
    Random random(seed);
    for (std::size_t step = 0; !machine_.is_terminal(s.c); ++step) {
      if (options.dynamic) {
        judge_by_cost(s, *oracle, options.regularized);
      } else {
        if (step >= sentence.sequence.size()) return;
        judge_by_sequence(s, sentence.sequence[step].transition);
      }
      const int32_t next = choose(s, options, random, record);
      if (next < 0) return;
      take(machine_, s, next, 0, [](Ends) { return 0; });
    }
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
  }

  void judge_by_sequence(State& s, int32_t wanted) {
    const int32_t count = static_cast<int32_t>(program_.transitions.size());
    legal_.resize(count);
    right_.assign(count, 0);
    for (int32_t t = 0; t < count; ++t) legal_[t] = machine_.is_legal(s.c, t, 0);
    right_[wanted] = 1;
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
    record.rows.insert(record.rows.end(), scorer_.view().rows().begin(), scorer_.view().rows().end());
    record.features.insert(record.features.end(), scorer_.view().features().begin(), scorer_.view().features().end());
    record.legal.insert(record.legal.end(), legal_.begin(), legal_.end());
    record.right.insert(record.right.end(), right_.begin(), right_.end());
    ++record.steps;
    if (wrong < 0) return right;
    const float ahead = scores_[right] - scores_[wrong];
    record.wrong += ahead < 0;
    if (!options.dynamic) return right;
    const double chance = ahead < 0 ? options.exploration : ahead < options.margin ? options.aggressive : 0;
    return random.uniform() < chance ? wrong : right;
  }

  const Program& program_;
  const OracleSpec& spec_;
  NeuralScorer scorer_;
  Machine machine_;
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
  Explorer explorer(program, head, {encoded.slots, nullptr, nullptr}, oracle);
  int32_t row = 2;
  const float* next = encoded.odds.data();
  for (int64_t number : numbers) {
    const TrainingSentence& s = sentences[number];
    explorer.run(s, row, looks_at_odds ? next : nullptr, options, mix(seed, number + 1), record);
    row += s.n;
    if (looks_at_odds) next += static_cast<std::ptrdiff_t>(s.n) * (s.n + 1);
  }
  return record;
}

}  // namespace multiplane
