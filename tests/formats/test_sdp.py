"""SDP 2015: graphs without trees, with tops and frames; read, written back, converted."""

import io
from collections.abc import Callable
from typing import Any

import pytest

import multiplane as mp
from multiplane.errors import ColumnError, LayerError
from multiplane.formats import DIALECTS, convert, iterate, with_semantics
from multiplane.formats.reader import from_text

from .test_convert import ROWS_08, ROWS_09
from .test_rewrite_layers import arcs_of, predicates_of

Run = Callable[..., Any]

# "They want to sleep now ." and "Go !", with a frame on a word that is no predicate, as in DM.
ROWS = [
    ["1", "They", "they", "PRP", "-", "-", "pron:x", "ARG1", "ARG1", "_"],
    ["2", "want", "want", "VBP", "+", "+", "v:e-i-h", "_", "_", "_"],
    ["3", "to", "to", "TO", "-", "-", "_", "_", "_", "_"],
    ["4", "sleep", "sleep", "VB", "-", "+", "v:e-i", "ARG2", "_", "ARG1"],
    ["5", "now", "now", "RB", "-", "+", "a:e-h", "_", "_", "_"],
    ["6", ".", "_", ".", "-", "-", "_", "_", "_", "_"],
]
TEXT = (
    "#SDP 2015\n#22000001\n"
    + "".join("\t".join(row) + "\n" for row in ROWS)
    + "\n#22000002\n1\tGo\tgo\tVB\t+\t+\t_\t_\n2\t!\t_\t.\t-\t-\t_\t_\n\n"
)


def test_predicates_tops_and_arguments() -> None:
    corpus = from_text(TEXT, "sdp")
    assert [sentence.sent_id for sentence in corpus] == ["22000001", "22000002"]
    assert corpus[0].predicates == {2: "v:e-i-h", 4: "v:e-i", 5: "a:e-h"}
    assert corpus[1].predicates == {1: "_"}
    expected = {(0, 2, "TOP"), (2, 1, "ARG1"), (4, 1, "ARG1"), (2, 4, "ARG2"), (5, 4, "ARG1")}
    assert set(corpus[0].semantics.arcs) == expected
    assert set(corpus[0].semantics.word_arcs) == {arc for arc in expected if arc[0]}
    assert corpus.semantic_arcs.of(1) == [(0, 1, "TOP")]
    assert corpus[0].upos[:2] == ["PRP", "VBP"]
    assert corpus[0].heads == [-1] * 6
    assert corpus[0].graph == mp.DependencyGraph(6)


def test_the_suffix_names_the_format() -> None:
    assert mp.formats.dialect_of("dm.sdp.xz").title == "SDP 2015"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("cut", [0, 1, 2])
def test_files_are_written_back_byte_for_byte(end: str, cut: int) -> None:
    text = TEXT.replace("\n", end)
    data = text[: len(text) - cut * len(end)].encode()
    for start in (b"", b"\xef\xbb\xbf"):
        corpus = from_text(start + data, "sdp")
        assert corpus.to_bytes() == start + data
        assert with_semantics(corpus, corpus.predicates, corpus.semantic_arcs).to_bytes() == start + data
        assert [s.sent_id for s in corpus] == ["22000001", "22000002"]


def test_other_graphs_keep_frames_of_words_that_never_were_predicates() -> None:
    corpus = from_text(TEXT, "sdp")
    new = with_semantics(corpus, predicates_of({1: "x", 4: "y"}, {}), arcs_of([(0, 4, "TOP"), (4, 1, "A")], []))
    assert new[0].column("pred") == ["x", "_", "_", "y", "_", "_"]
    assert new[0].column("fillpred") == ["+", "-", "-", "+", "-", "-"]
    assert new[0].column("top") == ["-", "-", "-", "+", "-", "-"]
    assert new[1].column("top") == ["-", "-"]
    assert [row[7:] for row in new[0].rows][:2] == [["_", "A"], ["_", "_"]]
    gone = with_semantics(corpus, predicates_of({4: "y"}, {}), arcs_of([], []))
    assert gone[0].column("pred") == ["pron:x", "_", "_", "y", "_", "_"]


