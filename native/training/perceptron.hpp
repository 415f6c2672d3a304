// Training of linear models: the averaged perceptron, greedy with exploration or with a beam.
#pragma once

#include <climits>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "oracles/make_dynamic_oracle.hpp"
#include "scoring/graph_arcs.hpp"
#include "search/beam.hpp"
#include "search/search.hpp"
#include "training/linear_learner.hpp"
#include "training/sentences.hpp"

namespace multiplane {

struct TrainingOptions {
  bool dynamic = false;
  double exploration = 0;  // how often the model's own choice is followed where it is wrong
  float margin = 0;        // by which the right choice must be ahead
  float label_margin = 0;  // the same for labels
  bool regularized = true;
  int32_t beam = 1;
  double dropout = 0;         // of features
  bool early_update = false;  // else where the beam is furthest ahead of what is right
  bool own_labels = false;    // whether arcs keep the labels that the model gives them, as they do with exploration
};

class Perceptron : public LinearLearner {
 public:
  Perceptron(std::shared_ptr<const Program> program, std::shared_ptr<const FeatureModel> features, int32_t labels)
      : LinearLearner(std::move(features), static_cast<int32_t>(program->transitions.size()), labels),
        program_(std::move(program)),
        driver_(*program_, *this) {
    if (program_->parses_graphs) arcs_ = arcs_of_transitions(*program_);
  }

  // Learns from the sentences with these numbers.
  TrainingCounts train(const std::vector<TrainingSentence>& sentences, ArrayView<int64_t> numbers,
                       const OracleSpec& spec, const TrainingOptions& options, uint64_t seed) {
    for (int64_t number : numbers)
      demand(number >= 0 && number < static_cast<int64_t>(sentences.size()), "no such sentence");
    TrainingCounts counts;
    for (int64_t number : numbers) train(sentences[number], spec, options, mix(seed, number + 1), counts);
    return counts;
  }

  // Greedy: after every step compare what the model wants with what is right.

  // Begins with a sentence, which must not go away before the last step.
  void begin(const TrainingSentence& sentence, const OracleSpec& spec, const TrainingOptions& options, uint64_t seed) {
    sentence_ = &sentence;
    options_ = options;
    options_.dynamic = options.dynamic && spec.is_dynamic();
    label_margin_ = options.label_margin;
    random_ = Random(seed);
    dropout_ = options.dropout;
    step_ = 0;
    oracle_.reset();
    if (!options_.dynamic) return;
    gold_.emplace(sentence.arcs.gold(sentence.n, *program_));
    oracle_ = make_dynamic_oracle(*program_, spec, *gold_, sentence.planes);
  }

  bool is_done(const State& s) const { return driver_.is_done(s); }

  // Takes one transition and learns from it; false where nothing is left to be learnt.
  bool step(State& s, TrainingCounts& counts) {
    if (!options_.dynamic && step_ >= sentence_->sequence.size()) return false;
    const Value* rows = sentence_->rows.data();
    candidates_.clear();
    driver_.candidates(s, rows, 0, 0, candidates_);
    const auto [right, wrong] = options_.dynamic ? judged_by_cost(s) : judged_by_sequence(s);
    ++step_;
    if (right == nullptr) return false;
    ++counts.steps;
    time_ += 1;
    const bool is_wrong = wrong != nullptr && wrong->score > right->score;
    counts.wrong += is_wrong;
    if (wrong != nullptr && right->score - wrong->score <= options_.margin) {
      ++counts.updates;
      update_transition(s, rows, *right, *wrong);
    }
    const bool explores = is_wrong && options_.dynamic && random_.uniform() < options_.exploration;
    const Candidate chosen = explores ? *wrong : *right;
    follow(s, rows, chosen, options_.own_labels || explores || options_.exploration > 0, counts);
    return true;
  }

 private:
  // The best of what is right and of what is wrong, where there is any.
  struct Judged {
    const Candidate *right = nullptr, *wrong = nullptr;

    void note(const Candidate& c, bool is_right) {
      const Candidate*& best = is_right ? right : wrong;
      if (best == nullptr || c.score > best->score) best = &c;
    }
  };

  void train(const TrainingSentence& sentence, const OracleSpec& spec, const TrainingOptions& options, uint64_t seed,
             TrainingCounts& counts) {
    if (options.beam > 1) {
      label_margin_ = options.label_margin;
      train_beam(sentence, options, counts);
      return;
    }
    begin(sentence, spec, options, seed);
    State s(*program_, sentence.n);
    while (!is_done(s) && step(s, counts)) {
    }
  }

  Judged judged_by_cost(State& s) {
    oracle_->costs(s.c, options_.regularized, costs_);
    int32_t least = INT_MAX;
    for (int32_t cost : costs_)
      if (cost != DynamicOracle::kIllegal) least = std::min(least, cost);
    Judged judged;
    for (const Candidate& c : candidates_)
      if (costs_[c.transition] != DynamicOracle::kIllegal) judged.note(c, costs_[c.transition] == least);
    return judged;
  }

  Judged judged_by_sequence(State& s) {
    const Taken& taken = sentence_->sequence[step_];
    Judged judged;
    for (const Candidate& c : candidates_) {
      const bool is_right = taken.transition == c.transition && taken.parameter == c.parameter;
      if (is_right || (is_better(c, judged.wrong) && allows(s, c))) judged.note(c, is_right);
    }
    return judged;
  }

  static bool is_better(const Candidate& c, const Candidate* than) { return than == nullptr || c.score > than->score; }

  // Whether a parser could take a transition.
  bool allows(State& s, const Candidate& c) {
    const auto is_predicate = [&](int32_t word) { return s.meaning.is_predicate(word); };
    return (arcs_.empty() || is_allowed(arcs_, s, c.transition, is_predicate)) &&
           driver_.machine().is_legal(s.c, c.transition, c.parameter);
  }

