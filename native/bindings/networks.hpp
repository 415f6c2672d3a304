// What the bindings of networks share: weights by name.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bindings/common.hpp"
#include "scoring/named_arrays.hpp"

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

}  // namespace multiplane
