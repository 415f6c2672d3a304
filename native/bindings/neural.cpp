// Neural parsers: roll-outs to learn from, and parsing.
#include "scoring/neural.hpp"

#include <memory>
#include <optional>

#include "bindings/common.hpp"
#include "bindings/models.hpp"
#include "bindings/networks.hpp"
#include "features/lexicon.hpp"
#include "search/neural_parser.hpp"
#include "training/rollout.hpp"

namespace multiplane {

namespace {

std::shared_ptr<Lexicon> make_lexicon(const std::vector<std::pair<ChannelKind, std::vector<std::string>>>& rows,
                                      const std::vector<std::string>& characters,
                                      const std::vector<std::string>& affixes) {
  std::vector<Channel> channels;
  for (const auto& [kind, texts] : rows) channels.push_back({kind, Vocabulary(texts)});
  return std::make_shared<Lexicon>(std::move(channels), characters, affixes);
}

// The affixes of a form by which a lexicon may know it.
std::vector<std::string> affixes(const std::string& form) {
  std::vector<std::string> found;
  for_each_affix(lowered(form), [&](const std::string& affix) { found.push_back(affix); });
  return found;
}

// Where a form has capitals, and its suffixes that the guesser looks up.
std::pair<std::string, std::vector<std::string>> suffixes(const std::string& form) {
  const Characters characters = characters_of(form);
  std::vector<std::string> found;
  for (std::size_t length = 0; length <= std::min(SuffixGuesser::kLongest, characters.size()); ++length)
    found.push_back(utf8(characters.substr(characters.size() - length)));
  return {std::string(kCapitals[static_cast<std::size_t>(capitals_of(characters))]), std::move(found)};
}

// The lemma of a form by a script; none if the form is too short.
std::optional<std::string> apply_script(const std::string& script_text, const std::string& form) {
  const EditScript script = EditScript::parse(script_text);
  const Characters characters = characters_of(form);
  if (characters.size() < script.least_characters()) return std::nullopt;
  return script.applied_to(characters);
}

// The type of every word of a text; and of all types the numbers, flat where types have different numbers of them.
auto types(const Lexicon& lexicon, const nb::bytes& bytes, const Index& index, const std::vector<int>& columns) {
  const std::string_view text = view(bytes);
  WordTypes found = [&] {
    nb::gil_scoped_release release;
    return types_of(lexicon, text, index, columns);
  }();
  return std::tuple(give(std::move(found.words)), give(std::move(found.single)), give(std::move(found.parts)),
                    give(std::move(found.part_ends)), give(std::move(found.letters)),
                    give(std::move(found.letter_ends)), give(std::move(found.affixes)),
                    give(std::move(found.affix_ends)));
}

std::shared_ptr<NeuralLook> make_look(const std::vector<Row>& nodes, const std::vector<int32_t>& slots,
                                      const std::vector<int32_t>& focus, int32_t other_stacks, bool rectified) {
  auto look = std::make_shared<NeuralLook>(NeuralLook{make_addresses(nodes), slots, focus, other_stacks, rectified});
  look->check();
  return look;
}

// Training data of a network.
struct Rollouts {
  std::shared_ptr<const Program> program;
  OracleSpec oracle;
  std::vector<TrainingSentence> sentences;

  Rollouts(std::shared_ptr<const Program> p, const OracleSpec& o) : program(std::move(p)), oracle(o) {}

  std::vector<int32_t> add(const nb::bytes& bytes, const Index& index, const Ints& heads, const Ints& labels) {
    const std::string_view text = view(bytes);
    nb::gil_scoped_release release;
    return read_trees(*program, oracle, text, index, {}, view_of(heads), view_of(labels), TrainingPlanes::kCanonical,
                      sentences);
  }

