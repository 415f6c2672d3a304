"""`multiplane oracle`: measures how much of a treebank a transition system can derive."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import click
import numpy as np
from numpy.typing import NDArray

from multiplane.analysis.certificates import show_arc
from multiplane.cli import options, oracle_options
from multiplane.cli.system_option import METAVAR, SYSTEM
from multiplane.cli.verb import Verb
from multiplane.errors import TransitionSystemError
from multiplane.formats import Corpus, Sentence, iterate, unannotated
from multiplane.formats.layers import Enhanced, Semantics
from multiplane.formats.reader import from_text
from multiplane.formats.treebank import is_annotated
from multiplane.graphs import Layer, graph_of
from multiplane.graphs.arcs import Arc
from multiplane.oracles import STRATEGIES, Derivation, StaticOracle, Statistics
from multiplane.oracles.spec import check_strategy
from multiplane.systems import TransitionSystem, systems
from multiplane.systems.elementary import ARCS

_YES_NO = {True: "yes", False: "no"}


@dataclass
class _Row:
    """The oracle's results on a file."""

    statistics: Statistics = field(default_factory=Statistics)
    built: int = 0
    """The number of arcs that it built, gold or not."""

    def __add__(self, other: _Row) -> _Row:
        return _Row(self.statistics + other.statistics, self.built + other.built)

    @property
    def added(self) -> int:
        """The number of non-gold arcs, which the system or the restriction to trees forced."""
        return self.built - (self.statistics.arcs - self.statistics.arcs_lost)


@dataclass(frozen=True)
class _Inexact:
    """A sentence that is not derived exactly."""

    sentence: Sentence
    derivation: Derivation
    undirected: bool

    def arcs(self) -> dict[str, list[Arc]]:
        """Returns the wrong arcs, by kind."""
        return {"lost": self.derivation.lost, "added": list(self.derivation.added)}

    def shown(self) -> list[str]:
        """Returns the same with their words."""
        return [", ".join(self._show(arc) for arc in arcs) for arcs in self.arcs().values()]

    def _show(self, arc: Arc) -> str:
        if self.undirected:
            label = f"{arc[2]}– " if len(arc) > 2 else " "
            return f"{self._end(min(arc[:2]))} –{label}{self._end(max(arc[:2]))}"
        if arc[0] > 0:
            return show_arc(self.sentence, arc)
        return f"0 →{arc[2] if len(arc) > 2 else ''} {self._end(arc[1])}"

    def _end(self, node: int) -> str:
        """Returns a node with its word; the artificial root has none."""
        return f"{node} {self.sentence.forms[node - 1]}" if node else "0"

    def __str__(self) -> str:
        parts = [f"{kind} {shown}" for kind, shown in zip(self.arcs(), self.shown(), strict=True) if shown]
        return "; ".join([*parts, *([] if self.derivation.complete else ["the derivation is not complete"])])


@click.command("oracle", cls=Verb)
@options.files
@click.option(
    "--system",
    "names",
    metavar=METAVAR,
    type=SYSTEM,
    required=True,
    multiple=True,
    help="A transition system; see multiplane systems. Give several to compare them.",
)
@click.option(
    "--strategy",
    "strategies",
    type=click.Choice(list(STRATEGIES)),
    multiple=True,
    help="The oracle's strategy; by default, the system's. Give several to compare them.",
)
@options.layer
@oracle_options.trees
@oracle_options.several_roots
@click.option("--list", "listing", is_flag=True, help="List the sentences that are not derived exactly, and why.")
@options.output_format
@options.input_format
@options.on_error
@options.quiet
def command(
    files: tuple[str, ...],
    names: tuple[str, ...],
    strategies: tuple[str, ...],
    layer: Layer,
    trees: str,
    several_roots: bool,
    listing: bool,
    output_format: str,
    input_format: str | None,
    on_error: str,
    quiet: bool,
) -> None:
    """Derive all trees with a system's static oracle, and report coverage, lost arcs and transitions.

    A tree outside the system's class loses as few arcs as possible. Arcs from the artificial root count only if the
    system has one. An undirected system builds an arc if it links its two ends.

    With --layer, derive semantic or enhanced graphs instead; arcs from a word to itself do not count. With several
    strategies, each system uses those that its transitions allow.
    """
    oracles = _oracles(names, strategies, trees, several_roots)
    if listing and len(oracles) > 1:
        raise click.UsageError("--list needs one system and one strategy")
    chosen = options.each_once(files, quiet)
    with options.progress_over(chosen, quiet) as follow:
        blocks = {path: _blocks(path, layer, input_format, on_error, quiet, follow(path)) for path in chosen}
        if listing:
            rows = [row for path in blocks for block in blocks[path] for row in _inexact(oracles[0], block)]
        else:
            table = {path: _file_rows(oracles, blocks[path]) for path in blocks}
    if listing:
        _print_list(rows, output_format)
    elif layer == "syntax" and len(oracles) == 1:
        _print({path: found for path, (found,) in table.items()}, oracles[0].system, output_format)
    else:
        _print_comparison(table, oracles, output_format, "tree" if layer == "syntax" else "graph")


