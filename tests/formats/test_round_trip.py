"""What is read is written byte for byte, whatever the text and however it is cut into blocks."""

import io
import lzma
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import multiplane as mp
from multiplane.analysis import check, coverage
from multiplane.formats import DIALECTS, Sentence, convert, iterate, with_enhanced, with_semantics
from multiplane.formats.fields import FORBIDDEN

DATA = Path(__file__).parents[3] / "shared" / "data"
TREEBANKS = sorted(path for path in DATA.glob("*/*/*.xz")) if DATA.is_dir() else []
BOM = b"\xef\xbb\xbf"

# Texts of a format, valid by construction.

_CHARACTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\0\t\n\r")
_LETTERS = st.sampled_from("ab_é語😀#-.=0 ")
FIELDS = st.text(_LETTERS | _CHARACTERS, min_size=1, max_size=4)
COMMENTS = st.one_of(
    st.builds("# sent_id{}{}".format, st.sampled_from([" = ", "=", " ", "", "\t=\t", "2 = "]), FIELDS),
    st.builds("#{}text{}{}".format, st.sampled_from(["", " "]), st.sampled_from([" = ", "=", " ", "_en = "]), FIELDS),
    st.builds("#{}".format, st.text(_LETTERS | _CHARACTERS | st.just("\t"), max_size=6)),
)


@st.composite
def heads(draw: st.DrawFn) -> list[str]:
    """A forest: every word hangs from the root, from nothing or from a word attached before it."""
    order = draw(st.permutations(range(1, draw(st.integers(1, 6)) + 1)))
    chosen = {word: draw(st.sampled_from(["0", "_", *map(str, order[:place])])) for place, word in enumerate(order)}
    return [chosen[word] for word in sorted(order)]


@st.composite
def sentence_lines(draw: st.DrawFn, name: str) -> list[str]:
    dialect = DIALECTS[name]
    column = dialect.columns.index("head") if "head" in dialect.columns else None

    def row(number: str, head: str, more: int = 0) -> str:
        fields = [number, *(draw(FIELDS) for _ in dialect.columns[1:]), *(draw(FIELDS) for _ in range(more))]
        if column is not None:
            fields[column] = head
        return "\t".join(fields)

    chosen = draw(heads())
    arguments = draw(st.integers(0, 3)) if dialect.arguments else 0
    lines = draw(st.lists(COMMENTS, max_size=3)) if dialect.sent_id else []
    free = 1
    for number in range(0, len(chosen) + 1):
        if number:
            if dialect.ranges and number >= free and draw(st.booleans()):
                free = draw(st.integers(number, len(chosen))) + 1
                lines.append(row(f"{number}-{free - 1}", draw(FIELDS)))
            lines.append(row(str(number), chosen[number - 1], arguments))
        for minor in range(1, draw(st.integers(0, 2)) + 1 if dialect.ranges else 1):
            lines.append(row(f"{number}.{minor}", draw(FIELDS)))
    return lines


@st.composite
def texts(draw: st.DrawFn, name: str = "conllu") -> bytes:
    dialect = DIALECTS[name]
    ends = draw(st.sampled_from([["\n"], ["\r\n"], ["\n", "\r\n"]]))
    blocks = st.lists(sentence_lines(name), max_size=4)
    if dialect.ranges:
        blocks = st.lists(sentence_lines(name) | st.lists(COMMENTS, min_size=1, max_size=2), max_size=4)
    lines = [""] * draw(st.integers(0, 2))
    for block in draw(blocks):
        lines += block + [""] * draw(st.integers(1, 3))
    while lines and not lines[-1] and draw(st.booleans()):
        lines.pop()
    text = "".join(line + draw(st.sampled_from(ends)) for line in lines)
    if draw(st.booleans()):
        text = text.removesuffix("\n").removesuffix("\r")
    return draw(st.sampled_from([b"", BOM])) + text.encode()


FORMATTED = st.sampled_from(list(DIALECTS)).flatmap(lambda name: st.tuples(st.just(name), texts(name)))

# The judge: what a text holds, in a few lines of Python.


