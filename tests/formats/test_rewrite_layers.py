"""Other predicates, arguments and enhanced dependencies for the same words: not a byte changes besides."""

import io

import numpy as np
import pytest

import multiplane as mp
from multiplane.errors import LayerError
from multiplane.formats import Corpus, LayerArcs, Predicates, read, with_enhanced, with_semantics
from multiplane.formats.reader import from_text
from multiplane.formats.rewrite import rewritten_enhanced, rewritten_semantics

from .test_layers import ELLIPSIS, TEXT08, TEXT09, node, random_text, row09


def predicates_of(*sentences: dict[int, str]) -> Predicates:
    names = tuple(dict.fromkeys(sense for sentence in sentences for sense in sentence.values()))
    words = [word for sentence in sentences for word in sentence]
    senses = [names.index(sense) for sentence in sentences for sense in sentence.values()]
    first = np.cumsum([0, *map(len, sentences)])
    return Predicates(first, np.array(words, np.int32), np.array(senses, np.int32), names)


def arcs_of(*sentences: list[tuple[int, int, str]]) -> LayerArcs:
    flat = [arc for sentence in sentences for arc in sentence]
    names = tuple(dict.fromkeys(label for _, _, label in flat))
    numbers = np.array([(h, d, names.index(label)) for h, d, label in flat], np.int32).reshape(-1, 3)
    return LayerArcs(np.cumsum([0, *map(len, sentences)]), *numbers.T.copy(), names)


def by_definition(corpus: Corpus, predicates: list[dict[int, str]], arcs: list[list[tuple[int, int, str]]]) -> bytes:
    columns, lines, number, sentence = corpus.dialect.columns, [], 0, -1
    for line in corpus.to_bytes().decode().split("\n"):
        end = "\r" * line.endswith("\r")
        fields = line.removesuffix("\r").split("\t")
        if fields[0].isdigit():
            number = int(fields[0])
            sentence += number == 1
            sense = predicates[sentence].get(number)
            fields[columns.index("pred")] = "_" if sense is None else sense
            if "fillpred" in columns:
                fields[columns.index("fillpred")] = "_" if sense is None else "Y"
            roles = {head: label for head, dependent, label in arcs[sentence] if dependent == number}
            fields[len(columns) :] = [roles.get(word, "_") for word in predicates[sentence]]
        lines.append("\t".join(fields) + end)
    return "\n".join(lines).encode()


