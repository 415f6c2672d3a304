// From text to sentences and tokens with a trained network, in linear time and bounded memory.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "features/pieces.hpp"
#include "scoring/piece_network.hpp"
#include "text/addresses.hpp"
#include "text/multiwords.hpp"
#include "text/pieces.hpp"
#include "text/token_writer.hpp"

namespace multiplane {

class TextTokenizer {
 public:
  TextTokenizer(PieceLexicon lexicon, Glue glue, bool spaces_inside, Multiwords multiwords,
                const std::vector<std::string>& joints, const NamedArrays& weights)
      : lexicon_(std::move(lexicon)),
        glue_(glue),
        spaces_inside_(spaces_inside),
        multiwords_(std::move(multiwords)),
        network_(weights, lexicon_) {
    for (const std::string& joint : joints) joints_.insert(codes_of(joint));
  }

  // Calls sink.sentence(tokens, count) for every sentence, in order. If lines are sentences, nothing else is.
  template <typename Sink>
  void run(std::string_view text, bool lines, Sink& sink) {
    std::unique_ptr<Work> work = borrow();
    PieceReader reader(text, glue_, lines);
    for (bool more = true; more;) {
      more = read(text, reader, *work);
      score(*work);
      apply_rules(text, *work);
      const std::size_t done = emit(text, lines, *work, sink);
      if (work->is_cut) reader.go_back(work->pieces[done - 1]);
    }
    give_back(std::move(work));
  }

 private:
  // This many pieces are read together. A paragraph with more than kLongest is cut; sentences and tokens are cut too.
  static constexpr std::size_t kEnough = 4096, kLongest = 16384;
  static constexpr std::size_t kMostTokens = 1000, kMostCharacters = 4096;
  // Pieces are read by the network in windows, with some on both sides that only give context.
  static constexpr std::size_t kWindow = 320, kContext = 32;

  // A window: the pieces whose scores count, and those that are read.
  struct Window {
    std::size_t begin, end, from, to;
  };

  struct Work {
    std::vector<Piece> pieces;
    std::vector<std::size_t> ends;  // of paragraphs
    bool is_cut;                    // whether the last paragraph goes on
    PieceLooks looks;
    std::vector<Window> windows;
    std::vector<std::size_t> order;
    std::vector<int32_t> lengths;
    std::vector<float> scores, window_scores;
    std::vector<FoundToken> tokens;
    std::string form;
    PieceNetwork::Workspace network;
  };

  // Workspaces are kept for the thread that comes next; the lock is only tried, since a fork may have left it taken.
  std::unique_ptr<Work> borrow() {
    const std::unique_lock<std::mutex> lock(mutex_, std::try_to_lock);
    if (!lock || free_.empty()) return std::make_unique<Work>();
    std::unique_ptr<Work> work = std::move(free_.back());
    free_.pop_back();
    return work;
  }
  void give_back(std::unique_ptr<Work> work) {
    const std::unique_lock<std::mutex> lock(mutex_, std::try_to_lock);
    if (lock) free_.push_back(std::move(work));
  }

  // Reads some paragraphs; whether there may be more.
  bool read(std::string_view text, PieceReader& reader, Work& work) const {
    work.pieces.clear();
    work.ends.clear();
    work.looks.clear();
    work.is_cut = false;
    Piece piece;
    for (std::size_t begin = 0;;) {
      const PieceReader::Event event = reader.next(piece);
      if (event == PieceReader::Event::kEnd) return false;
      if (event == PieceReader::Event::kPiece) work.pieces.push_back(piece);
      work.is_cut = event == PieceReader::Event::kPiece && work.pieces.size() - begin >= kLongest;
      if (event == PieceReader::Event::kParagraph || work.is_cut) {
        work.looks.add(text, work.pieces.data() + begin, work.pieces.size() - begin);
        begin = work.pieces.size();
        work.ends.push_back(begin);
        if (work.is_cut || begin >= kEnough) return true;
      }
    }
  }

