"""The public parser interface."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby, islice
from typing import IO, Any, cast, overload

from multiplane.data import bundled_models, named_models
from multiplane.errors import FormatError, InputError, ModelError
from multiplane.formats import DIALECTS, Corpus, Sentence, Source, Target, Treebank, as_corpus, dialect_of
from multiplane.formats.corpus import OnError
from multiplane.formats.reader import blocks
from multiplane.formats.rewrite import NewColumn, with_columns
from multiplane.formats.stream import ByteSource, path_of, refuse_own_output
from multiplane.formats.treebank import joined
from multiplane.graphs import DependencyGraph, Layer
from multiplane.models import Model, TokenizerModel, save_model
from multiplane.models.files import is_model, load_pipeline
from multiplane.models.tags import check_predicted, check_tags, columns_in
from multiplane.parser.fixed import Arcs
from multiplane.parser.results import How, best_trees, parsed_corpus
from multiplane.parser.stream import BLOCK, Parsed, Work, parse_stream
from multiplane.parser.tokenizers import chosen_tokenizer
from multiplane.systems import Action
from multiplane.text import Tokenizer, corpus_of_text, is_text, text_blocks

_BATCH = 1_000
Columns = str | Sequence[str] | None
"""Columns to predict, such as `("upos", "lemma")` or `"upos,lemma"`; none of them with `"none"`."""


class Parser:
    """A trained parser.

    >>> from multiplane import sample, train
    >>> parser = train(sample(), epochs=2)
    >>> parser
    <Parser 2-planar-eager.trees(no root, single root): 42 labels>
    >>> parsed = parser.parse(sample())
    >>> parsed[0].forms == sample()[0].forms
    True
    """

    def __init__(self, model: Model, tokenizer: Tokenizer | None = None) -> None:
        self.model = model
        self.tokenizer = tokenizer
        """The model's own tokenizer, if it has one."""

    def __repr__(self) -> str:
        return f"<Parser {self.model.system.title}: {len(self.model.names)} labels>"

    @overload
    def parse(
        self,
        sentences: str,
        *,
        beam: int | None = None,
        predict: Columns = None,
        scores: bool = False,
        tokenizer: Tokenizer | str | os.PathLike[str] | None = None,
        ranges: bool = False,
    ) -> Corpus: ...
    @overload
    def parse(
        self,
        sentences: Sentence,
        *,
        beam: int | None = None,
        keep_heads: bool = False,
        keep_predicates: bool = False,
        predict: Columns = None,
        forbidden: Arcs | None = None,
        scores: bool = False,
    ) -> Sentence: ...
    @overload
    def parse(  # type: ignore[overload-overlap]
        self,
        sentences: Corpus,
        *,
        beam: int | None = None,
        keep_heads: bool = False,
        keep_predicates: bool = False,
        predict: Columns = None,
        forbidden: Sequence[Arcs] | None = None,
        scores: bool = False,
    ) -> Corpus: ...
    @overload
    def parse(  # type: ignore[overload-overlap]
        self,
        sentences: Iterator[Sentence],
        *,
        beam: int | None = None,
        keep_heads: bool = False,
        keep_predicates: bool = False,
        predict: Columns = None,
        scores: bool = False,
    ) -> Iterator[Sentence]: ...
    @overload
    def parse(
        self,
        sentences: Iterable[Sentence],
        *,
        beam: int | None = None,
        keep_heads: bool = False,
        keep_predicates: bool = False,
        predict: Columns = None,
        scores: bool = False,
    ) -> list[Sentence]: ...
    @overload
    def parse(
        self,
        sentences: Sentence,
        *,
        best: int,
        beam: int | None = None,
        keep_heads: bool = False,
        forbidden: Arcs | None = None,
        scores: bool = False,
    ) -> list[Sentence]: ...
    @overload
    def parse(
        self,
        sentences: str | Iterable[Sentence],
        *,
        best: int,
        beam: int | None = None,
        keep_heads: bool = False,
        forbidden: Sequence[Arcs] | None = None,
        scores: bool = False,
    ) -> list[list[Sentence]]: ...
    def parse(
        self,
        sentences: str | Sentence | Iterable[Sentence],
        *,
        beam: int | None = None,
        keep_heads: bool = False,
        keep_predicates: bool = False,
        predict: Columns = None,
        forbidden: Any = None,
        scores: bool = False,
        best: int | None = None,
        tokenizer: Tokenizer | str | os.PathLike[str] | None = None,
        ranges: bool = False,
    ) -> Sentence | Corpus | Iterator[Sentence] | list[Sentence] | list[list[Sentence]]:
        """Parses a sentence, a corpus, or several sentences; returns the same type, with new heads and labels.

        A text is first split into sentences and words (see `multiplane.text`), by the model's own tokenizer, by the
        one for English if it has none, or by a `tokenizer`: its name, its folder if it was trained, or itself; the
        result is a corpus. With `ranges`, MISC says where each token is in the text.

        `beam` overrides the model's beam width. With `keep_heads`, existing heads and labels are kept; with
        `keep_predicates`, a joint model predicts senses and arguments for the given predicates only. Tags and lemmas
        that the model predicts are filled in where they are `_`; with `predict`, those of these columns are replaced
        instead. An iterator is parsed lazily.

        `forbidden` lists arcs `(head, dependent)` that a tree must not have; for a corpus, a list for each sentence.
        `scores` adds how sure the parser is of each word (`Sentence.scores`) and of the whole tree (`Sentence.score`).
        With `best`, the result is a list of at most that many sentences for each sentence, the best tree first.

        >>> from multiplane import sample, train
        >>> parser = train(sample(), system="arc-eager", epochs=1)
        >>> [len(sentence) for sentence in parser.parse(sample()[:3])]
        [6, 23, 10]
        >>> parser.parse(sample()[0], forbidden=[(0, 4)]).heads[3] != 0
        True
        >>> [tree.sent_id for tree in parser.parse(sample()[0], best=2)]
        ['en-001', 'en-001~2']
        """
        how = How(beam, keep_heads, keep_predicates, self._columns(predict), forbidden, scores, best)
        if isinstance(sentences, str):
            self._require_no_tags()
            if keep_heads or forbidden is not None:
                raise ValueError("a text has no heads to keep and no words yet; pass a Sentence or a Corpus")
            return self._parsed(corpus_of_text(sentences, self._tokenizer(tokenizer), ranges=ranges), how)
        if tokenizer is not None or ranges:
            raise ValueError("only a text needs a tokenizer or has ranges; a Sentence or a Corpus has its words")
        if isinstance(sentences, Corpus):
            return self._parsed(sentences, how)
        if isinstance(sentences, Sentence):
            one = how if forbidden is None else replace(how, forbidden=[forbidden])
            return self._parsed(joined([sentences]), one)[0]
        if forbidden is not None:
            raise ValueError("forbidden arcs need a Sentence or a Corpus")
        if best is not None:
            return [best_trees(self.model, joined([_required(each)]), how)[0] for each in sentences]
        parsed = self._sentences(map(_required, iter(sentences)), how)
        return parsed if isinstance(sentences, Iterator) else list(parsed)

    def _parsed(self, corpus: Corpus, how: How) -> Corpus | list[list[Sentence]]:
        return self._corpus(corpus, how) if how.best is None else best_trees(self.model, corpus, how)

    def calibrate(self, dev: Treebank, *, beam: int | None = None) -> Parser:
        """Returns a parser whose scores are calibrated on development data, for its own beam width or another one.

        The data must not be part of the training data. Training with `dev` calibrates a parser already.

        >>> from multiplane import sample
        >>> [each.beam for each in load("en").calibrate(sample(), beam=8).model.calibrations]
        [1, 8]
        """
        from multiplane.training.calibrate import calibrate  # noqa: PLC0415 - only needed for training

        corpus = as_corpus(dev)
        check_tags(corpus, self.model)
        return Parser(calibrate(self.model, corpus, beam), self.tokenizer)

    def _sentences(self, sentences: Iterator[Sentence], how: How) -> Iterator[Sentence]:
        while batch := list(islice(sentences, _BATCH)):
            for _, group in groupby(batch, key=lambda sentence: sentence.corpus.dialect):
                yield from self._corpus(joined(list(group)), how)

    def _corpus(self, corpus: Corpus, how: How) -> Corpus:
        return parsed_corpus(self.model, corpus, how)

    def _tokenizer(self, given: Tokenizer | str | os.PathLike[str] | None) -> Tokenizer:
        """Returns the given tokenizer, else the model's own, else the default one."""
        return chosen_tokenizer(self.tokenizer if given is None else given)

    def _columns(self, predict: Columns) -> tuple[str, ...] | None:
        """Returns the columns to replace; raises `ModelError` if the model does not predict one of them."""
        if predict is None:
            return None
        columns = columns_in(predict)
        check_predicted(columns, self.model)
        return columns

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

        >>> from multiplane import sample, train
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

        >>> from multiplane import evaluate, sample, train
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

        >>> from multiplane import sample, train
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
        text: bool | None = None,
        tokenizer: Tokenizer | str | os.PathLike[str] | None = None,
        lines: bool = False,
        ranges: bool = False,
        threads: int = 1,
        beam: int | None = None,
        keep_heads: bool = False,
        keep_predicates: bool = False,
        predict: Columns = None,
        scores: bool = False,
        best: int | None = None,
        on_error: OnError = "fail",
        block: int = BLOCK,
        progress: Callable[[int], None] | None = None,
        on_problem: Callable[[FormatError], None] = lambda problem: None,
    ) -> Parsed:
        """Parses from file to file, in blocks of about `block` bytes; returns the number of sentences and words.

        Only HEAD and DEPREL change; with a joint model, also predicates and arguments; tags and lemmas as in `parse`;
        with `scores` and `best`, also MISC and comments. Memory use does not depend on
        the file size, and the output does not depend on the number of threads or the block size. With
        ``on_error="skip"``, skips broken sentences and calls `on_problem` with each error. `progress` is called with
        the number of bytes read from disk so far.

        With `text`, the input is plain text and the output CoNLL-U; `tokenizer` is as for `parse`, and `lines` and
        `ranges` are those of `multiplane.text.text_blocks`. By default, the suffix and the content tell whether it is
        text, unless `format` is given.

        >>> import io
        >>> from multiplane import sample, train
        >>> parser, out = train(sample(), epochs=1), io.BytesIO()
        >>> parser.parse_stream(io.BytesIO(sample().to_bytes()), out, threads=2)
        Parsed(sentences=65, words=714)
        """
        refuse_own_output(source, target)
        how = How(beam, keep_heads, keep_predicates, self._columns(predict), scores=scores, best=best)
        with ByteSource(source) as opened:
            stream = cast("IO[bytes]", opened)
            if is_text(opened) if text is None and format is None else text:
                self._require_no_tags()
                if keep_heads or keep_predicates:
                    raise InputError(
                        f"{opened.name}: is plain text, which has no heads or predicates to keep; "
                        "give a CoNLL file, or its format if it is one (--from, or format= in Python)"
                    )
                work = Work(self.model, DIALECTS["conllu"], how)
                pieces = text_blocks(stream, self._tokenizer(tokenizer), block, progress, lines=lines, ranges=ranges)
            else:
                if ranges:
                    raise InputError(f"{opened.name}: is a CoNLL file, and only plain text has ranges; drop --ranges")
                work = Work(self.model, dialect_of(path_of(source), format), how)
                pieces = blocks(stream, block, progress)
            return parse_stream(work, pieces, target, threads, on_error, on_problem)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a model directory."""
        save_model(self.model, path, self.tokenizer if isinstance(self.tokenizer, TokenizerModel) else None)


def _required(sentence: Sentence) -> Sentence:
    if not isinstance(sentence, Sentence):
        kind = type(sentence).__name__
        raise TypeError(f"expected a text, a Corpus, a Sentence, or several Sentences, but one of them is a {kind}")
    return sentence


def load(path: str | os.PathLike[str]) -> Parser:
    """Loads a parser from a model directory, or by name: a bundled one, or one from another installed package.

    >>> parser = load("en")
    >>> [sentence.deprels for sentence in parser.parse("She left.")]
    [['nsubj', 'root', 'punct']]
    """
    return Parser(*load_pipeline(model_folder(path)))


def model_folder(path: str | os.PathLike[str]) -> str | os.PathLike[str]:
    """Returns the folder of a model that is given by its path or name; a folder comes before a model of the same name.

    >>> model_folder("some/folder")
    'some/folder'
    >>> model_folder("eng")
    Traceback (most recent call last):
    ...
    multiplane.errors.ModelError: eng: no such model; give the folder that 'multiplane train' wrote, or a name: en...
    """
    name = os.fspath(path)
    if is_model(name) or os.path.dirname(name):
        return name
    bundled = bundled_models()
    if name in bundled:
        return bundled[name]
    named = named_models()  # slower, as it looks at all installed packages
    if name not in named and not os.path.exists(name):
        known = ", ".join(sorted(named))
        raise ModelError(f"{name}: no such model; give the folder that 'multiplane train' wrote, or a name: {known}")
    return named.get(name, name)
