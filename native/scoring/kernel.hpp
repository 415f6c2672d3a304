// Support vector machines with a polynomial kernel: one against one, with votes, as LIBSVM has them.
//
// All features are binary, so a dot product is the number of features that two vectors share. It is counted from lists
// of the support vectors that have a feature.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "common/hash_table.hpp"
#include "features/features.hpp"
#include "scoring/scorer.hpp"

namespace multiplane {

// (gamma * u'v + coef0) ^ degree
struct PolynomialKernel {
  double gamma, coef0;
  int32_t degree;

  double operator()(int32_t dot) const {
    double power = 1, base = gamma * dot + coef0;
    for (int32_t d = degree; d > 0; d /= 2, base *= base)
      if (d % 2 == 1) power *= base;
    return power;
  }
};

// One machine as it is stored.
struct KernelWeights {
  std::vector<Value> keys;           // of the features, by column
  std::vector<int32_t> lengths;      // of the support vectors: how many features each has
  std::vector<int32_t> columns;      // the features of all support vectors, one vector after another
  std::vector<int32_t> classes;      // what the machine tells apart, in increasing order
  std::vector<int32_t> support;      // how many support vectors each class has; they come in the order of classes
  std::vector<double> coefficients;  // of every support vector, one for every other class
  std::vector<double> intercepts;    // of every pair of classes: 0 and 1, 0 and 2, ..., 1 and 2, ...
};

// Buffers for one thread.
struct KernelScratch {
  std::vector<int32_t> dots;
  std::vector<double> sums, decisions, scores;
};

class KernelMachine {
 public:
  // Weights may come from an untrusted file: whatever they are, no list may lead outside another.
  KernelMachine(std::size_t templates, const PolynomialKernel& kernel, const KernelWeights& w)
      : templates_(templates),
        classes_(w.classes),
        coefficients_(w.coefficients),
        intercepts_(w.intercepts),
        slots_(1),
        starts_(w.keys.size() + 1, 0) {
    check(templates <= 10000 && kernel.degree >= 1 && kernel.degree <= 16, "a kernel has a degree of 1 to 16");
    check(std::isfinite(kernel.gamma) && std::isfinite(kernel.coef0), "a kernel is not finite");
    check_classes(w);
    add_keys(w.keys);
    add_vectors(w);
    const std::size_t most = templates * most_repeats();
    for (std::size_t dot = 0; dot <= most; ++dot) powers_.push_back(kernel(static_cast<int32_t>(dot)));
  }

  const std::vector<int32_t>& classes() const { return classes_; }
  std::size_t templates() const { return templates_; }
  std::size_t pairs() const { return intercepts_.size(); }

  // The value of every pair of classes: above 0 for the first. Numbers are added in the same order as in LIBSVM, so
  // that what is a tie there is one here.
  void decide(const Value* keys, KernelScratch& scratch) const {
    count_shared(keys, scratch.dots);
    const std::size_t count = classes_.size(), others = count - 1;
    scratch.sums.assign(count * others, 0);
    const double* coefficient = coefficients_.data();
    for (std::size_t c = 0, vector = 0; c < count; ++c) {
      double* sums = scratch.sums.data() + c * others;
      for (std::size_t o = 0; o < c; ++o) sums[o] = scratch.sums[o * others + c - 1];
      for (; vector < ends_[c]; ++vector, coefficient += others) {
        const double k = powers_[scratch.dots[vector]];
        for (std::size_t o = 0; o < others; ++o) sums[o] += coefficient[o] * k;
      }
    }
    scratch.decisions.clear();
    for (std::size_t a = 0; a < count; ++a)
      for (std::size_t b = a + 1; b < count; ++b)
        scratch.decisions.push_back(scratch.sums[b * others + a] + intercepts_[scratch.decisions.size()]);
  }

  // The score of every class: its votes, and less than a vote for how clear its decisions are.
  const std::vector<double>& score(const Value* keys, KernelScratch& scratch) const {
    decide(keys, scratch);
    const std::size_t count = classes_.size();
    scratch.scores.assign(count, 0);
    scratch.sums.assign(count, 0);
    const double* decision = scratch.decisions.data();
    for (std::size_t a = 0; a < count; ++a) {
      for (std::size_t b = a + 1; b < count; ++b, ++decision) {
        scratch.scores[*decision < 0 ? b : a] += 1;
        scratch.sums[a] += *decision;
        scratch.sums[b] -= *decision;
      }
    }
    for (std::size_t c = 0; c < count; ++c) {
      const double clear = scratch.sums[c] / (3 * (std::abs(scratch.sums[c]) + 1));
      if (std::isfinite(clear)) scratch.scores[c] += clear;  // untrusted weights may be too large to be added
    }
    return scratch.scores;
  }

