"""Parses many files, the shards, into a folder, with an engine that may finish them in any order."""

from __future__ import annotations

import glob
import hashlib
import json
import os
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager
from pathlib import Path
from threading import Event
from types import TracebackType
from typing import Any, NamedTuple, Protocol, Self

from multiplane.errors import InputError, MultiplaneError
from multiplane.formats.dialects import COMPRESSIONS, dialect_by_suffix
from multiplane.formats.stream import failing
from multiplane.models.files import CONFIG, TOKENIZER, is_model
from multiplane.parser.manifest import Entry, Manifest, open_manifest, state_of
from multiplane.parser.parquet import SUFFIX, parse_parquet
from multiplane.parser.parser import Parser, load, model_folder
from multiplane.text.detect import TEXT_SUFFIXES
from multiplane.version import __version__

ATTEMPTS = 4
"""The number of attempts before a shard is left out."""
AHEAD = 2
"""The maximum number of shards per worker, including the one in progress; the others wait with the caller."""

Options = Mapping[str, Any]
"""Options of `Parser.parse_stream`, and `column` for Parquet."""


class Shard(NamedTuple):
    """A file to parse."""

    source: str
    target: str


class Done(NamedTuple):
    """The result of a parsed shard."""

    sentences: int
    words: int
    bytes: int
    problems: tuple[str, ...] = ()
    """The errors in broken sentences that were skipped."""


class Failed(NamedTuple):
    """Why a shard could not be parsed."""

    why: str


class Report(NamedTuple):
    """The results of all shards."""

    parsed: int
    finished_before: int
    failed: tuple[tuple[Shard, str], ...]
    """Shards that were left out, each with the reason."""
    sentences: int
    words: int


class Engine(AbstractContextManager["Engine"], Protocol):
    """Protocol of an engine: a context manager that parses shards."""

    @property
    def has_room(self) -> bool:
        """Whether it can take another shard now; always true if it has none."""

    def submit(self, shard: Shard) -> None:
        """Takes a shard."""

    def next(self) -> tuple[Shard, Done | Failed]:
        """Waits for the next shard that is parsed or has failed."""


def parse_shards(
    files: Sequence[str],
    folder: str | os.PathLike[str],
    model: str | os.PathLike[str],
    options: Options | None = None,
    *,
    engine: Callable[[Parser, Options, int], Engine] | None = None,
    threads: int = 1,
    prepare: Callable[[Parser, Options], Options] = lambda parser, options: options,
    start: Callable[[int], None] = lambda todo: None,
    progress: Callable[[Shard, Done | Failed], None] = lambda shard, result: None,
) -> Report:
    """Parses each file into a file of the same name in a folder; text files become .conllu.

    If two files have the same name, all outputs keep their paths below the folder that the inputs share. Files that the
    folder's manifest lists as finished are skipped, unless the input, the model or an option changed. A file that
    cannot be parsed is tried four times and then left out. An output appears only when it is complete.

    `options` are those of `Parser.parse_stream`. An `engine` is created from the parser, the options and the number
    of shards to do; by default, it uses `threads` threads of this process. `prepare` may reject or change the options
    once the parser is loaded. `start` is called with the number of shards to do, `progress` with each result.

    >>> import tempfile
    >>> from multiplane.data import sample_path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [parse_shards([str(sample_path())], folder, "en")[:2] for run in range(2)]
    [(1, 0), (0, 1)]
    """
    options = dict(options or {})
    shards = planned(files, folder, options.get("format"))
    settings = digest_of(model, options)
    with open_manifest(folder) as manifest:
        todo = [shard for shard in shards if not manifest.has(_output(shard, folder), shard.source, settings)]
        start(len(todo))
        if not todo:
            return Report(0, len(shards), (), 0, 0)
        parser = load(model)
        with (engine or _local(threads))(parser, prepare(parser, options), len(todo)) as running:
            report = _run(todo, running, manifest, folder, settings, progress)
            return report._replace(finished_before=len(shards) - len(todo))


