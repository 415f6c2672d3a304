// Synchronous parsers of trees and graphs: roll-outs to learn from, and parsing.
#include <memory>
#include <optional>
#include <utility>

#include "bindings/models.hpp"
#include "bindings/networks.hpp"
#include "search/joint_parser.hpp"
#include "training/joint_rollout.hpp"

namespace multiplane {

namespace {

using Bytes = nb::ndarray<const uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using SmallInts = nb::ndarray<const int8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Where a network looks and what it knows while it is trained.
struct Learning {
  std::shared_ptr<const NeuralLook> look;
  ArrayTable weights;
  Matrix slots;
  Floats odds;
  RolloutOptions options;

  EncodedWords encoded() const { return {slots.data(), slots.shape(0), slots.shape(1), view_of(odds)}; }
};

Learning make_learning(std::shared_ptr<const NeuralLook> look, ArrayTable weights, Matrix slots, Floats odds,
                       bool dynamic, bool regularized, double exploration, double aggressive, float margin) {
  return {std::move(look),
          std::move(weights),
          std::move(slots),
          std::move(odds),
          {dynamic, regularized, exploration, aggressive, margin}};
}

auto met(Rollout&& record) {
  return std::tuple(give(std::move(record.rows)), give(std::move(record.features)), give(std::move(record.relations)),
                    give(std::move(record.legal)), give(std::move(record.right)), record.steps, record.wrong);
}

// Training data of a network for two layers.
struct JointRollouts {
  std::shared_ptr<const Program> syntax, semantics;
  OracleSpec syntax_oracle, semantics_oracle;
  std::vector<JointSentence> sentences;

  JointRollouts(std::shared_ptr<const Program> p, const OracleSpec& o, std::shared_ptr<const Program> q,
                const OracleSpec& r)
      : syntax(std::move(p)), semantics(std::move(q)), syntax_oracle(o), semantics_oracle(r) {}

  // Trees by word, graphs by arc, sorted by dependents; returns for each sentence how many arcs of either layer no
  // derivation builds.
  std::pair<std::vector<int32_t>, std::vector<int32_t>> add(const nb::bytes& bytes, const Index& index,
                                                            const Ints& heads, const Ints& labels, const Longs& first,
                                                            const Ints& arc_heads, const Ints& arc_dependents,
                                                            const Ints& arc_labels, const Bytes& predicates) {
    const std::string_view text = view(bytes);
    nb::gil_scoped_release release;
    std::vector<TrainingSentence> trees;
    std::vector<int32_t> lost = read_trees(*syntax, syntax_oracle, text, index, {}, view_of(heads), view_of(labels),
                                           TrainingPlanes::kCanonical, trees),
                         lost_in_graphs;
    demand(first.size() == index.size() + 1 && predicates.size() == heads.size(), "the layers do not fit the text");
    demand(arc_dependents.size() == arc_heads.size() && arc_labels.size() == arc_heads.size(), "arcs do not fit");
    for (std::size_t i = 0; i < trees.size(); ++i) {
      const int64_t begin = first.data()[i], end = first.data()[i + 1];
      demand(begin >= 0 && begin <= end && end <= static_cast<int64_t>(arc_heads.size()), "arcs do not fit");
      const auto part = [&](const Ints& all) {
        return ArrayView<int32_t>{all.data() + begin, static_cast<std::size_t>(end - begin)};
      };
      JointSentence s;
      s.syntax = std::move(trees[i]);
      s.semantics.n = s.syntax.n;
      s.semantics.arcs = GoldArcs::of_graph(part(arc_heads), part(arc_dependents), part(arc_labels), s.syntax.n);
      lost_in_graphs.push_back(derive(*semantics, semantics_oracle, TrainingPlanes::kCanonical, s.semantics));
      const uint8_t* flags = predicates.data() + index.first_word[i];
      s.predicates.assign(flags, flags + s.syntax.n);
      sentences.push_back(std::move(s));
    }
    return {std::move(lost), std::move(lost_in_graphs)};
  }

