"""How notebooks show values: sentences and graphs as pictures, the rest as tables that follow the notebook's theme.

Everything is escaped, and large values are truncated, with a note.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import singledispatch
from html import escape
from itertools import islice

from multiplane.analysis import Coverage, GraphCoverage
from multiplane.analysis.trace import Trace, elided
from multiplane.evaluation import Scores
from multiplane.formats import Corpus, Sentence
from multiplane.graphs import Layer, graph_of
from multiplane.messages import counted
from multiplane.systems import Catalogue, TransitionSystem
from multiplane.systems.properties import TITLES
from multiplane.visual.layout import Drawing, printable
from multiplane.visual.sentence import Drawable, drawing_of
from multiplane.visual.svg import svg

__all__ = ["html", "picture", "table"]

MOST_WORDS, MOST_ARCS = 150, 600  # of a picture
MOST_SENTENCES, MOST_STEPS = 20, 300
LONGEST = 300  # of a text in a cell, in columns

WORDS = {True: "yes", False: "no", None: "?"}
COUNTS = {
    "structures": "trees",
    "tokens": "words",
    "with_arcs": "with arcs",
    "nonprojective": "not projective",
    "nonplanar": "not planar",
    "non2planar": "not 2-planar",
    "non3planar": "not 3-planar",
    "non4planar": "not 4-planar",
    "illnested": "ill-nested",
    "np_arcs": "non-projective arcs",
    "gap_degree": "largest gap degree",
    "arc_degree": "largest arc degree",
    "undecided": "planes undecided",
    "arcs": "arcs",
    "trees": "trees",
    "multiheaded": "with several heads",
    "multiheaded_words": "words with several heads",
    "disconnected": "in several parts",
    "cyclic": "with cycles",
}
WHOLES = ("structures", "tokens", "arcs", "gap_degree", "arc_degree")  # counts that are no part of another

Cell = str | int | float


def picture(value: Drawable) -> str:
    """Returns a sentence or graph as SVG; only the beginning of a long one.

    >>> from multiplane import DependencyGraph
    >>> picture(DependencyGraph(1000, [(1, 2), (1, 1000)])).count('class="arc"')
    1
    """
    if isinstance(value, Drawing):
        return svg(value)
    layer: Layer = "syntax"
    if isinstance(value, Sentence) and "head" not in value.corpus.dialect.columns:
        layer = "semantics"
    graph = graph_of(value, layer) if isinstance(value, Sentence) else value
    most = min(graph.n, MOST_WORDS)
    while most > 1 and sum(max(arc[:2]) <= most for arc in graph.arcs) > MOST_ARCS:
        most //= 2
    return svg(drawing_of(value, layer=layer, most=most))


@singledispatch
def html(value: object) -> str:
    """Returns a value as HTML."""
    return f"<pre>{_safe(repr(value))}</pre>"


@html.register
def _(corpus: Corpus) -> str:
    name = f"{corpus.name}: {counted(len(corpus), 'sentence')}, {counted(corpus.words, 'word')}"
    rows = [
        (sentence.number_in_file, sentence.sent_id, len(sentence), sentence.text or " ".join(sentence.forms[:LONGEST]))
        for sentence in islice(corpus, MOST_SENTENCES)
    ]
    return table(("", "sent_id", "words", "text"), rows, name, _rest(len(corpus), MOST_SENTENCES, "sentence"))


@html.register
def _(trace: Trace) -> str:
    steps = trace[:MOST_STEPS]
    stacks = max((len(step.stacks) for step in steps), default=1)
    aside, costs = any(step.aside for step in steps), any(step.costs for step in steps)
    edges = any(step.undirected for step in steps)
    headings = ["step", "transition", *(["stack"] if stacks == 1 else [f"stack {k + 1}" for k in range(stacks)])]
    headings += [*(["aside"] if aside else []), "buffer", "new edges" if edges else "new arcs"]
    rows: list[list[Cell]] = []
    for step in steps:
        active = ("*" if stacks > 1 and k == step.active else "" for k in range(stacks))
        row: list[Cell] = [step.number, step.transition]
        row += [mark + _nodes(stack) for mark, stack in zip(active, step.stacks, strict=True)]
        row += [*([_nodes(step.aside)] if aside else []), _nodes(step.buffer)]
        link = "–" if step.undirected else "→"
        row.append(", ".join(f"{one} {link} {other} {label or ''}".rstrip() for one, other, label in step.new_arcs))
        row += [", ".join(f"{name} {cost}" for name, cost in (step.costs or {}).items())] if costs else []
        rows.append(row)
    return table([*headings, *(["costs"] if costs else [])], rows, note=_rest(len(trace), MOST_STEPS, "step"))


@html.register
def _(system: TransitionSystem) -> str:
    name = f"{system.title}: {system.about}" if system.about else system.title
    stacks = f", on {system.stacks} stacks" if system.stacks > 1 else ""
    transitions = [(key, str(transition)) for key, transition in system.transitions.items()]
    properties = [(TITLES[key], WORDS[verdict.holds], verdict.reason) for key, verdict in system.properties().items()]
    return table((f"transition{stacks}", "definition"), transitions, name) + table(
        ("property", "holds", "reason"), properties
    )


@html.register
def _(catalogue: Catalogue) -> str:
    rows: list[tuple[Cell, ...]] = [
        (system.name, system.stacks, *(WORDS[verdict.holds] for verdict in system.properties().values()), system.about)
        for system in catalogue.values()
    ]
    note = "k-planar exists for any k, such as 7-planar, and so do undirected variants, such as undirected-7-planar."
    return table(("system", "stacks", *TITLES.values(), "source"), rows, note=note)


@html.register(Coverage)
@html.register(GraphCoverage)
def _(coverage: Coverage | GraphCoverage) -> str:
    graphs = isinstance(coverage, GraphCoverage)
    rows: list[tuple[Cell, ...]] = []
    for name, value in vars(coverage).items():
        title = "graphs" if graphs and name == "structures" else COUNTS[name]
        rows.append((title, value, "" if name in WHOLES else f"{coverage.percent(name):.2f} %"))
    return table(("", "number", "share"), rows)


@html.register
def _(scores: Scores) -> str:
    rows = [
        (name, score.precision, score.recall, score.f1, score.gold, score.system, score.correct)
        for name, score in scores.table.items()
    ]
    headings = ("score", "precision", "recall", "F1", "gold", "system", "correct")
    return table(headings, rows, f"convention {scores.convention}, in percent")


def table(headings: Sequence[str], rows: Iterable[Sequence[Cell]], caption: str = "", note: str = "") -> str:
    """Returns an HTML table; it has no colours, so that it is readable on light and dark pages.

    >>> table(["a", "b"], [["<x>", 1000]])
    '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td style="text-align: left">&lt;x&gt;</td><td>1,000\
</td></tr></tbody></table>'
    """
    head = "".join(f"<th>{_safe(heading)}</th>" for heading in headings)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    title = f"<caption>{_safe(caption)}</caption>" if caption else ""
    below = f"<p>{_safe(note)}</p>" if note else ""
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{below}"


def _cell(value: Cell) -> str:
    if isinstance(value, str):
        direction = ' dir="auto"' if not value.isascii() else ""
        return f'<td style="text-align: left"{direction}>{_safe(value)}</td>'
    return f"<td>{value:,.2f}</td>" if isinstance(value, float) else f"<td>{value:,}</td>"


def _safe(text: str) -> str:
    return escape(printable(text, LONGEST))


def _nodes(nodes: Sequence[int]) -> str:
    return f"[{', '.join(elided([str(node) for node in nodes], 2, 3))}]"


def _rest(total: int, shown: int, noun: str) -> str:
    return f"… and {counted(total - shown, noun)} more" if total > shown else ""
