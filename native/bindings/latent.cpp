// Latent-variable models: words as numbers, learning from derivations, parsing.
#include "training/latent.hpp"

#include <memory>
#include <string>

#include "bindings/common.hpp"
#include "bindings/models.hpp"
#include "features/latent_words.hpp"
#include "oracles/derive.hpp"
#include "scoring/latent_shape.hpp"
#include "search/latent_search.hpp"

namespace multiplane {

namespace {

// By kind of state: addresses, connections and features, as rows.
using LookRows = std::vector<std::tuple<std::vector<Row>, std::vector<Row>, std::vector<Row>>>;

LatentLook make_look(const LookRows& kinds) {
  demand(kinds.size() == kStateKinds, "a look for each kind of state");
  LatentLook look;
  for (std::size_t k = 0; k < kStateKinds; ++k) {
    const auto& [nodes, connections, features] = kinds[k];
    look.of[k].nodes = make_addresses(nodes);
    for (const auto& [from, as, node] : connections) {
      demand(from >= 0 && from < static_cast<int>(kStateKinds) && as >= 0 && as <= 2, "unknown connection");
      look.of[k].connections.push_back({static_cast<StateKind>(from), static_cast<SeenAs>(as), node});
    }
    for (const auto& [kind, a, b] : features) {
      demand(kind >= 0 && kind <= static_cast<int>(ObservedKind::kDistance), "unknown feature");
      look.of[k].features.push_back({static_cast<ObservedKind>(kind), a, b});
    }
  }
  return look;
}

// A shape with the systems that it is for.
struct HeldShape {
  std::shared_ptr<const Program> syntax, semantics;
  LatentShape shape;

  HeldShape(std::shared_ptr<const Program> syn, std::shared_ptr<const Program> sem, const LookRows& look,
            std::vector<int32_t> channels, std::pair<int32_t, int32_t> labels, std::vector<int32_t> sense_numbers,
            std::vector<int32_t> candidate_first, std::vector<int32_t> candidates, std::vector<int32_t> class_first,
            std::size_t units, bool generative)
      : syntax(std::move(syn)),
        semantics(std::move(sem)),
        shape(*syntax, *semantics, make_look(look),
              {std::move(channels),
               {labels.first, labels.second},
               std::move(sense_numbers),
               std::move(candidate_first),
               std::move(candidates),
               std::move(class_first)},
              units, generative) {}

  // How many numbers every array of weights has.
  std::vector<std::size_t> sizes() const {
    std::vector<std::size_t> found;
    latent_sizes(shape).for_each([&](std::size_t size) { found.push_back(size); });
    return found;
  }
};

// The arrays of a model, in the order of LatentArrays.
LatentWeights weights_of(const LatentShape& shape, const std::vector<Floats>& arrays) {
  LatentWeights weights;
  demand(arrays.size() == 5, "five arrays of weights");
  std::size_t i = 0;
  weights.for_each([&](std::vector<float>& to) {
    to.assign(arrays[i].data(), arrays[i].data() + arrays[i].size());
    ++i;
  });
  demand(fits(shape, weights), "the weights do not fit the shape of the model");
  return weights;
}

std::vector<Array<float>> arrays_of(LatentWeights weights) {
  std::vector<Array<float>> arrays;
  weights.for_each([&](std::vector<float>& from) { arrays.push_back(give(std::move(from))); });
  return arrays;
}

// Gold layers of many sentences, one after another.
struct GoldLayers {
  const Ints &lengths, &numbers, &heads, &labels, &senses;
  const Longs& arc_first;
  const Ints &arc_heads, &arc_dependents, &arc_labels;

  void check(std::size_t width) const {
    std::size_t words = 0;
    for (std::size_t i = 0; i < lengths.size(); ++i) demand(lengths(i) >= 0, "less than no words"), words += lengths(i);
    demand(numbers.size() == words * width && heads.size() == words && labels.size() == words && senses.size() == words,
           "arrays of words do not fit together");
    const std::size_t arcs = arc_heads.size();
    demand(arc_first.size() == lengths.size() + 1 && arc_first(0) == 0 &&
               arc_first(lengths.size()) == static_cast<int64_t>(arcs) && arc_dependents.size() == arcs &&
               arc_labels.size() == arcs,
           "arrays of arcs do not fit together");
    for (std::size_t i = 0; i < lengths.size(); ++i) demand(arc_first(i) <= arc_first(i + 1), "arcs out of order");
  }
};

struct HeldLearner {
  std::shared_ptr<const HeldShape> held;
  OracleSpec oracles[2];
  LatentHiding hiding;
  std::vector<LatentSentence> sentences;
  LatentLearner learner;

