import copy
import io
import pickle
import time
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import pytest
from drawings import HEARING, HOSTILE_TEXT
from hypothesis import given

import multiplane as mp
from multiplane.analysis import coverage, graph_coverage
from multiplane.analysis.trace import Trace, trace
from multiplane.systems import SHIFT, TransitionSystem
from multiplane.visual.notebook import MOST_SENTENCES, MOST_STEPS, MOST_WORDS, html, table

NS = "{http://www.w3.org/2000/svg}"
ALLOWED = {"table", "caption", "thead", "tbody", "tr", "th", "td", "p", "pre"}


class Page(HTMLParser):
    """Collects the tags, the attributes and the text of HTML, and checks that tags are closed."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.tags, self.attributes, self.cells, self.open = [], set(), [], []
        self.feed(source)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.open.append(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag in ("td", "th"):
            self.cells.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("td", "th"):
            self.cells[-1] += data


def words_in(image: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(image).iter() if element.get("class") == "word"]


def derivation() -> Trace:
    graph = mp.sample()[30].graph
    return trace(mp.systems["2-planar"], graph.n, mp.oracle("2-planar").sequence(graph))


VALUES = {
    "corpus": mp.sample,
    "trace": derivation,
    "system": lambda: mp.systems["2-planar"],
    "catalogue": lambda: mp.systems,
    "coverage": lambda: coverage([mp.sample()]),
    "graphs": lambda: graph_coverage([mp.sample()], "enhanced"),
    "scores": lambda: mp.evaluate(mp.sample(), mp.sample()),
}


@pytest.mark.parametrize("name", VALUES)
def test_tables_are_plain_html_without_colours_or_outside_resources(name: str):
    page = Page(VALUES[name]()._repr_html_())
    assert set(page.tags) <= ALLOWED
    assert page.attributes <= {"style", "dir"}
    assert len(page.cells) > 5


def test_tables_show_the_values():
    assert {"trees", "65", "not projective", "35", "53.85 %"} <= set(Page(coverage([mp.sample()])._repr_html_()).cells)
    assert {"LAS", "100.00", "714"} <= set(Page(VALUES["scores"]()._repr_html_()).cells)
    cells = Page(mp.systems["2-planar"]._repr_html_()).cells
    assert {"SWITCH", "robust", mp.systems["2-planar"].properties()["robust"].reason} <= set(cells)
    assert set(mp.systems) <= set(Page(mp.systems._repr_html_()).cells)
    assert {"en-001", "Bridge closes that linked two villages"} <= set(Page(mp.sample()._repr_html_()).cells)


def test_a_trace_has_a_row_for_each_step_and_is_still_a_list():
    steps = derivation()
    cells = Page(steps._repr_html_()).cells
    assert [cell for cell in cells if cell.startswith("SWITCH")] == ["SWITCH"] * sum(
        step.transition == "SWITCH" for step in steps
    )
    assert steps == list(steps)
    assert list(steps) == steps
    assert pickle.loads(pickle.dumps(steps)) == copy.deepcopy(steps) == steps
    gold = mp.DependencyGraph(2, [(2, 1, "nsubj")])
    costs = trace(mp.systems["arc-eager"], 2, ["SHIFT", "SHIFT"], costs_for=gold)
    assert "SHIFT 1, LEFT-ARC 0, RIGHT-ARC 1" in Page(costs._repr_html_()).cells
    lists = trace(mp.systems["covington"], 3, ["SHIFT", "NO-ARC", "SHIFT"])
    assert "aside" in Page(lists._repr_html_()).cells


def test_sentences_graphs_and_drawings_are_pictures():
    sentence = mp.sample()[0]
    assert words_in(sentence._repr_svg_()) == sentence.forms
    assert words_in(sentence.graph._repr_svg_()) == ["1", "2", "3", "4", "5", "6"]
    assert words_in(HEARING._repr_svg_()) == list(HEARING.words)


def test_sentences_without_trees_show_their_semantics():
    text = "#20001001\n1\tCats\tcat\tNNS\t-\t-\t_\tARG1\n2\tsleep\tsleep\tVBP\t+\t+\t_\t_\n\n"
    corpus = mp.read(io.BytesIO(("#SDP 2015\n" + text).encode()), "sdp")
    assert 'class="arc"' in corpus[0]._repr_svg_()


def test_a_huge_sentence_is_cut_with_a_note():
    n = 20_000
    corpus = mp.Corpus.from_columns(forms=[["x"] * n], heads=[[0] + [1] * (n - 1)])
    began = time.process_time()
    image = corpus[0]._repr_svg_()
    assert len(words_in(image)) == MOST_WORDS
    assert f"the first {MOST_WORDS} of 20,000 words" in image
    assert len(corpus._repr_html_()) < 2_000
    assert time.process_time() - began < 5


def test_a_dense_graph_is_cut():
    graph = mp.DependencyGraph(120, [(i, j) for i in range(1, 121) for j in range(1, 121) if i != j])
    assert len(words_in(graph._repr_svg_())) < 30
    assert words_in(mp.DependencyGraph(10**9)._repr_svg_())[-1] == str(MOST_WORDS)


def test_large_corpora_and_traces_are_cut_with_a_note():
    corpus = mp.Corpus.from_columns(forms=[["x"]] * 1_000)
    assert Page(corpus._repr_html_()).tags.count("tr") == MOST_SENTENCES + 1
    assert "… and 980 sentences more" in corpus._repr_html_()
    steps = trace(mp.systems["arc-eager"], 1_000, ["SHIFT"] * 1_000)
    assert Page(steps._repr_html_()).tags.count("tr") == MOST_STEPS + 1
    assert "… and 701 steps more" in steps._repr_html_()


@given(HOSTILE_TEXT, HOSTILE_TEXT)
def test_no_text_becomes_a_tag_or_breaks_an_encoding(one: str, other: str):
    source = table([one], [[other], [1], [2.5]], caption=one, note=other)
    assert source.encode()
    page = Page(source)
    assert set(page.tags) <= ALLOWED
    assert page.attributes <= {"style", "dir"}
    assert Page(html(TransitionSystem("<script>alert(1)</script>", SHIFT=SHIFT, about=one))).tags
