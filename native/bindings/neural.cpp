// Neural parsers: roll-outs to learn from, and parsing.
#include "scoring/neural.hpp"

#include <map>
#include <memory>
#include <mutex>

#include "bindings/common.hpp"
#include "bindings/models.hpp"
#include "features/lexicon.hpp"
#include "scoring/network.hpp"
#include "training/rollout.hpp"

namespace multiplane {

namespace {

using Matrix = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// The vocabularies of a network.
struct Words {
  Lexicon lexicon;
  std::vector<std::size_t> singles;  // sizes of vocabularies, one for each channel that is no bag
  std::size_t bag = 0, characters;
  bool has_bag = false;

  Words(const std::vector<std::pair<int, std::vector<std::string>>>& channels, const std::vector<std::string>& known)
      : lexicon(make_channels(channels), known), characters(known.size()) {
    for (const auto& [kind, texts] : channels) {
      if (static_cast<ChannelKind>(kind) != ChannelKind::kBag) {
        singles.push_back(texts.size());
      } else {
        demand(!has_bag, "one bag at the most");
        has_bag = true;
        bag = texts.size();
      }
    }
  }

  static std::vector<Channel> make_channels(const std::vector<std::pair<int, std::vector<std::string>>>& rows) {
    std::vector<Channel> channels;
    for (const auto& [kind, texts] : rows) {
      demand(kind >= 0 && kind <= static_cast<int>(ChannelKind::kBag), "unknown channel");
      channels.push_back({static_cast<ChannelKind>(kind), Vocabulary(texts)});
    }
    return channels;
  }

  // The type of every word of a text; and of all types the numbers, flat where they are not equally many.
  nb::tuple types(const nb::bytes& bytes, const Index& index, const std::vector<int>& columns) const {
    demand(columns.size() == lexicon.channels() + 1, "the column of the form, and one for each channel");
    const std::string_view text = view(bytes);
    std::vector<int32_t> words(index.heads.size()), single, parts, part_ends, letters, letter_ends;
    {
      nb::gil_scoped_release release;
      FieldReader reader(columns);
      HashTable<int32_t> known(1);
      WordNumbers numbers;
      for (std::size_t s = 0; s < index.size(); ++s) {
        for (std::size_t w = index.first_word[s]; w < index.first_word[s + 1]; ++w) {
          const Value key = reader.read(text, index.start[s] + index.word[w]);
          const std::size_t before = known.size(), slot = known.at(key);
          if (known.size() > before) {
            *known.payload(slot) = static_cast<int32_t>(before);
            lexicon.describe(reader.fields(), numbers);
            single.insert(single.end(), numbers.single.begin(), numbers.single.end());
            parts.insert(parts.end(), numbers.bag.begin(), numbers.bag.end());
            letters.insert(letters.end(), numbers.characters.begin(), numbers.characters.end());
            part_ends.push_back(static_cast<int32_t>(parts.size()));
            letter_ends.push_back(static_cast<int32_t>(letters.size()));
          }
          words[w] = *known.payload(slot);
        }
      }
    }
    return nb::make_tuple(give(std::move(words)), give(std::move(single)), give(std::move(parts)),
                          give(std::move(part_ends)), give(std::move(letters)), give(std::move(letter_ends)));
  }
};

using FloatArray = nb::ndarray<const float, nb::c_contig, nb::device::cpu>;
using ArrayTable = std::map<std::string, FloatArray>;

NamedArrays named(const ArrayTable& table) {
  NamedArrays arrays;
  for (const auto& [name, array] : table) {
    std::vector<std::size_t> shape;
    for (std::size_t d = 0; d < array.ndim(); ++d) shape.push_back(array.shape(d));
    arrays.insert(name, {shape, array.data()});
  }
  return arrays;
}

// Where the network looks in a configuration.
struct Look {
  std::vector<NodeAddress> addresses;
  std::vector<int32_t> slots, focus;
  int32_t other_stacks;
  bool rectified;

