"""Parsing: what changes and what stays, in whatever pieces and by however many threads it is done."""

import gzip
import io
import itertools
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import multiplane as mp
from multiplane.formats import DIALECTS, Corpus, convert, read
from multiplane.formats.reader import from_text
from multiplane.formats.rewrite import with_trees
from multiplane.formats.treebank import roots_of
from small_parsers import ODD, word

BOM = b"\xef\xbb\xbf"


def streamed(parser: mp.Parser, text: bytes, **options: object) -> bytes:
    out = io.BytesIO()
    parser.parse_stream(io.BytesIO(text), out, **options)
    return out.getvalue()


# Shapes.


def test_what_comes_back_has_the_shape_of_what_was_given(parser: mp.Parser):
    corpus = mp.sample()
    parsed = parser.parse(corpus)
    assert isinstance(parsed, Corpus)
    assert (parsed.name, len(parsed)) == (corpus.name, 65)
    one = parser.parse(corpus[3])
    assert isinstance(one, mp.Sentence)
    assert one == parsed[3]
    assert (one.where, one.number_in_file) == (corpus[3].where, 4)
    assert parser.parse(corpus[2:5]) == parsed[2:5]
    assert parser.parse([]) == []
    lazy = parser.parse(sentence for sentence in corpus)
    assert next(lazy) == parsed[0]
    assert list(lazy) == list(parsed[1:])
    assert parser.parse(list(corpus[2:5])) == list(parsed[2:5])
    endless = parser.parse(itertools.cycle(corpus))
    assert next(endless) == parsed[0]


def test_sentences_of_several_formats_can_be_parsed_together(parser: mp.Parser):
    other = from_text(convert(mp.sample(), DIALECTS["conllx"])[0], "conllx")
    parsed = parser.parse([mp.sample()[0], other[1], mp.sample()[2]])
    assert [sentence.corpus.dialect.name for sentence in parsed] == ["conllu", "conllx", "conllu"]


def test_plain_text_is_refused_by_a_model_that_needs_tags(parser: mp.Parser):
    with pytest.raises(mp.ModelError, match="this model needs POS tags, which plain text does not have"):
        parser.parse("Economic news had little effect.")


def test_only_head_and_deprel_change(parser: mp.Parser):
    before, after = mp.sample(), parser.parse(mp.sample())
    for column in before.dialect.columns:
        if column not in ("head", "deprel"):
            assert before.column(column) == after.column(column), column
    for one, other in zip(before, after, strict=True):
        assert (one.comments, one.ranges, one.empty_nodes) == (other.comments, other.ranges, other.empty_nodes)


def test_heads_and_labels_in_the_input_do_not_matter(parser: mp.Parser):
    corpus = mp.sample()
    blank = with_trees(corpus, [-1] * corpus.words, ["_"] * corpus.words)
    assert parser.parse(blank).to_bytes() == parser.parse(corpus).to_bytes()


# Streams.


@pytest.mark.parametrize("options", [{}, {"threads": 2}, {"threads": 5, "block": 300}, {"block": 1}, {"block": 4096}])
def test_threads_and_blocks_make_no_difference(options: dict[str, int], parser: mp.Parser):
    text = mp.sample().to_bytes() * 3
    assert streamed(parser, text, **options) == parser.parse(from_text(text)).to_bytes()


@pytest.mark.parametrize("beam", [1, 2, 8])
def test_the_beam_can_be_chosen(beam: int, parser: mp.Parser):
    text = mp.sample().to_bytes()
    assert streamed(parser, text, beam=beam, threads=2, block=1000) == parser.parse(mp.sample(), beam=beam).to_bytes()


@pytest.mark.parametrize("start", [b"", BOM])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("last", [0, 1])
@pytest.mark.parametrize("block", [1, 50, 1 << 20])
def test_odd_files_stay_odd(start: bytes, end: bytes, last: int, block: int, parser: mp.Parser):
    text = start + ODD.encode().replace(b"\n", end)
    text = text if last == 0 else text[: -len(end)]
    assert streamed(parser, text, block=block) == parser.parse(from_text(text)).to_bytes()


@pytest.mark.parametrize("text", [b"", b"\n", b"# nothing\n", BOM])
def test_files_without_a_sentence_stay_as_they_are(text: bytes, parser: mp.Parser):
    assert streamed(parser, text, format="conllu") == text


