// The senses that the predicates of a language can have.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/array_view.hpp"
#include "common/demand.hpp"
#include "features/lexicon.hpp"
#include "text/unicode.hpp"

namespace multiplane {

// The senses that predicates can have, by lemma.
class SenseInventory {
 public:
  // The senses of lemma i are from first[i] to first[i + 1].
  SenseInventory(const std::vector<std::string>& lemmas, std::vector<int32_t> first, std::vector<int32_t> senses)
      : lemmas_(lemmas), first_(std::move(first)), senses_(std::move(senses)) {
    demand(first_.size() == lemmas.size() + 1 && first_.front() == 0 &&
               first_.back() == static_cast<int32_t>(senses_.size()) && std::is_sorted(first_.begin(), first_.end()),
           "the senses of lemmas do not fit");
  }

  // The number of a lemma, or of a word without one; -1 where it is unknown.
  int32_t lemma(std::string_view lemma, std::string_view form) const {
    return (lemma == "_" ? lemmas_[lowered(form)] : lemmas_[lemma]) - 1;
  }

  ArrayView<int32_t> senses(int32_t lemma) const {
    if (lemma < 0) return {};
    return {senses_.data() + first_[lemma], static_cast<std::size_t>(first_[lemma + 1] - first_[lemma])};
  }

  void check(int32_t count) const {
    for (int32_t sense : senses_) demand(sense >= 0 && sense < count, "no such sense");
  }

 private:
  Vocabulary lemmas_;
  std::vector<int32_t> first_, senses_;
};

}  // namespace multiplane
