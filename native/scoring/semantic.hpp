// Scoring the transitions of graphs: as for trees, with the probabilities of arcs between all pairs of words, and with
// how words are related in the syntactic tree.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "common/demand.hpp"
#include "features/relations.hpp"
#include "scoring/graph_arcs.hpp"
#include "scoring/named_arrays.hpp"
#include "scoring/network.hpp"
#include "scoring/neural.hpp"

namespace multiplane {

struct SemanticHead : NeuralHead {
  std::vector<ArcOfTransition> arcs;  // by transition
  Relations relations;
  std::vector<float> relation_rows;    // for every focus node but the last, rows of the hidden width for its relations
  std::vector<float> label_relations;  // rows of the width of the labels' hidden layer
  std::vector<float> label_senses;     // the same for senses of governors, after one for no sense
  std::vector<float> label_roles;      // the same for roles that the governor has given already

  // For every pair of focus nodes the probability of an arc from the one to the other; for each whether it is a
  // predicate, and how many arcs are to come; and how likely words further below need the front, or a later word. Then,
  // for every stack but the first, whether it is active.
  std::size_t semantic_feature_count() const {
    return focus.size() * (focus.size() + 1) + 2 + static_cast<std::size_t>(other_stacks);
  }
};

inline SemanticHead read_semantic_head(const NamedArrays& arrays, const NeuralLook& look, const Program& program,
                                       int32_t syntactic_labels) {
  SemanticHead head;
  look_into(head, look);
  demand(!look.focus.empty(), "a graph parser needs a focus");
  read_layers(arrays, program, head.semantic_feature_count(), head);
  head.arcs = arcs_of_transitions(program);
  head.relations = Relations(syntactic_labels);
  const std::size_t count = static_cast<std::size_t>(head.relations.count());
  const std::size_t hidden = head.hidden, label_hidden = head.label_hidden;
  head.relation_rows = arrays.copy("relations", {(look.focus.size() - 1) * count, hidden});
  head.label_relations = arrays.copy("label.relations", {count, label_hidden});
  head.label_senses = arrays.copy("label.senses", {arrays.size("label.senses", 2, 0), label_hidden});
  head.label_roles = arrays.copy("label.roles", {static_cast<std::size_t>(head.labels), label_hidden});
  return head;
}

// The roles that a governor has given; the last ones, if there are very many.
template <typename Each>
void for_each_role(const Configuration& c, int32_t governor, Each&& each) {
  constexpr int32_t kMost = 32;
  int32_t seen = 0;
  for (int32_t a = c.out_list()[governor]; a >= 0 && seen < kMost; a = c.arc(a).next_out, ++seen)
    if (c.arc(a).label >= 0) each(c.arc(a).label);  // the arc that is being labelled has no role yet
}

// How likely arcs between all pairs of words are, from those that are predicates.
class GraphOdds {
 public:
  // For n words, n rows of n probabilities: of every word as a head of the one. Sentences that are too long for tables
  // of that size do without.
  void set(int32_t n, const float* odds, const uint8_t* predicates) {
    n_ = n;
    odds_ = odds;
    predicates_ = predicates;
    if (odds == nullptr) return;
    const std::size_t width = n + 1;
    to_come_.assign(width * width, 0);
    for (int32_t v = 1; v <= n; ++v) {
      float* sums = to_come_.data() + v * width;
      for (int32_t k = n; k >= 1; --k) sums[k - 1] = sums[k] + (k == v ? 0 : arc(v, k) + arc(k, v));
    }
  }

  bool is_known() const { return odds_ != nullptr; }
  bool is_predicate(int32_t word) const { return predicates_[word - 1] != 0; }
  float arc(int32_t head, int32_t dependent) const {
    return is_predicate(head) ? odds_[(dependent - 1) * n_ + head - 1] : 0;
  }
  // How many arcs link a word with words behind another one.
  float after(int32_t word, int32_t border) const { return to_come_[word * (n_ + 1) + border]; }

 private:
  int32_t n_ = 0;
  const float* odds_ = nullptr;
  const uint8_t* predicates_ = nullptr;
  std::vector<float> to_come_;
};

// What a configuration looks like to the network.
class SemanticView {
 public:
  explicit SemanticView(const SemanticHead& head)
      : head_(head),
        finder_(head.addresses),
        rows_(head.slots.size()),
        features_(head.semantic_feature_count()),
        relations_(head.focus.size() - 1) {}

  // The sentence whose words begin at this row.
  void look_at(int32_t first_row, int32_t n, const float* odds, const uint8_t* predicates,
               const int32_t* senses = nullptr) {
    first_row_ = first_row;
    senses_ = senses;
    odds_.set(n, n <= ArcOdds::kMostWords ? odds : nullptr, predicates);
  }

