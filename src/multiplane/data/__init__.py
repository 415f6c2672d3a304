"""Data bundled with the package: small treebanks written for it, and trained models."""

from __future__ import annotations

from pathlib import Path

from multiplane.errors import InputError
from multiplane.formats import Corpus, read

SAMPLES = ("conllu", "conll09")
"""The formats of the sample treebanks."""


def sample_path(format: str = "conllu") -> Path:  # noqa: A002
    """Returns the path of a sample treebank.

    >>> sample_path().name
    'sample.conllu'
    """
    if format not in SAMPLES:
        raise InputError(f"there is no sample in the format '{format}'; there are {' and '.join(SAMPLES)}")
    return Path(__file__).parent / f"sample.{format}"


def sample(format: str = "conllu") -> Corpus:  # noqa: A002
    """Returns a sample treebank.

    In CoNLL-U, the default: 65 sentences in ten languages, half of them non-projective. In CoNLL-2009, `conll09`: 16
    English sentences with predicates and arguments.

    >>> " ".join(sample()[2].forms)
    'A petition was circulated against the decision last week .'
    >>> sample("conll09")[0].predicates
    {2: 'promise.01', 4: 'buy.01'}
    """
    return read(sample_path(format))


def bundled_models() -> dict[str, Path]:
    """Returns the folders of the bundled models by name.

    >>> sorted(bundled_models())
    ['en']
    """
    return {path.parent.name: path.parent for path in sorted((Path(__file__).parent / "models").glob("*/config.toml"))}
