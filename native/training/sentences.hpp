// Trees to learn from, with what the static oracle says about them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "common/array_view.hpp"
#include "common/demand.hpp"
#include "features/words.hpp"
#include "oracles/derive.hpp"
#include "oracles/gold.hpp"

namespace multiplane {

// A tree with the values of its words and what the oracle says.
struct TrainingSentence {
  int32_t n = 0;
  std::vector<Value> rows;
  std::vector<int32_t> heads, labels;  // by word, from 0
  std::vector<Taken> sequence;         // of the static oracle
  std::vector<int32_t> planes;         // by gold arc that counts
};

// The static oracle leaves an arc that crosses nothing on whatever stack is active. A parser that has not followed it,
// because it missed a crossing, has nothing to tell which one that was. Networks learn more with canonical
// planes; the greedy perceptron does not: with these there is more to switch.
enum class TrainingPlanes : uint8_t { kStatic, kCanonical };

// Reads the trees of a text, with what the oracle says; returns for each how many gold arcs no derivation builds.
// Planes are those of the static oracle, or canonical ones.
inline std::vector<int32_t> read_trees(const Program& program, const OracleSpec& oracle, std::string_view text,
                                       const Index& index, std::vector<Attribute> attributes, ArrayView<int32_t> heads,
                                       ArrayView<int32_t> labels, TrainingPlanes planes,
                                       std::vector<TrainingSentence>& sentences) {
  demand(heads.size() == index.heads.size() && labels.size() == heads.size(), "one head and label for each word");
  std::vector<int32_t> lost;
  WordReader reader(std::move(attributes));
  std::vector<int32_t> dependents;
  for (std::size_t i = 0; i < index.size(); ++i) {
    TrainingSentence s;
    const std::size_t first = index.first_word[i];
    s.n = static_cast<int32_t>(index.first_word[i + 1] - first);
    reader.read(text, index, i, s.rows);
    s.heads.assign(heads.data() + first, heads.data() + first + s.n);
    s.labels.assign(labels.data() + first, labels.data() + first + s.n);
    for (int32_t h : s.heads) demand(h >= 0 && h <= s.n, "a head is outside its sentence");
    for (int32_t l : s.labels) demand(l >= 0, "a label is missing");
    dependents.resize(s.n);
    std::iota(dependents.begin(), dependents.end(), 1);
    Derivation d = derive(program, oracle, s.n, s.heads.data(), dependents.data(), s.labels.data(), s.n);
    lost.push_back(d.lost());
    s.sequence = std::move(d.sequence);
    s.planes = std::move(d.plane);
    if (planes == TrainingPlanes::kCanonical)
      make_canonical(Gold(s.n, program.root, s.heads.data(), dependents.data(), s.labels.data(), s.n).spans(),
                     s.planes);
    sentences.push_back(std::move(s));
  }
  return lost;
}

}  // namespace multiplane