 private:
  static void check(bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(what);
  }

  void check_classes(const KernelWeights& w) {
    const std::size_t count = w.classes.size(), vectors = w.lengths.size();
    check(count >= 1 && count < 65536, "a machine tells classes apart");
    check(w.classes[0] >= 0 &&
              std::adjacent_find(w.classes.begin(), w.classes.end(), std::greater_equal<>()) == w.classes.end(),
          "classes are not in order");
    check(w.support.size() == count && w.intercepts.size() == count * (count - 1) / 2,
          "weights do not fit the classes");
    check(w.coefficients.size() / std::max<std::size_t>(count - 1, 1) == (count > 1 ? vectors : 0) &&
              w.coefficients.size() % std::max<std::size_t>(count - 1, 1) == 0,
          "coefficients do not fit the support vectors");
    for (const auto* values : {&w.coefficients, &w.intercepts})
      for (double v : *values) check(std::isfinite(v), "a weight is not finite");
    std::size_t end = 0;
    for (int32_t n : w.support) {
      check(n >= 0, "a class has less than no support vectors");
      ends_.push_back(end += static_cast<std::size_t>(n));
    }
    check(end == vectors, "support vectors do not fit the classes");
  }

  void add_keys(const std::vector<Value>& keys) {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      check(keys[i] != 0, "a key is 0");
      *slots_.payload(slots_.at(keys[i])) = static_cast<int32_t>(i);
      check(slots_.size() == i + 1, "a key occurs twice");
    }
  }

  // Turns the features of every vector into the vectors of every feature.
  void add_vectors(const KernelWeights& w) {
    const int32_t features = static_cast<int32_t>(w.keys.size());
    std::size_t end = 0;
    for (int32_t n : w.lengths) {
      check(n >= 0 && static_cast<std::size_t>(n) <= templates_, "a support vector has more features than templates");
      end += static_cast<std::size_t>(n);
    }
    check(end == w.columns.size(), "columns do not fit the support vectors");
    for (int32_t column : w.columns) {
      check(column >= 0 && column < features, "no such feature");
      ++starts_[column + 1];
    }
    for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
    vectors_.resize(w.columns.size());
    std::vector<std::size_t> next(starts_.begin(), starts_.end() - 1);
    const int32_t* column = w.columns.data();
    for (std::size_t v = 0; v < w.lengths.size(); ++v)
      for (int32_t i = 0; i < w.lengths[v]; ++i) vectors_[next[*column++]++] = static_cast<uint32_t>(v);
  }

  // How often a vector has the same feature: once, unless features share rows.
  std::size_t most_repeats() const {
    std::size_t most = 0;
    for (std::size_t f = 0; f + 1 < starts_.size(); ++f) {
      for (std::size_t i = starts_[f], run = 0; i < starts_[f + 1]; ++i) {
        run = i > starts_[f] && vectors_[i] == vectors_[i - 1] ? run + 1 : 1;
        most = std::max(most, run);
      }
    }
    return most;
  }

  void count_shared(const Value* keys, std::vector<int32_t>& dots) const {
    dots.assign(ends_.back(), 0);
    for (std::size_t t = 0; t < templates_; ++t) {
      const std::size_t slot = slots_.find(keys[t]);
      if (slot == HashTable<int32_t>::kNone) continue;
      const int32_t column = *slots_.payload(slot);
      for (std::size_t i = starts_[column]; i < starts_[column + 1]; ++i) ++dots[vectors_[i]];
    }
  }

  std::size_t templates_;
  std::vector<int32_t> classes_;
  std::vector<double> coefficients_, intercepts_;
  std::vector<std::size_t> ends_;  // of the support vectors of each class
  HashTable<int32_t> slots_;
  std::vector<std::size_t> starts_;  // of the vectors of each feature
  std::vector<uint32_t> vectors_;
  std::vector<double> powers_;  // the kernel, by dot product
};

// The values of all pairs of classes and the scores of all classes, for rows of keys.
struct KernelDecisions {
  std::vector<double> decisions, scores;

  KernelDecisions(const KernelMachine& machine, const Value* keys, std::size_t rows) {
    KernelScratch scratch;
    for (std::size_t r = 0; r < rows; ++r) {
      machine.score(keys + r * machine.templates(), scratch);
      decisions.insert(decisions.end(), scratch.decisions.begin(), scratch.decisions.end());
      scores.insert(scores.end(), scratch.scores.begin(), scratch.scores.end());
    }
  }
};

