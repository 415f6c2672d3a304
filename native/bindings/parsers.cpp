// Feature-based parsers: words as values, training, parsing.
#include <memory>

#include "bindings/common.hpp"
#include "bindings/models.hpp"
#include "scoring/frozen.hpp"
#include "text/rewrite.hpp"
#include "training/perceptron.hpp"

namespace multiplane {

namespace {

using UnsignedShorts = nb::ndarray<const uint16_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using PartRows = std::tuple<std::vector<Row>, std::vector<Row>, std::vector<std::vector<int>>>;

FeaturePart make_part(const PartRows& rows, std::size_t width) {
  const auto& [nodes, atoms, templates] = rows;
  FeaturePart part;
  part.nodes = make_addresses(nodes);
  const int count = static_cast<int>(nodes.size());
  for (const auto& [kind, a, b] : atoms) {
    demand(kind >= 0 && kind <= static_cast<int>(AtomKind::kActive) && a >= 0 && b >= 0, "unknown value");
    const auto known = static_cast<AtomKind>(kind);
    demand(known > AtomKind::kLinked || a < count, "a value of an unknown address");
    demand(known != AtomKind::kWord || b < static_cast<int>(width), "a value of an unknown attribute");
    demand((known != AtomKind::kDistance && known != AtomKind::kLinked) || b < count, "a value of an unknown address");
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
  OracleKind oracle;
  std::vector<TrainingSentence> sentences;
  Perceptron perceptron;

  Trainer(std::shared_ptr<const Program> p, std::shared_ptr<const FeatureModel> f, const Oracle& o, int32_t labels)
      : program(std::move(p)), features(std::move(f)), oracle(o.kind), perceptron(program, features, labels) {}

  // Adds the sentences of a text; returns for each how many gold arcs no derivation builds.
  std::vector<int32_t> add(const nb::bytes& bytes, const Index& index, const std::vector<AttributeRow>& rows,
                           const Ints& heads, const Ints& labels) {
    demand(rows.size() == features->width, "as many attributes as the feature model has");
    const std::string_view text = view(bytes);
    nb::gil_scoped_release release;
    return read_trees(*program, oracle, text, index, make_attributes(rows), view_of(heads), view_of(labels),
                      Turned::kNo, sentences);
  }

  nb::tuple train(const Longs& order, uint64_t seed, bool dynamic, double exploration, float margin, float label_margin,
                  bool regularized, int beam, bool early_update, double dropout) {
    const TrainingOptions options{dynamic, exploration, margin, label_margin, regularized, beam, dropout, early_update};
    const TrainingCounts counts = [&] {
      nb::gil_scoped_release release;
      return perceptron.train(sentences, view_of(order), oracle, options, seed);
    }();
    return nb::make_tuple(counts.steps, counts.wrong, counts.arcs, counts.wrong_labels, counts.updates);
  }

  nb::tuple freeze(double threshold) const {
    FrozenWeights frozen = [&] {
      nb::gil_scoped_release release;
      return perceptron.freeze(threshold);
    }();
    return nb::make_tuple(give(std::move(frozen.keys)), give(std::move(frozen.weights)),
                          give(std::move(frozen.label_keys)), give(std::move(frozen.label_counts)),
                          give(std::move(frozen.label_classes)), give(std::move(frozen.label_weights)));
  }

  nb::tuple state() const {
    PerceptronState state = [&] {
      nb::gil_scoped_release release;
      return perceptron.state();
    }();
    return nb::make_tuple(state.time, give(std::move(state.keys)), give(std::move(state.now)),
                          give(std::move(state.summed)), give(std::move(state.label_keys)),
                          give(std::move(state.classes)), give(std::move(state.label_now)),
                          give(std::move(state.label_summed)));
  }

  void restore(double time, const Keys& keys, const Floats& now, const Doubles& summed, const Keys& label_keys,
               const Ints& classes, const Floats& label_now, const Doubles& label_summed) {
    nb::gil_scoped_release release;
    perceptron.restore(time, {view_of(keys), view_of(now), view_of(summed), view_of(label_keys), view_of(classes),
                              view_of(label_now), view_of(label_summed)});
  }
};

// A frozen linear model that parses texts.
struct LinearParser {
  FeatureBased base;
  FrozenLinear weights;

  LinearParser(std::shared_ptr<const Program> p, std::shared_ptr<const FeatureModel> f, const Oracle& o, int32_t labels,
               int32_t root, const Keys& keys, const Shorts& values, const Keys& label_keys,
               const UnsignedShorts& counts, const UnsignedShorts& classes, const Shorts& label_values)
      : base(std::move(p), std::move(f), o, labels, root),
        weights({view_of(keys), view_of(values), view_of(label_keys), view_of(counts), view_of(classes),
                 view_of(label_values)},
                *base.features, base.program->transitions.size(), labels) {}

  nb::tuple parse(const nb::bytes& text, const Index& index, const std::vector<AttributeRow>& attributes, int beam,
                  const std::optional<Ints>& fixed_heads, const std::optional<Ints>& fixed_labels) const {
    FrozenScorer scorer(*base.features, weights);
    return base.parse(scorer, text, index, attributes, beam, fixed_heads, fixed_labels);
  }

  Sequences derivations(const nb::bytes& text, const Index& index, const std::vector<AttributeRow>& attributes,
                        int beam, bool copies) const {
    FrozenScorer scorer(*base.features, weights);
    return base.derivations(scorer, text, index, attributes, beam, copies);
  }
};

// For every word of a column the place of its new text among the names.
using ColumnRow = std::tuple<int, Ints, std::vector<std::string>>;

// The text with other heads and labels; further columns are filled where they are empty.
nb::bytes rewrite(const nb::bytes& bytes, const Index& index, int head, const Ints& heads, const ColumnRow& labels,
                  const std::vector<ColumnRow>& filled) {
  demand(heads.size() == index.heads.size(), "one head for each word");
  std::vector<NewColumn> columns{{head, heads.data(), nullptr, false}};
  auto add = [&](const ColumnRow& row, bool only_empty) {
    const auto& [column, values, names] = row;
    demand(values.size() == index.heads.size(), "one value for each word");
    for (std::size_t w = 0; w < values.size(); ++w)
      demand(values(w) >= 0 && values(w) < static_cast<int32_t>(names.size()), "no such label");
    columns.push_back({column, values.data(), &names, only_empty});
  };
  add(labels, false);
  for (const ColumnRow& row : filled) add(row, true);
  const std::string_view text = view(bytes);
  std::string out;
  {
    nb::gil_scoped_release release;
    out = rewritten(text, index, std::move(columns));
  }
  return nb::bytes(out.data(), out.size());
}

}  // namespace

void bind_parsers(nb::module_& m) {
  nb::class_<FeatureModel>(m, "FeatureModel")
      .def(nb::new_(&make_features), "width"_a, "transition"_a, "label"_a, "bits"_a);

  nb::class_<Oracle>(m, "OracleKind")
      .def(nb::init<const Program&, const std::vector<int>&, const std::vector<int>&, int, int, int, bool>(),
           "program"_a, "roles"_a, "arcs"_a, "strategy"_a, "target"_a, "loss"_a, "switch_is_bounded"_a);

  nb::class_<Trainer>(m, "Perceptron")
      .def(nb::init<std::shared_ptr<const Program>, std::shared_ptr<const FeatureModel>, const Oracle&, int32_t>(),
           "program"_a, "features"_a, "oracle"_a, "labels"_a)
      .def("add", &Trainer::add, "text"_a, "index"_a, "attributes"_a, "heads"_a, "labels"_a)
      .def("train", &Trainer::train, "order"_a, "seed"_a, "dynamic"_a, "exploration"_a, "margin"_a, "label_margin"_a,
           "regularized"_a, "beam"_a, "early_update"_a, "dropout"_a)
      .def("freeze", &Trainer::freeze, "threshold"_a)
      .def("state", &Trainer::state)
      .def("restore", &Trainer::restore, "time"_a, "keys"_a, "now"_a, "summed"_a, "label_keys"_a, "classes"_a,
           "label_now"_a, "label_summed"_a);

  nb::class_<LinearParser>(m, "LinearParser")
      .def(nb::init<std::shared_ptr<const Program>, std::shared_ptr<const FeatureModel>, const Oracle&, int32_t,
                    int32_t, const Keys&, const Shorts&, const Keys&, const UnsignedShorts&, const UnsignedShorts&,
                    const Shorts&>(),
           "program"_a, "features"_a, "oracle"_a, "labels"_a, "root_label"_a, "keys"_a, "weights"_a, "label_keys"_a,
           "label_counts"_a, "label_classes"_a, "label_weights"_a)
      .def("parse", &LinearParser::parse, "text"_a, "index"_a, "attributes"_a, "beam"_a, "fixed_heads"_a = nb::none(),
           "fixed_labels"_a = nb::none())
      .def("derivations", &LinearParser::derivations, "text"_a, "index"_a, "attributes"_a, "beam"_a,
           "copies"_a = false);

  m.def("rewrite", &rewrite, "text"_a, "index"_a, "head"_a, "heads"_a, "labels"_a, "filled"_a);
}

}  // namespace multiplane
