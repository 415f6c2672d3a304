"""`multiplane draw` at the command line."""

import os
import pty
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import multiplane as mp
from multiplane.visual.fonts import font_files

Run = Callable[..., Any]
WORD = b"1\t%b\t_\tX\t_\t_\t0\troot\t_\t_\n\n"


def test_the_terminal_shows_the_words_without_escapes_in_a_pipe(sample: Path, run: Run, process: Run) -> None:
    for done in (run("draw", sample), process("draw", sample)):
        assert (done.code, done.err) == (0, "")
        assert all(form in done.out for form in mp.sample()[0].forms)
        assert "\x1b" not in done.out


@pytest.mark.parametrize("suffix", [".svg", ".txt", ".tex", ".SVG"])
def test_every_sentence_of_the_sample_is_drawn(suffix: str, sample: Path, tmp_path: Path, run: Run) -> None:
    target = tmp_path / f"out{suffix}"
    for sentence in mp.sample():
        done = run("draw", sample, "--sentence", sentence.sent_id, "-o", target)
        assert (done.code, done.out, done.err) == (0, "", ""), sentence
        text = target.read_text(encoding="utf-8")
        if suffix.lower() == ".svg":
            texts = [element.text or "" for element in ET.fromstring(text).iter() if element.tag.endswith("text")]
            assert set(sentence.forms) <= set(texts), sentence
        else:
            assert len(text) > len("".join(sentence.forms))
    assert os.listdir(tmp_path) == [target.name]


@pytest.mark.parametrize("suffix", [".svg", ".txt", ".tex"])
def test_undirected_drawings_have_no_arrow_heads(suffix: str, sample: Path, tmp_path: Path, run: Run) -> None:
    arrow = {".svg": 'stroke="none"', ".txt": "►", ".tex": "edge style={plane1, semithick}"}[suffix]
    for more, has_arrows in (([], True), (["--undirected"], False)):
        target = tmp_path / f"out{suffix}"
        done = run("draw", sample, "--sentence", "nl-001", "-o", target, *more)
        assert (done.code, done.out, done.err) == (0, "", "")
        assert (arrow in target.read_text(encoding="utf-8")) == has_arrows


def test_a_sentence_is_found_by_sent_id_or_number(sample: Path, run: Run) -> None:
    assert run("draw", sample).out == run("draw", sample, "--sentence", "1").out
    assert run("draw", sample, "--sentence", "31").out == run("draw", sample, "--sentence", mp.sample()[30].sent_id).out
    assert run("draw", sample, "--sentence", "31").out != run("draw", sample).out


def test_a_sent_id_comes_before_a_number(run: Run) -> None:
    text = b"# sent_id = 2\n" + WORD % b"first" + b"# sent_id = 1\n" + WORD % b"second"
    assert "second" in run("draw", "-", "--sentence", "1", stdin=text).out
    assert "first" in run("draw", "-", "--sentence", "2", stdin=text).out


@pytest.mark.parametrize("wanted", ["nobody", "0", "66", "-1", ""])
def test_an_unknown_sentence_is_named(wanted: str, sample: Path, tmp_path: Path, run: Run) -> None:
    done = run("draw", sample, f"--sentence={wanted}", "-o", tmp_path / "out.svg")
    assert (done.code, done.out) == (1, "")
    assert done.err == f"{sample}: no sentence '{wanted}'; give a sent_id, or a number from 1 to 65\n"
    assert os.listdir(tmp_path) == []


def test_a_file_without_sentences_is_reported(run: Run) -> None:
    done = run("draw", "-", stdin=b"# nothing\n")
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    assert "1 to 0" not in done.err


@pytest.mark.parametrize("name", ["out.jpeg", "out", "out.svg.gz"])
def test_an_unknown_suffix_is_wrong_usage(name: str, sample: Path, tmp_path: Path, run: Run) -> None:
    done = run("draw", sample, "-o", tmp_path / name)
    assert done.code == 2
    assert ".svg, .png, .pdf, .tex, .txt" in done.err
    assert os.listdir(tmp_path) == []


