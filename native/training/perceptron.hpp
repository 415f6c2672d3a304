// Training of linear models: the averaged perceptron, greedy with exploration or with a beam.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "common/random.hpp"
#include "features/features.hpp"
#include "oracles/make_dynamic_oracle.hpp"
#include "search/beam.hpp"
#include "search/search.hpp"
#include "training/freeze.hpp"
#include "training/sentences.hpp"
#include "training/weights.hpp"

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
};

// What training goes on from: for every key the weights of all transitions, and for keys and labels one weight each,
// now and summed over time.
struct PerceptronState {
  double time = 0;
  std::vector<Value> keys;
  std::vector<float> now;
  std::vector<double> summed;
  std::vector<Value> label_keys;
  std::vector<int32_t> classes;
  std::vector<float> label_now;
  std::vector<double> label_summed;
};

// The same as the caller holds it.
struct PerceptronArrays {
  ArrayView<Value> keys;
  ArrayView<float> now;
  ArrayView<double> summed;
  ArrayView<Value> label_keys;
  ArrayView<int32_t> classes;
  ArrayView<float> label_now;
  ArrayView<double> label_summed;
};

struct TrainingCounts {
  int64_t steps = 0, wrong = 0, arcs = 0, wrong_labels = 0, updates = 0;
};

class Perceptron : public Scorer {
 public:
  Perceptron(std::shared_ptr<const Program> program, std::shared_ptr<const FeatureModel> features, int32_t labels)
      : program_(std::move(program)),
        features_(std::move(features)),
        transition_(features_->transition),
        label_(features_->label),
        transition_weights_(static_cast<int32_t>(program_->transitions.size())),
        label_scores_(labels),
        known_scores_(static_cast<int32_t>(program_->transitions.size())),
        known_labels_(1),
        driver_(*program_, *this) {}

  void transitions(const State& s, const Value* rows, int32_t offset, float* scores) override {
    const std::vector<Value>& keys = keys_of(s, rows, offset);
    const int32_t classes = transition_weights_.classes();
    if (known_scores_.is_on()) {
      const auto [known, is_known] = known_scores_.at(keys);
      if (!is_known) {
        std::fill_n(known, classes, 0.0f);
        transition_weights_.add_to(keys, known);
      }
      std::copy_n(known, classes, scores);
      return;
    }
    std::fill_n(scores, classes, 0.0f);
    transition_weights_.add_to(keys, scores);
  }

  int32_t label(const State& s, const Value* rows, Ends ends, int32_t wanted, float& score) override {
    const std::vector<Value>& keys = label_.extract(s, rows, features_->width, features_->mask, 0, ends);
    if (wanted < 0 && known_labels_.is_on()) {
      const auto [known, is_known] = known_labels_.at(keys);
      if (!is_known) *known = best_label(keys, wanted);
      score = known->score;
      return known->label;
    }
    const LabelScore best = best_label(keys, wanted);
    score = best.score;
    return best.label;
  }

