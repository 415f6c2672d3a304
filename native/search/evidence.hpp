// Evidence: how sure a parser was of every arc, from a second look at the decisions that built it.
//
// Parsing itself keeps no such account, so that it stays as fast as it is: derivations are replayed.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "search/text_parser.hpp"

namespace multiplane {

// The best trees of every sentence, all different, and what speaks for their arcs. Odds are logarithms.
struct Evidence {
  std::vector<int64_t> first;     // by sentence, its first tree; and behind the last one
  std::vector<uint8_t> complete;  // by sentence
  std::vector<float> scores;      // by tree
  // For all words of all trees, one after another:
  std::vector<int32_t> heads, labels;
  std::vector<int32_t> other_labels;  // the next best one, or -1
  std::vector<float> label_odds, other_odds;
  std::vector<float> built;    // of the transition that built the arc
  std::vector<float> waiting;  // of all decisions while the word was in focus and had no head
  std::vector<float> shares;   // of the derivations in the beam with the same head
  std::vector<float> known;    // of the head, as the head scorer has it; 0 without one
};

struct EvidenceOptions {
  int beam = 1;
  int32_t most = 1;        // trees of a sentence
  float temperature = 1;   // of scores that are not logarithms
  int32_t root_label = 0;  // of a root that no arc labels
};

// Turns scores into logarithms of probabilities.
inline void normalize_odds(std::vector<float>& scores, float temperature) {
  if (scores.empty()) return;
  const float most = *std::max_element(scores.begin(), scores.end());
  float sum = 0;
  for (float& s : scores) {
    s = (s - most) / temperature;
    sum += std::exp(s);
  }
  for (float& s : scores) s -= std::log(sum);
}

// Takes the transitions of a derivation once more, and notes how likely each of them and each label was.
class Replay {
 public:
  Replay(const Program& program, Scorer& scorer)
      : program_(program), scorer_(scorer), driver_(program, scorer), machine_(program) {}

  struct Arc {
    float built, label_odds, other_odds;
    int32_t other;
  };

  State run(int32_t n, const Value* rows, const std::vector<Taken>& steps, float temperature) {
    State s(program_, n);
    arcs_.clear();
    waiting_.assign(n + 1, 0);
    const float divisor = scorer_.is_relative() ? 1 : temperature;
    for (const Taken& step : steps) {
      const float odds = odds_of(s, rows, step, divisor);
      wait(s, odds);
      multiplane::take(machine_, s, step.transition, step.parameter, [&](Ends ends) {
        scorer_.labels(s, rows, ends, labels_);
        normalize_odds(labels_, divisor);
        arcs_.push_back(arc_of(odds, step.label));
        return step.label;
      });
    }
    return s;
  }

  // Of the last run, by arc in the order in which they were built, and by word.
  const std::vector<Arc>& arcs() const { return arcs_; }
  float waiting(int32_t word) const { return waiting_[word]; }

 private:
  // How likely a transition is among those that are legal.
  float odds_of(State& s, const Value* rows, const Taken& step, float divisor) {
    candidates_.clear();
    driver_.candidates(s, rows, 0, 0, candidates_);
    float most = -std::numeric_limits<float>::infinity(), taken = 0, sum = 0;
    for (Candidate& c : candidates_) {
      const bool is_taken = c.transition == step.transition && c.parameter == step.parameter;
      if (is_taken) taken = c.score;
      if (!is_taken && !machine_.is_legal(s.c, c.transition, c.parameter)) {
        c.score = -std::numeric_limits<float>::infinity();
      }
      most = std::max(most, c.score);
    }
    for (const Candidate& c : candidates_) sum += std::exp((c.score - most) / divisor);
    return (taken - most) / divisor - std::log(sum);
  }

  void wait(const State& s, float odds) {
    const int32_t front = s.c.front_or(-1), top = s.c.top_or(-1);
    for (int32_t v : {front, top})
      if (v > 0 && s.tree.head(v) < 0) waiting_[v] += odds;
    if (front == top && front > 0 && s.tree.head(front) < 0) waiting_[front] -= odds;  // one word, one decision
  }

  Arc arc_of(float odds, int32_t label) const {
    if (labels_.empty()) return {odds, 0, 0, -1};
    int32_t other = -1;
    for (int32_t l = 0; l < static_cast<int32_t>(labels_.size()); ++l)
      if (l != label && (other < 0 || labels_[l] > labels_[other])) other = l;
    return {odds, labels_[label], other < 0 ? 0 : labels_[other], other};
  }

  const Program& program_;
  Scorer& scorer_;
  Driver driver_;
  Machine machine_;
  std::vector<Candidate> candidates_;
  std::vector<float> labels_, waiting_;
  std::vector<Arc> arcs_;
};

// Gathers the evidence of one sentence after another.
class EvidenceCollector {
 public:
  EvidenceCollector(const Program& program, Scorer& scorer, const Index& index, const EvidenceOptions& options)
      : program_(program),
        scorer_(scorer),
        options_(options),
        replay_(program, scorer),
        tree_(0, 0, options.root_label) {
    found_.first.push_back(0);
    found_.complete.reserve(index.size());
  }

