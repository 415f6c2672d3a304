"""Converting keeps what the other format can hold, and tells what it cannot."""

import gzip
import io
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

import multiplane as mp
from multiplane.formats import DIALECTS, convert, dialect_of

from .test_round_trip import TREEBANKS, naive, texts


def read(text: str | bytes, name: str) -> mp.Corpus:
    return mp.read(io.BytesIO(text.encode() if isinstance(text, str) else text), name)


def there_and_back(corpus: mp.Corpus, name: str) -> tuple[mp.Corpus, mp.Corpus]:
    there = read(convert(corpus, DIALECTS[name])[0], name)
    return there, read(convert(there, corpus.dialect)[0], corpus.dialect.name)


@given(texts("conllu"))
@settings(deadline=None, max_examples=100)
def test_conllx_holds_the_words_of_conllu(text: bytes) -> None:
    corpus = read(text, "conllu")
    conllx, lost = convert(corpus, DIALECTS["conllx"])
    back = read(convert(read(conllx, "conllx"), DIALECTS["conllu"])[0], "conllu")
    expected = naive(text, "conllu")
    assert len(back) == len(expected)
    for sentence, before in zip(back, expected, strict=True):
        columns = before["columns"]
        assert sentence.forms == [form.replace(" ", "_") for form in columns["form"]]
        assert sentence.lemmas == [lemma.replace(" ", "_") for lemma in columns["lemma"]]
        assert (sentence.heads, sentence.deprels) == (before["heads"], columns["deprel"])
        assert (sentence.upos, sentence.feats) == (columns["upos"], columns["feats"])
        pairs = zip(columns["xpos"], columns["upos"], strict=True)
        assert sentence.xpos == [upos if xpos == "_" else xpos for xpos, upos in pairs]
        assert (sentence.comments, sentence.ranges, sentence.empty_nodes) == ([], [], [])
    assert lost["multiword ranges"] == sum(len(before["ranges"]) for before in expected)
    assert lost["empty nodes"] == sum(len(before["empty_nodes"]) for before in expected)
    assert lost["comments"] >= sum(len(before["comments"]) for before in expected)
    for column in ("deps", "misc"):
        assert lost[column] == sum(field != "_" for before in expected for field in before["columns"][column])


@given(texts("conllx"))
@settings(deadline=None, max_examples=100)
def test_columns_of_conllx_that_conllu_cannot_hold_are_reported(text: bytes) -> None:
    _, lost = convert(read(text, "conllx"), DIALECTS["conllu"])
    rows = [row for sentence in naive(text, "conllx") for row in columns_of(sentence)]
    for column in ("phead", "pdeprel"):
        # A copy of HEAD or DEPREL is no loss.
        assert lost[column] >= sum(row[column] not in ("_", row[column.removeprefix("p")]) for row in rows)


def columns_of(sentence: dict[str, Any]) -> list[dict[str, str]]:
    columns = sentence["columns"]
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def test_comments_that_belong_to_no_sentence_are_counted_too() -> None:
    assert convert(read("# a\n\n# b\n", "conllu"), DIALECTS["conllx"])[1] == {"comments": 2}


def test_nothing_is_lost_of_a_plain_sentence() -> None:
    text = "1\tGo\tgo\tV\tVB\tf\t0\troot\t_\t_\n2\tnow\tnow\tA\tRB\t_\t1\tobl\t_\t_\n\n"
    conllx, lost = convert(read(text, "conllu"), DIALECTS["conllx"])
    assert (conllx.decode(), dict(lost)) == (text, {})
    assert convert(read(text, "conllx"), DIALECTS["conllu"]) == (text.encode(), {})


ROWS_08 = (
    "1\tDogs\tdog\tN\tNNS\tDogs\tdog\tNNS\t2\tsubj\t_\tA0\tA0\n"
    "2\tbark\tbark\tV\tVBP\tbark\tbark\tVBP\t0\troot\tbark.01\t_\t_\n"
    "3\teating\teat\tV\tVBG\teating\teat\tVBG\t2\tadv\teat.01\tAM\t_\n\n"
)
ROWS_09 = (
    "1\tDogs\tdog\tdog\tN\tNNS\t_\t_\t2\t2\tsubj\tsubj\t_\t_\tA0\tA0\n"
    "2\tbark\tbark\tbark\tV\tVBP\t_\t_\t0\t0\troot\troot\tY\tbark.01\t_\t_\n"
    "3\teating\teat\teat\tV\tVBG\t_\t_\t2\t2\tadv\tadv\tY\teat.01\tAM\t_\n\n"
)


def test_conll08_becomes_conll09() -> None:
    assert convert(read(ROWS_08, "conll08"), DIALECTS["conll09"]) == (ROWS_09.encode(), {})


def test_conll09_becomes_conll08() -> None:
    assert convert(read(ROWS_09, "conll09"), DIALECTS["conll08"]) == (ROWS_08.encode(), {})


def test_predicates_and_arguments_that_get_lost_are_counted() -> None:
    for text, name in ((ROWS_08, "conll08"), (ROWS_09, "conll09")):
        for to in ("conllu", "conllx"):
            assert dict(convert(read(text, name), DIALECTS[to])[1]) == {"pred": 2, "arguments": 3}


