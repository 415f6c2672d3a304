"""Writes treebanks."""

from __future__ import annotations

from collections.abc import Iterable

from multiplane.formats.convert import convert
from multiplane.formats.corpus import Corpus, Sentence
from multiplane.formats.dialects import Dialect, dialect_of
from multiplane.formats.stream import Target, path_of, writing


def write(corpus: Corpus | Iterable[Sentence], target: Target, format: str | Dialect | None = None) -> None:  # noqa: A002
    r"""Writes a corpus or sentences; the format is the given one, or determined by suffix.

    Writing in the format that was read preserves every byte.

    >>> import io
    >>> from multiplane.formats.reader import from_text
    >>> out = io.BytesIO()
    >>> write(from_text("1\tGo\t_\t_\t_\t_\t0\troot\t_\t_\n"), out, "conllu")
    >>> out.getvalue()
    b'1\tGo\t_\t_\t_\t_\t0\troot\t_\t_\n'
    """
    dialect = dialect_of(path_of(target), format)
    with writing(target) as stream:
        if isinstance(corpus, Corpus):
            stream.write(convert(corpus, dialect)[0])
        else:
            for number, sentence in enumerate(corpus):
                text = convert(sentence, dialect)[0]
                stream.write(text if number else dialect.headed(text))


def write_conllu(corpus: Corpus | Iterable[Sentence], target: Target) -> None:
    """Writes CoNLL-U, whatever the target's name."""
    write(corpus, target, "conllu")


def write_conllx(corpus: Corpus | Iterable[Sentence], target: Target) -> None:
    """Writes CoNLL-X, whatever the target's name."""
    write(corpus, target, "conllx")