  HeldLearner(std::shared_ptr<const HeldShape> shape, const OracleSpec& syntax, const OracleSpec& semantics,
              const std::vector<Floats>& weights, std::vector<float> chances, std::vector<int32_t> instead)
      : held(std::move(shape)),
        oracles{syntax, semantics},
        hiding{std::move(chances), std::move(instead), 0},
        learner(*held->syntax, *held->semantics, held->shape) {
    learner.weights = weights_of(held->shape, weights);
    const int32_t words = held->shape.known.channels[0];
    demand(hiding.chances.size() == static_cast<std::size_t>(words) && hiding.instead.size() == hiding.chances.size(),
           "a chance and a substitute for each word");
    for (int32_t number : hiding.instead) demand(number >= 0 && number < words, "no such word");
  }

  // Adds sentences; returns for each how many syntactic and semantic arcs its derivation does not build.
  std::vector<int32_t> add(const Ints& lengths, const Ints& numbers, const Ints& heads, const Ints& labels,
                           const Ints& senses, const Longs& arc_first, const Ints& arc_heads,
                           const Ints& arc_dependents, const Ints& arc_labels) {
    const GoldLayers gold{lengths, numbers, heads, labels, senses, arc_first, arc_heads, arc_dependents, arc_labels};
    const std::size_t width = held->shape.known.channels.size() + 1;
    gold.check(width);
    std::vector<int32_t> lost;
    nb::gil_scoped_release release;
    for (std::size_t i = 0, word = 0; i < lengths.size(); word += static_cast<std::size_t>(lengths(i++))) {
      sentences.push_back(sentence(gold, i, word, width));
      for (std::size_t layer : {0, 1}) lost.push_back(derive_layer(gold, i, word, layer, sentences.back()));
    }
    return lost;
  }

  auto train(const Longs& order, uint64_t seed, std::size_t batch, float rate, float decay, float clip, float dropout,
             float feature_dropout, std::size_t threads) {
    check_order(order);
    demand(batch >= 1 && threads >= 1, "a batch needs at least one sentence and one thread");
    for (float rate_of_dropout : {dropout, feature_dropout})
      demand(rate_of_dropout >= 0 && rate_of_dropout < 1, "dropout is from 0 to 1");
    hiding.features = feature_dropout;
    const LatentCounts counts = [&] {
      nb::gil_scoped_release release;
      return learner.train(sentences, view_of(order), hiding, {batch, rate, decay, clip, dropout, threads}, seed);
    }();
    return std::tuple(counts.loss, counts.decisions, counts.wrong);
  }

  auto gradient(const Longs& order) {
    check_order(order);
    LatentWeights found;
    const LatentCounts counts = learner.gradient(sentences, view_of(order), found);
    return std::tuple(counts.loss, arrays_of(std::move(found)));
  }

  auto state() const {
    return std::tuple(learner.optimizer.steps, arrays_of(learner.weights), arrays_of(learner.optimizer.first),
                      arrays_of(learner.optimizer.second));
  }

  void restore(int64_t steps, const std::vector<Floats>& weights, const std::vector<Floats>& first,
               const std::vector<Floats>& second) {
    LatentWeights w = weights_of(held->shape, weights), m = weights_of(held->shape, first),
                  v = weights_of(held->shape, second);
    demand(steps >= 0, "a negative number of steps");
    learner.weights = std::move(w);
    learner.optimizer.first = std::move(m);
    learner.optimizer.second = std::move(v);
    learner.optimizer.steps = steps;
  }

 private:
  void check_order(const Longs& order) const {
    for (std::size_t i = 0; i < order.size(); ++i)
      demand(order(i) >= 0 && order(i) < static_cast<int64_t>(sentences.size()), "no such sentence");
  }

