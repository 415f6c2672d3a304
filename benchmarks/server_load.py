"""How many words per second the server parses for many clients at once, compared with `multiplane parse --threads`.

One minute with 64 connections on this machine, which also runs the clients. In between, `multiplane parse` does the
same work from file to file, so that both see the machine equally busy. Where other programs need the machine, too,
compare words per second of CPU time. One of the connections sends only requests that limits must refuse.

Usage: python benchmarks/server_load.py [FILE.conllu] [--seconds 60] [--connections 64] [--threads 2] [--workers 1]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from statistics import fmean
from urllib.parse import urlencode, urlsplit

import psutil

import multiplane as mp
from multiplane.formats import Corpus

MULTIPLANE = [sys.executable, "-m", "multiplane"]
SENTENCES = 20
"""Sentences of a request."""
ROUNDS = 3
FILE_WORDS = 150_000
"""Words that `multiplane parse` parses in each round."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args()
    corpus = mp.sample() if options.file is None else mp.read_conllu(options.file)
    texts = ["".join(map(_bare, corpus[at : at + SENTENCES])) for at in range(0, len(corpus), SENTENCES)]
    words = [sum(map(len, corpus[at : at + SENTENCES])) for at in range(0, len(corpus), SENTENCES)]
    file, server = measured(texts, words, corpus, options)
    for place, unit in enumerate(("words/s", "words per second of CPU time")):
        print(f"multiplane parse: {', '.join(f'{speed[place]:,.0f}' for speed in file)} {unit}")
        print(f"server:           {', '.join(f'{speed[place]:,.0f}' for speed in server)} {unit}")
        ratio = fmean(speed[place] for speed in server) / fmean(speed[place] for speed in file)
        print(f"ratio of the means: {100 * ratio:.0f} %")


def _bare(sentence: mp.Sentence) -> str:
    """Returns the words of a sentence without tags and trees."""
    rows = (f"{place}\t{form}" + "\t_" * 8 for place, form in enumerate(sentence.forms, 1))
    return "\n".join(rows) + "\n\n"


Speed = tuple[float, float]
"""Words per second, and words per second of CPU time."""


def file_speed(work: str, corpus: Corpus, threads: int) -> Speed:
    """Returns the speed of `multiplane parse`, start included."""
    times = max(1, FILE_WORDS // corpus.words)
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "in.conllu")
        source.write_text(work * times, encoding="utf-8")
        command = [*MULTIPLANE, "parse", "-m", "en", str(source), "-o", str(Path(folder, "out.conllu"))]
        began, cpu = time.monotonic(), _cpu_of_children()
        subprocess.run([*command, "--threads", str(threads), "--quiet"], check=True)
        words = times * corpus.words
        return words / (time.monotonic() - began), words / (_cpu_of_children() - cpu)


def _cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _cpu_of(process: psutil.Process) -> float:
    """Returns the CPU time of a process and its workers."""
    times = [each.cpu_times() for each in (process, *process.children(recursive=True))]
    return sum(each.user + each.system for each in times)


def measured(
    texts: list[str], words: list[int], corpus: Corpus, options: argparse.Namespace
) -> tuple[list[Speed], list[Speed]]:
    """Returns the speeds of both, round by round."""
    command = [*MULTIPLANE, "serve", "en", "--port", "0", "--quiet"]
    command += ["--threads", str(options.threads), "--workers", str(options.workers)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    process = psutil.Process(server.pid)
    file, served = [], []
    try:
        assert server.stdout is not None
        address = urlsplit(server.stdout.readline().strip())
        assert address.hostname is not None
        assert address.port is not None
        for _ in range(ROUNDS):
            file.append(file_speed("".join(texts), corpus, options.threads * options.workers))
            cpu = _cpu_of(process)
            clients = Clients(address.hostname, address.port, texts, words, options)
            speed = asyncio.run(clients.run())
            served.append((speed, clients.words / (_cpu_of(process) - cpu)))
        file.append(file_speed("".join(texts), corpus, options.threads * options.workers))
        return file, served
    finally:
        server.terminate()
        print(f"the server ended with exit code {server.wait(60)}")


class Clients:
    """Many connections, each with one request at a time."""

    def __init__(self, host: str, port: int, texts: list[str], words: list[int], options: argparse.Namespace) -> None:
        self.host, self.port, self.options = host, port, options
        self.requests = [(_request(_form(text)), count) for text, count in zip(texts, words, strict=True)]
        self.words = 0
        self.times: list[float] = []
        self.statuses: Counter[int] = Counter()
        self.refused: Counter[int] = Counter()

    async def run(self) -> float:
        """Runs all connections; returns the words per second."""
        self.end = time.monotonic() + self.options.seconds / ROUNDS
        began = time.monotonic()
        clients = [self.client(number) for number in range(1, self.options.connections)]
        others = asyncio.gather(self.wrong_client(), self.memory())
        await asyncio.gather(*clients)
        seconds = time.monotonic() - began
        await others
        times = sorted(self.times)
        shown = ", ".join(f"{name} {1000 * times[int(share * (len(times) - 1))]:.0f} ms" for name, share in _SHARES)
        print(f"{len(times):,} requests in {seconds:.0f} s: {dict(self.statuses)}; {shown}")
        print(f"refused: {dict(self.refused)}")
        return self.words / seconds

    async def client(self, number: int) -> None:
        """Sends one request after another."""
        reader, writer = await asyncio.open_connection(self.host, self.port)
        while time.monotonic() < self.end:
            request, words = self.requests[number % len(self.requests)]
            began = time.monotonic()
            status, body = await _answer(reader, writer, request)
            self.times.append(time.monotonic() - began)
            self.statuses[status] += 1
            if status == 200:
                assert json.loads(body)["result"].count("\troot\t") >= 1
                self.words += words
            number += 1
        writer.close()

    async def wrong_client(self) -> None:
        """Sends a sentence that is too long, and a body that is too large."""
        long = _request(_form("".join(f"{place}\tw" + "\t_" * 8 + "\n" for place in range(1, 1100))))
        large = _request(b"data=" + b"x" * (5 << 20))
        while time.monotonic() < self.end:
            for request in (long, large):
                reader, writer = await asyncio.open_connection(self.host, self.port)
                self.refused[(await _answer(reader, writer, request))[0]] += 1
                writer.close()
            await asyncio.sleep(0.5)

    async def memory(self) -> None:
        """Prints the server's memory from time to time."""
        seen = []
        while time.monotonic() < self.end:
            await asyncio.sleep(self.options.seconds / ROUNDS / 2.1)
            reader, writer = await asyncio.open_connection(self.host, self.port)
            _, body = await _answer(reader, writer, b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
            writer.close()
            line = next(line for line in body.decode().splitlines() if line.startswith("multiplane_resident"))
            seen.append(f"{float(line.split()[1]) / (1 << 20):.0f}")
        print(f"memory in MiB, twice: {', '.join(seen)}")


_SHARES = (("median", 0.5), ("95 %", 0.95), ("longest", 1.0))


def _form(text: str) -> bytes:
    return urlencode({"data": text, "tagger": "", "parser": ""}).encode()


def _request(body: bytes) -> bytes:
    head = "POST /process HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: bytes) -> tuple[int, bytes]:
    writer.write(request)
    await writer.drain()
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
    length = int(head.partition("content-length:")[2].partition("\r\n")[0])
    return int(head.split(" ", 2)[1]), await reader.readexactly(length)


if __name__ == "__main__":
    main()
