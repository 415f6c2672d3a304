"""Data bundled with the package: a small treebank written for it, and trained models."""

from __future__ import annotations

from pathlib import Path

from multiplane.formats import Corpus, read


def sample_path() -> Path:
    """Returns the path of the sample treebank.

    >>> sample_path().name
    'sample.conllu'
    """
    return Path(__file__).parent / "sample.conllu"


def sample() -> Corpus:
    """Returns the sample treebank: 65 sentences in ten languages, half of them non-projective.

    >>> " ".join(sample()[2].forms)
    'A petition was circulated against the decision last week .'
    """
    return read(sample_path())


def bundled_models() -> dict[str, Path]:
    """Returns the folders of the bundled models by name.

    >>> sorted(bundled_models())
    ['en']
    """
    return {path.parent.name: path.parent for path in sorted((Path(__file__).parent / "models").glob("*/config.toml"))}
