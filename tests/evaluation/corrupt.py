"""Treebanks as a bad parser, tagger or tokenizer would give them back: the same text, anything else wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

import multiplane as mp

LABELS = [
    "nsubj",
    "obj",
    "nmod:poss",
    "acl:relcl",
    "acl",
    "case",
    "det",
    "cc",
    "aux:pass",
    "mark",
    "punct",
    "dep",
    "xyz",
]
TAGS = ["NOUN", "VERB", "PUNCT", "ADP", "X"]
FEATS = ["_", "Number=Sing", "Case=Nom|Number=Sing", "Number=Sing|Case=Nom", "Typo=Yes", "Number=Sing|Typo=Yes"]


@dataclass(eq=False)
class Word:
    form: str
    lemma: str = "_"
    upos: str = "X"
    xpos: str = "_"
    feats: str = "_"
    head: Word | None = None
    deprel: str = "dep"


@dataclass(eq=False)
class Token:
    form: str
    words: list[Word]
    is_range: bool = False


@dataclass(eq=False)
class Text:
    sentences: list[list[Token]] = field(default_factory=list)

    def words(self) -> list[Word]:
        return [word for sentence in self.sentences for token in sentence for word in token.words]

    def __str__(self) -> str:
        lines = []
        for sentence in self.sentences:
            words = [word for token in sentence for word in token.words]
            number = {id(word): i for i, word in enumerate(words, 1)}
            for token in sentence:
                first, last = number[id(token.words[0])], number[id(token.words[-1])]
                if token.is_range:
                    lines.append(f"{first}-{last}\t{token.form}" + 8 * "\t_")
                for w in token.words:
                    head = number[id(w.head)] if w.head else 0
                    row = [number[id(w)], w.form, w.lemma, w.upos, w.xpos, w.feats, head, w.deprel, "_", "_"]
                    lines.append("\t".join(map(str, row)))
            lines.append("")
        return "\n".join(lines) + "\n"


def text_of(corpus: mp.Corpus) -> Text:
    text = Text()
    for sentence in corpus:
        columns = zip(
            sentence.forms, sentence.lemmas, sentence.upos, sentence.xpos, sentence.feats, sentence.deprels, strict=True
        )
        words = [Word(*row[:5], None, row[5]) for row in columns]
        for word, head in zip(words, sentence.heads, strict=True):
            word.head = words[head - 1] if head else None
        ranges = {int(line.id.split("-")[0]): line for line in sentence.ranges}
        tokens = []
        i = 1
        while i <= len(words):
            last = int(ranges[i].id.split("-")[1]) if i in ranges else i
            form = ranges[i].fields[0] if i in ranges else words[i - 1].form
            tokens.append(Token(form, words[i - 1 : last], i in ranges))
            i = last + 1
        text.sentences.append(tokens)
    return text


def repair(text: Text) -> None:
    """One root a sentence, no cycle, no head elsewhere."""
    for sentence in text.sentences:
        words = [word for token in sentence for word in token.words]
        here = set(map(id, words))
        for word in words:
            if word.head is not None and id(word.head) not in here:
                word.head = None
        for word in words:
            seen = {id(word)}
            above = word
            while above.head is not None:
                if id(above.head) in seen:
                    above.head = None
                else:
                    above = above.head
                    seen.add(id(above))
        roots = [word for word in words if word.head is None]
        for word in roots[1:]:
            word.head = roots[0]


def wrong_heads(text: Text, random: Random) -> None:
    for sentence in text.sentences:
        words = [word for token in sentence for word in token.words]
        for word in random.sample(words, k=min(len(words), random.randrange(3))):
            word.head = random.choice(words)


def _wrong_field(name: str, values: list[str]) -> Callable[[Text, Random], None]:
    def change(text: Text, random: Random) -> None:
        words = text.words()
        for word in random.sample(words, k=len(words) // random.randint(2, 20)):
            setattr(word, name, random.choice(values))

    change.__name__ = f"wrong_{name}"
    return change


def wrong_subtypes(text: Text, random: Random) -> None:
    for word in random.sample(text.words(), k=len(text.words()) // 5):
        universal, _, subtype = word.deprel.partition(":")
        word.deprel = universal if subtype else f"{universal}:x"


def merge_tokens(text: Text, random: Random) -> None:
    """Two tokens become one: a word if both are words, a multiword token or a word otherwise."""
    for sentence in text.sentences:
        if len(sentence) < 2 or random.random() < 0.5:
            continue
        i = random.randrange(len(sentence) - 1)
        one, two = sentence[i : i + 2]
        words = one.words + two.words
        if random.random() < 0.5:
            sentence[i : i + 2] = [Token(one.form + two.form, words, is_range=True)]
        else:
            kept = Word(one.form + two.form, head=words[0].head, deprel=words[0].deprel)
            sentence[i : i + 2] = [Token(kept.form, [kept])]
            for word in text.words():
                if word.head in words:
                    word.head = kept


def split_tokens(text: Text, random: Random) -> None:
    for sentence in text.sentences:
        i = random.randrange(len(sentence))
        token = sentence[i]
        if len(token.form) < 2:
            continue
        cut = random.randrange(1, len(token.form))
        if token.form[:cut].isspace() or token.form[cut:].isspace():
            continue
        first, *rest = token.words
        first.form = token.form[:cut]
        second = Word(token.form[cut:], head=first)
        sentence[i : i + 1] = [Token(first.form, [first]), Token(second.form, [second])]
        for word in text.words():
            if word.head in rest:
                word.head = first


def make_multiword(text: Text, random: Random) -> None:
    """A token becomes a multiword token of words with any forms, often those of the words around it."""
    for sentence in text.sentences:
        i = random.randrange(len(sentence))
        token = sentence[i]
        around = [word.form for near in sentence[max(0, i - 2) : i + 3] for word in near.words]
        around += [form.upper() for form in around]
        more = [Word(random.choice(around), head=token.words[0]) for _ in range(random.randrange(3))]
        sentence[i] = Token(token.form, token.words + more, is_range=True)
        if random.random() < 0.5:
            random.choice(sentence[i].words).form = random.choice(around)


def merge_sentences(text: Text, random: Random) -> None:
    if len(text.sentences) > 1:
        i = random.randrange(len(text.sentences) - 1)
        text.sentences[i : i + 2] = [text.sentences[i] + text.sentences[i + 1]]


def split_sentences(text: Text, random: Random) -> None:
    i = random.randrange(len(text.sentences))
    sentence = text.sentences[i]
    if len(sentence) > 1:
        cut = random.randrange(1, len(sentence))
        text.sentences[i : i + 1] = [sentence[:cut], sentence[cut:]]


def add_spaces(text: Text, random: Random) -> None:
    for sentence in text.sentences:
        token = random.choice(sentence)
        cut = random.randrange(len(token.form) + 1)
        token.form = token.form[:cut] + random.choice(" \u00a0\u3000\u2009") + token.form[cut:]
        if not token.is_range:
            token.words[0].form = token.form


CORRUPTIONS = [
    wrong_heads,
    _wrong_field("deprel", LABELS),
    wrong_subtypes,
    _wrong_field("upos", TAGS),
    _wrong_field("xpos", ["_", "NN"]),
    _wrong_field("feats", FEATS),
    _wrong_field("lemma", ["_", "be"]),
    merge_tokens,
    split_tokens,
    make_multiword,
    merge_sentences,
    split_sentences,
    add_spaces,
]


def corrupted(corpus: mp.Corpus, *corruptions: Callable[[Text, Random], None], seed: int = 1) -> str:
    text, random = text_of(corpus), Random(seed)
    for corruption in corruptions:
        corruption(text, random)
    repair(text)
    return str(text)


def random_text(characters: str, random: Random) -> str:
    """Any segmentation of a text into sentences, tokens, multiword tokens and words; annotated at random."""
    text = Text()
    rest = characters
    while rest:
        sentence: list[Token] = []
        for _ in range(random.randint(1, 6)):
            if not rest:
                break
            size = random.choice([1, 1, 1, 2, 2, 3, 5])
            form, rest = rest[:size], rest[size:]
            words = [Word(form)]
            is_range = random.random() < 0.3
            if is_range:
                words = [Word(random.choice(["a", "b", "A", "ab", "ba"])) for _ in range(random.randint(1, 3))]
            sentence.append(Token(form, words, is_range))
        all_words = [word for token in sentence for word in token.words]
        for word in all_words:
            word.head = random.choice([None, *all_words])
            word.deprel, word.upos, word.feats = (random.choice(values) for values in (LABELS, TAGS, FEATS))
            word.lemma = random.choice("_ab")
        text.sentences.append(sentence)
    repair(text)
    return str(text)