  Look(const std::vector<Row>& nodes, const std::vector<int32_t>& s, const std::vector<int32_t>& f, int32_t other,
       bool r)
      : addresses(make_addresses(nodes)), slots(s), focus(f), other_stacks(other), rectified(r) {
    demand(other >= 0, "a number of stacks below 0");
    for (const auto* places : {&slots, &focus})
      for (int32_t place : *places)
        demand(place >= 0 && place < static_cast<int32_t>(nodes.size()), "an unknown address");
  }
  NeuralHead head(const NamedArrays& arrays, const Program& program) const {
    NeuralHead head = read_head(arrays, addresses, slots, focus, other_stacks, rectified);
    demand(head.transitions == static_cast<int32_t>(program.transitions.size()),
           "'output' has not one row for each transition");
    return head;
  }
};

// Probabilities of heads, one sentence after another: n rows of n + 1.
struct Odds {
  Odds(const Floats& values, bool wanted) : values_(values), wanted_(wanted) {}
  const float* next(int32_t n) {
    if (!wanted_) return nullptr;
    const float* at = values_.data() + used_;
    used_ += static_cast<std::size_t>(n) * (n + 1);
    demand(used_ <= values_.size(), "the probabilities of heads do not fit");
    return at;
  }

 private:
  const Floats& values_;
  bool wanted_;
  std::size_t used_ = 0;
};

// Training data of a network.
struct Explored {
  std::shared_ptr<const Program> program;
  OracleSpec oracle;
  std::vector<TrainingSentence> sentences;

  Explored(std::shared_ptr<const Program> p, const OracleSpec& o) : program(std::move(p)), oracle(o) {}

  std::vector<int32_t> add(const nb::bytes& bytes, const Index& index, const Ints& heads, const Ints& labels) {
    return read_trees(*program, oracle, bytes, index, {}, heads, labels, TrainingPlanes::kCanonical, sentences);
  }

  // What a network meets when it parses these sentences: rows of its slots, features, what was legal and what right.
  nb::tuple rollout(const Look& look, const ArrayTable& weights, const Longs& order, const Matrix& slots,
                    const Floats& odds, uint64_t seed, bool dynamic, bool regularized, double exploration,
                    double aggressive, float margin) const {
    const NeuralHead head = look.head(named(weights), *program);
    std::size_t words = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      demand(order(i) >= 0 && order(i) < static_cast<int64_t>(sentences.size()), "no such sentence");
      words += sentences[order(i)].n;
    }
    demand(slots.shape(0) == words + 2 && slots.shape(1) == head.slot_width(), "the table of slots does not fit");
    demand(!dynamic || oracle.is_dynamic(), "the system has no dynamic oracle");
    Rollout record;
    {
      nb::gil_scoped_release release;
      Explorer explorer(*program, head, {slots.data(), nullptr, nullptr}, oracle);
      const RolloutOptions options{dynamic, regularized, exploration, aggressive, margin};
      Odds all(odds, !head.focus.empty());
      int32_t row = 2;
      for (std::size_t i = 0; i < order.size(); ++i) {
        const TrainingSentence& s = sentences[order(i)];
        explorer.run(s, row, all.next(s.n), options, mix(seed, order(i) + 1), record);
        row += s.n;
      }
    }
    return nb::make_tuple(give(std::move(record.rows)), give(std::move(record.features)), give(std::move(record.legal)),
                          give(std::move(record.right)), record.steps, record.wrong);
  }
};

// A network that parses texts.
struct NeuralParser {
  std::shared_ptr<const Program> program;
  OracleSpec oracle;
  std::shared_ptr<const Words> words;
  int32_t root_label;
  Network network;

  NeuralParser(std::shared_ptr<const Program> p, const OracleSpec& o, std::shared_ptr<const Words> w, const Look& look,
               const ArrayTable& weights, std::size_t layers, std::size_t units, std::size_t tags, bool exact,
               int32_t root)
      : program(std::move(p)),
        oracle(o),
        words(std::move(w)),
        root_label(root),
        network(named(weights), {words->singles.size(), words->has_bag, layers, units, tags, exact},
                look.head(named(weights), *program)) {
    network.check(words->singles, words->bag, words->characters);
    demand(root >= 0 && root < network.head().labels, "no such label");
  }

