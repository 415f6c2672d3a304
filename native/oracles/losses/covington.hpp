// The loss of Covington's system (Gómez-Rodríguez and Fernández-González 2015).
#pragma once

#include <cstdint>
#include <vector>

#include "oracles/gold.hpp"
#include "oracles/losses/places.hpp"
#include "oracles/spec.hpp"

namespace multiplane {

class CovingtonLoss {
 public:
  CovingtonLoss(const Program& program, const OracleSpec&, const Gold& gold, const std::vector<int32_t>&)
      : single_head_(!program.undirected), gold_(gold), places_(gold.n()) {}

  void locate(const Configuration& c) {
    places_.locate(c);
    for (int32_t i = 0; i < c.header().aside_size; ++i) places_.set(c.aside()[i], Places::kPassed);
  }

  bool is_reachable(const Configuration& c, int32_t a) const {
    const GoldArc& arc = gold_.arc(a);
    return !(single_head_ && c.has_head(arc.dependent)) &&
           (comes_to(c, arc.head, arc.dependent) || comes_to(c, arc.dependent, arc.head)) &&
           !c.connected(arc.head, arc.dependent);
  }

  static constexpr bool counts_cycles() { return true; }
  void adjust(Configuration&, std::vector<int32_t>&) const {}

 private:
  // Whether a word is in the buffer and, if it is the front, has not passed the other one.
  bool comes_to(const Configuration& c, int32_t word, int32_t other) const {
    return places_[word] & Places::kBuffer &&
           (places_[other] & (Places::kBuffer | Places::kStack) || word != c.front());
  }

  const bool single_head_;
  const Gold& gold_;
  Places places_;
};

}  // namespace multiplane
