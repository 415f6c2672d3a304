// What classifiers learn from: every decision on the way of the static oracle, as its features and what was decided.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/hash_table.hpp"
#include "features/features.hpp"
#include "training/sentences.hpp"

namespace multiplane {

// The keys of all templates, one decision after another, and what was decided.
struct Decisions {
  std::vector<Value> keys;
  std::vector<int32_t> classes;

  void add(const std::vector<Value>& found, int32_t cls) {
    keys.insert(keys.end(), found.begin(), found.end());
    classes.push_back(cls);
  }
  void reserve(std::size_t count, std::size_t templates) {
    keys.reserve(count * templates);
    classes.reserve(count);
  }
};

struct Instances {
  Decisions transitions, labels;
};

class InstanceFinder {
 public:
  InstanceFinder(const Program& program, const FeatureModel& features)
      : program_(program),
        features_(features),
        machine_(program),
        transition_(features.transition),
        label_(features.label) {}

  // Follows the oracle through a sentence. The partial tree has gold labels.
  void follow(const TrainingSentence& sentence, Instances& found) {
    State s(program_, sentence.n);
    const Value* rows = sentence.rows.data();
    for (const Taken& taken : sentence.sequence) {
      found.transitions.add(transition_.extract(s, rows, features_.width, features_.mask, taken.parameter, {}),
                            taken.transition);
      const bool is_legal = take(machine_, s, taken.transition, taken.parameter, [&](Ends ends) {
        const int32_t gold = sentence.arcs.label(ends, program_.undirected);
        if (gold < 0) return sentence.arcs.label_instead(ends);
        found.labels.add(label_.extract(s, rows, features_.width, features_.mask, 0, ends), gold);
        return gold;
      });
      if (!is_legal) break;
    }
  }

 private:
  const Program& program_;
  const FeatureModel& features_;
  Machine machine_;
  FeatureExtractor transition_, label_;
};

// The decisions on the sentences with these numbers.
inline Instances instances_of(const Program& program, const FeatureModel& features,
                              const std::vector<TrainingSentence>& sentences, ArrayView<int64_t> numbers) {
  for (const Transition& t : program.transitions)
    demand(!t.parametrized, "a transition with a parameter is not one of a few classes");
  Instances found;
  std::size_t steps = 0, words = 0;
  for (int64_t number : numbers) {
    demand(number >= 0 && number < static_cast<int64_t>(sentences.size()), "no such sentence");
    steps += sentences[number].sequence.size();
    words += sentences[number].n;
  }
  found.transitions.reserve(steps, features.transition.ends.size());
  found.labels.reserve(words, features.label.ends.size());
  InstanceFinder finder(program, features);
  for (int64_t number : numbers) finder.follow(sentences[number], found);
  return found;
}

// A sparse matrix of decisions by features: where the columns of every row begin, and the columns.
struct FeatureMatrix {
  std::vector<Value> keys;  // by column, in the order of keys
  std::vector<int64_t> starts{0};
  std::vector<int32_t> columns;
};

// Gives columns to the keys that occur often enough.
inline FeatureMatrix number_features(const Value* keys, std::size_t rows, std::size_t templates, int32_t least) {
  demand(least >= 1, "a feature occurs once at least");
  demand(std::find(keys, keys + rows * templates, Value{0}) == keys + rows * templates, "a key is 0");
  HashTable<int32_t> counts(1);
  for (std::size_t i = 0; i < rows * templates; ++i) {
    int32_t& count = *counts.payload(counts.at(keys[i]));
    count += count < least;
  }
  FeatureMatrix matrix;
  for (std::size_t slot : counts.sorted()) {
    int32_t& payload = *counts.payload(slot);
    if (payload < least) {
      payload = -1;
    } else {
      payload = static_cast<int32_t>(matrix.keys.size());
      matrix.keys.push_back(counts.key(slot));
    }
  }
  matrix.starts.reserve(rows + 1);
  matrix.columns.reserve(rows * templates);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t t = 0; t < templates; ++t) {
      const int32_t column = *counts.payload(counts.find(keys[r * templates + t]));
      if (column >= 0) matrix.columns.push_back(column);
    }
    std::sort(matrix.columns.begin() + matrix.starts.back(), matrix.columns.end());
    matrix.starts.push_back(static_cast<int64_t>(matrix.columns.size()));
  }
  return matrix;
}

}  // namespace multiplane
