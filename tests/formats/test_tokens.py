"""Sentences as sequences of tokens: order, fields, the tree around a word, and its place in the text."""

import random
from itertools import pairwise

import pytest

import multiplane as mp
from multiplane.formats import DIALECTS, UNKNOWN_HEAD, Corpus, convert
from multiplane.formats.reader import from_text

SAMPLE = mp.sample()
FIELDS = ("form", "lemma", "upos", "xpos", "feats", "deprel", "deps")


def forest(heads: list[int]) -> mp.Sentence:
    return Corpus.from_columns(forms=[[f"w{i}" for i in range(1, len(heads) + 1)]], heads=[heads])[0]


def random_forest(n: int, rng: random.Random) -> list[int]:
    """Attaches each word to one before it in a random order, or to the root."""
    order = rng.sample(range(1, n + 1), n)
    heads = [0] * n
    for place, word in enumerate(order):
        heads[word - 1] = rng.choice([0, *order[:place]]) if place else 0
    return heads


# Sequences.


def test_a_sentence_is_a_sequence_of_its_words():
    for sentence in SAMPLE:
        tokens = list(sentence)
        assert len(tokens) == len(sentence) == len(sentence.forms)
        assert [token.id for token in tokens] == list(range(1, len(sentence) + 1))
        assert [sentence[place] for place in range(len(sentence))] == tokens
        assert [sentence[place] for place in range(-len(sentence), 0)] == tokens
        assert sentence[1:4] == tokens[1:4]
        assert sentence[::-1] == tokens[::-1] == list(reversed(sentence))
        assert tokens[0] in sentence


def test_ranges_and_empty_nodes_are_no_words():
    assert [token.form for token in SAMPLE[14]] == SAMPLE[14].forms
    assert SAMPLE[14].empty_nodes
    assert [token.form for token in SAMPLE[6]] == SAMPLE[6].forms
    assert SAMPLE[6].ranges


@pytest.mark.parametrize("place", [6, -7, 100])
def test_a_word_outside_the_sentence_is_refused(place: int):
    with pytest.raises(IndexError, match=rf"en-001: there is no word {place} in a sentence of 6; words count from 0"):
        SAMPLE[0][place]


def test_a_name_is_no_place():
    with pytest.raises(TypeError, match=r"'form' is not the index of a word; .* sentence\.column"):
        SAMPLE[0]["form"]


def test_tokens_are_equal_if_they_are_the_same_word():
    one, other = SAMPLE[0][0], SAMPLE[0][0]
    assert one == other
    assert len({one, other, SAMPLE[0][1], SAMPLE[1][0], mp.sample()[0][0]}) == 4
    assert one != "Bridge"


# Fields.


def test_tokens_have_the_fields_of_the_columns():
    for sentence in SAMPLE:
        for name in FIELDS:
            assert [getattr(token, name) for token in sentence] == sentence.column(name)
            assert [token[name] for token in sentence] == sentence.column(name)
        assert [str(token.misc) for token in sentence] == sentence.misc
        assert [token.head_id for token in sentence] == sentence.heads
        assert [token.score for token in sentence] == sentence.scores


@pytest.mark.parametrize("name", DIALECTS)
def test_tokens_of_every_format_have_its_columns(name: str):
    sentence = from_text(convert(mp.sample("conll09"), DIALECTS[name])[0], name)[0]
    for column in sentence.corpus.dialect.columns:
        assert [token[column] for token in sentence] == sentence.column(column)
    assert repr(sentence[0]).startswith("<Token 1 Mary")
    assert hasattr(sentence[0], "misc") == ("misc" in sentence.corpus.dialect.columns)


def test_features_are_a_mapping():
    token = SAMPLE[0][1]
    assert token.feats_dict == {"Mood": "Ind", "Number": "Sing", "Person": "3", "Tense": "Pres", "VerbForm": "Fin"}
    assert list(token.feats_dict) == ["Mood", "Number", "Person", "Tense", "VerbForm"]
    assert token.feats_dict.get("Case") is None
    with pytest.raises(KeyError):
        token.feats_dict["Case"]