  // What both layers of a network meet, and how the ends of gold arcs are related in the tree.
  auto run(const Learning& trees, const Learning& graphs, int32_t syntactic_labels, const Longs& order, uint64_t seed,
           bool trees_given) const {
    const NeuralHead head = read_head(named(trees.weights), *trees.look, *syntax);
    const SemanticHead semantic_head =
        read_semantic_head(named(graphs.weights), *graphs.look, *semantics, syntactic_labels);
    JointRollout record = [&] {
      nb::gil_scoped_release release;
      return roll_out({*syntax, syntax_oracle, head, trees.encoded(), trees.options},
                      {*semantics, semantics_oracle, semantic_head, graphs.encoded(), graphs.options}, sentences,
                      view_of(order), seed, trees_given);
    }();
    return std::tuple(met(std::move(record.syntax)), met(std::move(record.semantics)),
                      give(std::move(record.relations)), give(std::move(record.roles)),
                      give(std::move(record.role_ends)));
  }
};

std::shared_ptr<JointParser> make_parser(std::shared_ptr<NeuralParser> syntax, std::shared_ptr<const Program> program,
                                         const NeuralLook& look, const ArrayTable& weights,
                                         std::shared_ptr<const SenseInventory> inventory) {
  return std::make_shared<JointParser>(std::move(syntax), std::move(program), look, named(weights),
                                       std::move(inventory));
}

// What need not be predicted: predicates, and trees.
struct Known {
  JointParser::Given given;

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

// As for other parsers; then predicates, senses and classes by word, and arcs: how many a sentence has, heads,
// dependents, labels.
auto parse(JointParser& parser, const nb::bytes& bytes, const Index& index, const std::vector<int>& columns, int lemma,
           int form, const std::optional<SmallInts>& predicates, const std::optional<Ints>& heads,
           const std::optional<Ints>& labels) {
  const Known known(predicates, heads, labels, index, parser.syntax().labels());
  const std::string_view text = view(bytes);
  JointParser::Parsed found = [&] {
    nb::gil_scoped_release release;
    return parser.parse(text, index, {columns, lemma, form}, known.given);
  }();
  std::vector<Array<int32_t>> tags;
  for (std::vector<int32_t>& column : found.trees.tags) tags.push_back(give(std::move(column)));
  ParsedGraphs& graphs = found.graphs;
  return std::tuple(
      give(std::move(found.trees.trees)), std::move(tags),
      std::tuple(give(std::move(graphs.predicates)), give(std::move(graphs.senses)), give(std::move(graphs.classes)),
                 give(std::move(graphs.counts)), give(std::move(graphs.heads)), give(std::move(graphs.dependents)),
                 give(std::move(graphs.labels))));
}

// The transitions of every sentence: whether they are semantic, their numbers, parameters, and labels of arcs.
auto derivations(JointParser& parser, const nb::bytes& bytes, const Index& index, const std::vector<int>& columns,
                 int lemma, int form, const std::optional<SmallInts>& predicates, const std::optional<Ints>& heads,
                 const std::optional<Ints>& labels) {
  const Known known(predicates, heads, labels, index, parser.syntax().labels());
  const std::string_view text = view(bytes);
  nb::gil_scoped_release release;
  std::vector<std::vector<JointStep>> steps(index.size());
  parser.parse(text, index, {columns, lemma, form}, known.given, &steps);
  std::vector<std::vector<std::tuple<bool, int32_t, int32_t, int32_t>>> rows(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i)
    for (const auto& [layer, step] : steps[i])
      rows[i].emplace_back(layer == Layer::kSemantics, step.transition, step.parameter, step.label);
  return rows;
}

auto tables(JointParser& parser, const nb::bytes& bytes, const Index& index, const std::vector<int>& columns) {
  const std::string_view text = view(bytes);
  JointParser::Tables found = [&] {
    nb::gil_scoped_release release;
    return parser.tables(text, index, columns);
  }();
  return std::tuple(give(std::move(found.slots)), give(std::move(found.governors)), give(std::move(found.dependents)),
                    give(std::move(found.odds)), give(std::move(found.predicates)));
}

}  // namespace

void bind_joint(nb::module_& m) {
  nb::class_<SenseInventory>(m, "SenseInventory")
      .def(nb::init<const std::vector<std::string>&, std::vector<int32_t>, std::vector<int32_t>>(), "lemmas"_a,
           "first"_a, "senses"_a);
  nb::class_<Learning>(m, "Learning")
      .def(nb::new_(&make_learning), "look"_a, "weights"_a, "slots"_a, "odds"_a, "dynamic"_a, "regularized"_a,
           "exploration"_a, "aggressive"_a, "margin"_a);
  nb::class_<JointRollouts>(m, "JointRollouts")
      .def(nb::init<std::shared_ptr<const Program>, const OracleSpec&, std::shared_ptr<const Program>,
                    const OracleSpec&>(),
           "syntax"_a, "syntax_oracle"_a, "semantics"_a, "semantics_oracle"_a)
      .def("add", &JointRollouts::add, "text"_a, "index"_a, "heads"_a, "labels"_a, "first"_a, "arc_heads"_a,
           "arc_dependents"_a, "arc_labels"_a, "predicates"_a)
      .def("run", &JointRollouts::run, "syntax"_a, "semantics"_a, "syntactic_labels"_a, "order"_a, "seed"_a,
           "trees_given"_a);
  m.def("relation_count", [](int32_t labels) { return Relations::count(labels); }, "labels"_a);
  nb::class_<JointParser>(m, "JointParser")
      .def(nb::new_(&make_parser), "syntax"_a, "program"_a, "look"_a, "weights"_a, "inventory"_a)
      .def("parse", &parse, "text"_a, "index"_a, "columns"_a, "lemma"_a, "form"_a, "predicates"_a = nb::none(),
           "heads"_a = nb::none(), "labels"_a = nb::none())
      .def("tables", &tables, "text"_a, "index"_a, "columns"_a)
      .def("derivations", &derivations, "text"_a, "index"_a, "columns"_a, "lemma"_a, "form"_a,
           "predicates"_a = nb::none(), "heads"_a = nb::none(), "labels"_a = nb::none());
}

}  // namespace multiplane
