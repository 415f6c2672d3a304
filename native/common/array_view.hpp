// Values one after another that the caller owns.
#pragma once

#include <cstddef>

namespace multiplane {

template <typename T>
struct ArrayView {
  const T* values = nullptr;
  std::size_t count = 0;

  std::size_t size() const { return count; }
  const T* data() const { return values; }
  const T& operator[](std::size_t i) const { return values[i]; }
  const T* begin() const { return values; }
  const T* end() const { return values + count; }
};

}  // namespace multiplane
