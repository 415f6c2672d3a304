// Configurations as Python holds them; systems and oracles share them.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "bindings/common.hpp"
#include "systems/machine.hpp"

namespace multiplane {

// A configuration with the machine that runs it. Not in an unnamed namespace: Python must see one type, not one for
// each file.
struct RunningConfiguration {
  std::shared_ptr<const Program> program;
  Configuration c;

  static int32_t checked(int32_t n) {
    if (n < 0 || n > 10000000) throw std::invalid_argument("a sentence has 0 to 10,000,000 words");
    return n;
  }

  RunningConfiguration(std::shared_ptr<const Program> p, int32_t n)
      : program(std::move(p)), c(checked(n), program->stacks, program->root, !program->stack_is_final, n) {}
  RunningConfiguration(std::shared_ptr<const Program> p, Configuration configuration)
      : program(std::move(p)), c(std::move(configuration)) {}

  // From the block of one that was kept.
  static RunningConfiguration restored(std::shared_ptr<const Program> p, int32_t n, const nb::bytes& state) {
    RunningConfiguration r(std::move(p), n);
    if (!r.c.restore(state.c_str(), state.size()))
      throw std::invalid_argument("the state does not belong to this system and this number of words");
    return r;
  }

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

  std::pair<Refusal, int> apply(int transition, int parameter, int label) {
    if (transition < 0 || transition >= static_cast<int>(program->transitions.size()))
      throw std::out_of_range("no such transition");
    Machine machine(*program);
    const Outcome outcome = machine.apply(c, transition, parameter, label);
    return {outcome.refusal, outcome.step};
  }
};

}  // namespace multiplane
