// Which single arcs can still be built, as a table over the relevant features: where the two words are, and their arcs.
#pragma once

#include <cstdint>
#include <vector>

#include "systems/configuration.hpp"

namespace multiplane {

// The features of an arc from h to d, on the stack of its plane. Each is a bit of the key, except for the two places,
// which take two bits each.
enum class ReachFeature : uint8_t {
  kHeadPlace,       // of h: gone, in the buffer, on the stack, set aside
  kDependentPlace,  // of d
  kDependentHasHead,
  kHeadHasHead,
  kConnected,  // h and d are weakly connected
  kPathBack,   // there is a directed path from d to h
  kFrontIsHead,
  kFrontIsDependent,
  kDependentOnHead,  // d is directly above h on the stack
  kHeadOnDependent,
  kBufferEmpty,
};
constexpr int32_t kReachFeatures = 11;

// Where a node is, relative to one stack.
enum class Place : uint8_t { kGone, kBuffer, kStack, kAside };

struct ReachTable {
  std::vector<bool> reachable;  // by key; keys that never occurred count as unreachable
  uint32_t used = 0;            // bits of the key that matter
  bool counts_cycles = false;   // arcs that are reachable one by one may form a cycle together

  static constexpr std::size_t kSize = std::size_t{1} << (kReachFeatures + 2);

  static uint32_t bits_of(ReachFeature feature) {
    switch (feature) {
      case ReachFeature::kHeadPlace:
        return 3u;
      case ReachFeature::kDependentPlace:
        return 3u << 2;
      default:
        return 1u << (static_cast<uint32_t>(feature) + 2);
    }
  }
};

// Places of all nodes relative to every stack, found once per configuration.
class NodePlaces {
 public:
  NodePlaces(int32_t n, int32_t stacks) : width_(n + 1), at_(stacks * width_), under_(stacks * width_) {}

  void locate(const Configuration& c) {
    std::fill(at_.begin(), at_.end(), Place::kGone);
    std::fill(under_.begin(), under_.end(), -1);
    for (int32_t s = 0; s < c.stacks(); ++s) {
      Place* at = at_.data() + s * width_;
      for (int32_t i = 0; i < c.stack_sizes()[s]; ++i) {
        const int32_t node = c.stack(s)[i];
        at[node] = Place::kStack;
        if (i > 0) under_[s * width_ + node] = c.stack(s)[i - 1];
      }
      for (int32_t i = 0; i < c.header().buffer_size; ++i) at[c.buffer()[i]] = Place::kBuffer;
      for (int32_t i = 0; i < c.header().aside_size; ++i) at[c.aside()[i]] = Place::kAside;
    }
  }

  // The key of an arc; only the requested bits are looked up.
  uint32_t key(const Configuration& c, int32_t head, int32_t dependent, int32_t stack, uint32_t used) const {
    const std::size_t offset = stack * width_;
    uint32_t key = static_cast<uint32_t>(at_[offset + head]) | static_cast<uint32_t>(at_[offset + dependent]) << 2;
    auto set = [&](ReachFeature feature, auto&& holds) {
      const uint32_t bit = ReachTable::bits_of(feature);
      if ((used & bit) != 0 && holds()) key |= bit;
    };
    const int32_t front = c.front_or(-1);
    set(ReachFeature::kDependentHasHead, [&] { return c.has_head(dependent); });
    set(ReachFeature::kHeadHasHead, [&] { return c.has_head(head); });
    set(ReachFeature::kConnected, [&] { return c.connected(head, dependent); });
    set(ReachFeature::kPathBack, [&] { return c.has_path(dependent, head); });
    set(ReachFeature::kFrontIsHead, [&] { return front == head; });
    set(ReachFeature::kFrontIsDependent, [&] { return front == dependent; });
    set(ReachFeature::kDependentOnHead, [&] { return under_[offset + dependent] == head; });
    set(ReachFeature::kHeadOnDependent, [&] { return under_[offset + head] == dependent; });
    set(ReachFeature::kBufferEmpty, [&] { return c.buffer_empty(); });
    return key & used;
  }

 private:
  std::size_t width_;
  std::vector<Place> at_;
  std::vector<int32_t> under_;
};

}  // namespace multiplane