@pytest.mark.parametrize(
    ("name", "text", "to", "kinds"),
    [
        ("conllx", "1\tw\tl\tN\tN\t_\t0\troot\t1\tdep\n\n", "conllu", {"phead", "pdeprel"}),
        ("conllx", "1\tw\tl\tN\tN\t_\t0\troot\t1\tdep\n\n", "conll08", {"phead", "pdeprel"}),
        ("conll08", "1\tw\tl\tN\tN\tsplit\tsl\tPP\t0\troot\t_\n\n", "conll09", {"split_form", "split_lemma", "pposs"}),
        (
            "conll09",
            "1\tw\tl\tpl\tN\tN\tf\tpf\t0\t1\troot\tdep\tY\t_\n\n",
            "conllu",
            {"plemma", "pfeats", "phead", "pdeprel", "fillpred"},
        ),
    ],
)
def test_predicted_columns_that_differ_from_gold_are_not_lost_silently(
    name: str, text: str, to: str, kinds: set[str]
) -> None:
    lost = convert(read(text, name), DIALECTS[to])[1]
    assert {kind for kind, count in lost.items() if count} >= kinds


def test_nothing_lost_means_no_note(tmp_path: Path, run: Callable[..., Any]) -> None:
    path = tmp_path / "a.conll09"
    path.write_text("1\tw\tl\tl\tN\tN\t_\t_\t0\t0\troot\troot\t_\t_\n\n")
    done = run("convert", path, "--to", "conllu")
    assert (done.code, done.out, done.err) == (0, "1\tw\tl\tN\tN\t_\t0\troot\t_\t_\n\n", "")


@pytest.mark.skipif(not TREEBANKS, reason="no ../shared/data")
@pytest.mark.parametrize("folder", ["en_ewt_propbank", "hu_szeged_up2", "pt_bosque_up2"])
def test_real_predicates_and_arguments_survive_both_ways(folder: str) -> None:
    """Needs ../shared/data."""
    for path in (path for path in TREEBANKS if path.parent.name == folder and path.name.startswith("dev")):
        corpus = mp.read(path)
        there, back = there_and_back(corpus, "conll09" if corpus.dialect.name == "conll08" else "conll08")
        for one in (there, back):
            assert one.column("pred") == corpus.column("pred")
            assert one.heads.tolist() == corpus.heads.tolist()
            for sentence, before in zip(one, corpus, strict=True):
                assert arguments(sentence) == arguments(before)


def arguments(sentence: mp.Sentence) -> list[list[str]]:
    width = len(sentence.corpus.dialect.columns)
    return [line.split("\t")[width:] for line in sentence.lines if not line.startswith("#")]


@pytest.mark.parametrize("compression", ["", ".gz", ".xz"])
@pytest.mark.parametrize(
    ("suffix", "name"),
    [
        (".conllu", "conllu"),
        (".CoNLLU", "conllu"),
        (".conll", "conllx"),
        (".conllx", "conllx"),
        (".conll06", "conllx"),
        (".conll07", "conllx"),
        (".conll08", "conll08"),
        (".conll2008", "conll08"),
        (".conll09", "conll09"),
        (".conll2009", "conll09"),
    ],
)
def test_the_suffix_decides_the_format(suffix: str, name: str, compression: str) -> None:
    assert dialect_of(f"folder.conllu/a.b{suffix}{compression}").name == name


@pytest.mark.parametrize("name", ["a", "a.txt", "a.conllu.bak", "a.gz", "conllu", "a.conllu/b"])
def test_an_unknown_suffix_is_refused_with_the_known_ones(name: str) -> None:
    with pytest.raises(mp.InputError, match=r"\.conllu .*\.conll09"):
        dialect_of(name)


def test_a_given_format_beats_the_suffix(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    mp.write(mp.sample(), path, "conllu")
    assert len(mp.read(path, "conllu")) == len(mp.read_conllu(path)) == 65


@pytest.mark.parametrize("name", ["a.conllu.gz", "a.conllu.xz", "A.CONLLU.GZ", "A.CONLLU.XZ"])
def test_files_are_compressed_by_suffix_in_either_case(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    mp.write(mp.sample(), path)
    unpack = gzip.decompress if name.lower().endswith(".gz") else lzma.decompress
    assert unpack(path.read_bytes()) == mp.sample().to_bytes()
    assert mp.read(path).to_bytes() == mp.sample().to_bytes()


def test_equal_content_gives_equal_gz_bytes(tmp_path: Path) -> None:
    for name in ("a.conllu.gz", "b.conllu.gz"):
        mp.write(mp.sample(), tmp_path / name)
    assert (tmp_path / "a.conllu.gz").read_bytes() == (tmp_path / "b.conllu.gz").read_bytes()


def test_text_streams_are_written_and_read() -> None:
    out = io.StringIO()
    mp.write_conllu(mp.sample(), out)
    assert out.getvalue().encode() == mp.sample().to_bytes()
    assert len(mp.read_conllu(io.StringIO(out.getvalue()))) == 65


def test_loose_comments_of_other_formats_are_counted_too() -> None:
    text = "# loose\n\n# kept\n1\tw\tl\tN\tN\t_\t0\troot\t_\t_\n\n"
    assert convert(read(text, "conllx"), DIALECTS["conllu"]) == (
        text.removeprefix("# loose\n\n").encode(),
        {"comments": 1},
    )


def test_a_loss_of_nothing_has_no_entry() -> None:
    text = "1\tw\tl\tN\tN\tw\tl\tN\t0\troot\t_\t_\n\n"
    assert dict(convert(read(text, "conll08"), DIALECTS["conllu"])[1]) == {}
