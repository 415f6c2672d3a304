// Linear models that parse texts to trees and graphs at once, in synchronous derivations.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "features/senses.hpp"
#include "scoring/frozen.hpp"
#include "scoring/graph_arcs.hpp"
#include "search/synchronous_search.hpp"
#include "search/text_parser.hpp"

namespace multiplane {

// Features and their weights.
struct LinearPart {
  const FeatureModel& features;
  const FrozenLinear& weights;

  FrozenScorer scorer() const { return {features, weights}; }
};

// Scores the transitions of graphs, and forbids what a parser may not take.
class GraphScorer : public FrozenScorer {
 public:
  GraphScorer(const LinearPart& part, const std::vector<ArcOfTransition>& arcs)
      : FrozenScorer(part.features, part.weights), arcs_(arcs) {}

  void transitions(const State& s, const Value* rows, int32_t offset, float* scores) override {
    FrozenScorer::transitions(s, rows, offset, scores);
    const auto is_predicate = [&](int32_t word) { return s.meaning.is_predicate(word); };
    for (int32_t t = 0; t < static_cast<int32_t>(arcs_.size()); ++t)
      if (!is_allowed(arcs_, s, t, is_predicate)) scores[t] = kForbidden;
  }

 private:
  const std::vector<ArcOfTransition>& arcs_;
};

class LinearJointParser {
 public:
  // What is read of the words of a text: attributes for each part, and the columns of lemma and form for senses.
  struct Columns {
    std::vector<Attribute> syntax, semantics, predicates;
    int lemma, form;
  };

  LinearJointParser(const Program& syntax_program, LinearPart syntax, int32_t root_label,
                    const Program& semantics_program, LinearPart semantics, LinearPart predicates,
                    const SenseInventory& inventory)
      : syntax_program_(syntax_program),
        semantics_program_(semantics_program),
        syntax_(syntax),
        semantics_(semantics),
        predicates_(predicates),
        root_label_(root_label),
        inventory_(inventory),
        arcs_(arcs_of_transitions(semantics_program)) {
    demand(semantics_program.root == Root::kNone && semantics_program.parses_graphs,
           "graphs are parsed without a root");
    demand(predicates.weights.transition.classes() == 2, "a word is a predicate, or not");
    inventory.check(predicates.weights.labels);
  }

  struct Parsed {
    ParsedTrees trees;
    ParsedGraphs graphs;
  };

  // Steps may be asked for.
  Parsed parse(std::string_view text, const Index& index, Columns columns, const GivenLayers& given,
               std::vector<std::vector<JointStep>>* steps = nullptr) const {
    Parsed found{ParsedTrees(index, root_label_), ParsedGraphs(index)};
    WordReader syntax_reader(std::move(columns.syntax)), semantics_reader(std::move(columns.semantics)),
        predicates_reader(std::move(columns.predicates));
    FieldReader lemmas({columns.lemma, columns.form});
    FrozenScorer syntax_scorer = syntax_.scorer(), judge = predicates_.scorer();
    GraphScorer semantics_scorer(semantics_, arcs_);
    std::vector<Value> syntax_rows, semantics_rows, rows;
    for (std::size_t i = 0; i < index.size(); ++i) {
      const std::size_t first = index.first_word[i];
      const int32_t n = static_cast<int32_t>(index.first_word[i + 1] - first);
      syntax_reader.read(text, index, i, syntax_rows);
      semantics_reader.read(text, index, i, semantics_rows);
      predicates_reader.read(text, index, i, rows);
      GreedySearch syntax(syntax_program_, syntax_scorer), semantics(semantics_program_, semantics_scorer);
      JointState s(syntax_program_, semantics_program_, n);
      const bool has_tree = given.heads != nullptr;
      if (has_tree) s.give_tree(given.heads + first, given.labels + first);
      const auto meet = [&](int32_t word) {
        const std::size_t w = first + static_cast<std::size_t>(word) - 1;
        if (!is_predicate(judge, s.semantics, rows.data(),
                          given.predicates == nullptr ? int8_t{-1} : given.predicates[w]))
          return;
        lemmas.read(text, index.start[i] + index.word[w]);
        const int32_t lemma = inventory_.lemma(lemmas.fields()[0], lemmas.fields()[1]);
        found.graphs.predicates[w] = 1;
        found.graphs.senses[w] = judge.label_among(s.semantics, rows.data(), {-1, word}, inventory_.senses(lemma));
        s.semantics.meaning.note_predicate(word, found.graphs.senses[w]);
      };
      const bool complete = search_synchronously(s, {syntax, syntax_rows.data()}, {semantics, semantics_rows.data()},
                                                 has_tree, meet, steps == nullptr ? nullptr : &(*steps)[i]);
      found.trees.add(s.syntax, i, first, n, syntax.score(), complete);
      found.graphs.note(s.semantics.c, i);
    }
    return found;
  }

 private:
  static bool is_predicate(FrozenScorer& judge, const State& s, const Value* rows, int8_t given) {
    if (given >= 0) return given > 0;
    std::array<float, 2> scores;
    judge.transitions(s, rows, 0, scores.data());
    return scores[1] > scores[0];
  }

  const Program &syntax_program_, &semantics_program_;
  LinearPart syntax_, semantics_, predicates_;
  int32_t root_label_;
  const SenseInventory& inventory_;
  std::vector<ArcOfTransition> arcs_;
};

}  // namespace multiplane
