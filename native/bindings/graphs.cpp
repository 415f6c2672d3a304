// Crossings, planes, measures, branchings and reconstruction, for multiplane.graphs.
#include <algorithm>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>

#include "bindings/common.hpp"
#include "graphs/branching.hpp"
#include "graphs/crossings.hpp"
#include "graphs/measures.hpp"
#include "graphs/planes.hpp"
#include "graphs/reconstruct.hpp"
#include "graphs/shape.hpp"
#include "graphs/swappable.hpp"

namespace multiplane {

namespace {

Spans spans_of(const Ints& heads, const Ints& dependents) {
  if (heads.size() != dependents.size()) throw std::invalid_argument("as many heads as dependents are needed");
  Spans spans(heads.size());
  for (std::size_t a = 0; a < spans.size(); ++a) {
    spans[a] = {std::min(heads(a), dependents(a)), std::max(heads(a), dependents(a))};
  }
  return spans;
}

// One array for each measure, in the order of the members of Measures.
using MeasureArrays =
    std::tuple<Array<uint8_t>, Array<int8_t>, Array<uint8_t>, Array<int32_t>, Array<int32_t>, Array<int32_t>>;

MeasureArrays columns(const std::vector<Measures>& rows) {
  auto column = [&rows](auto member, auto type) {
    std::vector<decltype(type)> values(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) values[i] = rows[i].*member;
    return give(std::move(values));
  };
  return {column(&Measures::nonprojective, uint8_t{}), column(&Measures::planarity, int8_t{}),
          column(&Measures::ill_nested, uint8_t{}),    column(&Measures::np_arcs, int32_t{}),
          column(&Measures::gap_degree, int32_t{}),    column(&Measures::arc_degree, int32_t{})};
}

MeasureArrays measure_heads(const Longs& lengths, const Ints& heads) {
  std::vector<Measures> rows(lengths.size());
  {
    nb::gil_scoped_release release;
    ForestMeasurer forest;
    std::size_t at = 0;
    for (std::size_t g = 0; g < rows.size(); ++g) {
      const int64_t n = lengths(g);
      if (n < 0 || at + n > heads.size()) throw std::invalid_argument("lengths and heads do not fit together");
      for (int64_t i = 0; i < n; ++i)
        if (heads(at + i) > n) throw std::invalid_argument("a head is outside its graph");
      if (!forest.load(heads.data() + at, static_cast<int32_t>(n)))
        throw std::invalid_argument("the heads form a cycle");
      rows[g] = forest.measure();
      at += n;
    }
  }
  return columns(rows);
}

// The heads of a graph's words if it is a forest and nothing otherwise; its arcs are checked on the way.
std::optional<std::vector<int32_t>> forest_heads(int64_t n, const int32_t* heads, const int32_t* dependents,
                                                 std::size_t arcs) {
  std::vector<int32_t> head_of(n, 0);
  bool single = true;
  for (std::size_t a = 0; a < arcs; ++a) {
    if (heads[a] < 0 || heads[a] > n || dependents[a] < 1 || dependents[a] > n)
      throw std::invalid_argument("an arc is outside its graph");
    if (heads[a] == 0) continue;
    int32_t& head = head_of[dependents[a] - 1];
    single = single && head == 0;
    head = heads[a];
  }
  if (!single) return std::nullopt;
  return head_of;
}

MeasureArrays measure_graphs(const Longs& lengths, const Longs& arc_counts, const Ints& heads, const Ints& dependents) {
  std::vector<Measures> rows(lengths.size());
  {
    nb::gil_scoped_release release;
    ForestMeasurer forest;
    std::size_t at = 0;
    for (std::size_t g = 0; g < rows.size(); ++g) {
      const int64_t n = lengths(g), arcs = arc_counts(g);
      const int32_t *h = heads.data() + at, *d = dependents.data() + at;
      const auto head_of = forest_heads(n, h, d, arcs);
      const bool is_forest = head_of && forest.load(head_of->data(), static_cast<int32_t>(n));
      rows[g] = is_forest ? forest.measure() : GraphMeasurer(static_cast<int32_t>(n), h, d, arcs).measure();
      at += arcs;
    }
  }
  return columns(rows);
}

// For each graph: words with several heads, whether it is cyclic, whether it is disconnected.
std::tuple<Array<int32_t>, Array<uint8_t>, Array<uint8_t>> graph_shapes(const Longs& lengths, const Longs& arc_counts,
                                                                        const Ints& heads, const Ints& dependents) {
  const std::size_t graphs = lengths.size();
  std::vector<int32_t> multi_headed(graphs);
  std::vector<uint8_t> cyclic(graphs), disconnected(graphs);
  {
    nb::gil_scoped_release release;
    demand(arc_counts.size() == graphs && heads.size() == dependents.size(), "arrays of the same size");
    ShapeFinder finder;
    std::size_t at = 0;
    for (std::size_t g = 0; g < graphs; ++g) {
      const int64_t n = lengths(g), arcs = arc_counts(g);
      demand(n >= 0 && arcs >= 0 && at + arcs <= heads.size(), "as many arcs as there are");
      for (std::size_t a = at; a < at + arcs; ++a)
        demand(heads(a) >= 1 && heads(a) <= n && dependents(a) >= 1 && dependents(a) <= n, "arcs between words");
      const Shape shape = finder.find(static_cast<int32_t>(n), heads.data() + at, dependents.data() + at, arcs);
      multi_headed[g] = shape.multi_headed;
      cyclic[g] = shape.cyclic;
      disconnected[g] = shape.disconnected;
      at += arcs;
    }
  }
  return {give(std::move(multi_headed)), give(std::move(cyclic)), give(std::move(disconnected))};
}

std::optional<IllNesting> find_ill_nesting(int64_t n, const Ints& heads, const Ints& dependents) {
  nb::gil_scoped_release release;
  ForestMeasurer forest;
  const auto head_of = forest_heads(n, heads.data(), dependents.data(), heads.size());
  if (head_of && forest.load(head_of->data(), static_cast<int32_t>(n))) return forest.find_ill_nesting();
  return GraphMeasurer(static_cast<int32_t>(n), heads.data(), dependents.data(), heads.size()).find_ill_nesting();
}

// Checked, as the search for a derivation looks words up by number.
Spans links_of(int64_t n, const Ints& heads, const Ints& dependents) {
  const Spans spans = spans_of(heads, dependents);
  for (const Span& span : spans) demand(span.left >= 1 && span.right <= n, "an arc is outside its graph");
  return spans;
}

ArcList find_unswappable(int64_t n, const Ints& heads, const Ints& dependents) {
  const Spans spans = links_of(n, heads, dependents);
  nb::gil_scoped_release release;
  return unswappable(static_cast<int32_t>(n), spans);
}

using Bytes = nb::ndarray<const int8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Doubles = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Contractions take as many numbers again as nodes do.
constexpr int64_t kMostWords = std::numeric_limits<int32_t>::max() / 2 - 1;

int32_t checked_words(int64_t n) {
  demand(n >= 0 && n <= kMostWords, "a graph cannot have that many words");
  return static_cast<int32_t>(n);
}

Array<int64_t> find_branching(int64_t n, const Ints& heads, const Ints& dependents, const Doubles& costs,
                              int64_t root) {
  demand(heads.size() == dependents.size() && heads.size() == costs.size(),
         "as many heads as dependents and costs are needed");
  const int32_t words = checked_words(n);
  demand(root >= 0 && root <= n, "the root is not a node");
  const WeightedArcs arcs{
      {heads.data(), heads.size()}, {dependents.data(), dependents.size()}, {costs.data(), costs.size()}};
  std::vector<int64_t> chosen;
  {
    nb::gil_scoped_release release;
    chosen = minimum_branching(words + 1, arcs, static_cast<int32_t>(root));
  }
  return give(std::move(chosen));
}

std::pair<Array<int32_t>, Array<int32_t>> reconstruct(int64_t n, const Ints& firsts, const Ints& seconds,
                                                      const Bytes& preferences, Reconstruction method,
                                                      const std::optional<Ints>& fixed) {
  demand(firsts.size() == seconds.size() && firsts.size() == preferences.size(),
         "as many first ends as second ends and preferences are needed");
  const int32_t words = checked_words(n);
  demand(!fixed || fixed->size() == static_cast<std::size_t>(n), "one fixed head per word is needed");
  std::vector<int32_t> heads, carried;
  {
    nb::gil_scoped_release release;
    std::vector<Edge> edges(firsts.size());
    for (std::size_t e = 0; e < edges.size(); ++e) edges[e] = {firsts(e), seconds(e), preferences(e)};
    Reconstructor one;
    one.run(words, {edges.data(), edges.size()}, method, fixed ? fixed->data() : nullptr);
    heads.assign(one.heads().begin() + 1, one.heads().end());
    carried.assign(one.carried().begin() + 1, one.carried().end());
  }
  return {give(std::move(heads)), give(std::move(carried))};
}

std::pair<Array<int32_t>, Array<int32_t>> reconstruct_forests(const Longs& lengths, const Ints& heads,
                                                              const Bytes& preferences, Reconstruction method,
                                                              const std::optional<Ints>& fixed) {
  demand(preferences.size() == heads.size() && (!fixed || fixed->size() == heads.size()),
         "as many preferences and fixed heads as heads are needed");
  std::vector<int32_t> new_heads(heads.size()), carried(heads.size());
  {
    nb::gil_scoped_release release;
    ForestReconstructor forests;
    std::size_t at = 0;
    for (std::size_t g = 0; g < lengths.size(); ++g) {
      const int64_t n = lengths(g);
      demand(n >= 0 && n <= kMostWords && static_cast<std::size_t>(n) <= heads.size() - at,
             "lengths and heads do not fit together");
      try {
        forests.run(static_cast<int32_t>(n), heads.data() + at, preferences.data() + at, method,
                    fixed ? fixed->data() + at : nullptr, new_heads.data() + at, carried.data() + at);
      } catch (const std::invalid_argument& error) {
        throw std::invalid_argument("sentence " + std::to_string(g + 1) + ": " + error.what());
      }
      at += n;
    }
    demand(at == heads.size(), "lengths and heads do not fit together");
  }
  return {give(std::move(new_heads)), give(std::move(carried))};
}

}  // namespace

void bind_graphs(nb::module_& m) {
  nb::exception<Undecided>(m, "Undecided");

  m.def("measure_heads", &measure_heads, "lengths"_a, "heads"_a);
  m.def("graph_shapes", &graph_shapes, "lengths"_a, "arc_counts"_a, "heads"_a, "dependents"_a);
  m.def("measure_graphs", &measure_graphs, "lengths"_a, "arc_counts"_a, "heads"_a, "dependents"_a);
  m.def(
      "ill_nesting",
      [](int64_t n, const Ints& heads, const Ints& dependents) {
        std::optional<std::tuple<int32_t, int32_t, int32_t, int32_t, int32_t, int32_t>> words;
        if (const auto found = find_ill_nesting(n, heads, dependents)) {
          const auto& f = *found;
          words.emplace(f[0], f[1], f[2], f[3], f[4], f[5]);
        }
        return words;
      },
      "n"_a, "heads"_a, "dependents"_a);

  m.def(
      "crossing",
      [](const Ints& heads, const Ints& dependents) {
        const Spans spans = spans_of(heads, dependents);
        return find_crossing(spans, all_arcs(spans));
      },
      "heads"_a, "dependents"_a);
  m.def(
      "crossings",
      [](const Ints& heads, const Ints& dependents) {
        const Spans spans = spans_of(heads, dependents);
        return all_crossings(spans, all_arcs(spans));
      },
      "heads"_a, "dependents"_a);
  m.def(
      "count_crossings",
      [](const Ints& heads, const Ints& dependents) {
        std::vector<int64_t> counts;
        {
          nb::gil_scoped_release release;
          const Spans spans = spans_of(heads, dependents);
          counts = count_crossings(spans, all_arcs(spans));
        }
        return give(std::move(counts));
      },
      "heads"_a, "dependents"_a);
  m.def(
      "odd_cycle",
      [](const Ints& heads, const Ints& dependents) { return find_odd_cycle(spans_of(heads, dependents)); }, "heads"_a,
      "dependents"_a);
  m.def(
      "clique",
      [](const Ints& heads, const Ints& dependents, std::size_t enough) {
        const Spans spans = spans_of(heads, dependents);
        return find_clique(spans, all_arcs(spans), enough);
      },
      "heads"_a, "dependents"_a, "enough"_a);
  m.def(
      "minimal_planes",
      [](const Ints& heads, const Ints& dependents, int limit) {
        const Spans spans = spans_of(heads, dependents);
        Planes planes;
        {
          nb::gil_scoped_release release;
          planes = minimal_planes(spans, limit);
        }
        return std::pair(planes.count, planes.of_arc);
      },
      "heads"_a, "dependents"_a, "limit"_a);

  m.def(
      "is_swappable",
      [](int64_t n, const Ints& heads, const Ints& dependents) {
        return is_swappable(static_cast<int32_t>(n), links_of(n, heads, dependents));
      },
      "n"_a, "heads"_a, "dependents"_a);
  m.def("unswappable", &find_unswappable, "n"_a, "heads"_a, "dependents"_a);

  m.def("minimum_branching", &find_branching, "n"_a, "heads"_a, "dependents"_a, "costs"_a, "root"_a);

  nb::enum_<Reconstruction>(m, "Reconstruction")
      .value("NAIVE", Reconstruction::kNaive)
      .value("LABEL", Reconstruction::kLabel)
      .value("LABEL_STRICT", Reconstruction::kLabelStrict);
  m.def("reconstruct", &reconstruct, "n"_a, "firsts"_a, "seconds"_a, "preferences"_a, "method"_a,
        "fixed"_a = nb::none());
  m.def("reconstruct_forests", &reconstruct_forests, "lengths"_a, "heads"_a, "preferences"_a, "method"_a,
        "fixed"_a = nb::none());
}

}  // namespace multiplane
