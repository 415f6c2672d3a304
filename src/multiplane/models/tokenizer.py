"""Trained tokenizers: a BiLSTM over the pieces of a text finds tokens and sentences; rules expand multiword tokens.

A piece is a run of letters or digits, or a single sign; in scripts without spaces between words, a single character.
Tokenizers are trained with torch but run without it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Self

from numpy.typing import NDArray

from multiplane import _native
from multiplane.errors import ModelError, UnknownTokenizerError
from multiplane.formats.fields import FORBIDDEN
from multiplane.models.neural import as_floats
from multiplane.models.protocol import Contents
from multiplane.models.record import TrainingRecord
from multiplane.models.toml import taken, taken_or
from multiplane.text import Splitter, Token, rendered, resegmented, splitter_of

RUNS = ("alphabetic", "han", "hiragana", "katakana", "hangul", "spaceless", "digits")
"""The kinds of runs of characters, in the order of the native core, which counts from 1."""
VOCABULARIES = ("words", "chunks", "exceptions", "rules")
JOINTS = "joints"


def glue_of(runs: tuple[str, ...]) -> int:
    """Returns the runs that are one piece, for the native core.

    >>> glue_of(("alphabetic", "digits"))
    130
    """
    return sum(1 << RUNS.index(run) + 1 for run in runs)


@dataclass(frozen=True)
class PieceLexicon:
    """The vocabularies of a tokenizer.

    >>> PieceLexicon(("alphabetic",), ("a", "dog"), (), 1024).native.describe(b"A dog", 2)[0].reshape(-1, 5)[:, 0]
    array([1, 2], dtype=int32)
    """

    glued: tuple[str, ...]
    """The runs of characters that are one piece; the characters of others are pieces of their own."""
    words: tuple[str, ...]
    """Frequent pieces in lower case."""
    chunks: tuple[str, ...]
    """Frequent texts between two spaces that are several pieces, in lower case."""
    ngrams: int
    """The number of n-gram embeddings, which are addressed by hash."""

    @property
    def glue(self) -> int:
        """`glued` for the native core."""
        return glue_of(self.glued)

    @cached_property
    def native(self) -> _native.PieceLexicon:
        """The native lexicon."""
        return _native.PieceLexicon(list(self.words), list(self.chunks), self.ngrams)

    def __getstate__(self) -> dict[str, Any]:
        """Pickles the fields."""
        return _fields_of(self)


class _Plain(NamedTuple):
    """A tokenizer that does not write CoNLL-U itself."""

    sentences: Callable[[str], Sequence[Sequence[Token]]]


@dataclass(frozen=True, eq=False)
class TokenizerModel:
    """A trained tokenizer."""

    kind: ClassVar[str] = "tokenizer"

    lexicon: PieceLexicon
    exceptions: tuple[str, ...]
    """Multiword tokens and their words, separated by tabs."""
    rules: tuple[str, ...]
    """Rules for the words of other multiword tokens; see `multiplane.training.multiwords.Rule`."""
    spaces_inside: bool
    """Whether tokens can contain spaces."""
    weights: dict[str, NDArray[Any]] = field(repr=False)
    record: TrainingRecord = field(default_factory=TrainingRecord)
    tokens: str | None = None
    """The name of a tokenizer that finds the tokens; the network then only finds sentences and multiword tokens."""
    joints: tuple[str, ...] = ()
    """Signs that are always part of a token, with what is around them: `a-a` between letters, `0/a` behind a digit."""

    def __post_init__(self) -> None:
        rows = [row.split("\t") for row in self.exceptions] + [row.split("\t")[5:] for row in self.rules]
        for row in (*rows, *(row.split("\t")[:5] or [""] for row in self.rules)):
            if any(map(FORBIDDEN.search, row)):
                raise ModelError(f"multiword tokens: {row!r} has a character that no field can contain")
        if any("" in row for row in rows):
            raise ModelError("multiword tokens: a word is empty")
        if any(len(joint) != 3 or not {joint[0], joint[2]} <= {"a", "0"} for joint in self.joints):
            raise ModelError("joints: expected signs between a and 0, such as a-a")
        self._native  # noqa: B018 - wrong weights are refused at once
        self._splitter  # noqa: B018

    def __getstate__(self) -> dict[str, Any]:
        """Pickles the fields; the native tokenizer is rebuilt."""
        return _fields_of(self)

    @cached_property
    def _native(self) -> _native.TextTokenizer:
        try:
            return _native.TextTokenizer(
                self.lexicon.native,
                self.lexicon.glue,
                self.spaces_inside,
                _native.Multiwords(self.exceptions, self.rules),
                list(self.joints),
                as_floats(self.weights),
            )
        except (ValueError, TypeError) as error:
            raise ModelError(f"the weights do not fit the model: {str(error).splitlines()[0]}") from None

    @cached_property
    def _splitter(self) -> Splitter | None:
        try:
            return None if self.tokens is None else splitter_of(self.tokens)
        except UnknownTokenizerError as error:
            raise ModelError(f"tokenizer.tokens: {error}") from None

    def sentences(self, text: str) -> list[list[Token]]:
        """Returns the sentences of a paragraph."""
        found = self._own_sentences(text)
        return found if self._splitter is None else list(resegmented(text, self._splitter, found))

    def _own_sentences(self, text: str) -> list[list[Token]]:
        """Returns the sentences and tokens that the network finds."""
        rows, ends = self._native.tokens(text.encode(errors="surrogatepass"))
        tokens = [Token(text[first:last], first, last, tuple(words)) for first, last, words in rows]
        return [tokens[begin:end] for begin, end in zip([0, *ends], ends, strict=False)]

    def conllu(
        self, text: str, *, lines: bool = False, ranges: bool = False, sentences: int = 0, characters: int = 0
    ) -> tuple[bytes, int]:
        """Returns the sentences of a whole text as CoNLL-U, and their number; see `Renderer`."""
        if self._splitter is not None:
            plain = _Plain(self.sentences)
            return rendered(text, plain, lines=lines, ranges=ranges, sentences=sentences, characters=characters)
        return self._native.conllu(text.encode(errors="surrogatepass"), lines, ranges, sentences, characters)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a model directory."""
        from multiplane.models.files import save_model  # noqa: PLC0415 - which knows all kinds of models

        save_model(self, path)

    def with_record(self, record: TrainingRecord) -> Self:
        """Returns the tokenizer with another training record."""
        return replace(self, record=record)

    def contents(self) -> Contents:
        """Returns the contents of the model directory."""
        lexicon = self.lexicon
        table = {"glued": list(lexicon.glued), "ngrams": lexicon.ngrams, "spaces_inside": self.spaces_inside}
        table["tokens"] = self.tokens
        values = (lexicon.words, lexicon.chunks, self.exceptions, self.rules)
        vocabularies = dict(zip(VOCABULARIES, values, strict=True)) | {JOINTS: self.joints}
        return Contents({"tokenizer": table}, self.weights, (), vocabularies)

    @classmethod
    def from_contents(cls, contents: Contents, record: TrainingRecord) -> Self:
        """Restores a tokenizer from a model directory; checks all values."""
        table = taken(contents.config, "tokenizer", dict)
        glued = taken(table, "glued", list)
        if any(run not in RUNS for run in glued):
            raise ModelError(f"tokenizer.glued: expected some of {', '.join(RUNS)}")
        if missing := [name for name in VOCABULARIES if name not in contents.vocabularies]:
            raise ModelError(f"the vocabularies are not those of a tokenizer: no {missing[0]}")
        ngrams = taken(table, "ngrams", int)
        if not 1 <= ngrams <= 1 << 24:
            raise ModelError(f"tokenizer.ngrams is out of range: {ngrams}")
        for name, array in contents.tensors.items():
            if array.dtype not in ("float16", "float32"):
                raise ModelError(f"the weights '{name}' are {array.dtype}; expected: float16 or float32")
        words, chunks, exceptions, rules = (contents.vocabularies[name] for name in VOCABULARIES)
        lexicon = PieceLexicon(tuple(glued), words, chunks, ngrams)
        spaces_inside, tokens = taken(table, "spaces_inside", bool), taken_or(table, "tokens", str, None)
        joints = contents.vocabularies.get(JOINTS, ())
        return cls(lexicon, exceptions, rules, spaces_inside, contents.tensors, record, tokens, joints)


def _fields_of(value: Any) -> dict[str, Any]:
    return {each.name: getattr(value, each.name) for each in fields(value)}
