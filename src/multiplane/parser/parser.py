"""The public parser interface."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import IO, Any, Unpack, cast, overload

import numpy as np

from multiplane.analysis.steps import Steps, stepwise
from multiplane.analysis.trace import LegalTransition
from multiplane.data import bundled_models, named_models
from multiplane.errors import FormatError, GraphError, InputError, LanguageWarning, ModelError, SentenceError
from multiplane.formats import DIALECTS, UNKNOWN_HEAD, Corpus, Sentence, Source, Target, Treebank, as_corpus
from multiplane.formats.corpus import OnError
from multiplane.formats.reader import Block, blocks
from multiplane.formats.rewrite import NewColumn, with_columns
from multiplane.formats.stream import ByteSource, refuse_other_suffix, refuse_own_output
from multiplane.formats.treebank import joined, without_head
from multiplane.graphs import DependencyGraph, Layer
from multiplane.messages import counted
from multiplane.models import Model, TokenizerModel, save_model
from multiplane.models.files import is_model, load_pipeline
from multiplane.models.scored import Option
from multiplane.models.tags import check_predicted, check_tags, columns_in
from multiplane.parser.batches import Parsing, Texts, require_no_tags
from multiplane.parser.fixed import Arcs
from multiplane.parser.inputs import (
    BATCH,
    Columns,
    SentenceOptions,
    TextOptions,
    require_items,
    require_positive,
    require_positive_or_none,
)
from multiplane.parser.results import How
from multiplane.parser.stream import BLOCK, Parsed, Work, parse_stream
from multiplane.parser.tokenizers import chosen_tokenizer
from multiplane.systems import Action
from multiplane.text import Tokenizer, corpus_of_text, is_text, text_blocks
from multiplane.text.detect import conll_dialect, is_blank


class Parser:
    """A trained parser; `multiplane.load` loads one, and `multiplane.train` trains one.

    >>> from multiplane import load, sample, train
    >>> for token in load("en").parse("She left.")[0]:
    ...     print(token.form, token.upos, token.deprel, token.head_id)
    She PRON nsubj 2
    left VERB root 0
    . PUNCT punct 2
    >>> parser = train(sample(), epochs=2)
    >>> parser
    <Parser 2-planar-eager.trees(no root, single root): 42 labels>
    >>> parsed = parser.parse(sample())
    >>> parsed[0].forms == sample()[0].forms
    True

    `parse` takes texts, words, sentences and corpora, `parse_stream` works from file to file, `save` writes the model.
    """

    def __init__(self, model: Model, tokenizer: Tokenizer | None = None) -> None:
        self.model = model
        self.tokenizer = tokenizer
        """The model's own tokenizer, if it has one."""

    def __repr__(self) -> str:
        return f"<Parser {self.model.system.title}: {len(self.model.names)} labels>"

    @overload
    def parse(  # type: ignore[overload-overlap]
        self, sentences: str, **options: Unpack[TextOptions]
    ) -> Corpus: ...
    @overload
    def parse(
        self, sentences: Sentence, *, forbidden: Arcs | None = None, **options: Unpack[SentenceOptions]
    ) -> Sentence: ...
    @overload
    def parse(  # type: ignore[overload-overlap]
        self, sentences: Corpus, *, forbidden: Sequence[Arcs] | None = None, **options: Unpack[SentenceOptions]
    ) -> Corpus: ...
    @overload
    def parse(  # type: ignore[overload-overlap]
        self, sentences: Iterator[str], **options: Unpack[TextOptions]
    ) -> Iterator[Corpus]: ...
    @overload
    def parse(  # type: ignore[overload-overlap]
        self, sentences: Iterable[str], **options: Unpack[TextOptions]
    ) -> list[Corpus]: ...
    @overload
    def parse(  # type: ignore[overload-overlap]
        self, sentences: Iterator[Corpus], **options: Unpack[SentenceOptions]
    ) -> Iterator[Corpus]: ...
    @overload
    def parse(self, sentences: Iterable[Corpus], **options: Unpack[SentenceOptions]) -> list[Corpus]: ...
    @overload
    def parse(  # type: ignore[overload-overlap]
        self, sentences: Iterator[Sentence] | Iterator[Sequence[str]], **options: Unpack[SentenceOptions]
    ) -> Iterator[Sentence]: ...
    @overload
    def parse(
        self, sentences: Iterable[Sentence] | Iterable[Sequence[str]], **options: Unpack[SentenceOptions]
    ) -> list[Sentence]: ...
    @overload
    def parse(
        self, sentences: Sentence, *, best: int, forbidden: Arcs | None = None, **options: Unpack[SentenceOptions]
    ) -> list[Sentence]: ...
    @overload
    def parse(  # type: ignore[overload-overlap]
        self, sentences: str, *, best: int, **options: Unpack[TextOptions]
    ) -> list[list[Sentence]]: ...
    @overload
    def parse(
        self,
        sentences: Corpus,
        *,
        best: int,
        forbidden: Sequence[Arcs] | None = None,
        **options: Unpack[SentenceOptions],
    ) -> list[list[Sentence]]: ...
    @overload
    def parse(  # type: ignore[overload-overlap]
        self, sentences: Iterable[str], *, best: int, **options: Unpack[TextOptions]
    ) -> list[list[list[Sentence]]]: ...
    @overload
    def parse(
        self, sentences: Iterable[Corpus], *, best: int, **options: Unpack[SentenceOptions]
    ) -> list[list[list[Sentence]]]: ...
    @overload
    def parse(
        self, sentences: Iterable[Sentence] | Iterable[Sequence[str]], *, best: int, **options: Unpack[SentenceOptions]
    ) -> list[list[Sentence]]: ...
    def parse(
        self,
        sentences: str | Sentence | Iterable[Any],
        *,
        threads: int = 1,
        batch_size: int = BATCH,
        beam: int | None = None,
        keep_heads: bool = False,
        keep_predicates: bool = False,
        predict: Columns = None,
        forbidden: Any = None,
        scores: bool = False,
        best: int | None = None,
        tokenizer: Tokenizer | str | os.PathLike[str] | None = None,
        lines: bool = False,
        ranges: bool = False,
    ) -> Any:
        """Parses texts, words, sentences or corpora; the type of the result follows the input.

        - A text becomes a `Corpus`.
        - A `Sentence` or a `Corpus` stays one, with new trees.
        - A list or other iterable of texts or corpora becomes a list of corpora.
        - An iterable of lists of words, such as `[["She", "left", "."]]`, or of sentences becomes a list of sentences.
        - A generator or other iterator of these becomes an iterator that parses lazily.

        So a list of strings is a list of texts; put the words of one sentence into a list of their own. Anything else
        raises `TypeError`, including paths: read a file with `multiplane.read`, or use `parse_stream`.

        Items, and the sentences of a long text or corpus, are parsed in batches of about `batch_size` sentences by
        `threads` threads. The results do not depend on either.

        A text is first split into sentences and words (see `multiplane.text`) by the model's own tokenizer, or by the
        English one if it has none. `tokenizer` overrides this: a name, the folder of a trained tokenizer or pipeline,
        or a tokenizer object. With `lines`, every line is one sentence. With `ranges`, MISC has the position of each
        token in the text.

        `beam` overrides the model's beam width. With `keep_heads`, existing heads and labels are kept; with
        `keep_predicates`, a joint model predicts senses and arguments for the given predicates only. Predicted
        tags and lemmas are filled in where they are `_`; with `predict`, the listed columns are overwritten instead.

        `forbidden` lists arcs `(head, dependent)` that the tree of a sentence must not have; for a corpus, a list for
        each sentence. A tree that changes because of given heads or forbidden arcs comes from a beam of at least 8, if
        the model's scores are probabilities or it was trained with a beam. `scores` adds confidence scores of words
        (`Token.score`) and of whole trees (`Sentence.score`). With `best=k`, each sentence of the result is a list of
        at most k trees, best first; the result is then a list, also for a text, a corpus and an iterator.

        >>> from multiplane import load, sample
        >>> parser = load("en")
        >>> parser.parse("She left. He stayed.")
        <Corpus <text>: 2 sentences, 6 words>
        >>> [corpus[0].deprels for corpus in parser.parse(["She left.", "Go home!"])]
        [['nsubj', 'root', 'punct'], ['root', 'advmod', 'punct']]
        >>> parser.parse([["She", "left", "."]], threads=2)[0].heads
        [2, 0, 2]
        >>> parser.parse(sample()[0], forbidden=[(0, 2)]).heads[1] != 0
        True
        >>> [tree.sent_id for tree in parser.parse(sample()[0], best=2)]
        ['en-001', 'en-001~2']
        """
        require_positive("threads", threads)
        require_positive("batch_size", batch_size)
        how = How(beam, keep_heads, keep_predicates, self._columns(predict), forbidden, scores, best)
        texts = Texts(partial(self._tokenizer, tokenizer), lines, ranges, tokenizer is not None or lines or ranges)
        parsing = Parsing(self.model, how, texts, threads, batch_size)
        if isinstance(sentences, str):
            return parsing.text(sentences)
        if isinstance(sentences, Sentence):
            return parsing.sentence(sentences)
        if isinstance(sentences, Corpus):
            return parsing.corpus(sentences)
        items = require_items(sentences)
        if forbidden is not None:
            raise ValueError("forbidden arcs need a Sentence or a Corpus")
        parsed = parsing.items(items)
        return parsed if isinstance(sentences, Iterator) and best is None else list(parsed)

    def calibrate(self, dev: Treebank, *, beam: int | None = None) -> Parser:
        """Returns a parser whose scores are calibrated on development data, for its own beam width or another.

        The data must not be part of the training data. Training with `dev` already calibrates a parser.

        >>> from multiplane import sample
        >>> [each.beam for each in load("en").calibrate(sample(), beam=8).model.calibrations]
        [3, 8]
        """
        from multiplane.training.calibrate import calibrate  # noqa: PLC0415 - only needed for training

        require_positive_or_none(beam=beam)
        corpus = as_corpus(dev)
        check_tags(corpus, self.model)
        return Parser(calibrate(self.model, corpus, beam), self.tokenizer)

    def _tokenizer(self, given: Tokenizer | str | os.PathLike[str] | None) -> Tokenizer:
        """Returns the given tokenizer, the model's own, or the default one; warns if the default does not fit."""
        if given is None and self.tokenizer is None and self.model.record.english is False:
            warnings.warn(
                "the model has no tokenizer of its own and was not trained on English, but text is split as English; "
                "train a tokenizer with 'multiplane train --task tokenizer' and give it with --tokenizer (in Python, "
                "tokenizer=); if the text is already tokenized, use 'spaces'",
                LanguageWarning,
                stacklevel=4,
            )
        return chosen_tokenizer(self.tokenizer if given is None else given)

    def _sentence(self, given: object) -> Sentence:
        """Returns a sentence that is given as one or as a text."""
        if isinstance(given, Sentence):
            return given
        if not isinstance(given, str):
            advice = ", such as corpus[0]" if isinstance(given, Corpus) else ""
            raise TypeError(f"expected a Sentence{advice}, or a text with one sentence, not {type(given).__name__}")
        require_no_tags(self.model)
        corpus = corpus_of_text(given, self._tokenizer(None))
        if len(corpus) != 1:
            raise ValueError(f"the text has {counted(len(corpus), 'sentence')}; give one at a time")
        return corpus[0]

    def _columns(self, predict: Columns) -> tuple[str, ...] | None:
        """Returns the columns to replace; raises `ModelError` if the model does not predict one of them."""
        if predict is None:
            return None
        columns = columns_in(predict)
        check_predicted(columns, self.model)
        return columns

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
        require_positive_or_none(beam=beam)
        corpus = as_corpus(treebank)
        check_tags(corpus, self.model)
        return self.model.graphs(corpus, beam)

    def edges(self, treebank: Treebank, *, beam: int | None = None) -> Corpus:
        """Returns the edges of an undirected parser before reconstruction, as trees directed away from the root.

        `UAS-undirected` and `LAS-undirected` of this corpus measure the parser's edges; the scores of `parse` include
        reconstruction.

        >>> from multiplane import evaluate, sample, train
        >>> parser = train(sample(), system="undirected-planar", root="left", epochs=2)
        >>> before, after = parser.edges(sample()), parser.parse(sample())
        >>> evaluate(sample(), before).las_undirected >= evaluate(sample(), after).las - 1
        True
        """
        require_positive_or_none(beam=beam)
        corpus = as_corpus(treebank)
        check_tags(corpus, self.model)
        found = self.model.edges(corpus, beam)
        return with_columns(
            corpus, [NewColumn("head", found.heads), NewColumn("deprel", found.labels, self.model.names)]
        )

    def derivation(self, sentence: Sentence | str, *, beam: int | None = None, layer: Layer = "syntax") -> list[Action]:
        """Returns the transitions that build the tree of a sentence, or its semantic or enhanced graph.

        A text is split into words as `parse` does, and must be one sentence.

        >>> from multiplane import sample, train
        >>> parser = train(sample(), system="arc-eager", epochs=1)
        >>> derivation = parser.derivation(sample()[0])
        >>> str(derivation[0]), len(derivation) <= 3 * len(sample()[0])
        ('SHIFT', True)
        >>> [action.name for action in load("en").derivation("She left.")][:2]
        ['SHIFT', 'LEFT-REDUCE']
        """
        require_positive_or_none(beam=beam)
        corpus = joined([self._sentence(sentence)])
        check_tags(corpus, self.model)
        if layer == "syntax":
            return self.model.derivations(corpus, beam)[0]
        return self.model.graph_derivations(corpus, beam)[0]

    def steps(
        self,
        sentence: Sentence | str,
        prefix: Sequence[str | Action] = (),
        gold: Sentence | None = None,
        layer: Layer = "syntax",
        *,
        beam: int | None = None,
        most_steps: int | None = None,
    ) -> Steps:
        """Returns the parser's derivation step by step, with the scores of all legal transitions at each configuration.

        Sentences and texts are as for `derivation`, and without a `prefix`, so are the transitions. A prefix is a list
        of transitions chosen by hand, such as `["SHIFT", "LEFT-ARC"]`; the parser continues from there, and chooses
        labels that are missing. A neural model assigns each legal transition a probability; other models have their
        own scale. Given the `gold` tree, each transition has its cost, if the system has a dynamic oracle.

        Raises `TransitionError` if a transition of the prefix is not legal, or if there are more than `most_steps`.

        >>> from multiplane import sample, train
        >>> parser, sentence = train(sample(), system="arc-eager", epochs=1), sample()[0]
        >>> steps = parser.steps(sentence, ["SHIFT", "SHIFT"], gold=sentence)
        >>> [step.by_hand for step in steps.rows[:4]], steps.complete
        ([False, True, True, False], True)
        >>> [(each.transition.partition("(")[0], each.cost) for each in steps.rows[1].legal]
        [('SHIFT', 0), ('LEFT-ARC', 1), ('RIGHT-ARC', 0)]
        """
        require_positive_or_none(beam=beam)
        if layer != "syntax":
            raise ModelError(f"only the steps of syntax have scores; show those of {layer} without scores")
        if self.model.reads_trees:
            raise ModelError("this model reads trees from the input, so it has no derivation of its own to score")
        sentence = self._sentence(sentence)
        corpus = joined([sentence])
        check_tags(corpus, self.model)
        if gold is not None and len(gold) != len(sentence):
            raise GraphError(f"{gold.where}: the gold tree has {len(gold)} words, but the sentence has {len(sentence)}")
        graph = None if gold is None else self.target(gold)
        found = self.model.scored_derivation(corpus, prefix, beam)
        options = [[_legal(option) for option in legal] for legal in found.options]
        return stepwise(
            self.model.system,
            len(sentence),
            found.actions,
            gold=graph,
            by_hand=len(prefix),
            options=options,
            most_steps=most_steps,
        )

    def target(self, gold: Sentence) -> DependencyGraph:
        """Returns the graph that the parser should build for a gold tree, as its codec encodes it.

        >>> from multiplane import sample, train
        >>> parser, sentence = train(sample(), system="arc-eager", pseudo_projective="head", epochs=1), sample()[0]
        >>> sentence.graph.arcs[3], parser.target(sentence).arcs[3]
        ((1, 4, 'acl:relcl'), (2, 4, 'acl:relcl↑nsubj'))
        """
        if UNKNOWN_HEAD in gold.heads:
            raise without_head(gold)
        heads, labels = self.model.codec.encode(np.array([len(gold)]), np.array(gold.heads, np.int32), gold.deprels)
        return DependencyGraph.from_heads(heads.tolist(), labels)

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
        on_problem: Callable[[FormatError | SentenceError], None] = lambda problem: None,
    ) -> Parsed:
        """Parses from file to file, in blocks of about `block` bytes; returns the number of sentences and words.

        Only HEAD and DEPREL change; with a joint model, also predicates and arguments; tags and lemmas as in `parse`;
        with `scores` and `best`, also MISC and comments. Memory use does not depend on the file size, and the output
        does not depend on the number of threads or the block size. With ``on_error="skip"``, skips sentences that
        are broken or cannot be parsed, and calls `on_problem` with each error. `progress` is called with the number of
        bytes read from disk so far. A target whose suffix names another format than that of the output is refused.

        With `text`, the input is plain text and the output CoNLL-U; `tokenizer` is as for `parse`, and `lines` and
        `ranges` are those of `multiplane.text.text_blocks`. By default, text is recognised by suffix and content,
        unless `format` is given; blank input gives empty output.

        >>> import io
        >>> from multiplane import sample, train
        >>> parser, out = train(sample(), epochs=1), io.BytesIO()
        >>> parser.parse_stream(io.BytesIO(sample().to_bytes()), out, threads=2)
        Parsed(sentences=65, words=714)
        """
        require_positive("threads", threads)
        require_positive("block", block)
        refuse_own_output(source, target)
        how = How(beam, keep_heads, keep_predicates, self._columns(predict), scores=scores, best=best)
        with ByteSource(source) as opened:
            stream = cast("IO[bytes]", opened)
            pieces: Iterable[Block]
            unknown = text is None and format is None
            if unknown and is_blank(opened):  # neither text nor CoNLL, so that no option and no model is wrong for it
                chosen_tokenizer(tokenizer)  # an unknown name is an error all the same
                work, pieces = Work(self.model, DIALECTS["conllu"], how), ()
            elif is_text(opened) if unknown else text:
                require_no_tags(self.model)
                if keep_heads or keep_predicates:
                    raise InputError(
                        f"{opened.name}: is plain text, which has no heads or predicates to keep; "
                        "give a CoNLL file, or its format if it is one (--from, or format= in Python)"
                    )
                work = Work(self.model, DIALECTS["conllu"], how)
                refuse_other_suffix(source, target, work.dialect)
                pieces = text_blocks(stream, self._tokenizer(tokenizer), block, progress, lines=lines, ranges=ranges)
            else:
                if tokenizer is not None:
                    chosen_tokenizer(tokenizer)  # an unknown name is the first thing to report
                for option, given in (("tokenizer", tokenizer is not None), ("lines", lines), ("ranges", ranges)):
                    if given:
                        raise InputError(
                            f"{opened.name}: is a CoNLL file, which is already split into words; drop --{option} "
                            f"({option}= in Python), or give --input text (text=True) if it is plain text"
                        )
                work = Work(self.model, conll_dialect(opened, format), how)
                refuse_other_suffix(source, target, work.dialect)
                pieces = blocks(stream, block, progress)
            return parse_stream(work, pieces, target, threads, on_error, on_problem)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a model directory."""
        save_model(self.model, path, self.tokenizer if isinstance(self.tokenizer, TokenizerModel) else None)


def load(path: str | os.PathLike[str]) -> Parser:
    """Loads a parser from a model directory, or by name: a bundled one, or one from another installed package.

    >>> parser = load("en")
    >>> [sentence.deprels for sentence in parser.parse("She left.")]
    [['nsubj', 'root', 'punct']]
    """
    return Parser(*load_pipeline(model_folder(path)))


def model_folder(path: str | os.PathLike[str]) -> str | os.PathLike[str]:
    """Returns the folder of a model, given its path or name; a folder takes precedence over a model of the same name.

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
        raise ModelError(
            f"{name or repr(name)}: no such model; give the folder that 'multiplane train' wrote, or a name: {known}"
        )
    return named.get(name, name)


def _legal(option: Option) -> LegalTransition:
    return LegalTransition(str(option.action), option.score, option.label_score or None, option.probability)
