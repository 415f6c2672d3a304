// Search: the transitions that a model scores best, greedily or with a beam, under constraints.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "oracles/dynamic_oracle.hpp"
#include "oracles/static_oracle.hpp"
#include "scoring/scorer.hpp"
#include "search/directions.hpp"
#include "search/fixed_arcs.hpp"

namespace multiplane {

// What the parser must respect beside the system itself.
struct Constraints {
  DynamicOracle* oracle = nullptr;  // for the arcs that are fixed, none of which may be lost
  const int32_t* heads = nullptr;   // by word, from 1; -1 where none is fixed
  const int32_t* labels = nullptr;  // by word, from 1; -1 where none is fixed
  ForbiddenHeads forbidden{};

  // Whether an arc is not forbidden and its dependent has no other head fixed; 0 stands for the root, with or without
  // an arc from it.
  bool allow(int32_t head, int32_t dependent) const {
    const int32_t wanted = heads == nullptr ? -1 : heads[dependent];
    return (wanted < 0 || wanted == head) && !forbidden.has(head, dependent);
  }
};

struct Candidate {
  float score;
  int32_t item, transition, parameter;
};

// A transition that somebody chose instead of the model. The model says which of some labels its arc gets, or of all
// where there are none.
struct ChosenByHand {
  int32_t transition, parameter;
  std::vector<int32_t> labels;
};

// Runs transitions on states, with labels for the arcs that they build.
class Driver {
 public:
  Driver(const Program& program, Scorer& scorer) : machine_(program), program_(program), scorer_(scorer) {
    for (const Transition& t : program.transitions) parametrized_ = parametrized_ || t.parametrized;
  }

  Machine& machine() { return machine_; }
  bool is_done(const State& s) const { return machine_.is_terminal(s.c); }

  // All transitions with their scores, legal or not; with parameters for as many words as there are.
  void candidates(const State& s, const Value* rows, int32_t item, float before, std::vector<Candidate>& found) {
    const int32_t count = static_cast<int32_t>(program_.transitions.size());
    scores_.resize(count);
    const int32_t most = parametrized_ ? std::max(s.c.header().buffer_size - 1, 0) : 0;
    for (int32_t i = 0; i <= most; ++i) {
      scorer_.transitions(s, rows, i, scores_.data());
      for (int32_t t = 0; t < count; ++t)
        if (program_.transitions[t].parametrized == (i > 0)) found.push_back({before + scores_[t], item, t, i});
    }
  }

  // The same for a beam, which compares sums of scores: where those of a model mean something only beside those of the
  // other legal transitions, their logarithmic probabilities.
  void comparable(State& s, const Value* rows, int32_t item, float before, std::vector<Candidate>& found) {
    const std::size_t first = found.size();
    candidates(s, rows, item, before, found);
    if (!scorer_.is_relative()) return;
    const auto begin = found.begin() + static_cast<std::ptrdiff_t>(first);
    found.erase(std::remove_if(begin, found.end(),
                               [&](const Candidate& c) { return !machine_.is_legal(s.c, c.transition, c.parameter); }),
                found.end());
    float most = -std::numeric_limits<float>::infinity();
    for (std::size_t i = first; i < found.size(); ++i) most = std::max(most, found[i].score);
    float sum = 0;
    for (std::size_t i = first; i < found.size(); ++i) sum += std::exp(found[i].score - most);
    for (std::size_t i = first; i < found.size(); ++i) found[i].score += before - most - std::log(sum);
  }

  // The one transition that is legal, or -1. Looked for only where there is mostly just one: where all stacks are
  // empty.
  int32_t only_choice(State& s) {
    const int32_t* sizes = s.c.stack_sizes();
    if (parametrized_ || s.c.header().aside_size > 0 ||
        std::any_of(sizes, sizes + s.c.stacks(), [](int32_t size) { return size > 0; }))
      return -1;
    int32_t only = -1;
    for (int32_t t = 0; t < static_cast<int32_t>(program_.transitions.size()); ++t) {
      if (!machine_.is_legal(s.c, t, 0)) continue;
      if (only >= 0) return -1;
      only = t;
    }
    return only;
  }

  // Takes a transition if it is legal and labels what it builds: with a fixed label, or with the best one. The scores
  // of labels are added.
  bool take(State& s, const Value* rows, int32_t transition, int32_t parameter, const Constraints& fixed, float& score,
            int32_t label = kAskModel) {
    return take_labelled(s, rows, transition, parameter, score, [&](Ends ends) {
      const bool is_fixed = fixed.labels != nullptr && fixed.labels[ends.dependent] >= 0;
      return is_fixed ? fixed.labels[ends.dependent] : label;
    });
  }
  static constexpr int32_t kAskModel = -1;

  // The same for one that was chosen by hand.
  bool take(State& s, const Value* rows, const ChosenByHand& chosen, float& score) {
    return take_labelled(s, rows, chosen.transition, chosen.parameter, score, [&](Ends ends) {
      if (chosen.labels.empty()) return kAskModel;
      if (chosen.labels.size() == 1) return chosen.labels[0];
      scorer_.labels(s, rows, ends, scores_);
      return best_among(scores_, {chosen.labels.data(), chosen.labels.size()});
    });
  }

