"""Other trees for the same words: HEAD and DEPREL change, and not a byte besides."""

import io
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import multiplane as mp
from multiplane.errors import LayerError
from multiplane.formats import DIALECTS, UNKNOWN_HEAD, Corpus, convert, iterate, read
from multiplane.formats.reader import from_text
from multiplane.formats.rewrite import NewColumn, rewritten, with_columns, with_trees

BOM = b"\xef\xbb\xbf"


def rewritten_by_definition(corpus: Corpus, heads: list[int], deprels: list[str]) -> bytes:
    """Line by line: the two fields of every word line, and what was there for everything else."""
    columns = corpus.dialect.columns
    words = iter(zip(heads, deprels, strict=True))
    lines = []
    for line in corpus.to_bytes().decode().split("\n"):
        fields = line.split("\t")
        if fields[0].removeprefix("\ufeff").isdigit():
            head, deprel = next(words)
            fields[columns.index("head")] = "_" if head == UNKNOWN_HEAD else str(head)
            fields[columns.index("deprel")] = deprel
        lines.append("\t".join(fields))
    return "\n".join(lines).encode()


def chain(corpus: Corpus) -> list[int]:
    return [word for length in corpus.lengths for word in range(length)]


def word(number: object, head: object, label: str = "dep") -> str:
    return f"{number}\tA\t_\t_\t_\t_\t{head}\t{label}\t8:x\tM=é\n"


ODD = (
    "# a\tcomment\twith\ttabs\n"
    + "1-2\tAB\t_\t_\t_\t_\t_\t_\t_\t_\n"
    + word(1, 0)
    + word(2, 1)
    + "2.1\tE\t_\t_\t_\t_\t_\t_\t1:x\t_\n"
    + word(3, "_")
    + "\n\n\n# loose\n\n# second\n"
    + word(1, 2)
    + word(2, 0)
)


@pytest.mark.parametrize("start", [b"", BOM])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("last", [0, 1])
def test_comments_ranges_empty_nodes_and_line_ends_stay(start: bytes, end: bytes, last: int):
    text = start + ODD.encode().replace(b"\n", end)
    corpus = from_text(text if last == 0 else text[: -len(end)])
    heads, deprels = [3, 3, 0, 0, 1], ["α", "root:x", "", "_", "a b"]
    new = with_trees(corpus, heads, deprels)
    assert new.to_bytes() == rewritten_by_definition(corpus, heads, deprels)
    assert (new.heads.tolist(), new.column("deprel")) == (heads, deprels)
    back = with_trees(new, corpus.heads, corpus.column("deprel"))
    assert back.to_bytes() == corpus.to_bytes()


@pytest.mark.parametrize("name", [name for name, dialect in DIALECTS.items() if "head" in dialect.columns])
def test_every_format_has_its_columns_replaced(name: str):
    columns = DIALECTS[name].columns
    rows = [[f"{column}{number}" for column in columns] for number in (1, 2, 3)]
    for number, row in enumerate(rows, 1):
        row[0], row[columns.index("head")] = str(number), str(number - 1)
        row.extend(["_", "A0"] if DIALECTS[name].arguments else [])
    corpus = from_text("".join("\t".join(row) + "\n" for row in rows), name)
    new = with_trees(corpus, [2, 0, -1], ["x", "deprel2", "y"])
    assert new.to_bytes() == rewritten_by_definition(corpus, [2, 0, -1], ["x", "deprel2", "y"])
    assert new.heads.tolist() == [2, 0, -1]
    assert {column for column in columns if new.column(column) != corpus.column(column)} == {"head", "deprel"}


def test_the_sample_keeps_all_else():
    corpus = mp.sample()
    deprels = [label[::-1] for label in corpus.column("deprel")]
    new = with_trees(corpus, chain(corpus), deprels)
    assert new.to_bytes() == rewritten_by_definition(corpus, chain(corpus), deprels)
    assert [s.sent_id for s in new] == [s.sent_id for s in corpus]
    assert with_trees(corpus, corpus.heads, corpus.column("deprel")).to_bytes() == corpus.to_bytes()


@given(
    st.lists(st.tuples(st.integers(1, 4), st.booleans()), max_size=4),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\t\n\r"), max_size=5),
)
@settings(max_examples=50)
def test_any_label_is_written_as_it_is(lengths: list[tuple[int, bool]], label: str):
    text = "".join(
        "# c\n" * commented + "".join(word(i + 1, i) for i in range(length)) + "\n" for length, commented in lengths
    )
    corpus = from_text(text)
    new = with_trees(corpus, corpus.heads, [label] * corpus.words)
    assert new.column("deprel") == [label] * corpus.words
    assert new.to_bytes() == rewritten_by_definition(corpus, corpus.heads.tolist(), [label] * corpus.words)


def test_line_numbers_and_names_continue_in_later_blocks():
    text = "".join(f"{word(1, 0)}{word(2, 1)}\n" for _ in range(20)).encode()
    blocks = list(iterate(io.BytesIO(text), "conllu", block=64))
    assert len(blocks) > 3
    for block in blocks:
        new = with_trees(block, [2, 0] * len(block), ["x"] * block.words)
        assert [(s.line, s.number_in_file, s.sent_id) for s in new] == [
            (s.line, s.number_in_file, s.sent_id) for s in block
        ]
        assert (new.lines_read, new.sentences_read, new.name) == (block.lines_read, block.sentences_read, block.name)


