// Feature-based parsers: words as values, training, parsing.
#include <memory>

#include "bindings/common.hpp"
#include "bindings/linear.hpp"
#include "bindings/models.hpp"
#include "training/perceptron.hpp"

namespace multiplane {

namespace {

using PartRows = std::tuple<std::vector<Row>, std::vector<Row>, std::vector<std::vector<int>>>;

FeaturePart make_part(const PartRows& rows, std::size_t width) {
  const auto& [nodes, atoms, templates] = rows;
  FeaturePart part;
  part.nodes = make_addresses(nodes);
  const int count = static_cast<int>(nodes.size());
  for (const auto& [kind, a, b] : atoms) {
    demand(kind >= 0 && kind <= static_cast<int>(AtomKind::kRoles) && a >= 0 && b >= 0, "unknown value");
    const auto known = static_cast<AtomKind>(kind);
    demand(node_count(known) < 1 || a < count, "a value of an unknown address");
    demand(known != AtomKind::kWord || b < static_cast<int>(width), "a value of an unknown attribute");
    demand(node_count(known) < 2 || b < count, "a value of an unknown address");
    part.atoms.push_back({known, a, b});
  }
  for (const auto& joined : templates) {
    for (int atom : joined) {
      demand(atom >= 0 && atom < static_cast<int>(atoms.size()), "a template of an unknown value");
      part.joined.push_back(atom);
    }
    part.ends.push_back(static_cast<int32_t>(part.joined.size()));
  }
  return part;
}

std::shared_ptr<FeatureModel> make_features(std::size_t width, const PartRows& transition, const PartRows& label,
                                            int bits) {
  auto model = std::make_shared<FeatureModel>();
  model->width = width;
  model->transition = make_part(transition, width);
  model->label = make_part(label, width);
  demand(bits >= 1 && bits <= 64, "a table has 1 to 64 bits");
  if (bits < 64) model->mask = (uint64_t{1} << bits) - 1;
  return model;
}

// A perceptron with its training data.
struct Trainer {
  std::shared_ptr<const Program> program;
  std::shared_ptr<const FeatureModel> features;
  OracleSpec oracle;
  std::vector<TrainingSentence> sentences;
  Perceptron perceptron;

  Trainer(std::shared_ptr<const Program> p, std::shared_ptr<const FeatureModel> f, const OracleSpec& o, int32_t labels)
      : program(std::move(p)), features(std::move(f)), oracle(o), perceptron(program, features, labels) {}

  // Adds the sentences of a text; returns for each how many gold arcs no derivation builds.
  std::vector<int32_t> add(const nb::bytes& bytes, const Index& index, const std::vector<AttributeRow>& rows,
                           const Ints& heads, const Ints& labels) {
    demand(rows.size() == features->width, "as many attributes as the feature model has");
    const std::string_view text = view(bytes);
    nb::gil_scoped_release release;
    return read_trees(*program, oracle, text, index, make_attributes(rows), view_of(heads), view_of(labels),
                      TrainingPlanes::kStatic, sentences);
  }

