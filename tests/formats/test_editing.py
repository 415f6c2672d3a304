"""Edits: what changes and what stays, byte for byte, and what is refused."""

import copy
import io
import pickle
import random

import pytest

import multiplane as mp
from multiplane.analysis import check
from multiplane.errors import LayerError
from multiplane.formats import DIALECTS, Corpus, convert
from multiplane.formats.reader import from_text
from multiplane.formats.sentence import Sentence

BOM = b"\xef\xbb\xbf"


def lines_changed(before: bytes, after: bytes) -> list[bytes]:
    old, new = before.split(b"\n"), after.split(b"\n")
    assert len(old) == len(new)
    return [line for line, other in zip(new, old, strict=True) if line != other]


# What changes.


def test_an_edit_changes_its_field_and_no_other_byte():
    corpus = mp.sample()
    corpus[14][2].lemma = "new"
    after = corpus.to_bytes()
    (line,) = lines_changed(mp.sample().to_bytes(), after)
    assert line.split(b"\t")[2] == b"new"
    assert after.replace(b"\tnew\t", f"\t{mp.sample()[14][2].lemma}\t".encode(), 1) == mp.sample().to_bytes()


@pytest.mark.parametrize("name", ["form", "lemma", "upos", "xpos", "feats", "deprel", "misc", "deps"])
def test_every_field_can_be_set_and_is_seen_everywhere(name: str):
    corpus = mp.sample()
    sentence, value = corpus[3], {"feats": "Case=Nom", "misc": "Gloss=x", "deps": "2:dep|3:x"}.get(name, "new")
    setattr(sentence[0], name, value)
    assert sentence[0][name] == sentence.column(name)[0] == corpus[3].column(name)[0] == value
    assert corpus[3].rows[0][corpus.dialect.columns.index(name)] == value
    assert corpus.column(name)[int(corpus.lengths[:3].sum())] == value
    assert sentence[0][name] == value, "after the corpus was read as a whole"
    assert from_text(corpus.to_bytes())[3] == corpus[3] == sentence


def test_heads_are_seen_by_trees_and_verdicts():
    corpus = mp.sample()
    sentence = corpus[30]
    assert not sentence.is_planar
    before = sentence.graph
    sentence.update(heads=[0, *range(1, len(sentence))])
    assert sentence.is_projective
    assert sentence.planarity == 1
    assert sentence.graph != before
    assert [child.id for child in sentence[0].children] == [2]
    assert corpus[30].heads == [0, *range(1, len(sentence))]
    start = int(corpus.lengths[:30].sum())
    assert corpus.heads[start : start + len(sentence)].tolist() == sentence.heads


def test_a_head_is_a_token_or_a_number():
    sentence = mp.sample()[0]
    sentence[5].head = sentence[1]
    sentence[4].head = 2
    sentence[0]["head"] = "0"
    assert sentence.heads == [0, 0, 4, 1, 2, 2]
    sentence[0].head = -1
    assert (sentence[0].head_id, sentence.rows[0][6]) == (-1, "_")
    sentence[0]["head"] = "_"
    assert sentence[0].head_id == -1


def test_nothing_is_written_as_an_underscore():
    sentence = mp.sample()[0]
    sentence[0].lemma = None
    sentence[0].xpos = ""
    sentence[0].feats = None
    sentence[0].misc = {}
    assert sentence.rows[0][2:6] == ["_", "NOUN", "_", "_"]
    assert sentence.misc[0] == "_"


def test_attributes_are_changed_in_place():
    token = Corpus.from_columns(forms=[["Go"]], misc=[["A=1|B|C=3|B=2"]], feats=[["Mood=Imp|number=Sing"]])[0][0]
    token.misc["B"] = "x"
    assert str(token.misc) == "A=1|B=x|C=3"
    token.misc["D"] = ""
    del token.misc["A"]
    assert str(token.misc) == "B=x|C=3|D="
    token.feats_dict["Case"] = "Nom"
    token.feats_dict["Person"] = "2"
    assert token.feats == "Case=Nom|Mood=Imp|number=Sing|Person=2"
    token.feats = {"Tense": "Past", "Case": "Acc"}
    token.misc = token.misc
    assert (token.feats, str(token.misc)) == ("Case=Acc|Tense=Past", "B=x|C=3|D=")
    with pytest.raises(KeyError):
        del token.misc["A"]


