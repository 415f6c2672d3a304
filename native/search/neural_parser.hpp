// Networks that parse texts.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "scoring/lemmatizer.hpp"
#include "scoring/network.hpp"
#include "search/evidence.hpp"
#include "search/text_parser.hpp"

namespace multiplane {

// Workspaces are kept for the thread that parses next. A process that was forked while another thread held the lock
// would wait for it forever, so that the lock is only tried: without it, a workspace is made or thrown away.
class Workspaces {
 public:
  std::unique_ptr<Network::Workspace> borrow(const Network& network) {
    const std::unique_lock<std::mutex> lock(mutex_, std::try_to_lock);
    if (!lock || free_.empty()) return std::make_unique<Network::Workspace>(network);
    std::unique_ptr<Network::Workspace> work = std::move(free_.back());
    free_.pop_back();
    return work;
  }
  void give_back(std::unique_ptr<Network::Workspace> work) {
    const std::unique_lock<std::mutex> lock(mutex_, std::try_to_lock);
    if (lock) free_.push_back(std::move(work));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Network::Workspace>> free_;
};

class NeuralParser {
 public:
  NeuralParser(std::shared_ptr<const Program> program, const OracleSpec& oracle, std::shared_ptr<const Lexicon> lexicon,
               const NeuralLook& look, const NamedArrays& weights, std::size_t layers, std::size_t units,
               std::size_t tags, bool exact, int32_t root_label, std::shared_ptr<const LemmaRules> lemmas,
               std::size_t given)
      : program_(std::move(program)),
        oracle_(oracle),
        lexicon_(std::move(lexicon)),
        root_label_(root_label),
        network_(weights, {lexicon_->singles().size(), lexicon_->bags(), layers, units, tags, exact, given},
                 read_head(weights, look, *program_)) {
    network_.check(*lexicon_);
    if (lemmas) lemmatizer_.emplace(std::move(lemmas), weights, network_, *lexicon_);
    demand(root_label >= 0 && root_label < labels(), "no such label");
  }

  const OracleSpec& oracle() const { return oracle_; }
  const Program& program() const { return *program_; }
  const Network& network() const { return network_; }
  int32_t labels() const { return network_.head().labels; }

  struct Tagged {
    ParsedTrees trees;
    std::vector<std::vector<int32_t>> tags;  // a list of values for each column that is predicted
    std::optional<LemmaColumn> lemmas;
  };

  // What the caller gives for all words of a text, one row after another; nothing if the network needs none.
  using Given = ArrayView<float>;

  Tagged parse(std::string_view text, const Index& index, const std::vector<int>& columns, int beam,
               const FixedArcs& fixed, Given given) {
    Tagged found = new_trees(index, columns);
    for_each(
        text, index, columns,
        [&](const Look& look, const Place& at) {
          found.trees.add(look.parser, at.sentence, at.first, at.n, nullptr, beam, fixed);
          tag(text, index, look.work, at, found);
        },
        given);
    finish(found);
    return found;
  }

  Tagged new_trees(const Index& index, const std::vector<int>& columns) const {
    const std::size_t words = index.heads.size();
    Tagged found{ParsedTrees(index, root_label_),
                 std::vector<std::vector<int32_t>>(network_.tags(), std::vector<int32_t>(words)), std::nullopt};
    if (lemmatizer_) found.lemmas.emplace(lemmatizer_->new_column(words, columns));
    return found;
  }

  // What speaks for the arcs of the best trees.
  Evidence evidence(std::string_view text, const Index& index, const std::vector<int>& columns, EvidenceOptions options,
                    const FixedArcs& fixed, Given given) {
    std::unique_ptr<EvidenceCollector> collector;
    options.root_label = root_label_;
    for_each(
        text, index, columns,
        [&](const Look& look, const Place& at) {
          if (collector == nullptr)
            collector = std::make_unique<EvidenceCollector>(*program_, look.scorer, index, options);
          collector->add(look.parser, at.n, nullptr, at.first, fixed);
        },
        given);
    return collector == nullptr ? Evidence{{0}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}} : collector->take();
  }

  Derivations derive(std::string_view text, const Index& index, const std::vector<int>& columns, int beam,
                     Given given) {
    Derivations found(index.size());
    for_each(
        text, index, columns,
        [&](const Look& look, const Place& at) {
          look.parser.note_steps(&found[at.sentence]);
          look.parser.parse(at.n, nullptr, beam, nullptr, nullptr);
        },
        given);
    return found;
  }

  // The derivation of one sentence after transitions that were chosen by hand, and all that was legal on the way.
  ScoredDerivation derive_scored(std::string_view text, const Index& index, const std::vector<int>& columns, int beam,
                                 std::vector<ChosenByHand> chosen, Given given) {
    demand(index.size() == 1, "one sentence");
    ScoredDerivation found;
    for_each(
        text, index, columns,
        [&](const Look& look, const Place& at) {
          found =
              multiplane::derive_scored(*program_, look.scorer, look.parser, at.n, nullptr, beam, std::move(chosen));
        },
        given);
    return found;
  }

