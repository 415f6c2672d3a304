// The loss of arc-eager (Goldberg and Nivre 2012).
#pragma once

#include <cstdint>
#include <vector>

#include "oracles/gold.hpp"
#include "oracles/losses/places.hpp"
#include "oracles/spec.hpp"

namespace multiplane {

class ArcEagerLoss {
 public:
  ArcEagerLoss(const Program&, const OracleSpec&, const Gold& gold, const std::vector<int32_t>&)
      : gold_(gold), places_(gold.n()) {}

  void locate(const Configuration& c) { places_.locate(c); }

  bool is_reachable(const Configuration& c, int32_t a) const {
    const GoldArc& arc = gold_.arc(a);
    const uint64_t head = places_[arc.head], dependent = places_[arc.dependent];
    return !c.has_head(arc.dependent) &&
           ((head & Places::kBuffer && dependent) || (dependent & Places::kBuffer && head));
  }

  static constexpr bool counts_cycles() { return false; }
  void adjust(Configuration&, std::vector<int32_t>&) const {}

 private:
  const Gold& gold_;
  Places places_;
};

}  // namespace multiplane
