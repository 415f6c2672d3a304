// Support vector machines: what they learn from, and those with a kernel, which parse.
#include <memory>
#include <utility>

#include "bindings/common.hpp"
#include "bindings/models.hpp"
#include "scoring/kernel.hpp"
#include "training/instances.hpp"

namespace multiplane {

namespace {

using KeyRows = nb::ndarray<const uint64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <typename T>
std::vector<T> copy(const nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>& values) {
  return {values.data(), values.data() + values.size()};
}

// The decisions on some sentences of a text.
auto instances(const Program& program, const FeatureModel& features, const OracleSpec& oracle, const nb::bytes& bytes,
               const Index& index, const std::vector<AttributeRow>& rows, const Ints& heads, const Ints& labels,
               const Longs& sentences) {
  demand(rows.size() == features.width, "as many attributes as the feature model has");
  const std::string_view text = view(bytes);
  std::vector<TrainingSentence> trees;
  std::vector<int32_t> lost;
  Instances found;
  {
    nb::gil_scoped_release release;
    lost = read_trees(program, oracle, text, index, make_attributes(rows), view_of(heads), view_of(labels),
                      TrainingPlanes::kStatic, trees);
    found = instances_of(program, features, trees, view_of(sentences));
  }
  const std::size_t steps = found.transitions.classes.size(), arcs = found.labels.classes.size();
  return std::tuple(give_rows(std::move(found.transitions.keys), steps, features.transition.ends.size()),
                    give(std::move(found.transitions.classes)),
                    give_rows(std::move(found.labels.keys), arcs, features.label.ends.size()),
                    give(std::move(found.labels.classes)), give(std::move(lost)));
}

auto feature_matrix(const KeyRows& keys, int32_t least) {
  FeatureMatrix matrix;
  {
    nb::gil_scoped_release release;
    matrix = number_features(keys.data(), keys.shape(0), keys.shape(1), least);
  }
  return std::tuple(give(std::move(matrix.keys)), give(std::move(matrix.starts)), give(std::move(matrix.columns)));
}

std::shared_ptr<KernelMachine> make_machine(std::size_t templates, double gamma, double coef0, int32_t degree,
                                            const Keys& keys, const Ints& lengths, const Ints& columns,
                                            const Ints& classes, const Ints& support, const Doubles& coefficients,
                                            const Doubles& intercepts) {
  return std::make_shared<KernelMachine>(templates, PolynomialKernel{gamma, coef0, degree},
                                         KernelWeights{copy(keys), copy(lengths), copy(columns), copy(classes),
                                                       copy(support), copy(coefficients), copy(intercepts)});
}

// The values of all pairs of classes and the scores of all classes, for every row of keys.
auto decide(const KernelMachine& machine, const KeyRows& keys) {
  demand(keys.shape(1) == machine.templates(), "as many keys as there are templates");
  const std::size_t rows = keys.shape(0);
  KernelDecisions found = [&] {
    nb::gil_scoped_release release;
    return KernelDecisions(machine, keys.data(), rows);
  }();
  return std::tuple(give_rows(std::move(found.decisions), rows, machine.pairs()),
                    give_rows(std::move(found.scores), rows, machine.classes().size()));
}

struct KernelParser {
  using Machines = std::vector<std::shared_ptr<KernelMachine>>;

  FeatureBased base;
  std::shared_ptr<const FeatureModel> splits;
  KernelDivision transition, label;

  KernelParser(std::shared_ptr<const Program> p, std::shared_ptr<const FeatureModel> f,
               std::shared_ptr<const FeatureModel> s, const OracleSpec& o, int32_t labels, int32_t root,
               const Keys& values, const Machines& machines, const Keys& label_values, const Machines& label_machines)
      : base(std::move(p), std::move(f), o, labels, root),
        splits(std::move(s)),
        transition(base.features->transition, splits->transition, copy(values), {machines.begin(), machines.end()},
                   transitions()),
        label(base.features->label, splits->label, copy(label_values), {label_machines.begin(), label_machines.end()},
              labels) {
    demand(splits->width == base.features->width, "as many attributes to split by as the feature model has");
  }

