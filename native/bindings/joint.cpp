// Synchronous parsers of trees and graphs: roll-outs to learn from, and parsing.
#include <memory>
#include <optional>
#include <utility>

#include "bindings/graphs_of_text.hpp"
#include "bindings/models.hpp"
#include "bindings/networks.hpp"
#include "search/joint_parser.hpp"
#include "training/joint_rollout.hpp"

namespace multiplane {

namespace {

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
    const ArcArrays arcs{first, arc_heads, arc_dependents, arc_labels};
    arcs.check(index.size());
    demand(predicates.size() == heads.size(), "the layers do not fit the text");
    for (std::size_t i = 0; i < trees.size(); ++i) {
      JointSentence s;
      s.syntax = std::move(trees[i]);
      s.semantics.n = s.syntax.n;
      s.semantics.arcs = arcs.of(i, s.syntax.n);
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
  return std::tuple(give(std::move(found.trees.trees)), give_tags(found.trees), give(std::move(found.graphs)));
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
  return rows_of(steps);
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
