// Products with a matrix of weights, and the curves of neural networks, fast in one thread and without a library.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "memory.hpp"

namespace multiplane {

// Weights stand in panels of 16 outputs: the weights of all 16 for the first input, then for the second, and so on.
constexpr std::size_t kPanel = 16;

// The gates of an LSTM stand in groups of 8 units: i of all 8, then f, g and o.
constexpr std::size_t kUnits = 8;

constexpr std::size_t whole_panels(std::size_t columns) { return (columns + kPanel - 1) / kPanel; }

struct Panels {
  const float* weights;
  std::size_t count, depth;

  const float* of(std::size_t panel) const { return weights + panel * depth * kPanel; }
};

// The loops that are written for one instruction set.
struct Kernels {
  // out = start + left * weights, row by row; `start` may be `out`. Rows of both are as wide as all panels.
  void (*product)(const float* const* left, std::size_t rows, const Panels& panels, const float* const* start,
                  float* const* out);
  void (*sigmoid)(float* values, std::size_t count);
  void (*tanh)(float* values, std::size_t count);
  void (*lstm_step)(const float* gates, std::size_t units, float* cells, float* out);
};

// What every processor of the architecture has.
#define MULTIPLANE_SET plain
#define MULTIPLANE_TARGET
#define MULTIPLANE_LANES 4
#if defined(__aarch64__)
#define MULTIPLANE_ROWS 6
#else
#define MULTIPLANE_ROWS 3
#endif
#include "vector_kernels.hpp"
#undef MULTIPLANE_SET
#undef MULTIPLANE_TARGET
#undef MULTIPLANE_LANES
#undef MULTIPLANE_ROWS

#if defined(__x86_64__)
#define MULTIPLANE_SET avx2
#define MULTIPLANE_TARGET __attribute__((target("avx2,fma")))
#define MULTIPLANE_LANES 8
#define MULTIPLANE_ROWS 6
#include "vector_kernels.hpp"
#undef MULTIPLANE_SET
#undef MULTIPLANE_TARGET
#undef MULTIPLANE_LANES
#undef MULTIPLANE_ROWS
#endif

// The fastest kernels that this processor runs.
inline const Kernels& fastest_kernels() {
#if defined(__x86_64__)
  static const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (has_avx2) return avx2::kernels;
#endif
  return plain::kernels;
}

// A linear layer: weights of `outputs` rows and `inputs` columns, and a bias or none.
class Dense {
 public:
  Dense(const float* weights, std::size_t outputs, std::size_t inputs, const float* bias = nullptr,
        const Kernels& kernels = fastest_kernels())
      : kernels_(&kernels),
        outputs_(outputs),
        inputs_(inputs),
        bias_(whole_panels(outputs) * kPanel),
        panels_(whole_panels(outputs) * kPanel * inputs) {
    for (std::size_t o = 0; o < outputs; ++o)
      for (std::size_t i = 0; i < inputs; ++i)
        panels_[(o / kPanel * inputs + i) * kPanel + o % kPanel] = weights[o * inputs + i];
    if (bias != nullptr) std::copy_n(bias, outputs, bias_.begin());
  }

  std::size_t inputs() const { return inputs_; }
  std::size_t outputs() const { return outputs_; }

  // out = x * weights' + bias; rows stand one after another.
  void multiply(const float* x, std::size_t rows, float* out) const { each_chunk(x, rows, out, false); }

  // out += x * weights'
  void add(const float* x, std::size_t rows, float* out) const { each_chunk(x, rows, out, true); }

  // out = start + x * weights' for rows anywhere. Rows of `start` and `out` must be as wide as whole panels.
  void add_rows(const float* const* x, std::size_t rows, const float* const* start, float* const* out) const {
    kernels_->product(x, rows, {panels_.data(), whole_panels(outputs_), inputs_}, start, out);
  }

 private:
  // So many rows stay in the second cache while all panels pass.
  static constexpr std::size_t kChunk = 96;

  void each_chunk(const float* x, std::size_t rows, float* out, bool adds) const {
    const float *left[kChunk], *start[kChunk];
    float* to[kChunk];
    for (std::size_t first = 0; first < rows; first += kChunk) {
      const std::size_t count = std::min(kChunk, rows - first);
      for (std::size_t r = 0; r < count; ++r) {
        left[r] = x + (first + r) * inputs_;
        to[r] = out + (first + r) * outputs_;
        start[r] = adds ? to[r] : bias_.data();
      }
      multiply_chunk(left, count, start, to);
    }
  }

  void multiply_chunk(const float* const* left, std::size_t rows, const float** start, float** out) const {
    const std::size_t whole = outputs_ / kPanel, tail = outputs_ % kPanel;
    kernels_->product(left, rows, {panels_.data(), whole, inputs_}, start, out);
    if (tail == 0) return;
    // The last panel is wider than the rows: it needs room of its own.
    float room[kChunk * kPanel];
    for (std::size_t r = 0; r < rows; ++r) {
      float* narrow = room + r * kPanel;
      std::fill(std::copy_n(start[r] + whole * kPanel, tail, narrow), narrow + kPanel, 0.f);
      start[r] = narrow;
    }
    float* wide[kChunk];
    for (std::size_t r = 0; r < rows; ++r) wide[r] = room + r * kPanel;
    kernels_->product(left, rows, {panels_.data() + whole * kPanel * inputs_, 1, inputs_}, start, wide);
    for (std::size_t r = 0; r < rows; ++r) std::copy_n(wide[r], tail, out[r] + whole * kPanel);
  }

  const Kernels* kernels_;
  std::size_t outputs_, inputs_;
  std::vector<float> bias_;
  Table<float> panels_;
};

}  // namespace multiplane