def _oracles(names: Sequence[str], strategies: Sequence[str], trees: str, several_roots: bool) -> list[StaticOracle]:
    """Returns the oracles to compare: each system with the strategies that fit it, or else with its own."""
    found: list[StaticOracle] = []
    used: set[str] = set()
    for name in dict.fromkeys(names):
        fitting = [strategy for strategy in dict.fromkeys(strategies) if _fits(name, strategy)]
        used.update(fitting)
        chosen: Sequence[str | None] = fitting or [None]
        found += [oracle_options.static_oracle(name, strategy, trees, several_roots) for strategy in chosen]
    for strategy in set(strategies) - used:
        check_strategy(systems[names[0]], strategy)  # raises an error that says what is missing
    return found


def _fits(name: str, strategy: str) -> bool:
    try:
        check_strategy(systems[name], strategy)
    except TransitionSystemError:
        return False
    return True


def _file_rows(oracles: Sequence[StaticOracle], blocks: Iterable[_Block]) -> list[_Row]:
    rows = [_Row() for _ in oracles]
    for block in blocks:
        rows = [row + _counted(oracle, block) for row, oracle in zip(rows, oracles, strict=True)]
    return rows


class _Block(NamedTuple):
    """A part of a file, and which of its sentences have no mistake in the layer."""

    corpus: Corpus
    layer: Layer
    is_whole: NDArray[np.bool_]

    def sentences(self) -> Iterator[Sentence]:
        return (self.corpus[int(number)] for number in np.flatnonzero(self.is_whole))

    def statistics(self, oracle: StaticOracle) -> Statistics:
        if self.layer == "syntax":
            corpus = self.corpus
            if not self.is_whole.all():
                text = b"".join(sentence.to_bytes() for sentence in self.sentences())
                corpus = from_text(text, corpus.dialect.name)
            return oracle.statistics(corpus)
        found = _layer_of(self.corpus, self.layer)
        arcs = found.arcs if isinstance(found, Semantics) else found.collapsed
        # Sentences with mistakes have no arcs, so that the others only need to be counted.
        first = np.append(arcs.first[:-1][self.is_whole], arcs.first[-1:])
        return oracle.layer_statistics(self.corpus.lengths[self.is_whole], arcs._replace(first=first))


def _blocks(
    path: str,
    layer: Layer,
    input_format: str | None,
    on_error: str,
    quiet: bool,
    progress: Callable[[int], None] | None,
) -> Iterator[_Block]:
    """Yields the blocks of a file; a mistake in the layer, such as a missing head, is an error like any other."""
    for corpus in iterate(path, input_format, on_error=on_error, progress=progress):  # type: ignore[arg-type]
        if layer == "syntax":
            mistakes, is_whole = unannotated(corpus), is_annotated(corpus)
        else:
            problems = _layer_of(corpus, layer).problems
            mistakes, is_whole = list(problems.errors), np.ones(len(corpus), np.bool_)
            if mistakes:
                is_whole[:] = [sentence.number_in_file not in problems.sentences for sentence in corpus]
        if mistakes and on_error == "fail":
            raise mistakes[0]
        for problem in [*corpus.problems, *mistakes]:
            options.note(f"{problem} (skipped)", quiet)
        yield _Block(corpus, layer, is_whole)


def _layer_of(corpus: Corpus, layer: Layer) -> Semantics | Enhanced:
    return corpus.semantic_layer if layer == "semantics" else corpus.enhanced_layer


def _counted(oracle: StaticOracle, block: _Block) -> _Row:
    statistics = block.statistics(oracle)
    return _Row(statistics, sum(uses * _arcs_of(oracle.system, name) for name, uses in statistics.uses.items()))


def _arcs_of(system: TransitionSystem, name: str) -> int:
    """Returns the number of arcs that a transition builds."""
    return sum(step.op in ARCS for step in system.transitions[name].steps)


def _inexact(oracle: StaticOracle, block: _Block) -> Iterator[_Inexact]:
    row = _counted(oracle, block)
    if row.statistics.exact == row.statistics.sentences and row.added == 0:
        return  # counting is much faster than deriving sentence by sentence
    for sentence in block.sentences():
        derivation = oracle.derive(graph_of(sentence, block.layer))
        if derivation.lost or derivation.added or not derivation.complete:
            yield _Inexact(sentence, derivation, oracle.system.is_undirected)


def _print_list(rows: list[_Inexact], form: str) -> None:
    values: list[list[object]] = []
    for row in rows:
        sentence = row.sentence
        where = [sentence.corpus.name, sentence.line, sentence.sent_id]
        if form == "text":
            options.say(f"{where[0]}:{where[1]}: {where[2]}: {row}")
        elif form == "json":
            values.append([*where, *row.arcs().values(), row.derivation.complete])
        else:
            values.append([*where, *row.shown(), _YES_NO[row.derivation.complete]])
    if form != "text":
        options.print_table(["file", "line", "sent_id", "lost", "added", "complete"], values, form)


