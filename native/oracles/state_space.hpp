// All configurations that a system can reach for a few words; every claim about the system is checked against them.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "systems/machine.hpp"

namespace multiplane {

class StateSpace {
 public:
  // Throws if there are more configurations than the limit.
  StateSpace(const Program& program, Configuration start, std::size_t most) : program_(program), n_(start.n()) {
    Machine machine(program);
    visit(std::move(start));
    for (std::size_t s = 0; s < states_.size(); ++s) {
      if (states_.size() > most) throw std::length_error("more configurations than asked for");
      first_.push_back(next_.size());
      terminal_.push_back(machine.is_terminal(states_[s]));
      if (program.trees && terminal_.back()) continue;
      for (std::size_t t = 0; t < program.transitions.size(); ++t) {
        const bool parametrized = program.transitions[t].parametrized;
        for (int32_t i = parametrized; i <= (parametrized ? machine.most(states_[s]) : 0); ++i) {
          Configuration after = states_[s];
          if (!machine.apply(after, static_cast<int32_t>(t), i, -1)) continue;
          const int32_t to = visit(std::move(after));  // may move states_
          next_.push_back(to);
          taken_.push_back(static_cast<int32_t>(t));
        }
      }
    }
    first_.push_back(next_.size());
  }

  std::size_t size() const { return states_.size(); }
  Configuration& state(std::size_t s) { return states_[s]; }
  bool is_terminal(std::size_t s) const { return terminal_[s]; }
  std::size_t degree(std::size_t s) const { return first_[s + 1] - first_[s]; }
  const std::vector<std::size_t>& first() const { return first_; }
  const std::vector<int32_t>& next() const { return next_; }
  const std::vector<int32_t>& taken() const { return taken_; }

  // For every configuration, the largest number of these arcs, each built in its plane (or in any plane, if that is
  // -1), in any reachable terminal configuration; -1 if there is none.
  std::vector<int32_t> most_arcs(const std::vector<int32_t>& heads, const std::vector<int32_t>& dependents,
                                 const std::vector<int32_t>& planes) const {
    std::vector<int32_t> best(size(), -1);
    for (std::size_t s = 0; s < size(); ++s) {
      if (!terminal_[s]) continue;
      best[s] = 0;
      for (int32_t a = 0; a < states_[s].header().arc_count; ++a) {
        const Arc& arc = states_[s].arc(a);
        for (std::size_t g = 0; g < heads.size(); ++g) {
          best[s] +=
              arc.head == heads[g] && arc.dependent == dependents[g] && (planes[g] < 0 || planes[g] == arc.plane);
        }
      }
    }
    // Later configurations tend to have larger numbers; sweeping until nothing changes also handles loops.
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t s = size(); s-- > 0;) {
        for (std::size_t e = first_[s]; e < first_[s + 1]; ++e) {
          if (best[next_[e]] > best[s]) {
            best[s] = best[next_[e]];
            changed = true;
          }
        }
      }
    }
    return best;
  }

 private:
  int32_t visit(Configuration&& c) {
    std::string key = key_of(c);
    const auto [place, fresh] = number_.try_emplace(std::move(key), static_cast<int32_t>(states_.size()));
    if (fresh) states_.push_back(std::move(c));
    return place->second;
  }

  // The identity of a configuration, regardless of the order of its arcs and the representation of components.
  std::string key_of(const Configuration& c) const {
    std::string key;
    auto add = [&key](int32_t value) { key.push_back(static_cast<char>(value)); };
    const Configuration::Header& header = c.header();
    add(header.active);
    add(header.switches);
    add(header.buffer_size);
    for (int32_t i = 0; i < header.buffer_size; ++i) add(c.buffer()[i]);
    add(header.aside_size);
    for (int32_t i = 0; i < header.aside_size; ++i) add(c.aside()[i]);
    for (int32_t s = 0; s < c.stacks(); ++s) {
      add(c.stack_sizes()[s]);
      for (int32_t i = 0; i < c.stack_sizes()[s]; ++i) add(c.stack(s)[i]);
    }
    std::vector<char> planes((n_ + 1) * (n_ + 1), 0);
    for (int32_t a = 0; a < header.arc_count; ++a)
      planes[c.arc(a).head * (n_ + 1) + c.arc(a).dependent] = static_cast<char>(1 + c.arc(a).plane);
    key.append(planes.begin(), planes.end());
    return key;
  }

  const Program& program_;
  int32_t n_;
  std::vector<Configuration> states_;
  std::vector<bool> terminal_;
  std::vector<std::size_t> first_;
  std::vector<int32_t> next_, taken_;
  std::unordered_map<std::string, int32_t> number_;
};

}  // namespace multiplane
