// Static and dynamic oracles and the search that proves them, for multiplane.oracles.
#include <algorithm>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <tuple>

#include "bindings/common.hpp"
#include "bindings/roles.hpp"
#include "bindings/running.hpp"
#include "oracles/dynamic_oracle.hpp"
#include "oracles/gold.hpp"
#include "oracles/state_space.hpp"
#include "oracles/static_oracle.hpp"

namespace multiplane {

namespace {

void check_arcs(int32_t n, const Ints& heads, const Ints& dependents, const Ints& labels) {
  if (n < 0 || heads.size() != dependents.size() || heads.size() != labels.size())
    throw std::invalid_argument("heads, dependents and labels do not fit together");
  for (std::size_t a = 0; a < heads.size(); ++a)
    if (heads(a) < 0 || heads(a) > n || dependents(a) < 1 || dependents(a) > n)
      throw std::invalid_argument("an arc is outside its graph");
}

nb::tuple derive_graph(const Program& program, const std::vector<int>& named, const std::vector<int>& arc_roles,
                       int strategy, int target, int32_t n, const Ints& heads, const Ints& dependents,
                       const Ints& labels) {
  const Roles roles = roles_of(program, named, arc_roles);
  check_arcs(n, heads, dependents, labels);
  Derivation result;
  {
    nb::gil_scoped_release release;
    result = derive(program, roles, static_cast<Strategy>(strategy), static_cast<ClassOf>(target), n, heads.data(),
                    dependents.data(), labels.data(), heads.size());
  }
  std::vector<std::tuple<int, int, int>> sequence;
  for (const Taken& t : result.sequence) sequence.emplace_back(t.transition, t.parameter, t.label);
  return nb::make_tuple(sequence, result.plane, result.added, result.complete);
}

// Derives many forests; for each how many gold arcs were lost, how many transitions and switches it took, and whether
// it ended well; then the uses of every transition.
nb::tuple derive_forests(const Program& program, const std::vector<int>& named, const std::vector<int>& arc_roles,
                         int strategy, int target, const Longs& lengths, const Ints& heads) {
  const Roles roles = roles_of(program, named, arc_roles);
  int64_t total = 0;
  for (std::size_t g = 0; g < lengths.size(); ++g) {
    if (lengths(g) < 0 || (total += lengths(g)) > static_cast<int64_t>(heads.size()))
      throw std::invalid_argument("lengths and heads do not fit together");
    for (int64_t i = total - lengths(g); i < total; ++i)
      if (heads(i) < 0 || heads(i) > lengths(g)) throw std::invalid_argument("a head is outside its sentence");
  }
  std::vector<int32_t> lost(lengths.size()), transitions(lengths.size()), switches(lengths.size());
  std::vector<uint8_t> complete(lengths.size());
  std::vector<int64_t> uses(program.transitions.size(), 0);
  {
    nb::gil_scoped_release release;
    std::vector<int32_t> dependents, labels;
    std::size_t at = 0;
    for (std::size_t g = 0; g < lengths.size(); ++g) {
      const int32_t n = static_cast<int32_t>(lengths(g));
      dependents.resize(n);
      labels.assign(n, -1);
      std::iota(dependents.begin(), dependents.end(), 1);
      const Derivation result = derive(program, roles, static_cast<Strategy>(strategy), static_cast<ClassOf>(target), n,
                                       heads.data() + at, dependents.data(), labels.data(), n);
      lost[g] = static_cast<int32_t>(std::count(result.plane.begin(), result.plane.end(), kNoPlane));
      transitions[g] = static_cast<int32_t>(result.sequence.size());
      complete[g] = result.complete && result.added.empty();
      for (const Taken& t : result.sequence) {
        ++uses[t.transition];
        switches[g] += t.transition == roles.switch_stack;
      }
      at += n;
    }
  }
  return nb::make_tuple(give(std::move(lost)), give(std::move(transitions)), give(std::move(switches)),
                        give(std::move(complete)), give(std::move(uses)));
}

// A dynamic oracle with all it looks at.
struct HeldOracle {
  std::shared_ptr<const Program> program;
  Gold gold;
  DynamicOracle oracle;

  HeldOracle(std::shared_ptr<const Program> p, int kind, int32_t n, const Ints& heads, const Ints& dependents,
             const Ints& labels, const std::vector<int32_t>& planes, int switch_stack, int swap, bool switch_is_bounded)
      : program(std::move(p)),
        gold(n, program->root, heads.data(), dependents.data(), labels.data(), heads.size()),
        oracle(*program, static_cast<LossKind>(kind), gold, planes, switch_stack, swap, switch_is_bounded) {
    if (planes.size() != gold.size()) throw std::invalid_argument("as many planes as arcs are needed");
    for (int32_t plane : planes)
      if (plane < kNoPlane || plane >= program->stacks) throw std::invalid_argument("no such plane");
  }

  // The oracle's memory is as large as its graph, so nothing else may be asked of it.
  void check(const RunningConfiguration& r) const {
    if (r.c.n() != gold.n() || r.program->transitions.size() != program->transitions.size() ||
        r.c.stacks() != program->stacks)
      throw std::invalid_argument("the configuration does not belong to the oracle's system and graph");
  }

