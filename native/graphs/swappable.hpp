// Which graphs S4's Swap can derive (Theorems 1 and 2), with a certificate for those that it cannot.
//
// SWAP exchanges the two uppermost words of the stack, so that both are within reach, and all others are not until one
// of the two has left. Reducing a word without further links never hurts. What remains of a derivation is one choice
// per word: which of the two must go below when it is shifted. The exhaustive order lets the one go whose list of
// partners comes later, which is always a right choice (Theorem 1).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "graphs/crossings.hpp"
#include "graphs/partners.hpp"

namespace multiplane {

class SwapOrder {
 public:
  SwapOrder(int32_t n, const Spans& links) : n_(n), partners_(n, links), first_(n + 2, 0), is_deep_(n + 1, false) {
    for (const Span& link : links) ++first_[link.right + 1];
    for (std::size_t v = 1; v < first_.size(); ++v) first_[v] += first_[v - 1];
    std::vector<int32_t> place(first_.begin(), first_.end() - 1);
    linked_before_.resize(links.size());
    for (const Span& link : links) linked_before_[place[link.right]++] = link.left;
  }

  // The first word that cannot be linked to all its partners before it; 0 if there is none.
  int32_t first_failure() {
    for (int32_t front = 1; front <= n_; ++front) {
      reduce_finished(front);
      for (int32_t i = first_[front]; i < first_[front + 1]; ++i)
        if (is_deep_[linked_before_[i]]) return front;
      shift(front);
    }
    return 0;
  }

 private:
  // Removes words whose last link is one to the front, so that others come within reach.
  void reduce_finished(int32_t front) {
    for (bool changed = true; changed;) {
      changed = false;
      for (int32_t& word : within_reach_) {
        if (word > 0) partners_.skip_before(word, front + 1);
        if (word > 0 && partners_.next(word) != PartnerLists::kNone) continue;
        changed = changed || word > 0 || !deep_.empty();
        word = deep_.empty() ? 0 : deep_.back();
        is_deep_[word] = false;
        if (!deep_.empty()) deep_.pop_back();
      }
    }
  }

  void shift(int32_t front) {
    for (int32_t& word : within_reach_) {
      if (word == 0) {
        word = front;
        return;
      }
    }
    int32_t& later =
        partners_.rank(within_reach_[0]) < partners_.rank(within_reach_[1]) ? within_reach_[1] : within_reach_[0];
    deep_.push_back(later);
    is_deep_[later] = true;
    later = front;
  }

  int32_t n_;
  PartnerLists partners_;
  std::vector<int32_t> first_, linked_before_;  // by word: the words before it that it is linked to
  std::array<int32_t, 2> within_reach_{0, 0};   // the two uppermost words that have links left; 0 if there is none
  std::vector<int32_t> deep_;                   // those below them
  std::vector<bool> is_deep_;
};

inline bool is_swappable(int32_t n, const Spans& links) { return SwapOrder(n, links).first_failure() == 0; }

// A minimal set of arcs that Swap cannot derive; empty if it can derive all. Without arcs more can be derived, never
// less, so that an arc that was needed once is needed to the end.
inline ArcList unswappable(int32_t n, const Spans& spans) {
  auto chosen = [&spans](const ArcList& arcs) {
    Spans links;
    for (int32_t a : arcs) links.push_back(spans[a]);
    return links;
  };
  ArcList arcs;
  const int32_t failure = SwapOrder(n, spans).first_failure();
  // Words after the one where the order failed have no part in it but as partners of earlier ones.
  for (std::size_t a = 0; a < spans.size(); ++a)
    if (spans[a].left < failure) arcs.push_back(static_cast<int32_t>(a));
  for (std::size_t size = std::max<std::size_t>(arcs.size() / 2, 1); !arcs.empty(); size /= 2) {
    for (std::size_t begin = 0; begin < arcs.size();) {
      ArcList rest(arcs.begin(), arcs.begin() + static_cast<std::ptrdiff_t>(begin));
      const std::size_t end = std::min(begin + size, arcs.size());
      rest.insert(rest.end(), arcs.begin() + static_cast<std::ptrdiff_t>(end), arcs.end());
      if (is_swappable(n, chosen(rest))) {
        begin = end;
      } else {
        arcs = rest;
      }
    }
    if (size == 1) break;
  }
  return arcs;
}

}  // namespace multiplane