def _run(
    todo: Sequence[Shard],
    engine: Engine,
    manifest: Manifest,
    folder: str | os.PathLike[str],
    settings: str,
    progress: Callable[[Shard, Done | Failed], None],
) -> Report:
    waiting, attempts, states = deque(todo), Counter[Shard](), {}
    failed: list[tuple[Shard, str]] = []
    done: list[Done] = []
    for shard in todo:
        manifest.forget(_output(shard, folder))
        with failing(shard.target):
            os.makedirs(os.path.dirname(shard.target), exist_ok=True)
    while len(done) + len(failed) < len(todo):
        while waiting and engine.has_room:
            shard = waiting.popleft()
            attempts[shard] += 1
            states[shard] = state_of(shard.source)  # before it is read, so that a later change is noticed
            engine.submit(shard)
        shard, result = engine.next()
        if isinstance(result, Done):
            entry = Entry(_output(shard, folder), shard.source, *states[shard], settings, result.bytes, *result[:2])
            manifest.add(entry)
            done.append(result)
        elif attempts[shard] < ATTEMPTS:
            waiting.append(shard)
            continue
        else:
            failed.append((shard, result.why))
        progress(shard, result)
    failed.sort()
    return Report(len(done), 0, tuple(failed), sum(each.sentences for each in done), sum(each.words for each in done))


def expanded(patterns: Sequence[str]) -> list[str]:
    """Expands patterns such as `in/*.txt.gz` to files, in order and without duplicates.

    >>> expanded(["no-such-file.txt"])  # a name is taken as it is
    ['no-such-file.txt']
    >>> expanded(["no-such-folder/*.txt"])
    Traceback (most recent call last):
    ...
    multiplane.errors.InputError: no-such-folder/*.txt: matches no file
    """
    found: dict[str, None] = {}
    for pattern in patterns:
        names = sorted(glob.glob(pattern, recursive=True)) if is_pattern(pattern) else [pattern]
        if not names:
            raise InputError(f"{pattern}: matches no file")
        found |= dict.fromkeys(name for name in names if not (is_pattern(pattern) and os.path.isdir(name)))
    return list(found)


def is_pattern(name: str) -> bool:
    """Whether a name is a pattern; a file with exactly this name takes precedence.

    >>> is_pattern("in/*.txt"), is_pattern("a.txt")
    (True, False)
    """
    return glob.has_magic(name) and not os.path.exists(name)


def planned(files: Sequence[str], folder: str | os.PathLike[str], format: str | None = None) -> list[Shard]:  # noqa: A002
    """Returns the shards of files; raises `InputError` if two would have the same output, or one replace an input.

    >>> [shard.target for shard in planned(["in/a.txt.gz", "in/b.conllu"], "out")]
    ['out/a.conllu.gz', 'out/b.conllu']
    >>> [shard.target for shard in planned(["in/x/a.txt", "in/y/a.txt"], "out")]
    ['out/x/a.conllu', 'out/y/a.conllu']
    >>> planned(["in/a.txt", "in/a.conllu"], "out")
    Traceback (most recent call last):
    ...
    multiplane.errors.InputError: in/a.txt and in/a.conllu: both would be written to out/a.conllu; parse them into ...
    """
    if os.path.exists(folder) and not os.path.isdir(folder):
        raise InputError(f"{os.fspath(folder)}: is a file; several files are parsed into a folder")
    if "-" in files:
        raise InputError("<stdin>: cannot be parsed into a folder; name a file")
    by_target: dict[str, str] = {}
    for source, name in zip(files, _names(files, format), strict=True):
        target = os.path.join(folder, name)
        if target in by_target:
            raise InputError(
                f"{by_target[target]} and {source}: both would be written to {target}; "
                "parse them into different folders"
            )
        if os.path.realpath(target) == os.path.realpath(source):
            raise InputError(f"{source}: would be replaced by its own output; choose another folder")
        by_target[target] = source
    return [Shard(source, target) for target, source in by_target.items()]


def _names(files: Sequence[str], format: str | None) -> list[str]:  # noqa: A002
    """Returns the names of outputs; if two were the same, with their paths below the folder that all inputs share."""
    names = [_output_name(os.path.basename(file), format) for file in files]
    if len(set(names)) == len(names):
        return names
    parents = [os.path.dirname(os.path.abspath(file)) for file in files]
    try:
        shared = os.path.commonpath(parents)
    except ValueError:  # on different drives
        return names
    return [
        os.path.normpath(os.path.join(os.path.relpath(parent, shared), name))
        for parent, name in zip(parents, names, strict=True)
    ]


