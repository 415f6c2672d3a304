"""Exceptions, one per concept. Messages say what happened, where, and what to do."""

from __future__ import annotations

import re

HIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
"""Characters that act on a terminal instead of being shown: controls, line breaks, bidirectional overrides."""


def visible(text: str) -> str:
    r"""Escapes control characters in text from an untrusted file, so that it prints safely on one line.

    >>> print(visible("s1\x1b[2J\u202e"), visible("naïve"))
    s1\x1b[2J\u202e naïve
    """
    return HIDDEN.sub(lambda found: ascii(found[0])[1:-1], text)


class MultiplaneError(Exception):
    """Base class of all errors that user input can cause."""


class InputError(MultiplaneError):
    """A file cannot be opened, read or written."""


class FormatError(MultiplaneError):
    """A file breaks the rules of its format.

    >>> str(FormatError("HEAD 9 is outside the sentence", file="a.conllu", line=3, sent_id="s1"))
    'a.conllu:3: s1: HEAD 9 is outside the sentence'
    """

    def __init__(self, what: str, *, file: str, line: int, sent_id: str) -> None:
        super().__init__(f"{file}:{line}: {sent_id}: {what}")
        self.what, self.file, self.line, self.sent_id = what, file, line, sent_id

    def __reduce__(self) -> tuple[object, ...]:
        """Supports pickling, so that an error in a worker reaches the parent process."""
        return _format_error, (self.what, self.file, self.line, self.sent_id)


class ColumnError(MultiplaneError, ValueError):
    """Columns do not form a treebank."""


class LayerError(MultiplaneError, AttributeError):
    """A format lacks a column, or a layer such as semantics."""


class GraphError(MultiplaneError, ValueError):
    """Arcs do not form a dependency graph, or a method does not apply to this kind of graph."""


class PlanarityUndecidedError(MultiplaneError):
    """The minimal number of planes could not be found exactly in reasonable time."""


class MissingExtraError(MultiplaneError):
    """A feature needs a package that is not installed."""


class MissingFontError(MultiplaneError):
    """No installed font has the letters of an image."""


class TransitionError(MultiplaneError, ValueError):
    """A transition is not legal in a configuration, or not part of the system."""


class TransitionSystemError(MultiplaneError, ValueError):
    """A transition system is ill-formed or does not support the operation."""


class UnknownSystemError(TransitionSystemError, KeyError):
    """There is no transition system with this name."""

    def __str__(self) -> str:  # a KeyError would print the message in quotes
        return str(self.args[0])


class FeatureError(MultiplaneError):
    """A feature template or feature model is ill-formed or does not fit the system."""


class ModelError(MultiplaneError):
    """A model cannot be loaded or saved, or does not support the operation."""


class SentenceError(ModelError):
    """A model cannot parse a sentence, although it can parse others."""


class UnknownModelError(ModelError, KeyError):
    """There is no model with this name."""

    def __str__(self) -> str:  # a KeyError would print the message in quotes
        return str(self.args[0])


class RequestContentError(MultiplaneError, ValueError):
    """A request to the server has invalid content."""


class LanguageWarning(UserWarning):
    """Text is split into words by rules for another language."""


class TrainingError(MultiplaneError):
    """Settings or a treebank cannot be used for training."""


class TokenizerError(MultiplaneError, ValueError):
    """A tokenizer returned output that cannot be written."""


class UnknownTokenizerError(TokenizerError, KeyError):
    """There is no tokenizer with this name."""

    def __str__(self) -> str:  # a KeyError would print the message in quotes
        return str(self.args[0])


def _format_error(what: str, file: str, line: int, sent_id: str) -> FormatError:
    return FormatError(what, file=file, line=line, sent_id=sent_id)
