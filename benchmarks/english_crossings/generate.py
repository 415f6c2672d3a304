"""Writes generated English sentences with their trees: training examples for crossing arcs.

    python benchmarks/english_crossings/generate.py -o crossings.conllu
    python benchmarks/english_crossings/generate.py --count 3000 --seed 7 -o more.conllu

Of the sentences, 60 % are not projective; the others look alike but are. They are all different, none is in
gold.conllu, and the same seed gives the same file.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

sys.path.append(str(Path(__file__).resolve().parents[1]))

import multiplane as mp
from english_crossings import comparison, extraposition, movement
from english_crossings.grammar import Grammar, Sentence, set_off
from english_crossings.phrases import fixed_phrase
from english_crossings.tree import Word, conllu
from english_crossings.words import LEXICON, adverb, comma, sconj

CROSSING = 0.6
GOLD = Path(__file__).with_name("gold.conllu")


def plain(grammar: Grammar) -> Sentence:
    """A clause in which nothing is moved: "She thinks that he likes it"."""
    core = grammar.plain(grammar.weighted({0: 1, 1: 3, 2: 1}))
    asked = grammar.chance(0.3)
    return grammar.finite(core, grammar.subject(), inverted=asked).words, core.head, "?" if asked else "."


CONSTRUCTIONS: dict[Callable[[Grammar], Sentence], float] = {
    movement.question: 22,
    movement.indirect_question: 16,
    movement.relative: 26,
    movement.where_question: 2,
    movement.predicate_question: 3,
    movement.subject_question: 6,
    movement.free_relative: 4,
    movement.parenthetical: 3,
    comparison.comparative: 9,
    comparison.equative: 7,
    comparison.result: 6,
    comparison.enough: 4,
    extraposition.extraposed: 4,
    extraposition.after_adjunct: 6,
    extraposition.existential: 4,
    extraposition.content: 2,
    extraposition.afterthought: 4,
    plain: 5,
}
"""How often each is drawn: about as often as in UD English-EWT, questions more often."""


class Example(NamedTuple):
    """A generated sentence: its construction, its words, and whether it is projective."""

    kind: str
    words: list[Word]
    projective: bool


def longer(grammar: Grammar, sentence: Sentence) -> Sentence:
    """The sentence, perhaps with something before or after it, so that it is not always the whole."""
    words, root, mark = sentence
    kind = grammar.weighted({"": 6, "opener": 1, "phrase": 0.8, "because": 0.9, "and": 1.3})
    if kind == "opener":
        return opener(grammar, root) + words, root, mark
    if kind == "phrase":
        phrase = fixed_phrase(grammar.pick(LEXICON["adjuncts"]["phrases"]))
        return [*phrase.under(root, "obl"), comma().under(phrase.head, "punct"), *words], root, mark
    if kind:
        return with_clause(grammar, sentence, subordinate=kind == "because")
    return sentence


def with_clause(grammar: Grammar, sentence: Sentence, subordinate: bool) -> Sentence:
    """The sentence and another clause: after "because" and the like, or joined by "and" or "but"."""
    words, root, mark = sentence
    other = grammar.finite(grammar.plain(grammar.pick((0, 0, 1))), grammar.subject())
    if subordinate:
        link = sconj(grammar.pick(("because", "if", "before", "after", "although")))
        return [*words, link.under(other.head, "mark"), *other.under(root, "advcl")], root, mark
    if mark == "?" or grammar.chance(0.5):  # a question comes second
        return [*other.words, *joined(grammar, words, root, other.head)], other.head, mark
    return [*words, *joined(grammar, other.words, other.head, root)], root, mark


def joined(grammar: Grammar, words: list[Word], head: Word, first: Word) -> list[Word]:
    """The words as a conjunct of `first`, after "and" or "but"."""
    form = grammar.pick(("and", "but"))
    head.under(first, "conj")
    words = [Word(form, form, "CCONJ", "CC").under(head, "cc"), *words]
    return set_off(words, head) if grammar.chance(0.6) else words


def opener(grammar: Grammar, root: Word) -> list[Word]:
    """A word such as "so", "but" or "well" at the beginning."""
    form = grammar.pick(LEXICON["adjuncts"]["openers"])
    if form in {"and", "but"}:
        return [Word(form, form, "CCONJ", "CC").under(root, "cc")]
    if form in {"well", "okay"}:
        word = Word(form, form, "INTJ", "UH").under(root, "discourse")
        return [word, comma().under(word, "punct")]
    word = adverb(form).under(root, "advmod")
    return [word, comma().under(word, "punct")] if grammar.chance(0.3) else [word]


def written(grammar: Grammar, sentence: Sentence) -> list[Word]:
    """The words with a capital letter and a final mark, or as people write in a hurry, with neither."""
    words, root, mark = sentence
    hurried = grammar.chance(0.07)
    for word in words if hurried else ():
        word.form = word.form.lower()
    if not hurried:
        words[0].form = words[0].form[0].upper() + words[0].form[1:]
    if grammar.chance(0.4 if hurried else 0.9):
        mark = "!" if mark == "." and grammar.chance(0.04) else mark
        words = [*words, Word(mark, mark, "PUNCT", ".", joint="").under(root, "punct")]
    return words


def is_projective(words: list[Word]) -> bool:
    places = {word: place for place, word in enumerate(words, 1)}
    heads = [places[word.head] if word.head else 0 for word in words]
    return mp.DependencyGraph.from_heads(heads).is_projective()


def examples(seed: int) -> Iterator[Example]:
    """Examples without end, in the proportions of `CONSTRUCTIONS`.

    >>> first, again = next(examples(1)), next(examples(1))
    >>> [word.form for word in first.words] == [word.form for word in again.words]
    True
    """
    grammar = Grammar(seed)
    while True:
        make = grammar.weighted(CONSTRUCTIONS)
        words = written(grammar, longer(grammar, make(grammar)))
        yield Example(make.__name__, words, is_projective(words))


def key(forms: Iterable[str]) -> tuple[str, ...]:
    """What makes two sentences the same: the words, in lower case, without punctuation.

    >>> key(["Who", "is", "it", "?"])
    ('who', 'is', 'it')
    """
    return tuple(form.lower() for form in forms if any(map(str.isalnum, form)))


def generate(count: int, seed: int) -> Iterator[Example]:
    """Different examples, of which `CROSSING` are not projective, and none in the gold file."""
    seen = {key(sentence.forms) for sentence in mp.read_conllu(GOLD)}
    crossing = round(count * CROSSING)
    wanted = {False: crossing, True: count - crossing}
    for example in examples(seed):
        if not any(wanted.values()):
            return
        words = key(word.form for word in example.words)
        if words not in seen and wanted[example.projective]:
            seen.add(words)
            wanted[example.projective] -= 1
            yield example


def treebank(count: int, seed: int) -> str:
    """The examples in CoNLL-U."""
    return "".join(
        conllu(example.words, [f"sent_id = crossings-{seed}-{number}-{example.kind}"])
        for number, example in enumerate(generate(count, seed), 1)
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1500, help="number of sentences (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the random choices (default: %(default)s)")
    parser.add_argument("-o", "--output", type=Path, required=True, help="the CoNLL-U file to write")
    options = parser.parse_args()
    if options.count < 1:
        parser.error("--count must be at least 1")
    try:
        options.output.write_text(treebank(options.count, options.seed), encoding="utf-8")
    except OSError as error:
        parser.error(f"cannot write {options.output}: {error.strerror}")


if __name__ == "__main__":
    main()