def test_enhanced_dependencies_follow_edits():
    corpus = mp.sample()
    sentence = corpus[0]
    assert corpus.enhanced_arcs.of(0)[0] == (2, 1, "nsubj")
    sentence[0].deps = "2:nsubj:new"
    assert sentence.enhanced.arcs[0] == (2, 1, "nsubj:new")
    assert corpus.enhanced_arcs.of(0)[0] == (2, 1, "nsubj:new")


def test_comments_can_be_set_and_removed():
    corpus = mp.sample()
    corpus[0].set_comment("sent_id", "first")
    corpus[0].set_comment("lang", None)
    corpus[0].set_comment("note", "a\tb")
    assert corpus[0].sent_id == "first"
    corpus[0][0].lemma = "x"
    assert corpus[0].comments[2:] == ["# sent_id = first", f"# text = {corpus[0].text}", "# note = a\tb"]
    corpus[1].set_comment("more", "1")
    again = from_text(corpus.to_bytes())
    assert list(again) == list(corpus)
    assert [sentence.line for sentence in corpus] == [sentence.line for sentence in again]
    assert corpus[0].line_of(1) == again[0].line_of(1) == 6


@pytest.mark.parametrize("name", DIALECTS)
def test_every_format_can_be_edited(name: str):
    corpus = from_text(convert(mp.sample("conll09"), DIALECTS[name])[0], name)
    before = corpus.to_bytes()
    arguments = [row[len(corpus.dialect.columns) :] for row in corpus[2].rows]
    corpus[2][1].lemma = "new"
    (line,) = lines_changed(before, corpus.to_bytes())
    assert line.split(b"\t")[2] == b"new"
    assert [row[len(corpus.dialect.columns) :] for row in corpus[2].rows] == arguments


@pytest.mark.parametrize("start", [b"", BOM])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("last", [b"", b"\n", b"\n\n\n# loose\n"])
def test_odd_files_stay_odd(start: bytes, end: bytes, last: bytes):
    text = b"# a\n1\tA\ta\t_\t_\t_\t0\tr\t_\t_\n\n\n# loose\n\n1\tB\tb\t_\t_\t_\t0\tr\t_\t_" + last
    text = start + text.replace(b"\n", end)
    corpus = from_text(text)
    corpus[0][0].lemma = "x"
    corpus[1][0].lemma = "y"
    assert corpus.to_bytes() == text.replace(b"\ta\t", b"\tx\t").replace(b"\tb\t", b"\ty\t")


def test_broken_sentences_stay_skipped():
    good = "# sent_id = {}\n1\tA\ta\t_\t_\t_\t0\tr\t_\t_\n\n"
    text = good.format(1) + "1\tbroken\n\n" + good.format(2)
    corpus = mp.read(io.BytesIO(text.encode()), "conllu", on_error="skip")
    corpus[0].set_comment("new", "line")
    corpus[1][0].lemma = "b"
    assert corpus[1].number_in_file == 3
    new = good.format(1).replace("\n1", "\n# new = line\n1") + good.format(2).replace("\ta\t", "\tb\t")
    assert corpus.to_bytes().decode() == new
    assert [problem.line for problem in corpus.problems] == [5]


