// Thorough search: tries every derivation under constraints, those that score best first, until one is found.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "search/search.hpp"

namespace multiplane {

// Depth first, and never twice from configurations that look the same to the rest of a derivation. So it finds a tree
// of short sentences whenever there is one; of longer ones it tries only so many configurations.
class ThoroughSearch {
 public:
  static constexpr int32_t kMostWords = 60;

  ThoroughSearch(const Program& program, Scorer& scorer) : program_(program), driver_(program, scorer) {}

  // The state at the end of a derivation that the constraints allow, or null.
  const State* run(int32_t n, const Value* rows, const Constraints& fixed) {
    seen_.clear();
    path_.clear();
    if (n > kMostWords) return nullptr;
    Permission permission(program_, fixed);
    path_.push_back(std::make_unique<Node>(Node{State(program_, n), {}, 0, {}}));
    rank(*path_.back(), rows);
    for (int32_t tried = 0; !path_.empty() && tried < kMostTried;) {
      Node& last = *path_.back();
      if (driver_.is_done(last.state) && is_right(last.state, fixed)) return &last.state;
      if (last.next == last.candidates.size()) {
        path_.pop_back();
        continue;
      }
      const Candidate c = last.candidates[last.next++];
      permission.look_at(last.state);
      if (!permission.allows(last.state, c.transition, c.parameter)) continue;
      auto child = std::make_unique<Node>(Node{last.state, {}, 0, {}});
      const int32_t arcs = child->state.c.header().arc_count;
      float score = c.score;
      if (!driver_.take(child->state, rows, c.transition, c.parameter, fixed, score)) continue;
      child->step = {c.transition, c.parameter, driver_.label_since(child->state, arcs)};
      if (!seen_.insert(look(child->state)).second) continue;
      ++tried;
      rank(*child, rows);
      path_.push_back(std::move(child));
    }
    return nullptr;
  }

  // The transitions of the derivation that was found.
  std::vector<Taken> steps() const {
    std::vector<Taken> steps;
    for (std::size_t i = 1; i < path_.size(); ++i) steps.push_back(path_[i]->step);
    return steps;
  }

 private:
  static constexpr int32_t kMostTried = 20000;

  struct Node {
    State state;
    std::vector<Candidate> candidates;  // the best first
    std::size_t next;
    Taken step;  // that led here
  };

  void rank(Node& node, const Value* rows) {
    if (driver_.is_done(node.state)) return;
    driver_.candidates(node.state, rows, 0, 0, node.candidates);
    std::stable_sort(node.candidates.begin(), node.candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
  }

  static bool is_right(const State& s, const Constraints& fixed) {
    for (int32_t v = 1; v <= s.c.n(); ++v)
      if (!fixed.allow(std::max(s.tree.head(v), 0), v)) return false;
    return true;
  }

  // What the rest of a derivation depends on.
  static std::vector<int32_t> look(const State& s) {
    const Configuration::Header& h = s.c.header();
    std::vector<int32_t> found{h.active, h.switches, h.buffer_size, h.aside_size};
    found.insert(found.end(), s.c.buffer(), s.c.buffer() + h.buffer_size);
    found.insert(found.end(), s.c.aside(), s.c.aside() + h.aside_size);
    for (int32_t k = 0; k < s.c.stacks(); ++k) {
      found.push_back(s.c.stack_sizes()[k]);
      found.insert(found.end(), s.c.stack(k), s.c.stack(k) + s.c.stack_sizes()[k]);
    }
    for (int32_t v = 1; v <= s.c.n(); ++v) found.push_back(s.tree.head(v));
    return found;
  }

  const Program& program_;
  Driver driver_;
  std::set<std::vector<int32_t>> seen_;
  std::vector<std::unique_ptr<Node>> path_;
};

}  // namespace multiplane
