// The only file of the native core that knows Python. Flat arrays in, flat arrays out; loops run without the GIL.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <string_view>
#include <unordered_map>

#include "conll.hpp"
#include "crossings.hpp"
#include "dynamic_oracle.hpp"
#include "gold.hpp"
#include "measures.hpp"
#include "program.hpp"
#include "state_space.hpp"
#include "static_oracle.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace multiplane;

namespace {

using Ints = nb::ndarray<const int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Longs = nb::ndarray<const int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::string_view view(const nb::bytes& text) { return {text.c_str(), text.size()}; }

// A numpy array that looks into a vector and keeps its owner alive.
template <typename T>
nb::ndarray<nb::numpy, const T> look(const std::vector<T>& values, nb::handle owner) {
  return nb::ndarray<nb::numpy, const T>(values.data(), {values.size()}, owner);
}

// A numpy array that takes a vector over.
template <typename T>
nb::ndarray<nb::numpy, T> give(std::vector<T>&& values) {
  auto* kept = new std::vector<T>(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::ndarray<nb::numpy, T>(kept->data(), {kept->size()}, owner);
}

// The words' fields of one column, for the sentences from begin to end. Equal fields share one string: most columns
// have few different values, and making a string costs more than looking one up.
nb::list fields(const Index& index, const nb::bytes& bytes, std::size_t begin, std::size_t end, int column) {
  const std::string_view text = view(bytes);
  const std::size_t words = index.first_word[end] - index.first_word[begin];
  nb::list values = nb::steal<nb::list>(PyList_New(static_cast<Py_ssize_t>(words)));
  std::unordered_map<std::string_view, PyObject*> known;
  Py_ssize_t place = 0;
  for (std::size_t s = begin; s < end; ++s) {
    for (uint64_t w = index.first_word[s]; w < index.first_word[s + 1]; ++w) {
      const std::string_view value = field(line_at(text, index.start[s] + index.word[w]), column);
      PyObject*& string = known[value];
      if (string == nullptr) {
        string = PyUnicode_DecodeUTF8(value.data(), static_cast<Py_ssize_t>(value.size()), nullptr);
        if (string == nullptr) throw nb::python_error();
        PyList_SET_ITEM(values.ptr(), place++, string);  // the list owns it
      } else {
        PyList_SET_ITEM(values.ptr(), place++, Py_NewRef(string));
      }
    }
  }
  return values;
}

Spans spans_of(const Ints& heads, const Ints& dependents) {
  if (heads.size() != dependents.size()) throw std::invalid_argument("as many heads as dependents are needed");
  Spans spans(heads.size());
  for (std::size_t a = 0; a < spans.size(); ++a) {
    spans[a] = {std::min(heads(a), dependents(a)), std::max(heads(a), dependents(a))};
  }
  return spans;
}

// One array for each measure, in the order of the members of Measures.
nb::tuple columns(const std::vector<Measures>& rows) {
  auto column = [&rows](auto member, auto type) {
    std::vector<decltype(type)> values(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) values[i] = rows[i].*member;
    return give(std::move(values));
  };
  return nb::make_tuple(column(&Measures::nonprojective, uint8_t{}), column(&Measures::planarity, int8_t{}),
                        column(&Measures::ill_nested, uint8_t{}), column(&Measures::np_arcs, int32_t{}),
                        column(&Measures::gap_degree, int32_t{}), column(&Measures::arc_degree, int32_t{}));
}

nb::tuple measure_heads(const Longs& lengths, const Ints& heads) {
  std::vector<Measures> rows(lengths.size());
  {
    nb::gil_scoped_release release;
    ForestMeasurer forest;
    std::size_t at = 0;
    for (std::size_t g = 0; g < rows.size(); ++g) {
      const int64_t n = lengths(g);
      if (n < 0 || at + n > heads.size()) throw std::invalid_argument("lengths and heads do not fit together");
      for (int64_t i = 0; i < n; ++i)
        if (heads(at + i) > n) throw std::invalid_argument("a head is outside its graph");
      if (!forest.load(heads.data() + at, static_cast<int32_t>(n)))
        throw std::invalid_argument("the heads form a cycle");
      rows[g] = forest.measure();
      at += n;
    }
  }
  return columns(rows);
}

// The heads of a graph's words if it is a forest and nothing otherwise; its arcs are checked on the way.
std::optional<std::vector<int32_t>> forest_heads(int64_t n, const int32_t* heads, const int32_t* dependents,
                                                 std::size_t arcs) {
  std::vector<int32_t> head_of(n, 0);
  bool single = true;
  for (std::size_t a = 0; a < arcs; ++a) {
    if (heads[a] < 0 || heads[a] > n || dependents[a] < 1 || dependents[a] > n)
      throw std::invalid_argument("an arc is outside its graph");
    if (heads[a] == 0) continue;
    int32_t& head = head_of[dependents[a] - 1];
    single = single && head == 0;
    head = heads[a];
  }
  if (!single) return std::nullopt;
  return head_of;
}

nb::tuple measure_graphs(const Longs& lengths, const Longs& arc_counts, const Ints& heads, const Ints& dependents) {
  std::vector<Measures> rows(lengths.size());
  {
    nb::gil_scoped_release release;
    ForestMeasurer forest;
    std::size_t at = 0;
    for (std::size_t g = 0; g < rows.size(); ++g) {
      const int64_t n = lengths(g), arcs = arc_counts(g);
      const int32_t *h = heads.data() + at, *d = dependents.data() + at;
      const auto head_of = forest_heads(n, h, d, arcs);
      const bool is_forest = head_of && forest.load(head_of->data(), static_cast<int32_t>(n));
      rows[g] = is_forest ? forest.measure() : GraphMeasurer(static_cast<int32_t>(n), h, d, arcs).measure();
      at += arcs;
    }
  }
  return columns(rows);
}

std::optional<IllNesting> ill_nesting(int64_t n, const Ints& heads, const Ints& dependents) {
  nb::gil_scoped_release release;
  ForestMeasurer forest;
  const auto head_of = forest_heads(n, heads.data(), dependents.data(), heads.size());
  if (head_of && forest.load(head_of->data(), static_cast<int32_t>(n))) return forest.find_ill_nesting();
  return GraphMeasurer(static_cast<int32_t>(n), heads.data(), dependents.data(), heads.size()).find_ill_nesting();
}

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

// A configuration with the machine that runs it, as Python holds it.
struct RunningConfiguration {
  std::shared_ptr<const Program> program;
  Configuration c;

  static int32_t checked(int32_t n) {
    if (n < 0 || n > 10000000) throw std::invalid_argument("a sentence has 0 to 10,000,000 words");
    return n;
  }

  RunningConfiguration(std::shared_ptr<const Program> p, int32_t n)
      : program(std::move(p)), c(checked(n), program->stacks, program->root, !program->stack_is_final, n) {}

  std::vector<std::pair<int, int>> legal() {
    Machine machine(*program);
    std::vector<std::pair<int, int>> found;
    if (program->trees && machine.is_terminal(c)) return found;
    for (std::size_t t = 0; t < program->transitions.size(); ++t) {
      if (!program->transitions[t].parametrized) {
        if (machine.is_legal(c, t, 0)) found.emplace_back(t, 0);
        continue;
      }
      for (int32_t i = 1; i <= machine.most(c); ++i)
        if (machine.is_legal(c, t, i)) found.emplace_back(t, i);
    }
    return found;
  }

  std::pair<int, int> apply(int transition, int parameter, int label) {
    if (transition < 0 || transition >= static_cast<int>(program->transitions.size()))
      throw std::out_of_range("no such transition");
    Machine machine(*program);
    const Outcome outcome = machine.apply(c, transition, parameter, label);
    return {static_cast<int>(outcome.refusal), outcome.step};
  }
};

std::vector<int32_t> listed(const int32_t* values, int32_t size) { return {values, values + size}; }

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

void check_arcs(int32_t n, const Ints& heads, const Ints& dependents, const Ints& labels) {
  if (n < 0 || heads.size() != dependents.size() || heads.size() != labels.size())
    throw std::invalid_argument("heads, dependents and labels do not fit together");
  for (std::size_t a = 0; a < heads.size(); ++a)
    if (heads(a) < 0 || heads(a) > n || dependents(a) < 1 || dependents(a) > n)
      throw std::invalid_argument("an arc is outside its graph");
}

Roles roles_of(const Program& program, const std::vector<int>& named, const std::vector<int>& arcs) {
  for (const auto* list : {&named, &arcs})
    for (int t : *list)
      if (t < -1 || t >= static_cast<int>(program.transitions.size()))
        throw std::invalid_argument("no such transition");
  Roles roles{named.at(0), named.at(1), named.at(2), named.at(3), named.at(4), named.at(5), {}};
  roles.arcs.assign(arcs.begin(), arcs.end());
  return roles;
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
}

}  // namespace

NB_MODULE(_native, m) {
  m.doc() = "The native core of multiplane: loops over flat arrays.";

  // The catalogue of systems lives as long as the interpreter, which is no leak.
  nb::set_leak_warnings(false);
  nb::exception<Undecided>(m, "Undecided");
  bind_systems(m);
  bind_oracles(m);

  nb::class_<Index>(m, "Index")
      .def("__len__", &Index::size)
      .def_prop_ro("start", [](nb::handle self) { return look(nb::cast<Index&>(self).start, self); })
      .def_prop_ro("end", [](nb::handle self) { return look(nb::cast<Index&>(self).end, self); })
      .def_prop_ro("line", [](nb::handle self) { return look(nb::cast<Index&>(self).line, self); })
      .def_prop_ro("ordinal", [](nb::handle self) { return look(nb::cast<Index&>(self).ordinal, self); })
      .def_prop_ro("first_word", [](nb::handle self) { return look(nb::cast<Index&>(self).first_word, self); })
      .def_prop_ro("word", [](nb::handle self) { return look(nb::cast<Index&>(self).word, self); })
      .def_prop_ro("heads", [](nb::handle self) { return look(nb::cast<Index&>(self).heads, self); })
      .def_ro("lines", &Index::lines)
      .def_ro("sentences", &Index::sentences)
      .def_prop_ro("problems",
                   [](const Index& index) {
                     nb::list problems;
                     for (const Problem& p : index.problems)
                       problems.append(nb::make_tuple(p.line, p.sentence, p.sent_id, p.what));
                     return problems;
                   })
      .def("fields", &fields, "text"_a, "begin"_a, "end"_a, "column"_a)
      .def("sent_id", [](const Index& index, const nb::bytes& text, std::size_t s) {
        const std::string_view id = sent_id(view(text).substr(index.start.at(s), index.end.at(s) - index.start.at(s)));
        return nb::str(id.data(), id.size());
      });

  m.def(
      "read",
      [](const nb::bytes& text, int columns, bool more_columns, int head, bool ranges, uint64_t lines_before,
         uint64_t sentences_before) {
        const std::string_view seen = view(text);
        nb::gil_scoped_release release;
        return Reader(seen, Dialect{columns, more_columns, head, ranges}, lines_before, sentences_before).read();
      },
      "text"_a, "columns"_a, "more_columns"_a, "head"_a, "ranges"_a, "lines_before"_a, "sentences_before"_a);

  m.def("measure_heads", &measure_heads, "lengths"_a, "heads"_a);
  m.def("measure_graphs", &measure_graphs, "lengths"_a, "arc_counts"_a, "heads"_a, "dependents"_a);
  m.def(
      "ill_nesting",
      [](int64_t n, const Ints& heads, const Ints& dependents) -> nb::object {
        const auto found = ill_nesting(n, heads, dependents);
        if (!found) return nb::none();
        const auto& f = *found;
        return nb::make_tuple(f[0], f[1], f[2], f[3], f[4], f[5]);
      },
      "n"_a, "heads"_a, "dependents"_a);

  m.def(
      "crossing",
      [](const Ints& heads, const Ints& dependents) {
        const Spans spans = spans_of(heads, dependents);
        return find_crossing(spans, all_arcs(spans));
      },
      "heads"_a, "dependents"_a);
  m.def(
      "crossings",
      [](const Ints& heads, const Ints& dependents) {
        const Spans spans = spans_of(heads, dependents);
        return all_crossings(spans, all_arcs(spans));
      },
      "heads"_a, "dependents"_a);
  m.def(
      "odd_cycle",
      [](const Ints& heads, const Ints& dependents) { return find_odd_cycle(spans_of(heads, dependents)); }, "heads"_a,
      "dependents"_a);
  m.def(
      "clique",
      [](const Ints& heads, const Ints& dependents, std::size_t enough) {
        const Spans spans = spans_of(heads, dependents);
        return find_clique(spans, all_arcs(spans), enough);
      },
      "heads"_a, "dependents"_a, "enough"_a);
  m.def(
      "minimal_planes",
      [](const Ints& heads, const Ints& dependents, int limit) {
        const Spans spans = spans_of(heads, dependents);
        Planes planes;
        {
          nb::gil_scoped_release release;
          planes = minimal_planes(spans, limit);
        }
        return nb::make_tuple(planes.count, planes.of_arc);
      },
      "heads"_a, "dependents"_a, "limit"_a);
}
