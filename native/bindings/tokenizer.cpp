// Trained tokenizers: pieces to learn from, and tokenizing.
#include "search/tokenizer.hpp"

#include <memory>

#include "bindings/common.hpp"
#include "bindings/networks.hpp"

namespace multiplane {

namespace {

// The runs of the characters of a text: numbers as in `Run`.
auto runs(const nb::bytes& bytes) {
  const std::string_view text = view(bytes);
  std::vector<uint8_t> found;
  for (std::size_t at = 0; at < text.size();) {
    const Character c = character_at(text, at);
    found.push_back(static_cast<uint8_t>(kind_of(c.code).run));
    at += c.size;
  }
  return give(std::move(found));
}

// The categories of code points: numbers as in `Category`.
auto categories(uint32_t end) {
  std::vector<uint8_t> found(end);
  for (uint32_t c = 0; c < end; ++c) found[c] = static_cast<uint8_t>(kind_of(c).category);
  return give(std::move(found));
}

std::string text_of_view(std::u32string_view letters) { return text_of(Codes(letters)); }

// The pieces of a text that is one paragraph.
struct Paragraph {
  std::vector<Piece> pieces;
  PieceLooks looks;

  Paragraph(std::string_view text, Glue glue) {
    PieceReader reader(text, glue, false);
    Piece piece;
    for (;;) {
      const PieceReader::Event event = reader.next(piece);
      if (event == PieceReader::Event::kEnd) break;
      if (event == PieceReader::Event::kPiece) pieces.push_back(piece);
    }
    looks.add(text, pieces.data(), pieces.size());
  }
};

// Where the pieces of a paragraph begin and end, and whether a space is before each.
auto pieces(const nb::bytes& bytes, Glue glue) {
  const Paragraph paragraph(view(bytes), glue);
  std::vector<int64_t> first, last;
  std::vector<uint8_t> spaced;
  for (const Piece& piece : paragraph.pieces) {
    first.push_back(static_cast<int64_t>(piece.first));
    last.push_back(static_cast<int64_t>(piece.last));
    spaced.push_back(piece.spaced);
  }
  return std::tuple(give(std::move(first)), give(std::move(last)), give(std::move(spaced)));
}

// The pieces of a paragraph that are signs between letters or digits, and what these are.
auto joints(const nb::bytes& bytes, Glue glue) {
  const std::string_view text = view(bytes);
  const Paragraph paragraph(text, glue);
  std::vector<std::pair<std::size_t, std::string>> found;
  for (std::size_t p = 0; p < paragraph.pieces.size(); ++p) {
    const std::u32string joint = joint_at(text, paragraph.pieces.data(), paragraph.pieces.size(), p);
    if (!joint.empty()) found.emplace_back(p, text_of_view(joint));
  }
  return found;
}

// The words and chunks of the pieces of a paragraph, for vocabularies; no chunk where a word stands alone.
auto piece_texts(const nb::bytes& bytes, Glue glue) {
  const Paragraph paragraph(view(bytes), glue);
  std::vector<std::string> words, chunks;
  for (std::size_t a = 0; a < paragraph.looks.size(); ++a) {
    words.push_back(text_of_view(paragraph.looks.word(a)));
    if (paragraph.looks.spaced(a) && !paragraph.looks.chunk(a).empty())
      chunks.push_back(text_of_view(paragraph.looks.chunk(a)));
  }
  return std::pair(words, chunks);
}

// What a network sees of the pieces of a paragraph: five numbers each, their n-grams, and where those of each end.
auto describe(const PieceLexicon& lexicon, const nb::bytes& bytes, Glue glue) {
  const Paragraph paragraph(view(bytes), glue);
  std::vector<int32_t> single, parts;
  std::vector<int64_t> ends;
  PieceNumbers numbers;
  for (std::size_t a = 0; a < paragraph.looks.size(); ++a) {
    lexicon.describe(paragraph.looks, a, numbers);
    for (int32_t number : {numbers.word, numbers.chunk, numbers.shape, numbers.spaces, numbers.length})
      single.push_back(number);
    parts.insert(parts.end(), numbers.parts.begin(), numbers.parts.end());
    ends.push_back(static_cast<int64_t>(parts.size()));
  }
  return std::tuple(give(std::move(single)), give(std::move(parts)), give(std::move(ends)));
}

std::shared_ptr<TextTokenizer> make_tokenizer(const PieceLexicon& lexicon, Glue glue, bool spaces_inside,
                                              const std::shared_ptr<Multiwords>& multiwords,
                                              const std::vector<std::string>& joints, const ArrayTable& weights) {
  return std::make_shared<TextTokenizer>(lexicon, glue, spaces_inside, *multiwords, joints, named(weights));
}

// The sentences of a text as CoNLL-U, and how many they are.
std::pair<nb::bytes, std::size_t> conllu(TextTokenizer& tokenizer, const nb::bytes& bytes, bool lines, bool ranges,
                                         std::size_t sentences_before, std::size_t characters_before) {
  const std::string_view text = view(bytes);
  TokenWriter writer(text, ranges, {sentences_before, characters_before});
  {
    nb::gil_scoped_release release;
    tokenizer.run(text, lines, writer);
  }
  return {nb::bytes(writer.out().data(), writer.out().size()), writer.sentences()};
}

struct TokenCollector {
  std::vector<FoundToken> tokens;
  std::vector<std::size_t> ends;  // of sentences

