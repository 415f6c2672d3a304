// Graphs to learn from, with what the static oracle says about them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "common/array_view.hpp"
#include "common/demand.hpp"
#include "features/state.hpp"
#include "features/words.hpp"
#include "oracles/derive.hpp"
#include "oracles/gold.hpp"

namespace multiplane {

// The arcs of a gold graph, in the order of their dependents; a word may have any number of heads.
struct GoldArcs {
  std::vector<int32_t> heads, dependents, labels;
  std::vector<int32_t> first;  // by word, from 0: its first arc; then the number of arcs

  static GoldArcs of_tree(const int32_t* heads, const int32_t* labels, int32_t n) {
    GoldArcs arcs{{heads, heads + n}, std::vector<int32_t>(n), {labels, labels + n}, std::vector<int32_t>(n + 1)};
    std::iota(arcs.dependents.begin(), arcs.dependents.end(), 1);
    std::iota(arcs.first.begin(), arcs.first.end(), 0);
    return arcs;
  }

  // Of a graph, whose arcs are sorted by dependents.
  static GoldArcs of_graph(ArrayView<int32_t> heads, ArrayView<int32_t> dependents, ArrayView<int32_t> labels,
                           int32_t n) {
    demand(heads.size() == dependents.size() && labels.size() == heads.size(), "one head and label for each arc");
    GoldArcs arcs{{heads.begin(), heads.end()},
                  {dependents.begin(), dependents.end()},
                  {labels.begin(), labels.end()},
                  std::vector<int32_t>(n + 1)};
    for (std::size_t a = 0; a < heads.size(); ++a) {
      demand(heads[a] >= 1 && heads[a] <= n && dependents[a] >= 1 && dependents[a] <= n && heads[a] != dependents[a],
             "an arc is outside its sentence");
      demand(a == 0 || dependents[a - 1] <= dependents[a], "arcs must be sorted by dependents");
      demand(labels[a] >= 0, "a label is missing");
      ++arcs.first[dependents[a]];
    }
    for (int32_t v = 1; v <= n; ++v) arcs.first[v] += arcs.first[v - 1];
    return arcs;
  }

  std::size_t size() const { return heads.size(); }
  Gold gold(int32_t n, const Program& program) const {
    return Gold(n, program, heads.data(), dependents.data(), labels.data(), size());
  }

  // The label of an arc, or -1 where it is not gold. Without direction, either end may be the head.
  int32_t label(Ends ends, bool undirected) const {
    const int32_t found = label_of(ends.governor, ends.dependent);
    return found < 0 && undirected ? label_of(ends.dependent, ends.governor) : found;
  }

  // The label for an arc that is not gold: that of a gold one to the same word; -1 where there is none.
  int32_t label_instead(Ends ends) const {
    const int32_t word = ends.dependent > 0 ? ends.dependent : ends.governor;
    return first[word - 1] < first[word] ? labels[first[word - 1]] : -1;
  }

 private:
  int32_t label_of(int32_t head, int32_t dependent) const {
    if (dependent == 0) return -1;
    for (int32_t a = first[dependent - 1]; a < first[dependent]; ++a)
      if (heads[a] == head) return labels[a];
    return -1;
  }
};

// A gold graph with the values of its words and what the oracle says.
struct TrainingSentence {
  int32_t n = 0;
  std::vector<Value> rows;
  GoldArcs arcs;
  std::vector<Taken> sequence;  // of the static oracle
  std::vector<int32_t> planes;  // by gold arc that counts
};

// The static oracle leaves an arc that crosses nothing on whatever stack is active. A parser that has not followed it,
// because it missed a crossing, has nothing to tell which one that was. Networks learn more with canonical
// planes; the greedy perceptron does not: with these there is more to switch.
enum class TrainingPlanes : uint8_t { kStatic, kCanonical };

// Adds what the oracle says about the arcs of a sentence; returns how many of them no derivation builds.
inline int32_t derive(const Program& program, const OracleSpec& oracle, TrainingPlanes planes, TrainingSentence& s) {
  Derivation d =
      derive(program, oracle, s.n, s.arcs.heads.data(), s.arcs.dependents.data(), s.arcs.labels.data(), s.arcs.size());
  const int32_t lost = d.lost();
  s.sequence = std::move(d.sequence);
  s.planes = std::move(d.plane);
  if (planes == TrainingPlanes::kCanonical) make_canonical(s.arcs.gold(s.n, program).spans(), s.planes);
  return lost;
}

// Reads the trees of a text, with what the oracle says; returns for each how many gold arcs no derivation builds.
// Planes are those of the static oracle, or canonical ones.
inline std::vector<int32_t> read_trees(const Program& program, const OracleSpec& oracle, std::string_view text,
                                       const Index& index, std::vector<Attribute> attributes, ArrayView<int32_t> heads,
                                       ArrayView<int32_t> labels, TrainingPlanes planes,
                                       std::vector<TrainingSentence>& sentences) {
  demand(heads.size() == index.heads.size() && labels.size() == heads.size(), "one head and label for each word");
  std::vector<int32_t> lost;
  WordReader reader(std::move(attributes));
  for (std::size_t i = 0; i < index.size(); ++i) {
    TrainingSentence s;
    const std::size_t first = index.first_word[i];
    s.n = static_cast<int32_t>(index.first_word[i + 1] - first);
    reader.read(text, index, i, s.rows);
    s.arcs = GoldArcs::of_tree(heads.data() + first, labels.data() + first, s.n);
    for (int32_t h : s.arcs.heads) demand(h >= 0 && h <= s.n, "a head is outside its sentence");
    for (int32_t l : s.arcs.labels) demand(l >= 0, "a label is missing");
    lost.push_back(derive(program, oracle, planes, s));
    sentences.push_back(std::move(s));
  }
  return lost;
}

}  // namespace multiplane
