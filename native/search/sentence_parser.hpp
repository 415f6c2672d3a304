// One sentence after another, greedily or with a beam, with heads that may be fixed in part.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "oracles/derive.hpp"
#include "oracles/make_dynamic_oracle.hpp"
#include "search/allowed_tree.hpp"
#include "search/beam.hpp"
#include "search/search.hpp"
#include "search/thorough.hpp"

namespace multiplane {

class SentenceParser {
 public:
  SentenceParser(const Program& program, Scorer& scorer, const OracleSpec& oracle)
      : program_(program), scorer_(scorer), oracle_(oracle), greedy_(program, scorer) {}

  // Parses n words. Heads and labels of some may be fixed, -1 standing for none; then the system needs a dynamic
  // oracle, which says what keeps them within reach. Arcs may be forbidden.
  const State& parse(int32_t n, const Value* rows, int beam, const int32_t* heads, const int32_t* labels,
                     const ForbiddenHeads& forbidden = {}) {
    const bool is_fixed = heads != nullptr && std::any_of(heads, heads + n, [](int32_t h) { return h >= 0; });
    if (!is_fixed && forbidden.are_none(n)) return search(n, rows, beam, {}, nullptr);
    fixed_heads_.assign(n + 1, -1);
    if (is_fixed) std::copy_n(heads, n, fixed_heads_.begin() + 1);
    fixed_labels_.assign(n + 1, -1);
    if (labels != nullptr) std::copy_n(labels, n, fixed_labels_.begin() + 1);
    return parse_constrained(n, rows, beam, forbidden);
  }

  // From now on, writes the transitions of every sentence here.
  void note_steps(std::vector<Taken>* steps) { steps_ = steps; }

  // From now on, every search goes on from where these transitions lead. They must be legal.
  void begin_with(std::vector<ChosenByHand> chosen) { chosen_ = std::move(chosen); }

  // A derivation, with the score by which a search compares it.
  struct Derived {
    float score;
    std::vector<Taken> steps;
  };

