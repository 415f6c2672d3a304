// What the bindings of all models share: arrays, attributes of words, oracles, and texts to learn from and to parse.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/common.hpp"
#include "common/array_view.hpp"
#include "features/features.hpp"
#include "features/nodes.hpp"
#include "search/evidence.hpp"
#include "search/text_parser.hpp"

namespace multiplane {

using Floats = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Doubles = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Keys = nb::ndarray<const uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Shorts = nb::ndarray<const int16_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <typename T>
ArrayView<T> view_of(const nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>& array) {
  return {array.data(), array.size()};
}

using AttributeRow = std::tuple<int, int, std::string>;

inline std::vector<Attribute> make_attributes(const std::vector<AttributeRow>& rows) {
  std::vector<Attribute> attributes;
  for (const auto& [kind, column, argument] : rows) {
    demand(kind >= 0 && kind <= static_cast<int>(AttributeKind::kTag) && column >= -1, "unknown attribute");
    Attribute a{static_cast<AttributeKind>(kind), column, argument};
    if (a.kind == AttributeKind::kPrefix || a.kind == AttributeKind::kSuffix) a.count = std::stoul(argument);
    if (a.kind == AttributeKind::kTag) {
      const std::size_t comma = argument.find(',');
      demand(comma != std::string::npos, "a tag needs two more columns");
      a.upos = std::stoi(argument.substr(0, comma));
      a.feats = std::stoi(argument.substr(comma + 1));
    }
    attributes.push_back(a);
  }
  return attributes;
}

// A row of a table: an operation or a kind, and its two operands.
using Row = std::tuple<int, int, int>;

inline std::vector<NodeAddress> make_addresses(const std::vector<Row>& rows) {
  std::vector<NodeAddress> addresses;
  for (const auto& [op, a, b] : rows) {
    demand(op >= 0 && op <= static_cast<int>(NodeOp::kRightUndirectedSibling) && a >= 0 && b >= 0, "unknown address");
    const auto known = static_cast<NodeOp>(op);
    demand(!is_relative(known) || a < static_cast<int>(addresses.size()), "an address refers to a later one");
    addresses.push_back({known, a, b});
  }
  return addresses;
}

// What the caller demands of trees: heads and labels that are fixed, labels only with heads; and heads that words must
// not have, with the number of the first one of each word.
struct Demands {
  std::optional<Ints> heads, labels, first_forbidden, forbidden;

  FixedArcs arcs(const Index& index, const OracleSpec& oracle, int32_t label_count) const {
    demand(heads || !labels, "one label for each word, with heads");
    demand(first_forbidden.has_value() == forbidden.has_value(), "forbidden heads need the first one of each word");
    const std::size_t words = index.heads.size();
    FixedArcs fixed;
    if (heads)
      fixed = FixedArcs(view_of(*heads), labels ? view_of(*labels) : ArrayView<int32_t>{}, words, oracle, label_count);
    if (forbidden) fixed.forbid(view_of(*first_forbidden), view_of(*forbidden), words);
    return fixed;
  }
};

// Heads and labels of all words, and for each sentence whether the search came to its end with all that was fixed, and
// the score of its derivation.
inline auto give(ParsedTrees&& trees) {
  return std::tuple(give(std::move(trees.heads)), give(std::move(trees.labels)), give(std::move(trees.complete)),
                    give(std::move(trees.scores)));
}

inline EvidenceOptions evidence_options(int beam, int32_t most, float temperature) {
  demand(beam >= 1 && most >= 1 && temperature > 0, "a beam, a number of trees and a temperature above 0");
  return {beam, most, temperature, 0};
}

inline auto give(Evidence&& found) {
  return std::tuple(give(std::move(found.first)), give(std::move(found.complete)), give(std::move(found.scores)),
                    give(std::move(found.heads)), give(std::move(found.labels)), give(std::move(found.other_labels)),
                    give(std::move(found.label_odds)), give(std::move(found.other_odds)), give(std::move(found.built)),
                    give(std::move(found.waiting)), give(std::move(found.shares)), give(std::move(found.known)));
}

// The transitions of every sentence: their numbers, parameters, and the labels of the arcs that they build.
using Sequences = std::vector<std::vector<std::tuple<int32_t, int32_t, int32_t>>>;

inline Sequences rows_of(const Derivations& derivations) {
  Sequences rows(derivations.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const Taken& step : derivations[i]) rows[i].emplace_back(step.transition, step.parameter, step.label);
  return rows;
}

// Transitions that were chosen by hand: their numbers, parameters, and the labels that their arcs may get.
using ChosenRows = std::vector<std::tuple<int32_t, int32_t, std::vector<int32_t>>>;

inline std::vector<ChosenByHand> chosen_in(const ChosenRows& rows, const Program& program, int32_t label_count) {
  std::vector<ChosenByHand> chosen;
  for (const auto& [transition, parameter, labels] : rows) {
    demand(transition >= 0 && transition < static_cast<int32_t>(program.transitions.size()) && parameter >= 0,
           "no such transition");
    for (int32_t label : labels) demand(label >= 0 && label < label_count, "no such label");
    chosen.push_back({transition, parameter, labels});
  }
  return chosen;
}

// The steps of a derivation; for every configuration its first option; transitions, parameters, labels and both scores
// of all options; and whether the search came to its end.
inline auto give(ScoredDerivation&& found) {
  return std::tuple(std::move(rows_of({std::move(found.steps)})[0]), give(std::move(found.first)),
                    give(std::move(found.transitions)), give(std::move(found.parameters)),
                    give(std::move(found.labels)), give(std::move(found.scores)), give(std::move(found.label_scores)),
                    found.complete);
}

// What a feature-based parser has beside its scorer.
struct FeatureBased {
  std::shared_ptr<const Program> program;
  std::shared_ptr<const FeatureModel> features;
  OracleSpec oracle;
  int32_t labels, root_label;

