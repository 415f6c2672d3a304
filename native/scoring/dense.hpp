// Products with a matrix of weights, and the curves of neural networks, fast in one thread and without a library.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <type_traits>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "common/memory.hpp"

namespace multiplane {

// Weights stand in panels of 16 outputs: the weights of all 16 for the first input, then for the second, and so on.
// Those of 16 bits stand two and two: the weights of the first output for the first two inputs, then those of the
// second.
constexpr std::size_t kPanel = 16;

// The gates of an LSTM stand in groups of 8 units: i of all 8, then f, g and o.
constexpr std::size_t kUnits = 8;

// What stands for 1 in numbers of 16 bits.
constexpr float kCoarseOne = 8192;

constexpr std::size_t whole_panels(std::size_t columns) { return (columns + kPanel - 1) / kPanel; }

template <typename Number>
struct Panels {
  const Number* weights;
  const float* scales;  // of every output, where weights are whole numbers
  std::size_t count, depth;

  const Number* of(std::size_t panel) const { return weights + panel * depth * kPanel; }
};

// out = start + left * weights, row by row; `start` may be `out`. Rows of both are as wide as all panels.
template <typename Number>
using Product = void(const Number* const* left, std::size_t rows, const Panels<Number>& panels,
                     const float* const* start, float* const* out);

// The loops that are written for one instruction set.
struct Kernels {
  Product<float>* product;
  Product<int16_t>* coarse_product;
  void (*sigmoid)(float* values, std::size_t count);
  void (*tanh)(float* values, std::size_t count);
  void (*lstm_step)(const float* gates, std::size_t units, float* cells, float* out);
  void (*coarsen)(const float* values, std::size_t count, int16_t* out);
  void (*power)(float* values, std::size_t count);  // of e, for exponents within 20 of 0
  // For training; all rows are `width` numbers, which are whole groups of units.
  void (*add_weighted_rows)(const float* x, std::size_t count, const float* rows, std::size_t width, float* out);
  void (*add_dots)(const float* rows, std::size_t count, const float* x, std::size_t width, float* out);
  void (*add_outer)(const float* x, std::size_t count, const float* y, std::size_t width, float* rows);
};

// What every processor of the architecture has.
#define MULTIPLANE_SET plain
#define MULTIPLANE_TARGET
#define MULTIPLANE_LANES 4
#if defined(__x86_64__)
#define MULTIPLANE_ROWS 3
#define MULTIPLANE_SUMS 12
#define MULTIPLANE_PAIRS(sums, a, b) \
  (sums + reinterpret_cast<Whole>(_mm_madd_epi16(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b))))
#define MULTIPLANE_PIN(sums) asm volatile("" : "+x"(sums))
#else
#define MULTIPLANE_ROWS 6
#define MULTIPLANE_SUMS 24
#define MULTIPLANE_PAIRS(sums, a, b) (sums + ((a) << 16 >> 16) * ((b) << 16 >> 16) + ((a) >> 16) * ((b) >> 16))
#define MULTIPLANE_PIN(sums)
#endif
#include "scoring/product_kernels.hpp"
#include "scoring/vector_kernels.hpp"
#undef MULTIPLANE_SET
#undef MULTIPLANE_TARGET
#undef MULTIPLANE_LANES
#undef MULTIPLANE_ROWS
#undef MULTIPLANE_SUMS
#undef MULTIPLANE_PAIRS

#if defined(__x86_64__)
#define MULTIPLANE_SET avx2
#define MULTIPLANE_TARGET __attribute__((target("avx2,fma")))
#define MULTIPLANE_LANES 8
#define MULTIPLANE_ROWS 6
#define MULTIPLANE_SUMS 12
#define MULTIPLANE_PAIRS(sums, a, b) \
  (sums + reinterpret_cast<Whole>(_mm256_madd_epi16(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b))))
#include "scoring/product_kernels.hpp"
#include "scoring/vector_kernels.hpp"
#undef MULTIPLANE_SET
#undef MULTIPLANE_TARGET
#undef MULTIPLANE_LANES
#undef MULTIPLANE_ROWS
#undef MULTIPLANE_SUMS
#undef MULTIPLANE_PAIRS

// Only products are worth vectors that are as wide as a panel. They add numbers in the same order as those of AVX2.
#define MULTIPLANE_SET avx512
#define MULTIPLANE_TARGET __attribute__((target("avx512f,avx512vnni,fma")))
#define MULTIPLANE_LANES 16
#define MULTIPLANE_ROWS 6
#define MULTIPLANE_SUMS 12
#define MULTIPLANE_PAIRS(sums, a, b)                                                                         \
  reinterpret_cast<Whole>(_mm512_dpwssd_epi32(reinterpret_cast<__m512i>(sums), reinterpret_cast<__m512i>(a), \
                                              reinterpret_cast<__m512i>(b)))
#undef MULTIPLANE_PIN
#define MULTIPLANE_PIN(sums)
#include "scoring/product_kernels.hpp"
namespace avx512 {
inline constexpr Kernels kernels = [] {
  Kernels found = avx2::kernels;
  found.product = &product<float>;
  found.coarse_product = &product<int16_t>;
  return found;
}();
}  // namespace avx512
#undef MULTIPLANE_SET
#undef MULTIPLANE_TARGET
#undef MULTIPLANE_LANES
#undef MULTIPLANE_ROWS
#undef MULTIPLANE_SUMS
#undef MULTIPLANE_PAIRS
#endif
#undef MULTIPLANE_PIN