  // The label of the last arc that was built since there were k of them, or -1.
  int32_t label_since(const State& s, int32_t arcs) const {
    const int32_t last = s.c.header().arc_count - 1;
    if (last < arcs) return -1;
    if (program_.parses_graphs) return s.c.arc(last).label;
    return program_.undirected ? s.links.label(last) : s.tree.label(s.c.arc(last).dependent);
  }

 private:
  // Takes a transition if it is legal; the caller says which label an arc gets, or that the model is to choose.
  template <typename WantedOf>
  bool take_labelled(State& s, const Value* rows, int32_t transition, int32_t parameter, float& score,
                     WantedOf&& wanted_of) {
    return multiplane::take(machine_, s, transition, parameter, [&](Ends ends) {
      float more = 0;
      const int32_t chosen = scorer_.label(s, rows, ends, wanted_of(ends), more);
      score += more;
      return chosen;
    });
  }

  Machine machine_;
  const Program& program_;
  Scorer& scorer_;
  bool parametrized_ = false;
  std::vector<float> scores_;
};

// Whether a transition keeps all fixed arcs within reach and builds no forbidden one.
class Permission {
 public:
  Permission(const Program& program, const Constraints& fixed)
      : program_(program), fixed_(fixed), machine_(program), directions_(program) {}

  bool allows(State& s, int32_t transition, int32_t parameter) {
    bool kept = false;
    machine_.peek(s.c, transition, parameter, [&](const Configuration& after) {
      kept = program_.undirected ? directions_.remain(after, fixed_.heads) : are_allowed(after);
    });
    if (!kept || fixed_.oracle == nullptr) return kept;
    fixed_.oracle->costs(s.c, false, costs_);
    return costs_[transition] <= 0;
  }

  void look_at(const State& s) { s_arcs_ = s.c.header().arc_count; }
  void set_root(int32_t root) { root_ = root; }

 private:
  // Whether the new arcs may be there and the root of a tree without an artificial root, where it is known, be one.
  bool are_allowed(const Configuration& after) const {
    for (int32_t a = s_arcs_; a < after.header().arc_count; ++a)
      if (!fixed_.allow(after.arc(a).head, after.arc(a).dependent)) return false;
    if (program_.root != Root::kNone || after.header().closed_roots == 0) return true;
    const int32_t root = after.header().closed_root;
    return (root_ <= 0 || root == root_) && fixed_.allow(0, root);
  }

  const Program& program_;
  const Constraints& fixed_;
  Machine machine_;
  Directions directions_;
  std::vector<int32_t> costs_;
  int32_t s_arcs_ = 0, root_ = -1;
};

class GreedySearch {
 public:
  GreedySearch(const Program& program, Scorer& scorer) : driver_(program, scorer) {}

  // Parses to the end; false where nothing legal is left before that. The steps may be asked for.
  bool run(State& s, const Value* rows, const Constraints& fixed, Permission* permission,
           std::vector<Taken>* steps = nullptr) {
    score_ = 0;
    while (!is_done(s))
      if (!step(s, rows, fixed, permission, steps)) return false;
    return true;
  }

  bool is_done(const State& s) const { return driver_.is_done(s); }

  // Takes transitions that were chosen by hand; false where one is illegal.
  bool follow(State& s, const Value* rows, const std::vector<ChosenByHand>& chosen, std::vector<Taken>* steps) {
    for (const ChosenByHand& next : chosen) {
      const int32_t arcs = s.c.header().arc_count;
      float score = 0;
      if (!driver_.take(s, rows, next, score)) return false;
      if (steps != nullptr) steps->push_back({next.transition, next.parameter, driver_.label_since(s, arcs)});
    }
    return true;
  }

  // Takes one transition; false where none is legal.
  bool step(State& s, const Value* rows, const Constraints& fixed, Permission* permission,
            std::vector<Taken>* steps = nullptr) {
    candidates_.clear();
    const int32_t only = driver_.only_choice(s);
    if (only >= 0) {
      candidates_.push_back({0, 0, only, 0});
    } else {
      driver_.candidates(s, rows, 0, 0, candidates_);
    }
    if (permission != nullptr) permission->look_at(s);
    return take_best(s, rows, fixed, permission, steps);
  }

  // The sum of the scores of all that was chosen. Where there was no choice, nothing was scored.
  float score() const { return score_; }

 private:
  // Takes the best candidate that is legal and allowed, if any is.
  bool take_best(State& s, const Value* rows, const Constraints& fixed, Permission* permission,
                 std::vector<Taken>* steps) {
    while (!candidates_.empty()) {
      std::size_t best = 0;
      for (std::size_t i = 1; i < candidates_.size(); ++i)
        if (candidates_[i].score > candidates_[best].score) best = i;
      const Candidate c = candidates_[best];
      candidates_.erase(candidates_.begin() + static_cast<std::ptrdiff_t>(best));
      if (permission != nullptr && !permission->allows(s, c.transition, c.parameter)) continue;
      const int32_t arcs = s.c.header().arc_count;
      float score = c.score;
      if (!driver_.take(s, rows, c.transition, c.parameter, fixed, score)) continue;
      score_ += score;
      if (steps != nullptr) steps->push_back({c.transition, c.parameter, driver_.label_since(s, arcs)});
      return true;
    }
    return false;
  }

  Driver driver_;
  std::vector<Candidate> candidates_;
  float score_ = 0;
};

}  // namespace multiplane
