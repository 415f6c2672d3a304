// Static and dynamic oracles and the search that proves them, for multiplane.oracles.
#include <algorithm>
#include <memory>
#include <stdexcept>
#include <tuple>

#include "bindings/common.hpp"
#include "bindings/running.hpp"
#include "oracles/derive_many.hpp"
#include "oracles/make_dynamic_oracle.hpp"
#include "oracles/reachability.hpp"
#include "oracles/state_space.hpp"

namespace multiplane {

namespace {

void check_arcs(int32_t n, const Ints& heads, const Ints& dependents, const Ints& labels) {
  if (n < 0 || heads.size() != dependents.size() || heads.size() != labels.size())
    throw std::invalid_argument("heads, dependents and labels do not fit together");
  for (std::size_t a = 0; a < heads.size(); ++a)
    if (heads(a) < 0 || heads(a) > n || dependents(a) < 1 || dependents(a) > n)
      throw std::invalid_argument("an arc is outside its graph");
}

std::vector<std::tuple<int32_t, int32_t, int32_t>> rows_of(const std::vector<Taken>& sequence) {
  std::vector<std::tuple<int32_t, int32_t, int32_t>> rows;
  for (const Taken& t : sequence) rows.emplace_back(t.transition, t.parameter, t.label);
  return rows;
}

Derivation derive_graph(const Program& program, const OracleSpec& spec, int32_t n, const Ints& heads,
                        const Ints& dependents, const Ints& labels) {
  check_arcs(n, heads, dependents, labels);
  nb::gil_scoped_release release;
  return derive(program, spec, n, heads.data(), dependents.data(), labels.data(), heads.size());
}

void check_forests(const Longs& lengths, const Ints& heads) {
  int64_t total = 0;
  for (std::size_t g = 0; g < lengths.size(); ++g) {
    if (lengths(g) < 0 || (total += lengths(g)) > static_cast<int64_t>(heads.size()))
      throw std::invalid_argument("lengths and heads do not fit together");
    for (int64_t i = total - lengths(g); i < total; ++i)
      if (heads(i) < 0 || heads(i) > lengths(g)) throw std::invalid_argument("a head is outside its sentence");
  }
}

ManyDerivations derive_all_forests(const Program& program, const OracleSpec& spec, const Longs& lengths,
                                   const Ints& heads) {
  check_forests(lengths, heads);
  nb::gil_scoped_release release;
  return derive_forests(program, spec, lengths.data(), lengths.size(), heads.data());
}

ManyDerivations derive_all_graphs(const Program& program, const OracleSpec& spec, const Longs& lengths,
                                  const Longs& first, const Ints& heads, const Ints& dependents, const Ints& labels) {
  check_graphs(lengths, first, heads, dependents);
  if (labels.size() != heads.size()) throw std::invalid_argument("as many labels as arcs are needed");
  nb::gil_scoped_release release;
  return derive_graphs(program, spec, lengths.data(), first.data(), lengths.size(), heads.data(), dependents.data(),
                       labels.data());
}

std::vector<int32_t> checked_planes(const Program& program, const Gold& gold, std::vector<int32_t> planes) {
  if (planes.size() != gold.size()) throw std::invalid_argument("as many planes as arcs are needed");
  for (int32_t plane : planes)
    if (plane < kNoPlane || plane >= program.stacks) throw std::invalid_argument("no such plane");
  return planes;
}

// A dynamic oracle with all it looks at.
struct HeldOracle {
  std::shared_ptr<const Program> program;
  OracleSpec spec;
  Gold gold;
  std::unique_ptr<DynamicOracle> oracle;

  HeldOracle(std::shared_ptr<const Program> p, const OracleSpec& s, int32_t n, const Ints& heads,
             const Ints& dependents, const Ints& labels, const std::vector<int32_t>& planes)
      : program(std::move(p)),
        spec(s),
        gold(n, *program, heads.data(), dependents.data(), labels.data(), heads.size()),
        oracle(make_dynamic_oracle(*program, spec, gold, checked_planes(*program, gold, planes))) {}