@pytest.mark.parametrize("text", [b"", b"\n", b" \n\n", BOM])
def test_blank_input_of_no_known_format_gives_nothing(text: bytes, parser: mp.Parser):
    assert streamed(parser, text) == b""


@pytest.mark.parametrize("name", [name for name, dialect in DIALECTS.items() if "head" in dialect.columns])
def test_every_format_is_parsed(name: str, parser: mp.Parser):
    text = convert(mp.sample(), DIALECTS[name])[0]
    out = streamed(parser, text, format=name)
    assert out == parser.parse(from_text(text, name)).to_bytes()
    assert all(sentence.graph.is_tree() for sentence in from_text(out, name))


def test_the_amount_parsed_is_reported(parser: mp.Parser, tmp_path: Path):
    path = tmp_path / "in.conllu.gz"
    path.write_bytes(gzip.compress(mp.sample().to_bytes()))
    assert parser.parse_stream(path, tmp_path / "out.conllu") == (65, 714)
    assert (tmp_path / "out.conllu").read_bytes() == parser.parse(mp.sample()).to_bytes()


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("block", [1, 200, 1 << 20])
def test_broken_sentences_are_skipped_and_named_as_in_reading(threads: int, block: int, parser: mp.Parser):
    good = "# sent_id = good\n" + word(1, 0) + word(2, 1) + "\n"
    text = (good * 5 + "1\tbroken\n\n" + good * 5 + word(1, 5) + "\n" + good).encode()
    problems: list[str] = []
    out = streamed(
        parser,
        text,
        on_error="skip",
        threads=threads,
        block=block,
        on_problem=lambda problem: problems.append(str(problem)),
    )
    corpus = read(io.BytesIO(text), "conllu", on_error="skip")
    assert out == parser.parse(corpus).to_bytes()
    assert problems == [str(problem) for problem in corpus.problems]
    with pytest.raises(mp.FormatError) as error:
        streamed(parser, text, threads=threads, block=block)
    assert str(error.value) == problems[0]


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("block", [1, 200, 1 << 20])
def test_sentences_that_a_model_cannot_parse_are_skipped_like_broken_ones(threads: int, block: int, parser: mp.Parser):
    tagged = [f"# sent_id = {number}\n" + word(1, 0) + word(2, 1) + "\n" for number in range(20)]
    untagged = [text.replace("\tX\t", "\t_\t") for text in tagged]
    assert untagged[0] != tagged[0]
    chosen = {3, 4, 11, 19}
    text = "".join(untagged[number] if number in chosen else tagged[number] for number in range(20)).encode()
    problems: list[str] = []
    options: dict[str, Any] = {"threads": threads, "block": block}
    out = io.BytesIO()
    done = parser.parse_stream(
        io.BytesIO(text), out, on_error="skip", on_problem=lambda problem: problems.append(str(problem)), **options
    )
    rest = "".join(tagged[number] for number in range(20) if number not in chosen).encode()
    assert out.getvalue() == parser.parse(from_text(rest, "conllu")).to_bytes()
    assert done == (16, 32)
    assert [problem.split(": ")[1] for problem in problems] == ["3", "4", "11", "19"]
    assert all("has no tags, but this model needs them" in problem for problem in problems)
    with pytest.raises(mp.SentenceError, match=r"<stream>:13: 3: has no tags"):
        streamed(parser, text, **options)


@pytest.mark.parametrize("block", [1, 1 << 20])
@pytest.mark.parametrize("place", ["comment", "form", "misc"])
def test_bytes_that_are_not_utf_8_are_an_error_of_their_sentence(place: str, block: int, tmp_path: Path):
    good = "# sent_id = good\n" + word(1, 0) + "\n"
    form, misc, comment = (b"caf\xe9" if place == name else b"x" for name in ("form", "misc", "comment"))
    bad = b"# " + comment + b"\n1\t" + form + b"\t" + b"_\t" * 7 + misc + b"\n\n"
    text = good.encode() + bad + good.encode()
    english = mp.load("en")
    with pytest.raises(mp.FormatError, match="UTF-8"):
        streamed(english, text, block=block)
    out = streamed(english, text, block=block, on_error="skip")
    assert out == english.parse(from_text((2 * good).encode(), "conllu")).to_bytes()
    (tmp_path / "bad.conllu").write_bytes(text)
    assert len(english.parse(mp.read_conllu(tmp_path / "bad.conllu", on_error="skip"))) == 2


