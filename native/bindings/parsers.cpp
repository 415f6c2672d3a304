// Feature-based parsers: words as values, training, parsing.
#include <cmath>
#include <memory>
#include <thread>

#include "bindings/common.hpp"
#include "bindings/models.hpp"
#include "scoring/frozen.hpp"
#include "text/rewrite.hpp"
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
  std::vector<int32_t> add(const nb::bytes& bytes, const Index& index, const std::vector<AttributeRow>& attributes,
                           const Ints& heads, const Ints& labels) {
    demand(attributes.size() == features->width, "as many attributes as the feature model has");
    return read_trees(*program, oracle, bytes, index, attributes, heads, labels, Turned::kNo, sentences);
  }

  nb::tuple train(const Longs& order, uint64_t seed, bool dynamic, double exploration, float margin, float label_margin,
                  bool regularized, int beam, bool early_update, double dropout) {
    TrainingCounts counts;
    TrainingOptions options{dynamic, exploration, margin, regularized, beam, dropout, early_update};
    perceptron.label_margin = label_margin;
    for (std::size_t i = 0; i < order.size(); ++i)
      demand(order(i) >= 0 && order(i) < static_cast<int64_t>(sentences.size()), "no such sentence");
    {
      nb::gil_scoped_release release;
      for (std::size_t i = 0; i < order.size(); ++i)
        perceptron.train(sentences[order(i)], oracle, options, mix(seed, order(i) + 1), counts);
    }
    return nb::make_tuple(counts.steps, counts.wrong, counts.arcs, counts.wrong_labels, counts.updates);
  }

  // The averaged weights as whole numbers; rows whose weights all round to nothing, or less than the threshold, are
  // left out.
  nb::tuple freeze(double threshold) {
    std::vector<Value> keys, kept, label_kept;
    std::vector<int16_t> weights, label_weights;
    std::vector<uint16_t> label_classes, label_counts;
    {
      nb::gil_scoped_release release;
      const double time = std::max(perceptron.time_, 1.0);
      std::vector<float> all;
      perceptron.transition_weights.average(time, keys, all);
      const std::size_t classes = perceptron.transition_weights.classes();
      // One scale for both, since with a beam they are added up.
      float largest = 0;
      for (float w : all) largest = std::max(largest, std::abs(w));
      perceptron.label_weights.walk([&](Value, const std::vector<SparseWeights::Entry>& row) {
        for (const auto& e : row) largest = std::max(largest, std::abs(averaged(e, time)));
      });
      const double scale = largest > 0 ? kLargest / largest : 1.0;
      for (std::size_t r = 0; r < keys.size(); ++r) {
        const float* row = all.data() + r * classes;
        if (std::none_of(row, row + classes, [&](float w) { return std::abs(w) >= threshold && rounded(w, scale); }))
          continue;
        kept.push_back(keys[r]);
        for (std::size_t c = 0; c < classes; ++c) weights.push_back(rounded(row[c], scale));
      }
      perceptron.label_weights.walk([&](Value key, const std::vector<SparseWeights::Entry>& row) {
        uint16_t count = 0;
        for (const auto& e : row) {
          const float w = averaged(e, time);
          if (std::abs(w) < threshold / 2 || rounded(w, scale) == 0) continue;
          label_classes.push_back(static_cast<uint16_t>(e.cls));
          label_weights.push_back(rounded(w, scale));
          ++count;
        }
        if (count == 0) return;
        label_kept.push_back(key);
        label_counts.push_back(count);
      });
    }
    return nb::make_tuple(give(std::move(kept)), give(std::move(weights)), give(std::move(label_kept)),
                          give(std::move(label_counts)), give(std::move(label_classes)),
                          give(std::move(label_weights)));
  }

  static float averaged(const SparseWeights::Entry& e, double time) {
    return static_cast<float>(e.now - e.summed / time);
  }
  static constexpr double kLargest = 32000;
  static int16_t rounded(float w, double scale) { return static_cast<int16_t>(std::lround(w * scale)); }

  // Everything that training goes on from.
  nb::tuple state() {
    std::vector<Value> keys, label_keys;
    std::vector<float> now, label_now;
    std::vector<double> summed, label_summed;
    std::vector<int32_t> classes;
    {
      nb::gil_scoped_release release;
      perceptron.transition_weights.dump(keys, now, summed);
      perceptron.label_weights.walk([&](Value key, const std::vector<SparseWeights::Entry>& row) {
        for (const auto& e : row) {
          label_keys.push_back(key);
          classes.push_back(e.cls);
          label_now.push_back(e.now);
          label_summed.push_back(e.summed);
        }
      });
    }
    return nb::make_tuple(perceptron.time_, give(std::move(keys)), give(std::move(now)), give(std::move(summed)),
                          give(std::move(label_keys)), give(std::move(classes)), give(std::move(label_now)),
                          give(std::move(label_summed)));
  }

  void restore(double time, const Keys& keys, const Floats& now, const Doubles& summed, const Keys& label_keys,
               const Ints& classes, const Floats& label_now, const Doubles& label_summed) {
    const std::size_t width = perceptron.transition_weights.classes(), count = label_keys.size();
    demand(now.size() == keys.size() * width && summed.size() == now.size(), "weights do not fit their keys");
    demand(classes.size() == count && label_now.size() == count && label_summed.size() == count,
           "label weights do not fit their keys");
    for (std::size_t i = 0; i < count; ++i)
      demand(label_keys(i) != 0 && classes(i) >= 0 && classes(i) < perceptron.labels(), "no such label");
    nb::gil_scoped_release release;
    perceptron.time_ = time;
    perceptron.transition_weights.restore(keys.data(), keys.size(), now.data(), summed.data());
    perceptron.label_weights.clear();
    for (std::size_t i = 0; i < count; ++i)
      perceptron.label_weights.restore(label_keys(i), classes(i), label_now(i), label_summed(i));
  }
};

