// LSTMs that run, and what they are made of: products and curves, bound for tests.
#include "scoring/lstm.hpp"

#include <string>

#include "bindings/common.hpp"

namespace multiplane {

namespace {

using Floats = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using FloatRows = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using FloatArray = nb::ndarray<const float, nb::c_contig, nb::device::cpu>;

// The kernels of a name; "" are the fastest ones.
const Kernels& kernels_of(const std::string& name) {
  if (name.empty()) return fastest_kernels();
  for (const NamedKernels& each : available_kernels())
    if (each.name == name) return *each.kernels;
  throw std::invalid_argument("this processor has no kernels '" + name + "'");
}

std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  for (const NamedKernels& each : available_kernels()) names.push_back(each.name);
  return names;
}

void check(bool holds, const std::string& what) {
  if (!holds) throw std::invalid_argument(what);
}

void check_shape(const FloatArray& array, std::size_t number, std::size_t rows, std::size_t columns) {
  const bool is_vector = columns == 0;
  check(array.ndim() == (is_vector ? 1 : 2) && array.shape(0) == rows && (is_vector || array.shape(1) == columns),
        "weights " + std::to_string(number) + " are not " + std::to_string(rows) +
            (is_vector ? " numbers" : " x " + std::to_string(columns)));
}

template <typename Lstm>
Lstm* make_lstm(std::size_t inputs, std::size_t units, const std::vector<FloatArray>& arrays,
                const std::string& kernels) {
  check(inputs >= 1 && inputs <= 65536 && units >= 1 && units <= 65536, "an LSTM has 1 to 65,536 inputs and units");
  check(!arrays.empty() && arrays.size() % 6 == 0,
        "every layer has six arrays of weights: of inputs, recurrent and bias, forward and backward");
  std::vector<LstmWeights> weights;
  for (std::size_t a = 0; a < arrays.size(); a += 3) {
    check_shape(arrays[a], a, 4 * units, a < 6 ? inputs : 2 * units);
    check_shape(arrays[a + 1], a + 1, 4 * units, units);
    check_shape(arrays[a + 2], a + 2, 4 * units, 0);
    weights.push_back({arrays[a].data(), arrays[a + 1].data(), arrays[a + 2].data()});
  }
  return new Lstm(inputs, units, weights, kernels_of(kernels));
}

std::size_t count_words(const Ints& lengths) {
  std::size_t words = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    check(lengths(i) >= 0, "a sentence has less than no words");
    words += static_cast<std::size_t>(lengths(i));
  }
  return words;
}

template <typename Lstm>
nb::ndarray<nb::numpy, float> run(const Lstm& lstm, const FloatRows& x, const Ints& lengths) {
  check(x.shape(1) == lstm.inputs(),
        "words have " + std::to_string(x.shape(1)) + " numbers each, not " + std::to_string(lstm.inputs()));
  const std::size_t words = count_words(lengths);
  check(x.shape(0) == words,
        "lengths add up to " + std::to_string(words) + " words, not to " + std::to_string(x.shape(0)));
  std::vector<float> output(words * lstm.width());
  {
    nb::gil_scoped_release release;
    run_in_batches(lstm, x.data(), lengths.data(), lengths.size(), output.data());
  }
  return give_rows(std::move(output), words, lstm.width());
}

// x * weights' + bias
nb::ndarray<nb::numpy, float> linear(const FloatRows& x, const FloatRows& weights, const Floats& bias,
                                     const std::string& kernels) {
  check(x.shape(1) == weights.shape(1) && bias.size() == weights.shape(0), "sizes do not fit");
  const Dense dense(weights.data(), weights.shape(0), weights.shape(1), bias.data(), kernels_of(kernels));
  std::vector<float> out(x.shape(0) * dense.outputs());
  dense.multiply(x.data(), x.shape(0), out.data());
  return give_rows(std::move(out), x.shape(0), dense.outputs());
}

// x * weights' + start
nb::ndarray<nb::numpy, float> add_linear(const FloatRows& x, const FloatRows& weights, const FloatRows& start,
                                         const std::string& kernels) {
  check(x.shape(1) == weights.shape(1) && start.shape(0) == x.shape(0) && start.shape(1) == weights.shape(0),
        "sizes do not fit");
  const Dense dense(weights.data(), weights.shape(0), weights.shape(1), nullptr, kernels_of(kernels));
  std::vector<float> out(start.data(), start.data() + start.size());
  dense.add(x.data(), x.shape(0), out.data());
  return give_rows(std::move(out), x.shape(0), dense.outputs());
}

nb::ndarray<nb::numpy, float> curve(void (*of)(float*, std::size_t), const Floats& x) {
  std::vector<float> values(x.data(), x.data() + x.size());
  of(values.data(), values.size());
  return give(std::move(values));
}

// x * rows, rows * y, and the outer product of x and y, added to zeros.
auto products(const Floats& x, const FloatRows& rows, const Floats& y, const std::string& kernels) {
  const std::size_t count = rows.shape(0), width = rows.shape(1);
  check(x.size() == count && y.size() == width && width % kUnits == 0, "sizes do not fit");
  const Kernels& found = kernels_of(kernels);
  std::vector<float> weighted(width), dots(count), outer(count * width);
  found.add_weighted_rows(x.data(), count, rows.data(), width, weighted.data());
  found.add_dots(rows.data(), count, y.data(), width, dots.data());
  found.add_outer(x.data(), count, y.data(), width, outer.data());
  return std::tuple(give(std::move(weighted)), give(std::move(dots)), give_rows(std::move(outer), count, width));
}

// `kernels` are one of `kernel_names`: tests run all that the processor has.
template <typename Lstm>
void bind_one(nb::module_& m, const char* name) {
  nb::class_<Lstm>(m, name)
      .def(nb::new_(&make_lstm<Lstm>), "input_size"_a, "hidden"_a, "weights"_a, "kernels"_a = "")
      .def("run", &run<Lstm>, "x"_a, "lengths"_a);
}

}  // namespace

void bind_lstm(nb::module_& m) {
  m.def("kernel_names", &kernel_names);
  bind_one<BiLstm>(m, "BiLstm");
  bind_one<CoarseBiLstm>(m, "CoarseBiLstm");
  m.def("linear", &linear, "x"_a, "weights"_a, "bias"_a, "kernels"_a = "");
  m.def("add_linear", &add_linear, "x"_a, "weights"_a, "start"_a, "kernels"_a = "");
  m.def(
      "sigmoid", [](const Floats& x, const std::string& kernels) { return curve(kernels_of(kernels).sigmoid, x); },
      "x"_a, "kernels"_a = "");
  m.def(
      "power", [](const Floats& x, const std::string& kernels) { return curve(kernels_of(kernels).power, x); }, "x"_a,
      "kernels"_a = "");
  m.def("products", &products, "x"_a, "rows"_a, "y"_a, "kernels"_a = "");
  m.def(
      "tanh", [](const Floats& x, const std::string& kernels) { return curve(kernels_of(kernels).tanh, x); }, "x"_a,
      "kernels"_a = "");
}

}  // namespace multiplane
