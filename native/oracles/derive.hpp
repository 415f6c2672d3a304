// From a gold graph to a derivation: graphs outside a system's class are brought into it first.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

#include "graphs/largest_planar.hpp"
#include "graphs/measures.hpp"
#include "graphs/projective.hpp"
#include "oracles/static_oracle.hpp"
#include "oracles/strategies/graph_swap.hpp"
#include "oracles/strategies/search.hpp"
#include "oracles/strategies/swap.hpp"

namespace multiplane {

// The strategy of a kind; null for the search.
inline std::unique_ptr<Strategy> make_strategy(StrategyKind kind, const Program& program, const Roles& roles,
                                               const Gold& gold) {
  switch (kind) {
    case StrategyKind::kPlanar:
      return std::make_unique<PlanarStrategy>(program, roles, gold);
    case StrategyKind::kBottomUp:
      return std::make_unique<BottomUpStrategy>(program, roles, gold);
    case StrategyKind::kSwapEager:
      return std::make_unique<EagerSwapStrategy>(program, roles, gold);
    case StrategyKind::kSwapLazy:
      return std::make_unique<LazySwapStrategy>(program, roles, gold);
    case StrategyKind::kArcHybridSwap:
      return std::make_unique<ArcHybridSwapStrategy>(program, roles, gold);
    case StrategyKind::kLastResort:
      return std::make_unique<LastResortStrategy>(program, roles, gold);
    case StrategyKind::kExhaustive:
      return std::make_unique<ExhaustiveStrategy>(program, roles, gold);
    case StrategyKind::kSearch:
      break;
  }
  return nullptr;
}

inline Derivation derive_within_class(const Program& program, const OracleSpec& spec, Gold& gold) {
  const std::unique_ptr<Strategy> strategy = make_strategy(spec.strategy, program, spec.roles, gold);
  if (strategy == nullptr) return DerivationSearch(program, spec.roles, gold).derive();
  return StaticOracle(program, spec.roles, gold).follow(*strategy);
}

// The derivation of the nearest projective tree.
inline Derivation derive_projective(const Program& program, const OracleSpec& spec, const Gold& gold,
                                    const std::vector<int32_t>& head_of) {
  const std::vector<int32_t> nearest =
      projective_heads(gold.n(), head_of, program.root != Root::kNone, program.trees && program.single_root);
  std::vector<int32_t> dependents(gold.n()), labels;
  std::iota(dependents.begin(), dependents.end(), 1);
  for (int32_t v : dependents) labels.push_back(gold.label(v));  // new arcs keep the label of their dependent
  Gold near(gold.n(), program, nearest.data() + 1, dependents.data(), labels.data(), dependents.size());
  Derivation derivation = derive_within_class(program, spec, near);
  std::vector<int32_t> plane(gold.size(), kNoPlane);
  for (std::size_t b = 0; b < near.size(); ++b) {
    const GoldArc& arc = near.arc(static_cast<int32_t>(b));
    const int32_t a = gold.find(arc.head, arc.dependent);
    if (a >= 0) {
      plane[a] = derivation.plane[b];
    } else if (derivation.plane[b] != kNoPlane) {
      derivation.added.emplace_back(arc.head, arc.dependent);
    }
  }
  derivation.plane = plane;
  return derivation;
}

// Derives a graph, or the nearest one in the class.
inline Derivation derive(const Program& program, const OracleSpec& spec, int32_t n, const int32_t* heads,
                         const int32_t* dependents, const int32_t* labels, std::size_t arcs) {
  Gold gold(n, program, heads, dependents, labels, arcs);
  if (spec.target == Target::kPlanar) {
    for (int32_t a : arcs_beyond(gold.spans(), program.stacks)) gold.drop(a);
    return derive_within_class(program, spec, gold);
  }
  std::vector<int32_t> head_of(n + 1, 0);
  bool is_forest = true;
  for (std::size_t a = 0; a < arcs; ++a) {
    is_forest = is_forest && head_of[dependents[a]] == 0;  // a second head, which undirected systems do not see
    head_of[dependents[a]] = heads[a];
  }
  ForestMeasurer forest;
  const bool is_projective = !is_forest || !forest.load(head_of.data() + 1, n) || forest.is_projective();
  if (spec.target == Target::kProjective && !is_projective) return derive_projective(program, spec, gold, head_of);
  Derivation derivation = derive_within_class(program, spec, gold);
  if (spec.target == Target::kProjectiveIfNeeded && !is_projective && derivation.lost() > 0) {
    const Gold whole(n, program, heads, dependents, labels, arcs);
    Derivation other = derive_projective(program, spec, whole, head_of);
    if (other.lost() < derivation.lost()) return other;
  }
  return derivation;
}

}  // namespace multiplane