  FeatureBased(std::shared_ptr<const Program> p, std::shared_ptr<const FeatureModel> f, const OracleSpec& o,
               int32_t label_count, int32_t root)
      : program(std::move(p)), features(std::move(f)), oracle(o), labels(label_count), root_label(root) {
    demand(root >= 0 && root < labels, "no such label");
  }

  auto parse(Scorer& scorer, const nb::bytes& bytes, const Index& index, const std::vector<AttributeRow>& rows,
             int beam, const Demands& demands) const {
    const FixedArcs fixed = demands.arcs(index, oracle, labels);
    TextParser parser(*program, scorer, oracle, attributes(rows));
    const std::string_view text = view(bytes);
    ParsedTrees trees = [&] {
      nb::gil_scoped_release release;
      return parser.parse(text, index, beam, fixed, root_label);
    }();
    return give(std::move(trees));
  }

  auto evidence(Scorer& scorer, const nb::bytes& bytes, const Index& index, const std::vector<AttributeRow>& rows,
                EvidenceOptions options, const Demands& demands) const {
    const FixedArcs fixed = demands.arcs(index, oracle, labels);
    TextParser parser(*program, scorer, oracle, attributes(rows));
    const std::string_view text = view(bytes);
    options.root_label = root_label;
    Evidence found = [&] {
      nb::gil_scoped_release release;
      EvidenceCollector collector(*program, scorer, index, options);
      parser.for_each(text, index, [&](std::size_t, std::size_t first, int32_t n) {
        collector.add(parser.parser(), n, parser.rows(), first, fixed);
      });
      return collector.take();
    }();
    return give(std::move(found));
  }

  Sequences derivations(Scorer& scorer, const nb::bytes& bytes, const Index& index,
                        const std::vector<AttributeRow>& rows, int beam, bool copies = false) const {
    TextParser parser(*program, scorer, oracle, attributes(rows));
    const std::string_view text = view(bytes);
    nb::gil_scoped_release release;
    return rows_of(parser.derive(text, index, beam, copies));
  }

  auto scored_derivation(Scorer& scorer, const nb::bytes& bytes, const Index& index,
                         const std::vector<AttributeRow>& rows, int beam, const ChosenRows& chosen) const {
    TextParser parser(*program, scorer, oracle, attributes(rows));
    std::vector<ChosenByHand> prefix = chosen_in(chosen, *program, labels);
    const std::string_view text = view(bytes);
    ScoredDerivation found = [&] {
      nb::gil_scoped_release release;
      return parser.derive_scored(text, index, beam, std::move(prefix));
    }();
    return give(std::move(found));
  }

 private:
  std::vector<Attribute> attributes(const std::vector<AttributeRow>& rows) const {
    demand(rows.size() == features->width, "as many attributes as the feature model has");
    return make_attributes(rows);
  }
};

}  // namespace multiplane
