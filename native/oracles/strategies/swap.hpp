// Bottom-up with SWAP: words out of projective order are swapped (Nivre 2009; Nivre, Kuhlmann and Hall 2009).
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "oracles/strategies/bottom_up.hpp"

namespace multiplane {

class SwapStrategy : public BottomUpStrategy {
 public:
  SwapStrategy(const Program& program, const Roles& roles, const Gold& gold)
      : BottomUpStrategy(program, roles, gold), order_(gold.projective_order()) {}

  Taken wanted(Configuration& c) override {
    const Taken arc = wanted_arc(c);
    if (arc.transition >= 0) return arc;
    if (wants_swap(c)) return {roles_.swap, 0, -1};
    return shift_or_end(c);
  }

  bool is_quadratic() const override { return true; }

 protected:
  virtual bool wants_swap(const Configuration& c) const = 0;

  std::vector<int32_t> order_;
};

// Swaps the two topmost words as soon as they meet.
class EagerSwapStrategy : public SwapStrategy {
 public:
  using SwapStrategy::SwapStrategy;

 protected:
  bool wants_swap(const Configuration& c) const override {
    const int32_t size = c.active_size();
    if (size < 2) return false;
    const int32_t top = c.top(), under = c.stack(0)[size - 2];
    return under != 0 && under < top && order_[under] > order_[top];
  }
};

// Swaps them only if the next word is not in the same projective component.
class LazySwapStrategy final : public EagerSwapStrategy {
 public:
  LazySwapStrategy(const Program& program, const Roles& roles, const Gold& gold)
      : EagerSwapStrategy(program, roles, gold) {
    find_projective_components();
  }

 private:
  bool wants_swap(const Configuration& c) const override {
    return EagerSwapStrategy::wants_swap(c) && (c.buffer_empty() || component_[c.top()] != component_[c.front()]);
  }

  // Maximal projective components: what a bottom-up parser can build without swaps.
  void find_projective_components() {
    component_.resize(gold_.n() + 1);
    std::iota(component_.begin(), component_.end(), 0);
    std::vector<int32_t> stack, left(gold_.n() + 1, 0);
    for (const GoldArc& arc : gold_.arcs()) ++left[arc.head];
    auto leader = [this](int32_t v) {
      while (component_[v] != v) v = component_[v];
      return v;
    };
    auto attach = [&](int32_t head, int32_t dependent) {
      component_[leader(dependent)] = leader(head);
      --left[head];
    };
    std::vector<int32_t> nodes;
    if (program_.root == Root::kLeft) nodes.push_back(0);
    for (int32_t v = 1; v <= gold_.n(); ++v) nodes.push_back(v);
    if (program_.root == Root::kRight) nodes.push_back(0);
    for (int32_t v : nodes) {
      stack.push_back(v);
      while (stack.size() >= 2) {
        const int32_t top = stack.back(), under = stack[stack.size() - 2];
        if (gold_.head(under) == top && left[under] == 0) {
          attach(top, under);
          stack.erase(stack.end() - 2);
        } else if (gold_.head(top) == under && left[top] == 0) {
          attach(under, top);
          stack.pop_back();
        } else {
          break;
        }
      }
    }
    for (int32_t v = 0; v <= gold_.n(); ++v) component_[v] = leader(v);
  }

  std::vector<int32_t> component_;
};

// arc-hybrid + swap: swaps the top with a front that precedes it in projective order (de Lhoneux et al. 2017).
class ArcHybridSwapStrategy final : public SwapStrategy {
 public:
  using SwapStrategy::SwapStrategy;

 private:
  bool wants_swap(const Configuration& c) const override {
    return c.active_size() > 0 && !c.buffer_empty() && c.top() != 0 && c.front() > c.top() &&
           order_[c.top()] > order_[c.front()];
  }
};

}  // namespace multiplane