  nb::tuple parse(const nb::bytes& bytes, const Index& index, const std::vector<int>& columns, int beam,
                  const std::optional<Ints>& given_heads, const std::optional<Ints>& given_labels) {
    const GivenTrees given(given_heads, given_labels, index.heads.size(), oracle, network.head().labels);
    ParsedTrees trees(index, root_label);
    std::vector<std::vector<int32_t>> tags(network.tags(), std::vector<int32_t>(index.heads.size()));
    run(bytes, index, columns,
        [&](Network::Workspace& work, SentenceParser& parser, std::size_t i, std::size_t first, int32_t n,
            std::size_t row) {
          const State& s = parser.parse(n, nullptr, beam, given.heads(first), given.labels(first));
          trees.complete[i] = parser.is_complete();
          trees.note(s, first, n, given.labels(first));
          for (std::size_t t = 0; t < tags.size(); ++t)
            network.tag(work, t, row, static_cast<std::size_t>(n), tags[t].data() + first);
        });
    nb::list tagged;
    for (std::vector<int32_t>& column : tags) tagged.append(give(std::move(column)));
    return nb::make_tuple(give(std::move(trees.heads)), give(std::move(trees.labels)), give(std::move(trees.complete)),
                          tagged);
  }

  Sequences derivations(const nb::bytes& bytes, const Index& index, const std::vector<int>& columns, int beam) {
    Sequences found(index.size());
    std::vector<Taken> steps;
    run(bytes, index, columns,
        [&](Network::Workspace&, SentenceParser& parser, std::size_t i, std::size_t, int32_t n, std::size_t) {
          parser.note_steps(&steps);
          parser.parse(n, nullptr, beam, nullptr, nullptr);
          for (const Taken& step : steps) found[i].emplace_back(step.transition, step.parameter, step.label);
        });
    return found;
  }

  // What the network says about the words of one sentence: a row of slots and of both ends of labels for each, after
  // those for no word and for the root; and for each word how likely every other is its head.
  nb::tuple tables(const nb::bytes& bytes, const Index& index, const std::vector<int>& columns) {
    demand(index.size() == 1, "one sentence");
    std::vector<float> slots, governors, dependents, odds;
    run(bytes, index, columns,
        [&](Network::Workspace& work, SentenceParser&, std::size_t, std::size_t, int32_t, std::size_t) {
          slots = work.slots;
          governors = work.governors;
          dependents = work.dependents;
          odds = work.odds;
        });
    return nb::make_tuple(give(std::move(slots)), give(std::move(governors)), give(std::move(dependents)),
                          give(std::move(odds)));
  }

 private:
  // So many words are encoded together, and the tables of so many are made at a time: those fit into the cache.
  static constexpr std::size_t kEncoded = 1536, kInTables = 160;