def test_a_part_of_misc_without_a_value_is_a_name():
    token = Corpus.from_columns(forms=[["Go"]], misc=[["Typo|Gloss=a=b"]])[0][0]
    assert dict(token.misc) == {"Typo": "", "Gloss": "a=b"}
    assert repr(token.misc) == "{'Typo': '', 'Gloss': 'a=b'}"


def test_a_token_shows_its_arc():
    sentence = Corpus.from_columns(forms=[["She", "left", "x"]], heads=[[2, 0, -1]], deprels=[["nsubj", "root", "_"]])[
        0
    ]
    assert list(map(repr, sentence)) == ["<Token 1 She: nsubj of 2 left>", "<Token 2 left: root>", "<Token 3 x>"]
    assert list(map(str, sentence)) == ["She", "left", "x"]


# Trees, against obvious definitions.


def dominates(heads: list[int], above: int, word: int) -> bool:
    while word > 0:
        if word == above:
            return True
        word = heads[word - 1]
    return False


@pytest.mark.parametrize("seed", range(30))
def test_the_tree_around_a_word_is_that_of_the_heads(seed: int):
    rng = random.Random(seed)
    heads = random_forest(rng.randint(1, 12), rng)
    sentence = forest(heads)
    words = range(1, len(heads) + 1)
    for token in sentence:
        i = token.id
        assert (token.head.id if token.head else 0) == heads[i - 1]
        assert token.is_root == (heads[i - 1] == 0)
        assert [child.id for child in token.children] == [w for w in words if heads[w - 1] == i]
        assert token.left_children + token.right_children == token.children
        assert all(child.id < i for child in token.left_children)
        assert [each.id for each in token.subtree] == [w for w in words if dominates(heads, i, w)]
        assert sorted(each.id for each in token.ancestors) == [w for w in words if w != i and dominates(heads, w, i)]


@pytest.mark.parametrize("seed", range(30))
def test_a_path_follows_arcs_and_is_the_only_one(seed: int):
    rng = random.Random(seed)
    heads = random_forest(rng.randint(2, 12), rng)
    sentence = forest(heads)
    for one in sentence:
        for other in sentence:
            path = [token.id for token in one.path(other)]
            same_tree = bool({one, *one.ancestors} & {other, *other.ancestors})
            assert bool(path) == same_tree
            if path:
                assert (path[0], path[-1]) == (one.id, other.id)
                assert len(set(path)) == len(path)
                assert all(heads[a - 1] == b or heads[b - 1] == a for a, b in pairwise(path))
                assert [token.id for token in other.path(one)] == path[::-1]


def test_a_path_to_another_sentence_is_refused():
    with pytest.raises(mp.GraphError, match=r"en-001: <Token 1 The: .*> is in another sentence"):
        SAMPLE[0][0].path(SAMPLE[1][0])


def test_a_word_without_a_head_is_no_root():
    token = forest([UNKNOWN_HEAD, 0])[0]
    assert (token.head, token.head_id, token.is_root, token.ancestors) == (None, -1, False, [])


# The text.


def test_places_in_the_text_spell_the_words():
    for sentence in SAMPLE:
        for token in sentence:
            found = sentence.text[token.start : token.end]
            assert found == (token.form if token.range is None else found)
            if token.space_after and token.end < len(sentence.text):
                assert sentence.text[token.end] == " "
        assert sentence[-1].end == len(sentence.text)


def row(number: object, form: str, misc: str = "_") -> str:
    return f"{number}\t{form}" + "\t_" * 7 + f"\t{misc}\n"


CONTRACTION = row("1-2", "don't", "SpaceAfter=No") + row(1, "do") + row(2, "n't") + row(3, "!")
SPLIT = row("1-2", "du") + row(1, "de") + row(2, "le") + row(3, "pain")


def test_words_of_a_multiword_token_share_its_text():
    sentence = from_text(CONTRACTION)[0]
    assert [(token.start, token.end) for token in sentence] == [(0, 2), (2, 5), (5, 6)]
    assert [token.space_after for token in sentence] == [False, False, True]
    assert [token.range and (token.range.id, token.range.form) for token in sentence] == [("1-2", "don't")] * 2 + [None]
    sentence = from_text(SPLIT)[0]
    assert [(token.start, token.end) for token in sentence] == [(0, 2), (0, 2), (3, 7)]
    assert [token.space_after for token in sentence] == [False, True, True]


