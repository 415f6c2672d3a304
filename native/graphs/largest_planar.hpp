// Large subsets of arcs that k planes hold.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "graphs/crossings.hpp"
#include "graphs/planes.hpp"

namespace multiplane {

// Tries to find the fewest arcs of a component without which k planes hold it: all ways to leave out one, then two,
// and so on, within bounds. Empty where none was found.
inline ArcList fewest_beyond(const Spans& spans, const ArcList& component, int k) {
  const std::size_t m = component.size();
  std::size_t tries = 200000 / m;  // each costs about as much as there are arcs
  ArcList places;
  Spans rest;
  for (std::size_t size = 1; size < m; ++size) {
    places.resize(size);
    std::iota(places.begin(), places.end(), 0);
    while (true) {
      if (tries-- == 0) return {};
      rest.clear();
      for (std::size_t i = 0, next = 0; i < m; ++i) {
        if (next < size && places[next] == static_cast<int32_t>(i)) {
          ++next;
        } else {
          rest.push_back(spans[component[i]]);
        }
      }
      try {
        if (minimal_planes(rest, k).count <= k) {
          ArcList found;
          for (int32_t place : places) found.push_back(component[place]);
          return found;
        }
      } catch (const Undecided&) {
        return {};
      }
      std::size_t i = size;
      while (i > 0 && places[i - 1] == static_cast<int32_t>(m - size + i - 1)) --i;
      if (i == 0) break;
      ++places[i - 1];
      for (; i < size; ++i) places[i] = places[i - 1] + 1;
    }
  }
  return {};
}

// The arcs of a component that find no room when each is put into the first plane where it crosses nothing, those with
// the fewest crossings first.
inline ArcList left_over(const Spans& spans, const ArcList& component, int k) {
  std::vector<std::pair<std::size_t, int32_t>> by_crossings;
  for (int32_t a : component) {
    const auto count =
        std::count_if(component.begin(), component.end(), [&](int32_t b) { return crosses(spans[a], spans[b]); });
    by_crossings.emplace_back(count, a);
  }
  std::sort(by_crossings.begin(), by_crossings.end());
  std::vector<ArcList> planes(k);
  ArcList left;
  for (const auto& [count, arc] : by_crossings) {
    auto has_room = [&, a = arc](const ArcList& plane) {
      return std::none_of(plane.begin(), plane.end(), [&](int32_t b) { return crosses(spans[a], spans[b]); });
    };
    const auto plane = std::find_if(planes.begin(), planes.end(), has_room);
    if (plane == planes.end()) {
      left.push_back(arc);
    } else {
      plane->push_back(arc);
    }
  }
  return left;
}

// Arcs without which the rest is k-planar, as few as can be found.
inline ArcList arcs_beyond(const Spans& spans, int k) {
  ArcList dropped;
  const ArcList sorted = all_arcs(spans);
  if (!find_crossing(spans, sorted)) return dropped;
  const Components components = find_components(spans, sorted);
  for (std::size_t i = 0; i < components.arcs.size(); ++i) {
    const ArcList& component = components.arcs[i];
    if (component.size() == 1 || (k >= 2 && !components.is_odd[i])) continue;
    Spans own;
    for (int32_t a : component) own.push_back(spans[a]);
    bool fits = false;
    try {
      fits = minimal_planes(own, k).count <= k;
    } catch (const Undecided&) {
    }
    if (fits) continue;
    ArcList beyond = fewest_beyond(spans, component, k);
    if (beyond.empty()) beyond = left_over(spans, component, k);
    dropped.insert(dropped.end(), beyond.begin(), beyond.end());
  }
  return dropped;
}

}  // namespace multiplane
