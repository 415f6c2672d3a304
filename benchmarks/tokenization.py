"""Accuracy and speed of splitting text into sentences and words, on UD English-EWT dev.

    python benchmarks/tokenization.py [FILE]

The paragraphs of the treebank are rebuilt from its sentences and tokenized; words and sentences are correct if they
cover the same characters, as in the CoNLL 2018 shared task. One thread; the fastest of several rounds counts. `syntok`
is that package alone. Needs ../shared/data unless you name another treebank.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

from syntok import segmenter
from syntok.tokenizer import Tokenizer as SyntokTokenizer

import multiplane
from multiplane.evaluation import Score, align
from multiplane.formats import Corpus, Sentence
from multiplane.text import TOKENIZERS, Token, Tokenizer, corpus_of_text

DATA = Path(__file__).resolve().parent.parent.parent / "shared" / "data"
DEV = DATA / "ud" / "en_ewt" / "dev.conllu.xz"
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
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else DEV
    if not path.is_file():
        sys.exit(f"needs {'../shared/data' if path == DEV else path}, which was not found")
    gold = multiplane.read(path)
    text = "\n\n".join(paragraphs(gold))
    tokenizers = {name: make() for name, make in TOKENIZERS.items()} | {"syntok": Syntok()}
    print("tokenizer    words  tokens  sentences  words/s")
    for name, tokenizer in tokenizers.items():
        seconds, system = min((timed(text, tokenizer) for _ in range(ROUNDS)), key=lambda result: result[0])
        words, tokens, sentences = (score.f1 for score in scores(gold, system))
        print(f"{name:<10} {words:7.2f} {tokens:7.2f} {sentences:10.2f} {system.words / seconds:8,.0f}")


def timed(text: str, tokenizer: Tokenizer) -> tuple[float, Corpus]:
    start = time.perf_counter()
    corpus = corpus_of_text(text, tokenizer)
    return time.perf_counter() - start, corpus


def scores(gold: Corpus, system: Corpus) -> tuple[Score, Score, Score]:
    """The scores of words, tokens and sentences."""
    alignment = align(gold, system)
    matched = int((alignment.to_system >= 0).sum())
    return Score(gold.words, system.words, matched), alignment.tokens, alignment.sentences


def paragraphs(corpus: Corpus) -> Iterator[str]:
    """The text between `newdoc` and `newpar` comments, with the spaces that the treebank records."""
    text = ""
    for sentence in corpus:
        if text and any(comment.startswith(("# newdoc", "# newpar")) for comment in sentence.comments):
            yield text
            text = ""
        text += (sentence.text or "") + ("" if "SpaceAfter=No" in last_misc(sentence) else " ")
    yield text


def last_misc(sentence: Sentence) -> str:
    """The MISC column of the last token."""
    ranges = [row for row in sentence.ranges if row.id.endswith(f"-{len(sentence)}")]
    return ranges[0].fields[-1] if ranges else sentence.misc[-1]


if __name__ == "__main__":
    main()
