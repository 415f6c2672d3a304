// HEAD planarisation of graphs: arcs that do not fit in the plane are lifted to a head of their head, and lowered
// again.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "graphs/crossings.hpp"
#include "graphs/largest_planar.hpp"

namespace multiplane {

struct LabelledArc {
  int32_t head, dependent, label;
};
using LabelledArcs = std::vector<LabelledArc>;

constexpr int32_t kNotLifted = -1, kRepeated = -1;

// The arcs of a graph by one of their ends, in the order of the other end and of labels.
class ArcsByEnd {
 public:
  ArcsByEnd(int32_t n, const LabelledArcs& arcs, int32_t LabelledArc::* end, int32_t LabelledArc::* other)
      : first_(n + 2, 0), sorted_(arcs) {
    std::sort(sorted_.begin(), sorted_.end(), [=](const LabelledArc& a, const LabelledArc& b) {
      return std::array{a.*end, a.*other, a.label} < std::array{b.*end, b.*other, b.label};
    });
    for (const LabelledArc& arc : sorted_) ++first_[arc.*end + 1];
    for (std::size_t v = 1; v < first_.size(); ++v) first_[v] += first_[v - 1];
  }

  const LabelledArc* begin(int32_t word) const { return sorted_.data() + first_[word]; }
  const LabelledArc* end(int32_t word) const { return sorted_.data() + first_[word + 1]; }

 private:
  std::vector<int32_t> first_;
  LabelledArcs sorted_;
};

// A queue of words that takes each only once.
class Reached {
 public:
  explicit Reached(int32_t n) : round_of_(n + 1, 0) {}

  void start(int32_t word) {
    ++round_;
    words_.clear();
    add(word);
  }
  void add(int32_t word) {
    if (round_of_[word] == round_) return;
    round_of_[word] = round_;
    words_.push_back(word);
  }
  std::size_t size() const { return words_.size(); }
  int32_t operator[](std::size_t i) const { return words_[i]; }

 private:
  std::vector<int32_t> round_of_, words_;
  int32_t round_ = 0;
};

// Finds the head from which an arc was lifted.
class HeadSearch {
 public:
  HeadSearch(int32_t n, const LabelledArcs& unlifted)
      : below_(n, unlifted, &LabelledArc::head, &LabelledArc::dependent), reached_(n) {}

  // The first word, breadth-first below a head, that an arc with this label leads to; 0 if there is none. The search
  // does not go through the dependent itself.
  int32_t find(int32_t head, int32_t dependent, int32_t label) {
    reached_.start(head);
    for (std::size_t i = 0; i < reached_.size(); ++i) {
      for (const LabelledArc* arc = below_.begin(reached_[i]); arc != below_.end(reached_[i]); ++arc) {
        if (arc->dependent == dependent) continue;
        if (arc->label == label) return arc->dependent;
        reached_.add(arc->dependent);
      }
    }
    return 0;
  }

 private:
  ArcsByEnd below_;
  Reached reached_;
};

inline bool links_words(const LabelledArc& arc) { return arc.head > 0 && arc.head != arc.dependent; }

// Chooses arcs that stay in the plane. Every other arc, the shortest first, goes to the nearest word above its head,
// along arcs that stay, from which it crosses nothing and from which HeadSearch finds its head; or it is dropped. As
// many arcs stay as fit in the plane; but if that drops some, another choice is tried, too: first those stay that
// cannot be lifted as their head has no head.
class Planarizer {
 public:
  struct Change {
    int32_t head, lifted_from;  // the label of the head, or kNotLifted
    bool dropped;
  };

  Planarizer(int32_t n, const LabelledArcs& arcs, bool lifts) : n_(n), arcs_(arcs), links_words_(arcs.size()) {
    for (std::size_t a = 0; a < arcs.size(); ++a) {
      spans_.push_back(span_of(arcs[a].head, arcs[a].dependent));
      links_words_[a] = links_words(arcs[a]);
    }
    const ArcList beyond = beyond_the_plane(links_words_);
    changes_ = changed(beyond, lifts);
    if (!lifts || dropped(changes_) == 0) return;
    const std::vector<Change> others = changed(beyond_if_lifted(), lifts);
    if (dropped(others) < dropped(changes_)) changes_ = others;
  }

