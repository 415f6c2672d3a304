// The door to Python. Only this file and those in bindings/ know Python: flat arrays in, flat arrays out; loops run
// without the GIL.
#include "bindings/common.hpp"

NB_MODULE(_native, m) {
  m.doc() = "The native core of multiplane: loops over flat arrays.";

  // The catalogue of systems lives as long as the interpreter, which is no leak.
  nanobind::set_leak_warnings(false);
  multiplane::bind_formats(m);
  multiplane::bind_layers(m);
  multiplane::bind_graphs(m);
  multiplane::bind_codecs(m);
  multiplane::bind_systems(m);
  multiplane::bind_oracles(m);
  multiplane::bind_parsers(m);
  multiplane::bind_svm(m);
  multiplane::bind_lstm(m);
  multiplane::bind_neural(m);
  multiplane::bind_latent(m);
  multiplane::bind_joint(m);
  multiplane::bind_joint_linear(m);
  multiplane::bind_tokenizer(m);
}