  // Calls for every sentence, once the scorer looks at it: with its number, its first word, its number of words, and
  // the row of its first word among those that were encoded.
  template <typename Each>
  void run(const nb::bytes& bytes, const Index& index, const std::vector<int>& columns, Each&& each) {
    demand(columns.size() == words->lexicon.channels() + 1, "the column of the form, and one for each channel");
    const std::string_view text = view(bytes);
    nb::gil_scoped_release release;
    std::unique_ptr<Network::Workspace> work = borrow();
    FieldReader reader(columns);
    NeuralScorer scorer(network.head());
    SentenceParser parser(*program, scorer, oracle);
    std::vector<int32_t> lengths;
    for (std::size_t begin = 0, end = 0; begin < index.size(); begin = end) {
      network.begin(*work);
      lengths.clear();
      const std::size_t first = index.first_word[begin];
      for (; end < index.size() && (end == begin || index.first_word[end + 1] - first <= kEncoded); ++end) {
        for (std::size_t w = index.first_word[end]; w < index.first_word[end + 1]; ++w) {
          const Value key = reader.read(text, index.start[end] + index.word[w]);
          network.add(*work, key, reader.fields(), words->lexicon);
        }
        lengths.push_back(static_cast<int32_t>(index.first_word[end + 1] - index.first_word[end]));
      }
      network.encode(*work, lengths);
      for (std::size_t from = begin, to = begin; from < end; from = to) {
        const std::size_t row = index.first_word[from] - first;
        while (to < end && (to == from || index.first_word[to + 1] - index.first_word[from] <= kInTables)) ++to;
        scorer.set_tables(network.tables(*work, row, index.first_word[to] - index.first_word[from]));
        for (std::size_t i = from; i < to; ++i) {
          const std::size_t word = index.first_word[i];
          const int32_t n = static_cast<int32_t>(index.first_word[i + 1] - word);
          scorer.view().look_at(static_cast<int32_t>(word - index.first_word[from]) + 2, n,
                                network.odds(*work, word - first, n));
          each(*work, parser, i, word, n, word - first);
        }
      }
    }
    give_back(std::move(work));
  }

  // Workspaces are kept for whoever parses next.
  std::unique_ptr<Network::Workspace> borrow() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (free_.empty()) return std::make_unique<Network::Workspace>(network);
    std::unique_ptr<Network::Workspace> work = std::move(free_.back());
    free_.pop_back();
    return work;
  }
  void give_back(std::unique_ptr<Network::Workspace> work) {
    const std::lock_guard<std::mutex> lock(mutex_);
    free_.push_back(std::move(work));
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<Network::Workspace>> free_;
};

}  // namespace

void bind_neural(nb::module_& m) {
  m.def("lowered", [](const std::string& text) { return lowered(text); }, "text"_a);
  nb::class_<Words>(m, "Lexicon")
      .def(nb::init<const std::vector<std::pair<int, std::vector<std::string>>>&, const std::vector<std::string>&>(),
           "channels"_a, "characters"_a)
      .def("types", &Words::types, "text"_a, "index"_a, "columns"_a);
  nb::class_<Look>(m, "NeuralLook")
      .def(nb::init<const std::vector<Row>&, const std::vector<int32_t>&, const std::vector<int32_t>&, int32_t, bool>(),
           "nodes"_a, "slots"_a, "focus"_a, "other_stacks"_a, "rectified"_a);
  nb::class_<Explored>(m, "Rollouts")
      .def(nb::init<std::shared_ptr<const Program>, const OracleSpec&>(), "program"_a, "oracle"_a)
      .def("add", &Explored::add, "text"_a, "index"_a, "heads"_a, "labels"_a)
      .def("run", &Explored::rollout, "look"_a, "weights"_a, "order"_a, "slots"_a, "odds"_a, "seed"_a, "dynamic"_a,
           "regularized"_a, "exploration"_a, "aggressive"_a, "margin"_a);
  nb::class_<NeuralParser>(m, "NeuralParser")
      .def(nb::init<std::shared_ptr<const Program>, const OracleSpec&, std::shared_ptr<const Words>, const Look&,
                    const ArrayTable&, std::size_t, std::size_t, std::size_t, bool, int32_t>(),
           "program"_a, "oracle"_a, "lexicon"_a, "look"_a, "weights"_a, "layers"_a, "units"_a, "tags"_a, "exact"_a,
           "root_label"_a)
      .def("parse", &NeuralParser::parse, "text"_a, "index"_a, "columns"_a, "beam"_a, "given_heads"_a = nb::none(),
           "given_labels"_a = nb::none())
      .def("tables", &NeuralParser::tables, "text"_a, "index"_a, "columns"_a)
      .def("derivations", &NeuralParser::derivations, "text"_a, "index"_a, "columns"_a, "beam"_a);
}

}  // namespace multiplane