  void sentence(const FoundToken* found, std::size_t count) {
    tokens.insert(tokens.end(), found, found + count);
    ends.push_back(tokens.size());
  }
};

// Where tokens begin and end, the words of multiword tokens, and how many tokens there are behind each sentence.
auto tokens(TextTokenizer& tokenizer, const nb::bytes& bytes) {
  const std::string_view text = view(bytes);
  TokenCollector found;
  {
    nb::gil_scoped_release release;
    tokenizer.run(text, false, found);
  }
  std::vector<std::tuple<std::size_t, std::size_t, std::vector<std::string>>> rows;
  for (FoundToken& token : found.tokens) rows.emplace_back(token.first, token.last, std::move(token.words));
  return std::pair(std::move(rows), std::move(found.ends));
}

}  // namespace

void bind_tokenizer(nb::module_& m) {
  m.attr("RUNS") = static_cast<int>(kRuns);
  m.attr("PIECE_SHAPES") = kShapes;
  m.attr("PIECE_SPACES") = kSpaces;
  m.attr("PIECE_LENGTHS") = kLengths;
  m.def("character_runs", &runs, "text"_a);
  m.def("character_categories", &categories, "end"_a);
  m.def("joints", &joints, "text"_a, "glue"_a);
  m.def("pieces", &pieces, "text"_a, "glue"_a);
  m.def("piece_texts", &piece_texts, "text"_a, "glue"_a);
  nb::class_<PieceLexicon>(m, "PieceLexicon")
      .def(nb::init<const std::vector<std::string>&, const std::vector<std::string>&, std::size_t>(), "words"_a,
           "chunks"_a, "buckets"_a)
      .def("describe", &describe, "text"_a, "glue"_a);
  nb::class_<Multiwords>(m, "Multiwords")
      .def(nb::init<const std::vector<std::string>&, const std::vector<std::string>&>(), "exceptions"_a, "rules"_a)
      .def("words", [](const Multiwords& rules, const std::string& form) { return rules.words(form); }, "form"_a);
  nb::class_<TextTokenizer>(m, "TextTokenizer")
      .def(nb::new_(&make_tokenizer), "lexicon"_a, "glue"_a, "spaces_inside"_a, "multiwords"_a, "joints"_a, "weights"_a)
      .def("conllu", &conllu, "text"_a, "lines"_a, "ranges"_a, "sentences_before"_a, "characters_before"_a)
      .def("tokens", &tokens, "text"_a);
}

}  // namespace multiplane
