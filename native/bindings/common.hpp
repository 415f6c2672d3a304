// What all bindings share. Every file takes its type casters from here: files that convert the same type in different
// ways would break the one-definition rule, and no compiler tells.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "common/demand.hpp"

namespace multiplane {

namespace nb = nanobind;
using namespace nb::literals;

// One for each room, in the order in which they build on each other.
void bind_formats(nb::module_& m);
void bind_layers(nb::module_& m);
void bind_graphs(nb::module_& m);
void bind_codecs(nb::module_& m);
void bind_systems(nb::module_& m);
void bind_oracles(nb::module_& m);
void bind_parsers(nb::module_& m);
void bind_svm(nb::module_& m);
void bind_lstm(nb::module_& m);
void bind_neural(nb::module_& m);
void bind_latent(nb::module_& m);
void bind_joint(nb::module_& m);
void bind_joint_linear(nb::module_& m);
void bind_tokenizer(nb::module_& m);

using Ints = nb::ndarray<const int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Longs = nb::ndarray<const int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Checks arrays of many graphs: the arcs of graph g are those from first[g] to first[g + 1].
inline void check_graphs(const Longs& lengths, const Longs& first, const Ints& heads, const Ints& dependents) {
  demand(heads.size() == dependents.size(), "as many heads as dependents are needed");
  demand(first.size() == lengths.size() + 1 && first(0) == 0, "one more first arc than lengths is needed, from 0 on");
  for (std::size_t g = 0; g < lengths.size(); ++g) {
    demand(lengths(g) >= 0 && lengths(g) < INT32_MAX / 2, "a graph cannot have that many words");
    demand(first(g) <= first(g + 1) && first(g + 1) <= static_cast<int64_t>(heads.size()),
           "first and heads do not fit together");
    for (int64_t a = first(g); a < first(g + 1); ++a)
      demand(heads(a) >= 0 && heads(a) <= lengths(g) && dependents(a) >= 1 && dependents(a) <= lengths(g),
             "an arc is outside its graph");
  }
}

inline std::string_view view(const nb::bytes& text) { return {text.c_str(), text.size()}; }

// A numpy array that Python gets.
template <typename T>
using Array = nb::ndarray<nb::numpy, T>;

// A numpy array that looks into a vector and keeps its owner alive.
template <typename T>
nb::ndarray<nb::numpy, const T> look(const std::vector<T>& values, nb::handle owner) {
  return nb::ndarray<nb::numpy, const T>(values.data(), {values.size()}, owner);
}

// A numpy array that takes a vector over.
template <typename T>
nb::ndarray<nb::numpy, T> give(std::vector<T>&& values) {
  auto* kept = new std::vector<T>(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::ndarray<nb::numpy, T>(kept->data(), {kept->size()}, owner);
}

// The same as rows of equal width.
template <typename T>
nb::ndarray<nb::numpy, T> give_rows(std::vector<T>&& values, std::size_t rows, std::size_t width) {
  auto* kept = new std::vector<T>(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::ndarray<nb::numpy, T>(kept->data(), {rows, width}, owner);
}

}  // namespace multiplane