// Machines for the values of a feature. The first is for all values that have none of their own.
class KernelDivision {
 public:
  KernelDivision(const FeaturePart& features, const FeaturePart& split, const std::vector<Value>& values,
                 std::vector<std::shared_ptr<const KernelMachine>> machines, int32_t classes)
      : machines_(std::move(machines)), slots_(1) {
    const bool is_split = !split.ends.empty();
    if (split.ends.size() > 1) throw std::invalid_argument("data are split by one feature");
    if (machines_.size() != values.size() + 1 || (!is_split && !values.empty()))
      throw std::invalid_argument("machines do not fit the values that data are split by");
    for (const auto& machine : machines_)
      if (machine == nullptr || machine->templates() != features.ends.size() || machine->classes().back() >= classes)
        throw std::invalid_argument("a machine does not fit the features or the classes");
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] == 0) throw std::invalid_argument("a value is 0");
      *slots_.payload(slots_.at(values[i])) = static_cast<int32_t>(i + 1);
      if (slots_.size() != i + 1) throw std::invalid_argument("a value occurs twice");
    }
  }

  const KernelMachine& machine(const std::vector<Value>& split) const {
    if (split.empty()) return *machines_[0];
    const std::size_t slot = slots_.find(split[0]);
    return *machines_[slot == HashTable<int32_t>::kNone ? 0 : *slots_.payload(slot)];
  }

 private:
  std::vector<std::shared_ptr<const KernelMachine>> machines_;
  HashTable<int32_t> slots_;
};

class KernelScorer : public Scorer {
 public:
  KernelScorer(const FeatureModel& features, const FeatureModel& splits, const KernelDivision& transition,
               const KernelDivision& label, int32_t transitions, int32_t labels)
      : features_(features),
        splits_(splits),
        transition_machines_(transition),
        label_machines_(label),
        transition_(features.transition),
        label_(features.label),
        transition_split_(splits.transition),
        label_split_(splits.label),
        transitions_(transitions),
        labels_(labels) {}

  // Transitions that a machine has never seen come after all that it has.
  void transitions(const State& s, const Value* rows, int32_t offset, float* scores) override {
    const auto& split = transition_split_.extract(s, rows, splits_.width, splits_.mask, offset, {});
    const auto& keys = transition_.extract(s, rows, features_.width, features_.mask, offset, {});
    const KernelMachine& machine = transition_machines_.machine(split);
    std::fill_n(scores, transitions_, kUnseen);
    const std::vector<double>& found = machine.score(keys.data(), scratch_);
    for (std::size_t i = 0; i < found.size(); ++i) scores[machine.classes()[i]] = static_cast<float>(found[i]);
  }

  // Votes on labels and on transitions are not of one kind, so those on labels do not count in a beam.
  int32_t label(const State& s, const Value* rows, Ends ends, int32_t wanted, float& score) override {
    score = 0;
    if (wanted >= 0) return wanted;
    const KernelMachine& machine = vote(s, rows, ends);
    const std::vector<double>& found = scratch_.scores;
    return machine.classes()[std::max_element(found.begin(), found.end()) - found.begin()];
  }

  void labels(const State& s, const Value* rows, Ends ends, std::vector<float>& scores) override {
    const KernelMachine& machine = vote(s, rows, ends);
    scores.assign(labels_, kUnseen);
    for (std::size_t i = 0; i < scratch_.scores.size(); ++i)
      scores[machine.classes()[i]] = static_cast<float>(scratch_.scores[i]);
  }

 private:
  // The machine that tells the labels of an arc apart, after its vote.
  const KernelMachine& vote(const State& s, const Value* rows, Ends ends) {
    const auto& split = label_split_.extract(s, rows, splits_.width, splits_.mask, 0, ends);
    const auto& keys = label_.extract(s, rows, features_.width, features_.mask, 0, ends);
    const KernelMachine& machine = label_machines_.machine(split);
    machine.score(keys.data(), scratch_);
    return machine;
  }

  static constexpr float kUnseen = -1;  // votes are counted from 0, and less than half a vote is taken from them

  const FeatureModel &features_, &splits_;
  const KernelDivision &transition_machines_, &label_machines_;
  FeatureExtractor transition_, label_, transition_split_, label_split_;
  int32_t transitions_, labels_;
  KernelScratch scratch_;
};

}  // namespace multiplane
