"""Speed of walking through the words of a treebank, and of editing them, in words per second of CPU time.

    python benchmarks/tokens.py [FILE]

The fastest of three rounds counts. Without FILE: English-EWT train if ../shared/data exists, otherwise the sample
treebank.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import multiplane as mp

TREEBANK = Path(__file__).resolve().parent.parent.parent / "shared" / "data" / "ud" / "en_ewt" / "train.conllu.xz"
ROUNDS = 3


def every(function: Callable[[mp.Token], object]) -> Callable[[mp.Corpus], None]:
    """Returns what applies a function to every word of a corpus."""

    def walk(corpus: mp.Corpus) -> None:
        for sentence in corpus:
            for token in sentence:
                function(token)

    return walk


def fields(token: mp.Token) -> object:
    """Reads nine fields."""
    first = token.form, token.lemma, token.upos, token.xpos, token.feats
    return first, token.head_id, token.deprel, token.deps, token["misc"]


def lower_lemma(token: mp.Token) -> None:
    """Edits one field."""
    token.lemma = token.lemma.lower()


def same_head(token: mp.Token) -> None:
    """Edits the head."""
    token.head = token.head_id


def verdicts(corpus: mp.Corpus) -> None:
    """Asks for two verdicts on every sentence."""
    for sentence in corpus:
        _ = sentence.is_projective, sentence.planarity


TASKS: dict[str, Callable[[mp.Corpus], object]] = {
    "iterate": every(lambda token: token),
    "form": every(lambda token: token.form),
    "form, tag, head": every(lambda token: (token.form, token.upos, token.head)),
    "nine fields": every(fields),
    "children": every(lambda token: token.children),
    "start, end": every(lambda token: (token.start, token.end)),
    "is_projective, planarity": verdicts,
    "edit the lemma of every word": every(lower_lemma),
    "edit the head of every word": every(same_head),
    "write, every sentence edited": lambda corpus: corpus.to_bytes(),
}


def main() -> None:
    """Prints a table."""
    path = sys.argv[1] if len(sys.argv) > 1 else TREEBANK
    corpora = [mp.read(path) if Path(path).exists() else mp.sample() for _ in range(ROUNDS)]
    print(f"{corpora[0].words:,} words\n\n| task | words/s |\n| --- | ---: |")
    for name, task in TASKS.items():
        seconds = []
        for corpus in corpora:
            start = time.process_time()
            task(corpus)
            seconds.append(time.process_time() - start)
        print(f"| {name} | {corpora[0].words / min(seconds):,.0f} |")


if __name__ == "__main__":
    main()
