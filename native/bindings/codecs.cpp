// Codecs of graphs, over the arcs of a whole corpus, for multiplane.graphs.codecs.
#include <tuple>

#include "bindings/common.hpp"
#include "graphs/planarize.hpp"

namespace multiplane {

namespace {

LabelledArcs arcs_of(const Longs& first, std::size_t graph, const Ints& heads, const Ints& dependents,
                     const Ints& labels) {
  LabelledArcs arcs;
  for (int64_t a = first(graph); a < first(graph + 1); ++a) arcs.push_back({heads(a), dependents(a), labels(a)});
  return arcs;
}

// New heads, the labels of the heads that arcs were lifted from, and whether they were dropped.
std::tuple<Array<int32_t>, Array<int32_t>, Array<uint8_t>> planarize(const Longs& lengths, const Longs& first,
                                                                     const Ints& heads, const Ints& dependents,
                                                                     const Ints& labels, bool lifts) {
  check_graphs(lengths, first, heads, dependents);
  demand(labels.size() == heads.size(), "as many labels as arcs are needed");
  std::vector<int32_t> new_heads, lifted_from;
  std::vector<uint8_t> dropped;
  {
    nb::gil_scoped_release release;
    for (std::size_t g = 0; g < lengths.size(); ++g) {
      const LabelledArcs arcs = arcs_of(first, g, heads, dependents, labels);
      const Planarizer planarizer(static_cast<int32_t>(lengths(g)), arcs, lifts);
      for (const auto& change : planarizer.changes()) {
        new_heads.push_back(change.head);
        lifted_from.push_back(change.lifted_from);
        dropped.push_back(change.dropped);
      }
    }
  }
  return {give(std::move(new_heads)), give(std::move(lifted_from)), give(std::move(dropped))};
}

Array<int32_t> deplanarize(const Longs& lengths, const Longs& first, const Ints& heads, const Ints& dependents,
                           const Ints& labels, const Ints& lifted_from) {
  check_graphs(lengths, first, heads, dependents);
  demand(labels.size() == heads.size() && lifted_from.size() == heads.size(), "as many labels as arcs are needed");
  std::vector<int32_t> new_heads;
  {
    nb::gil_scoped_release release;
    for (std::size_t g = 0; g < lengths.size(); ++g) {
      const std::vector<int32_t> marks(lifted_from.data() + first(g), lifted_from.data() + first(g + 1));
      const std::vector<int32_t> found =
          deplanarized_heads(static_cast<int32_t>(lengths(g)), arcs_of(first, g, heads, dependents, labels), marks);
      new_heads.insert(new_heads.end(), found.begin(), found.end());
    }
  }
  return give(std::move(new_heads));
}

}  // namespace

void bind_codecs(nb::module_& m) {
  m.def("planarize", &planarize, "lengths"_a, "first"_a, "heads"_a, "dependents"_a, "labels"_a, "lifts"_a);
  m.def("deplanarize", &deplanarize, "lengths"_a, "first"_a, "heads"_a, "dependents"_a, "labels"_a, "lifted_from"_a);
}

}  // namespace multiplane
