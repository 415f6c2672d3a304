// The weights of a network by name.
#pragma once

#include <cstddef>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "scoring/dense.hpp"

namespace multiplane {

// Arrays by name. The caller says of what shape one must be.
class NamedArrays {
 public:
  struct Array {
    std::vector<std::size_t> shape;
    const float* values;
  };

  void insert(const std::string& name, Array array) { arrays_[name] = std::move(array); }
  bool has(const std::string& name) const { return arrays_.count(name) > 0; }

  // Those whose names begin so, without that beginning.
  NamedArrays below(const std::string& prefix) const {
    NamedArrays found;
    for (const auto& [name, array] : arrays_)
      if (name.compare(0, prefix.size(), prefix) == 0) found.insert(name.substr(prefix.size()), array);
    return found;
  }

  const float* take(const std::string& name, const std::vector<std::size_t>& shape) const {
    const Array& array = find(name);
    if (array.shape != shape)
      throw std::invalid_argument("'" + name + "' has the shape " + written(array.shape) + ", not " + written(shape));
    return array.values;
  }
  std::vector<float> copy(const std::string& name, const std::vector<std::size_t>& shape) const {
    const float* values = take(name, shape);
    std::size_t size = 1;
    for (std::size_t n : shape) size *= n;
    return {values, values + size};
  }
  Dense dense(const std::string& name, std::size_t outputs, std::size_t inputs) const {
    return Dense(take(name, {outputs, inputs}), outputs, inputs, take(name + ".bias", {outputs}));
  }
  // One of the sizes of an array, which must have k dimensions.
  std::size_t size(const std::string& name, std::size_t dimensions, std::size_t which) const {
    const Array& array = find(name);
    if (array.shape.size() != dimensions)
      throw std::invalid_argument("'" + name + "' has the shape " + written(array.shape));
    return array.shape[which];
  }

 private:
  const Array& find(const std::string& name) const {
    const auto found = arrays_.find(name);
    if (found == arrays_.end()) throw std::invalid_argument("'" + name + "' is missing");
    return found->second;
  }
  static std::string written(const std::vector<std::size_t>& shape) {
    std::string text;
    for (std::size_t n : shape) text += (text.empty() ? "" : " x ") + std::to_string(n);
    return text;
  }

  std::map<std::string, Array> arrays_;
};

}  // namespace multiplane
