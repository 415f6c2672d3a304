// Roll-outs of synchronous parsers: syntax may follow its own errors, and semantics sees what comes of that.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "features/joint_state.hpp"
#include "scoring/semantic.hpp"
#include "training/rollout.hpp"

namespace multiplane {

// A sentence with both layers.
struct JointSentence {
  TrainingSentence syntax, semantics;
  std::vector<uint8_t> predicates;  // by word, from 0: whether arcs may start there
};

struct JointRollout {
  Rollout syntax, semantics;
  // By gold arc of the semantics, in the order of the sentences' arcs: how its ends are related in the tree that the
  // syntax has built by the time when the arc is built, or could have been; and the roles that its head has given by
  // then, one after another, with where they end for each arc.
  std::vector<int32_t> relations, roles, role_ends;
};

// One system with its oracle and the network that learns it.
template <typename Head>
struct LearningLayer {
  const Program& program;
  const OracleSpec& oracle;
  const Head& head;
  EncodedWords encoded;
  RolloutOptions options;
};

class JointExplorer {
 public:
  JointExplorer(const LearningLayer<NeuralHead>& syntax, const LearningLayer<SemanticHead>& semantics)
      : syntax_layer_(syntax),
        semantics_layer_(semantics),
        syntax_(syntax.program, syntax.head, {syntax.encoded.slots, nullptr, nullptr}, syntax.oracle),
        semantics_(semantics.program, semantics.head, {semantics.encoded.slots, nullptr, nullptr}, semantics.oracle) {}

  // The words of the sentence begin at this row of the tables.
  void run(const JointSentence& sentence, int32_t first_row, const float* head_odds, const float* role_odds,
           uint64_t seed, bool tree_given, JointRollout& record) {
    const int32_t n = sentence.syntax.n;
    syntax_.view().look_at(first_row, n, head_odds);
    semantics_.view().look_at(first_row, n, role_odds, sentence.predicates.data());
    syntax_.begin(sentence.syntax, syntax_layer_.options, seed);
    semantics_.begin(sentence.semantics, semantics_layer_.options, mix(seed, 1));
    const GoldArcs& arcs = sentence.semantics.arcs;
    relations_.assign(arcs.size(), 0);
    given_.assign(arcs.size(), {});
    JointState s(syntax_layer_.program, semantics_layer_.program, n);
    bool syntax_done = n == 0 || tree_given, semantics_done = n == 0;
    if (tree_given) s.give_tree(sentence.syntax.arcs.heads.data(), sentence.syntax.arcs.labels.data());
    int32_t front = 0;
    while (!syntax_done || !semantics_done) {
      const Layer layer = next_layer(s.unread_by_syntax, syntax_done, s.unread_by_semantics, semantics_done);
      if (layer == Layer::kSyntax) {
        syntax_done = !syntax_.step(s.syntax, record.syntax) || syntax_.is_done(s.syntax);
      } else {
        const Configuration& c = s.semantics.c;
        if (!c.buffer_empty() && c.front() > front) {
          front = c.front();
          for (std::size_t a = 0; a < arcs.size(); ++a)
            if (std::max(arcs.heads[a], arcs.dependents[a]) == front) look_at(arcs, a, s.semantics);
        }
        const int32_t built = c.header().arc_count;
        semantics_done = !semantics_.step(s.semantics, record.semantics) || semantics_.is_done(s.semantics);
        for (int32_t b = built; b < c.header().arc_count; ++b) look_at_built(arcs, b, s.semantics);
      }
      s.note(layer);
    }
    append(record);
  }

 private:
  void look_at(const GoldArcs& arcs, std::size_t a, const State& s) {
    relations_[a] = semantics_layer_.head.relations.of(s.tree, arcs.dependents[a], arcs.heads[a]);
    given_[a].clear();
    for_each_role(s.c, arcs.heads[a], [&](int32_t role) { given_[a].push_back(role); });
  }

  // An arc has been built: its head has given the same roles as before, and one more.
  void look_at_built(const GoldArcs& arcs, int32_t built, const State& s) {
    const Arc& arc = s.c.arc(built);
    for (int32_t a = arcs.first[arc.dependent - 1]; a < arcs.first[arc.dependent]; ++a) {
      if (arcs.heads[a] != arc.head) continue;
      look_at(arcs, static_cast<std::size_t>(a), s);
      given_[a].erase(given_[a].begin());  // the newest comes first
      break;
    }
  }

  void append(JointRollout& record) const {
    record.relations.insert(record.relations.end(), relations_.begin(), relations_.end());
    for (const std::vector<int32_t>& roles : given_) {
      record.roles.insert(record.roles.end(), roles.begin(), roles.end());
      record.role_ends.push_back(static_cast<int32_t>(record.roles.size()));
    }
  }

  LearningLayer<NeuralHead> syntax_layer_;
  LearningLayer<SemanticHead> semantics_layer_;
  Explorer<NeuralScorer> syntax_;
  Explorer<SemanticScorer> semantics_;
  std::vector<int32_t> relations_;
  std::vector<std::vector<int32_t>> given_;
};

// What a network meets when it parses the sentences with these numbers, whose trees may be given.
inline JointRollout roll_out(const LearningLayer<NeuralHead>& syntax, const LearningLayer<SemanticHead>& semantics,
                             const std::vector<JointSentence>& sentences, ArrayView<int64_t> numbers, uint64_t seed,
                             bool trees_given) {
  std::size_t words = 0, heads = 0, roles = 0;
  for (int64_t number : numbers) {
    demand(number >= 0 && number < static_cast<int64_t>(sentences.size()), "no such sentence");
    const std::size_t n = static_cast<std::size_t>(sentences[number].syntax.n);
    words += n;
    heads += n * (n + 1);
    roles += n * n;
  }
  const bool looks_at_heads = !syntax.head.focus.empty();
  for (const auto& [encoded, width] : {std::pair(&syntax.encoded, syntax.head.slot_width()),
                                       std::pair(&semantics.encoded, semantics.head.slot_width())})
    demand(encoded->rows == words + 2 && encoded->width == width, "the table of slots does not fit");
  demand(!looks_at_heads || heads <= syntax.encoded.odds.size(), "the probabilities of heads do not fit");
  demand(roles <= semantics.encoded.odds.size(), "the probabilities of arcs do not fit");
  demand(!syntax.options.dynamic || syntax.oracle.is_dynamic(), "the system has no dynamic oracle");
  demand(!semantics.options.dynamic || semantics.oracle.is_dynamic(), "the system has no dynamic oracle");
  JointRollout record;
  JointExplorer explorer(syntax, semantics);
  int32_t row = 2;
  const float *next_heads = syntax.encoded.odds.data(), *next_roles = semantics.encoded.odds.data();
  for (int64_t number : numbers) {
    const JointSentence& s = sentences[number];
    const std::ptrdiff_t n = s.syntax.n;
    explorer.run(s, row, looks_at_heads ? next_heads : nullptr, next_roles, mix(seed, number + 1), trees_given, record);
    row += s.syntax.n;
    if (looks_at_heads) next_heads += n * (n + 1);
    next_roles += n * n;
  }
  return record;
}

}  // namespace multiplane