def naive(text: bytes, name: str) -> list[dict[str, Any]]:
    columns = DIALECTS[name].columns
    groups: list[tuple[int, list[str]]] = [(1, [])]
    for number, line in enumerate(text.removeprefix(BOM).decode().split("\n"), 1):
        if line.removesuffix("\r"):
            groups[-1][1].append(line.removesuffix("\r"))
        else:
            groups.append((number + 1, []))
    found: list[dict[str, Any]] = []
    for first, lines in groups:
        comments = [line for line in lines if line[0] == "#"]
        rows = [line.split("\t") for line in lines if line[0] != "#"]
        words = [row for row in rows if row[0].isdigit()]
        if not words:
            continue
        ids = [re.fullmatch(r"#[ \t]*sent_id(?=[ \t=])[ \t]*=?[ \t]*(.*?)[ \t]*", c, re.DOTALL) for c in comments]
        if DIALECTS[name].bare_ids:
            ids = [re.fullmatch(r"#([^ \t]+)", comment) for comment in comments]
        sent_ids = [match[1] for match in ids if match and match[1]]
        values = [re.fullmatch(r"#\s*text\s*=(.*)", comment, re.DOTALL) for comment in comments]
        column = {key: [row[place] for row in words] for place, key in enumerate(columns)}
        found.append(
            {
                "line": first,
                "sent_id": sent_ids[0] if sent_ids else f"sentence {len(found) + 1}",
                "lines": lines,
                "comments": comments,
                "text": next((match[1].strip() for match in values if match), None),
                "len": len(words),
                "heads": [-1 if head == "_" else int(head) for head in column.get("head", ["_"] * len(words))],
                "forms": column["form"],
                "lemmas": column["lemma"],
                "upos": column["upos"],
                "columns": column,
                "ranges": [(row[0], tuple(row[1:])) for row in rows if "-" in row[0]],
                "empty_nodes": [(row[0], tuple(row[1:])) for row in rows if "." in row[0]],
            }
        )
    return found


def seen(sentence: Sentence) -> dict[str, Any]:
    plain = ("line", "sent_id", "lines", "comments", "text", "heads", "forms", "lemmas", "upos")
    return {
        **{name: getattr(sentence, name) for name in plain},
        "len": len(sentence),
        "columns": {name: sentence.column(name) for name in sentence.corpus.dialect.columns},
        "ranges": [tuple(line) for line in sentence.ranges],
        "empty_nodes": [tuple(line) for line in sentence.empty_nodes],
    }


def written(corpus: mp.Corpus, name: str) -> bytes:
    out = io.BytesIO()
    mp.write(corpus, out, name)
    return out.getvalue()


@given(FORMATTED)
@settings(deadline=None, max_examples=300)
def test_what_is_read_is_written_byte_for_byte(formatted: tuple[str, bytes]) -> None:
    name, text = formatted
    corpus = mp.read(io.BytesIO(text), name)
    assert written(corpus, name) == text
    assert convert(corpus, DIALECTS[name]) == (text, {})


@given(FORMATTED)
@settings(deadline=None, max_examples=300)
@example(("conllu", b"# sent_id = a \r\n1\t#\t\t\t\t\t0\t\t\t\r\n\r\n"))
def test_every_accessor_says_what_a_naive_parser_says(formatted: tuple[str, bytes]) -> None:
    name, text = formatted
    corpus = mp.read(io.BytesIO(text), name)
    expected = naive(text, name)
    assert [seen(sentence) for sentence in corpus] == expected
    assert corpus.words == sum(sentence["len"] for sentence in expected)
    assert corpus.lengths.tolist() == [sentence["len"] for sentence in expected]
    assert corpus.heads.tolist() == [head for sentence in expected for head in sentence["heads"]]
    for column in DIALECTS[name].columns:
        assert corpus.column(column) == [field for sentence in expected for field in sentence["columns"][column]]


@given(FORMATTED)
@settings(deadline=None, max_examples=60)
def test_every_block_size_gives_the_same_sentences_and_bytes(formatted: tuple[str, bytes]) -> None:
    name, text = formatted
    expected = naive(text, name)
    for block in [*range(1, 40), len(text) or 1, len(text) + 1]:
        corpora = list(iterate(io.BytesIO(text), name, block=block))
        assert [seen(sentence) for corpus in corpora for sentence in corpus] == expected
        assert b"".join(corpus.to_bytes() for corpus in corpora) == text


