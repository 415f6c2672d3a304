// The loss of arc-hybrid + swap: static for SWAP, dynamic for the rest (de Lhoneux, Stymne and Nivre 2017).
#pragma once

#include <algorithm>
#include <climits>
#include <cstdint>
#include <vector>

#include "oracles/dynamic_oracle.hpp"
#include "oracles/losses/arc_hybrid.hpp"

namespace multiplane {

class ArcHybridSwapLoss : public ArcHybridLoss {
 public:
  ArcHybridSwapLoss(const Program& program, const OracleSpec& spec, const Gold& gold,
                    const std::vector<int32_t>& planes)
      : ArcHybridLoss(program, spec, gold, planes), swap_(spec.roles.swap), order_(gold.projective_order()) {}

  void locate(const Configuration& c) {
    ArcHybridLoss::locate(c);
    // A word on the stack that follows a word of the buffer in projective order will be swapped back to it.
    int32_t first = INT_MAX;
    for (int32_t i = 0; i < c.header().buffer_size; ++i) first = std::min(first, order_[c.buffer()[i]]);
    for (int32_t i = 0; i < c.stack_sizes()[0]; ++i)
      if (order_[c.stack(0)[i]] > first) places_.set(c.stack(0)[i], Places::kBuffer);
  }

  // While the top follows the front in projective order, SWAP is the only correct transition, as in the static oracle;
  // otherwise it is wrong.
  void adjust(Configuration& c, std::vector<int32_t>& costs) const {
    if (swap_ < 0 || costs[swap_] == DynamicOracle::kIllegal) return;
    const bool wanted = order_[c.top()] > order_[c.front()];
    for (std::size_t t = 0; t < costs.size(); ++t) {
      if (costs[t] == DynamicOracle::kIllegal) continue;
      if (static_cast<int32_t>(t) == swap_) {
        costs[t] = wanted ? 0 : std::max(costs[t], 1);
      } else if (wanted) {
        costs[t] = std::max(costs[t], 1);
      }
    }
  }

 private:
  int32_t swap_;
  std::vector<int32_t> order_;
};

}  // namespace multiplane
