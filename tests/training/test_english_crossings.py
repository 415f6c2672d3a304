"""The generated training examples for English, and the test set that measures what they teach."""

import doctest
import sys
from collections import Counter
from importlib import import_module
from pathlib import Path

import pytest

import multiplane as mp
from multiplane.formats import Corpus

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

from english_crossings.generate import CONSTRUCTIONS, GOLD, key, treebank
from english_crossings.score import line, report, verdicts

COUNT, SEED = 600, 5


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    path = tmp_path_factory.mktemp("crossings") / "generated.conllu"
    path.write_text(treebank(COUNT, SEED), encoding="utf-8")
    return mp.read_conllu(path)


@pytest.fixture(scope="module")
def gold() -> Corpus:
    return mp.read_conllu(GOLD)


def test_every_generated_sentence_is_a_tree_with_one_root(generated):
    assert len(generated) == COUNT
    for sentence in generated:
        assert sentence.graph.is_tree(), sentence.text
        assert list(sentence.heads).count(0) == 1
        assert all(deprel != "root" or not head for deprel, head in zip(sentence.deprels, sentence.heads, strict=True))


def test_three_in_five_generated_sentences_are_not_projective(generated):
    assert sum(not sentence.graph.is_projective() for sentence in generated) == COUNT * 3 // 5


def test_every_construction_is_generated(generated):
    kinds = Counter(sentence.sent_id.split("-")[-1] for sentence in generated)
    assert set(kinds) == {make.__name__ for make in CONSTRUCTIONS}


def test_generated_words_are_fully_annotated(generated):
    for name in ("form", "lemma", "upos", "xpos", "deprel"):
        assert "_" not in generated.column(name)


def test_the_text_is_what_the_words_and_spaces_spell(generated, gold):
    for sentence in [*generated, *gold]:
        spelled, covered = "", 0
        for row in sentence.to_bytes().decode().splitlines():
            if row.startswith("#") or not row:
                continue
            number, form, *_, misc = row.split("\t")
            first, _, last = number.partition("-")
            if int(first) <= covered:
                continue
            covered = int(last) if last else covered
            spelled += form + ("" if "SpaceAfter=No" in misc else " ")
        assert spelled.strip() == sentence.text


def test_verbs_agree_with_pronouns(generated):
    agreement = {"I": "Number=Sing|Person=1", "we": "Number=Plur|Person=1", "she": "Number=Sing|Person=3"}
    checked = 0
    for sentence in generated:
        finite = [word for word, feats in enumerate(sentence.feats) if "Mood=Ind" in feats]
        for place, (lemma, deprel, head) in enumerate(
            zip(sentence.lemmas, sentence.deprels, sentence.heads, strict=True)
        ):
            if lemma in agreement and deprel == "nsubj":
                below = [word for word in finite if head in (word + 1, sentence.heads[word])]
                below = [word for word in below if word + 1 == head or sentence.deprels[word] in {"aux", "cop"}]
                assert all(agreement[lemma] in sentence.feats[word] for word in below), (place, sentence.text)
                checked += bool(below)
    assert checked > 100


def test_the_same_seed_gives_the_same_file_and_another_seed_another():
    assert treebank(40, 3) == treebank(40, 3)
    assert treebank(40, 3).partition("\n")[2] != treebank(40, 4).partition("\n")[2]


def test_no_generated_sentence_occurs_twice_or_is_in_the_test_set(generated, gold):
    words = [key(sentence.forms) for sentence in generated]
    assert len(set(words)) == len(words)
    assert not set(words) & {key(sentence.forms) for sentence in gold}


def test_the_test_set_is_as_its_sent_ids_claim(gold):
    claims = Counter(sentence.sent_id.partition("-")[0] for sentence in gold)
    assert claims["np"] >= 40
    assert claims["projective"] >= 12
    for sentence in gold:
        assert sentence.graph.is_tree()
        assert sentence.graph.is_projective() == sentence.sent_id.startswith("projective-"), sentence.text
    assert len({sentence.sent_id for sentence in gold}) == len(gold)


class Echo:
    """Returns what it is given, or the tree in which each word hangs from the one before it."""

    def __init__(self, chain: bool) -> None:
        self.chain = chain

    def parse(self, corpus: Corpus) -> Corpus:
        if not self.chain:
            return corpus
        forms = [list(sentence.forms) for sentence in corpus]
        heads = [list(range(len(words))) for words in forms]
        return Corpus.from_columns(forms=forms, heads=heads, deprels=[["dep"] * len(words) for words in forms])


def test_gold_trees_score_full_marks():
    found = verdicts(Echo(chain=False))
    assert all(verdict.right and verdict.exact for verdict in found)
    assert next(report(found)) == line("sentences that cross", [verdict for verdict in found if verdict.crosses])


def test_a_projective_parser_finds_no_crossing_and_keeps_the_controls():
    found = verdicts(Echo(chain=True))
    assert [verdict.right for verdict in found] == [not verdict.crosses for verdict in found]


@pytest.mark.parametrize("name", ["tree", "words", "phrases", "generate", "score"])
def test_examples_in_docstrings_hold(name):
    assert doctest.testmod(import_module(f"english_crossings.{name}")).failed == 0