def test_broken_sentences_stay_skipped():
    good = word(1, 0) + word(2, 1) + "\n"
    text = f"{good}1\tbroken\n1\ttwice\n\n{good}"
    corpus = read(io.BytesIO(text.encode()), "conllu", on_error="skip")
    new = with_trees(corpus, [2, 0, 2, 0], list("abcd"))
    expected = "".join(word(1, 2, a) + word(2, 0, b) + "\n" for a, b in ("ab", "cd"))
    assert new.to_bytes() == expected.encode()
    assert [(s.line, s.number_in_file) for s in new] == [(s.line, s.number_in_file) for s in corpus]
    assert list(map(str, new.problems)) == list(map(str, corpus.problems))
    with pytest.raises(mp.FormatError, match="the heads form a cycle"):
        with_trees(corpus, [2, 0, 2, 1], list("abcd"))


def test_an_empty_corpus_stays_empty():
    assert with_trees(from_text(""), [], []).to_bytes() == b""


@pytest.mark.parametrize(
    ("heads", "deprels", "message"),
    [
        ([0], ["a", "b"], "1 head for 2 words; give one for each"),
        ([0, 1], ["a", "b", "c"], "3 labels for 2 words; give one for each"),
        ([0, 3], ["a", "b"], "<text>:3: s1: word 2: head 3 is outside the sentence"),
        ([-2, 1], ["a", "b"], "<text>:2: s1: word 1: head -2 is outside the sentence"),
        ([0.0, 1.0], ["a", "b"], "heads must be integers, not float64"),
        ([0, 2**40], ["a", "b"], f"<text>:3: s1: word 2: head {2**40} is outside the sentence"),
    ],
)
def test_wrong_trees_are_refused(heads: list[int], deprels: list[str], message: str):
    corpus = from_text("# sent_id = s1\n" + word(1, 0) + word(2, 1))
    with pytest.raises(mp.GraphError) as error:
        with_trees(corpus, heads, deprels)
    assert str(error.value) == message


@pytest.mark.parametrize("character", ["\t", "\n", "\r", "\0", "\ud800"])
def test_labels_that_would_break_lines_are_refused(character: str):
    corpus = from_text("# sent_id = s1\n" + word(1, 0) + word(2, 1))
    with pytest.raises(mp.GraphError, match=r"^<text>:3: s1: word 2: label .* has a character that no field can"):
        with_trees(corpus, [0, 1], ["a", f"b{character}c"])


@pytest.mark.parametrize("heads", [[2, 1], [0, 2]])
def test_cycles_are_refused_with_their_line(heads: list[int]):
    with pytest.raises(mp.FormatError, match=r"^<text>:\d: sentence 1: "):
        with_trees(from_text(word(1, 0) + word(2, 1)), heads, ["a", "b"])


def test_two_hundred_thousand_words_take_about_a_second():
    corpus = from_text(("".join(word(i + 1, i) for i in range(20)) + "\n") * 10_000)
    began = time.process_time()
    new = with_trees(corpus, np.tile([*range(2, 21), 0], 10_000), ["x"] * corpus.words)
    assert time.process_time() - began < 10  # the machine may be slow and busy
    assert new.words == 200_000


# Any columns.


def columns_by_definition(corpus: Corpus, columns: list[NewColumn]) -> bytes:
    """Line by line: the fields of every word line that are replaced, or empty and to be filled."""
    places, lines, number = corpus.dialect.columns, [], 0
    for line in corpus.to_bytes().decode().split("\n"):
        fields = line.split("\t")
        if fields[0].removeprefix("\ufeff").isdigit():
            for name, values, texts, fill in columns:
                if name in places and (not fill or fields[places.index(name)].removesuffix("\r") == "_"):
                    end = "\r" if fields[places.index(name)].endswith("\r") else ""
                    fields[places.index(name)] = texts[values[number]] + end
            number += 1
        lines.append("\t".join(fields))
    return "\n".join(lines).encode()


def some_column(name: str, fill: bool, words: int) -> NewColumn:
    texts = ("x", "y:é", "", "_", "a b")
    values = np.random.default_rng(len(name) + fill).integers(len(texts), size=words)
    return NewColumn(name, values.astype(np.int32), texts, fill)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("fill", [False, True])
@pytest.mark.parametrize("name", list(DIALECTS))
def test_every_column_of_every_format_is_replaced_or_filled(name: str, fill: bool, end: str):
    text = convert(mp.sample(), DIALECTS[name])[0] if name != "conllu" else mp.sample().to_bytes()
    corpus = from_text(text.replace(b"\n", end.encode()), name)
    columns = [
        some_column(column, fill, corpus.words)
        for column in corpus.dialect.columns[::-1]
        if column not in ("id", "head")
    ]
    assert rewritten(corpus, columns) == columns_by_definition(corpus, columns)
    for column in columns:
        assert rewritten(corpus, [column]) == columns_by_definition(corpus, [column])


def test_columns_to_fill_that_a_format_lacks_are_ignored():
    corpus = from_text(convert(mp.sample(), DIALECTS["conllx"])[0], "conllx")
    assert rewritten(corpus, [some_column("misc", True, corpus.words)]) == corpus.to_bytes()
    assert list(with_columns(corpus, [])) == list(corpus)


@pytest.mark.parametrize(
    "columns",
    [
        [NewColumn("nothing", np.zeros(2, np.int32), ["x"])],
        [NewColumn("misc", np.zeros(2, np.int32), ["x"]), NewColumn("misc", np.zeros(2, np.int32), ["y"], fill=True)],
        [NewColumn("misc", np.zeros(1, np.int32), ["x"])],
        [NewColumn("misc", np.array([0, 1], np.int32), ["x"])],
        [NewColumn("misc", np.array([-1, 0], np.int32), ["x"])],
    ],
)
def test_columns_that_do_not_fit_are_refused(columns: list[NewColumn]):
    with pytest.raises(
        (ValueError, LayerError), match=r"column 'nothing'|given twice|one value for each word|no such text"
    ):
        rewritten(from_text(word(1, 0) + word(2, 1)), columns)
