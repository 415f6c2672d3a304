// The minimal number of planes that hold the arcs of a graph, and the plane of each arc.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "graphs/crossings.hpp"

namespace multiplane {

struct Undecided : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Exact k-colouring of one component of the crossings graph.
class ComponentColouring {
 public:
  ComponentColouring(const Spans& spans, const ArcList& component) : arcs_(component), neighbours_(component.size()) {
    constexpr std::size_t most_edges = std::size_t{1} << 27;
    std::size_t edges = 0;
    for (std::size_t i = 0; i < arcs_.size(); ++i) {
      const Span a = spans[arcs_[i]];
      for (std::size_t j = i + 1; j < arcs_.size() && spans[arcs_[j]].left < a.right; ++j) {
        if (!crosses(a, spans[arcs_[j]])) continue;
        neighbours_[i].push_back(j);
        neighbours_[j].push_back(i);
        if (++edges > most_edges) throw Undecided("too many crossings to search");
      }
    }
  }

  // Colours the component's arcs with k colours; false if that is impossible.
  bool colour(int k, std::vector<int32_t>& colours) {
    const std::size_t m = arcs_.size();
    k_ = k;
    colour_.assign(m, -1);
    forbidden_.assign(m * k, 0);
    saturation_.assign(m, 0);
    // Arcs with fewer than k crossings can always be coloured after the others.
    std::vector<std::size_t> degree(m);
    std::vector<int32_t> stripped;
    in_kernel_.assign(m, true);
    auto strip = [&](std::size_t i) {
      in_kernel_[i] = false;
      stripped.push_back(i);
    };
    for (std::size_t i = 0; i < m; ++i)
      if ((degree[i] = neighbours_[i].size()) < static_cast<std::size_t>(k)) strip(i);
    for (std::size_t next = 0; next < stripped.size(); ++next) {
      for (int32_t other : neighbours_[stripped[next]])
        if (in_kernel_[other] && --degree[other] < static_cast<std::size_t>(k)) strip(other);
    }
    // The rest may have split into components, which are independent.
    std::vector<bool> seen(m, false);
    for (std::size_t i = 0; i < m; ++i) {
      if (!in_kernel_[i] || seen[i]) continue;
      part_.assign(1, i);
      seen[i] = true;
      for (std::size_t next = 0; next < part_.size(); ++next) {
        for (int32_t other : neighbours_[part_[next]]) {
          if (!in_kernel_[other] || seen[other]) continue;
          seen[other] = true;
          part_.push_back(other);
        }
      }
      work_ = 0;
      if (!search(0, 0)) return false;
    }
    for (auto i = stripped.rbegin(); i != stripped.rend(); ++i) {
      int c = 0;
      while (forbidden_[*i * k_ + c]) ++c;
      assign(*i, c);
    }
    for (std::size_t i = 0; i < m; ++i) colours[arcs_[i]] = colour_[i];
    return true;
  }

 private:
  // Next colours the arc with the fewest colours left (DSATUR); new colours are interchangeable, so only one is tried.
  bool search(std::size_t done, int used) {
    if (done == part_.size()) return true;
    constexpr std::size_t most_work = 1'000'000'000;
    if ((work_ += part_.size()) > most_work) throw Undecided("the search for a colouring takes too long");
    int32_t next = -1;
    for (int32_t i : part_) {
      if (colour_[i] >= 0) continue;
      if (next < 0 || saturation_[i] > saturation_[next] ||
          (saturation_[i] == saturation_[next] && neighbours_[i].size() > neighbours_[next].size())) {
        next = i;
      }
    }
    if (saturation_[next] == k_) return false;
    for (int c = 0; c < std::min(used + 1, k_); ++c) {
      if (forbidden_[next * k_ + c]) continue;
      assign(next, c);
      if (search(done + 1, std::max(used, c + 1))) return true;
      unassign(next);
    }
    return false;
  }