@pytest.mark.parametrize("seed", range(5))
def test_many_edits_are_those_of_a_slow_editor(seed: int):
    rng = random.Random(seed)
    corpus = mp.sample()
    rows = [[list(row) for row in sentence.rows if row[0].isdigit()] for sentence in corpus]
    for _ in range(200):
        number = rng.randrange(len(corpus))
        sentence = corpus[number]
        place, column = rng.randrange(len(sentence)), rng.choice([1, 2, 3, 4, 5, 7, 9])
        value = rng.choice(["x", "A=1", "naïve", "a b"])
        sentence[place][corpus.dialect.columns[column]] = value
        rows[number][place][column] = value
        if rng.random() < 0.1:
            corpus.to_bytes()
    assert [[row for row in sentence.rows if row[0].isdigit()] for sentence in corpus] == rows
    assert [[row for row in s.rows if row[0].isdigit()] for s in from_text(corpus.to_bytes())] == rows


def test_copies_and_pickles_have_the_edits_and_go_their_own_way():
    corpus = mp.sample()
    corpus[0][0].lemma = "x"
    for other in (
        corpus[0].copy(),
        copy.copy(corpus[0]),
        pickle.loads(pickle.dumps(corpus[0])),
        copy.deepcopy(corpus)[0],
    ):
        assert other == corpus[0]
        other[0].lemma = "y"
        assert corpus[0][0].lemma == "x"


def test_edited_sentences_are_written_and_parsed(parser: mp.Parser):
    corpus = mp.sample()
    corpus[0][0].form = "Tower"
    out = io.BytesIO()
    mp.write_conllu(corpus[:1], out)
    assert b"\tTower\t" in out.getvalue()
    assert parser.parse(corpus)[0].forms[0] == parser.parse(corpus[0]).forms[0] == "Tower"


# What is refused.


REFUSED = [
    (
        "token.head = 99",
        mp.GraphError,
        "word 2: head 99 is outside the sentence; give 0 for the root, or a word from 1",
    ),
    ("token.head = -2", mp.GraphError, "word 2: head -2 is outside the sentence"),
    ("token.head = 2", mp.GraphError, "word 2: a word cannot be its own head"),
    ("token.head = 1", mp.GraphError, "the heads would form a cycle: 1 → 2 → 1; change another head of it first"),
    ("token.head = None", mp.GraphError, "word 2: head is None; give the number of a word, 0 for the root"),
    ("token.head = True", mp.GraphError, "word 2: head is True"),
    ("token.head = '1'", mp.GraphError, "word 2: head is '1'; give the number of a word"),
    ("token['head'] = 'x'", mp.GraphError, "word 2: head is 'x'; give a number or _"),
    ("token.head = other[0]", mp.GraphError, "word 2: head <Token 1 The: .*> is in another sentence"),
    ("token.form = ''", mp.ColumnError, "word 2: form is ''; give every word a form"),
    ("token.form = None", mp.ColumnError, "word 2: form is None; give every word a form"),
    ("token.lemma = 'a\\tb'", mp.ColumnError, "word 2: lemma is 'a\\\\tb'; remove tabs, line ends"),
    ("token.upos = 'a\\nb'", mp.ColumnError, "word 2: upos is 'a\\\\nb'; remove tabs, line ends"),
    ("token.lemma = 3", mp.ColumnError, "word 2: lemma is 3; give text"),
    ("token.deps = 'x'", mp.ColumnError, "word 2: DEPS 'x' is not of the form head:label"),
    ("token.deps = '99:x'", mp.ColumnError, "word 2: DEPS '99:x': there is no such head in the sentence"),
    ("token.feats = {'A=': 'b'}", mp.ColumnError, "the attribute 'A=': 'b' cannot be written"),
    ("token.misc = {'A': 1}", mp.ColumnError, "the attribute 'A': 1 is not a string"),
    ("token.misc['A'] = 'a|b'", mp.ColumnError, "the attribute 'A': 'a|b' cannot be written"),
    ("token.misc['A'] = 'a\\tb'", mp.ColumnError, "word 2: misc is 'A=a\\\\tb'; remove tabs"),
    ("token['id'] = '3'", mp.ColumnError, "the number of a word cannot change"),
    ("token['phead'] = '3'", LayerError, "CoNLL-U has no column 'phead'; it has id, form"),
    ("sentence.update(heads=[0])", mp.ColumnError, "6 words, but 1 value for heads; give one for each"),
    ("sentence.update(lemmas='abcdef')", mp.ColumnError, "lemmas is 'abcdef'; give a list"),
    ("sentence.update(xpos=None, upos=['X'] * 5 + [1])", mp.ColumnError, "word 6: upos is 1; give text"),
    ("sentence.update(upos=['X'] * 6, heads=[2, 3, 1, 0, 0, 0])", mp.GraphError, "cycle: 1 → 2 → 3 → 1"),
    ("sentence.update(upos=['X'] * 6, deps=['9:x'] * 6)", mp.ColumnError, "word 1: DEPS '9:x'"),
    ("sentence.update(nothing=[1])", LayerError, "CoNLL-U has no column 'nothing'"),
    ("sentence.set_comment('a=', 'b')", mp.ColumnError, "'a=' cannot name a comment"),
    ("sentence.set_comment('a', 'b\\nc')", mp.ColumnError, "comment 'b\\\\nc' is not one line of text"),
    ("sentence.set_comment('a', 3)", mp.ColumnError, "comment 3 is not one line of text"),
    ("token.start = 3", AttributeError, "start"),
    ("token.heads = 3", AttributeError, "heads"),
]


