import re
import shutil
import subprocess
from dataclasses import replace

import pytest
from drawings import GRAPH, HEARING, drawings
from hypothesis import given
from hypothesis import strategies as st

from multiplane.visual import Drawing, tikz
from multiplane.visual.tikz import escaped

SPECIALS = "\\{}$&#^_~%"


@pytest.mark.parametrize("character", SPECIALS)
def test_every_special_character_is_escaped_everywhere(character):
    text = f"a{character}b"
    drawing = Drawing((text, "x"), (text, text), (((1, 2, text),),), ((1, text),))
    assert tikz(drawing).count(escaped(text)) == 5
    assert escaped(text) != text


@given(st.text(alphabet=SPECIALS + "ab|<>[]-,'`\""))
def test_escaped_text_leaves_no_special_character_bare(text):
    commands = r"\\(textbackslash|symbol|textasciicircum|textasciitilde|textless|textgreater|textbar|textquotedbl"
    commands += r"|textquotesingle|textasciigrave)\{(38)?\}"
    rest = re.sub(rf"{commands}|\\[{{}}$#_%]|-\{{\}}|,\{{\}}", "", escaped(text))
    assert not set(rest) & set(SPECIALS)


@given(drawings())
def test_every_arc_appears_once(drawing):
    edges = re.findall(r"^\\depedge\[plane (\d+),.*?\]\{(\d+)\}\{(\d+)\}", tikz(drawing), re.MULTILINE)
    assert sorted((int(p) - 1, int(h), int(d)) for p, h, d in edges) == sorted(arc[:3] for arc in drawing.arcs)
    roots = re.findall(r"^\\deproot\[.*?\]\{(\d+)\}", tikz(drawing), re.MULTILINE)
    assert sorted(map(int, roots)) == sorted(word for word, _ in drawing.roots)


def test_even_planes_are_below():
    styles = dict(re.findall(r"\\depstyle\{plane (\d)\}\{(.*)\}", tikz(GRAPH)))
    assert {plane: style.startswith("edge below") for plane, style in styles.items()} == {
        "1": False,
        "2": True,
        "3": False,
    }


def test_a_picture_for_another_document_has_no_preamble():
    picture = tikz(HEARING, standalone=False)
    assert "document" not in picture
    assert picture.startswith("{")
    assert picture.endswith("\\end{dependency}}\n")
    assert picture.strip() in tikz(HEARING)


@pytest.mark.skipif(
    shutil.which("pdflatex") is None
    or shutil.which("kpsewhich") is None
    or subprocess.run(
        ["kpsewhich", "tikz-dependency.sty", "standalone.cls"], capture_output=True, check=False
    ).returncode,
    reason="pdfLaTeX with tikz-dependency is not installed",
)
@pytest.mark.measures
@pytest.mark.parametrize(
    "drawing",
    [
        HEARING,
        GRAPH,
        replace(GRAPH, undirected=True),
        Drawing(()),
        Drawing((SPECIALS, "[x]", "|y|", "\x00", "ě"), ("&", "", "%", "[", "|"), (((1, 2, SPECIALS), (3, 2, "")),)),
    ],
    ids=["sentence", "graph", "edges", "empty", "special characters"],
)
def test_the_document_compiles(drawing, tmp_path):
    (tmp_path / "drawing.tex").write_text(tikz(drawing), encoding="utf-8")
    command = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "drawing.tex"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert result.returncode == 0, result.stdout.decode(errors="replace")[-2000:]