def test_a_target_in_no_directory_is_named(sample: Path, tmp_path: Path, run: Run) -> None:
    target = tmp_path / "missing" / "out.svg"
    done = run("draw", sample, "-o", target)
    assert (done.code, done.err) == (1, f"{target}: cannot be written: no such file or directory\n")


@pytest.mark.parametrize("form", ["<&>\"'", "a\x01b\x0bc", "\ufffe", "\u202eabc", "x" * 300, "e\u0301", "日本語", "😀"])
def test_strange_words_give_well_formed_svg(form: str, tmp_path: Path, run: Run) -> None:
    target = tmp_path / "out.svg"
    done = run("draw", "-", "-o", target, stdin=WORD % form.encode())
    assert (done.code, done.err) == (0, "")
    ET.parse(target)


def test_control_characters_do_not_reach_the_terminal(run: Run) -> None:
    done = run("draw", "-", stdin=b"# sent_id = a\x1b[31mb\n" + WORD % b"w\x1b[31m\x07")
    assert done.code == 0
    assert "\x1b" not in done.out
    assert "\x07" not in done.out


def test_a_text_is_parsed_and_drawn_in_one_step(run: Run) -> None:
    done = run("draw", "-m", "en", "The dog sleeps. He left.")
    assert (done.code, done.err) == (0, "")
    first, second = done.out.split("\n\n")
    assert [line.split()[-1] for line in first.splitlines()[1:]] == ["det", "nsubj", "root", "punct"]
    assert "left" in second
    assert run("draw", "-m", "en", "The", "dog", "sleeps.", "He", "left.").out == done.out  # without quotation marks
    assert run("draw", "-m", "en", "The dog sleeps. He left.", "--sentence", "2").out == second


def test_files_are_parsed_before_they_are_drawn(sample: Path, tmp_path: Path, run: Run) -> None:
    plain, gold = tmp_path / "plain.txt", mp.sample()[0]
    plain.write_text("The dog sleeps. He left.")
    parser = mp.load("en")
    one = run("draw", "-m", "en", sample)
    assert (one.code, one.err, one.out) == (0, "", parser.parse(gold).draw())
    assert run("draw", "-m", "en", plain, "--all").out == parser.parse("The dog sleeps. He left.").draw()
    assert run("draw", "-m", "en", plain).out == parser.parse("The dog sleeps.").draw()
    assert run("draw", "-m", "en", "-", stdin=b"The dog sleeps.").out == parser.parse("The dog sleeps.").draw()
    assert run("draw", "-m", "en", "-", stdin=gold.to_bytes()).out == one.out
    assert run("draw", "-m", "en", "-", "--from", "conllu", stdin=gold.to_bytes()).out == one.out


def test_several_sentences_share_a_sheet(sample: Path, tmp_path: Path, run: Run) -> None:
    target = tmp_path / "sheet.svg"
    done = run("draw", sample, "--sentence", "nl-001", "--sentence", "2", "-o", target)
    assert (done.code, done.out, done.err) == (0, "", "")
    titles = [element.text for element in ET.parse(target).iter() if element.get("class") == "title"]
    assert titles == ["nl-001", "en-002"]
    everything = run("draw", sample, "--all")
    assert (everything.code, everything.out) == (0, mp.sample().draw())


def test_sentences_of_one_standard_input_are_found_in_any_order(run: Run) -> None:
    text = b"".join(b"# sent_id = s%d\n" % i + WORD % (b"w%d" % i) for i in range(1, 4))
    done = run("draw", "-", "--from", "conllu", "--sentence", "s3", "--sentence", "1", stdin=text)
    assert (done.code, done.out) == (0, "s3\n1 w3  X  0 root\n\ns1\n1 w1  X  0 root\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{sample}", "{sample}"], "; give one FILE or, to draw a text, a model"),
        (["{sample}", "--all", "--sentence", "2"], "either --sentence or --all"),
        (["{sample}", "--interactive"], "--interactive needs an .svg file"),
        (["{sample}", "--scale", "0", "-o", "x.png"], "--scale"),
        (["-m", "en", "Look:", "{sample}"], "is a file; give one FILE"),
        (["-m", "en", "She left.", "--from", "conllu"], "drop --from"),
        ([], "FILE|TEXT"),
    ],
)
def test_wrong_usage_is_explained(arguments: list[str], message: str, sample: Path, run: Run) -> None:
    done = run("draw", *(argument.format(sample=sample) for argument in arguments))
    assert (done.code, done.out) == (2, "")
    assert message in done.err