def _print(table: dict[str, _Row], system: TransitionSystem, form: str) -> None:
    rows = list(table.items())
    if len(rows) > 1 or form == "tsv":
        rows.append(("TOTAL", sum(table.values(), _Row())))
    if form == "text":
        _print_text(rows, system)
        return
    values = [{"file": file, **_numbers(row, system)} for file, row in rows]
    options.print_table(list(values[0]), [list(value.values()) for value in values], form)


def _numbers(row: _Row, system: TransitionSystem) -> dict[str, object]:
    s, numbers = row.statistics, _common_numbers(row)
    for name in system.names:
        numbers[name] = s.uses.get(name, 0)
        numbers[f"{name}_percent"] = round(100 * _ratio(s.uses.get(name, 0), s.transitions), 2)
    return numbers


def _common_numbers(row: _Row) -> dict[str, object]:
    """Returns the numbers that every system has."""
    s = row.statistics
    return {
        "sentences": s.sentences,
        "tokens": s.tokens,
        "exact": s.exact,
        "exact_percent": round(100 * _ratio(s.exact, s.sentences), 2),
        "arcs_lost": s.arcs_lost,
        "arcs_lost_percent": round(100 * _ratio(s.arcs_lost, s.arcs), 2),
        "arcs_added": row.added,
        "transitions": s.transitions,
        "transitions_per_token": round(_ratio(s.transitions, s.tokens), 4),
        "switches": s.switches,
        "switches_per_sentence": round(_ratio(s.switches, s.sentences), 4),
        "swaps": s.swaps,
        "sentences_with_swaps": s.swapping,
        "swaps_per_arc": round(s.swaps_per_arc, 4),
        "longest": s.most_transitions,
    }


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _print_text(rows: list[tuple[str, _Row]], system: TransitionSystem) -> None:
    switching = ["switches/tree"] if "SWITCH" in system.names else []
    headings = ["trees", "words", "exact", "lost", "added", "trans./word", *switching, "longest", *system.names]
    numbers = []
    for _, row in rows:
        s = row.statistics
        cells = [f"{s.sentences:,}", f"{s.tokens:,}", _share(s.exact, s.sentences), _share(s.arcs_lost, s.arcs)]
        cells += [f"{row.added:,}", f"{_ratio(s.transitions, s.tokens):.2f}"]
        cells += [f"{_ratio(s.switches, s.sentences):.2f}"] if switching else []
        cells.append(f"{s.most_transitions:,}")
        numbers.append(cells + [f"{_ratio(s.uses.get(name, 0), s.transitions):.1%}" for name in system.names])
    options.print_text(["file", *headings], [[file, *row] for (file, _), row in zip(rows, numbers, strict=True)])


def _share(count: int, whole: int) -> str:
    return f"{count:,} {_ratio(count, whole):.1%}" if count else "0"


def _print_comparison(table: dict[str, list[_Row]], oracles: Sequence[StaticOracle], form: str, structure: str) -> None:
    """Prints a row for every file and oracle, and a total for every oracle if there are several files."""
    files = list(table.items())
    if len(files) > 1 or form == "tsv":
        files.append(("TOTAL", [sum(rows, _Row()) for rows in zip(*table.values(), strict=True)]))
    found = [(file, oracle, row) for file, rows in files for oracle, row in zip(oracles, rows, strict=True)]
    if form == "text":
        _print_comparison_text(found, structure)
        return
    values = [
        {"file": file, "system": oracle.system.title, "strategy": oracle.strategy, **_common_numbers(row)}
        for file, oracle, row in found
    ]
    options.print_table(list(values[0]), [list(value.values()) for value in values], form)


def _print_comparison_text(found: Sequence[tuple[str, StaticOracle, _Row]], structure: str) -> None:
    """Prints the table as text; columns that no system needs are left out."""
    rows = [
        {"file": file, "system": oracle.system.title, "strategy": oracle.strategy} | _cells(row, structure)
        for file, oracle, row in found
    ]
    for row, (_, oracle, _) in zip(rows, found, strict=True):
        if "SWAP" not in oracle.system.names:
            row.update({"swaps": "-", "swaps/arc": "-", "with swaps": "-"})
        if "SWITCH" not in oracle.system.names:
            row[f"switches/{structure}"] = "-"
    headings = [heading for heading in rows[0] if any(row[heading] != "-" for row in rows)]
    cells = [[row[heading] for heading in headings] for row in rows]
    options.print_text(headings, cells, labels=headings.index("strategy") + 1)


def _cells(row: _Row, structure: str) -> dict[str, str]:
    s = row.statistics
    return {
        f"{structure}s": f"{s.sentences:,}",
        "arcs": f"{s.arcs:,}",
        "exact": _share(s.exact, s.sentences),
        "lost": _share(s.arcs_lost, s.arcs),
        "swaps": f"{s.swaps:,}",
        "swaps/arc": f"{s.swaps_per_arc:.2f}",
        "with swaps": _share(s.swapping, s.sentences),
        f"switches/{structure}": f"{_ratio(s.switches, s.sentences):.2f}",
        "trans./word": f"{_ratio(s.transitions, s.tokens):.2f}",
    }
