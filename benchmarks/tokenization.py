"""Accuracy and speed of splitting text into sentences and words, on UD English-EWT dev.

    python benchmarks/tokenization.py [FILE]
    python benchmarks/tokenization.py --trained [NAME ...]

The paragraphs of the treebank are rebuilt from its sentences and tokenized; words and sentences are correct if they
cover the same characters, as in the CoNLL 2018 shared task. One thread; the fastest of several rounds counts. `syntok`
is that package alone. Needs ../shared/data unless you name another treebank.

With --trained, a tokenizer is trained with the default settings on each treebank in ../shared/data/ud that you name, by
default on several, and scored on its dev file. Where there is no train file, the first four fifths of the dev file take
its place, and the rest is scored.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from syntok import segmenter
from syntok.tokenizer import Tokenizer as SyntokTokenizer

import multiplane
from multiplane.formats import Corpus
from multiplane.formats.treebank import joined
from multiplane.text import TOKENIZERS, Token, Tokenizer, corpus_of_text
from multiplane.text.gold import raw_text
from multiplane.training.tokenizer_scoring import tokenization

DATA = Path(__file__).resolve().parent.parent.parent / "shared" / "data"
DEV = DATA / "ud" / "en_ewt" / "dev.conllu.xz"
TREEBANKS = ("en_ewt", "pt_bosque", "tr_imst", "got_proiel", "grc_perseus", "de_gsd", "ja_gsd", "ar_padt-r1.2")
ROUNDS = 5


class Syntok:
    """Words and sentences of `syntok` alone, with every character kept."""

    words = SyntokTokenizer(emit_hyphen_or_underscore_sep=True, replace_not_contraction=False)

    def sentences(self, text: str) -> Iterator[list[Token]]:
        """The sentences of a paragraph."""
        for sentence in segmenter.segment(self.words.tokenize(text)):
            found = [(token.value, token.offset) for token in sentence if token.value]
            yield [Token(form, start, start + len(form)) for form, start in found]


def main() -> None:
    if sys.argv[1:2] == ["--trained"]:
        trained(sys.argv[2:] or TREEBANKS)
        return
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else DEV
    if not path.is_file():
        sys.exit(f"needs {'../shared/data' if path == DEV else path}, which was not found")
    gold = multiplane.read(path)
    print("tokenizer    words  tokens  sentences  words/s")
    for name, tokenizer in ({name: make() for name, make in TOKENIZERS.items()} | {"syntok": Syntok()}).items():
        print(row(name, gold, tokenizer))


def trained(names: Sequence[str]) -> None:
    """Trains a tokenizer on each treebank."""
    print("treebank        words  tokens  sentences  words/s  training (s)")
    for name in names:
        train, dev = split(DATA / "ud" / name)
        began = time.process_time()
        tokenizer = multiplane.train_tokenizer(train)
        seconds = time.process_time() - began
        print(row(f"{name:<13}", dev, tokenizer), f"{seconds:13.0f}", flush=True)


def split(folder: Path) -> tuple[Corpus, Corpus]:
    """The treebank to train on and the one to score on."""
    dev = multiplane.read(folder / "dev.conllu.xz")
    if (folder / "train.conllu.xz").is_file():
        return multiplane.read(folder / "train.conllu.xz"), dev
    four_fifths = len(dev) * 4 // 5
    return joined(dev[:four_fifths]), joined(dev[four_fifths:])


def row(name: str, gold: Corpus, tokenizer: Tokenizer) -> str:
    """The scores of a tokenizer, and its speed."""
    text = raw_text(gold)
    seconds, system = min((timed(text, tokenizer) for _ in range(ROUNDS)), key=lambda result: result[0])
    words, tokens, sentences = tokenization(gold, system)
    return f"{name:<10} {words:7.2f} {tokens:7.2f} {sentences:10.2f} {system.words / seconds:8,.0f}"


def timed(text: str, tokenizer: Tokenizer) -> tuple[float, Corpus]:
    start = time.perf_counter()
    corpus = corpus_of_text(text, tokenizer)
    return time.perf_counter() - start, corpus


if __name__ == "__main__":
    main()