  // What a network meets when it parses these sentences: rows of its slots, features, what was legal and what right.
  auto run(const NeuralLook& look, const ArrayTable& weights, const Longs& order, const Matrix& slots,
           const Floats& odds, uint64_t seed, bool dynamic, bool regularized, double exploration, double aggressive,
           float margin) const {
    const NeuralHead head = read_head(named(weights), look, *program);
    Rollout record = [&] {
      nb::gil_scoped_release release;
      return roll_out(*program, oracle, head, sentences, view_of(order),
                      {slots.data(), slots.shape(0), slots.shape(1), view_of(odds)},
                      {dynamic, regularized, exploration, aggressive, margin}, seed);
    }();
    return std::tuple(give(std::move(record.rows)), give(std::move(record.features)), give(std::move(record.legal)),
                      give(std::move(record.right)), record.steps, record.wrong);
  }
};

std::shared_ptr<NeuralParser> make_parser(std::shared_ptr<const Program> program, const OracleSpec& oracle,
                                          std::shared_ptr<const Lexicon> lexicon, const NeuralLook& look,
                                          const ArrayTable& weights, std::size_t layers, std::size_t units,
                                          std::size_t tags, bool exact, int32_t root_label,
                                          std::shared_ptr<const LemmaRules> lemmas, std::size_t given) {
  return std::make_shared<NeuralParser>(std::move(program), oracle, std::move(lexicon), look, named(weights), layers,
                                        units, tags, exact, root_label, std::move(lemmas), given);
}

// What the caller gives for the words of a text.
NeuralParser::Given rows_given(const std::optional<Matrix>& given, const NeuralParser& parser) {
  if (!given) return {};
  demand(given->shape(1) == parser.network().given(), "rows of another width");
  return {given->data(), given->size()};
}

// As for other parsers, and the columns that are predicted.
auto parse(NeuralParser& parser, const nb::bytes& bytes, const Index& index, const std::vector<int>& columns, int beam,
           const std::optional<Ints>& fixed_heads, const std::optional<Ints>& fixed_labels,
           const std::optional<Ints>& first_forbidden, const std::optional<Ints>& forbidden,
           const std::optional<Matrix>& given) {
  const NeuralParser::Given rows = rows_given(given, parser);
  const Demands demands{fixed_heads, fixed_labels, first_forbidden, forbidden};
  const FixedArcs fixed = demands.arcs(index, parser.oracle(), parser.labels());
  const std::string_view text = view(bytes);
  NeuralParser::Tagged found = [&] {
    nb::gil_scoped_release release;
    return parser.parse(text, index, columns, beam, fixed, rows);
  }();
  return std::tuple_cat(give(std::move(found.trees)), give_tags(found));
}

auto evidence(NeuralParser& parser, const nb::bytes& bytes, const Index& index, const std::vector<int>& columns,
              int beam, int32_t most, float temperature, const std::optional<Ints>& fixed_heads,
              const std::optional<Ints>& fixed_labels, const std::optional<Ints>& first_forbidden,
              const std::optional<Ints>& forbidden, const std::optional<Matrix>& given) {
  const NeuralParser::Given rows = rows_given(given, parser);
  const Demands demands{fixed_heads, fixed_labels, first_forbidden, forbidden};
  const FixedArcs fixed = demands.arcs(index, parser.oracle(), parser.labels());
  const EvidenceOptions options = evidence_options(beam, most, temperature);
  const std::string_view text = view(bytes);
  Evidence found = [&] {
    nb::gil_scoped_release release;
    return parser.evidence(text, index, columns, options, fixed, rows);
  }();
  return give(std::move(found));
}

Sequences derivations(NeuralParser& parser, const nb::bytes& bytes, const Index& index, const std::vector<int>& columns,
                      int beam, const std::optional<Matrix>& given) {
  const NeuralParser::Given rows = rows_given(given, parser);
  const std::string_view text = view(bytes);
  nb::gil_scoped_release release;
  return rows_of(parser.derive(text, index, columns, beam, rows));
}

auto scored_derivation(NeuralParser& parser, const nb::bytes& bytes, const Index& index,
                       const std::vector<int>& columns, int beam, const ChosenRows& chosen,
                       const std::optional<Matrix>& given) {
  const NeuralParser::Given rows = rows_given(given, parser);
  std::vector<ChosenByHand> prefix = chosen_in(chosen, parser.program(), parser.labels());
  const std::string_view text = view(bytes);
  ScoredDerivation found = [&] {
    nb::gil_scoped_release release;
    return parser.derive_scored(text, index, columns, beam, std::move(prefix), rows);
  }();
  return give(std::move(found));
}

auto tables(NeuralParser& parser, const nb::bytes& bytes, const Index& index, const std::vector<int>& columns,
            const std::optional<Matrix>& given) {
  const NeuralParser::Given rows = rows_given(given, parser);
  const std::string_view text = view(bytes);
  NeuralParser::Tables found = [&] {
    nb::gil_scoped_release release;
    return parser.tables(text, index, columns, rows);
  }();
  std::vector<Array<float>> tags;
  for (std::vector<float>& column : found.tags) tags.push_back(give(std::move(column)));
  return std::tuple(give(std::move(found.slots)), give(std::move(found.governors)), give(std::move(found.dependents)),
                    give(std::move(found.odds)), std::move(tags));
}

}  // namespace

void bind_neural(nb::module_& m) {
  m.def("lowered", [](const std::string& text) { return lowered(text); }, "text"_a);
  m.def(
      "edit_script",
      [](const std::string& form, const std::string& lemma) { return EditScript::between(form, lemma).text(); },
      "form"_a, "lemma"_a);
  m.def("apply_script", &apply_script, "script"_a, "form"_a);
  m.def("affixes", &affixes, "form"_a);
  m.def("suffixes", &suffixes, "form"_a);
  nb::class_<LemmaTags>(m, "LemmaTags")
      .def(nb::init<const std::vector<std::string>&, int, int>(), "values"_a, "tagger"_a, "channel"_a);
  nb::class_<LemmaRules>(m, "LemmaRules")
      .def(nb::init<const std::vector<std::string>&, const std::vector<std::string>&, const std::vector<std::string>&,
                    const std::vector<std::string>&, LemmaTags, LemmaTags>(),
           "scripts"_a, "dictionary"_a, "suffixes"_a, "capitals"_a, "upos"_a, "xpos"_a);
  nb::enum_<ChannelKind>(m, "ChannelKind")
      .value("WHOLE", ChannelKind::kWhole, "the field as it stands")
      .value("LOWER", ChannelKind::kLower, "in lower case")
      .value("BAG", ChannelKind::kBag, "the parts between |");
  nb::class_<Lexicon>(m, "Lexicon")
      .def(nb::new_(&make_lexicon), "channels"_a, "characters"_a, "affixes"_a)
      .def("types", &types, "text"_a, "index"_a, "columns"_a);
  nb::class_<NeuralLook>(m, "NeuralLook")
      .def(nb::new_(&make_look), "nodes"_a, "slots"_a, "focus"_a, "other_stacks"_a, "rectified"_a);
  nb::class_<Rollouts>(m, "Rollouts")
      .def(nb::init<std::shared_ptr<const Program>, const OracleSpec&>(), "program"_a, "oracle"_a)
      .def("add", &Rollouts::add, "text"_a, "index"_a, "heads"_a, "labels"_a)
      .def("run", &Rollouts::run, "look"_a, "weights"_a, "order"_a, "slots"_a, "odds"_a, "seed"_a, "dynamic"_a,
           "regularized"_a, "exploration"_a, "aggressive"_a, "margin"_a);
  nb::class_<NeuralParser>(m, "NeuralParser")
      .def(nb::new_(&make_parser), "program"_a, "oracle"_a, "lexicon"_a, "look"_a, "weights"_a, "layers"_a, "units"_a,
           "tags"_a, "exact"_a, "root_label"_a, "lemmas"_a = nb::none(), "given"_a = 0)
      .def("parse", &parse, "text"_a, "index"_a, "columns"_a, "beam"_a, "fixed_heads"_a = nb::none(),
           "fixed_labels"_a = nb::none(), "first_forbidden"_a = nb::none(), "forbidden"_a = nb::none(),
           "given"_a = nb::none())
      .def("evidence", &evidence, "text"_a, "index"_a, "columns"_a, "beam"_a, "most"_a, "temperature"_a,
           "fixed_heads"_a = nb::none(), "fixed_labels"_a = nb::none(), "first_forbidden"_a = nb::none(),
           "forbidden"_a = nb::none(), "given"_a = nb::none())
      .def("tables", &tables, "text"_a, "index"_a, "columns"_a, "given"_a = nb::none())
      .def("derivations", &derivations, "text"_a, "index"_a, "columns"_a, "beam"_a, "given"_a = nb::none())
      .def("scored_derivation", &scored_derivation, "text"_a, "index"_a, "columns"_a, "beam"_a, "chosen"_a,
           "given"_a = nb::none());
}

}  // namespace multiplane
