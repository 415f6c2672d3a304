// Networks that parse texts to trees and graphs at once, in synchronous derivations.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "scoring/semantic_network.hpp"
#include "search/neural_parser.hpp"
#include "search/synchronous_search.hpp"

namespace multiplane {

class JointParser {
 public:
  // Columns of a text: those of the syntactic network, and those of lemma and form for senses.
  struct Columns {
    std::vector<int> network;
    int lemma, form;
  };

  JointParser(std::shared_ptr<NeuralParser> syntax, std::shared_ptr<const Program> program, const NeuralLook& look,
              const NamedArrays& weights, std::shared_ptr<const SenseInventory> inventory)
      : syntax_(std::move(syntax)),
        program_(std::move(program)),
        inventory_(std::move(inventory)),
        network_(weights, read_semantic_head(weights, look, *program_, syntax_->labels()), syntax_->network().width()) {
    demand(program_->root == Root::kNone && program_->parses_graphs, "graphs are parsed without a root");
    inventory_->check(network_.senses());
  }

  const NeuralParser& syntax() const { return *syntax_; }

  struct Parsed {
    NeuralParser::Tagged trees;
    ParsedGraphs graphs;
  };

  // What the network says about the words of one sentence: a row of slots and of both ends of labels for each, after
  // those for no word and for the root; for each word how likely every other is a head; and whether it is a predicate.
  struct Tables {
    std::vector<float> slots, governors, dependents, odds;
    std::vector<uint8_t> predicates;
  };

  Tables tables(std::string_view text, const Index& index, const std::vector<int>& columns) {
    demand(index.size() == 1, "one sentence");
    Tables found;
    SemanticNetwork::Workspace work;
    syntax_->for_each(text, index, columns, [&](const NeuralParser::Look& look, const NeuralParser::Place& at) {
      const std::size_t words = static_cast<std::size_t>(at.n);
      const float* encoded = syntax_->network().encoded(look.work, at.row);
      found.predicates.resize(words);
      network_.find_predicates(encoded, words, nullptr, found.predicates.data(), work);
      network_.tables(encoded, words, work);
      network_.odds(encoded, words, look.odds, work);
      found = {work.tables.slots, work.tables.governors, work.tables.dependents, work.odds, found.predicates};
    });
    return found;
  }

  // Steps may be asked for.
  Parsed parse(std::string_view text, const Index& index, const Columns& columns, const GivenLayers& given,
               std::vector<std::vector<JointStep>>* steps = nullptr) {
    Parsed found{syntax_->new_trees(index, columns.network), ParsedGraphs(index)};
    FieldReader lemmas({columns.lemma, columns.form});
    SemanticNetwork::Workspace work;
    std::vector<float> known_heads;
    SemanticScorer scorer(network_.head());
    GreedySearch semantics(*program_, scorer);
    syntax_->for_each(text, index, columns.network, [&](const NeuralParser::Look& look, const NeuralParser::Place& at) {
      const std::size_t words = static_cast<std::size_t>(at.n);
      const float* encoded = syntax_->network().encoded(look.work, at.row);
      uint8_t* predicates = found.graphs.predicates.data() + at.first;
      network_.find_predicates(encoded, words, given.predicates == nullptr ? nullptr : given.predicates + at.first,
                               predicates, work);
      if (network_.has_predicates())
        choose_senses(text, index, at, lemmas, predicates, work, found.graphs.senses.data() + at.first);
      network_.classify(encoded, words, found.graphs.classes.data() + at.first, work);
      scorer.set_tables(network_.tables(encoded, words, work));
      GreedySearch syntax(syntax_->program(), look.scorer);
      JointState s(syntax_->program(), *program_, at.n);
      const float* heads = look.odds;
      const bool has_tree = given.heads != nullptr;
      if (has_tree) {
        s.give_tree(given.heads + at.first, given.labels + at.first);
        heads = certain(given.heads + at.first, words, known_heads);
      }
      scorer.view().look_at(2, at.n, network_.odds(encoded, words, heads, work), predicates,
                            found.graphs.senses.data() + at.first);
      const bool complete = search_synchronously(
          s, {syntax, nullptr}, {semantics, nullptr}, has_tree, [](int32_t) {},
          steps == nullptr ? nullptr : &(*steps)[at.sentence]);
      found.trees.trees.add(s.syntax, at.sentence, at.first, at.n, syntax.score(), complete);
      syntax_->tag(text, index, look.work, at, found.trees);
      found.graphs.note(s.semantics.c, at.sentence);
    });
    syntax_->finish(found.trees);
    return found;
  }

 private:
  // The probabilities of heads in a tree that is known.
  static const float* certain(const int32_t* heads, std::size_t words, std::vector<float>& odds) {
    if (words > static_cast<std::size_t>(ArcOdds::kMostWords)) return nullptr;
    odds.assign(words * (words + 1), 0);
    for (std::size_t d = 0; d < words; ++d) odds[d * (words + 1) + static_cast<std::size_t>(heads[d])] = 1;
    return odds.data();
  }

  void choose_senses(std::string_view text, const Index& index, const NeuralParser::Place& at, FieldReader& lemmas,
                     const uint8_t* predicates, const SemanticNetwork::Workspace& work, int32_t* senses) const {
    for (std::size_t w = 0; w < static_cast<std::size_t>(at.n); ++w) {
      if (!predicates[w]) continue;
      lemmas.read(text, index.start[at.sentence] + index.word[at.first + w]);
      const int32_t lemma = inventory_->lemma(lemmas.fields()[0], lemmas.fields()[1]);
      senses[w] = network_.sense(w, inventory_->senses(lemma), work);
    }
  }

  std::shared_ptr<NeuralParser> syntax_;
  std::shared_ptr<const Program> program_;
  std::shared_ptr<const SenseInventory> inventory_;
  SemanticNetwork network_;
};

}  // namespace multiplane
