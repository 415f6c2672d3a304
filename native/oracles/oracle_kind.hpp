// Which oracle a system has.
#pragma once

#include <cstdint>

#include "oracles/static_oracle.hpp"

namespace multiplane {

struct OracleKind {
  Roles roles;
  Strategy strategy = Strategy::kSearch;
  ClassOf target = ClassOf::kAny;
  int32_t loss = -1;  // of the dynamic oracle, or -1
  bool switch_is_bounded = false;
};

}  // namespace multiplane
