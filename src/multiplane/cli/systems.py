"""`multiplane systems`: lists the catalogue, with derived properties."""

from __future__ import annotations

import json
from typing import Any

import click

from multiplane.cli import options
from multiplane.cli.system_option import METAVAR, SYSTEM
from multiplane.cli.tables import paragraph
from multiplane.cli.verb import Verb
from multiplane.errors import TransitionSystemError
from multiplane.oracles import STRATEGIES, DynamicOracle, StaticOracle
from multiplane.systems import TransitionSystem, Verdict, systems
from multiplane.systems.properties import TITLES, longest

_HEADINGS = {
    "divisible": "div",
    "planar": "pla",
    "single_head": "1-h",
    "acyclic": "acy",
    "no_covered_roots": "ncr",
    "robust": "rob",
    "bounded": "bnd",
    "efficient": "eff",
    "linear_transitions": "O(n)",
    "linear_steps": "steps",
}
_LENGTHS = (2, 10, 25, 100)
_WORDS = {True: "yes", False: "no", None: "?"}


@click.command("systems", cls=Verb)
@click.argument("name", metavar=f"[{METAVAR}]", required=False, type=SYSTEM)
@options.output_format
def command(name: str | None, output_format: str) -> None:
    """List the transition systems, or describe one: transitions, properties with reasons, bounds, oracles.

    k-planar exists for any k: 7-planar, for example. Undirected variants build edges instead of arcs:
    undirected-7-planar. Your own system is FILE.py:NAME, a Python file and the variable that holds it.
    """
    if name is not None:
        _print_one(systems[name], output_format)
        return
    chosen = list(systems.values())
    if output_format == "text":
        _print_all(chosen)
        return
    columns = ["name", "stacks", *TITLES, "bound", "about"]
    rows = []
    for system in chosen:
        verdicts = [verdict.holds for verdict in system.properties().values()]
        shown = verdicts if output_format == "json" else [_WORDS[holds] for holds in verdicts]
        rows.append([system.name, system.stacks, *shown, bound(system), system.about])
    options.print_table(columns, rows, output_format)


def bound(system: TransitionSystem) -> str:
    """Returns the maximum number of transitions for n > 1 words, as a formula; a dash if derivations are unbounded.

    >>> bound(systems["arc-eager"]), bound(systems["swap"]), bound(systems["swap-graph"])
    ('3n', 'O(n²)', '-')
    """
    two, three = longest(system, 2), longest(system, 3)
    if two is None or three is None:
        return "O(n²)" if system.properties()["efficient"] else "-"
    slope = three - two
    constant = two - 2 * slope
    return f"{slope}n{constant:+}" if constant else f"{slope}n"


def _print_all(chosen: list[TransitionSystem]) -> None:
    rows = []
    for system in chosen:
        verdicts = [_WORDS[verdict.holds] for verdict in system.properties().values()]
        rows.append([system.name, str(system.stacks), *verdicts, bound(system), system.about])
    options.print_text(["system", "k", *_HEADINGS.values(), "bound", "source"], rows, text=["source"])
    legend = ["k: stacks", *(f"{short}: {TITLES[name]}" for name, short in _HEADINGS.items())]
    legend.append("bound: the most transitions for n > 1 words; see also multiplane systems NAME")
    click.echo("\n".join(["", *paragraph("; ".join(legend))]))


def _print_one(system: TransitionSystem, form: str) -> None:
    if form == "json":
        click.echo(json.dumps(_as_dict(system), ensure_ascii=False, indent=2))
    elif form == "tsv":
        options.print_table(["kind", "name", "value", "reason"], _rows(system), "tsv")
    else:
        click.echo(_text(system))


def _as_dict(system: TransitionSystem) -> dict[str, Any]:
    return {
        "name": system.name,
        "about": system.about,
        "stacks": system.stacks,
        "transitions": {name: str(transition) for name, transition in system.transitions.items()},
        "properties": {
            name: {"holds": verdict.holds, "reason": verdict.reason} for name, verdict in system.properties().items()
        },
        "bound": bound(system),
        "longest": {str(n): longest(system, n) for n in _LENGTHS},
        "static_oracle": StaticOracle(system).strategy,
        "dynamic_oracle": _has_dynamic_oracle(system),
    }


def _rows(system: TransitionSystem) -> list[list[object]]:
    data = _as_dict(system)
    rows: list[list[object]] = [["system", key, data[key], ""] for key in ("name", "about", "stacks")]
    rows += [["transition", name, composition, ""] for name, composition in data["transitions"].items()]
    rows += [["property", name, _WORDS[v.holds], v.reason] for name, v in system.properties().items()]
    rows += [["longest", n, "" if most is None else most, ""] for n, most in [("n", data["bound"]), *_longest(system)]]
    rows.append(["oracle", "static", data["static_oracle"], STRATEGIES[data["static_oracle"]]])
    rows.append(["oracle", "dynamic", _WORDS[data["dynamic_oracle"]], ""])
    return rows


def _longest(system: TransitionSystem) -> list[tuple[str, int | None]]:
    return [(str(n), longest(system, n)) for n in _LENGTHS]


def _text(system: TransitionSystem) -> str:
    strategy = StaticOracle(system).strategy
    lines = [f"{system.name}: {system.about}" if system.about else system.name]
    lines += ["", f"transitions, on {system.stacks} stacks" if system.stacks > 1 else "transitions"]
    width = max(map(len, system.transitions))
    for name, transition in system.transitions.items():
        lines += paragraph(str(transition), " " * (width + 4), f"  {name:{width}}  ")
    lines += ["", "properties"]
    for name, verdict in system.properties().items():
        lines += _verdict(TITLES[name], verdict)
    lines += ["", "length of a derivation"]
    if longest(system, 2) is None:
        lines.append(f"  {'no bound' if bound(system) == '-' else bound(system)}")
    else:
        examples = ", ".join(f"{most} for {n}" for n, most in _longest(system))
        lines += paragraph(f"at most {bound(system)} transitions for n > 1 words: {examples}", "  ")
    lines += ["", "oracles", *paragraph(f"{strategy}: {STRATEGIES[strategy]}", " " * 11, "  static   ")]
    lines.append(f"  dynamic  {_WORDS[_has_dynamic_oracle(system)]}")
    return "\n".join(lines)


def _verdict(title: str, verdict: Verdict) -> list[str]:
    width = max(map(len, TITLES.values()))
    start = f"  {title:{width}}  {_WORDS[verdict.holds]:3}  "
    return paragraph(verdict.reason, " " * len(start), start)


def _has_dynamic_oracle(system: TransitionSystem) -> bool:
    try:
        DynamicOracle(system)
    except TransitionSystemError:
        return False
    return True
