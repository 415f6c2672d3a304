"""Kernel models: support vector machines trained with LIBSVM."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from numpy.typing import NDArray

from multiplane import _native
from multiplane.features import Compiled
from multiplane.models.linear import FeatureBasedModel
from multiplane.models.svm import Kernel, KernelWeights, with_splits
from multiplane.models.toml import taken, taken_or
from multiplane.oracles.spec import oracle_spec


@dataclass(frozen=True, eq=False)
class KernelModel(FeatureBasedModel[KernelWeights]):
    """A parser that decides with kernel support vector machines."""

    split: str | None = None
    """The value that decisions on transitions are split by."""
    label_split: str | None = None
    """The value that decisions on labels are split by."""

    kind = "kernel"

    @cached_property
    def _compiled(self) -> Compiled:
        return self._compiled_twice[0]

    @cached_property
    def _compiled_twice(self) -> tuple[Compiled, Compiled]:
        return with_splits(self.features, self.split, self.label_split, self.system)

    def _native_parser(self) -> _native.KernelParser:
        features, splits = self._compiled_twice
        oracle, root = oracle_spec(self.system), self.labels.index(self.root_label)
        return self.weights.parser(self._program, features, splits, oracle, len(self.labels), root, bits=self.bits)

    def _stored(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        table = asdict(self.weights.kernel) | {"split": self.split, "label_split": self.label_split}
        return {"kernel": table}, self.weights.arrays()

    @staticmethod
    def _restored(config: dict[str, Any], tensors: dict[str, NDArray[Any]]) -> dict[str, Any]:
        table = taken(config, "kernel", dict)
        kernel = Kernel(taken(table, "gamma", float), taken(table, "coef0", float), taken(table, "degree", int))
        splits = {name: taken_or(table, name, str, None) for name in ("split", "label_split")}
        return {"weights": KernelWeights.from_arrays(tensors, kernel), **splits}
