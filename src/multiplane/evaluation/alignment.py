"""Aligns the words of the gold standard and the system by the characters of the text.

If both sides have the same words, this is trivial. Otherwise tokens match if they cover the same characters, and words
within multiword tokens are matched by form, as in the CoNLL 2018 shared task.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from multiplane.errors import FormatError
from multiplane.evaluation.score import Score
from multiplane.formats import Corpus

Places = NDArray[np.int64]

UNALIGNED = -1

_SPACES = [0x20, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000]
_MARKS = [0xAD, 0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), 0x2060, *range(0x2066, 0x206A)]
_CONTROLS = [*range(0x20), *range(0x7F, 0xA0), 0x200B, 0x2028, 0x2029, 0xFEFF]
_IGNORED = dict.fromkeys([*_SPACES, *_MARKS, *_CONTROLS])
"""What no tokenizer puts into a word, so that texts are compared without it: separators and invisible marks."""

_RANGE_LINE = re.compile(rb"\n(\d+)-(\d+)\t([^\t]*)")


@dataclass(frozen=True)
class Alignment:
    """Which words correspond, and how well tokens and sentences agree."""

    to_system: Places
    """For each gold word, the index of its system word, or `UNALIGNED`."""
    to_gold: Places
    """For each system word, the index of its gold word, or `UNALIGNED`."""
    tokens: Score
    sentences: Score


def align(gold: Corpus, system: Corpus, *, same_words: bool = False) -> Alignment:
    r"""Aligns the words of two treebanks of the same text; with `same_words` they must have the same words.

    >>> from multiplane.formats.reader import from_text
    >>> row = "{}\t{}\t_\t_\t_\t_\t{}\tdep\t_\t_\n".format
    >>> gold = from_text(row(1, "can", 0) + row(2, "not", 1) + row(3, "go", 1))
    >>> system = from_text(row(1, "cannot", 0) + row(2, "go", 1))
    >>> align(gold, system).to_system.tolist()
    [-1, -1, 1]
    """
    forms = gold.column("form"), system.column("form")
    ranges = _ranges(gold), _ranges(system)
    if forms[0] == forms[1] and ranges[0] == ranges[1] and np.array_equal(gold.lengths, system.lengths):
        return _identity(gold, ranges[0])
    if same_words:
        _require_same_words(gold, system, *forms)
    sides = _text(gold, forms[0], ranges[0]), _text(system, forms[1], ranges[1])
    if sides[0].characters != sides[1].characters:
        raise _first_difference(gold, system, *sides)
    to_system, to_gold = (np.full(corpus.words, UNALIGNED, np.int64) for corpus in (gold, system))
    if pairs := _align_words(*sides):
        g, s = np.array(pairs).T
        to_system[g], to_gold[s] = s, g
    return Alignment(
        to_system,
        to_gold,
        _same_spans(sides[0].token_spans, sides[1].token_spans),
        _same_spans(_sentence_spans(gold, sides[0]), _sentence_spans(system, sides[1])),
    )


class Range(NamedTuple):
    """A multiword token: the indices of its first and last word in the corpus, and its form."""

    first: int
    last: int
    form: str


def _ranges(corpus: Corpus) -> list[Range]:
    if not corpus.dialect.ranges:
        return []
    index = corpus._index
    text = b"\n" + corpus._text.removeprefix(BOM_UTF8)
    moved = len(text) - len(corpus._text)
    found = [(line.start(1) - moved, int(line[1]), int(line[2]), line[3]) for line in _RANGE_LINE.finditer(text)]
    offsets = np.array([offset for offset, *_ in found], np.uint64)
    sentences = np.searchsorted(index.start, offsets, side="right").astype(np.int64) - 1
    ranges = []
    for sentence, (offset, first, last, form) in zip(sentences.tolist(), found, strict=True):
        if sentence >= 0 and offset < index.end[sentence]:  # not within a skipped broken sentence
            before = int(index.first_word[sentence]) - 1
            ranges.append(Range(before + first, before + last, form.decode()))
    return ranges


def _identity(corpus: Corpus, ranges: list[Range]) -> Alignment:
    words = np.arange(corpus.words)
    tokens = corpus.words - sum(last - first for first, last, _ in ranges)
    return Alignment(words, words, Score(tokens, tokens, tokens), Score(len(corpus), len(corpus), len(corpus)))


class _Text(NamedTuple):
    """The text of one side without spaces, and each word's span in it.

    All words of a multiword token have the token's span.
    """

    characters: str
    token_spans: tuple[Places, Places]
    start: list[int]
    end: list[int]
    in_range: list[bool]
    forms: list[str]


def _text(corpus: Corpus, forms: list[str], ranges: list[Range]) -> _Text:
    in_range = np.zeros(corpus.words, np.bool_)
    begins_token = np.ones(corpus.words, np.bool_)
    tokens = forms.copy()
    for first, last, form in ranges:
        in_range[first : last + 1] = True
        begins_token[first + 1 : last + 1] = False
        tokens[first] = form
    token_of = np.cumsum(begins_token) - 1
    tokens = [tokens[word].translate(_IGNORED) for word in np.flatnonzero(begins_token).tolist()]
    if "" in tokens:
        word = int(np.flatnonzero(token_of == tokens.index(""))[0])
        raise _error(corpus, word, "a word without a visible character cannot be aligned; give it a form")
    ends = np.array(list(accumulate(map(len, tokens))), np.int64)
    starts = np.concatenate([np.zeros(1, np.int64), ends])[:-1]
    stripped = [form if inside else form.translate(_IGNORED) for form, inside in zip(forms, in_range, strict=True)]
    return _Text(
        "".join(tokens),
        (starts, ends),
        starts[token_of].tolist(),
        ends[token_of].tolist(),
        in_range.tolist(),
        stripped,
    )


def _sentence_spans(corpus: Corpus, text: _Text) -> tuple[Places, Places]:
    after = np.cumsum(corpus.lengths)
    return np.array(text.start, np.int64)[after - corpus.lengths], np.array(text.end, np.int64)[after - 1]


def _same_spans(gold: tuple[Places, Places], system: tuple[Places, Places]) -> Score:
    _, g, s = np.intersect1d(gold[0], system[0], assume_unique=True, return_indices=True)
    return Score(len(gold[0]), len(system[0]), int((gold[1][g] == system[1][s]).sum()))


def _align_words(gold: _Text, system: _Text) -> list[tuple[int, int]]:
    """Returns pairs of word indices in order, in one pass over both sides."""
    pairs: list[tuple[int, int]] = []
    g = s = 0
    while g < len(gold.start) and s < len(system.start):
        if gold.in_range[g] or system.in_range[s]:
            first_g, first_s, g, s = _multiword_span(gold, system, g, s)
            pairs += _common_forms(gold.forms, system.forms, range(first_g, g), range(first_s, s))
            continue
        ahead = gold.start[g] - system.start[s]
        if ahead == 0 and gold.end[g] == system.end[s]:
            pairs.append((g, s))
            g, s = g + 1, s + 1
        elif ahead <= 0:
            g += 1
        else:
            s += 1
    return pairs


def _multiword_span(gold: _Text, system: _Text, g: int, s: int) -> tuple[int, int, int, int]:
    """Returns the words of both sides affected by a multiword token at `g` or `s`: the first, and one past the last.

    Overlapping multiword tokens belong together. The edges follow the scorer of the shared task exactly: of plain words
    that start before the token, one is skipped and further ones belong to the span.
    """
    if gold.in_range[g]:
        end = gold.end[g]
        s += not system.in_range[s] and system.start[s] < gold.start[g]
    else:
        end = system.end[s]
        g += gold.start[g] < system.start[s]
    first_g, first_s = g, s
    while _within(gold, g, end) or _within(system, s, end):
        gold_is_next = s == len(system.start) or (g < len(gold.start) and gold.start[g] <= system.start[s])
        side, word = (gold, g) if gold_is_next else (system, s)
        if side.in_range[word]:
            end = max(end, side.end[word])
        g, s = g + gold_is_next, s + (not gold_is_next)
    return first_g, first_s, g, s


def _within(text: _Text, word: int, end: int) -> bool:
    """Whether a word belongs to a span that ends at `end`: plain words must end in it, others only start."""
    if word == len(text.start):
        return False
    return text.start[word] < end if text.in_range[word] else text.end[word] <= end


def _common_forms(gold: list[str], system: list[str], g: range, s: range) -> list[tuple[int, int]]:
    """Returns a longest common subsequence of the forms at these indices, ignoring case."""
    a, b = [gold[i].lower() for i in g], [system[j].lower() for j in s]
    pairs: list[tuple[int, int]] = []
    i = j = next((k for k, (one, two) in enumerate(zip(a, b, strict=False)) if one != two), min(len(a), len(b)))
    pairs += zip(g[:i], s[:j], strict=True)
    longest = _LongestCommon(a[i:], b[j:])
    skipped = i
    while i < len(a) and j < len(b):
        if a[i] == b[j]:
            pairs.append((g[i], s[j]))
            i, j = i + 1, j + 1
        elif longest(i - skipped, j - skipped) == longest(i + 1 - skipped, j - skipped):
            i += 1
        else:
            j += 1
    return pairs


class _LongestCommon:
    """The length of a longest common subsequence of `a[i:]` and `b[j:]`, for any i and j.

    A row of the usual table grows by 0 or 1 from one column to the next, so it fits in one bit per column, and each row
    follows from the next one by an addition (Hyyrö, 2004). A token may have thousands of words: only every 256th row is
    stored, and the rows in between are recomputed when needed.

    >>> longest = _LongestCommon("abcab", "bacba")
    >>> longest(0, 0), longest(1, 0), longest(4, 3), longest(5, 0)
    (3, 3, 1, 0)
    """

    _BETWEEN = 256

    def __init__(self, a: Sequence[str], b: Sequence[str]) -> None:
        self._a, self._columns = a, len(b)
        self._places: dict[str, int] = defaultdict(int)
        """For each form, the columns that have it. The first column of `b` is the highest bit."""
        for column, form in enumerate(reversed(b)):
            self._places[form] |= 1 << column
        self._kept: dict[int, int] = {}
        self._rows: dict[int, int] = {}
        for number, row in self._from((1 << len(b)) - 1, len(a), 0):
            if number % self._BETWEEN == 0:
                self._kept[number] = row
        self._kept[len(a)] = (1 << len(b)) - 1

    def __call__(self, i: int, j: int) -> int:
        below = (1 << self._columns - j) - 1
        return self._columns - j - (self._row(i) & below).bit_count()

    def _from(self, row: int, last: int, first: int) -> Iterator[tuple[int, int]]:
        """Yields the rows before `last`, back to `first`, given row `last`; zero bits mark where the length grows."""
        everywhere = (1 << self._columns) - 1
        for number in range(last - 1, first - 1, -1):
            matching = row & self._places[self._a[number]]
            row = ((row + matching) | (row - matching)) & everywhere
            yield number, row

    def _row(self, number: int) -> int:
        if number in self._kept:
            return self._kept[number]
        if number not in self._rows:
            first = number - number % self._BETWEEN
            last = min(first + self._BETWEEN, len(self._a))
            self._rows = dict(self._from(self._kept[last], last, first))
        return self._rows[number]


def _require_same_words(gold: Corpus, system: Corpus, gold_forms: list[str], system_forms: list[str]) -> None:
    if gold_forms == system_forms and np.array_equal(gold.lengths, system.lengths):
        return
    advice = "this convention requires the same words in the same sentences"
    place = 0
    for one, two in zip(gold, system, strict=False):
        common = min(len(one), len(two))
        for word in range(place, place + common):
            if gold_forms[word] != system_forms[word]:
                what = f"'{system_forms[word]}' where {_at(gold, word)} has '{gold_forms[word]}'; {advice}"
                raise _error(system, word, what)
        if len(one) != len(two):
            what = f"a sentence of {len(two)} words where {one.where} has {len(one)}; {advice}"
            raise FormatError(what, file=system.name, line=two.line, sent_id=two.sent_id)
        place += common
    raise _missing(gold, system, place, place, advice)


def _first_difference(gold: Corpus, system: Corpus, g: _Text, s: _Text) -> FormatError:
    advice = "both files must have the same text"
    common = min(len(g.characters), len(s.characters))
    a, b = (np.frombuffer(t.characters[:common].encode("utf-32-le", "surrogatepass"), np.uint32) for t in (g, s))
    differing = np.flatnonzero(a != b)
    at = int(differing[0]) if len(differing) else common
    gold_word, system_word = (int(np.searchsorted(text.end, at, side="right")) for text in (g, s))
    if at == common:
        return _missing(gold, system, gold_word, system_word, advice)
    there, here = (text.characters[at : at + 20] for text in (g, s))
    what = f"the text is '{here}' where {_at(gold, gold_word)} has '{there}'; {advice}"
    return _error(system, system_word, what)


def _missing(gold: Corpus, system: Corpus, gold_word: int, system_word: int, advice: str) -> FormatError:
    """Returns the error for the side that continues after the other has ended."""
    if gold_word < gold.words:
        return _error(gold, gold_word, f"{system.name} ends before this word; {advice}")
    return _error(system, system_word, f"{gold.name} ends before this word; {advice}")


def _sentence_and_word(corpus: Corpus, place: int) -> tuple[int, int]:
    after = np.cumsum(corpus.lengths)
    number = int(np.searchsorted(after, place, side="right"))
    return number, place - int(after[number] - corpus.lengths[number]) + 1


def _at(corpus: Corpus, place: int) -> str:
    number, word = _sentence_and_word(corpus, place)
    return f"{corpus.name}:{corpus[number].line_of(word)}"


def _error(corpus: Corpus, place: int, what: str) -> FormatError:
    number, word = _sentence_and_word(corpus, place)
    sentence = corpus[number]
    return FormatError(what, file=corpus.name, line=sentence.line_of(word), sent_id=sentence.sent_id)