  std::vector<std::pair<int, int>> costs(RunningConfiguration& r, bool regularized) {
    check(r);
    std::vector<int32_t> all;
    oracle.costs(r.c, regularized, all);
    std::vector<std::pair<int, int>> legal;
    for (std::size_t t = 0; t < all.size(); ++t)
      if (all[t] != DynamicOracle::kIllegal) legal.emplace_back(t, all[t]);
    return legal;
  }

  // So many times the costs of these configurations, one after another: nothing but the work, for measuring it.
  int64_t repeat(std::vector<RunningConfiguration*> configurations, int times) {
    std::vector<int32_t> all;
    int64_t sum = 0;
    for (int i = 0; i < times; ++i) {
      for (RunningConfiguration* r : configurations) {
        check(*r);
        oracle.costs(r->c, false, all);
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
};

}  // namespace

void bind_oracles(nb::module_& m) {
  m.def("derive_graph", &derive_graph, "program"_a, "roles"_a, "arcs"_a, "strategy"_a, "target"_a, "n"_a, "heads"_a,
        "dependents"_a, "labels"_a);
  m.def("derive_forests", &derive_forests, "program"_a, "roles"_a, "arcs"_a, "strategy"_a, "target"_a, "lengths"_a,
        "heads"_a);

  nb::class_<HeldOracle>(m, "DynamicOracle")
      .def(nb::init<std::shared_ptr<const Program>, int, int32_t, const Ints&, const Ints&, const Ints&,
                    const std::vector<int32_t>&, int, int, bool>(),
           "program"_a, "kind"_a, "n"_a, "heads"_a, "dependents"_a, "labels"_a, "planes"_a, "switch_stack"_a, "swap"_a,
           "switch_is_bounded"_a)
      .def("loss",
           [](HeldOracle& o, RunningConfiguration& r) {
             o.check(r);
             return o.oracle.loss(r.c);
           })
      .def("costs", &HeldOracle::costs, "configuration"_a, "regularized"_a)
      .def("repeat", &HeldOracle::repeat, "configurations"_a, "times"_a);

  nb::class_<HeldSpace>(m, "StateSpace")
      .def(nb::init<const RunningConfiguration&, std::size_t>(), "start"_a, "most"_a)
      .def("__len__", [](const HeldSpace& h) { return h.space.size(); })
      .def("state",
           [](HeldSpace& h, std::size_t s) {
             if (s >= h.space.size()) throw nb::index_error("no such configuration");
             RunningConfiguration r(h.program, h.space.state(s).n());
             r.c = h.space.state(s);
             return r;
           })
      .def("terminal",
           [](HeldSpace& h) {
             std::vector<uint8_t> terminal;
             for (std::size_t s = 0; s < h.space.size(); ++s) terminal.push_back(h.space.is_terminal(s));
             return give(std::move(terminal));
           })
      .def("stuck",
           [](HeldSpace& h) {
             std::vector<int64_t> stuck;
             for (std::size_t s = 0; s < h.space.size(); ++s)
               if (!h.space.is_terminal(s) && h.space.degree(s) == 0) stuck.push_back(static_cast<int64_t>(s));
             return give(std::move(stuck));
           })
      .def("graphs",
           [](HeldSpace& h) {
             std::vector<uint64_t> masks;
             for (std::size_t s = 0; s < h.space.size(); ++s)
               if (h.space.is_terminal(s)) masks.push_back(h.mask(s));
             std::sort(masks.begin(), masks.end());
             masks.erase(std::unique(masks.begin(), masks.end()), masks.end());
             return give(std::move(masks));
           })
      .def("successors",
           [](HeldSpace& h) {
             std::vector<int64_t> first(h.space.first().begin(), h.space.first().end());
             return nb::make_tuple(give(std::move(first)), give(std::vector<int32_t>(h.space.next())),
                                   give(std::vector<int32_t>(h.space.taken())));
           })
      .def(
          "most_arcs",
          [](HeldSpace& h, const std::vector<int32_t>& heads, const std::vector<int32_t>& dependents,
             const std::vector<int32_t>& planes) { return give(h.space.most_arcs(heads, dependents, planes)); },
          "heads"_a, "dependents"_a, "planes"_a)
      .def("losses", [](HeldSpace& h, HeldOracle& o) {
        std::vector<int32_t> losses;
        for (std::size_t s = 0; s < h.space.size(); ++s) losses.push_back(o.oracle.loss(h.space.state(s)));
        return give(std::move(losses));
      });
  m.def(
      "turned_planes",
      [](const Program& program, int32_t n, const Ints& heads, const Ints& dependents, const Ints& labels,
         std::vector<int32_t> planes) {
        const Gold gold(n, program.root, heads.data(), dependents.data(), labels.data(), heads.size());
        if (planes.size() != gold.size()) throw std::invalid_argument("as many planes as arcs are needed");
        turn_planes(gold.spans(), planes);
        return planes;
      },
      "program"_a, "n"_a, "heads"_a, "dependents"_a, "labels"_a, "planes"_a);
}

}  // namespace multiplane
