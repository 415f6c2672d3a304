// The words that each word must still be linked to, in order, and the lexicographical order of these lists (S4 §2.1).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "graphs/crossings.hpp"

namespace multiplane {

// By word, the later words that it is linked to. Lists only get shorter, from the front, so that the rest of a list is
// named by its first element, and all rests can be ranked beforehand: from the last word to the first, as a rest that
// begins with a later word comes later, and rests that begin with the same word are in the order of what follows it.
class PartnerLists {
 public:
  static constexpr int32_t kNone = INT32_MAX;  // after every word

  PartnerLists(int32_t last_word, const Spans& links) : first_(last_word + 2, 0) {
    Spans sorted = links;
    std::sort(sorted.begin(), sorted.end(),
              [](const Span& a, const Span& b) { return a.left != b.left ? a.left < b.left : a.right < b.right; });
    for (const Span& link : sorted) {
      if (!partner_.empty() && owner_.back() == link.left && partner_.back() == link.right) continue;
      owner_.push_back(link.left);
      partner_.push_back(link.right);
      ++first_[link.left + 1];
    }
    for (std::size_t v = 1; v < first_.size(); ++v) first_[v] += first_[v - 1];
    at_.assign(first_.begin(), first_.end() - 1);
    find_ranks(last_word);
  }

  // Drops the partners of a word before some position.
  void skip_before(int32_t word, int32_t position) {
    while (at_[word] < first_[word + 1] && partner_[at_[word]] < position) ++at_[word];
  }
  int32_t next(int32_t word) const { return at_[word] < first_[word + 1] ? partner_[at_[word]] : kNone; }
  // The last partner of a word; -1 if it never had any.
  int32_t last(int32_t word) const { return first_[word] < first_[word + 1] ? partner_[first_[word + 1] - 1] : -1; }
  // Lists in lexicographical order have ascending ranks; equal lists have the same one.
  int32_t rank(int32_t word) const { return at_[word] < first_[word + 1] ? rank_[at_[word]] : kEmpty; }

 private:
  static constexpr int32_t kEmpty = 0;

  void find_ranks(int32_t last_word) {
    std::vector<std::vector<int32_t>> beginning_with(last_word + 1);
    for (std::size_t e = 0; e < partner_.size(); ++e) beginning_with[partner_[e]].push_back(static_cast<int32_t>(e));
    rank_.resize(partner_.size());
    int32_t next_rank = static_cast<int32_t>(partner_.size());
    for (auto entries = beginning_with.rbegin(); entries != beginning_with.rend(); ++entries) {
      std::sort(entries->begin(), entries->end(), [this](int32_t a, int32_t b) { return rest(a) > rest(b); });
      for (std::size_t i = 0; i < entries->size(); ++i) {
        const bool same = i > 0 && rest((*entries)[i]) == rest((*entries)[i - 1]);
        rank_[(*entries)[i]] = same ? rank_[(*entries)[i - 1]] : next_rank--;
      }
    }
  }

  int32_t rest(int32_t entry) const { return entry + 1 < first_[owner_[entry] + 1] ? rank_[entry + 1] : kEmpty; }

  std::vector<int32_t> first_, at_;              // by word: its first entry, and that of what is left
  std::vector<int32_t> owner_, partner_, rank_;  // by entry
};

}  // namespace multiplane
