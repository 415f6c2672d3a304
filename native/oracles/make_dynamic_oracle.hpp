// The dynamic oracle of a spec.
#pragma once

#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "oracles/dynamic_oracle.hpp"
#include "oracles/losses/arc_eager.hpp"
#include "oracles/losses/arc_hybrid.hpp"
#include "oracles/losses/arc_hybrid_swap.hpp"
#include "oracles/losses/covington.hpp"
#include "oracles/losses/derived.hpp"
#include "oracles/losses/planar.hpp"

namespace multiplane {

// The program, the spec and the gold graph must outlive the oracle.
inline std::unique_ptr<DynamicOracle> make_dynamic_oracle(const Program& program, const OracleSpec& spec,
                                                          const Gold& gold, std::vector<int32_t> planes) {
  auto make = [&](auto* loss) -> std::unique_ptr<DynamicOracle> {
    using Loss = std::remove_pointer_t<decltype(loss)>;
    return std::make_unique<LossOracle<Loss>>(program, spec, gold, std::move(planes));
  };
  switch (spec.loss) {
    case LossKind::kPlanar:
      return make(static_cast<PlanarLoss*>(nullptr));
    case LossKind::kArcEager:
      return make(static_cast<ArcEagerLoss*>(nullptr));
    case LossKind::kArcHybrid:
      return make(static_cast<ArcHybridLoss*>(nullptr));
    case LossKind::kArcHybridSwap:
      return make(static_cast<ArcHybridSwapLoss*>(nullptr));
    case LossKind::kCovington:
      return make(static_cast<CovingtonLoss*>(nullptr));
    case LossKind::kDerived:
      return make(static_cast<DerivedLoss*>(nullptr));
    case LossKind::kNone:
      break;
  }
  throw std::invalid_argument("the system has no dynamic oracle");
}

}  // namespace multiplane