  // From now on, writes all derivations that a search ends with here, the best first.
  void note_derivations(std::vector<Derived>* derived) { derived_ = derived; }

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
      std::vector<Taken> steps;
      std::vector<Taken>* noted = derived_ != nullptr ? &steps : steps_;
      state_ = std::make_unique<State>(program_, n);
      demand(greedy_.follow(*state_, rows, chosen_, noted), kIllegal);
      complete_ = greedy_.run(*state_, rows, fixed, permission, noted);
      score_ = greedy_.score();
      if (derived_ != nullptr) derived_->assign(1, {score_, std::move(steps)});
      return *state_;
    }
    if (wide_ == nullptr || width_ != beam) {
      wide_ = std::make_unique<BeamSearch>(program_, scorer_, beam);
      width_ = beam;
    }
    wide_->copy_always(copies_);
    wide_->start(n);
    demand(wide_->follow(rows, chosen_), kIllegal);
    scorer_.cache_scores(true);
    complete_ = true;
    while (complete_ && !wide_->is_over()) complete_ = wide_->step(rows, fixed, permission);
    scorer_.cache_scores(false);
    if (steps_ != nullptr)
      for (const BeamStep& step : wide_->sequence(wide_->best()))
        steps_->push_back({step.transition, step.parameter, step.label});
    score_ = wide_->best().score;
    if (derived_ != nullptr) note_beam();
    return wide_->state(wide_->best());
  }

  void note_beam() {
    derived_->clear();
    for (const BeamSearch::Item& item : wide_->ranking()) {
      derived_->push_back({item.score, {}});
      for (const BeamStep& step : wide_->sequence(item))
        derived_->back().steps.push_back({step.transition, step.parameter, step.label});
    }
  }

  // Looks for the best derivation first. Where that fails, builds the best tree of allowed arcs that the system may
  // build, then the best projective one, and where it builds neither, tries all derivations.
  const State& parse_constrained(int32_t n, const Value* rows, int beam, const ForbiddenHeads& forbidden) {
    const State& found = keep(n, rows, beam, forbidden);
    if (complete_ || program_.undirected) return found;
    const std::vector<int32_t> wanted = fixed_heads_;
    const Constraints fixed{nullptr, wanted.data(), fixed_labels_.data(), forbidden};
    if (oracle_.is_dynamic()) {
      AllowedTrees trees(search(n, rows, beam, {}, nullptr), scorer_, fixed, program_);
      const bool is_planar = oracle_.target == Target::kPlanar;
      fixed_heads_ = is_planar ? trees.best_in_planes(program_.stacks) : trees.best();
      if (const State* built = keep_tree(n, rows, beam)) return *built;
      fixed_heads_ = trees.best_projective();
      if (const State* built = keep_tree(n, rows, beam)) return *built;
    }
    return try_all(n, rows, beam, fixed);
  }

  // The state with all heads that are fixed; null where the system cannot build them, or there are none.
  const State* keep_tree(int32_t n, const Value* rows, int beam) {
    if (fixed_heads_.empty()) return nullptr;
    const State& built = keep(n, rows, beam, {});
    return complete_ ? &built : nullptr;
  }

  const State& try_all(int32_t n, const Value* rows, int beam, const Constraints& fixed) {
    ThoroughSearch thorough(program_, scorer_);
    const State* found = thorough.run(n, rows, fixed);
    const State& free = found != nullptr ? *found : search(n, rows, beam, {}, nullptr);
    complete_ = found != nullptr;
    if (found == nullptr) return free;
    state_ = std::make_unique<State>(*found);
    score_ = 0;
    if (steps_ != nullptr) *steps_ = thorough.steps();
    if (derived_ != nullptr) derived_->assign(1, {score_, thorough.steps()});
    return *state_;
  }

  // Searches with wider and wider beams, so that all that is fixed is kept and nothing is there that is forbidden.
  const State& keep(int32_t n, const Value* rows, int beam, const ForbiddenHeads& forbidden) {
    std::vector<int32_t> from, to, label;
    int32_t root = -1;
    for (int32_t v = 1; v <= n; ++v) {
      if (fixed_heads_[v] < 0) continue;
      if (fixed_heads_[v] == 0 && program_.root == Root::kNone) root = v;
      from.push_back(fixed_heads_[v]);
      to.push_back(v);
      label.push_back(0);
    }
    const std::unique_ptr<DynamicOracle> oracle = from.empty() ? nullptr : oracle_for(n, from, to, label);
    const Constraints fixed{oracle.get(), fixed_heads_.data(), fixed_labels_.data(), forbidden};
    Permission permission(program_, fixed);
    permission.set_root(root);
    // Constraints may leave no way on for the transitions that score best; a wider beam finds one.
    for (int width = beam;; width = std::max(8, 2 * width)) {
      const State& s = search(n, rows, width, fixed, &permission);
      for (int32_t v = 1; v <= n && complete_; ++v) complete_ = is_kept(s, v, fixed_heads_[v], forbidden);
      if (complete_ || width >= 64) return s;
    }
  }

  // The dynamic oracle of fixed arcs, which refer to it as long as it is in use.
  std::unique_ptr<DynamicOracle> oracle_for(int32_t n, const std::vector<int32_t>& from, const std::vector<int32_t>& to,
                                            const std::vector<int32_t>& label) {
    // Fixed arcs are a forest, so their planes are those that the system without the restriction to trees builds it in.
    Program forests = program_;
    forests.trees = false;
    OracleSpec planes = oracle_;
    if (program_.undirected && planes.target == Target::kProjective) planes.target = Target::kPlanar;  // not yet trees
    const Derivation d = derive(forests, planes, n, from.data(), to.data(), label.data(), from.size());
    gold_ = std::make_unique<Gold>(n, program_, from.data(), to.data(), label.data(), from.size());
    return make_dynamic_oracle(program_, oracle_, *gold_, d.plane);
  }

  // Whether a word has the arc that was fixed and none that is forbidden; without directions, whether the edge is
  // there.
  bool is_kept(const State& s, int32_t word, int32_t head, const ForbiddenHeads& forbidden) const {
    if (!program_.undirected) {
      const int32_t found = std::max(s.tree.head(word), 0);
      return (head < 0 || found == head) && !forbidden.has(found, word);
    }
    return head < 0 || (head == 0 && program_.root == Root::kNone) || s.links.edge_between(word, head) >= 0;
  }

  static constexpr const char* kIllegal = "a transition that is not legal";

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
  std::vector<Derived>* derived_ = nullptr;
  std::vector<ChosenByHand> chosen_;
  std::vector<int32_t> fixed_heads_, fixed_labels_;
  std::unique_ptr<Gold> gold_;
};

}  // namespace multiplane
