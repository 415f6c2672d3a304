"""The public parser interface."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, islice
from typing import Any, overload

from multiplane.data import bundled_models
from multiplane.errors import FormatError, ModelError
from multiplane.formats import DIALECTS, Corpus, Sentence, Source, Target, Treebank, as_corpus, dialect_of
from multiplane.formats.corpus import OnError
from multiplane.formats.reader import blocks
from multiplane.formats.rewrite import NewColumn, with_columns
from multiplane.formats.stream import path_of, refuse_own_output
from multiplane.formats.treebank import joined
from multiplane.graphs import DependencyGraph, Layer
from multiplane.models import Model, load_model, save_model
from multiplane.models.files import is_model
from multiplane.models.tags import check_tags
from multiplane.parser.results import How, parsed_corpus
from multiplane.parser.stream import BLOCK, Parsed, Work, parse_stream
from multiplane.systems import Action
from multiplane.text import Tokenizer, corpus_of_text, text_blocks

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
    def parse(
        self, sentences: Sentence, *, beam: int | None = None, keep_heads: bool = False, keep_predicates: bool = False
    ) -> Sentence: ...
    @overload
    def parse(  # type: ignore[overload-overlap]
        self, sentences: Corpus, *, beam: int | None = None, keep_heads: bool = False, keep_predicates: bool = False
    ) -> Corpus: ...
    @overload
    def parse(  # type: ignore[overload-overlap]
        self,
        sentences: Iterator[Sentence],
        *,
        beam: int | None = None,
        keep_heads: bool = False,
        keep_predicates: bool = False,
    ) -> Iterator[Sentence]: ...
    @overload
    def parse(
        self,
        sentences: Iterable[Sentence],
        *,
        beam: int | None = None,
        keep_heads: bool = False,
        keep_predicates: bool = False,
    ) -> list[Sentence]: ...
    def parse(
        self,
        sentences: str | Sentence | Iterable[Sentence],
        *,
        beam: int | None = None,
        keep_heads: bool = False,
        keep_predicates: bool = False,
    ) -> Sentence | Corpus | Iterator[Sentence] | list[Sentence]:
        """Parses a sentence, a corpus, or several sentences; returns the same type, with new heads and labels.

        A text is first split into sentences and words (see `multiplane.text`); the result is a corpus.

        `beam` overrides the model's beam width. With `keep_heads`, existing heads and labels are kept; with
        `keep_predicates`, a joint model predicts senses and arguments for the given predicates only. An iterator is
        parsed lazily.

        >>> from multiplane import sample
        >>> parser = train(sample(), system="arc-eager", epochs=1)
        >>> [len(sentence) for sentence in parser.parse(sample()[:3])]
        [6, 23, 10]
        """
        if isinstance(sentences, str):
            self._require_no_tags()
            if keep_heads:
                raise ValueError("a text has no heads to keep; pass a Sentence or a Corpus")
            return self._corpus(corpus_of_text(sentences), How(beam))
        how = How(beam, keep_heads, keep_predicates)
        if isinstance(sentences, Corpus):
            return self._corpus(sentences, how)
        if isinstance(sentences, Sentence):
            return self._corpus(joined([sentences]), how)[0]
        parsed = self._sentences(map(_required, iter(sentences)), how)
        return parsed if isinstance(sentences, Iterator) else list(parsed)

    def _sentences(self, sentences: Iterator[Sentence], how: How) -> Iterator[Sentence]:
        while batch := list(islice(sentences, _BATCH)):
            for _, group in groupby(batch, key=lambda sentence: sentence.corpus.dialect):
                yield from self._corpus(joined(list(group)), how)

    def _corpus(self, corpus: Corpus, how: How) -> Corpus:
        return parsed_corpus(self.model, corpus, how)

    def _require_no_tags(self) -> None:
        if self.model.needs_tags:
            raise ModelError(
                "this model needs POS tags, which plain text does not have; pass a tagged Sentence or Corpus, "
                "or use a neural model trained with --tags predicted"
            )

    def graphs(self, treebank: Treebank, *, beam: int | None = None) -> list[DependencyGraph]:
        """Returns the graphs that the parser's derivations build, before its codec turns them into trees.

        A treebank is a corpus, a sentence, several sentences, or the path of a file. The arcs of an undirected
        parser are its edges, each with the smaller node as the head.

        >>> from multiplane import sample
        >>> parser = train(sample(), system="undirected-planar", root="none", epochs=1)
        >>> graph = parser.graphs(sample()[0])[0]
        >>> len(graph.arcs) == graph.n - 1
        True
        """
        corpus = as_corpus(treebank)
        check_tags(corpus, self.model)
        return self.model.graphs(corpus, beam)

    def edges(self, treebank: Treebank, *, beam: int | None = None) -> Corpus:
        """Returns the edges of an undirected parser before reconstruction, as trees away from the root.

        So `UAS-undirected` and `LAS-undirected` of this corpus tell how good the parser's edges are, and the scores of
        `parse` what reconstruction makes of them.

        >>> from multiplane import evaluate, sample
        >>> parser = train(sample(), system="undirected-planar", root="left", epochs=2)
        >>> before, after = parser.edges(sample()), parser.parse(sample())
        >>> evaluate(sample(), before).las_undirected >= evaluate(sample(), after).las - 1
        True
        """
        corpus = as_corpus(treebank)
        check_tags(corpus, self.model)
        found = self.model.edges(corpus, beam)
        return with_columns(
            corpus, [NewColumn("head", found.heads), NewColumn("deprel", found.labels, self.model.names)]
        )

    def derivation(self, sentence: Sentence, *, beam: int | None = None, layer: Layer = "syntax") -> list[Action]:
        """Returns the transitions with which the parser builds the tree of a sentence, or its graph beside the tree.

        >>> from multiplane import sample
        >>> parser = train(sample(), system="arc-eager", epochs=1)
        >>> derivation = parser.derivation(sample()[0])
        >>> str(derivation[0]), len(derivation) <= 3 * len(sample()[0])
        ('SHIFT', True)
        """
        corpus = joined([sentence])
        check_tags(corpus, self.model)
        if layer == "syntax":
            return self.model.derivations(corpus, beam)[0]
        return self.model.graph_derivations(corpus, beam)[0]

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
        keep_predicates: bool = False,
        on_error: OnError = "fail",
        block: int = BLOCK,
        progress: Callable[[int], None] | None = None,
        on_problem: Callable[[FormatError], None] = lambda problem: None,
    ) -> Parsed:
        """Parses from file to file, in blocks of about `block` bytes; returns the number of sentences and words.

        Only HEAD and DEPREL change; with a joint model, also predicates and arguments. Memory use does not depend on
        the file size, and the output does not depend on the number of threads or the block size. With
        ``on_error="skip"``, skips broken sentences and calls `on_problem` with each error. `progress` is called with
        the number of bytes read from disk so far.

        With `text`, the input is plain text and the output CoNLL-U; `tokenizer` and `lines` are those of
        `multiplane.text.text_blocks`.

        >>> import io
        >>> from multiplane import sample
        >>> parser, out = train(sample(), epochs=1), io.BytesIO()
        >>> parser.parse_stream(io.BytesIO(sample().to_bytes()), out, threads=2)
        Parsed(sentences=65, words=714)
        """
        refuse_own_output(source, target)
        if text:
            self._require_no_tags()
            work = Work(self.model, DIALECTS["conllu"], How(beam))
            pieces = text_blocks(source, tokenizer, block, progress, lines=lines)
        else:
            how = How(beam, keep_heads, keep_predicates)
            work = Work(self.model, dialect_of(path_of(source), format), how)
            pieces = blocks(source, block, progress)
        return parse_stream(work, pieces, target, threads, on_error, on_problem)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a model directory."""
        save_model(self.model, path)