  // The row of a word's sense among those of senses.
  std::size_t sense_row(int32_t word) const {
    return senses_ == nullptr ? 0 : static_cast<std::size_t>(senses_[word - 1] + 1);
  }

  void find(const State& s) {
    const int32_t* nodes = finder_.find(s, 0, {});
    for (std::size_t i = 0; i < rows_.size(); ++i) rows_[i] = row(nodes[head_.slots[i]]);
    std::fill(features_.begin(), features_.end(), 0.0f);
    if (odds_.is_known()) find_features(s, nodes);
    const int32_t active = s.c.header().active;
    if (active > 0) features_[features_.size() - static_cast<std::size_t>(head_.other_stacks + 1 - active)] = 1;
    const int32_t front = nodes[head_.focus.back()];
    const int32_t count = head_.relations.count();
    for (std::size_t i = 0; i < relations_.size(); ++i) {
      const int32_t node = nodes[head_.focus[i]];
      const bool both = node > 0 && front > 0;
      relations_[i] = static_cast<int32_t>(i) * count + (both ? head_.relations.of(s.tree, node, front) : 0);
    }
  }

  bool allows(const State& s, int32_t transition) const {
    return is_allowed(head_.arcs, s, transition, [&](int32_t word) { return odds_.is_predicate(word); });
  }

  const std::vector<int32_t>& rows() const { return rows_; }
  const std::vector<float>& features() const { return features_; }
  const std::vector<int32_t>& relations() const { return relations_; }
  int32_t row(int32_t node) const { return node < 0 ? 0 : node == 0 ? 1 : first_row_ + node - 1; }

 private:
  void find_features(const State& s, const int32_t* nodes) {
    const int32_t front = s.c.front_or(s.c.n());
    float* f = features_.data();
    for (int32_t a : head_.focus) {
      const int32_t from = nodes[a];
      for (int32_t b : head_.focus) {
        const int32_t to = nodes[b];
        if (a != b) *f++ = from > 0 && to > 0 && from != to ? open(s.c, from, to) : 0;
      }
      *f++ = from > 0 && odds_.is_predicate(from);
      *f++ = from > 0 ? odds_.after(from, front) : 0;
    }
    const int32_t* stack = s.c.stack(s.c.header().active);
    for (int32_t i = s.c.active_size() - 3; i >= 0; --i) {
      f[0] = std::max(f[0], open(s.c, stack[i], front) + open(s.c, front, stack[i]));
      f[1] = std::max(f[1], odds_.after(stack[i], front));
    }
  }

  // The probability of an arc that has not been built.
  float open(const Configuration& c, int32_t head, int32_t dependent) const {
    const float odds = odds_.arc(head, dependent);
    return odds > 0 && !c.has_arc(head, dependent) ? odds : 0;
  }

  const SemanticHead& head_;
  NodeFinder finder_;
  GraphOdds odds_;
  int32_t first_row_ = 2;
  const int32_t* senses_ = nullptr;
  std::vector<int32_t> rows_;
  std::vector<float> features_;
  std::vector<int32_t> relations_;
};

class SemanticScorer : public Scorer {
 public:
  explicit SemanticScorer(const SemanticHead& head) : head_(head), transitions_(head), labels_(head), view_(head) {}

  bool is_relative() const override { return true; }

  SemanticView& view() { return view_; }
  void set_tables(const NeuralTables& tables) { tables_ = tables; }

  void transitions(const State& s, const Value*, int32_t, float* scores) override {
    view_.find(s);
    transitions_.begin(tables_, view_.rows(), view_.features());
    for (int32_t relation : view_.relations())
      transitions_.add(head_.relation_rows.data() + relation * static_cast<std::size_t>(head_.hidden));
    transitions_.score(scores);
    for (int32_t t = 0; t < head_.transitions; ++t)
      if (!view_.allows(s, t)) scores[t] = kForbidden;
  }

  int32_t label(const State& s, const Value*, Ends ends, int32_t wanted, float& score) override {
    score = 0;
    if (wanted >= 0) return wanted;
    const std::size_t width = head_.label_hidden;
    labels_.begin(tables_, view_.row(ends.governor), view_.row(ends.dependent));
    labels_.add(head_.label_relations.data() + head_.relations.of(s.tree, ends.dependent, ends.governor) * width);
    labels_.add(head_.label_senses.data() + view_.sense_row(ends.governor) * width);
    for_each_role(s.c, ends.governor, [&](int32_t role) { labels_.add(head_.label_roles.data() + role * width); });
    return labels_.best();
  }

 private:
  const SemanticHead& head_;
  NeuralTables tables_{};
  TransitionLayer transitions_;
  LabelLayer labels_;
  SemanticView view_;
};

}  // namespace multiplane
