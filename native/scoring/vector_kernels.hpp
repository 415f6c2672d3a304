// Curves, the steps of LSTMs and the products of training, for one instruction set. dense.hpp includes this file behind
// product_kernels.hpp, with the same definitions. A vector must not hold more than a group of units.

namespace MULTIPLANE_SET {

#define MULTIPLANE_INLINE MULTIPLANE_TARGET __attribute__((always_inline)) inline

typedef int16_t Narrow __attribute__((vector_size(kLanes * sizeof(int16_t))));

MULTIPLANE_INLINE Vector smaller(Vector a, Vector b) { return a < b ? a : b; }
MULTIPLANE_INLINE Vector larger(Vector a, Vector b) { return a > b ? a : b; }

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
