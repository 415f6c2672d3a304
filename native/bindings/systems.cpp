// Programs and the configurations they run on, for multiplane.systems.
#include <algorithm>
#include <memory>
#include <stdexcept>
#include <tuple>

#include "bindings/common.hpp"
#include "bindings/running.hpp"
#include "systems/machine.hpp"

namespace multiplane {

namespace {

using StepRow = std::tuple<int, int, int>;

Program make_program(int stacks, const std::vector<std::pair<std::vector<int>, std::vector<bool>>>& guards,
                     const std::vector<std::pair<std::vector<StepRow>, bool>>& transitions, int root, bool trees,
                     bool single_root, bool arcs_on_stack, bool left_arcs_on_stack, bool keeps_roots,
                     bool stack_is_final, bool track_components) {
  auto demand = [](bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(what);
  };
  demand(stacks >= 1 && stacks <= 60, "a program has 1 to 60 stacks");
  demand(root >= 0 && root <= 2, "unknown place of the root");
  for (const auto& [atoms, table] : guards) {
    for (int atom : atoms) demand(atom >= 0 && atom <= static_cast<int>(Atom::kMaySwitch), "unknown atom");
    demand(atoms.size() < 16 && table.size() == std::size_t{1} << atoms.size(),
           "a guard's table does not fit its atoms");
  }
  for (const auto& [steps, parametrized] : transitions) {
    for (const auto& [op, guard, times] : steps) {
      demand(op >= 0 && op <= static_cast<int>(Op::kDrop), "unknown elementary transition");
      demand(guard >= -1 && guard < static_cast<int>(guards.size()), "no such guard");
      demand(times != 0, "a step is taken at least once");
      demand(stacks == 1 || op < static_cast<int>(Op::kExchange), "for systems with one stack only");
    }
  }
  Program program;
  program.stacks = stacks;
  for (const auto& [atoms, table] : guards) {
    Guard guard;
    for (int atom : atoms) guard.atoms.push_back(static_cast<Atom>(atom));
    guard.table = table;
    program.limits_switches |= std::count(guard.atoms.begin(), guard.atoms.end(), Atom::kMaySwitch) > 0;
    program.guards.push_back(guard);
  }
  for (const auto& [steps, parametrized] : transitions) {
    Transition transition;
    transition.parametrized = parametrized;
    for (const auto& [op, guard, times] : steps) transition.steps.push_back({static_cast<Op>(op), guard, times});
    program.transitions.push_back(transition);
  }
  program.root = static_cast<Root>(root);
  program.trees = trees;
  program.single_root = single_root;
  program.arcs_on_stack = arcs_on_stack;
  program.left_arcs_on_stack = left_arcs_on_stack;
  program.keeps_roots = keeps_roots;
  for (const Transition& transition : program.transitions)
    for (const Step& step : transition.steps) program.skips = program.skips || step.op == Op::kSkip;
  program.stack_is_final = stack_is_final;
  program.track_components = track_components;
  return program;
}

std::vector<int32_t> listed(const int32_t* values, int32_t size) { return {values, values + size}; }

}  // namespace

void bind_systems(nb::module_& m) {
  nb::class_<Program>(m, "Program")
      .def(nb::new_([](int stacks, const std::vector<std::pair<std::vector<int>, std::vector<bool>>>& guards,
                       const std::vector<std::pair<std::vector<StepRow>, bool>>& transitions, int root, bool trees,
                       bool single_root, bool arcs_on_stack, bool left_arcs_on_stack, bool keeps_roots,
                       bool stack_is_final, bool track_components) {
             return std::make_shared<Program>(make_program(stacks, guards, transitions, root, trees, single_root,
                                                           arcs_on_stack, left_arcs_on_stack, keeps_roots,
                                                           stack_is_final, track_components));
           }),
           "stacks"_a, "guards"_a, "transitions"_a, "root"_a, "trees"_a, "single_root"_a, "arcs_on_stack"_a,
           "left_arcs_on_stack"_a, "keeps_roots"_a, "stack_is_final"_a, "track_components"_a);

  nb::class_<RunningConfiguration>(m, "Configuration")
      .def(nb::init<std::shared_ptr<const Program>, int32_t>(), "program"_a, "n"_a)
      .def("copy", [](const RunningConfiguration& r) { return r; })
      .def("apply", &RunningConfiguration::apply, "transition"_a, "parameter"_a, "label"_a)
      .def("legal", &RunningConfiguration::legal)
      .def_prop_ro("n", [](const RunningConfiguration& r) { return r.c.n(); })
      .def_prop_ro("active", [](const RunningConfiguration& r) { return r.c.header().active; })
      .def_prop_ro("switches", [](const RunningConfiguration& r) { return r.c.header().switches; })
      .def_prop_ro("is_terminal", [](const RunningConfiguration& r) { return Machine(*r.program).is_terminal(r.c); })
      .def_prop_ro("buffer",
                   [](const RunningConfiguration& r) {
                     std::vector<int32_t> front_first = listed(r.c.buffer(), r.c.header().buffer_size);
                     std::reverse(front_first.begin(), front_first.end());
                     return front_first;
                   })
      .def_prop_ro("aside",
                   [](const RunningConfiguration& r) {
                     std::vector<int32_t> left_first = listed(r.c.aside(), r.c.header().aside_size);
                     std::reverse(left_first.begin(), left_first.end());
                     return left_first;
                   })
      .def_prop_ro("stacks",
                   [](const RunningConfiguration& r) {
                     std::vector<std::vector<int32_t>> stacks;
                     for (int32_t s = 0; s < r.c.stacks(); ++s)
                       stacks.push_back(listed(r.c.stack(s), r.c.stack_sizes()[s]));
                     return stacks;
                   })
      .def_prop_ro("arcs", [](const RunningConfiguration& r) {
        std::vector<std::tuple<int32_t, int32_t, int32_t, int32_t>> arcs;
        for (int32_t a = 0; a < r.c.header().arc_count; ++a) {
          const multiplane::Arc& arc = r.c.arc(a);
          arcs.emplace_back(arc.head, arc.dependent, arc.label, arc.plane);
        }
        return arcs;
      });
}

}  // namespace multiplane
