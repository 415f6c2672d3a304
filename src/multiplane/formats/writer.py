"""Writes treebanks."""

from __future__ import annotations

from collections.abc import Iterable

from multiplane.formats.collecting import sentences_in
from multiplane.formats.convert import convert
from multiplane.formats.corpus import Corpus, Sentence
from multiplane.formats.dialects import Dialect, dialect_of
from multiplane.formats.stream import Target, path_of, writing

Writable = Sentence | Iterable[Sentence] | Iterable[Iterable[Sentence]] | Iterable[Iterable[Iterable[Sentence]]]
"""A corpus, a sentence, or an iterable of any of these: all that `Parser.parse` returns."""


def write(corpus: Writable, target: Target, format: str | Dialect | None = None) -> None:  # noqa: A002
    r"""Writes a corpus, a sentence, or an iterable of these; the format is the given one, else by suffix.

    So everything that `Parser.parse` returns can be written, also the trees of `best`: one sentence after another.
    Writing in the format that was read preserves every byte.

    >>> import io
    >>> from multiplane.formats.reader import from_text
    >>> out = io.BytesIO()
    >>> write(from_text("1\tGo\t_\t_\t_\t_\t0\troot\t_\t_\n"), out, "conllu")
    >>> out.getvalue()
    b'1\tGo\t_\t_\t_\t_\t0\troot\t_\t_\n'

    Raises `TypeError` for anything else.
    """
    dialect = dialect_of(path_of(target), format)
    with writing(target) as stream:
        if isinstance(corpus, Corpus):
            text = convert(corpus, dialect)[0]
            stream.write(dialect.headed(text) if corpus._lines_before else text)  # not in the middle of a file any more
        else:
            for number, sentence in enumerate(sentences_in(corpus)):
                text = convert(sentence, dialect)[0]
                stream.write(text if number else dialect.headed(text))


def write_conllu(corpus: Writable, target: Target) -> None:
    """Writes CoNLL-U, whatever the target's name."""
    write(corpus, target, "conllu")


def write_conllx(corpus: Writable, target: Target) -> None:
    """Writes CoNLL-X, whatever the target's name."""
    write(corpus, target, "conllx")
