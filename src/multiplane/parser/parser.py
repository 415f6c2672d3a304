"""The parser, as programs use it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any, overload

from multiplane.data import bundled_models
from multiplane.errors import FormatError, ModelError
from multiplane.formats import DIALECTS, Corpus, Sentence, Source, Target, dialect_of
from multiplane.formats.reader import Block, OnError, blocks, corpus_of
from multiplane.formats.rewrite import with_labels
from multiplane.formats.stream import path_of
from multiplane.models import Model, load_model, save_model
from multiplane.models.files import is_model
from multiplane.parser.fixed import parse_fixed
from multiplane.parser.stream import BLOCK, Parsed, Work, parse_stream
from multiplane.systems import Action
from multiplane.text import Tokenizer, corpus_of_text, text_blocks

if TYPE_CHECKING:
    from multiplane.evaluation.pair import Treebank

_BATCH = 1_000


class Parser:
    """A trained parser.

    >>> from multiplane import sample
    >>> parser = train(sample(), epochs=2)
    >>> parser
    <Parser 2-planar-eager.trees(no root, single root): 42 labels>
    >>> parsed = parser.parse(sample())
    >>> parsed[0].forms == sample()[0].forms
    True
    """

    def __init__(self, model: Model) -> None:
        self.model = model

    def __repr__(self) -> str:
        return f"<Parser {self.model.system.title}: {len(self.model.names)} labels>"

    @overload
    def parse(self, sentences: str, *, beam: int | None = None) -> Corpus: ...
    @overload
    def parse(self, sentences: Sentence, *, beam: int | None = None, keep_heads: bool = False) -> Sentence: ...
    @overload
    def parse(  # type: ignore[overload-overlap]
        self, sentences: Corpus, *, beam: int | None = None, keep_heads: bool = False
    ) -> Corpus: ...
    @overload
    def parse(  # type: ignore[overload-overlap]
        self, sentences: Iterator[Sentence], *, beam: int | None = None, keep_heads: bool = False
    ) -> Iterator[Sentence]: ...
    @overload
    def parse(
        self, sentences: Iterable[Sentence], *, beam: int | None = None, keep_heads: bool = False
    ) -> list[Sentence]: ...
    def parse(
        self, sentences: str | Sentence | Iterable[Sentence], *, beam: int | None = None, keep_heads: bool = False
    ) -> Sentence | Corpus | Iterator[Sentence] | list[Sentence]:
        """Parses a sentence, a corpus, or sentences: what comes back has the same shape, with other heads and labels.

        A text is cut into sentences and words first (see `multiplane.text`), and comes back as a corpus.

        The width of the beam is the model's own, unless another one is given. With
        `keep_heads`, heads and labels that are there already stay. An iterator is parsed as it is consumed.

        >>> from multiplane import sample
        >>> parser = train(sample(), system="arc-eager", epochs=1)
        >>> [len(sentence) for sentence in parser.parse(sample()[:3])]
        [6, 23, 10]
        """
        if isinstance(sentences, str):
            self._require_no_tags()
            if keep_heads:
                raise ValueError("a text has no heads to keep; give a Sentence or a Corpus")
            return self._corpus(corpus_of_text(sentences), beam, False)
        if isinstance(sentences, Corpus):
            return self._corpus(sentences, beam, keep_heads)
        if isinstance(sentences, Sentence):
            return self._corpus(_joined([sentences]), beam, keep_heads)[0]
        parsed = self._sentences(map(_required, iter(sentences)), beam, keep_heads)
        return parsed if isinstance(sentences, Iterator) else list(parsed)

    def _sentences(self, sentences: Iterator[Sentence], beam: int | None, keep_heads: bool) -> Iterator[Sentence]:
        while batch := list(islice(sentences, _BATCH)):
            for _, group in groupby(batch, key=lambda sentence: sentence.corpus.dialect):
                yield from self._corpus(_joined(list(group)), beam, keep_heads)

    def _corpus(self, corpus: Corpus, beam: int | None, keep_heads: bool) -> Corpus:
        if keep_heads:
            trees, names = parse_fixed(self.model, corpus, beam)
            return with_labels(corpus, *trees[:2], names, trees.tags)
        trees = self.model.parse(corpus, beam)
        return with_labels(corpus, *trees[:2], self.model.names, trees.tags)

    def _require_no_tags(self) -> None:
        if self.model.needs_tags:
            raise ModelError(
                "this model parses words with tags, not plain text: give a Sentence or a Corpus, "
                "or train a neural model with --tags predicted"
            )

    def derivation(self, sentence: Sentence, *, beam: int | None = None) -> list[Action]:
        """The transitions by which the parser builds the tree of a sentence.

        >>> from multiplane import sample
        >>> parser = train(sample(), system="arc-eager", epochs=1)
        >>> derivation = parser.derivation(sample()[0])
        >>> str(derivation[0]), len(derivation) <= 3 * len(sample()[0])
        ('SHIFT', True)
        """
        return self.model.derivations(_joined([sentence]), beam)[0]

    def parse_stream(
        self,
        source: Source,
        target: Target,
        *,
        format: str | None = None,  # noqa: A002
        text: bool = False,
        tokenizer: Tokenizer | str | None = None,
        lines: bool = False,
        threads: int = 1,
        beam: int | None = None,
        keep_heads: bool = False,
        on_error: OnError = "fail",
        block: int = BLOCK,
        progress: Callable[[int], None] | None = None,
        on_problem: Callable[[FormatError], None] = lambda problem: None,
    ) -> Parsed:
        """Parses from file to file, in blocks of about so many bytes, and tells how much it was.

        Only HEAD and DEPREL change. Memory does not grow with the file, and the output does not depend on the number
        of threads or the size of blocks. With ``on_error="skip"`` broken sentences are left out, and `on_problem` is
        told of each. `progress` is told how far in the file, in bytes on disk, the reading has come.

        With `text`, the file is plain text, and the output CoNLL-U; `tokenizer` and `lines` are those of
        `multiplane.text.text_blocks`.

        >>> import io
        >>> from multiplane import sample
        >>> parser, out = train(sample(), epochs=1), io.BytesIO()
        >>> parser.parse_stream(io.BytesIO(sample().to_bytes()), out, threads=2)
        Parsed(sentences=65, words=714)
        """
        if text:
            self._require_no_tags()
            work = Work(self.model, DIALECTS["conllu"], beam)
            pieces = text_blocks(source, tokenizer, block, progress, lines=lines)
        else:
            work = Work(self.model, dialect_of(path_of(source), format), beam, keep_heads)
            pieces = blocks(source, block, progress)
        return parse_stream(work, pieces, target, threads, on_error, on_problem)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a model directory."""
        save_model(self.model, path)


