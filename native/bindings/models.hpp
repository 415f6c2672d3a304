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

// Heads and labels that the caller fixes; labels only with heads.
inline FixedArcs fixed_arcs(const std::optional<Ints>& heads, const std::optional<Ints>& labels, const Index& index,
                            const OracleSpec& oracle, int32_t label_count) {
  demand(heads || !labels, "one label for each word, with heads");
  if (!heads) return {};
  return FixedArcs(view_of(*heads), labels ? view_of(*labels) : ArrayView<int32_t>{}, index.heads.size(), oracle,
                   label_count);
}

// Heads and labels of all words, and for each sentence whether the search came to its end with all that was fixed, and
// the score of its derivation.
inline auto give(ParsedTrees&& trees) {
  return std::tuple(give(std::move(trees.heads)), give(std::move(trees.labels)), give(std::move(trees.complete)),
                    give(std::move(trees.scores)));
}

// The transitions of every sentence: their numbers, parameters, and the labels of the arcs that they build.
using Sequences = std::vector<std::vector<std::tuple<int32_t, int32_t, int32_t>>>;

inline Sequences rows_of(const Derivations& derivations) {
  Sequences rows(derivations.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const Taken& step : derivations[i]) rows[i].emplace_back(step.transition, step.parameter, step.label);
  return rows;
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
             int beam, const std::optional<Ints>& fixed_heads, const std::optional<Ints>& fixed_labels) const {
    const FixedArcs fixed = fixed_arcs(fixed_heads, fixed_labels, index, oracle, labels);
    TextParser parser(*program, scorer, oracle, attributes(rows));
    const std::string_view text = view(bytes);
    ParsedTrees trees = [&] {
      nb::gil_scoped_release release;
      return parser.parse(text, index, beam, fixed, root_label);
    }();
    return give(std::move(trees));
  }

  Sequences derivations(Scorer& scorer, const nb::bytes& bytes, const Index& index,
                        const std::vector<AttributeRow>& rows, int beam, bool copies = false) const {
    TextParser parser(*program, scorer, oracle, attributes(rows));
    const std::string_view text = view(bytes);
    nb::gil_scoped_release release;
    return rows_of(parser.derive(text, index, beam, copies));
  }

 private:
  std::vector<Attribute> attributes(const std::vector<AttributeRow>& rows) const {
    demand(rows.size() == features->width, "as many attributes as the feature model has");
    return make_attributes(rows);
  }
};

}  // namespace multiplane