  // The oracle's memory is as large as its graph, so nothing else may be asked of it.
  void check(const RunningConfiguration& r) const {
    if (r.c.n() != gold.n() || r.program->transitions.size() != program->transitions.size() ||
        r.c.stacks() != program->stacks)
      throw std::invalid_argument("the configuration does not belong to the oracle's system and graph");
  }

  int32_t loss(RunningConfiguration& r) {
    check(r);
    return oracle->loss(r.c);
  }

  std::vector<std::pair<int32_t, int32_t>> costs(RunningConfiguration& r, bool regularized) {
    check(r);
    std::vector<int32_t> all;
    oracle->costs(r.c, regularized, all);
    std::vector<std::pair<int32_t, int32_t>> legal;
    for (std::size_t t = 0; t < all.size(); ++t)
      if (all[t] != DynamicOracle::kIllegal) legal.emplace_back(t, all[t]);
    return legal;
  }

  // The costs of these configurations, one after another, k times: nothing but the work, for measuring it.
  int64_t repeat(const std::vector<RunningConfiguration*>& configurations, int k) {
    std::vector<int32_t> all;
    int64_t sum = 0;
    for (int i = 0; i < k; ++i) {
      for (RunningConfiguration* r : configurations) {
        check(*r);
        oracle->costs(r->c, false, all);
        sum += all[0];
      }
    }
    return sum;
  }
};

struct HeldSpace {
  std::shared_ptr<const Program> program;
  StateSpace space;

  HeldSpace(const RunningConfiguration& start, std::size_t most)
      : program(start.program), space(*program, checked(start.c), most) {}

  static const Configuration& checked(const Configuration& start) {
    if (start.n() > 7) throw std::invalid_argument("at most 7 words");
    return start;
  }

  uint64_t mask(std::size_t s) {
    const Configuration& c = space.state(s);
    uint64_t bits = 0;
    for (int32_t a = 0; a < c.header().arc_count; ++a)
      bits |= uint64_t{1} << (c.arc(a).head * c.n() + c.arc(a).dependent - 1);
    return bits;
  }

  RunningConfiguration state(std::size_t s) {
    if (s >= space.size()) throw nb::index_error("no such configuration");
    return {program, space.state(s)};
  }

  std::vector<uint8_t> terminal() const {
    std::vector<uint8_t> terminal;
    for (std::size_t s = 0; s < space.size(); ++s) terminal.push_back(space.is_terminal(s));
    return terminal;
  }

  std::vector<int64_t> stuck() const {
    std::vector<int64_t> stuck;
    for (std::size_t s = 0; s < space.size(); ++s)
      if (!space.is_terminal(s) && space.degree(s) == 0) stuck.push_back(static_cast<int64_t>(s));
    return stuck;
  }

  std::vector<uint64_t> graphs() {
    std::vector<uint64_t> masks;
    for (std::size_t s = 0; s < space.size(); ++s)
      if (space.is_terminal(s)) masks.push_back(mask(s));
    std::sort(masks.begin(), masks.end());
    masks.erase(std::unique(masks.begin(), masks.end()), masks.end());
    return masks;
  }