  // What the network says about the words of one sentence: a row of slots and of both ends of labels for each, after
  // those for no word and for the root; for each word how likely every other is its head; and the scores of all values
  // of each column that is predicted.
  struct Tables {
    std::vector<float> slots, governors, dependents, odds;
    std::vector<std::vector<float>> tags;
  };

  Tables tables(std::string_view text, const Index& index, const std::vector<int>& columns, Given given) {
    demand(index.size() == 1, "one sentence");
    Tables tables;
    for_each(
        text, index, columns,
        [&](const Look& look, const Place& at) {
          // One sentence is in the tables as a whole; odds that were not computed are those of an earlier text.
          tables = {look.work.tables.slots, look.work.tables.governors, look.work.tables.dependents, {}, {}};
          if (look.odds != nullptr) tables.odds = look.work.odds;
          for (std::size_t t = 0; t < network_.tags(); ++t) {
            network_.score_tags(look.work, t, at.row, static_cast<std::size_t>(at.n));
            tables.tags.push_back(look.work.tag_scores);
          }
        },
        given);
    return tables;
  }

  struct Place {
    std::size_t sentence, first;  // and its first word
    int32_t n;                    // words
    std::size_t row;              // of the first word among those that were encoded
    const float* given;           // by the caller for the first word
  };

  // What looks at a sentence.
  struct Look {
    Network::Workspace& work;
    NeuralScorer& scorer;
    SentenceParser& parser;
    const float* odds;  // of heads
  };

  // The values of the columns that are predicted for a sentence; lemmas may wait until the end.
  void tag(std::string_view text, const Index& index, Network::Workspace& work, const Place& at, Tagged& found) const {
    const std::size_t words = static_cast<std::size_t>(at.n);
    for (std::size_t t = 0; t < found.tags.size(); ++t)
      network_.tag(work, t, at.row, words, found.tags[t].data() + at.first);
    if (!found.lemmas) return;
    for (std::size_t w = 0; w < words; ++w)
      lemmatizer_->add(*found.lemmas, at.first + w, text, index.start[at.sentence] + index.word[at.first + w],
                       at.given + w * network_.given(), network_.encoded(work, at.row + w), found.tags);
  }
  void finish(Tagged& found) const {
    if (found.lemmas) lemmatizer_->finish(*found.lemmas);
  }

  // Calls for every sentence, once the scorer looks at it.
  template <typename Each>
  void for_each(std::string_view text, const Index& index, const std::vector<int>& columns, Each&& each,
                Given given = {}) {
    demand(columns.size() == lexicon_->channels() + 1, "the column of the form, and one for each channel");
    demand(given.size() == index.heads.size() * network_.given(), "a row for each word, if the network needs them");
    std::unique_ptr<Network::Workspace> work = workspaces_.borrow(network_);
    FieldReader reader(columns);
    NeuralScorer scorer(network_.head());
    SentenceParser parser(*program_, scorer, oracle_);
    for (std::size_t begin = 0, end = 0; begin < index.size(); begin = end) {
      end = encode(text, index, begin, reader, *work, given);
      const std::size_t first = index.first_word[begin];
      for (std::size_t from = begin, to = begin; from < end; from = to) {
        const std::size_t row = index.first_word[from] - first;
        while (to < end && (to == from || index.first_word[to + 1] - index.first_word[from] <= kInTables)) ++to;
        scorer.set_tables(network_.tables(*work, row, index.first_word[to] - index.first_word[from]));
        for (std::size_t i = from; i < to; ++i) {
          const std::size_t word = index.first_word[i];
          const int32_t n = static_cast<int32_t>(index.first_word[i + 1] - word);
          const float* odds = network_.odds(*work, word - first, n);
          scorer.view().look_at(static_cast<int32_t>(word - index.first_word[from]) + 2, n, odds);
          each(Look{*work, scorer, parser, odds},
               Place{i, word, n, word - first, given.data() + word * network_.given()});
        }
      }
    }
    workspaces_.give_back(std::move(work));
  }

 private:
  // This many words are encoded together, and the tables of this many are made at a time: those fit into the cache.
  static constexpr std::size_t kEncoded = 1536, kInTables = 160;

  // Encodes some sentences from one on; returns the one behind them.
  std::size_t encode(std::string_view text, const Index& index, std::size_t begin, FieldReader& reader,
                     Network::Workspace& work, Given given) const {
    network_.begin(work);
    std::vector<int32_t> lengths;
    std::size_t end = begin;
    const std::size_t first = index.first_word[begin];
    for (; end < index.size() && (end == begin || index.first_word[end + 1] - first <= kEncoded); ++end) {
      for (std::size_t w = index.first_word[end]; w < index.first_word[end + 1]; ++w) {
        const Value key = reader.read(text, index.start[end] + index.word[w]);
        network_.add(work, key, reader.fields(), *lexicon_, given.data() + w * network_.given());
      }
      lengths.push_back(static_cast<int32_t>(index.first_word[end + 1] - index.first_word[end]));
    }
    network_.encode(work, lengths);
    return end;
  }

  std::shared_ptr<const Program> program_;
  OracleSpec oracle_;
  std::shared_ptr<const Lexicon> lexicon_;
  int32_t root_label_;
  Network network_;
  std::optional<Lemmatizer> lemmatizer_;
  Workspaces workspaces_;
};

}  // namespace multiplane
