"""`multiplane trace`: shows the derivation of a sentence step by step, as in the papers' figures."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import click

from multiplane._native import Op
from multiplane.analysis.steps import derivation_after
from multiplane.analysis.trace import LegalTransition, Step, elided, trace
from multiplane.cli import options, oracle_options, tables
from multiplane.cli.inputs import sentences_for
from multiplane.cli.system_option import METAVAR, SYSTEM
from multiplane.cli.verb import Verb
from multiplane.formats import UNKNOWN_HEAD, Sentence, unannotated, writing
from multiplane.graphs import DependencyGraph, Layer, graph_of
from multiplane.graphs.arcs import Arc
from multiplane.parser import Parser, load
from multiplane.systems import Action, TransitionSystem
from multiplane.visual.layout import LONGEST_WORD, printable
from multiplane.visual.tikz import escaped

_SHOWN = 3
"""The number of legal transitions whose scores a table shows."""
_SUFFIXES = {".txt": "text", ".md": "markdown", ".tex": "latex", ".json": "json"}
_PREAMBLE = r"""\documentclass[border=6pt]{standalone}
\usepackage{iftex}
% pdfLaTeX sets Latin script; for others use XeLaTeX or LuaLaTeX and choose a font with \setmainfont.
\ifPDFTeX\usepackage[T1]{fontenc}\usepackage{lmodern}\else\usepackage{fontspec}\fi
\usepackage{booktabs}
\begin{document}"""


@dataclass(frozen=True)
class _Style:
    """How to write a table's cells."""

    escape: Callable[[str], str]
    gap: str
    arrow: str
    line: str = "–"
    """Between the ends of an undirected edge."""


_STYLES = {
    "text": _Style(str, "...", "→"),
    "markdown": _Style(lambda text: re.sub(r"([\\`*_\[\]<>|~&$#])", r"\\\1", text), "...", "→"),
    "latex": _Style(escaped, r"\dots", r"$\rightarrow$", "--"),
}


@click.command("trace", cls=Verb)
@click.argument("file", metavar="FILE|TEXT", type=click.Path())
@click.option(
    "--system",
    metavar=METAVAR,
    type=SYSTEM,
    help="Follow the oracle of this transition system; see multiplane systems.",
)
@click.option(
    "-m",
    "--model",
    metavar="MODEL",
    type=click.Path(),
    help="Or follow a parser: a folder written by `multiplane train`, or an installed model.",
)
@click.option("--beam", type=click.IntRange(min=1, max=10_000), help="Beam width, with --model.")
@click.option(
    "--sentence", metavar="N|ID", default="1", help="The sent_id of the sentence, or its number; 1 by default."
)
@options.layer
@oracle_options.strategy
@oracle_options.trees
@oracle_options.several_roots
@click.option("--numbers", is_flag=True, help="Show words by number, as in the papers.")
@click.option(
    "--prefix",
    metavar="TRANSITIONS",
    default="",
    help='Start with these transitions, such as "SHIFT LEFT-ARC", and let the parser or the oracle go on from there.',
)
@click.option("--scores", is_flag=True, help="Add the parser's scores of the best legal transitions, with --model.")
@click.option("--costs", is_flag=True, help="Add the cost of every legal transition, from the dynamic oracle.")
@click.option(
    "--format",
    "output_format",
    type=click.Choice(list(_SUFFIXES.values())),
    help="Output format; by default, taken from the suffix of OUT.",
)
@click.option("-o", "--output", metavar="OUT", default="-", help="A .txt, .md, .tex or .json file; - by default.")
@options.input_format
@options.quiet
def command(
    file: str,
    system: str | None,
    model: str | None,
    beam: int | None,
    sentence: str,
    layer: Layer,
    strategy: str | None,
    trees: str,
    several_roots: bool,
    numbers: bool,
    prefix: str,
    scores: bool,
    costs: bool,
    output_format: str | None,
    output: str,
    input_format: str | None,
    quiet: bool,
) -> None:
    """Show the derivation of a sentence step by step, from a system's static oracle or from a parser.

    FILE is a treebank. A parser also takes a text: multiplane trace -m en "She said so."

    Each row shows a transition and the resulting configuration. An asterisk marks the active stack, a plus sign a
    transition of --prefix. Costs are the numbers of gold arcs lost by the transitions that were legal at that step.
    Scores are those of the best of these transitions: in percent if the model predicts probabilities, or else on the
    model's own scale. In JSON, each row has all transitions that are legal in its configuration.
    """
    form = output_format or _format_of(output)
    if (system is None) == (model is None):
        raise click.UsageError("give either --system, to follow its oracle, or --model, to follow a parser")
    if model is not None and (strategy or trees != "off" or several_roots):
        raise click.UsageError("--strategy, --trees and --several-roots need --system; a parser has its own")
    if model is None and (beam is not None or scores):
        raise click.UsageError(f"{'--scores' if scores else '--beam'} needs --model")
    parser = None if model is None else load(model)
    if parser is None:
        found = options.find_sentence(file, sentence, input_format)
    else:
        found = sentences_for(parser, [file], [sentence], input_format)[0]
    if layer == "syntax" and (model is None or costs):
        _check_heads(found)
    chosen = prefix.split()
    derivation, legal = None, None
    if parser is not None:
        traced, actions, legal = _parsed(parser, found, beam, layer, chosen, scores=scores, costs=costs)
        graph = _target(parser, found, layer) if costs else None
    else:
        assert system is not None
        oracle = oracle_options.static_oracle(system, strategy, trees, several_roots)
        graph = graph_of(found, layer)
        derivation = derivation_after(oracle, graph, chosen)
        traced, actions = oracle.system, derivation.actions
    steps = [
        replace(step, legal=legal[step.number] if legal else None, by_hand=0 < step.number <= len(chosen))
        for step in trace(traced, len(found), actions, graph if costs else None)
    ]
    table = _rendered(steps, found, traced, form, numbers, tables.terminal_width() if output == "-" else None)
    if output == "-":
        click.echo(table, nl=False)
    else:
        with writing(output) as stream:
            stream.write(table.encode())
    if derivation is None or graph is None:
        return
    if lost := [*derivation.lost, *graph.loop_arcs]:
        options.note(f"{found.where}: {traced.name} does not build all {_lost(lost, traced)}", quiet)
    if not derivation.complete:
        options.note(f"{found.where}: the derivation is not complete", quiet)


