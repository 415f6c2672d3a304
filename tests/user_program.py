"""A program as users write it; `test_types.py` runs it and checks its types, which are those it declares."""

import io
from collections.abc import Iterator

import multiplane as mp


def texts() -> Iterator[str]:
    """Yields texts."""
    yield "She left."


def parse(parser: mp.Parser) -> mp.Corpus:
    """Parses everything that can be parsed."""
    one: mp.Corpus = parser.parse("She left.", threads=2, scores=True, tokenizer="spaces")
    many: list[mp.Corpus] = parser.parse(["She left.", "He stayed."], batch_size=10)
    lazy: Iterator[mp.Corpus] = parser.parse(texts())
    words: list[mp.Sentence] = parser.parse([["She", "left", "."]])
    sentence: mp.Sentence = parser.parse(one[0], forbidden=[(0, 1)])
    again: mp.Corpus = parser.parse(one, keep_heads=True, forbidden=[[] for _ in one])
    corpora: list[mp.Corpus] = parser.parse([one, again])
    some: list[mp.Sentence] = parser.parse(list(one[:1]))
    part: mp.Corpus = parser.parse(one[:1])
    stream: Iterator[mp.Sentence] = parser.parse(iter(one))
    best: list[list[mp.Sentence]] = parser.parse("She left.", best=2)
    first: list[mp.Sentence] = parser.parse(sentence, best=2)
    mp.write_conllu(best, io.BytesIO())
    mp.write_conllu([part], io.BytesIO())
    assert len(many) == len(corpora) == 2
    assert len(list(lazy)) == len(words) == len(some) == len(part) == len(list(stream)) == 1
    assert len(best[0]) == len(first) == 2
    return many[0]


def edit(sentence: mp.Sentence) -> None:
    """Reads and edits words."""
    for token in sentence:
        form: str = token.form
        head: mp.Token | None = token.head
        children: list[mp.Token] = token.children
        span: tuple[int, int] = (token.start, token.end)
        score: float | None = token.score
        assert (head is None) == token.is_root
        assert token not in children
        assert span[0] < span[1]
        assert score is None
        token.lemma = form.lower()
        token.head = 0 if head is None else head
        token.feats = {"Case": "Nom"}
        token.feats_dict["Number"] = "Sing"
        token.misc["Gloss"] = "x"
        token.misc = None


def export(corpus: mp.Corpus) -> None:
    """Passes a corpus on."""
    part: list[mp.Token] = corpus[0][1:3]
    verdicts: tuple[bool, int] = (corpus[0].is_projective, corpus[0].planarity)
    verbs: mp.Corpus = corpus.filter(lambda sentence: any(token.upos == "VERB" for token in sentence))
    record: dict[str, object] = corpus[0].to_dict()
    built: mp.Corpus = mp.Corpus.from_columns(forms=[["Go"]], heads=[[0]], deprels=[["root"]])
    names: list[str] = corpus.to_polars().columns
    assert len(part) == 2
    assert verdicts == (True, 1)
    assert len(verbs) == 1
    assert record["text"] == "She left."
    assert built.words == 1
    assert names[:3] == ["sentence", "sent_id", "id"]


def mistakes(parser: mp.Parser, sentence: mp.Sentence) -> None:
    """Has mistakes that a type checker finds; it also finds an `ignore` without a mistake. Not meant to run."""
    corpus: mp.Corpus = parser.parse(["She left."])  # type: ignore[assignment]
    parser.parse(3)  # type: ignore[call-overload]
    sentence[0].head = "root"  # type: ignore[assignment]
    sentence[0].lemma = 3  # type: ignore[assignment]
    sentence[0].start = 3  # type: ignore[misc]
    assert corpus


def main() -> None:
    """Runs all of it."""
    corpus = parse(mp.load("en"))
    edit(corpus[0])
    export(corpus)


if __name__ == "__main__":
    main()
