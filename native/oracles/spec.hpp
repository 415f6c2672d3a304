// The specification of an oracle: a strategy, the treatment of graphs outside the class, a loss, and roles.
#pragma once

#include <cstdint>
#include <utility>

#include "oracles/reach_table.hpp"
#include "oracles/roles.hpp"
#include "systems/program.hpp"

namespace multiplane {

// How a static oracle chooses the next transition; one file each in strategies/.
enum class StrategyKind : uint8_t {
  kPlanar,         // builds arcs as soon as their ends meet, nearest first; any number of planes (S0 §4.3, §5.1)
  kBottomUp,       // attaches a dependent once it has all its own; also for Attardi
  kSwapEager,      // bottom-up; swaps words out of projective order as soon as they meet (Nivre 2009)
  kSwapLazy,       // only if the next word is not in the same projective component (Nivre et al. 2009)
  kArcHybridSwap,  // the same for arc-hybrid + swap
  kLastResort,     // S4: swaps when the word below the top must be linked to the front
  kExhaustive,     // S4: swaps when the word below the top has the earlier list of partners
  kSearch,         // finds any derivation by search
};

// How a gold graph outside a system's class is brought into it.
enum class Target : uint8_t { kAny, kPlanar, kProjective, kProjectiveIfNeeded };

// How a dynamic oracle counts lost arcs; one file each in losses/.
enum class LossKind : uint8_t {
  kNone,           // there is no dynamic oracle
  kPlanar,         // k stacks with a plane for every gold arc (S2 §3)
  kArcEager,       // Goldberg and Nivre (2012)
  kArcHybrid,      // Goldberg and Nivre (2013)
  kArcHybridSwap,  // static for SWAP, dynamic for the rest (de Lhoneux et al. 2017)
  kCovington,      // Gómez-Rodríguez and Fernández-González (2015)
  kDerived,        // a table found by exhaustive search (see reachability.hpp)
};

struct OracleSpec {
  StrategyKind strategy = StrategyKind::kSearch;
  Target target = Target::kAny;
  LossKind loss = LossKind::kNone;
  ReachTable reach;  // of a derived loss
  Roles roles;
  bool switch_is_bounded = false;  // SWITCH is refused after k - 1 others

  OracleSpec() = default;
  OracleSpec(const Program& program, StrategyKind s, Target t, LossKind l, ReachTable table)
      : strategy(s), target(t), loss(l), reach(std::move(table)), roles(roles_of(program)) {
    if (roles.switch_stack < 0) return;
    for (const Step& step : program.transitions[roles.switch_stack].steps)
      switch_is_bounded =
          switch_is_bounded || (step.guard >= 0 && implies(program.guards[step.guard], Atom::kMaySwitch));
  }

  bool is_dynamic() const { return loss != LossKind::kNone; }
};

}  // namespace multiplane