// A frozen linear model that parses texts.
struct LinearParser {
  static constexpr std::size_t kMostTemplates = 10'000;  // so that no sum of weights can overflow

  std::shared_ptr<const Program> program;
  std::shared_ptr<const FeatureModel> features;
  OracleKind oracle;
  FrozenLinear weights;
  int32_t root_label;

  LinearParser(std::shared_ptr<const Program> p, std::shared_ptr<const FeatureModel> f, const Oracle& o, int32_t labels,
               int32_t root, const Keys& keys, const Shorts& values, const Keys& label_keys,
               const nb::ndarray<const uint16_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>& counts,
               const nb::ndarray<const uint16_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>& classes,
               const Shorts& label_values)
      : program(std::move(p)), features(std::move(f)), oracle(o.kind), root_label(root) {
    const int32_t transitions = static_cast<int32_t>(program->transitions.size());
    demand(values.size() == keys.size() * transitions, "the weights of transitions do not fit their keys");
    demand(counts.size() == label_keys.size() && classes.size() == label_values.size(),
           "the weights of labels do not fit their keys");
    demand(features->transition.ends.size() <= kMostTemplates, "too many templates");
    for (const Keys* sorted : {&keys, &label_keys})
      for (std::size_t r = 0; r < sorted->size(); ++r)
        demand((*sorted)(r) > (r == 0 ? 0 : (*sorted)(r - 1)), "keys must be in order, each once");
    demand(labels >= 1 && labels < 65536 && root >= 0 && root < labels, "no such label");
    std::size_t total = 0;
    for (std::size_t r = 0; r < counts.size(); ++r) total += counts(r);
    demand(total == classes.size(), "the weights of labels do not fit their keys");
    for (std::size_t i = 0; i < classes.size(); ++i) demand(classes(i) < labels, "no such label");
    nb::gil_scoped_release release;
    weights.labels = labels;
    weights.transition = FrozenDense(transitions, keys.size());
    for (std::size_t r = 0; r < keys.size(); ++r) weights.transition.insert(keys(r), values.data() + r * transitions);
    weights.label = FrozenSparse(label_keys.size());
    std::vector<FrozenSparse::Item> items;
    std::size_t at = 0;
    for (std::size_t r = 0; r < label_keys.size(); ++r) {
      items.clear();
      for (int i = 0; i < counts(r); ++i, ++at) items.push_back({classes(at), label_values(at)});
      weights.label.insert(label_keys(r), items);
    }
  }

  nb::tuple parse(const nb::bytes& bytes, const Index& index, const std::vector<AttributeRow>& attributes, int beam,
                  const std::optional<Ints>& given_heads, const std::optional<Ints>& given_labels) const {
    demand(attributes.size() == features->width, "as many attributes as the feature model has");
    FrozenScorer scorer(*features, weights);
    return parse_text(*program, scorer, oracle, weights.labels, root_label, bytes, index, attributes, beam, given_heads,
                      given_labels);
  }

  Sequences derivations(const nb::bytes& bytes, const Index& index, const std::vector<AttributeRow>& attributes,
                        int beam, bool copies) const {
    demand(attributes.size() == features->width, "as many attributes as the feature model has");
    FrozenScorer scorer(*features, weights);
    return derivations_of_text(*program, scorer, oracle, bytes, index, attributes, beam, copies);
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
                    int32_t, const Keys&, const Shorts&, const Keys&,
                    const nb::ndarray<const uint16_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>&,
                    const nb::ndarray<const uint16_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>&, const Shorts&>(),
           "program"_a, "features"_a, "oracle"_a, "labels"_a, "root_label"_a, "keys"_a, "weights"_a, "label_keys"_a,
           "label_counts"_a, "label_classes"_a, "label_weights"_a)
      .def("parse", &LinearParser::parse, "text"_a, "index"_a, "attributes"_a, "beam"_a, "given_heads"_a = nb::none(),
           "given_labels"_a = nb::none())
      .def("derivations", &LinearParser::derivations, "text"_a, "index"_a, "attributes"_a, "beam"_a,
           "copies"_a = false);

  m.def("rewrite", &rewrite, "text"_a, "index"_a, "head"_a, "heads"_a, "labels"_a, "filled"_a);
}

}  // namespace multiplane