  LatentSentence sentence(const GoldLayers& gold, std::size_t i, std::size_t word, std::size_t width) const {
    LatentSentence s;
    s.n = gold.lengths(i);
    const std::size_t n = static_cast<std::size_t>(s.n);
    s.numbers.assign(gold.numbers.data() + word * width, gold.numbers.data() + (word + n) * width);
    check_numbers(held->shape.known, {s.numbers.data(), s.numbers.size()});
    s.senses.assign(n + 1, kNoPredicate);
    for (std::size_t v = 0; v < n; ++v) {
      const int32_t sense = s.senses[v + 1] = gold.senses(word + v);
      demand(sense >= kUnknownSense && sense < held->shape.known.senses(), "no such sense");
    }
    return s;
  }

  int32_t derive_layer(const GoldLayers& gold, std::size_t i, std::size_t word, std::size_t layer, LatentSentence& s) {
    const Program& program = layer == 0 ? *held->syntax : *held->semantics;
    std::vector<int32_t> heads, dependents, labels;
    if (layer == 0) {
      for (int32_t v = 1; v <= s.n; ++v) {
        heads.push_back(gold.heads(word + v - 1));
        dependents.push_back(v);
        labels.push_back(gold.labels(word + v - 1));
      }
    } else {
      for (int64_t a = gold.arc_first(i); a < gold.arc_first(i + 1); ++a) {
        if (gold.arc_heads(a) == gold.arc_dependents(a)) continue;  // no transition builds it
        heads.push_back(gold.arc_heads(a));
        dependents.push_back(gold.arc_dependents(a));
        labels.push_back(gold.arc_labels(a));
      }
    }
    for (std::size_t a = 0; a < heads.size(); ++a) {
      demand(heads[a] >= static_cast<int32_t>(layer) && heads[a] <= s.n && dependents[a] >= 1 && dependents[a] <= s.n,
             "an arc is outside its sentence");
      demand(labels[a] >= 0 && labels[a] < held->shape.known.labels[layer], "no such label");
      demand(layer == 0 || s.senses[heads[a]] != kNoPredicate, "an arc from a word that is no predicate");
    }
    Derivation d = derive(program, oracles[layer], s.n, heads.data(), dependents.data(), labels.data(), heads.size());
    s.sequence[layer] = std::move(d.sequence);
    return d.lost();
  }
};

using SmallInts = nb::ndarray<const int8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

struct HeldParser {
  std::shared_ptr<const HeldShape> held;
  LatentNetwork network;

  HeldParser(std::shared_ptr<const HeldShape> shape, const std::vector<Floats>& weights)
      : held(std::move(shape)), network(held->shape, weights_of(held->shape, weights)) {}

  struct Found {
    std::vector<int32_t> heads, labels, senses;  // by word; the label of a root without an arc is -1
    std::vector<int32_t> counts, arc_heads, arc_dependents, arc_labels;
    std::vector<float> scores;
  };

  // Calls for every sentence, with the search and the derivation that it found.
  template <typename Each>
  void for_each(const Ints& lengths, const Ints& numbers, std::size_t beam, const std::optional<SmallInts>& predicates,
                Each&& each) const {
    const std::size_t width = held->shape.known.channels.size() + 1;
    std::size_t word = 0;
    for (std::size_t i = 0; i < lengths.size(); ++i) demand(lengths(i) >= 0, "less than no words"), word += lengths(i);
    demand(numbers.size() == word * width, "numbers for each word");
    demand(!predicates || predicates->size() == word, "a mark for each word");
    check_numbers(held->shape.known, view_of(numbers));
    nb::gil_scoped_release release;
    LatentSearch search(*held->syntax, *held->semantics, network);
    word = 0;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      const LatentWords words{lengths(i), width - 1, numbers.data() + word * width};
      each(search, search.run(words, beam, predicates ? predicates->data() + word : nullptr));
      word += static_cast<std::size_t>(lengths(i));
    }
  }

  auto parse(const Ints& lengths, const Ints& numbers, std::size_t beam,
             const std::optional<SmallInts>& predicates) const {
    Found found;
    for_each(lengths, numbers, beam, predicates,
             [&](const LatentSearch&, const LatentSearch::Item& item) { note(item, found); });
    return std::tuple(give(std::move(found.heads)), give(std::move(found.labels)), give(std::move(found.senses)),
                      give(std::move(found.counts)), give(std::move(found.arc_heads)),
                      give(std::move(found.arc_dependents)), give(std::move(found.arc_labels)),
                      give(std::move(found.scores)));
  }