  std::vector<int32_t> losses(HeldOracle& o) {
    std::vector<int32_t> losses;
    for (std::size_t s = 0; s < space.size(); ++s) losses.push_back(o.oracle->loss(space.state(s)));
    return losses;
  }
};

using Witness = std::pair<RunningConfiguration, std::pair<int32_t, int32_t>>;

// The table of reachable arcs from all configurations for 2 words, 3 words and so on, as long as these are no more than
// allowed; the number of words it came to; and, where no table can tell, two configurations that prove it, each with
// an arc.
std::tuple<ReachTable, int32_t, std::vector<Witness>> derive_reach(std::shared_ptr<const Program> program,
                                                                   const std::vector<std::size_t>& most_states) {
  if (most_states.size() > 5) throw std::invalid_argument("at most 6 words");
  ReachabilityFinder finder(*program);
  int32_t words = 1;
  {
    nb::gil_scoped_release release;
    for (std::size_t most : most_states) {
      if (finder.conflict() || !finder.look_at(words + 1, most)) break;
      ++words;
    }
  }
  std::vector<Witness> proof;
  if (const auto& found = finder.conflict()) {
    proof.push_back({{program, found->reachable}, {found->reachable_head, found->reachable_dependent}});
    proof.push_back({{program, found->unreachable}, {found->unreachable_head, found->unreachable_dependent}});
  }
  return {finder.table(), words, proof};
}

std::vector<int32_t> canonical(const Program& program, int32_t n, const Ints& heads, const Ints& dependents,
                               const Ints& labels, const std::vector<int32_t>& planes) {
  check_arcs(n, heads, dependents, labels);
  const Gold gold(n, program, heads.data(), dependents.data(), labels.data(), heads.size());
  std::vector<int32_t> found = checked_planes(program, gold, planes);
  make_canonical(gold.spans(), found);
  return found;
}

void bind_specs(nb::module_& m) {
  nb::enum_<StrategyKind>(m, "StrategyKind")
      .value("PLANAR", StrategyKind::kPlanar)
      .value("BOTTOM_UP", StrategyKind::kBottomUp)
      .value("SWAP_EAGER", StrategyKind::kSwapEager)
      .value("SWAP_LAZY", StrategyKind::kSwapLazy)
      .value("ARC_HYBRID_SWAP", StrategyKind::kArcHybridSwap)
      .value("LAST_RESORT", StrategyKind::kLastResort)
      .value("EXHAUSTIVE", StrategyKind::kExhaustive)
      .value("SEARCH", StrategyKind::kSearch);
  nb::enum_<Target>(m, "Target")
      .value("ANY", Target::kAny)
      .value("PLANAR", Target::kPlanar)
      .value("PROJECTIVE", Target::kProjective)
      .value("PROJECTIVE_IF_NEEDED", Target::kProjectiveIfNeeded);
  nb::enum_<LossKind>(m, "LossKind")
      .value("NONE", LossKind::kNone)
      .value("PLANAR", LossKind::kPlanar)
      .value("ARC_EAGER", LossKind::kArcEager)
      .value("ARC_HYBRID", LossKind::kArcHybrid)
      .value("ARC_HYBRID_SWAP", LossKind::kArcHybridSwap)
      .value("COVINGTON", LossKind::kCovington)
      .value("DERIVED", LossKind::kDerived);

  nb::class_<StackRoles>(m, "StackRoles")
      .def_ro("reduce", &StackRoles::reduce)
      .def_ro("left", &StackRoles::left)
      .def_ro("right", &StackRoles::right);
  nb::class_<Roles>(m, "Roles")
      .def(nb::new_([](const Program& program) { return roles_of(program); }), "program"_a)
      .def_ro("shift", &Roles::shift)
      .def_ro("switch", &Roles::switch_stack)
      .def_ro("swap", &Roles::swap)
      .def_ro("reduce_all", &Roles::reduce_all)
      .def_ro("left_reduce", &Roles::left_reduce)
      .def_ro("right_shift", &Roles::right_shift)
      .def_ro("on", &Roles::on)
      .def_ro("arcs", &Roles::arcs);
  nb::class_<ReachTable>(m, "ReachTable")
      .def(nb::init<>())
      .def_ro("used", &ReachTable::used)
      .def_rw("counts_cycles", &ReachTable::counts_cycles);
  nb::class_<OracleSpec>(m, "OracleSpec")
      .def(nb::init<const Program&, StrategyKind, Target, LossKind, ReachTable>(), "program"_a, "strategy"_a,
           "target"_a, "loss"_a = LossKind::kNone, "reach"_a = ReachTable())
      .def_ro("strategy", &OracleSpec::strategy)
      .def_ro("target", &OracleSpec::target)
      .def_ro("loss", &OracleSpec::loss)
      .def_ro("roles", &OracleSpec::roles);
}

template <typename T>
auto column(std::vector<T> ManyDerivations::* member) {
  return [member](nb::handle self) { return look(nb::cast<ManyDerivations&>(self).*member, self); };
}

void bind_many(nb::module_& m) {
  nb::class_<ManyDerivations>(m, "ManyDerivations")
      .def_prop_ro("arcs", column(&ManyDerivations::arcs))
      .def_prop_ro("lost", column(&ManyDerivations::lost))
      .def_prop_ro("transitions", column(&ManyDerivations::transitions))
      .def_prop_ro("switches", column(&ManyDerivations::switches))
      .def_prop_ro("swaps", column(&ManyDerivations::swaps))
      .def_prop_ro("complete", column(&ManyDerivations::complete))
      .def_prop_ro("uses", column(&ManyDerivations::uses));
}

}  // namespace

void bind_oracles(nb::module_& m) {
  bind_specs(m);
  nb::class_<Derivation>(m, "Derivation")
      .def_prop_ro("sequence", [](const Derivation& d) { return rows_of(d.sequence); })
      .def_ro("planes", &Derivation::plane)
      .def_ro("added", &Derivation::added)
      .def_ro("complete", &Derivation::complete);
  bind_many(m);
  m.def("derive_graph", &derive_graph, "program"_a, "spec"_a, "n"_a, "heads"_a, "dependents"_a, "labels"_a);
  m.def("derive_forests", &derive_all_forests, "program"_a, "spec"_a, "lengths"_a, "heads"_a);
  m.def("derive_graphs", &derive_all_graphs, "program"_a, "spec"_a, "lengths"_a, "first"_a, "heads"_a, "dependents"_a,
        "labels"_a);

  nb::class_<HeldOracle>(m, "DynamicOracle")
      .def(nb::init<std::shared_ptr<const Program>, const OracleSpec&, int32_t, const Ints&, const Ints&, const Ints&,
                    const std::vector<int32_t>&>(),
           "program"_a, "spec"_a, "n"_a, "heads"_a, "dependents"_a, "labels"_a, "planes"_a)
      .def("loss", &HeldOracle::loss, "configuration"_a)
      .def("costs", &HeldOracle::costs, "configuration"_a, "regularized"_a)
      .def("repeat", &HeldOracle::repeat, "configurations"_a, "k"_a);

  nb::class_<HeldSpace>(m, "StateSpace")
      .def(nb::init<const RunningConfiguration&, std::size_t>(), "start"_a, "most"_a)
      .def("__len__", [](const HeldSpace& h) { return h.space.size(); })
      .def("state", &HeldSpace::state, "number"_a)
      .def("terminal", [](const HeldSpace& h) { return give(h.terminal()); })
      .def("stuck", [](const HeldSpace& h) { return give(h.stuck()); })
      .def("graphs", [](HeldSpace& h) { return give(h.graphs()); })
      .def("successors",
           [](HeldSpace& h) {
             std::vector<int64_t> first(h.space.first().begin(), h.space.first().end());
             return std::tuple(give(std::move(first)), give(std::vector<int32_t>(h.space.next())),
                               give(std::vector<int32_t>(h.space.taken())));
           })
      .def(
          "most_arcs",
          [](HeldSpace& h, const std::vector<int32_t>& heads, const std::vector<int32_t>& dependents,
             const std::vector<int32_t>& planes) { return give(h.space.most_arcs(heads, dependents, planes)); },
          "heads"_a, "dependents"_a, "planes"_a)
      .def("losses", [](HeldSpace& h, HeldOracle& o) { return give(h.losses(o)); }, "oracle"_a);

  m.def("derive_reach", &derive_reach, "program"_a, "most_states"_a);
  m.def("canonical_planes", &canonical, "program"_a, "n"_a, "heads"_a, "dependents"_a, "labels"_a, "planes"_a);
}

}  // namespace multiplane
