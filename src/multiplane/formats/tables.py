"""Corpora as tables with one row per word, for pandas and polars."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from multiplane.errors import MissingExtraError

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

    from multiplane.formats.corpus import Corpus


def columns_of(corpus: Corpus) -> dict[str, Any]:
    """Returns the columns of a table: NumPy arrays of numbers, and lists of texts with None for empty fields.

    `sentence` is the index of a word's sentence from 0, `id` its number there from 1; `head` has -1 for no head.

    >>> from multiplane import sample
    >>> table = columns_of(sample())
    >>> list(table)[:5], table["id"][:2].tolist(), table["form"][0]
    (['sentence', 'sent_id', 'id', 'form', 'lemma'], [1, 2], 'Bridge')
    """
    lengths = corpus.lengths
    number = corpus.sentence_of
    names = [sentence.sent_id if sentence.has_sent_id else None for sentence in corpus]
    first = np.cumsum(lengths) - lengths
    table: dict[str, Any] = {"sentence": number, "sent_id": [names[each] for each in number.tolist()]}
    table["id"] = np.arange(corpus.words) - np.repeat(first, lengths) + 1
    for name in corpus.dialect.columns[1:]:
        empty = None if name == "form" else corpus.dialect.empty(name)
        fields = corpus.column(name)
        table[name] = corpus.heads if name == "head" else [None if field == empty else field for field in fields]
    return table


def to_pandas(corpus: Corpus) -> pd.DataFrame:
    """Returns a data frame; see `Corpus.to_pandas`."""
    try:
        import pandas  # noqa: PLC0415 - an extra
    except ImportError:
        raise _missing("pandas") from None
    table = columns_of(corpus)
    if "head" in table:
        heads = pandas.Series(table["head"], dtype="Int32")
        table["head"] = heads.mask(heads < 0)
    return pandas.DataFrame(table)


def to_polars(corpus: Corpus) -> pl.DataFrame:
    """Returns a data frame; see `Corpus.to_polars`."""
    try:
        import polars  # noqa: PLC0415 - an extra
    except ImportError:
        raise _missing("polars") from None
    texts = dict.fromkeys(("sent_id", *corpus.dialect.columns[1:]), polars.String)
    texts.pop("head", None)
    frame = polars.DataFrame(columns_of(corpus), schema_overrides=texts)
    if "head" in frame.columns:
        frame = frame.with_columns(polars.when(polars.col("head") >= 0).then(polars.col("head")).alias("head"))
    return frame


def _missing(name: str) -> MissingExtraError:
    return MissingExtraError(f"{name} is not installed; install it with: pip install 'multiplane[tables]'")