  auto train(const Longs& order, uint64_t seed, bool dynamic, double exploration, float margin, float label_margin,
             bool regularized, int beam, bool early_update, double dropout) {
    const TrainingOptions options{dynamic, exploration, margin, label_margin, regularized, beam, dropout, early_update};
    const TrainingCounts counts = [&] {
      nb::gil_scoped_release release;
      return perceptron.train(sentences, view_of(order), oracle, options, seed);
    }();
    return std::tuple(counts.steps, counts.wrong, counts.arcs, counts.wrong_labels, counts.updates);
  }
};

void bind_features(nb::module_& m) {
  nb::enum_<NodeOp>(m, "NodeOp", nb::is_arithmetic(), "How to find a node in a configuration.")
      .value("STACK", NodeOp::kStack, "an item of a stack, counted from the top")
      .value("BUFFER", NodeOp::kBuffer, "an item of the buffer, counted from the front")
      .value("ASIDE", NodeOp::kAside, "an item of Covington's second list, counted from the end next to the stack")
      .value("GOVERNOR", NodeOp::kGovernor, "the head of the arc about to be built")
      .value("DEPENDENT", NodeOp::kDependent, "the dependent of the arc about to be built")
      .value("HEAD", NodeOp::kHead, "the head of a node")
      .value("LDEP", NodeOp::kLeftDependent, "the k-th leftmost left dependent of a node")
      .value("RDEP", NodeOp::kRightDependent, "the k-th rightmost right dependent of a node")
      .value("LSIB", NodeOp::kLeftSibling, "the nearest sibling to the left")
      .value("RSIB", NodeOp::kRightSibling, "the nearest sibling to the right")
      .value("NEXT", NodeOp::kNext, "the word k places after a node")
      .value("PREVIOUS", NodeOp::kPrevious, "the word k places before a node")
      .value("LEFT", NodeOp::kLeft, "the left end of the undirected edge about to be built")
      .value("RIGHT", NodeOp::kRight, "the right end of the undirected edge about to be built")
      .value("LLINK", NodeOp::kLeftLink, "the k-th leftmost node among those linked to a node on its left")
      .value("RLINK", NodeOp::kRightLink, "the k-th rightmost node among those linked to a node on its right")
      .value("LUSIB", NodeOp::kLeftUndirectedSibling,
             "the nearest node to the left that is linked to a common node to the right")
      .value("RUSIB", NodeOp::kRightUndirectedSibling,
             "the nearest node to the right that is linked to a common node to the left");
  nb::enum_<AtomKind>(m, "AtomKind", nb::is_arithmetic(), "The kind of a value.")
      .value("WORD", AtomKind::kWord, "a static attribute of a word")
      .value("DEPREL", AtomKind::kDeprel, "the label of a node's arc in the partial tree")
      .value("LVALENCY", AtomKind::kLeftValency, "the number of left dependents, or of words linked on the left")
      .value("RVALENCY", AtomKind::kRightValency, "the number of right dependents, or of words linked on the right")
      .value("VALENCY", AtomKind::kValency, "the number of dependents, or of linked words")
      .value("LLABELS", AtomKind::kLeftLabels, "the set of labels of the left dependents or edges")
      .value("RLABELS", AtomKind::kRightLabels, "the set of labels of the right dependents or edges")
      .value("LABELS", AtomKind::kLabels, "the set of labels of all dependents or edges")
      .value("DISTANCE", AtomKind::kDistance, "from one node to another, signed, in buckets")
      .value("LINKED", AtomKind::kLinked, "whether an arc links two nodes, and in which direction")
      .value("TRANSITION", AtomKind::kTransition, "the i-th last transition")
      .value("SIZE", AtomKind::kSize, "the length of a list, in buckets")
      .value("ACTIVE", AtomKind::kActive, "the index of the active stack")
      .value("LABEL", AtomKind::kLabel, "the label of the arc or edge between two nodes")
      .value("PATH", AtomKind::kPath, "the labels on the way from one node to another in the tree")
      .value("ROLE", AtomKind::kRole, "the labels of the arcs between two nodes of the graph, in both directions")
      .value("PREDICATE", AtomKind::kPredicate, "whether a word is a predicate of the graph")
      .value("SENSE", AtomKind::kSense, "the sense of a predicate")
      .value("ARGUMENTS", AtomKind::kArguments, "the set of roles of a predicate's arguments")
      .value("ROLES", AtomKind::kRoles, "the set of roles that a word has");
  nb::enum_<AttributeKind>(m, "AttributeKind", nb::is_arithmetic(), "How to compute an attribute from a column.")
      .value("WHOLE", AttributeKind::kWhole, "the column unchanged")
      .value("LOWER", AttributeKind::kLower, "in lower case")
      .value("PREFIX", AttributeKind::kPrefix, "its first characters")
      .value("SUFFIX", AttributeKind::kSuffix, "its last characters")
      .value("SHAPE", AttributeKind::kShape, "its pattern of capitals, digits and the rest")
      .value("FEATS_ATTRIBUTE", AttributeKind::kFeature, "the value of one morphological feature")
      .value("TAG", AttributeKind::kTag,
             "the most specific tag: XPOS, or UPOS with FEATS if XPOS adds nothing to UPOS");
}

}  // namespace

void bind_parsers(nb::module_& m) {
  bind_features(m);
  nb::class_<LinearLearner>(m, "LinearLearner")
      .def("freeze", &frozen, "threshold"_a)
      .def("state", &state_of)
      .def("restore", &restore, "time"_a, "keys"_a, "now"_a, "summed"_a, "label_keys"_a, "classes"_a, "label_now"_a,
           "label_summed"_a);
  nb::class_<FeatureModel>(m, "FeatureModel")
      .def(nb::new_(&make_features), "width"_a, "transition"_a, "label"_a, "bits"_a);

  nb::class_<Trainer>(m, "Perceptron")
      .def(nb::init<std::shared_ptr<const Program>, std::shared_ptr<const FeatureModel>, const OracleSpec&, int32_t>(),
           "program"_a, "features"_a, "oracle"_a, "labels"_a)
      .def("add", &Trainer::add, "text"_a, "index"_a, "attributes"_a, "heads"_a, "labels"_a)
      .def("train", &Trainer::train, "order"_a, "seed"_a, "dynamic"_a, "exploration"_a, "margin"_a, "label_margin"_a,
           "regularized"_a, "beam"_a, "early_update"_a, "dropout"_a)
      .def_prop_ro("learner", [](Trainer& trainer) -> LinearLearner& { return trainer.perceptron; });

  nb::class_<LinearParser>(m, "LinearParser")
      .def(nb::init<std::shared_ptr<const Program>, std::shared_ptr<const FeatureModel>, const OracleSpec&, int32_t,
                    int32_t, const Keys&, const Shorts&, const Keys&, const UnsignedShorts&, const UnsignedShorts&,
                    const Shorts&>(),
           "program"_a, "features"_a, "oracle"_a, "labels"_a, "root_label"_a, "keys"_a, "weights"_a, "label_keys"_a,
           "label_counts"_a, "label_classes"_a, "label_weights"_a)
      .def("parse", &LinearParser::parse, "text"_a, "index"_a, "attributes"_a, "beam"_a, "fixed_heads"_a = nb::none(),
           "fixed_labels"_a = nb::none(), "first_forbidden"_a = nb::none(), "forbidden"_a = nb::none())
      .def("evidence", &LinearParser::evidence, "text"_a, "index"_a, "attributes"_a, "beam"_a, "most"_a,
           "temperature"_a, "fixed_heads"_a = nb::none(), "fixed_labels"_a = nb::none(),
           "first_forbidden"_a = nb::none(), "forbidden"_a = nb::none())
      .def("derivations", &LinearParser::derivations, "text"_a, "index"_a, "attributes"_a, "beam"_a, "copies"_a = false)
      .def("scored_derivation", &LinearParser::scored_derivation, "text"_a, "index"_a, "attributes"_a, "beam"_a,
           "chosen"_a);
}

}  // namespace multiplane