  // Of every sentence: kinds of states, transitions, and labels or senses.
  auto derivations(const Ints& lengths, const Ints& numbers, std::size_t beam) const {
    std::vector<std::vector<Row>> found;
    for_each(lengths, numbers, beam, {}, [&](const LatentSearch& search, const LatentSearch::Item& item) {
      found.emplace_back();
      for (const LatentSearch::Step& step : search.steps(item))
        found.back().emplace_back(static_cast<int>(step.kind), step.transition, step.label);
    });
    return found;
  }

 private:
  static void note(const LatentSearch::Item& item, Found& found) {
    const PartialTree& tree = item.s.joint.syntax.tree;
    const Configuration& c = item.s.joint.semantics.c;
    for (int32_t v = 1; v <= item.s.n(); ++v) {
      found.heads.push_back(std::max(tree.head(v), 0));
      found.labels.push_back(tree.head(v) < 0 ? -1 : tree.label(v));
      found.senses.push_back(item.s.senses[v]);
    }
    found.counts.push_back(c.header().arc_count);
    for (int32_t a = 0; a < c.header().arc_count; ++a) {
      found.arc_heads.push_back(c.arc(a).head);
      found.arc_dependents.push_back(c.arc(a).dependent);
      found.arc_labels.push_back(c.arc(a).label);
    }
    found.scores.push_back(item.score);
  }
};

}  // namespace

void bind_latent(nb::module_& m) {
  nb::class_<LatentLexicon>(m, "LatentLexicon")
      .def(nb::init<const std::vector<std::string>&, const std::vector<std::vector<std::string>>&,
                    const std::vector<std::string>&>(),
           "words"_a, "fields"_a, "lemmas"_a)
      .def(
          "numbers",
          [](const LatentLexicon& lexicon, const nb::bytes& bytes, const Index& index,
             const std::vector<int>& columns) {
            const std::string_view text = view(bytes);
            std::vector<int32_t> found = [&] {
              nb::gil_scoped_release release;
              return lexicon.numbers(text, index, columns);
            }();
            return give(std::move(found));
          },
          "text"_a, "index"_a, "columns"_a)
      .def_static(
          "keys", [](const std::string& form, const std::string& tag) { return LatentLexicon::keys(form, tag); },
          "form"_a, "tag"_a);
  nb::class_<HeldShape>(m, "LatentShape")
      .def(nb::init<std::shared_ptr<const Program>, std::shared_ptr<const Program>, const LookRows&,
                    std::vector<int32_t>, std::pair<int32_t, int32_t>, std::vector<int32_t>, std::vector<int32_t>,
                    std::vector<int32_t>, std::vector<int32_t>, std::size_t, bool>(),
           "syntax"_a, "semantics"_a, "look"_a, "channels"_a, "labels"_a, "sense_numbers"_a, "candidate_first"_a,
           "candidates"_a, "class_first"_a, "units"_a, "generative"_a)
      .def_prop_ro("sizes", &HeldShape::sizes);
  nb::class_<HeldLearner>(m, "LatentLearner")
      .def(nb::init<std::shared_ptr<const HeldShape>, const OracleSpec&, const OracleSpec&, const std::vector<Floats>&,
                    std::vector<float>, std::vector<int32_t>>(),
           "shape"_a, "syntax"_a, "semantics"_a, "weights"_a, "chances"_a, "instead"_a)
      .def("add", &HeldLearner::add, "lengths"_a, "numbers"_a, "heads"_a, "labels"_a, "senses"_a, "arc_first"_a,
           "arc_heads"_a, "arc_dependents"_a, "arc_labels"_a)
      .def("train", &HeldLearner::train, "order"_a, "seed"_a, "batch"_a, "rate"_a, "decay"_a, "clip"_a, "dropout"_a,
           "feature_dropout"_a, "threads"_a)
      .def("gradient", &HeldLearner::gradient, "order"_a)
      .def("state", &HeldLearner::state)
      .def("restore", &HeldLearner::restore, "steps"_a, "weights"_a, "first"_a, "second"_a);
  nb::class_<HeldParser>(m, "LatentParser")
      .def(nb::init<std::shared_ptr<const HeldShape>, const std::vector<Floats>&>(), "shape"_a, "weights"_a)
      .def("parse", &HeldParser::parse, "lengths"_a, "numbers"_a, "beam"_a, "predicates"_a = nb::none())
      .def("derivations", &HeldParser::derivations, "lengths"_a, "numbers"_a, "beam"_a);
}

}  // namespace multiplane
