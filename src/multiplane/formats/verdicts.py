"""Properties of a sentence's tree."""

from __future__ import annotations

from typing import Any


class Verdicts:
    """Properties of a sentence's tree, computed on first access.

    They raise `FormatError` if a word has no head.
    `Sentence.graph` has the certificates, such as the two arcs that cross.

    >>> from multiplane import sample
    >>> sentence = sample()[30]
    >>> sentence.is_tree, sentence.is_projective, sentence.is_planar, sentence.planarity, sentence.gap_degree
    (True, False, False, 2, 1)
    """

    __slots__ = ()

    def _verdict(self, name: str) -> Any:
        """Returns the answer of a method of the graph."""
        raise NotImplementedError

    @property
    def is_tree(self) -> bool:
        """Whether there is exactly one root."""
        return bool(self._verdict("is_tree"))

    @property
    def is_projective(self) -> bool:
        """Whether no arcs cross and no arc covers a root."""
        return bool(self._verdict("is_projective"))

    @property
    def is_planar(self) -> bool:
        """Whether no two arcs cross; arcs from the artificial root do not count."""
        return bool(self._verdict("is_planar"))

    @property
    def planarity(self) -> int:
        """The minimal number of planes without crossing arcs: 1 for a planar tree."""
        return int(self._verdict("planarity"))

    @property
    def is_well_nested(self) -> bool:
        """Whether no two disjoint subtrees interleave."""
        return bool(self._verdict("is_well_nested"))

    @property
    def gap_degree(self) -> int:
        """The largest number of gaps in the projection of a word: 0 for a projective tree."""
        return int(self._verdict("gap_degree"))
