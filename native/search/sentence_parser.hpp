// One sentence after another, greedily or with a beam, with heads that may be fixed in part.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "oracles/derive.hpp"
#include "oracles/make_dynamic_oracle.hpp"
#include "search/beam.hpp"
#include "search/search.hpp"

namespace multiplane {

class SentenceParser {
 public:
  SentenceParser(const Program& program, Scorer& scorer, const OracleSpec& oracle)
      : program_(program), scorer_(scorer), oracle_(oracle), greedy_(program, scorer) {}

  // Parses n words. Heads and labels of some may be fixed, -1 standing for none; then the system needs a dynamic
  // oracle, which says what keeps them within reach.
  const State& parse(int32_t n, const Value* rows, int beam, const int32_t* heads, const int32_t* labels) {
    const bool is_fixed = heads != nullptr && std::any_of(heads, heads + n, [](int32_t h) { return h >= 0; });
    if (!is_fixed) return search(n, rows, beam, {}, nullptr);
    return parse_fixed(n, rows, beam, heads, labels);
  }

  // From now on, writes the transitions of every sentence here.
  void note_steps(std::vector<Taken>* steps) { steps_ = steps; }

  // From now on, the states of a beam are copied as a whole; for comparison.
  void copy_states() { copies_ = true; }

  // Whether the last sentence was parsed to its end, with all that was fixed.
  bool is_complete() const { return complete_; }

  // The score of its derivation: the sum of those of all choices, with a beam and a model whose scores are relative as
  // logarithms of probabilities.
  float score() const { return score_; }

 private:
  const State& search(int32_t n, const Value* rows, int beam, const Constraints& fixed, Permission* permission) {
    if (steps_ != nullptr) steps_->clear();
    if (beam <= 1) {
      state_ = std::make_unique<State>(program_, n);
      complete_ = greedy_.run(*state_, rows, fixed, permission, steps_);
      score_ = greedy_.score();
      return *state_;
    }
    if (wide_ == nullptr || width_ != beam) {
      wide_ = std::make_unique<BeamSearch>(program_, scorer_, beam);
      width_ = beam;
    }
    scorer_.cache_scores(true);
    wide_->copy_always(copies_);
    wide_->start(n);
    complete_ = true;
    while (complete_ && !wide_->is_over()) complete_ = wide_->step(rows, fixed, permission);
    scorer_.cache_scores(false);
    if (steps_ != nullptr)
      for (const BeamStep& step : wide_->sequence(wide_->best()))
        steps_->push_back({step.transition, step.parameter, step.label});
    score_ = wide_->best().score;
    return wide_->state(wide_->best());
  }

  const State& parse_fixed(int32_t n, const Value* rows, int beam, const int32_t* heads, const int32_t* labels) {
    fixed_heads_.assign(1, -1);
    fixed_heads_.insert(fixed_heads_.end(), heads, heads + n);
    fixed_labels_.assign(n + 1, -1);
    if (labels != nullptr) std::copy_n(labels, n, fixed_labels_.begin() + 1);
    std::vector<int32_t> from, to, label;
    int32_t root = -1;
    for (int32_t v = 1; v <= n; ++v) {
      if (fixed_heads_[v] < 0) continue;
      if (fixed_heads_[v] == 0 && program_.root == Root::kNone) root = v;
      from.push_back(fixed_heads_[v]);
      to.push_back(v);
      label.push_back(0);
    }
    // Fixed arcs are a forest, so their planes are those that the system without the restriction to trees builds it in.
    Program forests = program_;
    forests.trees = false;
    OracleSpec planes = oracle_;
    if (program_.undirected && planes.target == Target::kProjective) planes.target = Target::kPlanar;  // not yet trees
    const Derivation d = derive(forests, planes, n, from.data(), to.data(), label.data(), from.size());
    Gold gold(n, program_, from.data(), to.data(), label.data(), from.size());
    const std::unique_ptr<DynamicOracle> oracle = make_dynamic_oracle(program_, oracle_, gold, d.plane);
    const Constraints fixed{oracle.get(), fixed_heads_.data(), fixed_labels_.data()};
    Permission permission(program_, fixed);
    permission.set_root(root);
    // Fixed arcs may leave no way on for the transitions that score best; a wider beam finds one.
    for (int width = beam;; width = std::max(8, 2 * width)) {
      const State& s = search(n, rows, width, fixed, &permission);
      for (int32_t v = 1; v <= n && complete_; ++v) complete_ = fixed_heads_[v] < 0 || is_kept(s, v, fixed_heads_[v]);
      if (complete_ || width >= 64) return s;
    }
  }

  // Whether a word has the arc that was fixed; without directions, whether the edge is there.
  bool is_kept(const State& s, int32_t word, int32_t head) const {
    if (!program_.undirected) return std::max(s.tree.head(word), 0) == head;
    return (head == 0 && program_.root == Root::kNone) || s.links.edge_between(word, head) >= 0;
  }

  const Program& program_;
  Scorer& scorer_;
  const OracleSpec& oracle_;
  GreedySearch greedy_;
  std::unique_ptr<BeamSearch> wide_;
  int width_ = 0;
  std::unique_ptr<State> state_;
  bool complete_ = true, copies_ = false;
  float score_ = 0;
  std::vector<Taken>* steps_ = nullptr;
  std::vector<int32_t> fixed_heads_, fixed_labels_;
};

}  // namespace multiplane
