"""Our parser in spaCy: speed of `nlp.pipe` beside `Parser.parse`, and LAS of `spacy evaluate` beside our own.

    python benchmarks/spacy_pipe.py [FILE] [--model en] [--rounds 5]

Needs `multiplane[spacy]`. Speed is in words per second of CPU time, which other programs disturb little; the fastest
round counts, and both sides take turns. Docs have gold words and sentences. For LAS, spaCy's own converter reads the
treebank (`spacy convert -n 1`) and `spacy evaluate --gold-preproc` scores a pipeline that was saved and loaded again.
Its LAS leaves out arcs labelled punct, in the gold tree and in the predicted one, and is an F1 score; ours is computed
the same way from the trees of `Parser.parse`. Without FILE: English-EWT dev if ../shared/data exists, otherwise the
sample treebank.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import click
import spacy
from spacy.tokens import Doc

import multiplane as mp
from multiplane.data import sample_path

TREEBANK = Path(__file__).resolve().parent.parent.parent / "shared" / "data" / "ud" / "en_ewt" / "dev.conllu.xz"


def cpu(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def speeds(nlp: spacy.Language, parser: mp.Parser, words: list[list[str]], rounds: int) -> tuple[float, float]:
    """Returns the words per second of `Parser.parse` and of `nlp.pipe`."""
    ours, theirs = [], []
    for _ in range(rounds):
        ours.append(cpu(lambda: parser.parse(words)))
        docs = [Doc(nlp.vocab, words=forms) for forms in words]
        theirs.append(cpu(lambda docs=docs: list(nlp.pipe(docs))))
    size = sum(map(len, words))
    return size / min(ours), size / min(theirs)


def spacy_scores(nlp: spacy.Language, gold: mp.Corpus) -> dict[str, float]:
    """Returns what `spacy evaluate` finds."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        mp.write(gold, folder / "gold.conllu")
        nlp.to_disk(folder / "pipeline")
        for arguments in (
            ["convert", folder / "gold.conllu", folder, "-n", "1"],
            ["evaluate", folder / "pipeline", folder / "gold.spacy", "-G", "-o", folder / "scores.json"],
        ):
            subprocess.run([sys.executable, "-m", "spacy", *map(str, arguments)], check=True, capture_output=True)
        return json.loads((folder / "scores.json").read_text(encoding="utf-8"))


def las_without_punct(gold: mp.Corpus, parsed: mp.Corpus) -> float:
    """Returns the F1 score of labelled arcs that are not punct."""
    pairs = list(zip(_arcs(gold), _arcs(parsed), strict=True))
    right = sum(g == p and g[1] != "punct" for g, p in pairs)
    return 2 * right / sum((g[1] != "punct") + (p[1] != "punct") for g, p in pairs)


def _arcs(corpus: mp.Corpus) -> list[tuple[int, str]]:
    return list(zip(corpus.heads.tolist(), corpus.column("deprel"), strict=True))


@click.command()
@click.argument("file", type=click.Path(), default=str(TREEBANK if TREEBANK.exists() else sample_path()))
@click.option("--model", default="en")
@click.option("--rounds", default=5)
def main(file: str, model: str, rounds: int) -> None:
    parser, gold = mp.load(model), mp.read(file)
    nlp = spacy.blank("xx")
    nlp.add_pipe("multiplane_parser", config={"model": model, "sentences": "given"})
    forms = [sentence.forms for sentence in gold]
    ours, theirs = speeds(nlp, parser, forms, rounds)
    click.echo(f"{file}: {gold.words:,} words\n")
    click.echo(f"Parser.parse   {ours:9,.0f} words/s of CPU time")
    click.echo(f"nlp.pipe       {theirs:9,.0f} words/s of CPU time: {theirs / ours:.0%}\n")
    parsed = parser.parse(mp.Corpus.from_columns(forms=forms))
    click.echo(f"LAS without punct, ours    {las_without_punct(gold, parsed):.6f}")
    click.echo(f"dep_las of spacy evaluate  {spacy_scores(nlp, gold)['dep_las']:.6f}")
    click.echo(f"LAS of all words           {mp.evaluate(gold, parsed).las / 100:.6f}")


if __name__ == "__main__":
    main()