@given(FORMATTED)
@settings(deadline=None, max_examples=100)
def test_sentences_written_one_by_one_are_the_same_sentences(formatted: tuple[str, bytes]) -> None:
    name, text = formatted
    corpus = mp.read(io.BytesIO(text), name)
    out = io.BytesIO()
    mp.write(list(corpus), out, name)
    again = mp.read(io.BytesIO(out.getvalue()), name)
    without = ("line", "sent_id", "comments")  # they count what stood before, and a header is added

    def content(sentence: Sentence) -> dict[str, Any]:
        lines = [line for line in sentence.lines if line != DIALECTS[name].header]
        return {key: value for key, value in seen(sentence).items() if key not in without} | {"lines": lines}

    assert list(map(content, again)) == list(map(content, corpus))


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_a_last_sentence_without_newline_ends_like_its_other_lines(end: bytes) -> None:
    line = b"%d\tw\t_\t_\t_\t_\t0\troot\t_\t_"
    text = line % 1 + end + line % 2
    assert mp.read_conllu(io.BytesIO(text))[0].to_bytes() == text + end + end


# Anything at all.

MUTATIONS = st.lists(
    st.tuples(
        st.sampled_from(["flip", "delete", "insert", "line", "swap"]),
        st.integers(0, 10**6),
        st.binary(min_size=1, max_size=4)
        | st.sampled_from([b"\n", b"\t", b"\r", b"\0", b"#", b"9", b"_", b"-", b".", BOM]),
    ),
    min_size=1,
    max_size=6,
)


def mutate(text: bytes, mutations: list[tuple[str, int, bytes]]) -> bytes:
    for kind, where, data in mutations:
        at = where % (len(text) + 1)
        if kind == "flip":
            text = text[:at] + bytes([text[at] ^ data[0]]) + text[at + 1 :] if at < len(text) else text
        elif kind == "delete":
            text = text[:at] + text[at + len(data) :]
        elif kind == "insert":
            text = text[:at] + data + text[at:]
        else:
            lines = text.split(b"\n")
            line = where % len(lines)
            if kind == "line":
                lines.insert(line, lines[line])
            else:
                lines[line], lines[-1 - line] = lines[-1 - line], lines[line]
            text = b"\n".join(lines)
    return text


def refusal(read: Callable[[], object]) -> Any:
    """Why reading was refused, or nothing; any other exception is a failure."""
    try:
        read()
    except mp.MultiplaneError as error:
        return error
    return None


def survives(text: bytes, name: str) -> None:
    """Reading raises nothing but our errors, and what is accepted is what a naive parser sees and round-trips."""
    error = refusal(lambda: mp.read(io.BytesIO(text), name))
    if error is None:
        corpus = mp.read(io.BytesIO(text), name)
        assert written(corpus, name) == text
        assert [seen(sentence) for sentence in corpus] == naive(text, name)
    else:
        assert re.match(r"<stream>:\d+: .+?: .+", str(error), re.DOTALL)
        assert 1 <= error.line <= text.count(b"\n") + 1
        assert str(refusal(lambda: list(iterate(io.BytesIO(text), name, block=16)))) == str(error)
    skipping = mp.read(io.BytesIO(text), name, on_error="skip")
    blocks = list(iterate(io.BytesIO(text), name, on_error="skip", block=16))
    assert [seen(s) for corpus in blocks for s in corpus] == [seen(s) for s in skipping]
    assert [str(p) for corpus in blocks for p in corpus.problems] == [str(p) for p in skipping.problems]
    left = mp.read(io.BytesIO(skipping.to_bytes()), name)
    assert [s.lines for s in left] == [s.lines for s in skipping]
    assert coverage([skipping], on_error="skip").structures <= len(skipping)
    layers = layer_problems(skipping)
    assert len(check([skipping], "f").errors) == len(skipping.problems) + len(layers)
    for sentence in skipping:
        assert sentence.graph.n == len(sentence)
    for problem in layers:
        assert 1 <= problem.line <= text.count(b"\n") + 1
    layers_round_trip(skipping)


def layer_problems(corpus: mp.Corpus) -> list[mp.FormatError]:
    found: list[mp.FormatError] = []
    if corpus.dialect.arguments:
        found += corpus.semantic_layer.problems.errors
    if "deps" in corpus.dialect.columns:
        found += corpus.enhanced_layer.problems.errors
    return found