  void score(Work& work) const {
    work.scores.resize(work.pieces.size() * kPieceScores);
    work.windows.clear();
    std::size_t begin = 0;
    for (std::size_t end : work.ends) {
      const std::size_t step = end - begin <= kWindow ? kWindow : kWindow - 2 * kContext;
      for (; begin < end; begin = std::min(end, begin + step))
        add_window(begin, std::min(end, begin + step), end, work);
    }
    score_windows(work);
  }

  void add_window(std::size_t begin, std::size_t end, std::size_t last, Work& work) const {
    const std::size_t first = begin - std::min(begin, kContext);
    std::size_t from = begin;
    while (from > first && !is_start(from, work)) --from;
    work.windows.push_back({begin, end, from, std::min(last, end + kContext)});
    for (std::size_t piece = from; piece < work.windows.back().to; ++piece) work.order.push_back(piece);
    work.lengths.push_back(static_cast<int32_t>(work.windows.back().to - from));
    if (work.order.size() >= kEnough) score_windows(work);
  }

  static bool is_start(std::size_t piece, const Work& work) {
    return std::binary_search(work.ends.begin(), work.ends.end(), piece);
  }

  void score_windows(Work& work) const {
    network_.score(work.looks, lexicon_, work.order, work.lengths, work.network, work.window_scores);
    std::size_t row = 0;
    for (const Window& window : work.windows) {
      const float* scores = &work.window_scores[(row + window.begin - window.from) * kPieceScores];
      std::copy_n(scores, (window.end - window.begin) * kPieceScores, &work.scores[window.begin * kPieceScores]);
      row += window.to - window.from;
    }
    work.windows.clear();
    work.order.clear();
    work.lengths.clear();
  }

  // Changes the scores where no network is needed to know better.
  void apply_rules(std::string_view text, Work& work) const {
    std::size_t begin = 0;
    for (std::size_t end : work.ends) {
      if (!joints_.empty()) join(text, begin, end, work);
      Addresses addresses(text, work.pieces, begin, end);
      for (Addresses::Found found; addresses.next(found);) keep_together(found, begin, work);
      close_sentences(text, begin, end, work);
      begin = end;
    }
  }

  // Signs that hold letters or digits together in the treebank do so in unknown words, too.
  void join(std::string_view text, std::size_t begin, std::size_t end, Work& work) const {
    for (std::size_t piece = begin + 1; piece + 1 < end; ++piece) {
      if (work.pieces[piece].run != Run::kNone) continue;
      if (joints_.count(joint_at(text, work.pieces.data() + begin, end - begin, piece - begin)) == 0) continue;
      for (std::size_t place : {piece - 1, piece}) work.scores[place * kPieceScores + kInside] = kCertain;
    }
  }

  // No token ends within an address; one ends before it, and one with it.
  static void keep_together(const Addresses::Found& found, std::size_t begin, Work& work) {
    const auto scores = [&work](std::size_t piece) { return &work.scores[piece * kPieceScores]; };
    for (std::size_t piece = found.first; piece < found.last; ++piece) scores(piece)[kInside] = kCertain;
    if (!found.is_token) return;
    scores(found.last)[kInside] = -kCertain;
    scores(found.last)[kMultiword] = -kCertain;
    if (found.first > begin) scores(found.first - 1)[kInside] = -kCertain;
  }

  // Closing brackets and quotes directly behind the end of a sentence belong to it.
  void close_sentences(std::string_view text, std::size_t begin, std::size_t end, Work& work) const {
    for (std::size_t piece = begin; piece + 1 < end; ++piece) {
      if (work.pieces[piece].category != Category::kPunctuation || !ends_sentence(piece, work)) continue;
      std::size_t last = piece;
      while (last + 1 < end && closes(text, last + 1, end, work)) ++last;
      if (last == piece) continue;
      work.scores[piece * kPieceScores + kInside] = -kCertain;  // still the end of a token
      for (; piece < last; ++piece) work.scores[piece * kPieceScores + kSentenceEnd] = -kCertain;
      work.scores[last * kPieceScores + kSentenceEnd] = kCertain;
    }
  }

