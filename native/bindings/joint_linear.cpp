// Linear parsers of trees and graphs in synchronous derivations: training and parsing.
#include <memory>
#include <optional>
#include <utility>

#include "bindings/graphs_of_text.hpp"
#include "bindings/linear.hpp"
#include "search/linear_joint_parser.hpp"
#include "training/joint_perceptron.hpp"

namespace multiplane {

namespace {

using Rows = std::vector<AttributeRow>;

// The attributes of words that each part of a model reads.
struct AttributeTables {
  Rows syntax, semantics, predicates;
};

std::vector<Attribute> attributes_for(const FeatureModel& features, const Rows& rows) {
  demand(rows.size() == features.width, "as many attributes as the feature model has");
  return make_attributes(rows);
}

// One system with its features, oracle and labels.
struct LearnedLayer {
  std::shared_ptr<const Program> program;
  std::shared_ptr<const FeatureModel> features;
  OracleSpec oracle;
  Perceptron perceptron;

  LearnedLayer(std::shared_ptr<const Program> p, std::shared_ptr<const FeatureModel> f, const OracleSpec& o,
               int32_t labels)
      : program(std::move(p)), features(std::move(f)), oracle(o), perceptron(program, features, labels) {}
};

struct LearnedPredicates {
  std::shared_ptr<const FeatureModel> features;
  std::shared_ptr<const SenseInventory> inventory;
  PredicateLearner learner;

  LearnedPredicates(std::shared_ptr<const FeatureModel> f, std::shared_ptr<const SenseInventory> i, int32_t senses)
      : features(std::move(f)), inventory(std::move(i)), learner(features, senses) {
    inventory->check(senses);
  }
};

// Perceptrons of both layers and of predicates, with their training data.
struct JointTrainer {
  std::shared_ptr<LearnedLayer> syntax, semantics;
  std::shared_ptr<LearnedPredicates> predicates;
  std::vector<SemanticSentence> sentences;
  JointPerceptron perceptron;

  JointTrainer(std::shared_ptr<LearnedLayer> s, std::shared_ptr<LearnedLayer> t, std::shared_ptr<LearnedPredicates> p)
      : syntax(std::move(s)),
        semantics(std::move(t)),
        predicates(std::move(p)),
        perceptron(syntax->program, semantics->program, syntax->perceptron, semantics->perceptron, predicates->learner,
                   *predicates->inventory) {}

  // Trees by word, graphs by arc, predicates and their senses by word.
  void add(const nb::bytes& bytes, const Index& index, const AttributeTables& tables, int lemma, int form,
           const Ints& heads, const Ints& labels, const Longs& first, const Ints& arc_heads, const Ints& arc_dependents,
           const Ints& arc_labels, const Bytes& is_predicate, const Ints& senses) {
    const std::string_view text = view(bytes);
    WordReader semantics_reader(attributes_for(*semantics->features, tables.semantics));
    WordReader predicates_reader(attributes_for(*predicates->features, tables.predicates));
    std::vector<Attribute> attributes = attributes_for(*syntax->features, tables.syntax);
    nb::gil_scoped_release release;
    std::vector<TrainingSentence> trees;
    read_trees(*syntax->program, syntax->oracle, text, index, std::move(attributes), view_of(heads), view_of(labels),
               TrainingPlanes::kStatic, trees);
    const ArcArrays arcs{first, arc_heads, arc_dependents, arc_labels};
    arcs.check(index.size());
    demand(is_predicate.size() == heads.size() && senses.size() == heads.size(), "the layers do not fit the text");
    FieldReader lemmas({lemma, form});
    for (std::size_t i = 0; i < trees.size(); ++i) {
      SemanticSentence s;
      s.syntax = std::move(trees[i]);
      s.semantics.n = s.syntax.n;
      s.semantics.arcs = arcs.of(i, s.syntax.n);
      semantics_reader.read(text, index, i, s.semantics.rows);
      predicates_reader.read(text, index, i, s.rows);
      derive(*semantics->program, semantics->oracle, TrainingPlanes::kStatic, s.semantics);
      const std::size_t begin = index.first_word[i], end = index.first_word[i + 1];
      s.predicates.assign(is_predicate.data() + begin, is_predicate.data() + end);
      s.senses.assign(senses.data() + begin, senses.data() + end);
      for (std::size_t w = begin; w < end; ++w) {
        lemmas.read(text, index.start[i] + index.word[w]);
        s.lemmas.push_back(predicates->inventory->lemma(lemmas.fields()[0], lemmas.fields()[1]));
      }
      sentences.push_back(std::move(s));
    }
  }