def test_nothing_is_half_written(parser: mp.Parser, tmp_path: Path):
    text = mp.sample().to_bytes() + b"1\tbroken\n\n"
    with pytest.raises(mp.FormatError):
        parser.parse_stream(io.BytesIO(text), tmp_path / "out.conllu", block=100)
    assert list(tmp_path.iterdir()) == []


def test_the_source_is_read_no_further_ahead_than_needed(parser: mp.Parser):
    class Endless(io.RawIOBase):
        given = 0

        def readable(self) -> bool:
            return True

        def read(self, size: int = -1) -> bytes:
            self.given += 1
            return mp.sample()[0].to_bytes()

    class Full(io.BytesIO):
        def write(self, data: object) -> int:
            raise OSError(28, "No space left on device")

    source = Endless()
    with pytest.raises(OSError, match="No space left"):
        parser.parse_stream(source, Full(), threads=2)
    assert source.given <= 7  # three of them to tell the encoding, the compression and the format


# Sizes.


def one_long_sentence(times: int) -> Corpus:
    """All words of the sample in one sentence, many times."""
    sentences = [sentence for sentence in mp.sample() for _ in range(times)]
    random.Random(1).shuffle(sentences)
    rows = [line.split("\t") for sentence in sentences for line in sentence.lines if line.split("\t")[0].isdigit()]
    return from_text("".join("\t".join([str(i), *row[1:6], *"____"]) + "\n" for i, row in enumerate(rows, 1)))


@pytest.mark.parametrize(("beam", "words"), [(1, 10_000), (2, 1_000)])
def test_a_very_long_sentence_is_parsed(beam: int, words: int, parser: mp.Parser):
    corpus = one_long_sentence(words // 714 + 1)
    assert corpus.words > words
    parsed = parser.parse(corpus, beam=beam)
    assert roots_of(parsed).tolist() == [1]
    assert parsed[0].graph.is_tree()


@pytest.mark.measures
def test_memory_does_not_grow_with_the_file(model: Path, tmp_path: Path):
    peaks = []
    for times in (40, 200):
        path = tmp_path / f"{times}.conllu"
        path.write_bytes(mp.sample().to_bytes() * times)
        script = (
            "import resource, sys, multiplane as mp\n"
            f"mp.load({str(model)!r}).parse_stream({str(path)!r}, '/dev/null', threads=2, block=1 << 17)\n"
            "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
        )
        peaks.append(_peak(script))
    assert peaks[1] < 1.2 * peaks[0]


def _peak(script: str) -> int:
    return int(subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout)


@pytest.mark.parametrize("beam", [1, 2, 8])
def test_the_derivation_builds_the_tree(beam: int, parser: mp.Parser):
    for sentence in mp.sample()[:8]:
        c = parser.model.system.initial(len(sentence))
        for action in parser.derivation(sentence, beam=beam):
            c = c.apply(action)
        parsed = parser.parse(sentence, beam=beam)
        assert c.is_terminal
        assert {arc for arc in c.arcs if arc[0]} == set(parsed.graph.word_arcs)


# Graphs beside trees.


@pytest.mark.parametrize(("system", "beam"), [("2-planar-eager", 4), ("arc-hybrid-swap", 1), ("covington", 1)])
@pytest.mark.parametrize("root", ["none", "left", "right"])
def test_the_graphs_of_a_model_are_the_trees_it_builds(system: str, beam: int, root: str):
    model = mp.train(mp.sample(), system=system, beam=beam, epochs=1, root=root).model
    trees = model.parse(mp.sample())
    ends = list(itertools.accumulate(mp.sample().lengths.tolist(), initial=0))
    for graph, begin, end in zip(model.graphs(mp.sample()), ends, ends[1:], strict=False):
        heads, labels = trees.heads[begin:end].tolist(), trees.labels[begin:end].tolist()
        tree = {
            (head, word, model.names[label]) for word, (head, label) in enumerate(zip(heads, labels, strict=True), 1)
        }
        assert set(graph.arcs) == {arc for arc in tree if arc[0] > 0 or root != "none"}


def test_the_graphs_of_a_pseudo_projective_model_are_not_decoded():
    model = mp.train(mp.sample(), system="arc-eager", epochs=2, pseudo_projective="head").model
    graphs = model.graphs(mp.sample())
    assert all(graph.is_projective() for graph in graphs)
    assert {arc[2] for graph in graphs for arc in graph.arcs} <= set(model.labels)