  auto parse(const nb::bytes& text, const Index& index, const std::vector<AttributeRow>& attributes, int beam,
             const std::optional<Ints>& fixed_heads, const std::optional<Ints>& fixed_labels,
             const std::optional<Ints>& first_forbidden, const std::optional<Ints>& forbidden) const {
    KernelScorer scorer(*base.features, *splits, transition, label, transitions(), base.labels);
    return base.parse(scorer, text, index, attributes, beam, {fixed_heads, fixed_labels, first_forbidden, forbidden});
  }

  auto evidence(const nb::bytes& text, const Index& index, const std::vector<AttributeRow>& attributes, int beam,
                int32_t most, float temperature, const std::optional<Ints>& fixed_heads,
                const std::optional<Ints>& fixed_labels, const std::optional<Ints>& first_forbidden,
                const std::optional<Ints>& forbidden) const {
    KernelScorer scorer(*base.features, *splits, transition, label, transitions(), base.labels);
    return base.evidence(scorer, text, index, attributes, evidence_options(beam, most, temperature),
                         {fixed_heads, fixed_labels, first_forbidden, forbidden});
  }

  Sequences derivations(const nb::bytes& text, const Index& index, const std::vector<AttributeRow>& attributes,
                        int beam) const {
    KernelScorer scorer(*base.features, *splits, transition, label, transitions(), base.labels);
    return base.derivations(scorer, text, index, attributes, beam);
  }

  auto scored_derivation(const nb::bytes& text, const Index& index, const std::vector<AttributeRow>& attributes,
                         int beam, const ChosenRows& chosen) const {
    KernelScorer scorer(*base.features, *splits, transition, label, transitions(), base.labels);
    return base.scored_derivation(scorer, text, index, attributes, beam, chosen);
  }

 private:
  int32_t transitions() const { return static_cast<int32_t>(base.program->transitions.size()); }
};

}  // namespace

void bind_svm(nb::module_& m) {
  m.def("instances", &instances, "program"_a, "features"_a, "oracle"_a, "text"_a, "index"_a, "attributes"_a, "heads"_a,
        "labels"_a, "sentences"_a);
  m.def("feature_matrix", &feature_matrix, "keys"_a, "least"_a);

  nb::class_<KernelMachine>(m, "KernelMachine")
      .def(nb::new_(&make_machine), "templates"_a, "gamma"_a, "coef0"_a, "degree"_a, "keys"_a, "lengths"_a, "columns"_a,
           "classes"_a, "support"_a, "coefficients"_a, "intercepts"_a)
      .def("decide", &decide, "keys"_a);

  nb::class_<KernelParser>(m, "KernelParser")
      .def(nb::init<std::shared_ptr<const Program>, std::shared_ptr<const FeatureModel>,
                    std::shared_ptr<const FeatureModel>, const OracleSpec&, int32_t, int32_t, const Keys&,
                    const KernelParser::Machines&, const Keys&, const KernelParser::Machines&>(),
           "program"_a, "features"_a, "splits"_a, "oracle"_a, "labels"_a, "root_label"_a, "values"_a, "machines"_a,
           "label_values"_a, "label_machines"_a)
      .def("parse", &KernelParser::parse, "text"_a, "index"_a, "attributes"_a, "beam"_a, "fixed_heads"_a = nb::none(),
           "fixed_labels"_a = nb::none(), "first_forbidden"_a = nb::none(), "forbidden"_a = nb::none())
      .def("evidence", &KernelParser::evidence, "text"_a, "index"_a, "attributes"_a, "beam"_a, "most"_a,
           "temperature"_a, "fixed_heads"_a = nb::none(), "fixed_labels"_a = nb::none(),
           "first_forbidden"_a = nb::none(), "forbidden"_a = nb::none())
      .def("derivations", &KernelParser::derivations, "text"_a, "index"_a, "attributes"_a, "beam"_a)
      .def("scored_derivation", &KernelParser::scored_derivation, "text"_a, "index"_a, "attributes"_a, "beam"_a,
           "chosen"_a);
}

}  // namespace multiplane
