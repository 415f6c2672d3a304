// Products with panels of weights, for one instruction set. dense.hpp includes this file once for every instruction
// set, hence no #pragma once; before, it defines
//   MULTIPLANE_SET     the namespace
//   MULTIPLANE_TARGET  the attribute that lets the compiler use the instructions
//   MULTIPLANE_LANES   how many numbers a vector register holds
//   MULTIPLANE_ROWS    how many rows a block may have
//   MULTIPLANE_SUMS    how many sums of a block stay in registers
//   MULTIPLANE_PAIRS   multiplies vectors of numbers of 16 bits, adds the products two and two, and adds that to sums
//   MULTIPLANE_PIN     keeps sums in their register, where the compiler would make too much of free choice
//
// Every function has the attribute, because compilers take vectors apart before they inline.

namespace MULTIPLANE_SET {

#define MULTIPLANE_INLINE MULTIPLANE_TARGET __attribute__((always_inline)) inline

constexpr std::size_t kLanes = MULTIPLANE_LANES, kMostRows = MULTIPLANE_ROWS, kSums = MULTIPLANE_SUMS;
constexpr std::size_t kVectors = kPanel / kLanes;  // of one panel

typedef float Vector __attribute__((vector_size(kLanes * sizeof(float))));
typedef int32_t Whole __attribute__((vector_size(kLanes * sizeof(float))));
typedef float Unaligned __attribute__((vector_size(kLanes * sizeof(float)), aligned(2), may_alias));

MULTIPLANE_INLINE Vector load(const void* from) { return *reinterpret_cast<const Unaligned*>(from); }
MULTIPLANE_INLINE void store(float* to, Vector value) { *reinterpret_cast<Unaligned*>(to) = value; }

// How to add the products of one number, or a pair of them, with the weights of several outputs.
MULTIPLANE_INLINE void add_products(Vector& sums, const float* left, Vector weights) { sums += *left * weights; }

MULTIPLANE_INLINE void add_products(Whole& sums, const int16_t* left, Vector weights) {
  int32_t pair;
  __builtin_memcpy(&pair, left, sizeof pair);
  sums = MULTIPLANE_PAIRS(sums, Whole{} + pair, reinterpret_cast<Whole>(weights));
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

template <std::size_t panels, typename Number>
MULTIPLANE_TARGET void some_rows(const Number* const* left, std::size_t rows, const Panels<Number>& all,
                                 std::size_t first, const float* const* start, float* const* out) {
  if (rows == 2) return block<2, panels>(left, all, first, start, out);
  if (rows == 3) return block<3, panels>(left, all, first, start, out);
  if (rows == 4) return block<4, panels>(left, all, first, start, out);
  if (rows == 5) return block<5, panels>(left, all, first, start, out);
  block<6, panels>(left, all, first, start, out);
}

// All rows with some panels, in blocks that are about equally large: panels stay in the nearest cache meanwhile.
template <std::size_t panels, typename Number>
MULTIPLANE_TARGET void all_rows(const Number* const* left, std::size_t rows, const Panels<Number>& all,
                                std::size_t first, const float* const* start, float* const* out) {
  static_assert(kMostRows == 3 || kMostRows == 6, "some_rows knows blocks of 2 to 6 rows");
  const std::size_t blocks = (rows + kMostRows - 1) / kMostRows, least = rows / blocks;
  for (std::size_t b = 0, r = 0; b < blocks; ++b) {
    const std::size_t size = least + (b < rows % blocks ? 1 : 0);
    some_rows<panels>(left + r, size, all, first, start + r, out + r);
    r += size;
  }
}

template <typename Number>
MULTIPLANE_TARGET void many_rows(const Number* const* left, std::size_t rows, const Panels<Number>& panels,
                                 const float* const* start, float* const* out) {
  constexpr std::size_t at_once = panels_at_once<kMostRows>();
  std::size_t p = 0;
  for (; p + at_once <= panels.count; p += at_once) all_rows<at_once>(left, rows, panels, p, start, out);
  for (; p < panels.count; ++p) all_rows<1>(left, rows, panels, p, start, out);
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

#undef MULTIPLANE_INLINE

}  // namespace MULTIPLANE_SET
