// The derivations of many graphs, as counts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "oracles/derive.hpp"

namespace multiplane {

struct ManyDerivations {
  std::vector<int32_t> arcs, lost, transitions, switches, swaps;  // by graph; arcs are those that count for the system
  std::vector<uint8_t> complete;  // by graph: in a terminal configuration, with no arc added
  std::vector<int64_t> uses;      // by transition

  void add(const Derivation& result, const Roles& roles) {
    arcs.push_back(static_cast<int32_t>(result.plane.size()));
    lost.push_back(result.lost());
    transitions.push_back(static_cast<int32_t>(result.sequence.size()));
    complete.push_back(result.complete && result.added.empty());
    switches.push_back(0);
    swaps.push_back(0);
    for (const Taken& t : result.sequence) {
      ++uses[t.transition];
      switches.back() += t.transition == roles.switch_stack;
      swaps.back() += t.transition == roles.swap;
    }
  }
};

// Word i of a forest has the i-th head; 0 for a root.
inline ManyDerivations derive_forests(const Program& program, const OracleSpec& spec, const int64_t* lengths,
                                      std::size_t forests, const int32_t* heads) {
  ManyDerivations all;
  all.uses.assign(program.transitions.size(), 0);
  std::vector<int32_t> dependents, labels;
  for (std::size_t g = 0; g < forests; ++g) {
    const int32_t n = static_cast<int32_t>(lengths[g]);
    dependents.resize(n);
    labels.assign(n, -1);
    std::iota(dependents.begin(), dependents.end(), 1);
    all.add(derive(program, spec, n, heads, dependents.data(), labels.data(), n), spec.roles);
    heads += n;
  }
  return all;
}

// The arcs of graph g are those from first[g] to first[g + 1].
inline ManyDerivations derive_graphs(const Program& program, const OracleSpec& spec, const int64_t* lengths,
                                     const int64_t* first, std::size_t graphs, const int32_t* heads,
                                     const int32_t* dependents, const int32_t* labels) {
  ManyDerivations all;
  all.uses.assign(program.transitions.size(), 0);
  for (std::size_t g = 0; g < graphs; ++g) {
    const int64_t at = first[g];
    all.add(derive(program, spec, static_cast<int32_t>(lengths[g]), heads + at, dependents + at, labels + at,
                   first[g + 1] - at),
            spec.roles);
  }
  return all;
}

}  // namespace multiplane
