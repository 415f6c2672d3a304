// The innermost loops of dense models, for one instruction set. dense.hpp includes this file once for every instruction
// set, hence no #pragma once; before, it defines
//   MULTIPLANE_SET     the namespace
//   MULTIPLANE_TARGET  the attribute that lets the compiler use the instructions
//   MULTIPLANE_LANES   how many numbers a vector register holds
//   MULTIPLANE_ROWS    how many rows a block may have so that its sums stay in registers
//
// Every function has the attribute, because compilers take vectors apart before they inline. No function of the
// standard library is called: the linker might keep the copy made here for the whole program, also where it must not
// run.

namespace MULTIPLANE_SET {

#define MULTIPLANE_INLINE MULTIPLANE_TARGET __attribute__((always_inline)) inline

constexpr std::size_t kLanes = MULTIPLANE_LANES, kMostRows = MULTIPLANE_ROWS;
constexpr std::size_t kVectors = kPanel / kLanes;  // of one panel
constexpr std::size_t kSums = 2 * kMostRows;       // that registers hold, counted in vectors

typedef float Vector __attribute__((vector_size(kLanes * sizeof(float))));
typedef int32_t Whole __attribute__((vector_size(kLanes * sizeof(float))));
typedef float Unaligned __attribute__((vector_size(kLanes * sizeof(float)), aligned(4), may_alias));

MULTIPLANE_INLINE Vector load(const float* from) { return *reinterpret_cast<const Unaligned*>(from); }
MULTIPLANE_INLINE void store(float* to, Vector value) { *reinterpret_cast<Unaligned*>(to) = value; }
MULTIPLANE_INLINE Vector smaller(Vector a, Vector b) { return a < b ? a : b; }
MULTIPLANE_INLINE Vector larger(Vector a, Vector b) { return a > b ? a : b; }

// The sums of some rows and some panels, each in its own register. Numbers are added in the same order whatever the
// number of rows, so that a row's result does not depend on its company.
template <std::size_t rows, std::size_t panels>
MULTIPLANE_TARGET void block(const float* const* left, const float* panel, std::size_t depth, const float* const* start,
                             float* const* out, std::size_t column) {
  const float* row[rows];
  Vector sums[rows][panels * kVectors];
#pragma GCC unroll 8
  for (std::size_t r = 0; r < rows; ++r) {
    row[r] = left[r];
#pragma GCC unroll 16
    for (std::size_t v = 0; v < panels * kVectors; ++v) sums[r][v] = load(start[r] + column + v * kLanes);
  }
  for (std::size_t k = 0; k < depth; ++k) {
    Vector weights[panels * kVectors];
#pragma GCC unroll 16
    for (std::size_t v = 0; v < panels * kVectors; ++v)
      weights[v] = load(panel + (v / kVectors * depth + k) * kPanel + v % kVectors * kLanes);
#pragma GCC unroll 8
    for (std::size_t r = 0; r < rows; ++r) {
      const float value = row[r][k];
#pragma GCC unroll 16
      for (std::size_t v = 0; v < panels * kVectors; ++v) sums[r][v] += value * weights[v];
    }
  }
#pragma GCC unroll 8
  for (std::size_t r = 0; r < rows; ++r)
#pragma GCC unroll 16
    for (std::size_t v = 0; v < panels * kVectors; ++v) store(out[r] + column + v * kLanes, sums[r][v]);
}

template <std::size_t rows>
constexpr std::size_t panels_at_once() {
  return rows * kVectors * 4 <= kSums ? 4 : rows * kVectors * 2 <= kSums ? 2 : 1;
}

// A few rows with all panels: weights come from afar and are used once, so as many as possible are under way.
template <std::size_t rows>
MULTIPLANE_TARGET void few_rows(const float* const* left, const Panels& panels, const float* const* start,
                                float* const* out) {
  constexpr std::size_t at_once = panels_at_once<rows>();
  std::size_t p = 0;
  for (; p + at_once <= panels.count; p += at_once)
    block<rows, at_once>(left, panels.of(p), panels.depth, start, out, p * kPanel);
  for (; p < panels.count; ++p) block<rows, 1>(left, panels.of(p), panels.depth, start, out, p * kPanel);
}

// Many rows: a panel stays in the nearest cache while all blocks of rows pass, and these are about equally large.
MULTIPLANE_TARGET inline void many_rows(const float* const* left, std::size_t rows, const Panels& panels,
                                        const float* const* start, float* const* out) {
  const std::size_t blocks = (rows + kMostRows - 1) / kMostRows, least = rows / blocks;
  for (std::size_t p = 0; p < panels.count; ++p) {
    const float* panel = panels.of(p);
    const std::size_t column = p * kPanel;
    for (std::size_t b = 0, r = 0; b < blocks; ++b) {
      const std::size_t size = least + (b < rows % blocks ? 1 : 0);
      switch (size) {
        case 2:
          block<2, 1>(left + r, panel, panels.depth, start + r, out + r, column);
          break;
        case 3:
          block<3, 1>(left + r, panel, panels.depth, start + r, out + r, column);
          break;
        case 4:
          block<4, 1>(left + r, panel, panels.depth, start + r, out + r, column);
          break;
        case 5:
          block<5, 1>(left + r, panel, panels.depth, start + r, out + r, column);
          break;
        default:
          block<6, 1>(left + r, panel, panels.depth, start + r, out + r, column);
      }
      r += size;
    }
  }
}

MULTIPLANE_TARGET inline void product(const float* const* left, std::size_t rows, const Panels& panels,
                                      const float* const* start, float* const* out) {
  static_assert(kMostRows == 3 || kMostRows == 6, "many_rows knows blocks of 2 to 6 rows");
  if (rows == 0) return;
  if (rows == 1) return few_rows<1>(left, panels, start, out);
  if (rows == 2) return few_rows<2>(left, panels, start, out);
  if (rows == 3) return few_rows<3>(left, panels, start, out);
  many_rows(left, rows, panels, start, out);
}

constexpr float kLog2e = 1.44269504f;

// 2^x for x within 30 of 0, which is enough for curves that are flat by then.
MULTIPLANE_INLINE Vector power_of_two(Vector x) {
  const Vector most = Vector{} + 30.f, shift = Vector{} + 12582912.f;  // adding 1.5 * 2^23 rounds to a whole number
  x = smaller(larger(x, -most), most);
  const Vector shifted = x + shift;
  const Vector rest = x - (shifted - shift);
  Vector power = rest * 1.326472691e-3f + 9.671512675e-3f;
  power = power * rest + 5.550733744e-2f;
  power = power * rest + 2.402224208e-1f;
  power = power * rest + 6.931469776e-1f;
  power = power * rest + 1.f;
  return reinterpret_cast<Vector>(reinterpret_cast<Whole>(power) + (reinterpret_cast<Whole>(shifted) << 23));
}

MULTIPLANE_INLINE Vector sigmoid(Vector x) { return 1.f / (1.f + power_of_two(x * -kLog2e)); }

MULTIPLANE_INLINE Vector tanh(Vector x) {
  const Vector e = power_of_two(x * (-2 * kLog2e));
  return (1.f - e) / (1.f + e);
}

// Applies a curve to a row of any length.
#define MULTIPLANE_CURVE(name)                                                          \
  MULTIPLANE_TARGET inline void name(float* values, std::size_t count) {                \
    std::size_t i = 0;                                                                  \
    for (; i + kLanes <= count; i += kLanes) store(values + i, name(load(values + i))); \
    if (i == count) return;                                                             \
    float last[kLanes] = {};                                                            \
    for (std::size_t j = i; j < count; ++j) last[j - i] = values[j];                    \
    store(last, name(load(last)));                                                      \
    for (std::size_t j = i; j < count; ++j) values[j] = last[j - i];                    \
  }

MULTIPLANE_CURVE(sigmoid)
MULTIPLANE_CURVE(tanh)

// One step of some units of an LSTM, from the sums of their gates. Written with e^-x of each gate, all of
//   cell = sigmoid(f) * cell + sigmoid(i) * tanh(g)  and  sigmoid(o) * tanh(cell)
// takes two divisions.
MULTIPLANE_INLINE Vector cell_step(const float* gates, float* cell) {
  const Vector in = 1.f + power_of_two(load(gates) * -kLog2e);
  const Vector forget = 1.f + power_of_two(load(gates + kUnits) * -kLog2e);
  const Vector g = power_of_two(load(gates + 2 * kUnits) * (-2 * kLog2e));
  const Vector out = 1.f + power_of_two(load(gates + 3 * kUnits) * -kLog2e);
  const Vector both = in * (1.f + g);
  const Vector next = (load(cell) * both + (1.f - g) * forget) / (forget * both);
  store(cell, next);
  const Vector e = power_of_two(next * (-2 * kLog2e));
  return (1.f - e) / (out * (1.f + e));
}

// One step of all units of an LSTM: gates stand as in kUnits, cells are filled up to whole groups, outputs are not.
MULTIPLANE_TARGET inline void lstm_step(const float* gates, std::size_t units, float* cells, float* out) {
  std::size_t u = 0;
  for (; u + kUnits <= units; u += kUnits)
    for (std::size_t v = 0; v < kUnits; v += kLanes) store(out + u + v, cell_step(gates + 4 * u + v, cells + u + v));
  if (u == units) return;
  float last[kUnits];
  for (std::size_t v = 0; v < kUnits; v += kLanes) store(last + v, cell_step(gates + 4 * u + v, cells + u + v));
  for (std::size_t j = u; j < units; ++j) out[j] = last[j - u];
}

constexpr Kernels kernels = {&product, &sigmoid, &tanh, &lstm_step};

#undef MULTIPLANE_CURVE
#undef MULTIPLANE_INLINE

}  // namespace MULTIPLANE_SET