  void cache_scores(bool on) override {
    known_scores_.restart(on);
    known_labels_.restart(on);
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

  // Everything that training goes on from.
  PerceptronState state() const {
    PerceptronState state;
    state.time = time_;
    transition_weights_.dump(state.keys, state.now, state.summed);
    label_weights_.walk([&](Value key, const std::vector<SparseWeights::Entry>& row) {
      for (const auto& e : row) {
        state.label_keys.push_back(key);
        state.classes.push_back(e.cls);
        state.label_now.push_back(e.now);
        state.label_summed.push_back(e.summed);
      }
    });
    return state;
  }

  // A state may come from an untrusted file.
  void restore(double time, const PerceptronArrays& arrays) {
    const std::size_t width = transition_weights_.classes(), count = arrays.label_keys.size();
    demand(arrays.now.size() == arrays.keys.size() * width && arrays.summed.size() == arrays.now.size(),
           "weights do not fit their keys");
    demand(arrays.classes.size() == count && arrays.label_now.size() == count && arrays.label_summed.size() == count,
           "label weights do not fit their keys");
    const int32_t labels = static_cast<int32_t>(label_scores_.size());
    for (std::size_t i = 0; i < count; ++i)
      demand(arrays.label_keys[i] != 0 && arrays.classes[i] >= 0 && arrays.classes[i] < labels, "no such label");
    time_ = time;
    transition_weights_.restore(arrays.keys.data(), arrays.keys.size(), arrays.now.data(), arrays.summed.data());
    label_weights_.clear();
    for (std::size_t i = 0; i < count; ++i)
      label_weights_.restore(arrays.label_keys[i], arrays.classes[i], arrays.label_now[i], arrays.label_summed[i]);
  }

  FrozenWeights freeze(double threshold) const {
    return Freezer(transition_weights_, label_weights_, time_, threshold).freeze();
  }

 private:
  void train(const TrainingSentence& sentence, const OracleSpec& spec, const TrainingOptions& options, uint64_t seed,
             TrainingCounts& counts) {
    label_margin_ = options.label_margin;
    if (options.beam > 1) {
      train_beam(sentence, options, counts);
    } else {
      train_greedy(sentence, spec, options, seed, counts);
    }
  }
  // The keys of all templates, or of those that dropout keeps: what one feature would settle must then be learnt from
  // the others too.
  const std::vector<Value>& keys_of(const State& s, const Value* rows, int32_t offset) {
    const std::vector<Value>& keys = transition_.extract(s, rows, features_->width, features_->mask, offset, {});
    return kept_after_dropout(keys);
  }

  const std::vector<Value>& kept_after_dropout(const std::vector<Value>& keys) {
    if (dropout_ <= 0) return keys;
    kept_.clear();
    uint64_t bits = 0;
    int have = 0;
    for (Value key : keys) {
      if (have == 0) bits = random_.next(), have = 8;
      if (static_cast<double>(bits & 0xFF) >= dropout_ * 256) kept_.push_back(key);
      bits >>= 8;
      --have;
    }
    return kept_;
  }

  // Greedy: after every step compare what the model wants with what is right.

  void train_greedy(const TrainingSentence& sentence, const OracleSpec& spec, const TrainingOptions& options,
                    uint64_t seed, TrainingCounts& counts) {
    const int32_t n = sentence.n;
    State s(*program_, n);
    const Value* rows = sentence.rows.data();
    const bool dynamic = options.dynamic && spec.is_dynamic();
    const Gold gold = sentence.arcs.gold(n, *program_);
    std::unique_ptr<DynamicOracle> oracle;
    if (dynamic) oracle = make_dynamic_oracle(*program_, spec, gold, sentence.planes);
    random_ = Random(seed);
    dropout_ = options.dropout;
    for (std::size_t step = 0; !driver_.is_done(s); ++step) {
      if (!dynamic && step >= sentence.sequence.size()) break;
      candidates_.clear();
      driver_.candidates(s, rows, 0, 0, candidates_);
      int32_t least = 0;
      if (dynamic) {
        oracle->costs(s.c, options.regularized, costs_);
        least = INT_MAX;
        for (int32_t cost : costs_)
          if (cost != DynamicOracle::kIllegal) least = std::min(least, cost);
        if (least == INT_MAX) break;
      }
      const Candidate *right = nullptr, *wrong = nullptr;
      for (const Candidate& c : candidates_) {
        bool is_right;
        if (dynamic) {
          if (costs_[c.transition] == DynamicOracle::kIllegal) continue;
          is_right = costs_[c.transition] == least;
        } else {
          const Taken& taken = sentence.sequence[step];
          is_right = taken.transition == c.transition && taken.parameter == c.parameter;
        }
        const Candidate*& slot = is_right ? right : wrong;
        if (slot != nullptr && slot->score >= c.score) continue;
        if (!dynamic && !is_right && !driver_.machine().is_legal(s.c, c.transition, c.parameter)) continue;
        slot = &c;
      }
      if (right == nullptr) break;
      ++counts.steps;
      time_ += 1;
      const bool is_wrong = wrong != nullptr && wrong->score > right->score;
      counts.wrong += is_wrong;
      if (wrong != nullptr && right->score - wrong->score <= options.margin) {
        ++counts.updates;
        update_transition(s, rows, *right, *wrong);
      }
      const bool explores = is_wrong && dynamic && random_.uniform() < options.exploration;
      const Candidate chosen = explores ? *wrong : *right;
      follow(s, rows, chosen, sentence, explores || options.exploration > 0, counts);
    }
  }

  // Takes a transition; where it builds a gold arc, its label is learnt.
  void follow(State& s, const Value* rows, const Candidate& c, const TrainingSentence& sentence, bool own_labels,
              TrainingCounts& counts) {
    take(driver_.machine(), s, c.transition, c.parameter, [&](Ends ends) {
      const int32_t gold = sentence.arcs.label(ends, program_->undirected);
      const std::vector<Value>& keys = score_labels(s, rows, ends);
      const int32_t best = best_of(label_scores_);
      if (gold < 0) return best;
      ++counts.arcs;
      counts.wrong_labels += best != gold;
      learn_label(keys, gold, best);
      return own_labels ? best : gold;
    });
  }

  const std::vector<Value>& score_labels(const State& s, const Value* rows, Ends ends) {
    const std::vector<Value>& keys =
        kept_after_dropout(label_.extract(s, rows, features_->width, features_->mask, 0, ends));
    best_label(keys, -1);
    return keys;
  }

  LabelScore best_label(const std::vector<Value>& keys, int32_t wanted) {
    std::fill(label_scores_.begin(), label_scores_.end(), 0.0f);
    label_weights_.add_to(keys, label_scores_.data());
    const int32_t label = wanted >= 0 ? wanted : best_of(label_scores_);
    return {label, label_scores_[label]};
  }

  void learn_label(const std::vector<Value>& keys, int32_t gold, int32_t best) {
    int32_t rival = best;
    if (best == gold) {
      rival = -1;
      for (int32_t l = 0; l < static_cast<int32_t>(label_scores_.size()); ++l)
        if (l != gold && (rival < 0 || label_scores_[l] > label_scores_[rival])) rival = l;
      if (rival < 0 || label_scores_[gold] - label_scores_[rival] > label_margin_) return;
    }
    label_weights_.update(keys, gold, 1, time_);
    label_weights_.update(keys, rival, -1, time_);
  }

  void update_transition(const State& s, const Value* rows, const Candidate& right, const Candidate& wrong) {
    for (const Candidate* c : {&right, &wrong}) {
      const std::vector<Value>& keys =
          right.parameter == 0 && wrong.parameter == 0 ? scored() : keys_of(s, rows, c->parameter);
      transition_weights_.update(keys, c->transition, c == &right ? 1.0f : -1.0f, time_);
    }
  }

  // The keys that were scored last.
  const std::vector<Value>& scored() const { return dropout_ > 0 ? kept_ : transition_.keys(); }

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
      if (change != 0)
        label_weights_.update(label_.extract(s, rows, features_->width, features_->mask, 0, ends), step.label, change,
                              time_);
      return step.label;
    });
  }

  std::shared_ptr<const Program> program_;
  std::shared_ptr<const FeatureModel> features_;
  FeatureExtractor transition_, label_;
  DenseWeights transition_weights_;
  SparseWeights label_weights_;
  double time_ = 0;
  std::vector<float> label_scores_, scores_;
  std::vector<Value> kept_;
  ScoreCache<float> known_scores_;
  ScoreCache<LabelScore> known_labels_;
  Random random_{0};
  double dropout_ = 0;
  float label_margin_ = 0;
  Driver driver_;
  std::vector<Candidate> candidates_;
  std::vector<int32_t> costs_;
  std::unique_ptr<BeamSearch> beam_;
  int32_t beam_width_ = 0;
};

}  // namespace multiplane
