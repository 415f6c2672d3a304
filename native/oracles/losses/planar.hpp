// The loss of planar and k-planar systems for a plane assignment of the gold arcs (S2 §3).
#pragma once

#include <cstdint>
#include <vector>

#include "oracles/gold.hpp"
#include "oracles/losses/places.hpp"
#include "oracles/spec.hpp"

namespace multiplane {

class PlanarLoss {
 public:
  PlanarLoss(const Program& program, const OracleSpec&, const Gold& gold, const std::vector<int32_t>& planes)
      : single_head_(!program.undirected), gold_(gold), planes_(planes.data()), places_(gold.n()) {}

  void locate(const Configuration& c) { places_.locate(c); }

  bool is_reachable(const Configuration& c, int32_t a) const {
    const GoldArc& arc = gold_.arc(a);
    if (single_head_ && c.has_head(arc.dependent)) return false;  // asked first, as it is the cheapest question
    const uint64_t open = Places::kBuffer | Places::on_stack(planes_[a]);
    const uint64_t head = places_[arc.head], dependent = places_[arc.dependent];
    const bool in_place = (head & Places::kBuffer && dependent & open) || (dependent & Places::kBuffer && head & open);
    return in_place && !c.connected(arc.head, arc.dependent);
  }

  static constexpr bool counts_cycles() { return true; }
  void adjust(Configuration&, std::vector<int32_t>&) const {}

 private:
  const bool single_head_;
  const Gold& gold_;
  const int32_t* planes_;
  Places places_;
};

}  // namespace multiplane
