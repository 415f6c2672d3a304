"""Sentences for a parser: of a text on the command line, of a text file or of a treebank."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import IO, cast

import click

from multiplane.cli import options
from multiplane.errors import InputError
from multiplane.formats import DIALECTS, Corpus, Sentence, iterate
from multiplane.formats.dialects import dialect_by_suffix
from multiplane.formats.reader import corpus_of
from multiplane.formats.stream import ByteSource
from multiplane.parser import Parser
from multiplane.text import corpus_of_text, is_text, text_blocks
from multiplane.text.detect import conll_dialect


def sentences_for(
    parser: Parser, inputs: Sequence[str], wanted: list[str] | None, input_format: str | None
) -> list[Sentence]:
    """Returns the wanted sentences, not yet parsed; None for all, an empty list for the first of a file.

    >>> from multiplane import load
    >>> [sentence.forms for sentence in sentences_for(load("en"), ["She left. He stayed."], ["2"], None)]
    [['He', 'stayed', '.']]
    """
    if are_text(inputs):
        if input_format is not None:
            raise click.UsageError("a text has no format; drop --from, or give the name of a file")
        corpora: Iterable[Corpus] = [corpus_of_text(" ".join(inputs), parser._tokenizer(None))]
        return options.find_sentences(corpora, wanted) if wanted else all_of(corpora)
    with ByteSource(inputs[0]) as source:
        stream = cast("IO[bytes]", source)
        if input_format is None and is_text(source):
            blocks = text_blocks(stream, parser._tokenizer(None))
            corpora = (corpus_of(block, DIALECTS["conllu"], "fail") for block in blocks)
        else:
            corpora = iterate(
                stream, conll_dialect(source, input_format), on_error="fail" if wanted is None else "skip"
            )
        return all_of(corpora) if wanted is None else options.find_sentences(corpora, wanted or ["1"])


def are_text(inputs: Sequence[str]) -> bool:
    """Whether the arguments are a text, not the name of a file; the quotation marks may be missing.

    >>> are_text(["She left."]), are_text(["She", "left."]), are_text(["missing.conllu"])
    (True, True, False)
    """
    if len(inputs) == 1:
        return inputs[0] != "-" and not os.path.exists(inputs[0]) and not _names_file(inputs[0])
    if files := [name for name in inputs if os.path.isfile(name)]:
        raise click.UsageError(f"'{files[0]}' is a file; give one FILE, or a text in quotation marks")
    return True


def all_of(corpora: Iterable[Corpus]) -> list[Sentence]:
    """Returns all sentences; raises `InputError` if there are none.

    >>> from multiplane import sample
    >>> len(all_of([sample()]))
    65
    """
    sentences: list[Sentence] = []
    for corpus in corpora:
        sentences += corpus
    if not sentences:
        raise InputError(f"{corpus.name}: there are no sentences")
    return sentences


def _names_file(name: str) -> bool:
    """Whether this looks like the name of a file, though no such file exists."""
    return " " not in name and (dialect_by_suffix(name) is not None or name.lower().endswith(".txt"))