  const std::vector<Change>& changes() const { return changes_; }

 private:
  static constexpr std::size_t kMostHeads = 64;  // heads above a word that are tried, so that no graph takes for ever

  static Span span_of(int32_t head, int32_t dependent) {
    return {std::min(head, dependent), std::max(head, dependent)};
  }
  static std::size_t dropped(const std::vector<Change>& changes) {
    return std::count_if(changes.begin(), changes.end(), [](const Change& change) { return change.dropped; });
  }

  // As few of some arcs as possible, without which the others are planar.
  ArcList beyond_the_plane(const std::vector<bool>& chosen) const {
    ArcList arcs, beyond;
    Spans spans;
    for (std::size_t a = 0; a < arcs_.size(); ++a) {
      if (!chosen[a]) continue;
      arcs.push_back(static_cast<int32_t>(a));
      spans.push_back(spans_[a]);
    }
    for (int32_t i : arcs_beyond(spans, 1)) beyond.push_back(arcs[i]);
    return beyond;
  }

  // The same, if arcs that cannot be lifted come first, and then those that cross the fewest others.
  ArcList beyond_if_lifted() const {
    std::vector<bool> has_head(n_ + 1, false), is_last(arcs_.size(), true);
    for (std::size_t a = 0; a < arcs_.size(); ++a)
      if (links_words_[a]) has_head[arcs_[a].dependent] = true;
    for (std::size_t a = 0; a < arcs_.size(); ++a) is_last[a] = links_words_[a] && !has_head[arcs_[a].head];
    ArcList beyond = beyond_the_plane(is_last), rest;
    std::vector<bool> is_beyond(arcs_.size(), false);
    for (int32_t a : beyond) is_beyond[a] = true;
    OpenPlane plane(n_ + 1);
    Spans between_words;
    std::vector<std::size_t> number(arcs_.size(), 0);
    for (std::size_t a = 0; a < arcs_.size(); ++a) {
      if (!links_words_[a]) continue;
      number[a] = between_words.size();
      between_words.push_back(spans_[a]);
      if (!is_last[a]) rest.push_back(static_cast<int32_t>(a));
      if (is_last[a] && !is_beyond[a]) plane.take(spans_[a]);
    }
    const std::vector<int32_t> crossings = crossing_counts(between_words);
    std::stable_sort(rest.begin(), rest.end(),
                     [&](int32_t a, int32_t b) { return crossings[number[a]] < crossings[number[b]]; });
    for (int32_t a : rest)
      if (!plane.take(spans_[a])) beyond.push_back(a);
    return beyond;
  }

  std::vector<Change> changed(ArcList beyond, bool lifts) const {
    std::vector<Change> changes;
    for (const LabelledArc& arc : arcs_) changes.push_back({arc.head, kNotLifted, false});
    for (int32_t a : beyond) changes[a].dropped = true;
    std::sort(beyond.begin(), beyond.end(), [this](int32_t a, int32_t b) {
      auto key = [this](int32_t arc) {
        return std::array{spans_[arc].right - spans_[arc].left, spans_[arc].left, arc};
      };
      return key(a) < key(b);
    });
    if (lifts && !beyond.empty()) lift(beyond, changes);
    return changes;
  }