def _parsed(
    parser: Parser, sentence: Sentence, beam: int | None, layer: Layer, prefix: list[str], *, scores: bool, costs: bool
) -> tuple[TransitionSystem, Sequence[str | Action], Sequence[tuple[LegalTransition, ...] | None] | None]:
    """Returns the system of a parser's layer, its derivation of a sentence, and what was legal if scores are wanted."""
    model = parser.model
    system = model.system if layer == "syntax" else model.graph_system
    if system is None or layer not in ("syntax", model.graph_layer):
        raise click.UsageError(f"this model does not predict {layer}; drop --layer {layer}")
    if not scores and not prefix:
        return system, parser.derivation(sentence, beam=beam, layer=layer), None
    rows = parser.steps(sentence, prefix, sentence if costs else None, layer, beam=beam).rows
    return system, [step.transition for step in rows[1:]], [step.legal for step in rows] if scores else None


def _target(parser: Parser, sentence: Sentence, layer: Layer) -> DependencyGraph:
    return parser.target(sentence) if layer == "syntax" else graph_of(sentence, layer)


def _lost(arcs: Sequence[Arc], system: TransitionSystem) -> str:
    if system.is_undirected:
        return f"edges; lost: {', '.join(f'{min(arc[:2])} – {max(arc[:2])}' for arc in arcs)}"
    return f"arcs; lost: {', '.join(f'{arc[0]} → {arc[1]}' for arc in arcs)}"


def _format_of(output: str) -> str:
    if output == "-":
        return "text"
    form = next((form for suffix, form in _SUFFIXES.items() if output.lower().endswith(suffix)), None)
    if form is None:
        raise click.UsageError(f"cannot tell the format of '{output}'; give --format, or end in {', '.join(_SUFFIXES)}")
    return form


def _check_heads(sentence: Sentence) -> None:
    if UNKNOWN_HEAD in sentence.heads:
        line = sentence.line_of(sentence.heads.index(UNKNOWN_HEAD) + 1)
        raise next(error for error in unannotated(sentence.corpus) if error.line == line)