  // Counts of decisions and of wrong ones: for both layers transitions and labels, for predicates words and senses.
  auto train(const Longs& order, uint64_t seed, bool trees_given, bool dynamic, double exploration, float margin,
             float label_margin, bool regularized, double dropout) {
    TrainingOptions trees{dynamic, exploration, margin, label_margin, regularized, 1, dropout, false}, graphs = trees;
    graphs.dynamic = false;
    graphs.own_labels = true;
    const JointCounts counts = [&] {
      nb::gil_scoped_release release;
      return perceptron.train(sentences, view_of(order), {syntax->oracle, semantics->oracle},
                              {trees, graphs, trees_given}, seed);
    }();
    const auto row = [](const TrainingCounts& c) { return std::tuple(c.steps, c.wrong, c.arcs, c.wrong_labels); };
    return std::tuple(row(counts.syntax), row(counts.semantics), row(counts.predicates));
  }
};

// A frozen linear model that says something else than what trees are.
struct LinearTable {
  std::shared_ptr<const FeatureModel> features;
  FrozenLinear weights;

  LinearTable(std::shared_ptr<const FeatureModel> f, std::size_t transitions, int32_t labels, const Keys& keys,
              const Shorts& values, const Keys& label_keys, const UnsignedShorts& counts, const UnsignedShorts& classes,
              const Shorts& label_values)
      : features(std::move(f)),
        weights({view_of(keys), view_of(values), view_of(label_keys), view_of(counts), view_of(classes),
                 view_of(label_values)},
                *features, transitions, labels) {}

  LinearPart part() const { return {*features, weights}; }
};

struct BoundLinearJointParser {
  std::shared_ptr<const LinearParser> syntax;
  std::shared_ptr<const Program> program;
  std::shared_ptr<const LinearTable> semantics, predicates;
  std::shared_ptr<const SenseInventory> inventory;
  LinearJointParser parser;

  BoundLinearJointParser(std::shared_ptr<const LinearParser> s, std::shared_ptr<const Program> p,
                         std::shared_ptr<const LinearTable> t, std::shared_ptr<const LinearTable> u,
                         std::shared_ptr<const SenseInventory> i)
      : syntax(std::move(s)),
        program(std::move(p)),
        semantics(std::move(t)),
        predicates(std::move(u)),
        inventory(std::move(i)),
        parser(*syntax->base.program, {*syntax->base.features, syntax->weights}, syntax->base.root_label, *program,
               semantics->part(), predicates->part(), *inventory) {
    demand(semantics->weights.transition.classes() == static_cast<int32_t>(program->transitions.size()),
           "the weights of transitions do not fit their system");
  }

  LinearJointParser::Columns columns(const AttributeTables& tables, int lemma, int form) const {
    return {attributes_for(*syntax->base.features, tables.syntax),
            attributes_for(*semantics->features, tables.semantics),
            attributes_for(*predicates->features, tables.predicates), lemma, form};
  }

  // As for other joint parsers; it predicts no tags.
  auto parse(const nb::bytes& bytes, const Index& index, const AttributeTables& tables, int lemma, int form,
             const std::optional<SmallInts>& given, const std::optional<Ints>& heads,
             const std::optional<Ints>& labels) const {
    const Known known(given, heads, labels, index, syntax->weights.labels);
    const std::string_view text = view(bytes);
    LinearJointParser::Parsed found = [&] {
      nb::gil_scoped_release release;
      return parser.parse(text, index, columns(tables, lemma, form), known.given);
    }();
    return std::tuple(give(std::move(found.trees)), std::vector<Array<int32_t>>(), give(std::move(found.graphs)));
  }

