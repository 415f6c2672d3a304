"""The pipeline component, which spaCy finds by its name."""

# No postponed annotations: spaCy checks the component's configuration with them.

import io
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, get_args

import spacy.util
from spacy.language import Language
from spacy.pipeline.dep_parser import parser_score
from spacy.scorer import Scorer
from spacy.tokens import Doc, Token

from multiplane.data import named_models
from multiplane.errors import ModelError, MultiplaneError
from multiplane.integrations.spacy.reading import Sentences, read_docs
from multiplane.integrations.spacy.writing import write_docs
from multiplane.models.tags import check_predicted, check_tags
from multiplane.parser import Parser, load

_SCORED = {"upos": "pos", "xpos": "tag", "lemma": "lemma"}
"""spaCy's names of columns whose accuracy it measures."""


class SpacyParser:
    """A component that sets heads and labels, and missing tags and lemmas; see `make_parser`.

    >>> import spacy
    >>> nlp = spacy.blank("en")
    >>> component = nlp.add_pipe("multiplane_parser", config={"model": "en"})
    >>> [(token.text, token.dep_, token.head.text) for token in nlp("She left.")]
    [('She', 'nsubj', 'left'), ('left', 'ROOT', 'left'), ('.', 'punct', 'left')]
    """

    def __init__(
        self,
        name: str,
        model: str | None,
        sentences: Sentences = "auto",
        predict: Sequence[str] | None = None,
        beam: int | None = None,
        language: str = "en",
    ) -> None:
        if sentences not in get_args(Sentences):
            raise ValueError(f"{name}: sentences is {sentences!r}; known: {', '.join(get_args(Sentences))}")
        self.name = name
        self.sentences, self.predict, self.beam = sentences, predict, beam
        self._error_handler: Callable[..., None] = spacy.util.raise_error
        self._problem: MultiplaneError | None = None
        try:
            self.parser = _model_for(name, language) if model is None else load(model)
        except MultiplaneError as problem:
            if not _is_loading():
                raise
            # No error yet: a saved pipeline names the model it was made with, and brings its own.
            self._problem = problem

    @property
    def parser(self) -> Parser:
        """The parser; raises `ModelError` if it could not be loaded."""
        if self._problem is not None:
            raise self._problem
        return self._parser

    @parser.setter
    def parser(self, parser: Parser) -> None:
        if parser.model.reads_trees:
            raise ModelError(
                f"{self.name}: this model reads trees from the input and predicts none; choose another model"
            )
        check_predicted(self.predict or (), parser.model)
        self._parser, self._problem = parser, None

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels; empty before a model is loaded, because spaCy reads this while loading a pipeline."""
        names = () if self._problem is not None else self.parser.model.names
        return tuple("ROOT" if name == "root" else name for name in names)

    def __call__(self, doc: Doc) -> Doc:
        """Parses a Doc."""
        try:
            self._parse([doc])
        except Exception as error:
            self._error_handler(self.name, self, [doc], error)
        return doc

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 256) -> Iterator[Doc]:
        """Parses Docs in batches, each in one call of the native core."""
        for batch in spacy.util.minibatch(stream, batch_size):
            docs = list(batch)
            try:
                self._parse(docs)
            except Exception as error:
                self._error_handler(self.name, self, docs, error)
            else:
                yield from docs

    def _parse(self, docs: list[Doc]) -> None:
        parser = self.parser
        model = parser.model
        batch = read_docs(docs, self.sentences, lambda: parser._tokenizer(None))
        corpus = batch.corpus(model.columns)
        check_tags(corpus, model)
        write_docs(batch, model.parse(corpus, self.beam), model.names, self.predict)

    def score(self, examples: Iterable[Any], **options: Any) -> dict[str, Any]:
        """Returns spaCy's scores: `dep_las` and so on, as for its own parser, and accuracies of tags and lemmas."""
        examples = list(examples)
        scores: dict[str, Any] = dict(parser_score(examples, **options))
        columns = self.parser.model.predicted_columns
        for column, attribute in _SCORED.items():
            if column in columns:
                scores |= Scorer.score_token_attr(examples, attribute, **options)
        if "feats" in columns:
            scores |= Scorer.score_token_attr(examples, "morph", getter=_morph, **options)
        return scores

    def set_error_handler(self, handler: Callable[..., None]) -> None:
        """Sets the handler for Docs that cannot be parsed, as for all spaCy components."""
        self._error_handler = handler

    def get_error_handler(self) -> Callable[..., None]:
        """Returns the handler for Docs that cannot be parsed."""
        return self._error_handler

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Saves the model to a pipeline's folder."""
        self.parser.save(path)

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> "SpacyParser":
        """Loads the model from a pipeline's folder."""
        self.parser = load(Path(path).absolute())
        return self

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """Returns the model's folder as a ZIP archive."""
        found = io.BytesIO()
        with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(found, "w", zipfile.ZIP_DEFLATED) as archive:
            model = Path(folder, "model")
            self.parser.save(model)
            for file in sorted(model.rglob("*")):
                if file.is_file():
                    # A fixed date, so that equal models give equal bytes.
                    archive.writestr(zipfile.ZipInfo(file.relative_to(model).as_posix()), file.read_bytes())
        return found.getvalue()

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> "SpacyParser":
        """Loads the model from the result of `to_bytes`."""
        with tempfile.TemporaryDirectory() as folder:
            try:
                with zipfile.ZipFile(io.BytesIO(data)) as archive:
                    archive.extractall(folder)
            except zipfile.BadZipFile:
                raise ModelError(f"{self.name}: these bytes are not a model; pass the result of to_bytes") from None
            self.parser = load(folder)
        return self