def _output_name(name: str, format: str | None) -> str:  # noqa: A002
    if format is not None or name.lower().endswith(SUFFIX) or dialect_by_suffix(name) is not None:
        return name
    base, compression = name, ""
    if name.lower().endswith(COMPRESSIONS):
        base, compression = os.path.splitext(name)
    stem, suffix = os.path.splitext(base)
    return (stem if suffix.lower() in TEXT_SUFFIXES else base) + ".conllu" + compression


def _output(shard: Shard, folder: str | os.PathLike[str]) -> str:
    """Returns the name of an output in its folder, the same on all systems."""
    return Path(os.path.relpath(shard.target, folder)).as_posix()


def digest_of(model: str | os.PathLike[str], options: Options) -> str:
    """Returns a digest of everything that changes outputs: the version, the model, the options.

    >>> digest_of("en", {}) == digest_of("en", {"beam": None}), digest_of("en", {}) == digest_of("en", {"beam": 2})
    (True, False)
    """
    given = {name: value for name, value in sorted(options.items()) if value is not None}
    digest = hashlib.sha256(json.dumps([__version__, given], default=str).encode())
    for folder in (model_folder(model), options.get("tokenizer")):
        # config.toml contains digests of all other files of a model.
        for config in (Path(folder, CONFIG), Path(folder, TOKENIZER, CONFIG)) if folder and is_model(folder) else ():
            digest.update(config.read_bytes() if config.is_file() else b"-")
    return digest.hexdigest()


def parse_shard(
    parser: Parser,
    shard: Shard,
    options: Options,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Done | Failed:
    """Parses a shard; a failure is returned as a result, so that other shards continue."""
    try:
        problems: list[str] = []
        if shard.source.lower().endswith(SUFFIX):
            parsed = parse_parquet(parser, shard.source, shard.target, options, threads, progress)
        else:
            rest = {name: value for name, value in options.items() if name != "column"}
            parsed = parser.parse_stream(
                shard.source,
                shard.target,
                **rest,
                threads=threads,
                progress=progress,
                on_problem=lambda problem: problems.append(str(problem)),
            )
        return Done(parsed.sentences, parsed.words, os.path.getsize(shard.target), tuple(problems))
    except MultiplaneError as error:
        return Failed(str(error))
    except Exception as error:
        return Failed(f"{shard.source}: {type(error).__name__}: {error}")


class _Stopped(BaseException):
    """Stops a thread whose result is no longer needed."""


class LocalEngine:
    """Parses shards in threads of this process: one thread per shard, or several if there are fewer shards."""

    def __init__(self, parser: Parser, options: Options, shards: int, threads: int) -> None:
        self._parser, self._options = parser, options
        self._workers = min(threads, shards)
        self._threads = threads // self._workers
        self._waiting: deque[Shard] = deque()
        self._pool = ThreadPoolExecutor(self._workers)
        self._pending: dict[Future[Done | Failed], Shard] = {}
        self._stop = Event()

    @property
    def has_room(self) -> bool:
        """Whether a thread has room for more work."""
        return len(self._pending) + len(self._waiting) < (1 if self._workers == 1 else AHEAD * self._workers)

    def submit(self, shard: Shard) -> None:
        """Takes a shard; a single worker runs in this thread, so that Ctrl-C stops it at once."""
        if self._workers == 1:
            self._waiting.append(shard)
        else:
            self._pending[self._pool.submit(self._parse, shard)] = shard

    def next(self) -> tuple[Shard, Done | Failed]:
        """Waits for any shard."""
        if self._waiting:
            shard = self._waiting.popleft()
            return shard, self._parse(shard)
        future = next(iter(wait(self._pending, return_when=FIRST_COMPLETED).done))
        return self._pending.pop(future), future.result()

    def _parse(self, shard: Shard) -> Done | Failed:
        return parse_shard(self._parser, shard, self._options, self._threads, self._check)

    def _check(self, _: int) -> None:
        if self._stop.is_set():
            raise _Stopped

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._pool.shutdown(cancel_futures=True)


def _local(threads: int) -> Callable[[Parser, Options, int], Engine]:
    return lambda parser, options, shards: LocalEngine(parser, options, shards, threads)
