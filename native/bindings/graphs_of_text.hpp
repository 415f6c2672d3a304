// What the bindings of parsers of trees and graphs share.
#pragma once

#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/models.hpp"
#include "search/synchronous_search.hpp"
#include "training/sentences.hpp"

namespace multiplane {

using Bytes = nb::ndarray<const uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using SmallInts = nb::ndarray<const int8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// The arcs of many sentences: those of sentence i are from first[i] to first[i + 1], sorted by dependents.
struct ArcArrays {
  const Longs& first;
  const Ints &heads, &dependents, &labels;

  void check(std::size_t sentences) const {
    demand(first.size() == sentences + 1, "the layers do not fit the text");
    demand(dependents.size() == heads.size() && labels.size() == heads.size(), "arcs do not fit");
  }

  GoldArcs of(std::size_t sentence, int32_t n) const {
    const int64_t begin = first.data()[sentence], end = first.data()[sentence + 1];
    demand(begin >= 0 && begin <= end && end <= static_cast<int64_t>(heads.size()), "arcs do not fit");
    const auto part = [&](const Ints& all) {
      return ArrayView<int32_t>{all.data() + begin, static_cast<std::size_t>(end - begin)};
    };
    return GoldArcs::of_graph(part(heads), part(dependents), part(labels), n);
  }
};

// What need not be predicted: predicates, and trees.
struct Known {
  GivenLayers given;

  Known(const std::optional<SmallInts>& predicates, const std::optional<Ints>& heads, const std::optional<Ints>& labels,
        const Index& index, int32_t label_count) {
    const std::size_t words = index.heads.size();
    demand(!predicates || predicates->size() == words, "one value for each word");
    demand(heads.has_value() == labels.has_value(), "trees have heads and labels");
    if (predicates) given.predicates = predicates->data();
    if (!heads) return;
    demand(heads->size() == words && labels->size() == words, "one head and label for each word");
    for (std::size_t i = 0; i < index.size(); ++i) {
      const std::size_t n = index.first_word[i + 1] - index.first_word[i];
      for (std::size_t w = index.first_word[i]; w < index.first_word[i + 1]; ++w)
        demand(heads->data()[w] >= 0 && heads->data()[w] <= static_cast<int64_t>(n) && labels->data()[w] >= 0 &&
                   labels->data()[w] < label_count,
               "a head or label does not exist");
    }
    given.heads = heads->data();
    given.labels = labels->data();
  }
};

// Predicates, senses and classes by word, and arcs: how many a sentence has, heads, dependents, labels.
inline auto give(ParsedGraphs&& graphs) {
  return std::tuple(give(std::move(graphs.predicates)), give(std::move(graphs.senses)), give(std::move(graphs.classes)),
                    give(std::move(graphs.counts)), give(std::move(graphs.heads)), give(std::move(graphs.dependents)),
                    give(std::move(graphs.labels)));
}

// The transitions of every sentence: whether they are semantic, their numbers, parameters, and labels of arcs.
inline auto rows_of(const std::vector<std::vector<JointStep>>& steps) {
  std::vector<std::vector<std::tuple<bool, int32_t, int32_t, int32_t>>> rows(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i)
    for (const auto& [layer, step] : steps[i])
      rows[i].emplace_back(layer == Layer::kSemantics, step.transition, step.parameter, step.label);
  return rows;
}

}  // namespace multiplane
