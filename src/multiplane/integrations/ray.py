"""Ray: parses shards and datasets with the workers of a cluster; each worker has a copy of the model."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Self

import ray

from multiplane.errors import MultiplaneError
from multiplane.parser import Parser, load
from multiplane.parser.batches import require_no_tags
from multiplane.parser.parquet import COLUMN, OUTPUT, TEXT_OPTIONS, parsed_texts
from multiplane.parser.shards import AHEAD, ATTEMPTS, Done, Failed, Options, Shard, parse_shard


class RayError(MultiplaneError):
    """A Ray cluster cannot be used."""


def parse_dataset(
    dataset: Any,
    model: str | os.PathLike[str] | Parser = "en",
    *,
    column: str = COLUMN,
    output: str = OUTPUT,
    workers: int | None = None,
    batch_size: int = 256,
    **options: Any,
) -> Any:
    """Parses a text column of a Ray dataset; returns the dataset with an additional column of CoNLL-U.

    Like all of Ray Data, it is lazy and streams: `workers` actors, by default one per CPU of the cluster, load the
    model once and parse batches. A text that is None stays None. `options` are those of
    `Parser.parse`: `beam`, `predict`, `scores`, `tokenizer`, `ranges`.

    ```
    import ray
    from multiplane.ray import parse_dataset

    parse_dataset(ray.data.read_parquet("in/"), model="en").write_parquet("out/")
    ```
    """
    if wrong := options.keys() - set(TEXT_OPTIONS):
        raise TypeError(f"unknown option '{min(wrong)}'; known: {', '.join(TEXT_OPTIONS)}")
    parser = model if isinstance(model, Parser) else load(model)
    require_no_tags(parser.model)
    if not ray.is_initialized():
        ray.init()
    return dataset.map_batches(
        _Texts,
        fn_constructor_args=(ray.put(parser), column, output, options),
        batch_size=batch_size,
        batch_format="pyarrow",
        concurrency=workers or _cpus(),
        num_cpus=1,
    )


class _Texts:
    """An actor of Ray Data."""

    def __init__(self, parser: Any, column: str, output: str, options: dict[str, Any]) -> None:
        self._parser: Parser = ray.get(parser)
        self._column, self._output, self._options = column, output, options

    def __call__(self, table: Any) -> Any:
        import pyarrow as pa  # noqa: PLC0415 - comes with Ray Data

        if self._column not in table.column_names:
            known = ", ".join(table.column_names)
            raise ValueError(f"the dataset has no column '{self._column}'; it has {known}")
        found, _ = parsed_texts(self._parser, table.column(self._column).to_pylist(), self._options)
        return table.append_column(self._output, pa.array(found, pa.string()))


class _Replica:
    """An actor that parses shards with its own copy of the model."""

    def __init__(self, parser: Parser, options: Options, folder: str) -> None:
        os.chdir(folder)  # so that relative paths mean the same files as for the caller
        self._parser, self._options = parser, options

    def ready(self) -> None:
        """Returns once the actor has started."""

    def parse(self, source: str, target: str) -> tuple[Any, ...]:
        """Returns the fields of `Done`, or the one of `Failed`."""
        return tuple(parse_shard(self._parser, Shard(source, target), self._options))


class RayEngine:
    """Parses shards with actors of a cluster, which must see the same files as this process.

    An actor that dies is replaced; its shards fail, and the caller retries them.
    """

    def __init__(
        self, parser: Parser, options: Options, shards: int, *, address: str | None = None, workers: int | None = None
    ) -> None:
        self._cluster = _cluster(address, workers)
        self._cluster.__enter__()
        self._model = ray.put(parser)
        self._options = dict(options)
        self._actors: dict[Any, int] = {}
        """The shards of each actor that has started."""
        self._starting: dict[Any, Any] = {}
        """Actors that have not, by what tells that they have."""
        self._pending: dict[Any, tuple[Any, Shard]] = {}
        self._failed_starts = 0
        for _ in range(min(workers or _cpus(), shards)):
            self._start()

    @property
    def has_room(self) -> bool:
        """Whether an actor has less than enough to do."""
        return any(count < AHEAD for count in self._actors.values()) or not self._pending

    def submit(self, shard: Shard) -> None:
        """Gives a shard to the actor with the least to do."""
        while not self._actors:
            self._wait(list(self._starting))
        actor = min(self._actors, key=lambda each: self._actors[each])
        self._actors[actor] += 1
        self._pending[actor.parse.remote(*shard)] = actor, shard

    def next(self) -> tuple[Shard, Done | Failed]:
        """Waits for any shard."""
        while True:
            found = self._wait([*self._pending, *self._starting])
            if found is not None:
                return found

    def _wait(self, references: list[Any]) -> tuple[Shard, Done | Failed] | None:
        """Waits for a shard or for an actor to start; returns the shard's result."""
        reference = ray.wait(references, num_returns=1)[0][0]
        if reference in self._starting:
            self._started(reference)
            return None
        actor, shard = self._pending.pop(reference)
        if actor in self._actors:
            self._actors[actor] -= 1
        try:
            fields = ray.get(reference)
        except ray.exceptions.RayActorError:
            if self._actors.pop(actor, None) is not None:
                ray.kill(actor)  # if it is only out of reach, it must not come back
                self._start()
            return shard, Failed(
                f"{shard.source}: the worker was killed {ATTEMPTS} times while parsing it; is it out of memory?"
            )
        except ray.exceptions.RayError as error:
            return shard, Failed(f"{shard.source}: {error}")
        return shard, Done(*fields) if len(fields) > 1 else Failed(*fields)

    def _start(self) -> None:
        kind = ray.remote(num_cpus=1, max_restarts=0)(_Replica)
        actor = kind.remote(self._model, self._options, os.getcwd())
        self._starting[actor.ready.remote()] = actor

    def _started(self, reference: Any) -> None:
        actor = self._starting.pop(reference)
        try:
            ray.get(reference)
        except ray.exceptions.RayError as error:
            self._failed_starts += 1
            if self._failed_starts >= ATTEMPTS and not self._actors:
                raise RayError(f"no worker of the Ray cluster can start: {_reason(error)}") from None
            self._start()
        else:
            self._failed_starts = 0
            self._actors[actor] = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for actor in (*self._actors, *self._starting.values()):
            ray.kill(actor)
        self._cluster.__exit__(None, None, None)


@contextmanager
def _cluster(address: str | None, workers: int | None) -> Iterator[None]:
    """Connects to a cluster, or starts a local one and stops it at the end."""
    if ray.is_initialized():
        yield
        return
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    try:
        if address is None and not os.environ.get("RAY_ADDRESS"):
            cpus = max(workers or 1, os.cpu_count() or 1)
            ray.init("local", num_cpus=cpus, include_dashboard=False, **quiet)
        else:
            ray.init(address=address, **quiet)
    except (ConnectionError, RuntimeError, ValueError) as error:
        advice = "; is it running, and does it need RAY_AUTH_MODE=token?" if address else ""
        raise RayError(f"cannot connect to Ray at {address or 'this machine'}: {_reason(error)}{advice}") from None
    try:
        yield
    finally:
        ray.shutdown()


def _cpus() -> int:
    """Returns the number of CPUs of the cluster."""
    return max(1, int(ray.cluster_resources().get("CPU", 1)))


def _reason(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1].rstrip(".") if lines else type(error).__name__
