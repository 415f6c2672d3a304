// What a caller must hold to. Models and files may come from anyone, so that this is checked.
#pragma once

#include <stdexcept>

namespace multiplane {

inline void demand(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

}  // namespace multiplane
