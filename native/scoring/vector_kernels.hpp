// The innermost loops of dense models, for one instruction set. dense.hpp includes this file once for every instruction
// set, hence no #pragma once; before, it defines
//   MULTIPLANE_SET     the namespace
//   MULTIPLANE_TARGET  the attribute that lets the compiler use the instructions
//   MULTIPLANE_LANES   how many numbers a vector register holds
//   MULTIPLANE_ROWS    how many rows a block may have so that its sums stay in registers
//   MULTIPLANE_PAIRS   multiplies vectors of numbers of 16 bits and adds the products two and two
//   MULTIPLANE_PIN     keeps sums in their register, where the compiler would make too much of free choice
//
// Every function has the attribute, because compilers take vectors apart before they inline.

namespace MULTIPLANE_SET {

#define MULTIPLANE_INLINE MULTIPLANE_TARGET __attribute__((always_inline)) inline

constexpr std::size_t kLanes = MULTIPLANE_LANES, kMostRows = MULTIPLANE_ROWS;
constexpr std::size_t kVectors = kPanel / kLanes;    // of one panel
constexpr std::size_t kSums = kMostRows * kVectors;  // that registers hold, counted in vectors

typedef float Vector __attribute__((vector_size(kLanes * sizeof(float))));
typedef int32_t Whole __attribute__((vector_size(kLanes * sizeof(float))));
typedef int16_t Narrow __attribute__((vector_size(kLanes * sizeof(int16_t))));
typedef float Unaligned __attribute__((vector_size(kLanes * sizeof(float)), aligned(2), may_alias));

MULTIPLANE_INLINE Vector load(const void* from) { return *reinterpret_cast<const Unaligned*>(from); }
MULTIPLANE_INLINE void store(float* to, Vector value) { *reinterpret_cast<Unaligned*>(to) = value; }
MULTIPLANE_INLINE Vector smaller(Vector a, Vector b) { return a < b ? a : b; }
MULTIPLANE_INLINE Vector larger(Vector a, Vector b) { return a > b ? a : b; }

// How to add the products of one number, or a pair of them, with the weights of several outputs.
MULTIPLANE_INLINE void add_products(Vector& sums, const float* left, Vector weights) { sums += *left * weights; }

MULTIPLANE_INLINE void add_products(Whole& sums, const int16_t* left, Vector weights) {
  int32_t pair;
  __builtin_memcpy(&pair, left, sizeof pair);
  sums += MULTIPLANE_PAIRS(Whole{} + pair, reinterpret_cast<Whole>(weights));
  MULTIPLANE_PIN(sums);
}

MULTIPLANE_INLINE Vector finish(Vector sums, const float*, std::size_t) { return sums; }
MULTIPLANE_INLINE Vector finish(Whole sums, const float* scales, std::size_t place) {
  return __builtin_convertvector(sums, Vector) * load(scales + place);
}

template <typename Number>
struct SumsOf {
  using Type = Vector;
};
template <>
struct SumsOf<int16_t> {
  using Type = Whole;
};

// The sums of some rows and some panels, each in its own register. Numbers are added in the same order whatever the
// number of rows, so that a row's result does not depend on its company.
template <std::size_t rows, std::size_t panels, typename Number>
MULTIPLANE_TARGET void block(const Number* const* left, const Panels<Number>& all, std::size_t first,
                             const float* const* start, float* const* out) {
  constexpr std::size_t vectors = panels * kVectors, step = sizeof(float) / sizeof(Number);
  const Number *row[rows], *weights = all.of(first);
  const std::size_t depth = all.depth;
  typename SumsOf<Number>::Type sums[rows][vectors] = {};
#pragma GCC unroll 8
  for (std::size_t r = 0; r < rows; ++r) row[r] = left[r];
  for (std::size_t k = 0; k < depth; k += step) {
    Vector column[vectors];
#pragma GCC unroll 16
    for (std::size_t v = 0; v < vectors; ++v)
      column[v] = load(weights + (v / kVectors * depth + k) * kPanel + v % kVectors * kLanes * step);
#pragma GCC unroll 8
    for (std::size_t r = 0; r < rows; ++r)
#pragma GCC unroll 16
      for (std::size_t v = 0; v < vectors; ++v) add_products(sums[r][v], row[r] + k, column[v]);
  }
#pragma GCC unroll 8
  for (std::size_t r = 0; r < rows; ++r)
#pragma GCC unroll 16
    for (std::size_t v = 0; v < vectors; ++v) {
      const std::size_t place = first * kPanel + v * kLanes;
      store(out[r] + place, load(start[r] + place) + finish(sums[r][v], all.scales, place));
    }
}

template <std::size_t rows>
constexpr std::size_t panels_at_once() {
  return rows * kVectors * 4 <= kSums ? 4 : rows * kVectors * 2 <= kSums ? 2 : 1;
}

// A few rows with all panels: weights come from afar and are used once, so as many as possible are under way.
template <std::size_t rows, typename Number>
MULTIPLANE_TARGET void few_rows(const Number* const* left, const Panels<Number>& panels, const float* const* start,
                                float* const* out) {
  constexpr std::size_t at_once = panels_at_once<rows>();
  std::size_t p = 0;
  for (; p + at_once <= panels.count; p += at_once) block<rows, at_once>(left, panels, p, start, out);
  for (; p < panels.count; ++p) block<rows, 1>(left, panels, p, start, out);
}

template <typename Number>
MULTIPLANE_TARGET void some_rows(const Number* const* left, std::size_t rows, const Panels<Number>& panels,
                                 std::size_t panel, const float* const* start, float* const* out) {
  if (rows == 2) return block<2, 1>(left, panels, panel, start, out);
  if (rows == 3) return block<3, 1>(left, panels, panel, start, out);
  if (rows == 4) return block<4, 1>(left, panels, panel, start, out);
  if (rows == 5) return block<5, 1>(left, panels, panel, start, out);
  block<6, 1>(left, panels, panel, start, out);
}

// Many rows: a panel stays in the nearest cache while all blocks of rows pass, and these are about equally large.
template <typename Number>
MULTIPLANE_TARGET void many_rows(const Number* const* left, std::size_t rows, const Panels<Number>& panels,
                                 const float* const* start, float* const* out) {
  static_assert(kMostRows == 3 || kMostRows == 6, "some_rows knows blocks of 2 to 6 rows");
  const std::size_t blocks = (rows + kMostRows - 1) / kMostRows, least = rows / blocks;
  for (std::size_t p = 0; p < panels.count; ++p) {
    for (std::size_t b = 0, r = 0; b < blocks; ++b) {
      const std::size_t size = least + (b < rows % blocks ? 1 : 0);
      some_rows(left + r, size, panels, p, start + r, out + r);
      r += size;
    }
  }
}

template <typename Number>
MULTIPLANE_TARGET void product(const Number* const* left, std::size_t rows, const Panels<Number>& panels,
                               const float* const* start, float* const* out) {
  if (rows == 0) return;
  if (rows == 1) return few_rows<1>(left, panels, start, out);
  if (rows == 2) return few_rows<2>(left, panels, start, out);
  if (rows == 3) return few_rows<3>(left, panels, start, out);
  many_rows(left, rows, panels, start, out);
}

constexpr float kLog2e = 1.44269504f;
constexpr float kShift = 12582912.f;  // 1.5 * 2^23: with it added, the last bits of a number are a whole number

// 2^x for x within 30 of 0, which is enough for curves that are flat by then.
MULTIPLANE_INLINE Vector power_of_two(Vector x) {
  const Vector most = Vector{} + 30.f, shift = Vector{} + kShift;
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

MULTIPLANE_INLINE Vector power(Vector x) { return power_of_two(x * kLog2e); }

MULTIPLANE_CURVE(sigmoid)
MULTIPLANE_CURVE(tanh)
MULTIPLANE_CURVE(power)

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

// One step of all units of an LSTM, which are whole groups.
MULTIPLANE_TARGET inline void lstm_step(const float* gates, std::size_t units, float* cells, float* out) {
  for (std::size_t u = 0; u < units; u += kUnits)
    for (std::size_t v = u; v < u + kUnits; v += kLanes) store(out + v, cell_step(gates + 3 * u + v, cells + v));
}

// Numbers from -1 to 1, which are whole groups, as multiples of 1 / kCoarseOne.
MULTIPLANE_TARGET inline void coarsen(const float* values, std::size_t count, int16_t* out) {
  for (std::size_t i = 0; i < count; i += kLanes) {
    const Vector shifted = load(values + i) * kCoarseOne + kShift;
    const Narrow narrow = __builtin_convertvector(reinterpret_cast<Whole>(shifted), Narrow);
    __builtin_memcpy(out + i, &narrow, sizeof narrow);
  }
}

// The products that training needs, of rows as wide as whole vectors.

// out[j] += sum of x[i] * rows[i][j]
MULTIPLANE_TARGET inline void add_weighted_rows(const float* x, std::size_t count, const float* rows, std::size_t width,
                                                float* out) {
  constexpr std::size_t kHeld = 10;  // sums that stay in registers: all of a latent vector of 80 units
  std::size_t j = 0;
  for (; j + kHeld * kLanes <= width; j += kHeld * kLanes) {
    Vector sums[kHeld];
#pragma GCC unroll 10
    for (std::size_t v = 0; v < kHeld; ++v) sums[v] = load(out + j + v * kLanes);
    for (std::size_t i = 0; i < count; ++i)
#pragma GCC unroll 10
      for (std::size_t v = 0; v < kHeld; ++v) sums[v] += x[i] * load(rows + i * width + j + v * kLanes);
#pragma GCC unroll 10
    for (std::size_t v = 0; v < kHeld; ++v) store(out + j + v * kLanes, sums[v]);
  }
  for (; j < width; j += kLanes) {
    Vector sum = load(out + j);
    for (std::size_t i = 0; i < count; ++i) sum += x[i] * load(rows + i * width + j);
    store(out + j, sum);
  }
}

// out[i] += sum of rows[i][j] * x[j]
MULTIPLANE_TARGET inline void add_dots(const float* rows, std::size_t count, const float* x, std::size_t width,
                                       float* out) {
  for (std::size_t i = 0; i < count; ++i) {
    Vector one = {}, other = {};
    std::size_t j = 0;
    for (; j + 2 * kLanes <= width; j += 2 * kLanes) {
      one += load(rows + i * width + j) * load(x + j);
      other += load(rows + i * width + j + kLanes) * load(x + j + kLanes);
    }
    if (j < width) one += load(rows + i * width + j) * load(x + j);
    one += other;
    float sum = 0;
    for (std::size_t lane = 0; lane < kLanes; ++lane) sum += one[lane];
    out[i] += sum;
  }
}

// rows[i][j] += x[i] * y[j]
MULTIPLANE_TARGET inline void add_outer(const float* x, std::size_t count, const float* y, std::size_t width,
                                        float* rows) {
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < width; j += kLanes)
      store(rows + i * width + j, load(rows + i * width + j) + x[i] * load(y + j));
}

inline constexpr Kernels kernels = {&product<float>, &product<int16_t>,  &sigmoid,  &tanh,     &lstm_step, &coarsen,
                                    &power,          &add_weighted_rows, &add_dots, &add_outer};

#undef MULTIPLANE_CURVE
#undef MULTIPLANE_INLINE

}  // namespace MULTIPLANE_SET
