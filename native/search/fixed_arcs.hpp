// Heads and labels that are fixed before parsing.
#pragma once

#include <algorithm>
#include <cstdint>

#include "common/array_view.hpp"
#include "common/demand.hpp"
#include "oracles/spec.hpp"

namespace multiplane {

// For all words of a text, one sentence after another; -1 where none is fixed.
class FixedArcs {
 public:
  FixedArcs() = default;  // nothing is fixed
  // To keep heads within reach takes a dynamic oracle. Labels may be missing.
  FixedArcs(ArrayView<int32_t> heads, ArrayView<int32_t> labels, std::size_t words, const OracleSpec& oracle,
            int32_t label_count)
      : heads_(heads), labels_(labels) {
    demand(heads.size() == words && oracle.is_dynamic(), "heads cannot be fixed");
    demand(labels.data() == nullptr || labels.size() == words, "one label for each word, with heads");
    demand(std::all_of(labels.begin(), labels.end(), [&](int32_t label) { return label < label_count; }),
           "no such label");
  }

  // From a word on, or null.
  const int32_t* heads(std::size_t word) const { return at(heads_, word); }
  const int32_t* labels(std::size_t word) const { return at(labels_, word); }

 private:
  static const int32_t* at(ArrayView<int32_t> values, std::size_t word) {
    return values.data() == nullptr ? nullptr : values.data() + word;
  }

  ArrayView<int32_t> heads_, labels_;
};

}  // namespace multiplane