  void assign(int32_t i, int c) {
    colour_[i] = c;
    for (int32_t other : neighbours_[i])
      if (forbidden_[other * k_ + c]++ == 0) ++saturation_[other];
  }

  void unassign(int32_t i) {
    for (int32_t other : neighbours_[i])
      if (--forbidden_[other * k_ + colour_[i]] == 0) --saturation_[other];
    colour_[i] = -1;
  }

  const ArcList& arcs_;
  std::vector<std::vector<int32_t>> neighbours_;
  int k_ = 0;
  std::size_t work_ = 0;
  std::vector<bool> in_kernel_;
  ArcList part_;
  std::vector<int32_t> colour_, forbidden_, saturation_;
};

struct Planes {
  int count;                    // the minimal number of planes; limit + 1 if more than limit are needed
  std::vector<int32_t> of_arc;  // by arc, from 0; empty if more than limit are needed
};

// The minimal number of planes for these arcs, and a plane for each. Exact; throws Undecided if that would take too
// long.
inline Planes minimal_planes(const Spans& spans, int limit) {
  const ArcList sorted = all_arcs(spans);
  Planes planes{1, std::vector<int32_t>(spans.size(), 0)};
  if (!find_crossing(spans, sorted)) return planes;
  planes.count = 2;
  if (limit < 2) return {limit + 1, {}};
  const Components components = find_components(spans, sorted);
  std::vector<int> sizes;
  for (std::size_t i = 0; i < components.arcs.size(); ++i) {
    const ArcList& component = components.arcs[i];
    if (component.size() == 1) continue;
    int k = 2;
    if (!components.is_odd[i]) {
      for (int32_t arc : component) planes.of_arc[arc] = components.colour[arc];
    } else {
      if (limit < 3) return {limit + 1, {}};
      k = std::max<int>(3, find_clique(spans, component, static_cast<std::size_t>(limit) + 1).size());
      if (k > limit) return {limit + 1, {}};
      ComponentColouring search(spans, component);
      while (!search.colour(k, planes.of_arc))
        if (++k > limit) return {limit + 1, {}};
    }
    planes.count = std::max(planes.count, k);
    // Most arcs in the first plane, then in the second, as readers look at the first plane most.
    sizes.assign(k, 0);
    for (int32_t arc : component) ++sizes[planes.of_arc[arc]];
    std::vector<int32_t> rank(k), place(k);
    std::iota(rank.begin(), rank.end(), 0);
    std::stable_sort(rank.begin(), rank.end(), [&sizes](int a, int b) { return sizes[a] > sizes[b]; });
    for (int c = 0; c < k; ++c) place[rank[c]] = c;
    for (int32_t arc : component) planes.of_arc[arc] = place[planes.of_arc[arc]];
  }
  return planes;
}

// Canonical planes: renumbers planes so that arcs that cross nothing lie in the first, and so does the arc of each
// component that can be built first. -1 stands for an arc in no plane.
inline void make_canonical(const Spans& all, std::vector<int32_t>& planes) {
  if (std::none_of(planes.begin(), planes.end(), [](int32_t plane) { return plane > 0; })) return;
  ArcList kept;
  Spans spans;
  for (std::size_t a = 0; a < all.size(); ++a) {
    if (planes[a] < 0) continue;
    kept.push_back(static_cast<int32_t>(a));
    spans.push_back(all[a]);
  }
  for (ArcList component : find_components(spans, all_arcs(spans)).arcs) {
    std::sort(component.begin(), component.end(), [&](int32_t a, int32_t b) {
      return std::pair(spans[a].right, -spans[a].left) < std::pair(spans[b].right, -spans[b].left);
    });
    std::vector<int32_t> met;  // the planes of the component, in the order in which they become the first, the second …
    for (int32_t arc : component) {
      int32_t& plane = planes[kept[arc]];
      auto place = std::find(met.begin(), met.end(), plane);
      if (place == met.end()) place = met.insert(met.end(), plane);
      plane = static_cast<int32_t>(place - met.begin());
    }
  }
}

}  // namespace multiplane
