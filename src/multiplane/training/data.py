"""Prepares treebanks for training: checks them, indexes labels, and chooses the system."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from multiplane import _native
from multiplane.errors import TrainingError, TransitionSystemError
from multiplane.formats import Corpus, unannotated
from multiplane.formats.treebank import roots_of
from multiplane.graphs.codecs import Codec
from multiplane.messages import counted
from multiplane.models.base import MOST_LABELS, program_of
from multiplane.systems import TransitionSystem, systems
from multiplane.training.neural_config import AnySettings

Note = Callable[[str], None]


@dataclass(frozen=True, eq=False)
class TrainingData:
    """Gold trees to learn from, and a suitable system restricted to trees."""

    corpora: tuple[Corpus, ...]
    heads: tuple[NDArray[np.int32], ...]
    """For each corpus, the encoded heads of all words."""
    labels: tuple[NDArray[np.int32], ...]
    """For each corpus, the labels of all words, as indices into the vocabulary."""
    vocabulary: tuple[str, ...]
    root_label: str
    codec: Codec
    system: TransitionSystem
    usable: NDArray[np.int64] = field(repr=False)
    """The indices of the sentences to learn from, counted over all corpora."""
    silver: tuple[Corpus, ...] = ()
    """The silver corpora, which are the last ones."""

    @property
    def gold(self) -> tuple[Corpus, ...]:
        """The manually annotated corpora."""
        return self.corpora[: len(self.corpora) - len(self.silver)]

    @cached_property
    def program(self) -> _native.Program:
        """The program of the parser to be trained."""
        return program_of(self.system, self.codec, self.vocabulary)

    @property
    def words(self) -> int:
        """The number of words in all sentences."""
        return sum(corpus.words for corpus in self.corpora)


def prepare(
    gold: Sequence[Corpus],
    settings: AnySettings,
    note: Note = lambda text: None,
    silver: Sequence[Corpus] = (),
) -> TrainingData:
    """Checks treebanks and chooses the system; `note` is called with messages for the user.

    Silver treebanks were parsed automatically. All their labels must occur in the gold data.

    >>> from multiplane import sample
    >>> from multiplane.training.config import Settings
    >>> data = prepare([sample()], Settings())
    >>> data.words, len(data.vocabulary), data.root_label, data.system.title
    (714, 42, 'root', '2-planar-eager.trees(no root, single root)')
    """
    check_trees(gold, "training")
    corpora = (*gold, *silver)
    roots = np.concatenate([roots_of(corpus) for corpus in corpora])
    root_labels = Counter(label for corpus in gold for label in _root_labels(corpus))
    all_single = bool((roots[: sum(map(len, gold))] == 1).all())
    system = _chosen_system(settings, all_single, len(root_labels))
    usable = np.arange(len(roots))
    if system.single_root:
        usable = np.flatnonzero(roots == 1)
        if left_out := len(roots) - len(usable):
            size = f"{counted(left_out, 'sentence')} of {len(roots):,}"
            note(f"{size} skipped because of several roots; --root right allows them")
    if not len(usable):
        raise TrainingError("no sentence has exactly one root; use --root right, which allows several")
    trees = [settings.codec.encode(corpus.lengths, corpus.heads, corpus.column("deprel")) for corpus in corpora]
    vocabulary = tuple(sorted({label for _, labels in trees[: len(gold)] for label in labels}))
    for corpus, (_, labels) in zip(silver, trees[len(gold) :], strict=True):
        if unknown := sorted(set(labels) - set(vocabulary)):
            raise TrainingError(
                f"{corpus.name}: the label '{unknown[0]}' of this silver data is not in the training data; "
                "parse it with a model trained on the same labels"
            )
    if len(vocabulary) > MOST_LABELS:
        raise TrainingError(f"too many labels: {len(vocabulary):,}; a model can have at most {MOST_LABELS:,}")
    place = {label: number for number, label in enumerate(vocabulary)}
    return TrainingData(
        corpora,
        tuple(np.ascontiguousarray(heads) for heads, _ in trees),
        tuple(np.fromiter(map(place.__getitem__, labels), np.int32, len(labels)) for _, labels in trees),
        vocabulary,
        settings.codec.encode_root(min(root_labels, key=lambda label: (-root_labels[label], label))),
        settings.codec,
        system,
        usable,
        tuple(silver),
    )


def check_trees(corpora: Sequence[Corpus], role: str) -> None:
    """Raises `TrainingError` if there are no sentences or a word has no head. The reader rejects cycles."""
    if not any(len(corpus) for corpus in corpora):
        names = ", ".join(corpus.name for corpus in corpora)
        raise TrainingError(f"{names}: no sentence to use as {role} data")
    for corpus in corpora:
        if problems := unannotated(corpus):
            error = problems[0]
            what = f"{error.what.partition(';')[0]}; {role} data needs a head for every word"
            raise TrainingError(f"{error.file}:{error.line}: {error.sent_id}: {what}")


def _root_labels(corpus: Corpus) -> list[str]:
    labels = corpus.column("deprel")
    return [labels[word] for word in np.flatnonzero(corpus.heads == 0).tolist()]


def _chosen_system(settings: AnySettings, all_single: bool, root_labels: int) -> TransitionSystem:
    """Restricts the system to trees. Without an artificial root, labels of roots cannot be learnt.

    Undirected parsers are better with one, because it indicates the direction of edges.
    """
    system = systems[settings.system]
    if system.name in systems and not system.same_declaration(systems[system.name]):
        raise TrainingError(f"another system is already named '{system.name}'; choose another name for yours")
    single = all_single if settings.single_root is None else settings.single_root
    root = settings.root
    if root == "auto":
        is_plain = single and root_labels == 1
        root = "right" if not is_plain else "left" if system.is_undirected else "none"
    try:
        return system.trees(None if root == "none" else root, single_root=single or root == "none")
    except TransitionSystemError as error:
        raise TrainingError(f"{error}; training needs a system that derives trees") from None


def fingerprint(*texts: str | bytes) -> str:
    """Returns a digest of texts.

    >>> fingerprint("ab", "c") == fingerprint("a", "bc")
    False
    """
    digest = hashlib.blake2b(digest_size=16)
    for text in texts:
        data = text.encode() if isinstance(text, str) else text
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.hexdigest()
