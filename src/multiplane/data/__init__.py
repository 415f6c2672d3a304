"""Data bundled with the package: small treebanks written for it, and trained models."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from multiplane.errors import InputError
from multiplane.formats import Corpus, read

SAMPLES = ("conllu", "conll09")
"""The formats of the sample treebanks."""
GROUP = "multiplane_models"
"""The entry point group through which other packages provide models: model name and module."""
FOLDER = "model"
"""The model's folder in such a module."""


def sample_path(format: str = "conllu") -> Path:  # noqa: A002
    """Returns the path of a sample treebank.

    >>> sample_path().name
    'sample.conllu'
    """
    if format not in SAMPLES:
        raise InputError(f"there is no sample in the format '{format}'; available: {', '.join(SAMPLES)}")
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
    ['en', 'grc', 'pt']
    """
    return {path.parent.name: path.parent for path in sorted((Path(__file__).parent / "models").glob("*/config.toml"))}


def packaged_models() -> dict[str, Path]:
    """Returns the folders of models in other installed packages, by name, without running their code.

    >>> all(folder.name == FOLDER for folder in packaged_models().values())
    True
    """
    from importlib.metadata import entry_points  # noqa: PLC0415 - slow to import

    found = {}
    for point in entry_points(group=GROUP):
        # Only of a module on its own can the place be found without importing anything.
        spec = None if "." in point.module else find_spec(point.module)
        for place in (spec and spec.submodule_search_locations) or ():
            found[point.name] = Path(place, FOLDER)
    return found


def named_models() -> dict[str, Path]:
    """Returns the folders of all named models: bundled ones, and those in other packages.

    >>> "en" in named_models()
    True
    """
    return packaged_models() | bundled_models()
