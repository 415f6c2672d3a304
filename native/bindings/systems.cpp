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

Guard make_guard(std::vector<Atom> atoms, std::vector<bool> table) {
  demand(atoms.size() < 16 && table.size() == std::size_t{1} << atoms.size(), "a guard's table does not fit its atoms");
  return {std::move(atoms), std::move(table)};
}

Step make_step(Op op, int32_t guard, int32_t times) {
  demand(times != 0, "a step is taken at least once");
  return {op, guard, times};
}

std::shared_ptr<Program> make_program(int stacks, std::vector<Guard> guards, std::vector<Transition> transitions,
                                      Root root, bool trees, bool single_root, bool arcs_on_stack,
                                      bool left_arcs_on_stack, bool keeps_roots, bool stack_is_final,
                                      bool track_components) {
  demand(stacks >= 1 && stacks <= 60, "a program has 1 to 60 stacks");
  auto program = std::make_shared<Program>();
  for (const Guard& guard : guards)
    program->limits_switches |= std::count(guard.atoms.begin(), guard.atoms.end(), Atom::kMaySwitch) > 0;
  for (const Transition& transition : transitions) {
    for (const Step& step : transition.steps) {
      demand(step.guard >= -1 && step.guard < static_cast<int>(guards.size()), "no such guard");
      demand(stacks == 1 || step.op < Op::kExchange, "for systems with one stack only");
      program->skips |= step.op == Op::kSkip;
      program->undirected |= step.op == Op::kArc;
    }
  }
  program->stacks = stacks;
  program->guards = std::move(guards);
  program->transitions = std::move(transitions);
  program->root = root;
  program->trees = trees;
  program->single_root = single_root;
  program->arcs_on_stack = arcs_on_stack;
  program->left_arcs_on_stack = left_arcs_on_stack;
  program->keeps_roots = keeps_roots;
  program->stack_is_final = stack_is_final;
  program->track_components = track_components;
  return program;
}

std::vector<int32_t> listed(const int32_t* values, int32_t size) { return {values, values + size}; }

}  // namespace

void bind_systems(nb::module_& m) {
  nb::enum_<Op>(m, "Op", nb::is_arithmetic(),
                "The opcodes of the machine; i is the top of the active stack, j the front of the buffer.")
      .value("SHIFT", Op::kShift)
      .value("UNSHIFT", Op::kUnshift)
      .value("REDUCE", Op::kReduce)
      .value("LEFT_ARC", Op::kLeftArc)
      .value("RIGHT_ARC", Op::kRightArc)
      .value("SWITCH", Op::kSwitch)
      .value("ARC", Op::kArc)
      .value("EXCHANGE", Op::kExchange)
      .value("SKIP", Op::kSkip)
      .value("RESTORE", Op::kRestore)
      .value("DROP", Op::kDrop);
  nb::enum_<Atom>(m, "Atom", nb::is_arithmetic(),
                  "What a guard can look at; i is the top of the active stack, j the front of the buffer.")
      .value("TOP_HAS_HEAD", Atom::kTopHasHead)
      .value("FRONT_HAS_HEAD", Atom::kFrontHasHead)
      .value("CONNECTED", Atom::kConnected)
      .value("ARC_TOP_TO_FRONT", Atom::kArcTopToFront)
      .value("ARC_FRONT_TO_TOP", Atom::kArcFrontToTop)
      .value("PATH_TOP_TO_FRONT", Atom::kPathTopToFront)
      .value("PATH_FRONT_TO_TOP", Atom::kPathFrontToTop)
      .value("TOP_BEFORE_FRONT", Atom::kTopBeforeFront)
      .value("MAY_SWITCH", Atom::kMaySwitch);
  nb::enum_<Root>(m, "Root").value("NONE", Root::kNone).value("LEFT", Root::kLeft).value("RIGHT", Root::kRight);
  nb::class_<Guard>(m, "Guard").def(nb::new_(&make_guard), "atoms"_a, "table"_a);
  nb::class_<Step>(m, "Step").def(nb::new_(&make_step), "op"_a, "guard"_a, "times"_a);
  nb::class_<Transition>(m, "Transition")
      .def(nb::new_(
               [](std::vector<Step> steps, bool parametrized) { return Transition{std::move(steps), parametrized}; }),
           "steps"_a, "parametrized"_a);
  nb::class_<Program>(m, "Program")
      .def(nb::new_(&make_program), "stacks"_a, "guards"_a, "transitions"_a, "root"_a, "trees"_a, "single_root"_a,
           "arcs_on_stack"_a, "left_arcs_on_stack"_a, "keeps_roots"_a, "stack_is_final"_a, "track_components"_a)
      .def("parsing_graphs",
           [](const Program& program) {
             auto copy = std::make_shared<Program>(program);
             copy->parses_graphs = true;
             return copy;
           })
      .def(
          "with_label_directions",
          [](const Program& program, std::vector<int8_t> directions) {
            auto copy = std::make_shared<Program>(program);
            copy->label_directions = std::move(directions);
            return copy;
          },
          "directions"_a, "The program of a parser whose labels of edges carry directions.");

  nb::enum_<Refusal>(m, "Refusal")
      .value("NONE", Refusal::kNone)
      .value("UNDEFINED", Refusal::kUndefined)
      .value("GUARD", Refusal::kGuard)
      .value("TREE", Refusal::kTree);

  nb::class_<RunningConfiguration>(m, "Configuration")
      .def(nb::init<std::shared_ptr<const Program>, int32_t>(), "program"_a, "n"_a)
      .def("copy", [](const RunningConfiguration& r) { return r; })
      .def("state",
           [](const RunningConfiguration& r) {
             const std::vector<int32_t>& block = r.c.block();
             return nb::bytes(reinterpret_cast<const char*>(block.data()), block.size() * sizeof(int32_t));
           })
      .def_static("restored", &RunningConfiguration::restored, "program"_a, "n"_a, "state"_a)
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
