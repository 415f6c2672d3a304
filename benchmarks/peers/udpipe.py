"""UDPipe 1 (`ufal.udpipe`, C++): its parser alone, with gold tags, or the whole pipeline from raw text.

    python benchmarks/peers/udpipe.py train TREEBANK.conllu MODEL 'iterations=3;transition_system=swap'
    python benchmarks/peers/udpipe.py parse MODEL IN.conllu OUT.conllu --beam 1
    python benchmarks/peers/udpipe.py time MODEL IN.conllu --beam 1
    python benchmarks/peers/udpipe.py train TREEBANK.conllu MODEL --pipeline
    python benchmarks/peers/udpipe.py process MODEL IN.txt OUT.conllu

`parse` and `process` work from file to file; `time` reads a file and prints the CPU seconds of parsing it, without
reading and writing. `accuracy.py`, `speed.py` and `pipelines.py` run these as separate programs, through the functions
below. If `ufal.udpipe` is installed for another Python than multiplane, MULTIPLANE_UDPIPE_PYTHON names that Python.

With `--pipeline`, the tokenizer and the tagger are trained, too, all three with UDPipe's defaults. Training a parser
takes about 2 ms per token and iteration, with 10 iterations by default: a benchmark can only afford few
iterations or few sentences, and the results say how many.
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
"""The beam sizes measured; 5 is UDPipe's default."""


PEER = Peer("ufal.udpipe", __file__, "MULTIPLANE_UDPIPE_PYTHON")


def installed() -> str | None:
    """The version of `ufal.udpipe`, if it is installed."""
    return PEER.version()


def conllu(corpus: Corpus) -> bytes:
    """A corpus in UDPipe's format."""
    from multiplane.formats import DIALECTS, convert

    return convert(corpus, DIALECTS["conllu"])[0]


def options(corpus: Corpus, system: str, iterations: int) -> str:
    """Parser options: UDPipe's defaults, except for these arguments, and several roots if the treebank has them."""
    several = int((corpus.heads == 0).sum()) > len(corpus)
    return f"transition_system={system};iterations={iterations}" + (";single_root=0" if several else "")


def train(source: Path, model: Path, parser_options: str, *, limit: int | None = None) -> Usage:
    """Trains a model on a CoNLL-U file."""
    return run(PEER.command("train", str(source), str(model), parser_options), limit=limit)


def train_pipeline(source: Path, model: Path) -> Usage:
    """Trains a tokenizer, a tagger and a parser on a CoNLL-U file."""
    return run(PEER.command("train", str(source), str(model), "--pipeline"))


def process(model: Path, source: Path, target: Path) -> Usage:
    """Turns raw text into trees."""
    return run(PEER.command("process", str(model), str(source), str(target)))


def parse(model: Path, source: Path, target: Path, beam: int) -> Usage:
    """Parses a CoNLL-U file into another."""
    return run(PEER.command("parse", str(model), str(source), str(target), "--beam", str(beam)))


def parse_only(model: Path, source: Path, beam: int) -> float:
    """The CPU seconds of parsing alone, without start-up, reading and writing."""
    command = PEER.command("time", str(model), str(source), "--beam", str(beam))
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return float(json.loads(done.stdout)["seconds"])


# The functions below run in the separate process.


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


def _train(source: Path, target: Path, parser_options: str, pipeline: bool) -> None:
    from ufal.udpipe import ProcessingError, Sentences, Trainer

    training, error = Sentences(), ProcessingError()
    for sentence in _sentences(source.read_text(encoding="utf-8")):
        training.push_back(sentence)
    others = Trainer.DEFAULT if pipeline else Trainer.NONE
    model = Trainer.train("morphodita_parsito", training, Sentences(), others, others, parser_options, error)
    if error.occurred():
        sys.exit(error.message)
    target.write_bytes(model)


def _parse(model: Path, source: Path, target: Path, how: tuple[str, str, str]) -> None:
    """Writes what a pipeline makes of a file; it is given as the input, the tagger and the parser."""
    from ufal.udpipe import Pipeline, ProcessingError

    loaded, error = _load(model), ProcessingError()
    pipeline = Pipeline(loaded, *how, "conllu")
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
    learn.add_argument("--pipeline", action="store_true")
    for verb in ("parse", "process", "time"):
        other = verbs.add_parser(verb)
        other.add_argument("model", type=Path)
        other.add_argument("source", type=Path)
        if verb != "time":
            other.add_argument("target", type=Path)
        if verb != "process":
            other.add_argument("--beam", type=int, default=BEAM)
    chosen = parser.parse_args()
    if chosen.verb == "train":
        _train(chosen.source, chosen.model, chosen.options, chosen.pipeline)
    elif chosen.verb == "parse":
        _parse(chosen.model, chosen.source, chosen.target, ("conllu", "none", f"beam_search={chosen.beam}"))
    elif chosen.verb == "process":
        _parse(chosen.model, chosen.source, chosen.target, ("tokenize", "", ""))
    else:
        _time(chosen.model, chosen.source, chosen.beam)


if __name__ == "__main__":
    main()