  void add(SentenceParser& parser, int32_t n, const Value* rows, std::size_t first, const FixedArcs& fixed) {
    parser.note_derivations(&derived_);
    const int32_t* labels = fixed.labels(first);
    parser.parse(n, rows, options_.beam, fixed.heads(first), labels, fixed.forbidden(first));
    found_.complete.push_back(parser.is_complete());
    weigh();
    heads_.assign(derived_.size() * static_cast<std::size_t>(n), 0);
    for (std::size_t i = 0; i < derived_.size(); ++i) read_heads(n, derived_[i].steps, i);
    const std::size_t before = found_.scores.size();
    for (std::size_t i = 0; i < derived_.size() && found_.scores.size() - before < most(); ++i)
      add_tree(n, rows, i, labels, before);
    found_.first.push_back(static_cast<int64_t>(found_.scores.size()));
  }

  Evidence take() { return std::move(found_); }

 private:
  std::size_t most() const { return static_cast<std::size_t>(options_.most); }

  // The share of every derivation in the beam.
  void weigh() {
    shares_.clear();
    for (const SentenceParser::Derived& d : derived_) shares_.push_back(d.score);
    normalize_odds(shares_, scorer_.is_relative() ? 1 : options_.temperature);
    for (float& share : shares_) share = std::exp(share);
  }

  // The heads of a derivation, which takes no scores.
  void read_heads(int32_t n, const std::vector<Taken>& steps, std::size_t item) {
    Machine machine(program_);
    State s(program_, n);
    for (const Taken& step : steps)
      multiplane::take(machine, s, step.transition, step.parameter, [&](Ends) { return step.label; });
    note(s, n, nullptr);
    std::copy(tree_.heads.begin(), tree_.heads.end(), heads_.begin() + static_cast<std::ptrdiff_t>(item) * n);
  }

  void note(const State& s, int32_t n, const int32_t* fixed_labels) {
    tree_ = ParsedTrees(static_cast<std::size_t>(n), 1, options_.root_label);
    tree_.add(s, 0, 0, n, 0, true, fixed_labels);
  }

  void add_tree(int32_t n, const Value* rows, std::size_t item, const int32_t* fixed_labels, std::size_t before) {
    const State s = replay_.run(n, rows, derived_[item].steps, options_.temperature);
    note(s, n, fixed_labels);
    if (is_known(n, before)) return;
    found_.scores.push_back(derived_[item].score);
    found_.heads.insert(found_.heads.end(), tree_.heads.begin(), tree_.heads.end());
    found_.labels.insert(found_.labels.end(), tree_.labels.begin(), tree_.labels.end());
    for (int32_t v = 1; v <= n; ++v) add_word(s, n, v, fixed_labels != nullptr && fixed_labels[v - 1] >= 0);
  }

  // Whether an earlier derivation of the sentence built the same tree.
  bool is_known(int32_t n, std::size_t before) const {
    for (std::size_t t = before; t < found_.scores.size(); ++t) {
      const std::size_t start = found_.heads.size() - (found_.scores.size() - t) * static_cast<std::size_t>(n);
      if (std::equal(tree_.heads.begin(), tree_.heads.end(),
                     found_.heads.begin() + static_cast<std::ptrdiff_t>(start)) &&
          std::equal(tree_.labels.begin(), tree_.labels.end(),
                     found_.labels.begin() + static_cast<std::ptrdiff_t>(start)))
        return true;
    }
    return false;
  }

  void add_word(const State& s, int32_t n, int32_t v, bool has_fixed_label) {
    const int32_t head = tree_.heads[v - 1];
    const int32_t number = s.links.is_in_use() ? tree_.edge_of(v) : s.c.in_list()[v];
    const bool is_built = number >= 0 && number < static_cast<int32_t>(replay_.arcs().size());
    const Replay::Arc arc = is_built ? replay_.arcs()[number] : Replay::Arc{0, 0, 0, -1};
    found_.built.push_back(arc.built);
    found_.label_odds.push_back(has_fixed_label ? 0 : arc.label_odds);
    found_.other_odds.push_back(arc.other_odds);
    found_.other_labels.push_back(has_fixed_label ? -1 : arc.other);
    found_.waiting.push_back(replay_.waiting(v));
    float share = 0;
    for (std::size_t i = 0; i < shares_.size(); ++i)
      if (heads_[i * static_cast<std::size_t>(n) + static_cast<std::size_t>(v) - 1] == head) share += shares_[i];
    found_.shares.push_back(std::min(share, 1.0f));
    found_.known.push_back(known_odds(head, v));
  }

  // That an edge is there in either direction, where arcs have none.
  float known_odds(int32_t head, int32_t word) const {
    const float odds = scorer_.head_odds(head, word);
    if (!program_.undirected || head == 0) return odds;
    return std::min(0.0f, std::log(std::exp(odds) + std::exp(scorer_.head_odds(word, head))));
  }

  const Program& program_;
  Scorer& scorer_;
  EvidenceOptions options_;
  Replay replay_;
  ParsedTrees tree_;  // of one sentence
  std::vector<SentenceParser::Derived> derived_;
  std::vector<float> shares_;
  std::vector<int32_t> heads_;  // by derivation and word
  Evidence found_;
};

}  // namespace multiplane