def test_an_arc_from_the_root_must_be_a_top() -> None:
    with pytest.raises(mp.GraphError, match=r"arc 0→4 \(A\) from the root has no column"):
        with_semantics(from_text(TEXT, "sdp"), predicates_of({}, {}), arcs_of([(0, 4, "A")], []))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("VBP\t+\t+", "VBP\t*\t+", "<text>:4: 22000001: top mark '*' is neither + nor -"),
        ("VBP\t+\t+", "VBP\t+\tY", "<text>:4: 22000001: predicate mark 'Y' is neither + nor -"),
        ("VBP\t+\t+", "VBP\t+\t-", "<text>:3: 22000001: 3 argument columns for 2 predicates"),
        ("VBP\t+\t+\tv:e-i-h", "VBP\t+\t+\t", "<text>:4: 22000001: the predicate's sense is empty"),
    ],
)
def test_mistakes_are_refused_with_their_line_and_name(old: str, new: str, says: str, tmp_path: Any, run: Run) -> None:
    text = TEXT.replace(old, new)
    with pytest.raises(mp.FormatError) as refused:
        from_text(text, "sdp").predicates  # noqa: B018
    assert says in str(refused.value)
    path = tmp_path / "a.sdp"
    path.write_text(text)
    done = run("check", path)
    assert done.code == 1
    assert says.replace("<text>", str(path)) in done.out
    done = run("convert", path, "-o", tmp_path / "a.conll09")
    assert (done.code, done.err.count("\n")) == (1, 1)
    assert done.err.startswith(says.replace("<text>", str(path)))
    assert [file.name for file in tmp_path.iterdir()] == ["a.sdp"]


def test_columns_make_a_file_with_header_and_names() -> None:
    corpus = mp.Corpus.from_columns(forms=[["Go"]], lemmas=[["go"]], sent_ids=["7"], format="sdp")
    assert corpus.to_bytes() == b"#SDP 2015\n#7\n1\tGo\tgo\t_\t-\t-\t_\n\n"
    assert corpus[0].predicates == {}
    with pytest.raises(ColumnError, match="give one without spaces"):
        mp.Corpus.from_columns(forms=[["Go"]], sent_ids=["a b"], format="sdp")
    with pytest.raises(ColumnError, match="SDP 2015 has no comments"):
        mp.Corpus.from_columns(forms=[["Go"]], comments=[["# a"]], format="sdp")


def test_sentences_written_alone_get_the_header() -> None:
    out = io.BytesIO()
    mp.write(from_text(TEXT, "sdp")[1:], out, "sdp")
    assert out.getvalue().decode() == "#SDP 2015\n" + TEXT[TEXT.index("#22000002") :]


# Converting.


def test_conll09_becomes_sdp_and_the_graph_comes_back() -> None:
    text, lost = convert(from_text(ROWS_09, "conll09"), DIALECTS["sdp"])
    assert text.decode() == (
        "#SDP 2015\n#1\n1\tDogs\tdog\tN\t-\t-\t_\tA0\tA0\n"
        "2\tbark\tbark\tV\t-\t+\tbark.01\t_\t_\n3\teating\teat\tV\t-\t+\teat.01\tAM\t_\n\n"
    )
    assert lost == {"head": 3, "deprel": 3, "xpos": 3}
    for name, rows in (("conll09", ROWS_09), ("conll08", ROWS_08)):
        back, lost = convert(from_text(text, "sdp"), DIALECTS[name])
        assert from_text(back, name)[0].semantics == from_text(rows, name)[0].semantics
        assert from_text(back, name)[0].predicates == from_text(rows, name)[0].predicates
        assert from_text(back, name)[0].heads == [-1, -1, -1]
        assert lost == {"comments": 1}


