// Transitions by the parts that they play in an oracle, as Python names them.
#pragma once

#include <stdexcept>
#include <vector>

#include "oracles/static_oracle.hpp"

namespace multiplane {

inline Roles roles_of(const Program& program, const std::vector<int>& named, const std::vector<int>& arcs) {
  for (const auto* list : {&named, &arcs})
    for (int t : *list)
      if (t < -1 || t >= static_cast<int>(program.transitions.size()))
        throw std::invalid_argument("no such transition");
  Roles roles{named.at(0), named.at(1), named.at(2), named.at(3), named.at(4), named.at(5),
              named.at(6), named.at(7), named.at(8), {},          {}};
  for (std::size_t i = 9; i + 2 < named.size(); i += 3) roles.further.push_back({named[i], named[i + 1], named[i + 2]});
  roles.arcs.assign(arcs.begin(), arcs.end());
  return roles;
}

}  // namespace multiplane
