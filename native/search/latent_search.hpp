// Beam search for synchronous derivations: they are compared word by word, once they have read the same words
// (Henderson et al. 2008). Until then as many go on, step by step, as the beam is wide.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "scoring/latent_eye.hpp"
#include "scoring/latent_odds.hpp"

namespace multiplane {

class LatentSearch {
 public:
  struct Item {
    LatentState s;
    float score = 0;
    int32_t state = -1;  // the latent state that it is in
    int32_t last = -1;   // the last step of its history
  };

  // A decision: a transition with the label of its arc, or, of predicates, the sense of a word.
  struct Step {
    int32_t before;  // the step before, or -1
    StateKind kind;
    int32_t transition, label;
  };

  LatentSearch(const Program& syntax, const Program& semantics, const LatentNetwork& network)
      : syntax_(syntax),
        semantics_(semantics),
        network_(network),
        shape_(network.shape()),
        machine_(syntax, semantics),
        eye_(shape_),
        odds_(network),
        states_(network) {}

  // The best derivation. The predicates may be given: by word, 1 if it is one, 0 if not, -1 if that is to be found out.
  const Item& run(const LatentWords& words, std::size_t beam, const int8_t* predicates) {
    words_ = words;
    // A copy of a derivation takes time in proportion to the sentence, so that very long ones get a narrower beam.
    const std::size_t most = kMostCopied / static_cast<std::size_t>(std::max(words.n, 1));
    width_ = std::max<std::size_t>(std::min(beam, most), 1);
    limit_ = kLeastForgotten;
    predicates_ = predicates;
    states_.clear();
    history_.clear();
    for (std::vector<std::unique_ptr<Item>>* items : {&active_, &next_, &read_}) recycle(*items);
    free_.clear();  // states of another sentence have another size
    active_.push_back(std::make_unique<Item>(Item{LatentState(syntax_, semantics_, words.n)}));
    while (!std::all_of(active_.begin(), active_.end(), [&](const auto& item) { return machine_.is_done(item->s); }))
      if (!read_word()) break;
    return *active_[0];
  }

  // All decisions of a derivation, in order.
  std::vector<Step> steps(const Item& item) const {
    std::vector<Step> found;
    for (int32_t at = item.last; at >= 0; at = history_[at].before) found.push_back(history_[at]);
    std::reverse(found.begin(), found.end());
    return found;
  }

 private:
  struct Candidate {
    float score;
    int32_t item, transition, label;
  };
  static bool is_better(const Candidate& a, const Candidate& b) {
    if (a.score != b.score) return a.score > b.score;
    if (a.item != b.item) return a.item < b.item;
    return a.transition != b.transition ? a.transition < b.transition : a.label < b.label;
  }

  // All derivations go on until they have read another word, or are at their end; the best are kept.
  bool read_word() {
    if (states_.size() > limit_) forget_states();
    recycle(read_);
    while (!active_.empty()) {
      enter_states();
      find_candidates();
      advance();
    }
    if (read_.empty()) return false;
    sort_read();
    while (read_.size() > width_) free_.push_back(std::move(read_.back())), read_.pop_back();
    active_.swap(read_);
    return true;
  }

  // States that no derivation of the beam can be connected with make room for others.
  void forget_states() {
    states_.multiply();
    numbers_.assign(states_.size(), -1);
    for (const std::unique_ptr<Item>& item : active_)
      item->s.for_each_state([&](int32_t& state) { numbers_[state] = 0; });
    int32_t kept = 0;
    for (int32_t& number : numbers_)
      if (number == 0) number = kept++;
    states_.renumber(numbers_);
    for (const std::unique_ptr<Item>& item : active_)
      item->s.for_each_state([&](int32_t& state) { state = numbers_[state]; });
    limit_ = std::max<std::size_t>(2 * static_cast<std::size_t>(kept), kLeastForgotten);
  }

  void sort_read() {
    std::stable_sort(read_.begin(), read_.end(), [](const auto& a, const auto& b) { return a->score > b->score; });
  }

  void enter_states() {
    states_.multiply();
    for (const std::unique_ptr<Item>& item : active_) {
      if (machine_.is_done(item->s)) continue;
      links_.clear();
      rows_.clear();
      const StateKind kind = machine_.kind(item->s);
      eye_.look(item->s, kind, words_, links_, rows_);
      item->state = states_.add(kind, links_, rows_);
      item->s.note_state(kind, item->state);
    }
  }

  void find_candidates() {
    candidates_.clear();
    bound_ = read_.size() < width_ ? kWorst : worst_read();
    for (std::size_t i = 0; i < active_.size(); ++i) {
      Item& item = *active_[i];
      const int32_t number = static_cast<int32_t>(i);
      if (machine_.is_done(item.s)) {
        propose({item.score, number, kWait, 0});
      } else if (const StateKind kind = machine_.kind(item.s); kind == StateKind::kPredicate) {
        decide_predicate(item, number);
      } else {
        decide_transition(item, kind, number);
      }
    }
    keep_best();
  }

  float worst_read() {
    sort_read();
    return read_[width_ - 1]->score;
  }

  void propose(const Candidate& candidate) {
    if (candidate.score < bound_) return;
    candidates_.push_back(candidate);
    if (candidates_.size() >= 4 * width_) keep_best();
  }

  // Keeps as many candidates as the beam is wide. None that is worse than these can be among the best.
  void keep_best() {
    std::sort(candidates_.begin(), candidates_.end(), is_better);
    if (candidates_.size() < width_) return;
    candidates_.resize(width_);
    bound_ = std::max(bound_, candidates_.back().score);
  }