def _required(sentence: Sentence) -> Sentence:
    if not isinstance(sentence, Sentence):
        kind = type(sentence).__name__
        raise TypeError(f"a text, a Corpus, a Sentence, or several Sentences can be parsed; one of these is a {kind}")
    return sentence


def _joined(sentences: Sequence[Sentence]) -> Corpus:
    """A corpus of some sentences; a single one keeps its place in its file."""
    first = sentences[0]
    text = b"".join(sentence.to_bytes() for sentence in sentences)
    block = Block(text, first.corpus.name, first.line - 1, first.number_in_file - 1)
    return corpus_of(block, first.corpus.dialect, "fail")


def load(path: str | os.PathLike[str]) -> Parser:
    """Loads a parser from a model directory, or one that comes with the package by its name.

    >>> parser = load("en")
    >>> [sentence.deprels for sentence in parser.parse("She left.")]
    [['nsubj', 'root', 'punct']]
    """
    bundled = bundled_models().get(os.fspath(path))
    return Parser(load_model(path if bundled is None or is_model(path) else bundled))


def train(
    train: Treebank | Sequence[Treebank],
    dev: Treebank | None = None,
    *,
    licence: str | None = None,
    **settings: Any,
) -> Parser:
    """Trains a parser; for the settings see `multiplane.training.Settings`.

    Treebanks are corpora, sentences, or the paths of files; `train` may be a list of several. With `dev` the best epoch
    is kept, and training ends when there is no better one.

    >>> from multiplane import sample
    >>> parser = train(sample(), sample(), epochs=2, seed=7)
    >>> parser.model.record.chosen.las > 50
    True
    """
    from multiplane.evaluation.pair import as_corpus  # noqa: PLC0415 - what only training needs
    from multiplane.training import train_model  # noqa: PLC0415
    from multiplane.training.neural_config import settings_of  # noqa: PLC0415

    development = None if dev is None else as_corpus(dev)
    model, interrupted = train_model(_corpora(train), development, settings_of(settings), licence=licence)
    if interrupted:
        raise KeyboardInterrupt
    return Parser(model)


def _corpora(treebanks: Treebank | Sequence[Treebank]) -> list[Corpus]:
    from multiplane.evaluation.pair import as_corpus  # noqa: PLC0415 - what only training needs

    if isinstance(treebanks, list | tuple) and not all(isinstance(part, Sentence) for part in treebanks):
        return [as_corpus(part) for part in treebanks]
    return [as_corpus(treebanks)]  # type: ignore[arg-type]