#if defined(__x86_64__) && defined(_MSC_VER)
// Clang for Windows does not link what __builtin_cpu_supports needs. Processors with AVX2 have FMA, too.
extern "C" __declspec(dllimport) int __stdcall IsProcessorFeaturePresent(unsigned long);
inline bool has_avx2() { return IsProcessorFeaturePresent(40) != 0; }  // PF_AVX2_INSTRUCTIONS_AVAILABLE
inline bool has_avx512() { return false; }
#elif defined(__x86_64__)
inline bool has_avx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
inline bool has_avx512() {
  return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vnni");
}
#endif

struct NamedKernels {
  const char* name;
  const Kernels* kernels;
};

// The kernels that this processor runs, the fastest first.
inline const std::vector<NamedKernels>& available_kernels() {
  static const std::vector<NamedKernels> found = [] {
    std::vector<NamedKernels> sets;
#if defined(__x86_64__)
    if (has_avx512()) sets.push_back({"avx512", &avx512::kernels});
    if (has_avx2()) sets.push_back({"avx2", &avx2::kernels});
#endif
    sets.push_back({"plain", &plain::kernels});
    return sets;
  }();
  return found;
}

inline const Kernels& fastest_kernels() { return *available_kernels().front().kernels; }

// A linear layer: weights of `outputs` rows and `inputs` columns, and a bias or none. With numbers of 16 bits it is
// faster by half or more; then all that is multiplied must be from -1 to 1, in multiples of 1 / kCoarseOne, and the
// number of inputs even.
template <typename Number>
class DenseOf {
 public:
  DenseOf(const float* weights, std::size_t outputs, std::size_t inputs, const float* bias = nullptr,
          const Kernels& kernels = fastest_kernels())
      : kernels_(&kernels),
        outputs_(outputs),
        inputs_(inputs),
        bias_(whole_panels(outputs) * kPanel),
        panels_(whole_panels(outputs) * kPanel * inputs) {
    for (std::size_t o = 0; o < outputs; ++o) pack(weights + o * inputs, o);
    if (bias != nullptr) std::copy_n(bias, outputs, bias_.begin());
  }

  std::size_t inputs() const { return inputs_; }
  std::size_t outputs() const { return outputs_; }

  // out = x * weights' + bias; rows stand one after another.
  void multiply(const Number* x, std::size_t rows, float* out) const { each_chunk(x, rows, out, false); }

  // out += x * weights'
  void add(const Number* x, std::size_t rows, float* out) const { each_chunk(x, rows, out, true); }

  // out = start + x * weights' for rows anywhere. Rows of `start` and `out` must be as wide as whole panels.
  void add_rows(const Number* const* x, std::size_t rows, const float* const* start, float* const* out) const {
    product(x, rows, 0, whole_panels(outputs_), start, out);
  }

 private:
  // This many rows stay in the second cache while all panels pass.
  static constexpr std::size_t kChunk = 96;

  void pack(const float* row, std::size_t output) {
    Number* panel = panels_.data() + output / kPanel * inputs_ * kPanel;
    const std::size_t place = output % kPanel;
    if constexpr (std::is_same_v<Number, float>) {
      for (std::size_t i = 0; i < inputs_; ++i) panel[i * kPanel + place] = row[i];
    } else {
      const double factor = largest_factor(row);
      scales_.resize(bias_.size());
      scales_[output] = static_cast<float>(1 / (factor * kCoarseOne));
      for (std::size_t i = 0; i < inputs_; ++i)
        panel[(i / 2 * kPanel + place) * 2 + i % 2] = static_cast<Number>(std::lrint(row[i] * factor));
    }
  }

  // What weights can be multiplied with so that they fit 16 bits, and no sum of products leaves 32 bits.
  double largest_factor(const float* row) const {
    double most = 1e-30, sum = 1e-30;
    for (std::size_t i = 0; i < inputs_; ++i) {
      most = std::max<double>(most, std::abs(row[i]));
      sum += std::abs(row[i]);
    }
    if (!std::isfinite(sum)) throw std::invalid_argument("a weight is not finite");
    const double rounding = static_cast<double>(inputs_);
    return std::min(32767 / most, (2147483647 / kCoarseOne - rounding) / sum);
  }

  void product(const Number* const* left, std::size_t rows, std::size_t first, std::size_t count,
               const float* const* start, float* const* out) const {
    const Number* weights = panels_.data() + first * inputs_ * kPanel;
    if constexpr (std::is_same_v<Number, float>)
      kernels_->product(left, rows, {weights, nullptr, count, inputs_}, start, out);
    else
      kernels_->coarse_product(left, rows, {weights, &scales_[first * kPanel], count, inputs_}, start, out);
  }

  void each_chunk(const Number* x, std::size_t rows, float* out, bool adds) const {
    const Number* left[kChunk];
    const float* start[kChunk];
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

  // The last panel may be wider than what is left of the rows: then it needs room of its own.
  void multiply_chunk(const Number* const* left, std::size_t rows, const float* const* start, float* const* out) const {
    const std::size_t whole = outputs_ / kPanel, tail = outputs_ % kPanel;
    product(left, rows, 0, whole, start, out);
    if (tail == 0) return;
    float room[kChunk * kPanel] = {};
    float* wide[kChunk];
    for (std::size_t r = 0; r < rows; ++r) {
      wide[r] = room + r * kPanel;
      std::copy_n(start[r] + whole * kPanel, tail, wide[r]);
    }
    product(left, rows, whole, 1, wide, wide);
    for (std::size_t r = 0; r < rows; ++r) std::copy_n(wide[r], tail, out[r] + whole * kPanel);
  }

  const Kernels* kernels_;
  std::size_t outputs_, inputs_;
  std::vector<float> bias_, scales_;
  Table<Number> panels_;
};

using Dense = DenseOf<float>;
using CoarseDense = DenseOf<int16_t>;

}  // namespace multiplane
