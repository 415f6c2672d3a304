"""The server's settings: models and limits."""

from __future__ import annotations

from dataclasses import dataclass, field

MIB = 1 << 20


@dataclass(frozen=True)
class Limits:
    """What a server accepts; more than that is refused with a status of its own."""

    body: int = 4 * MIB
    """Bytes of a body: 413."""
    treebank: int = 128 * MIB
    """Bytes of a treebank that is analysed: 413."""
    bodies: int = 1024 * MIB
    """Bytes of all bodies in memory: 503."""
    words: int = 1_000
    """Words of a sentence: 422."""
    requests: int = 100
    """Requests of one client at once: 429."""
    queue: int = 500
    """Requests that wait to be parsed: 503."""
    seconds: float = 60.0
    """Seconds per request: 504."""


@dataclass(frozen=True)
class Settings:
    """All that a worker has to know."""

    models: tuple[str, ...] = ()
    """Names or folders; the bundled models if there are none."""
    threads: int = 1
    """How many batches are parsed at once."""
    limits: Limits = field(default_factory=Limits)
