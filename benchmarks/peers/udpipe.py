"""UDPipe 1 (`ufal.udpipe`, C++), its parser alone, with gold tags.

    python benchmarks/peers/udpipe.py train TREEBANK.conllu MODEL 'iterations=3;transition_system=swap'
    python benchmarks/peers/udpipe.py parse MODEL IN.conllu OUT.conllu --beam 1
    python benchmarks/peers/udpipe.py time MODEL IN.conllu --beam 1

`parse` goes from file to file; `time` reads a file and prints the CPU seconds that parsing it takes, reading and
writing not counted. `accuracy.py` and `speed.py` call these as programs of their own, through the functions below.
Where `ufal.udpipe` is installed for another Python than multiplane, MULTIPLANE_UDPIPE_PYTHON names that Python.

Training takes about 2 ms a token and iteration, and 10 iterations are the default: so few iterations, or few
sentences, are what a benchmark can afford, and the results say how many there were.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from common import Peer, Usage, run

if TYPE_CHECKING:
    from multiplane.formats import Corpus

GREEDY, BEAM = 1, 5
"""The sizes of the beam that are measured; 5 is the default of UDPipe."""


PEER = Peer("ufal.udpipe", __file__, "MULTIPLANE_UDPIPE_PYTHON")


def installed() -> str | None:
    """The version of `ufal.udpipe`, if there is one."""
    return PEER.version()


def conllu(corpus: Corpus) -> bytes:
    """A corpus as UDPipe wants it."""
    from multiplane.formats import DIALECTS, convert

    return convert(corpus, DIALECTS["conllu"])[0]


def options(corpus: Corpus, system: str, iterations: int) -> str:
    """Parser options: the defaults of UDPipe, but for what is named, and several roots where the treebank has them."""
    several = int((corpus.heads == 0).sum()) > len(corpus)
    return f"transition_system={system};iterations={iterations}" + (";single_root=0" if several else "")


def train(source: Path, model: Path, parser_options: str, *, limit: int | None = None) -> Usage:
    """Trains a model on a CoNLL-U file."""
    return run(PEER.command("train", str(source), str(model), parser_options), limit=limit)


def parse(model: Path, source: Path, target: Path, beam: int) -> Usage:
    """Parses a CoNLL-U file into another."""
    return run(PEER.command("parse", str(model), str(source), str(target), "--beam", str(beam)))


def parse_only(model: Path, source: Path, beam: int) -> float:
    """The CPU seconds that parsing alone takes, without start, reading and writing."""
    command = PEER.command("time", str(model), str(source), "--beam", str(beam))
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return float(json.loads(done.stdout)["seconds"])


# From here on: what runs in the process of its own.


def _sentences(text: str) -> Iterator[Any]:
    from ufal.udpipe import InputFormat, ProcessingError, Sentence

    reader, error = InputFormat.newConlluInputFormat(), ProcessingError()
    reader.setText(text)
    sentence = Sentence()
    while reader.nextSentence(sentence, error):
        yield sentence
        sentence = Sentence()
    if error.occurred():
        sys.exit(error.message)


def _load(path: Path) -> Any:
    from ufal.udpipe import Model

    return Model.load(str(path)) or sys.exit("cannot load the model")


def _train(source: Path, target: Path, parser_options: str) -> None:
    from ufal.udpipe import ProcessingError, Sentences, Trainer

    training, error = Sentences(), ProcessingError()
    for sentence in _sentences(source.read_text(encoding="utf-8")):
        training.push_back(sentence)
    model = Trainer.train("morphodita_parsito", training, Sentences(), "none", "none", parser_options, error)
    if error.occurred():
        sys.exit(error.message)
    target.write_bytes(model)


def _parse(model: Path, source: Path, target: Path, beam: int) -> None:
    from ufal.udpipe import Pipeline, ProcessingError

    loaded, error = _load(model), ProcessingError()
    pipeline = Pipeline(loaded, "conllu", Pipeline.NONE, f"beam_search={beam}", "conllu")
    output = pipeline.process(source.read_text(encoding="utf-8"), error)
    if error.occurred():
        sys.exit(error.message)
    target.write_text(output, encoding="utf-8")


def _time(model: Path, source: Path, beam: int) -> None:
    from ufal.udpipe import ProcessingError

    loaded, error, how = _load(model), ProcessingError(), f"beam_search={beam}"
    sentences = list(_sentences(source.read_text(encoding="utf-8")))
    start = time.process_time()
    for sentence in sentences:
        loaded.parse(sentence, how, error)
    seconds = time.process_time() - start
    if error.occurred():
        sys.exit(error.message)
    print(json.dumps({"seconds": seconds, "sentences": len(sentences)}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    learn = verbs.add_parser("train")
    learn.add_argument("source", type=Path)
    learn.add_argument("model", type=Path)
    learn.add_argument("options", nargs="?", default="")
    for verb in ("parse", "time"):
        other = verbs.add_parser(verb)
        other.add_argument("model", type=Path)
        other.add_argument("source", type=Path)
        if verb == "parse":
            other.add_argument("target", type=Path)
        other.add_argument("--beam", type=int, default=BEAM)
    chosen = parser.parse_args()
    if chosen.verb == "train":
        _train(chosen.source, chosen.model, chosen.options)
    elif chosen.verb == "parse":
        _parse(chosen.model, chosen.source, chosen.target, chosen.beam)
    else:
        _time(chosen.model, chosen.source, chosen.beam)


if __name__ == "__main__":
    main()
