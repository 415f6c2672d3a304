// A derivation with all that was legal in each of its configurations, and what the model thought of it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "search/search.hpp"
#include "search/sentence_parser.hpp"

namespace multiplane {

struct ScoredDerivation {
  std::vector<Taken> steps;
  // By configuration, from the initial one on: the number of its first option; and that behind the last one.
  std::vector<int32_t> first{0};
  // Options, by transition and parameter. The label is the one that the model would give to the arc, or -1.
  std::vector<int32_t> transitions, parameters, labels;
  std::vector<float> scores;        // as a beam compares them: logarithms of probabilities if the model's are relative
  std::vector<float> label_scores;  // what a beam adds for the label
  bool complete = true;
};

// Collects what is legal in the configurations of derivations.
class OptionCollector {
 public:
  OptionCollector(const Program& program, Scorer& scorer) : program_(program), driver_(program, scorer) {}

  // Takes the steps of a derivation once more, and looks around at each.
  void collect(int32_t n, const Value* rows, ScoredDerivation& found) {
    State s(program_, n);
    look_at(s, rows, found);
    for (const Taken& step : found.steps) {
      float score = 0;
      driver_.take(s, rows, step.transition, step.parameter, {}, score, step.label);
      look_at(s, rows, found);
    }
  }

 private:
  void look_at(State& s, const Value* rows, ScoredDerivation& found) {
    candidates_.clear();
    if (!driver_.is_done(s)) driver_.comparable(s, rows, 0, 0, candidates_);
    std::sort(candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
      return std::tie(a.transition, a.parameter) < std::tie(b.transition, b.parameter);
    });
    const int32_t arcs = s.c.header().arc_count;
    State after = s;
    for (const Candidate& c : candidates_) {
      float label_score = 0;
      if (!driver_.take(after, rows, c.transition, c.parameter, {}, label_score)) continue;
      found.transitions.push_back(c.transition);
      found.parameters.push_back(c.parameter);
      found.labels.push_back(driver_.label_since(after, arcs));
      found.scores.push_back(c.score);
      found.label_scores.push_back(label_score);
      after = s;
    }
    found.first.push_back(static_cast<int32_t>(found.transitions.size()));
  }

  const Program& program_;
  Driver driver_;
  std::vector<Candidate> candidates_;
};

// Parses n words, from where transitions that were chosen by hand lead, and collects what was legal on the way.
inline ScoredDerivation derive_scored(const Program& program, Scorer& scorer, SentenceParser& parser, int32_t n,
                                      const Value* rows, int beam, std::vector<ChosenByHand> chosen) {
  ScoredDerivation found;
  parser.begin_with(std::move(chosen));
  parser.note_steps(&found.steps);
  parser.parse(n, rows, beam, nullptr, nullptr);
  found.complete = parser.is_complete();
  OptionCollector(program, scorer).collect(n, rows, found);
  return found;
}

}  // namespace multiplane