  // Takes a transition; where it builds a gold arc, its label is learnt.
  void follow(State& s, const Value* rows, const Candidate& c, bool own_labels, TrainingCounts& counts) {
    take(driver_.machine(), s, c.transition, c.parameter, [&](Ends ends) {
      const int32_t gold = sentence_->arcs.label(ends, program_->undirected);
      const std::vector<Value>& keys = score_labels(s, rows, ends);
      const int32_t best = best_of(label_scores_);
      if (gold < 0) return best;
      ++counts.arcs;
      counts.wrong_labels += best != gold;
      learn_label(keys, gold, best);
      return own_labels ? best : gold;
    });
  }

  void learn_label(const std::vector<Value>& keys, int32_t gold, int32_t best) {
    int32_t rival = best;
    if (best == gold) {
      rival = -1;
      for (int32_t l = 0; l < static_cast<int32_t>(label_scores_.size()); ++l)
        if (l != gold && (rival < 0 || label_scores_[l] > label_scores_[rival])) rival = l;
      if (rival < 0 || label_scores_[gold] - label_scores_[rival] > label_margin_) return;
    }
    prefer_label(keys, gold, rival);
  }

  void update_transition(const State& s, const Value* rows, const Candidate& right, const Candidate& wrong) {
    for (const Candidate* c : {&right, &wrong}) {
      const std::vector<Value>& keys =
          right.parameter == 0 && wrong.parameter == 0 ? scored() : keys_of(s, rows, c->parameter);
      transition_weights_.update(keys, c->transition, c == &right ? 1.0f : -1.0f, time_);
    }
  }

  // Beam: compare whole derivations, up to the point where the right one falls out of the beam (early) or where it is
  // furthest behind (maximum violation; Huang, Fayong and Guo 2012).

  void train_beam(const TrainingSentence& sentence, const TrainingOptions& options, TrainingCounts& counts) {
    const Value* rows = sentence.rows.data();
    if (beam_ == nullptr || beam_width_ != options.beam) {
      beam_ = std::make_unique<BeamSearch>(*program_, *this, options.beam);
      beam_width_ = options.beam;
    }
    BeamSearch& beam = *beam_;
    const std::vector<Taken>& right = sentence.sequence;
    cache_scores(true);
    beam.start(sentence.n, &right);
    State gold(*program_, sentence.n);
    float gold_score = 0, most = 0;
    std::size_t steps = 0, violated_at = 0;
    bool violated = false;
    std::vector<BeamStep> rival;
    scores_.resize(program_->transitions.size());
    while (steps < right.size() || !beam.is_over()) {
      if (!beam.is_over() && !beam.step(rows, {}, nullptr)) break;
      if (steps < right.size()) {
        const Taken& t = right[steps];
        transitions(gold, rows, t.parameter, scores_.data());
        gold_score += scores_[t.transition];
        if (!driver_.take(gold, rows, t.transition, t.parameter, {}, gold_score, t.label)) break;
        ++steps;
      }
      const bool lost = std::none_of(beam.beam().begin(), beam.beam().end(), [](const auto& i) { return i.right; });
      const float violation = beam.best().score - gold_score;
      if (!beam.best().right && violation >= most && (lost || !options.early_update)) {
        most = violation;
        violated = true;
        violated_at = steps;
        rival = beam.sequence(beam.best());
      }
      if (lost && options.early_update) break;
    }
    cache_scores(false);
    time_ += 1;
    ++counts.steps;  // a whole sentence is one decision here
    if (!violated) return;
    ++counts.wrong;
    ++counts.updates;
    learn_sequence(sentence, rival, violated_at);
  }

  void learn_sequence(const TrainingSentence& sentence, const std::vector<BeamStep>& rival, std::size_t steps) {
    const Value* rows = sentence.rows.data();
    std::size_t common = 0;
    while (common < rival.size() && common < steps &&
           rival[common].transition == sentence.sequence[common].transition &&
           rival[common].parameter == sentence.sequence[common].parameter &&
           rival[common].label == sentence.sequence[common].label)
      ++common;
    State s(*program_, sentence.n);
    for (std::size_t i = 0; i < steps; ++i) {
      const Taken& t = sentence.sequence[i];
      learn_step(s, rows, {-1, t.transition, t.parameter, t.label}, i >= common ? 1.0f : 0.0f);
    }
    State r(*program_, sentence.n);
    for (std::size_t i = 0; i < rival.size(); ++i) learn_step(r, rows, rival[i], i >= common ? -1.0f : 0.0f);
  }

  // Takes a step; its weights, and those of the label, change by this amount.
  void learn_step(State& s, const Value* rows, const BeamStep& step, float change) {
    if (change != 0) transition_weights_.update(keys_of(s, rows, step.parameter), step.transition, change, time_);
    take(driver_.machine(), s, step.transition, step.parameter, [&](Ends ends) {
      if (change != 0) label_weights_.update(label_keys_of(s, rows, ends), step.label, change, time_);
      return step.label;
    });
  }

  std::shared_ptr<const Program> program_;
  std::vector<ArcOfTransition> arcs_;  // by transition, where graphs are parsed
  std::vector<float> scores_;
  float label_margin_ = 0;
  Driver driver_;
  std::vector<Candidate> candidates_;
  std::vector<int32_t> costs_;
  const TrainingSentence* sentence_ = nullptr;
  TrainingOptions options_;
  std::size_t step_ = 0;
  std::optional<Gold> gold_;
  std::unique_ptr<DynamicOracle> oracle_;
  std::unique_ptr<BeamSearch> beam_;
  int32_t beam_width_ = 0;
};

}  // namespace multiplane
