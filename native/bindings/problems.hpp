// Problems in files, as Python gets them.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "text/conll.hpp"

namespace multiplane {

using ProblemRow = std::tuple<uint64_t, uint64_t, std::string, std::string>;  // line, sentence, sent_id, what

inline std::vector<ProblemRow> rows(const std::vector<Problem>& problems) {
  std::vector<ProblemRow> found;
  for (const Problem& p : problems) found.emplace_back(p.line, p.sentence, p.sent_id, p.what);
  return found;
}

}  // namespace multiplane
