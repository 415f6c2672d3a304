// Reading and rewriting the layers beside the tree, for multiplane.formats.
#include "bindings/common.hpp"
#include "bindings/problems.hpp"
#include "text/enhanced.hpp"
#include "text/rewrite_layers.hpp"
#include "text/semantics.hpp"

namespace multiplane {

namespace {

using ArcsRow = std::tuple<Array<int64_t>, Array<int32_t>, Array<int32_t>, Array<int32_t>, std::vector<std::string>>;
using PredicatesRow = std::tuple<Array<int64_t>, Array<int32_t>, Array<int32_t>, std::vector<std::string>>;
using GivenArcs = std::tuple<Longs, Ints, Ints, Ints, std::vector<std::string>>;
using GivenPredicates = std::tuple<Longs, Ints, Ints, std::vector<std::string>>;

ArcsRow row(LayerArcs&& arcs, std::vector<std::string>&& names) {
  return {give(std::move(arcs.first)), give(std::move(arcs.heads)), give(std::move(arcs.dependents)),
          give(std::move(arcs.labels)), std::move(names)};
}

std::tuple<PredicatesRow, ArcsRow, std::vector<ProblemRow>> read_semantics(const nb::bytes& bytes, const Index& index,
                                                                           const SemanticColumns& columns) {
  const std::string_view text = view(bytes);
  Semantics read;
  {
    nb::gil_scoped_release release;
    read = SemanticReader(text, index, columns).read();
  }
  PredicatesRow predicates{give(std::move(read.predicates.first)), give(std::move(read.predicates.words)),
                           give(std::move(read.predicates.senses)), std::move(read.senses)};
  return {std::move(predicates), row(std::move(read.arcs), std::move(read.labels)), rows(read.problems)};
}

using EnhancedRow =
    std::tuple<Array<int64_t>, Array<int32_t>, Array<int32_t>, ArcsRow, ArcsRow, std::vector<ProblemRow>>;

EnhancedRow read_enhanced(const nb::bytes& bytes, const Index& index, int deps) {
  const std::string_view text = view(bytes);
  Enhanced read;
  {
    nb::gil_scoped_release release;
    read = EnhancedReader(text, index, deps).read();
  }
  return {give(std::move(read.first_node)),
          give(std::move(read.node_word)),
          give(std::move(read.node_minor)),
          row(std::move(read.arcs), std::move(read.labels)),
          row(std::move(read.collapsed), std::move(read.paths)),
          rows(read.problems)};
}

void demand_places(const Ints& values, std::size_t names) {
  for (std::size_t i = 0; i < values.size(); ++i)
    demand(values(i) >= 0 && values(i) < static_cast<int64_t>(names), "no such text");
}

void demand_prefix_sums(const Longs& first, const Index& index, std::size_t size) {
  demand(first.size() == index.size() + 1 && first(0) == 0 && first(index.size()) == static_cast<int64_t>(size),
         "one begin for each sentence, and an end");
  for (std::size_t s = 0; s < index.size(); ++s) demand(first(s) <= first(s + 1), "begins in order");
}

// Positions lie between least and the length of their sentence.
void demand_words(const Ints& words, const Longs& first, const Index& index, int32_t least) {
  for (std::size_t s = 0; s < index.size(); ++s) {
    const auto length = static_cast<int64_t>(index.first_word[s + 1] - index.first_word[s]);
    for (int64_t a = first(s); a < first(s + 1); ++a)
      demand(words(a) >= least && words(a) <= length, "positions within the sentence");
  }
}

NewArcs new_arcs(const GivenArcs& given, const Index& index) {
  const auto& [first, heads, dependents, labels, names] = given;
  demand(heads.size() == dependents.size() && heads.size() == labels.size(), "arrays of the same size");
  demand_prefix_sums(first, index, heads.size());
  demand_words(heads, first, index, 0);
  demand_words(dependents, first, index, 1);
  demand_places(labels, names.size());
  return {first.data(), heads.data(), dependents.data(), labels.data(), &names};
}

NewPredicates new_predicates(const GivenPredicates& given, const Index& index) {
  const auto& [first, words, senses, names] = given;
  demand(words.size() == senses.size(), "arrays of the same size");
  demand_prefix_sums(first, index, words.size());
  demand_words(words, first, index, 1);
  demand_places(senses, names.size());
  return {first.data(), words.data(), senses.data(), &names};
}

// Every arc leaves a predicate or, where there are tops, 0.
void demand_predicates(const NewPredicates& predicates, const NewArcs& arcs, const Index& index, bool tops) {
  std::vector<bool> is_predicate;
  for (std::size_t s = 0; s < index.size(); ++s) {
    is_predicate.assign(index.first_word[s + 1] - index.first_word[s] + 1, false);
    is_predicate[0] = tops;
    for (int64_t p = predicates.first[s]; p < predicates.first[s + 1]; ++p) is_predicate[predicates.words[p]] = true;
    for (int64_t a = arcs.first[s]; a < arcs.first[s + 1]; ++a)
      demand(is_predicate[arcs.heads[a]], "arcs from predicates");
  }
}

nb::bytes rewrite_semantics(const nb::bytes& bytes, const Index& index, const SemanticColumns& columns,
                            const GivenPredicates& given_predicates, const GivenArcs& given_arcs) {
  const NewPredicates predicates = new_predicates(given_predicates, index);
  const NewArcs arcs = new_arcs(given_arcs, index);
  const std::string_view text = view(bytes);
  std::string out;
  {
    nb::gil_scoped_release release;
    demand_predicates(predicates, arcs, index, columns.top >= 0);
    out = SemanticWriter(text, index, columns).written(predicates, arcs);
  }
  return nb::bytes(out.data(), out.size());
}

nb::bytes rewrite_deps(const nb::bytes& bytes, const Index& index, int column, const GivenArcs& given) {
  const NewArcs arcs = new_arcs(given, index);
  const std::string_view text = view(bytes);
  std::string out;
  {
    nb::gil_scoped_release release;
    out = with_deps(text, index, column, arcs);
  }
  return nb::bytes(out.data(), out.size());
}

}  // namespace

void bind_layers(nb::module_& m) {
  nb::class_<SemanticColumns>(m, "SemanticColumns")
      .def(
          "__init__",
          [](SemanticColumns* self, int sense, int mark, const std::string& yes, const std::string& no, int top,
             bool senses_anywhere,
             int arguments) { new (self) SemanticColumns{sense, mark, yes, no, top, senses_anywhere, arguments}; },
          "sense"_a, "mark"_a, "yes"_a, "no"_a, "top"_a, "senses_anywhere"_a, "arguments"_a);
  m.def("read_semantics", &read_semantics, "text"_a, "index"_a, "columns"_a);
  m.def("read_enhanced", &read_enhanced, "text"_a, "index"_a, "deps"_a);
  m.def("rewrite_semantics", &rewrite_semantics, "text"_a, "index"_a, "columns"_a, "predicates"_a, "arcs"_a);
  m.def("rewrite_deps", &rewrite_deps, "text"_a, "index"_a, "column"_a, "arcs"_a);
}

}  // namespace multiplane
