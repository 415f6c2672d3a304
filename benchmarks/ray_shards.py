"""Shards with Ray: two workers beside one, workers that are killed, a second run, and the bytes of them all.

    python benchmarks/ray_shards.py [TREEBANK] [--shards 1000] [--rounds 3] [--model en]

Needs `multiplane[ray]`. The texts are those of a treebank, as often as it takes to give each shard five sentences.

Speed: the workers have started before time is taken. Wall-clock time counts only on a machine that does nothing else;
the CPU time of the busiest worker is the time that it would take there, if the workers do not wait for each other or
for the process that gives them work, whose CPU time is printed as well. The fastest of the rounds counts for each.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Self

import click

os.environ.setdefault("RAY_worker_niceness", "0")  # other programs disturb less

import ray

import multiplane as mp
from multiplane.data import sample_path
from multiplane.integrations.ray import RayEngine
from multiplane.parser.shards import Report, Shard, parse_shards

TREEBANK = Path(__file__).resolve().parent.parent.parent / "shared" / "data" / "ud" / "en_ewt" / "dev.conllu.xz"
SENTENCES = 5


class Watched(RayEngine):
    """Takes the time of workers, and kills two on request."""

    kills: tuple[int, ...] = ()
    """After how many shards."""
    seconds = busiest = 0.0
    submitted = 0

    def __enter__(self) -> Self:
        while self._starting:
            self._wait(list(self._starting))
        type(self).submitted = 0
        self._before, self._began = self._cpu(), time.monotonic()
        return self

    def submit(self, shard: Shard) -> None:
        """Gives a shard to a worker, which may be its last."""
        super().submit(shard)
        type(self).submitted += 1
        if self.submitted in self.kills:
            actor = max(self._actors, key=lambda each: self._actors[each])
            os.kill(ray.get(actor.__ray_call__.remote(lambda _: os.getpid())), signal.SIGKILL)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        kinds = type(self)
        kinds.seconds = time.monotonic() - self._began
        kinds.busiest = max(cpu - self._before.get(actor, 0) for actor, cpu in self._cpu().items())
        super().__exit__(kind, error, trace)

    def _cpu(self) -> dict[object, float]:
        calls = {actor: actor.__ray_call__.remote(lambda _: time.process_time()) for actor in self._actors}
        return {actor: ray.get(call) for actor, call in calls.items()}


def write_shards(treebank: mp.Corpus, folder: Path, count: int) -> list[str]:
    texts = [sentence.text for sentence in treebank]
    files = []
    for number in range(count):
        chosen = [texts[(number * SENTENCES + place) % len(texts)] for place in range(SENTENCES)]
        files.append(str(folder / f"{number:06}.txt"))
        Path(files[-1]).write_text("\n\n".join(chosen) + "\n", encoding="utf-8")
    return files


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@click.command()
@click.argument("treebank", type=click.Path(), default=str(TREEBANK if TREEBANK.exists() else sample_path()))
@click.option("--shards", default=1000)
@click.option("--rounds", default=3)
@click.option("--model", default="en")
def main(treebank: str, shards: int, rounds: int, model: str) -> None:
    with tempfile.TemporaryDirectory() as name:
        base = Path(name)
        (base / "in").mkdir()
        files = write_shards(mp.read(treebank), base / "in", shards)
        ray.init("local", num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")

        def run(folder: str, workers: int) -> Report:
            done = parse_shards(files, base / folder, model, engine=lambda *rest: Watched(*rest, workers=workers))
            assert not done.failed, done.failed[0]
            return done

        walls: dict[int, list[float]] = {1: [], 2: []}
        cpus: dict[int, list[float]] = {1: [], 2: []}
        givers = []
        for turn in range(rounds):
            for workers in (1, 2):
                began = time.process_time()
                report = run(f"{workers}-{turn}", workers)
                givers.append(time.process_time() - began)
                walls[workers].append(Watched.seconds)
                cpus[workers].append(Watched.busiest)
        click.echo(f"{shards:,} shards, {report.words:,} words\n")
        for what, times in (("wall-clock time", walls), ("CPU time of the busiest worker", cpus)):
            one, two = min(times[1]), min(times[2])
            click.echo(f"{what}: one worker {one:.2f} s, two {two:.2f} s: {one / two:.2f} times as fast")
        click.echo(f"CPU time of the process that gives them work: {min(givers):.2f} s")

        Watched.kills = (shards // 4, shards // 2)
        run("killed", 2)
        Watched.kills = ()
        began = time.process_time()
        again = run("2-0", 2)
        seconds = time.process_time() - began
        ray.shutdown()
        parse_shards(files, base / "local", model, threads=2)
        plain = contents(base / "local")
        same = all(contents(base / folder) == plain for folder in ("1-0", "2-0", "killed"))
        click.echo(f"one worker, two, two of which two were killed, no Ray: {'the same bytes' if same else 'DIFFER'}")
        click.echo(
            f"second run: {again.parsed} parsed, {again.finished_before:,} finished before, {seconds:.2f} s of CPU"
        )
        sys.exit(not same)


if __name__ == "__main__":
    main()
