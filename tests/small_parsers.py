"""Small treebanks, and parsers that learn them quickly."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import multiplane as mp
from multiplane.formats import Corpus
from multiplane.formats.reader import from_text


def word(number: object, head: object, label: str = "dep", form: str = "A", upos: str = "X") -> str:
    return f"{number}\t{form}\t{form.lower()}\t{upos}\t_\t_\t{head}\t{label}\t_\t_\n"


ODD = (
    "# a\tcomment\twith\ttabs\n"
    + "1-2\tAB\t_\t_\t_\t_\t_\t_\t_\t_\n"
    + word(1, 0)
    + word(2, 1)
    + "2.1\tE\t_\t_\t_\t_\t_\t_\t1:x\t_\n"
    + word(3, "_", "_")
    + "\n\n\n# loose\n\n# second\n"
    + word(1, 2, "")
    + word(2, 0)
)
"""Comments, ranges, empty nodes, missing heads and labels, and blank lines where none belong."""


def treebank(trees: Iterable[Sequence[int]], name: str = "<text>") -> Corpus:
    """Trees by their heads; the forms tell the words apart, so that everything can be learnt."""
    sentences = (
        "".join(word(i, head, f"l{head}" if head else "root", f"w{i}", f"T{head}") for i, head in enumerate(heads, 1))
        for heads in trees
    )
    return from_text("\n".join(sentences), name=name)


def trained(train: Any, dev: Any = None, **settings: Any) -> mp.Parser:
    """A greedy parser that keeps all weights: quickly trained, and able to learn a few sentences by heart."""
    return mp.train(train, dev, **{"beam": 1, "prune": 0.0, **settings})


SMALL_NETWORK: dict[str, Any] = {
    "word": 16,
    "characters": 40,
    "character": 12,
    "lemma": 8,
    "tag": 8,
    "layers": 1,
    "units": 40,
    "projection": 16,
    "hidden": 24,
    "label_hidden": 16,
    "arc": 12,
    "batch": 40,
    "learning_rate": 0.01,
}
"""A network that a test can afford, wide enough to learn a few sentences by heart."""
SURE = {f"{part}_dropout": 0.0 for part in ("word", "embedding", "lstm", "recurrent", "hidden")}
"""No dropout, so that everything can be learnt by heart."""


def interrupted(epoch: Callable[..., Any]) -> Callable[..., Any]:
    """The method of a learner that trains an epoch, interrupted by the user in the second one."""

    def until_second(self: Any, number: int, *rest: Any) -> Any:
        if number == 2:
            raise KeyboardInterrupt
        return epoch(self, number, *rest)

    return until_second


GREEDY = ("--beam", 1, "--set", "prune=0")
"""The same at the command line."""


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def without_digests(folder: Path) -> None:
    """Makes a model one of before there were digests, so that files can be changed and reach the other checks."""
    config = (folder / "config.toml").read_text(encoding="utf-8")
    assert "[digest]" in config
    (folder / "config.toml").write_text(config.partition("[digest]")[0], encoding="utf-8")
