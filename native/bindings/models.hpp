// What the bindings of all models share: arrays, attributes of words, oracles, and texts to learn from and to parse.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/common.hpp"
#include "bindings/roles.hpp"
#include "search/sentence_parser.hpp"
#include "training/perceptron.hpp"

namespace multiplane {

using Floats = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Doubles = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Keys = nb::ndarray<const uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Shorts = nb::ndarray<const int16_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

using AttributeRow = std::tuple<int, int, std::string>;

inline void demand(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

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
    demand(op >= 0 && op <= static_cast<int>(NodeOp::kPrevious) && a >= 0 && b >= 0, "unknown address");
    const auto known = static_cast<NodeOp>(op);
    demand(known < NodeOp::kHead || a < static_cast<int>(addresses.size()), "an address refers to a later one");
    addresses.push_back({known, a, b});
  }
  return addresses;
}

// Not in an unnamed namespace: Python must see one type, not one for each file.
struct Oracle {
  OracleKind kind;
  Oracle(const Program& program, const std::vector<int>& named, const std::vector<int>& arcs, int strategy, int target,
         int loss, bool switch_is_bounded) {
    kind.roles = roles_of(program, named, arcs);
    kind.strategy = static_cast<Strategy>(strategy);
    kind.target = static_cast<ClassOf>(target);
    kind.loss = loss;
    kind.switch_is_bounded = switch_is_bounded;
  }
};

// The static oracle leaves an arc that crosses nothing on whatever stack is active. A parser that has not followed it,
// because it missed a crossing, has nothing to tell which one that was. Networks learn more with planes that are
// turned; the perceptron, greedy, does not: with these there is more to switch.
enum class Turned : uint8_t { kNo, kYes };

// Reads the trees of a text, with what the oracle says; returns for each how many gold arcs no derivation builds.
// Planes are those of the static oracle, or turned ones.
inline std::vector<int32_t> read_trees(const Program& program, const OracleKind& oracle, const nb::bytes& bytes,
                                       const Index& index, const std::vector<AttributeRow>& attributes,
                                       const Ints& heads, const Ints& labels, Turned turned,
                                       std::vector<TrainingSentence>& sentences) {
  const std::string_view text = view(bytes);
  demand(heads.size() == index.heads.size() && labels.size() == heads.size(), "one head and label for each word");
  std::vector<int32_t> lost;
  nb::gil_scoped_release release;
  WordReader reader(make_attributes(attributes));
  std::vector<int32_t> dependents;
  for (std::size_t i = 0; i < index.size(); ++i) {
    TrainingSentence s;
    const std::size_t first = index.first_word[i];
    s.n = static_cast<int32_t>(index.first_word[i + 1] - first);
    reader.read(text, index, i, s.rows);
    s.heads.assign(heads.data() + first, heads.data() + first + s.n);
    s.labels.assign(labels.data() + first, labels.data() + first + s.n);
    for (int32_t h : s.heads) demand(h >= 0 && h <= s.n, "a head is outside its sentence");
    for (int32_t l : s.labels) demand(l >= 0, "a label is missing");
    dependents.resize(s.n);
    std::iota(dependents.begin(), dependents.end(), 1);
    Derivation d = derive(program, oracle.roles, oracle.strategy, oracle.target, s.n, s.heads.data(), dependents.data(),
                          s.labels.data(), s.n);
    lost.push_back(static_cast<int32_t>(std::count(d.plane.begin(), d.plane.end(), kNoPlane)));
    s.sequence = std::move(d.sequence);
    s.planes = std::move(d.plane);
    if (turned == Turned::kYes)
      turn_planes(Gold(s.n, program.root, s.heads.data(), dependents.data(), s.labels.data(), s.n).spans(), s.planes);
    sentences.push_back(std::move(s));
  }
  return lost;
}