def layers_round_trip(corpus: mp.Corpus) -> None:
    """Predicates and arguments that can be read are written back as they were, and enhanced arcs come back."""
    if layer_problems(corpus) or corpus.dialect.name == "conllx":
        return
    layers = [corpus.predicates, corpus.semantic_arcs] if corpus.dialect.arguments else [corpus.enhanced_arcs]
    if any(FORBIDDEN.search(name) for layer in layers for name in layer.names):
        # A carriage return inside a field can be read, but nobody may write one.
        with pytest.raises(mp.GraphError):
            with_semantics(corpus, *layers) if corpus.dialect.arguments else with_enhanced(corpus, *layers)
        return
    if corpus.dialect.arguments:
        text = with_semantics(corpus, corpus.predicates, corpus.semantic_arcs).to_bytes()
        marks = corpus.dialect.arguments.mark is not None  # marked predicates may lack argument columns
        assert text == corpus.to_bytes() or (marks and not corpus.semantic_arcs.heads.size)
    else:
        again = with_enhanced(corpus, corpus.enhanced_arcs)
        for old, new in zip(corpus, again, strict=True):
            assert set(new.enhanced.collapsed().arcs) == set(old.enhanced.collapsed().arcs)


@given(FORMATTED, MUTATIONS)
@settings(deadline=None, max_examples=300)
def test_mutated_texts_are_read_or_refused(
    formatted: tuple[str, bytes], mutations: list[tuple[str, int, bytes]]
) -> None:
    name, text = formatted
    survives(mutate(text, mutations), name)


@given(texts(), MUTATIONS)
@settings(deadline=None, max_examples=100)
def test_skipping_broken_sentences_gives_the_same_bytes_in_blocks_and_at_once(
    text: bytes, mutations: list[tuple[str, int, bytes]]
) -> None:
    text = mutate(text, mutations)
    blocks = iterate(io.BytesIO(text), "conllu", on_error="skip", block=16)
    at_once = mp.read_conllu(io.BytesIO(text), on_error="skip")
    assert b"".join(corpus.to_bytes() for corpus in blocks) == at_once.to_bytes()


@given(st.integers(0, 64), MUTATIONS, st.sampled_from(list(DIALECTS)))
@settings(deadline=None, max_examples=150)
def test_mutated_sentences_of_the_sample_are_read_or_refused(
    number: int, mutations: list[tuple[str, int, bytes]], name: str
) -> None:
    survives(mutate(mp.sample()[number].to_bytes(), mutations), name)


@given(st.binary(max_size=200) | st.text(st.sampled_from("1234_-.#\t\t\t\n\r ab"), max_size=200).map(str.encode))
@settings(deadline=None, max_examples=200)
def test_random_bytes_are_read_or_refused(text: bytes) -> None:
    for name in DIALECTS:
        survives(text, name)


@given(st.binary(max_size=60), st.sampled_from([".gz", ".xz"]))
@settings(deadline=None, max_examples=60)
def test_random_compressed_files_are_read_or_refused(tmp_path_factory: Any, data: bytes, suffix: str) -> None:
    path = tmp_path_factory.getbasetemp() / f"random.conllu{suffix}"
    for head in (b"", b"\x1f\x8b\x08", b"\xfd7zXZ\x00"):
        path.write_bytes(head + data)
        error = refusal(lambda: mp.read(path))
        assert error is None or str(error).startswith(f"{path}: ")


# Real treebanks; these tests are skipped where ../shared/data is absent.


@pytest.mark.skipif(not TREEBANKS, reason="no ../shared/data")
@pytest.mark.parametrize("path", TREEBANKS, ids=lambda path: str(path.relative_to(DATA)))
def test_real_treebanks_round_trip(path: Path, tmp_path: Path, run: Callable[..., Any]) -> None:
    text = lzma.decompress(path.read_bytes())
    corpus = mp.read(path)
    assert len(corpus) > 0
    assert written(corpus, corpus.dialect.name) == text
    assert b"".join(sentence.to_bytes() for sentence in corpus) == text or not text.endswith(b"\n\n")
    target = tmp_path / path.stem
    done = run("convert", path, "-o", target)
    assert (done.code, done.out, done.err) == (0, "", "")
    assert target.read_bytes() == text