@pytest.mark.parametrize("name", ["conll08", "conll09"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("last", [0, 1, 2])
def test_only_predicates_and_arguments_change(name: str, end: str, last: int) -> None:
    text = (random_text(name, 40, 2) + "\n# loose\n\n" + (TEXT08 if name == "conll08" else TEXT09)).replace("\n", end)
    corpus = from_text(text[: len(text) - last * len(end)], name)
    same = with_semantics(corpus, corpus.predicates, corpus.semantic_arcs)
    assert same.to_bytes() == corpus.to_bytes()
    other = from_text(random_text(name, 400, 3), name)
    by_size = {len(s): s for s in other}
    like = [by_size[len(s)] for s in corpus]
    predicates, arcs = [s.predicates for s in like], [list(s.semantics.arcs) for s in like]
    new = with_semantics(corpus, predicates_of(*predicates), arcs_of(*arcs))
    assert new.to_bytes() == by_definition(corpus, predicates, arcs)
    assert [(s.predicates, set(s.semantics.arcs)) for s in new] == [
        (p, set(a)) for p, a in zip(predicates, arcs, strict=True)
    ]
    back = with_semantics(new, corpus.predicates, corpus.semantic_arcs)
    assert back.to_bytes() == corpus.to_bytes()


def test_predicates_can_come_and_go() -> None:
    corpus = from_text(TEXT09, "conll09")
    none = with_semantics(corpus, predicates_of({}), arcs_of([]))
    assert none.to_bytes().decode() == "".join(row09(i, "_", "_") for i in (1, 2, 3, 4)) + "\n"
    assert with_semantics(none, corpus.predicates, corpus.semantic_arcs).to_bytes() == corpus.to_bytes()
    given = with_semantics(none, predicates_of({3: "_"}), arcs_of([(3, 1, "A0")]))
    assert given[0].predicates == {3: "_"}
    assert given[0].column("fillpred") == ["_", "_", "Y", "_"]


def test_broken_sentences_stay_skipped_and_lines_stay_the_same() -> None:
    text = TEXT09 + "1\tbroken\n\n" + TEXT09
    corpus = read(io.BytesIO(text.encode()), "conll09", on_error="skip")
    new = with_semantics(corpus, predicates_of({}, {1: "x.01"}), arcs_of([], []))
    assert [(s.line, len(s.predicates)) for s in new] == [(1, 0), (8, 1)]
    assert rewritten_semantics(corpus, corpus.predicates, corpus.semantic_arcs) == corpus.to_bytes()


WRONG = {
    "outside": (predicates_of({5: "x"}), arcs_of([]), "<text>:1: sentence 1: predicate 5 is outside the sentence"),
    "order": (predicates_of({2: "x", 1: "x"}), arcs_of([]), "predicate 1 is out of order or given twice"),
    "sense": (predicates_of({2: "x\ty"}), arcs_of([]), "sense 'x\\ty' cannot be written"),
    "empty sense": (predicates_of({2: ""}), arcs_of([]), "sense '' cannot be written"),
    "label": (predicates_of({2: "x"}), arcs_of([(2, 1, "_")]), "label '_' cannot be written"),
    "stray": (predicates_of({2: "x"}), arcs_of([(3, 1, "A0")]), "arc 3→1 (A0) does not leave a predicate"),
    "dependent": (predicates_of({2: "x"}), arcs_of([(2, 5, "A0")]), "arc 2→5 (A0) is outside the sentence"),
    "dependent 0": (predicates_of({2: "x"}), arcs_of([(2, 0, "A0")]), "arc 2→0 (A0) is outside the sentence"),
    "root": (predicates_of({2: "x"}), arcs_of([(0, 1, "A0")]), "arc 0→1 (A0) from the root has no column"),
    "twice": (predicates_of({2: "x"}), arcs_of([(2, 1, "A0"), (2, 1, "A1")]), "arc 2→1 (A1) is given twice"),
    "sentences": (predicates_of({2: "x"}, {}), arcs_of([]), "predicates of 2 sentences for a corpus of 1"),
    "sizes": (
        predicates_of({2: "x"})._replace(words=np.array([1, 2], np.int32)),
        arcs_of([]),
        "the arrays of predicates have different sizes",
    ),
    "name": (predicates_of({2: "x"})._replace(names=()), arcs_of([]), "predicates have a number without a name"),
}


@pytest.mark.parametrize("name", WRONG)
def test_layers_that_do_not_fit_are_refused(name: str) -> None:
    predicates, arcs, says = WRONG[name]
    with pytest.raises(mp.GraphError) as refused:
        with_semantics(from_text(TEXT09, "conll09"), predicates, arcs)
    assert says in str(refused.value)


def test_conll_2008_needs_senses() -> None:
    with pytest.raises(mp.GraphError, match="sense '_' cannot be written"):
        with_semantics(from_text(TEXT08, "conll08"), predicates_of({1: "_"}), arcs_of([]))


def test_formats_that_lack_the_columns_are_refused() -> None:
    with pytest.raises(LayerError, match="CoNLL-U has no predicates"):
        with_semantics(mp.sample(), predicates_of(*[{}] * len(mp.sample())), arcs_of(*[[]] * len(mp.sample())))
    with pytest.raises(LayerError, match="CoNLL-2009 has no enhanced"):
        with_enhanced(from_text(TEXT09, "conll09"), arcs_of([]))


# Enhanced dependencies.

LINES = "# a\n1-2\tww\t_\t_\t_\t_\t_\t_\t_\t_\n" + "".join(node(*line) for line in ELLIPSIS)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("cut", [False, True])
def test_only_deps_of_words_change(end: str, cut: bool) -> None:
    text = (LINES + "\n\n" + node("1", "_") + node("2", "1:x:y|0:z")).replace("\n", end)
    corpus = from_text(text.removesuffix(end) if cut else text)
    new = with_enhanced(
        corpus, arcs_of([(2, 1, "é"), (3, 1, "b"), (0, 1, "c"), (1, 3, "d>e")], [(1, 2, "b"), (1, 2, "a")])
    )
    expected = corpus.to_bytes().decode()
    changes = [
        ("2:nsubj|2.1:nsubj", "0:c|2:é|3:b"),
        ("2\tw\t_\tX\t_\t_\t1\tdep\t0:root", "2\tw\t_\tX\t_\t_\t1\tdep\t_"),
    ]
    for old, changed in [*changes, ("2:obj|2.2:obj", "1:d>e"), ("1:x:y|0:z", "1:b|1:a")]:
        assert expected.count(old) == 1
        expected = expected.replace(old, changed)
    assert new.to_bytes().decode() == expected
    assert new[1].enhanced.arcs == ((1, 2, "b"), (1, 2, "a"))
    assert rewritten_enhanced(corpus, new.enhanced_arcs) == new.to_bytes()


def test_deps_that_are_sorted_by_head_come_back() -> None:
    corpus = from_text(node("1", "0:root|2:a:b|2:a") + node("2", "_") + node("3", "1:x") + "\n" + node("1", "_"))
    assert with_enhanced(corpus, corpus.enhanced_arcs).to_bytes() == corpus.to_bytes()


def test_enhanced_arcs_that_do_not_fit_are_refused() -> None:
    corpus = from_text(node("1", "_"))
    for arcs, says in [
        (arcs_of([(2, 1, "a")]), "arc 2→1"),
        (arcs_of([(0, 1, "a\n")]), "label"),
        (arcs_of([(0, 1, "a|b")]), r"label 'a\|b' cannot be written"),
        (arcs_of([], []), "2 sentences"),
    ]:
        with pytest.raises(mp.GraphError, match=says):
            with_enhanced(corpus, arcs)
    with pytest.raises(mp.FormatError, match="twice from the same head"):
        with_enhanced(corpus, arcs_of([(0, 1, "a"), (0, 1, "a")])).enhanced_arcs  # noqa: B018