// What the user gives beside a text: heads and labels of words, or -1.
class GivenTrees {
 public:
  GivenTrees(const std::optional<Ints>& heads, const std::optional<Ints>& labels, std::size_t words,
             const OracleKind& oracle, int32_t label_count)
      : heads_(heads), labels_(labels) {
    demand(!heads || (heads->size() == words && oracle.loss >= 0), "heads cannot be given");
    demand(!labels || (labels->size() == words && heads), "one label for each word, with heads");
    for (std::size_t w = 0; labels && w < words; ++w) demand((*labels)(w) < label_count, "no such label");
  }
  // From a word on, or null.
  const int32_t* heads(std::size_t word) const { return heads_ ? heads_->data() + word : nullptr; }
  const int32_t* labels(std::size_t word) const { return labels_ ? labels_->data() + word : nullptr; }

 private:
  const std::optional<Ints>&heads_, &labels_;
};

// The trees of a text.
struct ParsedTrees {
  std::vector<int32_t> heads, labels;
  std::vector<uint8_t> complete;  // by sentence: whether the search came to its end with all that was given
  int32_t root_label;

  ParsedTrees(const Index& index, int32_t root)
      : heads(index.heads.size()), labels(heads.size()), complete(index.size()), root_label(root) {}

  // The tree of n words from this one on.
  void note(const State& s, std::size_t first, int32_t n, const int32_t* given_labels) {
    for (int32_t v = 1; v <= n; ++v) {
      const std::size_t w = first + static_cast<std::size_t>(v) - 1;
      const int32_t head = s.tree.head(v);
      heads[w] = std::max(head, 0);
      labels[w] = head < 0 ? root_label : s.tree.label(v);
      // Also of the root, which no arc labels.
      if (given_labels != nullptr && given_labels[v - 1] >= 0) labels[w] = given_labels[v - 1];
    }
  }
};

// Heads and labels of all words, and for each sentence whether the search came to its end with all that was given.
inline nb::tuple parse_text(const Program& program, Scorer& scorer, const OracleKind& oracle, int32_t label_count,
                            int32_t root_label, const nb::bytes& bytes, const Index& index,
                            const std::vector<AttributeRow>& attributes, int beam,
                            const std::optional<Ints>& given_heads, const std::optional<Ints>& given_labels) {
  const std::string_view text = view(bytes);
  const GivenTrees given(given_heads, given_labels, index.heads.size(), oracle, label_count);
  ParsedTrees trees(index, root_label);
  {
    nb::gil_scoped_release release;
    WordReader reader(make_attributes(attributes));
    SentenceParser parser(program, scorer, oracle);
    std::vector<Value> rows;
    for (std::size_t i = 0; i < index.size(); ++i) {
      const std::size_t first = index.first_word[i];
      const int32_t n = static_cast<int32_t>(index.first_word[i + 1] - first);
      reader.read(text, index, i, rows);
      const State& s = parser.parse(n, rows.data(), beam, given.heads(first), given.labels(first));
      trees.complete[i] = parser.is_complete();
      trees.note(s, first, n, given.labels(first));
    }
  }
  return nb::make_tuple(give(std::move(trees.heads)), give(std::move(trees.labels)), give(std::move(trees.complete)));
}

// The transitions of every sentence: their numbers, parameters, and the labels of the arcs that they build.
using Sequences = std::vector<std::vector<std::tuple<int32_t, int32_t, int32_t>>>;

inline Sequences derivations_of_text(const Program& program, Scorer& scorer, const OracleKind& oracle,
                                     const nb::bytes& bytes, const Index& index,
                                     const std::vector<AttributeRow>& attributes, int beam, bool copies = false) {
  const std::string_view text = view(bytes);
  nb::gil_scoped_release release;
  WordReader reader(make_attributes(attributes));
  SentenceParser parser(program, scorer, oracle);
  std::vector<Value> rows;
  std::vector<Taken> steps;
  parser.note_steps(&steps);
  if (copies) parser.copy_states();
  Sequences found(index.size());
  for (std::size_t i = 0; i < index.size(); ++i) {
    reader.read(text, index, i, rows);
    parser.parse(static_cast<int32_t>(index.first_word[i + 1] - index.first_word[i]), rows.data(), beam, nullptr,
                 nullptr);
    for (const Taken& step : steps) found[i].emplace_back(step.transition, step.parameter, step.label);
  }
  return found;
}

}  // namespace multiplane