def _required(sentence: Sentence) -> Sentence:
    if not isinstance(sentence, Sentence):
        kind = type(sentence).__name__
        raise TypeError(f"expected a text, a Corpus, a Sentence, or several Sentences, but one of them is a {kind}")
    return sentence


def load(path: str | os.PathLike[str]) -> Parser:
    """Loads a parser from a model directory, or a bundled one by name.

    >>> parser = load("en")
    >>> [sentence.deprels for sentence in parser.parse("She left.")]
    [['nsubj', 'root', 'punct']]
    """
    return Parser(load_model(model_folder(path)))


def model_folder(path: str | os.PathLike[str]) -> str:
    """Returns the folder of a model: that of a bundled one, if this is its name."""
    bundled = bundled_models().get(os.fspath(path))
    return os.fspath(path if bundled is None or is_model(path) else bundled)


def train(
    train: Treebank | Sequence[Treebank],
    dev: Treebank | None = None,
    *,
    licence: str | None = None,
    **settings: Any,
) -> Parser:
    """Trains a parser; for the settings see `multiplane.training.Settings`.

    Treebanks are corpora, sentences, or paths of files; `train` may be a list of treebanks. With `dev`, keeps the best
    epoch and stops early when scores no longer improve.

    >>> from multiplane import sample
    >>> parser = train(sample(), sample(), epochs=2, seed=7)
    >>> parser.model.record.chosen.las > 50
    True
    """
    from multiplane.training import train_model  # noqa: PLC0415 - only needed for training
    from multiplane.training.tasks import settings_of  # noqa: PLC0415

    if "teacher" in settings:
        given = settings["teacher"]
        settings["teacher"] = tuple(map(model_folder, [given] if isinstance(given, str | os.PathLike) else given))
    development = None if dev is None else as_corpus(dev)
    model, interrupted = train_model(_corpora(train), development, settings_of(settings), licence=licence)
    if interrupted:
        raise KeyboardInterrupt
    return Parser(model)


def _corpora(treebanks: Treebank | Sequence[Treebank]) -> list[Corpus]:
    if isinstance(treebanks, list | tuple) and not all(isinstance(part, Sentence) for part in treebanks):
        return [as_corpus(part) for part in treebanks]
    return [as_corpus(treebanks)]  # type: ignore[arg-type]
