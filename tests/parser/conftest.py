"""What the tests of parsers share: small treebanks, and one small trained model."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

import multiplane as mp
from multiplane.formats import Corpus
from multiplane.formats.reader import from_text


def word(number: object, head: object, label: str = "dep", form: str = "A", upos: str = "X") -> str:
    return f"{number}\t{form}\t{form.lower()}\t{upos}\t_\t_\t{head}\t{label}\t_\t_\n"


def treebank(trees: Iterable[Sequence[int]], name: str = "<text>") -> Corpus:
    """Trees by their heads; the forms tell the words apart, so that everything can be learnt."""
    sentences = (
        "".join(word(i, head, f"l{head}" if head else "root", f"w{i}", f"T{head}") for i, head in enumerate(heads, 1))
        for heads in trees
    )
    return from_text("\n".join(sentences), name=name)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A 2-planar parser, trained on the sample for a moment."""
    path = tmp_path_factory.mktemp("model") / "m"
    mp.train(mp.sample(), epochs=2).save(path)
    return path


@pytest.fixture(scope="session")
def parser(model: Path) -> mp.Parser:
    return mp.load(model)