def test_the_comment_with_the_text_decides_on_places():
    sentence = from_text("# text =  10 000   F ,\n" + row(1, "10 000") + row(2, "F") + row(3, ","))[0]
    assert [(token.start, token.end) for token in sentence] == [(0, 6), (9, 10), (11, 12)]


def test_a_text_that_lacks_a_word_is_named():
    sentence = from_text("# text = Go away\n" + row(1, "Go") + row(2, "home"))[0]
    what = "<text>:3: sentence 1: word 2 'home' does not match the comment 'text', which continues with 'away'; "
    with pytest.raises(mp.FormatError, match=what):
        _ = sentence[1].start


# Verdicts.


def test_verdicts_are_those_of_the_graph():
    for sentence in SAMPLE:
        graph = sentence.graph
        for name in ("is_tree", "is_projective", "is_planar", "planarity", "is_well_nested", "gap_degree"):
            assert getattr(sentence, name) == getattr(graph, name)()


def test_an_unparsed_sentence_has_no_verdicts():
    with pytest.raises(mp.FormatError, match="word 1 has no head; parse the file first"):
        _ = forest([-1, 0]).is_projective


DOCUMENT = "Hi! They can't stop,\nsoft\u00adly, or du\u00adn't."


def test_places_in_the_document_spell_the_words():
    corpus = mp.load("en").parse(DOCUMENT, ranges=True)
    assert len(corpus) > 1
    for token in (token for sentence in corpus for token in sentence):
        assert token.start_char is not None
        assert token.end_char is not None
        found = DOCUMENT[token.start_char : token.end_char].replace("\u00ad", "")
        assert found in (token.form, "dun't")
    words = corpus[1][1:3]
    assert [(word.form, word.start_char, word.end_char) for word in words] == [("ca", 9, 11), ("n't", 11, 14)]
    assert words[0].range is not None
    assert words[0].range.misc["TokenRange"] == "9:14"
    assert "TokenRange" not in words[0].misc


def test_words_that_do_not_spell_their_token_have_its_place_in_the_document():
    row = "\t_\t_\t_\t_\t_\t_\t_\t"
    text = f"1-2\tdu{row}TokenRange=7:9\n1\tde{row}_\n2\tle{row}_\n3\tpain{row}TokenRange=a:b\n4\t!{row}_\n"
    sentence = from_text(text)[0]
    assert [(token.start_char, token.end_char) for token in sentence] == [(7, 9), (7, 9), (None, None), (None, None)]
    assert [token.start_char for token in mp.sample("conll09")[0]] == [None] * len(mp.sample("conll09")[0])


def test_misc_of_a_multiword_token_is_read_only():
    row = "\t_" * 7
    sentence = from_text(f"1-2\tdu{row}\tA=1|B\n1\tde{row}\t_\n2\tle{row}\t_\n")[0]
    line = sentence[1].range
    assert line is not None
    assert (line.id, line.form, dict(line.misc), str(line.misc)) == ("1-2", "du", {"A": "1", "B": ""}, "A=1|B")
    with pytest.raises(mp.ColumnError, match=r"^1-2 du: MISC of a line that is not a word cannot be edited; "):
        line.misc["A"] = "2"


def test_the_root_of_a_sentence_is_its_first_root():
    def sentence(*heads: int) -> mp.Sentence:
        return mp.Corpus.from_columns(forms=[["a"] * len(heads)], heads=[list(heads)])[0]

    tree = sentence(2, 0, 0)
    assert tree.root == tree[1]
    assert sentence(-1, 1, -1).root is None
    assert from_text(convert(mp.sample("conll09"), DIALECTS["sdp"])[0], "sdp")[0].root is None
    unparsed = mp.sample()[0]
    unparsed.update(heads=[UNKNOWN_HEAD] * len(unparsed))
    assert unparsed.root is None