  auto derivations(const nb::bytes& bytes, const Index& index, const AttributeTables& tables, int lemma, int form,
                   const std::optional<SmallInts>& given, const std::optional<Ints>& heads,
                   const std::optional<Ints>& labels) const {
    const Known known(given, heads, labels, index, syntax->weights.labels);
    const std::string_view text = view(bytes);
    nb::gil_scoped_release release;
    std::vector<std::vector<JointStep>> steps(index.size());
    parser.parse(text, index, columns(tables, lemma, form), known.given, &steps);
    return rows_of(steps);
  }
};

// The keys of the templates of transitions in every configuration of a derivation, beside a tree and predicates that
// are known from the start; templates that read no words. Arcs of the tree are dependents, heads and labels; predicates
// are words and senses; steps are transitions and labels.
std::vector<std::vector<Value>> graph_keys(const Program& program, const FeatureModel& features, int32_t n,
                                           const std::vector<std::tuple<int32_t, int32_t, int32_t>>& tree,
                                           const std::vector<std::pair<int32_t, int32_t>>& predicates,
                                           const std::vector<std::pair<int32_t, int32_t>>& steps) {
  const auto is_word = [&](int32_t v) { return v >= 1 && v <= n; };
  demand(program.parses_graphs && features.width == 0, "features of graphs without words");
  State s(program, n);
  for (const auto& [dependent, head, label] : tree) {
    demand(is_word(dependent) && is_word(head) && s.tree.head(dependent) < 0, "no such arc");
    s.tree.attach(head, dependent, label);
  }
  for (const auto& [word, sense] : predicates) {
    demand(is_word(word), "no such word");
    s.meaning.note_predicate(word, sense);
  }
  Machine machine(program);
  FeatureExtractor extractor(features.transition);
  std::vector<std::vector<Value>> keys{extractor.extract(s, nullptr, 0, features.mask, 0, {})};
  for (const auto& [transition, label] : steps) {
    demand(transition >= 0 && transition < static_cast<int32_t>(program.transitions.size()), "no such transition");
    demand(take(machine, s, transition, 0, [&, role = label](Ends) { return role; }), "an illegal transition");
    keys.push_back(extractor.extract(s, nullptr, 0, features.mask, 0, {}));
  }
  return keys;
}

void bind_training(nb::module_& m) {
  nb::class_<LearnedLayer>(m, "LearnedLayer")
      .def(nb::init<std::shared_ptr<const Program>, std::shared_ptr<const FeatureModel>, const OracleSpec&, int32_t>(),
           "program"_a, "features"_a, "oracle"_a, "labels"_a)
      .def_prop_ro("learner", [](LearnedLayer& layer) -> LinearLearner& { return layer.perceptron; });
  nb::class_<LearnedPredicates>(m, "LearnedPredicates")
      .def(nb::init<std::shared_ptr<const FeatureModel>, std::shared_ptr<const SenseInventory>, int32_t>(),
           "features"_a, "inventory"_a, "senses"_a)
      .def_prop_ro("learner", [](LearnedPredicates& predicates) -> LinearLearner& { return predicates.learner; });
  nb::class_<JointTrainer>(m, "JointPerceptron")
      .def(nb::init<std::shared_ptr<LearnedLayer>, std::shared_ptr<LearnedLayer>, std::shared_ptr<LearnedPredicates>>(),
           "syntax"_a, "semantics"_a, "predicates"_a)
      .def("add", &JointTrainer::add, "text"_a, "index"_a, "attributes"_a, "lemma"_a, "form"_a, "heads"_a, "labels"_a,
           "first"_a, "arc_heads"_a, "arc_dependents"_a, "arc_labels"_a, "predicates"_a, "senses"_a)
      .def("train", &JointTrainer::train, "order"_a, "seed"_a, "trees_given"_a, "dynamic"_a, "exploration"_a,
           "margin"_a, "label_margin"_a, "regularized"_a, "dropout"_a);
}

}  // namespace

void bind_joint_linear(nb::module_& m) {
  nb::class_<AttributeTables>(m, "AttributeTables")
      .def(nb::init<Rows, Rows, Rows>(), "syntax"_a, "semantics"_a, "predicates"_a);
  bind_training(m);
  m.def("graph_keys", &graph_keys, "program"_a, "features"_a, "n"_a, "tree"_a, "predicates"_a, "steps"_a);
  nb::class_<LinearTable>(m, "LinearTable")
      .def(nb::init<std::shared_ptr<const FeatureModel>, std::size_t, int32_t, const Keys&, const Shorts&, const Keys&,
                    const UnsignedShorts&, const UnsignedShorts&, const Shorts&>(),
           "features"_a, "transitions"_a, "labels"_a, "keys"_a, "weights"_a, "label_keys"_a, "label_counts"_a,
           "label_classes"_a, "label_weights"_a);
  nb::class_<BoundLinearJointParser>(m, "LinearJointParser")
      .def(nb::init<std::shared_ptr<const LinearParser>, std::shared_ptr<const Program>,
                    std::shared_ptr<const LinearTable>, std::shared_ptr<const LinearTable>,
                    std::shared_ptr<const SenseInventory>>(),
           "syntax"_a, "program"_a, "semantics"_a, "predicates"_a, "inventory"_a)
      .def("parse", &BoundLinearJointParser::parse, "text"_a, "index"_a, "attributes"_a, "lemma"_a, "form"_a,
           "predicates"_a = nb::none(), "heads"_a = nb::none(), "labels"_a = nb::none())
      .def("derivations", &BoundLinearJointParser::derivations, "text"_a, "index"_a, "attributes"_a, "lemma"_a,
           "form"_a, "predicates"_a = nb::none(), "heads"_a = nb::none(), "labels"_a = nb::none());
}

}  // namespace multiplane
