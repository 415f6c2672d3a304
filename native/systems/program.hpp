// Transition systems as tables.
//
// A transition is a sequence of elementary steps, each an opcode with an optional guard; it is defined where every
// step is.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "systems/configuration.hpp"

namespace multiplane {

enum class Op : uint8_t {
  kShift,     // the front of the buffer onto every stack
  kUnshift,   // the top of every stack back to the buffer
  kReduce,    // the top of the active stack away
  kLeftArc,   // an arc from the front to the top
  kRightArc,  // an arc from the top to the front
  kSwitch,    // the next stack becomes active
  kExchange,  // top and front change places
  kSkip,      // the top of the active stack aside (Covington's second list)
  kRestore,   // what lies aside back onto the active stack
  kDrop,      // what lies aside away
};

// What a guard can look at; the values are positions in its truth table.
enum class Atom : uint8_t {
  kTopHasHead,
  kFrontHasHead,
  kConnected,  // top and front are weakly connected
  kArcTopToFront,
  kArcFrontToTop,
  kPathTopToFront,  // a directed path
  kPathFrontToTop,
  kTopBeforeFront,  // both are words, in the order of the sentence
  kMaySwitch,       // fewer than k - 1 switches since anything else was done
};

struct Guard {
  std::vector<Atom> atoms;
  std::vector<bool> table;  // by the bits of the atoms' values, the first atom the lowest
};

// Whether an atom is true wherever a guard holds.
inline bool implies(const Guard& guard, Atom atom) {
  const auto found = std::find(guard.atoms.begin(), guard.atoms.end(), atom);
  if (found == guard.atoms.end()) return false;
  const std::size_t bit = std::size_t{1} << (found - guard.atoms.begin());
  for (std::size_t row = 0; row < guard.table.size(); ++row)
    if (guard.table[row] && (row & bit) == 0) return false;
  return true;
}

struct Step {
  Op op;
  int32_t guard;  // position among the program's guards, or -1
  int32_t times;  // how often; -1 for as often as the transition's parameter says, -2 for once less, and so on
};

struct Transition {
  std::vector<Step> steps;
  bool parametrized;
};

struct Program {
  int32_t stacks = 1;
  std::vector<Guard> guards;
  std::vector<Transition> transitions;
  Root root = Root::kNone;
  // Only well-formed trees: every transition leaves one within reach (see Machine::tree_in_reach).
  bool trees = false;
  bool single_root = false;
  // Derived from the declaration.
  bool arcs_on_stack = false;       // arcs can be built when the buffer is empty
  bool left_arcs_on_stack = false;  // among them arcs to the left
  bool keeps_roots = false;         // a word without a head is never removed
  bool skips = false;               // words are set aside and come back (Covington)
  bool limits_switches = false;     // a guard asks how often SWITCH came last; else nobody counts
  bool stack_is_final = false;      // what is shifted is never looked at again (easy-first)
  bool track_components = false;
};

}  // namespace multiplane