@Language.factory(  # type: ignore[untyped-decorator]
    "multiplane_parser",
    assigns=["token.dep", "token.head", "token.is_sent_start", "doc.sents"],
    default_config={"model": None, "sentences": "auto", "predict": None, "beam": None},
    default_score_weights={"dep_uas": 0.5, "dep_las": 0.5, "sents_f": 0.0},
)
def make_parser(
    nlp: Language, name: str, model: str | None, sentences: str, predict: list[str] | None, beam: int | None
) -> SpacyParser:
    """Creates the component; spaCy calls this for ``nlp.add_pipe("multiplane_parser", config={…})``.

    - `model`: the name or folder of a model; by default, the model named like the language of the pipeline.
    - `sentences`: ``"auto"`` keeps sentence starts that are set and lets the model's tokenizer find the others;
      ``"given"`` takes a Doc without any as one sentence; ``"new"`` replaces them.
    - `predict`: columns to write, such as ``["upos", "lemma"]``; by default, all that the model predicts, where
      a Doc has none.
    - `beam`: the beam width; by default, the model's own.

    >>> import spacy
    >>> nlp = spacy.blank("en")
    >>> component = nlp.add_pipe("multiplane_parser", config={"model": "en", "predict": ["upos"]})
    >>> doc = nlp("She left. He stayed.")
    >>> [sentence.text for sentence in doc.sents], doc[0].pos_, doc[0].tag_
    (['She left.', 'He stayed.'], 'PRON', '')
    """
    return SpacyParser(name, model, sentences, predict, beam, nlp.lang)  # type: ignore[arg-type]


def _model_for(name: str, language: str) -> Parser:
    """Returns the parser that is named like a language."""
    models = named_models()
    if language not in models:
        raise ModelError(
            f"{name}: there is no model for the language '{language}'; choose one with config={{\"model\": …}}, "
            f"a folder that 'multiplane train' wrote, or a name: {', '.join(sorted(models))}"
        )
    return load(models[language])


def _is_loading() -> bool:
    """Whether spaCy is making a pipeline from its configuration, as when it loads one; it tells components nothing."""
    frame = sys._getframe()
    while frame.f_back is not None:
        frame = frame.f_back
        if frame.f_code is Language.from_config.__code__:
            return True
    return False


def _morph(token: Token, _: str) -> object:
    return token.morph if token.has_morph() else None