def test_what_other_formats_cannot_hold_of_sdp_is_reported() -> None:
    corpus = from_text(TEXT, "sdp")
    text, lost = convert(corpus, DIALECTS["conll09"])
    assert lost == {"comments": 2, "tops": 2, "senses of words that are not predicates": 1}
    assert [s.predicates for s in from_text(text, "conll09")] == [s.predicates for s in corpus]
    assert set(from_text(text, "conll09")[0].semantics.arcs) == set(corpus[0].semantics.word_arcs)
    text, lost = convert(corpus, DIALECTS["conll08"])
    assert lost == {
        "comments": 2,
        "tops": 2,
        "senses of words that are not predicates": 1,
        "predicates without a sense": 1,
    }
    assert [s.predicates for s in from_text(text, "conll08")] == [corpus[0].predicates, {}]
    text, lost = convert(corpus, DIALECTS["conllu"])
    assert lost == {"tops": 2, "pred": 4, "arguments": 4, "fillpred": 1}
    assert [s.sent_id for s in from_text(text)] == ["22000001", "22000002"]
    assert from_text(text)[0].comments == ["# sent_id = 22000001"]


def test_a_predicate_without_sense_takes_its_arguments_with_it() -> None:
    text = "1\ta\ta\tX\t-\t+\tf\tA\tB\n2\tb\tb\tX\t-\t+\t_\tC\t_\n\n"
    converted, lost = convert(from_text(text, "sdp"), DIALECTS["conll08"])
    sentence = from_text(converted, "conll08")[0]
    assert (sentence.predicates, set(sentence.semantics.arcs)) == ({1: "f"}, {(1, 1, "A"), (1, 2, "C")})
    assert lost == {"predicates without a sense": 1, "arguments": 1}


def test_conllu_becomes_sdp_with_its_names() -> None:
    text, lost = convert(mp.sample(), DIALECTS["sdp"])
    corpus = from_text(text, "sdp")
    assert [s.sent_id for s in corpus] == [s.sent_id for s in mp.sample()]
    assert corpus.column("form") == [form.replace(" ", "_") for form in mp.sample().column("form")]
    assert lost["head"] == mp.sample().words
    assert corpus.semantic_arcs.heads.size == 0


def test_blocks_have_one_header() -> None:
    text = b"".join(
        convert(block, DIALECTS["sdp"])[0] for block in iterate(io.BytesIO(ROWS_09.encode() * 20), "conll09", block=200)
    )
    assert text.count(b"#SDP 2015") == 1
    assert [s.sent_id for s in from_text(text, "sdp")] == [str(number) for number in range(1, 21)]


# Where trees are needed.


def test_trees_are_missed_in_one_clear_line(tmp_path: Any, run: Run, model: Any) -> None:
    path = tmp_path / "a.sdp"
    path.write_text(TEXT)
    tree = f"{path}:3: 22000001: SDP 2015 has no trees; "
    for arguments in (
        ["analyze", path],
        ["oracle", path, "--system", "2-planar"],
        ["trace", path, "--system", "2-planar"],
        ["train", "--train", path, "-o", tmp_path / "m"],
    ):
        done = run(*arguments)
        assert (done.code, done.out) == (1, ""), arguments
        assert done.err.startswith(tree), (arguments, done.err)
        assert done.err.count("\n") == 1
    done = run("parse", "-m", model, path, "-o", tmp_path / "b.sdp")
    assert done.code == 1
    assert f"{path}: SDP 2015 has no column 'head'" in done.err
    assert done.err.count("\n") == 1
    done = run("convert", path, "--projectivize", "head")
    assert (done.code, done.out) == (1, "")
    assert "SDP 2015 has no column 'deprel'" in done.err
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.sdp"]
    with pytest.raises(LayerError, match="SDP 2015 has no column 'head'"):
        mp.formats.with_trees(from_text(TEXT, "sdp"), [-1] * 8, ["_"] * 8)
