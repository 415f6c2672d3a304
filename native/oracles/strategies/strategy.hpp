// The interface between a static oracle and a strategy.
#pragma once

#include <cstdint>

#include "oracles/gold.hpp"
#include "oracles/spec.hpp"
#include "systems/machine.hpp"

namespace multiplane {

// A transition with its parameter and the label of the arc it builds.
struct Taken {
  int32_t transition, parameter, label;
};
constexpr Taken kNothing{-1, 0, -1};

// One object per gold graph. It only proposes the next transition; the machine checks whether it is legal.
class Strategy {
 public:
  Strategy(const Program& program, const Roles& roles, const Gold& gold)
      : program_(program), roles_(roles), gold_(gold) {}
  virtual ~Strategy() = default;

  // kNothing at the end of the derivation.
  virtual Taken wanted(Configuration& c) = 0;

  // Whether correct derivations can have more than a constant number of transitions per word.
  virtual bool is_quadratic() const { return program_.skips; }

 protected:
  Taken shift_or_end(const Configuration& c) const { return {c.buffer_empty() ? -1 : roles_.shift, 0, -1}; }

  const Program& program_;
  const Roles& roles_;
  const Gold& gold_;
};

inline int32_t stack_ahead(const Configuration& c, int32_t ahead) { return (c.header().active + ahead) % c.stacks(); }

// The top of a stack, or -1.
inline int32_t top_of(const Configuration& c, int32_t stack) {
  const int32_t size = c.stack_sizes()[stack];
  return size == 0 ? -1 : c.stack(stack)[size - 1];
}

}  // namespace multiplane