@pytest.mark.parametrize(("code", "kind", "message"), REFUSED)
def test_wrong_edits_are_refused_and_change_nothing(code: str, kind: type[Exception], message: str):
    corpus = mp.sample()
    sentence, other = corpus[0], corpus[1]
    with pytest.raises(kind, match=message):
        exec(code, {"sentence": sentence, "token": sentence[1], "other": other})
    assert corpus.to_bytes() == mp.sample().to_bytes()
    assert isinstance(sentence, Sentence)


@pytest.mark.parametrize(
    ("name", "column", "value", "message"),
    [
        ("conll09", "pred", "x.01", "'pred' is tied to the columns of arguments; change both with"),
        ("conll09", "fillpred", "Y", "'fillpred' is tied to the columns of arguments"),
        ("conllx", "phead", "²", "word 1: phead is '²'; give a number"),
        ("conllx", "phead", "99", "word 1: phead is '99'; give a number from 0 to"),
        ("sdp", "top", "+", "'top' is tied to the columns of arguments"),
    ],
)
def test_columns_of_other_formats_are_checked_too(name: str, column: str, value: str, message: str):
    corpus = from_text(convert(mp.sample("conll09"), DIALECTS[name])[0], name)
    with pytest.raises(mp.ColumnError, match=message):
        corpus[0][0][column] = value


def test_formats_without_comments_say_so():
    with pytest.raises(LayerError, match="CoNLL-2009 has no comments; convert the corpus to CoNLL-U first"):
        mp.sample("conll09")[0].set_comment("a", "b")


@pytest.mark.parametrize("column", ["form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc"])
@pytest.mark.parametrize(
    "value",
    ["foo bar", "a=b=c", "||", " ", "_", "#", "0", "3", "7", "x", "1:nsubj", "9:obj", "1:a|1:a", "a\tb", "a\nb", "\0"],
)
def test_an_edit_is_refused_if_and_only_if_it_would_be_an_error_in_a_file(column: str, value: str):
    sentence = mp.sample()[0]
    fields = sentence.rows[1]
    fields[sentence.corpus.dialect.columns.index(column)] = value
    rows = [*sentence.rows[:1], fields, *sentence.rows[2:]]
    file = io.BytesIO("".join("\t".join(row) + "\n" for row in rows).encode())
    is_error = bool(check([mp.read_conllu(file, on_error="skip")], "file").errors)
    try:
        sentence[1][column] = value
    except mp.MultiplaneError:
        assert is_error
    else:
        assert not is_error
