// What the bindings of linear models share: their parsers, and learners with what training goes on from.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/models.hpp"
#include "scoring/frozen.hpp"
#include "training/linear_learner.hpp"

namespace multiplane {

using UnsignedShorts = nb::ndarray<const uint16_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// A frozen linear model that parses texts.
struct LinearParser {
  FeatureBased base;
  FrozenLinear weights;

  LinearParser(std::shared_ptr<const Program> p, std::shared_ptr<const FeatureModel> f, const OracleSpec& o,
               int32_t labels, int32_t root, const Keys& keys, const Shorts& values, const Keys& label_keys,
               const UnsignedShorts& counts, const UnsignedShorts& classes, const Shorts& label_values)
      : base(std::move(p), std::move(f), o, labels, root),
        weights({view_of(keys), view_of(values), view_of(label_keys), view_of(counts), view_of(classes),
                 view_of(label_values)},
                *base.features, base.program->transitions.size(), labels) {}

  auto parse(const nb::bytes& text, const Index& index, const std::vector<AttributeRow>& attributes, int beam,
             const std::optional<Ints>& fixed_heads, const std::optional<Ints>& fixed_labels,
             const std::optional<Ints>& first_forbidden, const std::optional<Ints>& forbidden) const {
    FrozenScorer scorer(*base.features, weights);
    return base.parse(scorer, text, index, attributes, beam, {fixed_heads, fixed_labels, first_forbidden, forbidden});
  }

  auto evidence(const nb::bytes& text, const Index& index, const std::vector<AttributeRow>& attributes, int beam,
                int32_t most, float temperature, const std::optional<Ints>& fixed_heads,
                const std::optional<Ints>& fixed_labels, const std::optional<Ints>& first_forbidden,
                const std::optional<Ints>& forbidden) const {
    FrozenScorer scorer(*base.features, weights);
    return base.evidence(scorer, text, index, attributes, evidence_options(beam, most, temperature),
                         {fixed_heads, fixed_labels, first_forbidden, forbidden});
  }

  Sequences derivations(const nb::bytes& text, const Index& index, const std::vector<AttributeRow>& attributes,
                        int beam, bool copies) const {
    FrozenScorer scorer(*base.features, weights);
    return base.derivations(scorer, text, index, attributes, beam, copies);
  }

  auto scored_derivation(const nb::bytes& text, const Index& index, const std::vector<AttributeRow>& attributes,
                         int beam, const ChosenRows& chosen) const {
    FrozenScorer scorer(*base.features, weights);
    return base.scored_derivation(scorer, text, index, attributes, beam, chosen);
  }
};

inline auto frozen(const LinearLearner& learner, double threshold) {
  FrozenWeights frozen = [&] {
    nb::gil_scoped_release release;
    return learner.freeze(threshold);
  }();
  return std::tuple(give(std::move(frozen.keys)), give(std::move(frozen.weights)), give(std::move(frozen.label_keys)),
                    give(std::move(frozen.label_counts)), give(std::move(frozen.label_classes)),
                    give(std::move(frozen.label_weights)));
}

inline auto state_of(const LinearLearner& learner) {
  PerceptronState state = [&] {
    nb::gil_scoped_release release;
    return learner.state();
  }();
  return std::tuple(state.time, give(std::move(state.keys)), give(std::move(state.now)), give(std::move(state.summed)),
                    give(std::move(state.label_keys)), give(std::move(state.classes)), give(std::move(state.label_now)),
                    give(std::move(state.label_summed)));
}

inline void restore(LinearLearner& learner, double time, const Keys& keys, const Floats& now, const Doubles& summed,
                    const Keys& label_keys, const Ints& classes, const Floats& label_now, const Doubles& label_summed) {
  nb::gil_scoped_release release;
  learner.restore(time, {view_of(keys), view_of(now), view_of(summed), view_of(label_keys), view_of(classes),
                         view_of(label_now), view_of(label_summed)});
}

}  // namespace multiplane
