"""The models that a server offers, by name and by the names that UDPipe's clients use."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from multiplane.data import bundled_models
from multiplane.errors import ModelError
from multiplane.parser import Parser, load
from multiplane.server.problems import RequestError

_TREEBANK = re.compile(r"Universal Dependencies ([^\s-]+)-(\S+) (\d+\.\d+)")
_VERSION = re.compile(r"-ud-[\d.]+(-\d+)?$")


@dataclass(frozen=True)
class ServedModel:
    """A parser with its names."""

    name: str
    parser: Parser

    @property
    def licence(self) -> str:
        """The licence of the data that it was trained on."""
        return self.parser.model.record.licence or "not recorded"

    @property
    def treebank(self) -> tuple[str, ...]:
        """The language, name and version of the UD treebank that it was trained on; empty if that is not known."""
        found = _TREEBANK.search(self.licence)
        return found.groups() if found else ()

    @property
    def title(self) -> str:
        """A name for people, such as `English-EWT 2.16`."""
        return "{}-{} {}".format(*self.treebank) if self.treebank else self.name

    @cached_property
    def aliases(self) -> frozenset[str]:
        """All names that it answers to, such as `en`, `english-ewt-ud-2.16`, `english-ewt` and `english`."""
        names = [self.name.lower()]
        if self.treebank:
            names.append("{}-{}-ud-{}".format(*self.treebank).lower())
        return frozenset(prefix for name in names for prefix in _prefixes(name))

    @property
    def reads_text(self) -> bool:
        """Whether it parses plain text."""
        return not self.parser.model.needs_tags

    def to_json(self) -> dict[str, Any]:
        """Returns what the API says of a model.

        >>> Models(["en"]).find("en").to_json()["title"]
        'English-EWT 2.16'
        """
        model = self.parser.model
        epoch = model.record.chosen
        shares = {"UAS": epoch.uas, "LAS": epoch.las, "LAS-full": epoch.las_full, "UPOS": epoch.upos} if epoch else {}
        layer = [model.graph_layer] if model.graph_layer else []
        return {
            "name": self.name,
            "title": self.title,
            "system": model.system.title,
            "stacks": model.system.stacks,
            "labels": len(model.names),
            "predicts": ["head", "deprel", *model.predicted_columns, *layer],
            "raw_text": self.reads_text,
            "licence": self.licence,
            "scores": {name: share for name, share in shares.items() if share is not None} | dict(model.record.raw),
        }


def _prefixes(name: str) -> Iterator[str]:
    parts = name.split("-")
    return ("-".join(parts[:count]) for count in range(len(parts), 0, -1))


class Models(Mapping[str, Parser]):
    """The parsers of a server by name, loaded; the first one is the default.

    >>> models = Models(["en", "pt"])
    >>> models.find("english").name, models.find("portuguese-bosque-ud-2.12-230717").name, models.find(None).name
    ('en', 'pt', 'en')
    """

    def __init__(self, given: Iterable[str] = ()) -> None:
        self._models: dict[str, ServedModel] = {}
        for path in list(given) or bundled_models():
            name = Path(path).resolve().name if os.path.isdir(path) else path
            if name in self._models:
                raise ModelError(f"{path}: there are two models '{name}'; rename the folder of one of them")
            self._models[name] = ServedModel(name, load(path))

    def __getitem__(self, name: str) -> Parser:
        """Returns the parser that a name or an alias stands for; raises `KeyError` if there is none."""
        try:
            return self.find(name).parser
        except RequestError as error:
            raise KeyError(str(error)) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._models)

    def __len__(self) -> int:
        return len(self._models)

    @property
    def served(self) -> tuple[ServedModel, ...]:
        """All models, the default one first."""
        return tuple(self._models.values())

    def find(self, name: str | None) -> ServedModel:
        """Returns the model with this name, or the default one; raises `RequestError` if there is none."""
        if name is None:
            return self.served[0]
        if name in self._models:
            return self._models[name]
        # Clients name the version that they were written for; another version of the same treebank will do.
        wanted = name.lower()
        for candidate in (wanted, _VERSION.sub("", wanted)):
            for model in self.served:
                if candidate in model.aliases:
                    return model
        shown = name if len(name) <= 100 else name[:100] + "…"
        raise RequestError(404, f"there is no model '{shown}'; available: {', '.join(self)}")
