"""Prepares treebanks for training a tokenizer: paragraphs as pieces of text, and what is to be learnt of each piece."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from multiplane import _native
from multiplane.errors import TrainingError
from multiplane.formats import Corpus
from multiplane.models.tokenizer import RUNS, PieceLexicon
from multiplane.text.gold import GoldSentence, GoldText, gold_sentences, gold_text, has_spaces, paragraphs
from multiplane.training.multiwords import Learned, learn_multiwords
from multiplane.training.tokenizer_config import TokenizerSettings

INSIDE, TOKEN_END, SENTENCE_END = 0, 1, 2
CHUNK, SPACES = 1, 3
"""Channels of pieces: what is between two spaces; whether a space is before (1) and behind (2)."""
PARTS_BESIDE = np.array([5, 2, 2, 0])
"""How many parts of a piece, the last ones, show the pieces beside it; by `SPACES`."""
LONGEST = 300
"""Longer paragraphs, in pieces, are cut for training."""
_FEW_SENTENCES = 1.5
"""If paragraphs have fewer sentences on average, sentences are joined at random."""
_USUALLY_GLUED = ("alphabetic", "katakana", "hangul", "digits")
_MOST_BOUNDARIES = 0.005
_LEAST_PAIRS = 50
_LEAST_SPACED = 1e-4
_MOST_WORDS, _MOST_CHUNKS = 20_000, 10_000
_MANY_JOINTS = 20
"""A sign that holds letters or digits together this often, and never separates them, always does."""
_ALWAYS_JOINS = 100
"""If signs are between letters or digits this often, and none ever separates them, those of `_CONNECTORS` never do."""
_CONNECTORS = "-/&+_@'\u2019"
_STOPS = ".,;:!?"
"""Between these and a letter, a space may be missing."""
_DOTS = "..."
_FEW_DOTS = 10
"""A treebank with fewer dots in a row does not teach that these are one token."""


class Sequences(NamedTuple):
    """Sequences of pieces to learn from, one after another."""

    lengths: NDArray[np.int64]
    single: NDArray[np.int64]
    """Pieces x channels."""
    parts: NDArray[np.int64]
    part_ends: NDArray[np.int64]
    boundary: NDArray[np.int64]
    multiword: NDArray[np.int64]
    """1, 0, or -1 where no token ends."""


@dataclass(frozen=True, eq=False)
class TokenizerData:
    """What a tokenizer is learnt from."""

    sentences: tuple[tuple[GoldSentence, ...], ...]
    """By treebank."""
    joins: tuple[bool, ...]
    """By treebank: whether sentences are joined at random, as it does not say what a paragraph is."""
    lexicon: PieceLexicon
    counts: tuple[NDArray[np.float64], NDArray[np.float64]]
    """How often each word and each chunk of the lexicon occurs, from 1 on."""
    multiwords: Learned
    spaces_inside: bool
    joints: tuple[str, ...]
    """Signs that are always part of a token (see `TokenizerModel.joints`)."""
    dots: bool
    """Whether it has to be made up that dots in a row are one token."""

    def groups(self, random: np.random.Generator, settings: TokenizerSettings) -> Iterator[list[GoldSentence]]:
        """Yields paragraphs as they are for one epoch."""
        for sentences, joins in zip(self.sentences, self.joins, strict=True):
            for group in _joined(sentences, random) if joins else paragraphs(sentences):
                changed = _changed(group, random, settings)
                yield [_dotted(sentence, random, settings) for sentence in changed] if self.dots else changed


def prepare(
    corpora: Sequence[Corpus], settings: TokenizerSettings, note: Callable[[str], None] = lambda text: None
) -> TokenizerData:
    """Reads treebanks; `note` is called with messages for the user.

    >>> from multiplane import sample
    >>> data = prepare([sample()], TokenizerSettings())
    >>> data.lexicon.glued, data.joins, data.spaces_inside
    (('alphabetic', 'katakana', 'hangul', 'digits'), (False,), False)
    """
    sentences = tuple(tuple(gold_sentences(corpus)) for corpus in corpora)
    if not any(sentences):
        names = ", ".join(corpus.name for corpus in corpora)
        raise TrainingError(f"{names}: no sentence to use as training data")
    for corpus, found in zip(corpora, sentences, strict=True):
        if found and not has_spaces(found):
            note(
                f"{corpus.name}: has no text comments and no SpaceAfter=No; the tokenizer will expect a space between "
                "all words and before punctuation"
            )
    texts = [gold_text(group) for found in sentences for group in paragraphs(found)]
    glued = _glued(texts)
    lexicon = PieceLexicon(glued, (), (), settings.ngrams)
    words, chunks = _counted(texts, lexicon.glue)
    kept = [_ranked(words, 2, _MOST_WORDS), _ranked(chunks, 3, _MOST_CHUNKS)]
    tokens = [token for found in sentences for sentence in found for token in sentence.tokens]
    spaced = sum(any(map(str.isspace, token.form)) for token in tokens)
    return TokenizerData(
        sentences,
        tuple(map(_joins, sentences)),
        replace(lexicon, words=tuple(kept[0]), chunks=tuple(kept[1])),
        (np.array([words[text] for text in kept[0]], float), np.array([chunks[text] for text in kept[1]], float)),
        learn_multiwords((token.form, token.words) for token in tokens if token.words),
        spaced > _LEAST_SPACED * len(tokens),
        _joints(texts, lexicon.glue),
        sum(_DOTS in token.form for token in tokens) < _FEW_DOTS,
    )


def _joins(sentences: Sequence[GoldSentence]) -> bool:
    """Whether sentences have to be joined at random, so that ends of sentences within paragraphs are learnt."""
    starts = sum(sentence.starts for sentence in sentences[1:])
    return not starts or len(sentences) < _FEW_SENTENCES * starts


def _glued(texts: Iterable[GoldText]) -> tuple[str, ...]:
    """Returns the runs of characters in which tokens hardly ever end."""
    pairs, ends = np.zeros(_native.RUNS, np.int64), np.zeros(_native.RUNS, np.int64)
    for text in texts:
        runs = _native.character_runs(text.text.encode(errors="surrogatepass"))
        same = np.flatnonzero(runs[:-1] == runs[1:])
        pairs += np.bincount(runs[same], minlength=_native.RUNS)
        same = np.intersect1d(same, np.array(text.ends, np.int64) - 1)
        ends += np.bincount(runs[same], minlength=_native.RUNS)
    return tuple(
        run
        for number, run in enumerate(RUNS, 1)
        if (run in _USUALLY_GLUED if pairs[number] < _LEAST_PAIRS else ends[number] < _MOST_BOUNDARIES * pairs[number])
    )


def _joints(texts: Iterable[GoldText], glue: int) -> tuple[str, ...]:
    """Returns the signs that are part of a token wherever they are between certain letters or digits."""
    counts: Counter[str] = Counter()
    ending: set[str] = set()
    for text in texts:
        encoded, ends = text.text.encode(errors="surrogatepass"), set(text.ends)
        _, last, _ = _native.pieces(encoded, glue)
        for place, joint in _native.joints(encoded, glue):
            counts[joint] += 1
            if not ends.isdisjoint(last[place - 1 : place + 1].tolist()):
                ending.add(joint)
    found = {joint for joint, count in counts.items() if count >= _MANY_JOINTS and joint not in ending}
    found = {joint for joint in found if joint[1] not in _STOPS or not joint.endswith("a")}
    if not ending and counts.total() >= _ALWAYS_JOINS:
        found |= {f"{before}{sign}{behind}" for before, sign, behind in product("a0", _CONNECTORS, "a0")}
    return tuple(sorted(found))


def _counted(texts: Iterable[GoldText], glue: int) -> tuple[Counter[str], Counter[str]]:
    words: Counter[str] = Counter()
    chunks: Counter[str] = Counter()
    for text in texts:
        more_words, more_chunks = _native.piece_texts(text.text.encode(errors="surrogatepass"), glue)
        words.update(more_words)
        chunks.update(more_chunks)
    return words, chunks


def _ranked(counts: Counter[str], least: int, most: int) -> list[str]:
    frequent = (text for text, count in counts.items() if count >= least)
    return sorted(frequent, key=lambda text: (-counts[text], text))[:most]


def _joined(sentences: Sequence[GoldSentence], random: np.random.Generator) -> Iterator[list[GoldSentence]]:
    """Joins sentences to paragraphs of random length."""
    begin = 0
    while begin < len(sentences):
        end = begin + int(random.geometric(0.2))
        yield list(sentences[begin:end])
        begin = end


def _changed(group: list[GoldSentence], random: np.random.Generator, settings: TokenizerSettings) -> list[GoldSentence]:
    """Returns a paragraph, sometimes without its final punctuation or in lower case."""
    cuts, lowers = random.random() < settings.cut_ends, random.random() < settings.lower
    last = group[-1]
    if cuts and len(last.tokens) > 2 and not any(map(str.isalnum, last.tokens[-1].form)):
        group = [*group[:-1], replace(last, tokens=last.tokens[:-1])]
    if lowers:
        group = [
            replace(one, tokens=tuple(token._replace(form=_native.lowered(token.form)) for token in one.tokens))
            for one in group
        ]
    return group


def _dotted(sentence: GoldSentence, random: np.random.Generator, settings: TokenizerSettings) -> GoldSentence:
    """Returns a sentence, sometimes with dots in a row instead of a full stop or a comma."""
    if random.random() >= settings.dots:
        return sentence
    places = [place for place, token in enumerate(sentence.tokens) if token.form in (".", ",")]
    if not places:
        return sentence
    tokens = list(sentence.tokens)
    place = places[int(random.integers(len(places)))]
    tokens[place] = tokens[place]._replace(form=_DOTS)
    return replace(sentence, tokens=tuple(tokens))


def sequences(groups: Iterable[list[GoldSentence]], lexicon: PieceLexicon) -> Sequences:
    """Returns the pieces of paragraphs and what is to be learnt of them."""
    rows = [row for group in groups for row in _sequence(gold_text(group), lexicon)]
    lengths, single, parts, counts, boundary, multiword = zip(*rows, strict=True)
    return Sequences(
        np.array(lengths, np.int64),
        np.concatenate(single).astype(np.int64),
        np.concatenate(parts).astype(np.int64),
        np.cumsum(np.concatenate(counts)),
        np.concatenate(boundary),
        np.concatenate(multiword),
    )


_Row = tuple[int, NDArray[np.int32], NDArray[np.int32], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]


def _sequence(gold: GoldText, lexicon: PieceLexicon) -> Iterator[_Row]:
    text = gold.text.encode(errors="surrogatepass")
    _, last, _ = _native.pieces(text, lexicon.glue)
    single, parts, ends = lexicon.native.describe(text, lexicon.glue)
    single = single.reshape(-1, 5)
    boundary = np.where(np.isin(last, gold.ends), TOKEN_END, INSIDE)
    boundary[np.isin(last, gold.sentence_ends)] = SENTENCE_END
    multiword = np.where(boundary > INSIDE, 0, -1)
    multiword[np.isin(last, [end for end, is_one in zip(gold.ends, gold.multiword, strict=True) if is_one])] = 1
    starts = np.concatenate([[0], ends])
    for begin in range(0, len(last), LONGEST):
        here = slice(begin, min(begin + LONGEST, len(last)))
        yield (
            here.stop - begin,
            single[here],
            parts[starts[begin] : starts[here.stop]],
            np.diff(starts[begin : here.stop + 1]),
            boundary[here],
            multiword[here],
        )
