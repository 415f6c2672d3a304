// Transition systems as tables.
//
// A transition is a sequence of elementary steps, each an opcode with an optional guard; it is defined if all are.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "systems/configuration.hpp"

namespace multiplane {

enum class Op : uint8_t {
  kShift,     // pushes the front of the buffer onto every stack
  kUnshift,   // moves the top of every stack back to the buffer
  kReduce,    // pops the active stack
  kLeftArc,   // an arc from the front to the top
  kRightArc,  // an arc from the top to the front
  kSwitch,    // activates the next stack
  kArc,       // an undirected edge between the top and the front
  kExchange,  // swaps top and front
  kSkip,      // moves the top of the active stack aside (Covington's second list)
  kRestore,   // moves the words set aside back onto the active stack
  kDrop,      // discards the words set aside
};

// The atoms of guards; the values are positions in a guard's truth table.
enum class Atom : uint8_t {
  kTopHasHead,
  kFrontHasHead,
  kConnected,  // top and front are weakly connected
  kArcTopToFront,
  kArcFrontToTop,
  kPathTopToFront,  // a directed path
  kPathFrontToTop,
  kTopBeforeFront,  // both are words, in the order of the sentence
  kMaySwitch,       // fewer than k - 1 switches since the last other step
};

inline bool is_arc(Op op) { return op == Op::kLeftArc || op == Op::kRightArc || op == Op::kArc; }

struct Guard {
  std::vector<Atom> atoms;
  std::vector<bool> table;  // indexed by the atoms' values as bits, the first atom lowest
};

// Whether an atom is true whenever a guard holds.
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
  int32_t guard;  // index of a guard of the program, or -1
  int32_t times;  // repetitions; -1: the transition's parameter, -2: one less, and so on
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
  bool undirected = false;          // arcs have no direction: the smaller node is stored as the head
  bool arcs_on_stack = false;       // arcs can be built when the buffer is empty
  bool left_arcs_on_stack = false;  // including arcs to the left, or without direction
  bool keeps_roots = false;         // a word without a head is never removed
  bool skips = false;               // words are set aside and come back (Covington)
  bool limits_switches = false;     // a guard asks how many SWITCH steps came last; otherwise they are not counted
  bool stack_is_final = false;      // shifted words are never looked at again (easy-first)
  bool track_components = false;
  // Of the parser that runs it. By label, where labels of edges carry a direction: 1 if the left end is the head, -1 if
  // the right end is, 0 if neither.
  std::vector<int8_t> label_directions;
  // It parses graphs, in which a word may have several heads: labels are those of arcs, not of words.
  bool parses_graphs = false;
};

}  // namespace multiplane