  void lift(const ArcList& beyond, std::vector<Change>& changes) const {
    LabelledArcs kept;
    OpenPlane plane(n_ + 1);
    std::vector<std::pair<int32_t, int32_t>> all, taken;
    for (std::size_t a = 0; a < arcs_.size(); ++a) {
      all.emplace_back(arcs_[a].head, arcs_[a].dependent);
      if (changes[a].dropped || !links_words_[a]) continue;
      kept.push_back(arcs_[a]);
      plane.take(spans_[a]);
      taken.push_back(all.back());
    }
    std::sort(all.begin(), all.end());
    std::sort(taken.begin(), taken.end());
    const ArcsByEnd above(n_, kept, &LabelledArc::dependent, &LabelledArc::head);
    HeadSearch search(n_, kept);
    Reached reached(n_);
    for (int32_t a : beyond) {
      const LabelledArc& arc = arcs_[a];
      const auto same = std::equal_range(all.begin(), all.end(), std::pair(arc.head, arc.dependent));
      if (same.second - same.first > 1) continue;  // decoding could not tell the two apart
      changes[a] = lifted(a, above, search, reached, plane, taken);
    }
  }

  Change lifted(int32_t a, const ArcsByEnd& above, HeadSearch& search, Reached& reached, OpenPlane& plane,
                std::vector<std::pair<int32_t, int32_t>>& taken) const {
    const LabelledArc& arc = arcs_[a];
    reached.start(arc.head);
    for (std::size_t i = 0; i < reached.size() && i <= kMostHeads; ++i) {
      const int32_t head = reached[i];
      const auto place = std::lower_bound(taken.begin(), taken.end(), std::pair(head, arc.dependent));
      const bool is_free = place == taken.end() || *place != std::pair(head, arc.dependent);
      if (i > 0 && is_free && plane.accepts(span_of(head, arc.dependent))) {
        // The head may have several labels, one for each of its own heads.
        for (const LabelledArc* own = above.begin(arc.head); own != above.end(arc.head); ++own) {
          if (search.find(head, arc.dependent, own->label) != arc.head) continue;
          plane.take(span_of(head, arc.dependent));
          taken.insert(place, {head, arc.dependent});
          return {head, own->label, false};
        }
      }
      for (const LabelledArc* up = above.begin(head); up != above.end(head); ++up)
        if (up->head != arc.dependent) reached.add(up->head);
    }
    return {arc.head, kNotLifted, true};
  }

  int32_t n_;
  const LabelledArcs& arcs_;
  Spans spans_;
  std::vector<bool> links_words_;
  std::vector<Change> changes_;
};

// Lowers the arcs of a graph whose labels say from where they were lifted: `lifted_from`, by arc, is a label, or
// kNotLifted. Gives every arc its head; kRepeated for one that would only repeat another. Without a match, an arc
// stays.
inline std::vector<int32_t> deplanarized_heads(int32_t n, const LabelledArcs& arcs,
                                               const std::vector<int32_t>& lifted_from) {
  LabelledArcs unlifted;
  std::vector<std::pair<int32_t, int32_t>> taken;
  std::vector<int32_t> heads;
  for (std::size_t a = 0; a < arcs.size(); ++a) {
    heads.push_back(arcs[a].head);
    if (lifted_from[a] != kNotLifted) continue;
    taken.emplace_back(arcs[a].head, arcs[a].dependent);
    if (links_words(arcs[a])) unlifted.push_back(arcs[a]);
  }
  if (taken.size() == arcs.size()) return heads;
  std::sort(taken.begin(), taken.end());
  HeadSearch search(n, unlifted);
  for (std::size_t a = 0; a < arcs.size(); ++a) {
    if (lifted_from[a] == kNotLifted) continue;
    const int32_t found = links_words(arcs[a]) ? search.find(arcs[a].head, arcs[a].dependent, lifted_from[a]) : 0;
    if (found > 0) heads[a] = found;
    const std::pair<int32_t, int32_t> ends(heads[a], arcs[a].dependent);
    const auto place = std::lower_bound(taken.begin(), taken.end(), ends);
    if (place != taken.end() && *place == ends) {
      heads[a] = kRepeated;
    } else {
      taken.insert(place, ends);
    }
  }
  return heads;
}

}  // namespace multiplane