  static bool closes(std::string_view text, std::size_t piece, std::size_t end, const Work& work) {
    const Piece& sign = work.pieces[piece];
    if (sign.spaced) return false;
    return sign.category == Category::kClose ||
           (text[sign.begin] == '"' && (piece + 1 == end || work.pieces[piece + 1].spaced));
  }

  // Gives out the sentences of all paragraphs; returns how many pieces are done.
  template <typename Sink>
  std::size_t emit(std::string_view text, bool lines, Work& work, Sink& sink) const {
    std::size_t begin = 0;
    for (std::size_t p = 0; p < work.ends.size(); ++p) {
      const bool is_cut = work.is_cut && p + 1 == work.ends.size();
      const std::size_t end = is_cut ? cut(begin, work.ends[p], work) : work.ends[p];
      for (std::size_t first = begin, piece = begin; piece < end; ++piece) {
        const bool is_last = piece + 1 == end;
        if (!is_last && !ends_token(first, piece, work)) continue;
        add_token(text, first, piece, work);
        first = piece + 1;
        const bool ends = lines ? is_last && !is_cut : is_last || ends_sentence(piece, work);
        if (ends || (!lines && work.tokens.size() >= kMostTokens)) {
          sink.sentence(work.tokens.data(), work.tokens.size());
          work.tokens.clear();
        }
      }
      begin = end;
    }
    return begin;
  }

  // Where a paragraph is cut that goes on: behind a sentence, or else behind a token, in its second half.
  std::size_t cut(std::size_t begin, std::size_t end, const Work& work) const {
    const std::size_t last = end - kContext, least = begin + (end - begin) / 2;
    for (std::size_t piece = last; piece-- > least;)
      if (ends_sentence(piece, work)) return piece + 1;
    for (std::size_t piece = last; piece-- > least;)
      if (ends_token(piece, piece, work)) return piece + 1;
    return last;
  }

  bool ends_token(std::size_t first, std::size_t piece, const Work& work) const {
    if (work.pieces[piece + 1].spaced && !spaces_inside_) return true;
    if (work.pieces[piece].last - work.pieces[first].first >= kMostCharacters) return true;
    const float* scores = &work.scores[piece * kPieceScores];
    const float most = std::max(scores[kTokenEnd], scores[kSentenceEnd]);
    const float least = std::min(scores[kTokenEnd], scores[kSentenceEnd]);
    return most + std::log1p(std::exp(least - most)) > scores[kInside];
  }

  bool ends_sentence(std::size_t piece, const Work& work) const {
    const float* scores = &work.scores[piece * kPieceScores];
    return scores[kSentenceEnd] > scores[kTokenEnd] && scores[kSentenceEnd] > scores[kInside];
  }

  void add_token(std::string_view text, std::size_t first, std::size_t last, Work& work) const {
    const Piece &from = work.pieces[first], &to = work.pieces[last];
    const bool space_after = is_start(last + 1, work) || work.pieces[last + 1].spaced;
    work.tokens.push_back({from.begin, to.end, from.first, to.last, space_after, {}});
    if (work.scores[last * kPieceScores + kMultiword] <= 0 || to.last - from.first > kLongestMultiword) return;
    work.form.clear();
    append_clean(text.substr(from.begin, to.end - from.begin), work.form);
    work.tokens.back().words = multiwords_.words(work.form);
  }

  static constexpr std::size_t kLongestMultiword = 256;
  static constexpr float kCertain = 1e6F;  // more than any network says

  PieceLexicon lexicon_;
  Glue glue_;
  bool spaces_inside_;
  Multiwords multiwords_;
  std::set<Codes> joints_;
  PieceNetwork network_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Work>> free_;
};

}  // namespace multiplane
