// The loss of a system whose reachable arcs were found by exhaustive search (see reachability.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "oracles/gold.hpp"
#include "oracles/spec.hpp"

namespace multiplane {

class DerivedLoss {
 public:
  DerivedLoss(const Program& program, const OracleSpec& spec, const Gold& gold, const std::vector<int32_t>& planes)
      : table_(spec.reach), gold_(gold), planes_(planes), places_(gold.n(), program.stacks) {}

  void locate(const Configuration& c) { places_.locate(c); }

  bool is_reachable(const Configuration& c, int32_t a) const {
    const GoldArc& arc = gold_.arc(a);
    return !c.has_arc(arc.head, arc.dependent) &&
           table_.reachable[places_.key(c, arc.head, arc.dependent, planes_[a], table_.used)];
  }

  bool counts_cycles() const { return table_.counts_cycles; }
  void adjust(Configuration&, std::vector<int32_t>&) const {}

 private:
  const ReachTable& table_;
  const Gold& gold_;
  const std::vector<int32_t>& planes_;
  NodePlaces places_;
};

}  // namespace multiplane