  // Decided at once: derivations with fewer predicates have fewer decisions to come, so that a beam would prefer them
  // even where a predicate is likely.
  void decide_predicate(const Item& item, int32_t number) {
    const int32_t word = item.s.front(), lemma = words_.lemma(word);
    const int8_t given = predicates_ == nullptr ? int8_t{-1} : predicates_[word - 1];
    const float* mean = states_.mean(item.state);
    const std::vector<float>& odds = odds_.of_range(mean, shape_.predicate_row(), 2);
    const bool is_predicate = given >= 0 ? given == 1 : odds[1] > odds[0];
    const float score = item.score + (given >= 0 ? 0 : odds[is_predicate]);
    if (!is_predicate) return propose({score, number, 0, kNoPredicate});
    if (lemma < 0) return propose({score, number, 0, kUnknownSense});
    const int32_t first = shape_.known.candidate_first[lemma], end = shape_.known.candidate_first[lemma + 1];
    rows_.clear();
    for (int32_t c = first; c < end; ++c) rows_.push_back(shape_.sense_row() + shape_.known.candidates[c]);
    const std::vector<float>& senses = odds_.of_list(mean, rows_);
    const auto best = std::max_element(senses.begin(), senses.end());
    propose({score + *best, number, 0, shape_.known.candidates[first + (best - senses.begin())]});
  }

  void decide_transition(Item& item, StateKind kind, int32_t number) {
    rows_.clear();
    legal_.clear();
    for (int32_t t = 0; t < shape_.transitions(kind); ++t)
      if (machine_.is_legal(item.s, kind, t)) legal_.push_back(t), rows_.push_back(shape_.action_row(kind) + t);
    if (legal_.empty()) return;
    const float* mean = states_.mean(item.state);
    actions_ = odds_.of_list(mean, rows_);
    for (std::size_t i = 0; i < legal_.size(); ++i) {
      const float score = item.score + actions_[i];
      const int32_t labels = shape_.label_row(kind, legal_[i]);
      if (score < bound_) continue;
      if (labels < 0) {
        propose({score, number, legal_[i], -1});
        continue;
      }
      const std::vector<float>& odds = odds_.of_range(mean, labels, shape_.labels(kind));
      for (int32_t label = 0; label < shape_.labels(kind); ++label)
        if (score + odds[label] >= bound_) propose({score + odds[label], number, legal_[i], label});
    }
  }

  // The last successor of an item takes its place; the others are copies.
  void advance() {
    successors_.assign(active_.size(), 0);
    for (const Candidate& c : candidates_) ++successors_[c.item];
    for (const Candidate& c : candidates_) {
      std::unique_ptr<Item> item;
      if (--successors_[c.item] == 0) {
        item = std::move(active_[c.item]);
      } else {
        item = copy(*active_[c.item]);
      }
      item->score = c.score;
      const bool goes_on = c.transition != kWait && take(*item, c);
      (goes_on ? next_ : read_).push_back(std::move(item));
    }
    recycle(active_);
    active_.swap(next_);
  }

  // Whether the derivation has still to go on before it is compared.
  bool take(Item& item, const Candidate& c) {
    LatentState& s = item.s;
    const StateKind kind = machine_.kind(s);
    history_.push_back({item.last, kind, c.transition, c.label});
    item.last = static_cast<int32_t>(history_.size()) - 1;
    if (kind == StateKind::kPredicate) {
      s.note_predicate(c.label);
      return true;
    }
    const int32_t front = s.front();
    machine_.take(s, kind, c.transition, c.label);
    if (s.front() == front) return !machine_.is_done(s);
    if (shape_.generative && s.front() <= s.n()) item.score += word_score(s.front(), states_.mean(item.state));
    return false;
  }

  // The logarithm of the probability of the next tag and word.
  float word_score(int32_t word, const float* mean) {
    const int32_t form = words_.number(word, 0) - kFirstKnown, tag = words_.number(word, 1) - kFirstKnown;
    if (tag < 0) return 0;
    const float score = odds_.of_one(mean, shape_.tag_row(), shape_.tags(), tag);
    const int32_t first = shape_.known.class_first[tag], end = shape_.known.class_first[tag + 1];
    if (form < first || form >= end) return score;
    return score + odds_.of_one(mean, shape_.word_row() + first, end - first, form - first);
  }

  std::unique_ptr<Item> copy(const Item& item) {
    if (free_.empty()) return std::make_unique<Item>(item);
    std::unique_ptr<Item> twin = std::move(free_.back());
    free_.pop_back();
    *twin = item;
    return twin;
  }

  void recycle(std::vector<std::unique_ptr<Item>>& items) {
    for (std::unique_ptr<Item>& item : items)
      if (item != nullptr) free_.push_back(std::move(item));
    items.clear();
  }

  static constexpr int32_t kWait = -1;
  static constexpr std::size_t kMostCopied = 20000, kLeastForgotten = 4096;
  static constexpr float kWorst = -1e30f;

  const Program &syntax_, &semantics_;
  const LatentNetwork& network_;
  const LatentShape& shape_;
  LatentMachine machine_;
  LatentEye eye_;
  LatentOdds odds_;
  LatentStates states_;
  LatentWords words_;
  std::size_t width_ = 1, limit_ = 0;
  const int8_t* predicates_ = nullptr;
  float bound_ = kWorst;
  std::vector<std::unique_ptr<Item>> active_, next_, read_, free_;
  std::vector<Step> history_;  // of all derivations, which share what they have in common
  std::vector<Candidate> candidates_;
  std::vector<int32_t> successors_, legal_, rows_, numbers_;
  std::vector<LatentLink> links_;
  std::vector<float> actions_;
};

}  // namespace multiplane