@pytest.mark.parametrize(
    ("arguments", "stdin", "message"),
    [
        (["-m", "en", "missing.conllu"], b"", "missing.conllu: cannot be read: no such file or directory\n"),
        (["-m", "en", "missing.txt"], b"", "missing.txt: cannot be read: no such file or directory\n"),
        (
            ["Hello world."],
            b"",
            "Hello world.: cannot be read: no such file or directory; to draw a text, give a model: "
            "multiplane draw -m en 'Hello world.'\n",
        ),
        (["-m", "en", " "], b"", "<text>: there are no sentences\n"),
        (["-m", "en", "It left.", "--sentence", "7"], b"", "<text>: no sentence '7'; give a sent_id, or a number fr"),
        (["-", "--from", "conllu", "--all"], b"# nothing\n", "<stdin>: there are no sentences\n"),
        (["-", "--from", "conllu", "--all"], b"1\tx\n\n", "<stdin>:1: sentence 1: "),
        (["-m", "en", "-"], b"It left\xff.", "<stdin>:1: invalid UTF-8"),
    ],
)
def test_input_that_cannot_be_drawn_is_reported(arguments: list[str], stdin: bytes, message: str, run: Run) -> None:
    done = run("draw", *arguments, stdin=stdin)
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    assert done.err.startswith(message)


def test_the_direction_can_be_chosen(sample: Path, run: Run) -> None:
    arabic = run("draw", sample, "--sentence", "ar-001")
    assert arabic.out == run("draw", sample, "--sentence", "ar-001", "--rtl").out
    assert arabic.out != run("draw", sample, "--sentence", "ar-001", "--ltr").out
    assert run("draw", sample).out == run("draw", sample, "--ltr").out != run("draw", sample, "--rtl").out


def test_an_interactive_image_is_written(sample: Path, tmp_path: Path, run: Run) -> None:
    done = run("draw", sample, "--interactive", "-o", tmp_path / "page.svg")
    assert (done.code, done.err) == (0, "")
    assert 'role="button"' in (tmp_path / "page.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(("suffix", "module", "start"), [(".png", "resvg_py", b"\x89PNG"), (".pdf", "typst", b"%PDF")])
def test_images_of_letters_as_shapes_are_written(
    suffix: str, module: str, start: bytes, tmp_path: Path, run: Run
) -> None:
    pytest.importorskip(module)
    if suffix == ".png" and not font_files():
        pytest.skip("there are no fonts")
    target = tmp_path / f"tree{suffix}"
    latin = tmp_path / "latin.conllu"  # few fonts have the letters of all sample sentences
    latin.write_bytes(mp.sample()[0].to_bytes())
    done = run("draw", latin, "-o", target)
    assert (done.code, done.out, done.err) == (0, "", "")
    assert target.read_bytes().startswith(start)


@pytest.mark.parametrize(
    ("variables", "coloured"),
    [({}, True), ({"NO_COLOR": ""}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)],
)
def test_a_terminal_gets_colours_unless_it_or_its_user_has_none(
    variables: dict[str, str], coloured: bool, sample: Path
) -> None:
    given = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    terminal, other = pty.openpty()
    subprocess.run(
        [sys.executable, "-m", "multiplane", "draw", sample],
        stdout=other,
        env=given | {"TERM": "xterm"} | variables,
        check=True,
        timeout=300,
    )
    assert (b"\x1b[" in os.read(terminal, 1 << 16)) is coloured
    os.close(other)
    os.close(terminal)