def _rendered(
    steps: list[Step], sentence: Sentence, system: TransitionSystem, form: str, numbers: bool, width: int | None
) -> str:
    if form == "json":
        return json.dumps([step.as_dict() for step in steps], ensure_ascii=False, indent=2) + "\n"
    style = _STYLES[form]
    words = ["ROOT", *(printable(word, LONGEST_WORD) for word in sentence.forms)]
    names = [style.escape(str(node) if numbers else word) for node, word in enumerate(words)]
    before = [None, *steps]
    cells = (_cells(step, last, system, names, style) for last, step in zip(before, steps, strict=False))
    rows = [_headings(steps[0], system), *cells]
    return _text(rows, width) if form == "text" else {"markdown": _markdown, "latex": _latex}[form](rows)


def _has_aside(system: TransitionSystem) -> bool:
    return any(step.op is Op.SKIP for transition in system.transitions.values() for step in transition.steps)


def _headings(first: Step, system: TransitionSystem) -> list[str]:
    stacks = ["stack"] if system.stacks == 1 else [f"stack {number + 1}" for number in range(system.stacks)]
    aside = ["aside"] if _has_aside(system) else []
    new = "new edge" if system.is_undirected else "new arc"
    more = {"scores": first.legal, "costs": first.costs}
    return [
        "step",
        "transition",
        *stacks,
        *aside,
        "buffer",
        new,
        *(name for name, has in more.items() if has is not None),
    ]


def _cells(step: Step, before: Step | None, system: TransitionSystem, names: Sequence[str], style: _Style) -> list[str]:
    def nodes(places: Sequence[int], first: int, last: int) -> str:
        return f"[{', '.join(elided([names[place] for place in places], first, last, style.gap))}]"

    mark = "+" if step.by_hand else ""
    cells = [str(step.number), style.escape(mark + printable(step.transition, 2 * LONGEST_WORD))]
    for number, stack in enumerate(step.stacks):
        mark = style.escape("*") if system.stacks > 1 and number == step.active else ""
        cells.append(mark + nodes(stack, 1, 2))
    if _has_aside(system):
        cells.append(nodes(step.aside, 1, 1))
    cells.append(nodes(step.buffer, 1, 1))
    link = style.line if system.is_undirected else style.arrow
    cells.append(", ".join(f"{names[head]} {link} {names[word]}" for head, word, _ in step.new_arcs))
    if step.legal is not None:
        cells.append(", ".join(style.escape(text) for text in _best(before)))
    if step.costs is not None:
        cells.append(
            ", ".join(f"{style.escape(printable(name, 2 * LONGEST_WORD))} {cost}" for name, cost in step.costs.items())
        )
    return cells


def _best(before: Step | None) -> list[str]:
    """Returns the best legal transitions of the configuration before a row, each with its probability or score."""
    legal = sorted((before and before.legal) or (), key=lambda option: -(option.score or 0))
    texts = [
        f"{printable(option.transition, 2 * LONGEST_WORD)} "
        + (f"{option.score:.4g}" if option.probability is None else f"{option.probability:.1%}")
        for option in legal
    ]
    return elided(texts, _SHOWN, 0)


def _text(rows: list[list[str]], width: int | None) -> str:
    """Aligns columns left by display width, and the step numbers right."""
    headings, *body = rows
    numbered = [[number.rjust(len(headings[0])), *cells] for number, *cells in body]
    return tables.text_table(headings, numbered, labels=2, text=headings, width=width) + "\n"


def _markdown(rows: list[list[str]]) -> str:
    headings, *body = rows
    lines = [headings, ["---:", *("---" for _ in headings[1:])], *body]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _latex(rows: list[list[str]]) -> str:
    headings, *body = rows
    lines = [_PREAMBLE, rf"\begin{{tabular}}{{r{'l' * (len(headings) - 1)}}}", r"\toprule"]
    lines += [" & ".join(headings) + r" \\", r"\midrule", *(" & ".join(row) + r" \\" for row in body)]
    lines += [r"\bottomrule", r"\end{tabular}", r"\end{document}"]
    return "".join(f"{line}\n" for line in lines)
