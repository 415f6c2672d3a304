// Training of linear models of trees and graphs in synchronous derivations: syntax may follow its own errors, and
// semantics sees what comes of that.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "features/joint_state.hpp"
#include "features/senses.hpp"
#include "training/perceptron.hpp"
#include "training/predicate_learner.hpp"

namespace multiplane {

// A sentence with both layers, and with what is known about its words.
struct SemanticSentence {
  TrainingSentence syntax, semantics;
  std::vector<Value> rows;          // the values of words that tell predicates
  std::vector<uint8_t> predicates;  // by word, from 0
  std::vector<int32_t> lemmas;      // numbers in the inventory of senses, or -1
  std::vector<int32_t> senses;      // -1 for none
};

struct JointCounts {
  TrainingCounts syntax, semantics, predicates;
};

struct JointOracles {
  OracleSpec syntax, semantics;
};

struct JointOptions {
  TrainingOptions syntax, semantics;
  bool trees_given = false;  // gold trees: then only the semantics learns
};

class JointPerceptron {
 public:
  JointPerceptron(std::shared_ptr<const Program> syntax_program, std::shared_ptr<const Program> semantics_program,
                  Perceptron& syntax, Perceptron& semantics, PredicateLearner& predicates,
                  const SenseInventory& inventory)
      : syntax_program_(std::move(syntax_program)),
        semantics_program_(std::move(semantics_program)),
        syntax_(syntax),
        semantics_(semantics),
        predicates_(predicates),
        inventory_(inventory) {}

  // Learns from the sentences with these numbers.
  JointCounts train(const std::vector<SemanticSentence>& sentences, ArrayView<int64_t> numbers,
                    const JointOracles& oracles, const JointOptions& options, uint64_t seed) {
    for (int64_t number : numbers)
      demand(number >= 0 && number < static_cast<int64_t>(sentences.size()), "no such sentence");
    JointCounts counts;
    for (int64_t number : numbers) train(sentences[number], oracles, options, mix(seed, number + 1), counts);
    return counts;
  }

 private:
  void train(const SemanticSentence& sentence, const JointOracles& oracles, const JointOptions& options, uint64_t seed,
             JointCounts& counts) {
    const int32_t n = sentence.syntax.n;
    syntax_.begin(sentence.syntax, oracles.syntax, options.syntax, seed);
    semantics_.begin(sentence.semantics, oracles.semantics, options.semantics, mix(seed, 1));
    JointState s(*syntax_program_, *semantics_program_, n);
    bool syntax_done = n == 0 || options.trees_given, semantics_done = n == 0;
    if (options.trees_given) s.give_tree(sentence.syntax.arcs.heads.data(), sentence.syntax.arcs.labels.data());
    int32_t met = 0;
    while (!syntax_done || !semantics_done) {
      const Layer layer = next_layer(s.unread_by_syntax, syntax_done, s.unread_by_semantics, semantics_done);
      if (layer == Layer::kSyntax) {
        syntax_done = !syntax_.step(s.syntax, counts.syntax) || syntax_.is_done(s.syntax);
      } else {
        if (!s.semantics.c.buffer_empty() && s.semantics.c.front() > met)
          meet(s.semantics, met = s.semantics.c.front(), sentence, counts.predicates);
        semantics_done = !semantics_.step(s.semantics, counts.semantics) || semantics_.is_done(s.semantics);
      }
      s.note(layer);
    }
  }

  // Learns what a word is. Arcs start from gold predicates; their senses are the model's, as they will be in parsing.
  void meet(State& s, int32_t word, const SemanticSentence& sentence, TrainingCounts& counts) {
    const Value* rows = sentence.rows.data();
    const std::size_t w = static_cast<std::size_t>(word) - 1;
    predicates_.learn_predicate(s, rows, sentence.predicates[w], counts);
    if (!sentence.predicates[w]) return;
    const ArrayView<int32_t> candidates = inventory_.senses(sentence.lemmas[w]);
    s.meaning.note_predicate(word, predicates_.learn_sense(s, rows, word, sentence.senses[w], candidates, counts));
  }

  std::shared_ptr<const Program> syntax_program_, semantics_program_;
  Perceptron &syntax_, &semantics_;
  PredicateLearner& predicates_;
  const SenseInventory& inventory_;
};

}  // namespace multiplane
