// What the bindings of networks share: weights by name.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bindings/common.hpp"
#include "scoring/named_arrays.hpp"
#include "search/neural_parser.hpp"

namespace multiplane {

using Matrix = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using FloatArray = nb::ndarray<const float, nb::c_contig, nb::device::cpu>;
using ArrayTable = std::map<std::string, FloatArray>;

inline NamedArrays named(const ArrayTable& table) {
  NamedArrays arrays;
  for (const auto& [name, array] : table) {
    std::vector<std::size_t> shape;
    for (std::size_t d = 0; d < array.ndim(); ++d) shape.push_back(array.shape(d));
    arrays.insert(name, {shape, array.data()});
  }
  return arrays;
}

// The values of columns that are predicted; and of lemmas the texts that their values, the last ones, are places in.
inline auto give_tags(NeuralParser::Tagged& found) {
  std::vector<Array<int32_t>> tags;
  std::vector<std::string> lemmas;
  for (std::vector<int32_t>& column : found.tags) tags.push_back(give(std::move(column)));
  if (found.lemmas) {
    tags.push_back(give(std::move(found.lemmas->values)));
    lemmas = std::move(found.lemmas->texts);
  }
  return std::pair(std::move(tags), std::move(lemmas));
}

}  // namespace multiplane
