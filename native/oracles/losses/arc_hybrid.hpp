// The loss of arc-hybrid (Goldberg and Nivre 2013).
#pragma once

#include <cstdint>
#include <vector>

#include "oracles/gold.hpp"
#include "oracles/losses/places.hpp"
#include "oracles/spec.hpp"

namespace multiplane {

class ArcHybridLoss {
 public:
  ArcHybridLoss(const Program&, const OracleSpec&, const Gold& gold, const std::vector<int32_t>&)
      : places_(gold.n()), gold_(gold) {}

  void locate(const Configuration& c) {
    places_.locate(c);
    under_.assign(gold_.n() + 1, -1);
    for (int32_t i = 1; i < c.stack_sizes()[0]; ++i) under_[c.stack(0)[i]] = c.stack(0)[i - 1];
  }

  bool is_reachable(const Configuration& c, int32_t a) const {
    const GoldArc& arc = gold_.arc(a);
    const uint64_t head = places_[arc.head], dependent = places_[arc.dependent];
    if (c.has_head(arc.dependent) || !head || !dependent) return false;
    if (head & Places::kBuffer || dependent & Places::kBuffer) return true;
    // Both are on the stack: the dependent must be directly above its head.
    return under_[arc.dependent] == arc.head;
  }

  static constexpr bool counts_cycles() { return false; }
  void adjust(Configuration&, std::vector<int32_t>&) const {}

 protected:
  Places places_;

 private:
  const Gold& gold_;
  std::vector<int32_t> under_;
};

}  // namespace multiplane
