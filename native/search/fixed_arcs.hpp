// Heads and labels that are fixed before parsing, and arcs that are forbidden.
#pragma once

#include <algorithm>
#include <cstdint>

#include "common/array_view.hpp"
#include "common/demand.hpp"
#include "oracles/spec.hpp"

namespace multiplane {

// The heads that the words of a sentence must not have.
class ForbiddenHeads {
 public:
  ForbiddenHeads() = default;  // none
  // Those of the first word are from the first number on to the second one, and so on.
  ForbiddenHeads(const int32_t* first, const int32_t* heads) : first_(first), heads_(heads) {}

  bool has(int32_t head, int32_t word) const {
    return first_ != nullptr &&
           std::find(heads_ + first_[word - 1], heads_ + first_[word], head) != heads_ + first_[word];
  }
  bool are_none(int32_t n) const { return first_ == nullptr || first_[0] == first_[n]; }

 private:
  const int32_t *first_ = nullptr, *heads_ = nullptr;
};

// What the parser must respect, for all words of a text, one sentence after another.
class FixedArcs {
 public:
  FixedArcs() = default;  // nothing is fixed
  // Heads and labels are -1 where none is fixed. To keep heads within reach takes a dynamic oracle. Labels may be
  // missing.
  FixedArcs(ArrayView<int32_t> heads, ArrayView<int32_t> labels, std::size_t words, const OracleSpec& oracle,
            int32_t label_count)
      : heads_(heads), labels_(labels) {
    demand(heads.size() == words && oracle.is_dynamic(), "heads cannot be fixed");
    demand(labels.data() == nullptr || labels.size() == words, "one label for each word, with heads");
    demand(std::all_of(labels.begin(), labels.end(), [&](int32_t label) { return label < label_count; }),
           "no such label");
  }

  // The heads that words must not have: those of the first word are from the first number on to the second one.
  void forbid(ArrayView<int32_t> first, ArrayView<int32_t> heads, std::size_t words) {
    demand(first.size() == words + 1 && first[0] == 0 && std::is_sorted(first.begin(), first.end()) &&
               first[words] == static_cast<int32_t>(heads.size()),
           "forbidden heads do not fit the words");
    first_forbidden_ = first;
    forbidden_ = heads;
  }

  // From a word on, or null.
  const int32_t* heads(std::size_t word) const { return at(heads_, word); }
  const int32_t* labels(std::size_t word) const { return at(labels_, word); }
  ForbiddenHeads forbidden(std::size_t word) const { return {at(first_forbidden_, word), forbidden_.data()}; }

 private:
  static const int32_t* at(ArrayView<int32_t> values, std::size_t word) {
    return values.data() == nullptr ? nullptr : values.data() + word;
  }

  ArrayView<int32_t> heads_, labels_, first_forbidden_, forbidden_;
};

}  // namespace multiplane
