"""`multiplane oracle`: measures how much of a treebank a transition system can derive."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import click
import numpy as np

from multiplane.analysis.certificates import show_arc
from multiplane.cli import options
from multiplane.formats import UNKNOWN_HEAD, Corpus, Sentence, iterate, unannotated
from multiplane.formats.reader import from_text
from multiplane.graphs.arcs import Arc
from multiplane.oracles import Derivation, StaticOracle, Statistics
from multiplane.systems import TransitionSystem
from multiplane.systems.elementary import ARCS

_YES_NO = {True: "yes", False: "no"}


@dataclass
class _Row:
    """The oracle's results on a file."""

    statistics: Statistics = field(default_factory=Statistics)
    gold: int = 0
    """The number of arcs that the system should build."""
    built: int = 0
    """The number of arcs that it built, gold or not."""

    def __add__(self, other: _Row) -> _Row:
        return _Row(self.statistics + other.statistics, self.gold + other.gold, self.built + other.built)

    @property
    def added(self) -> int:
        """The number of non-gold arcs, which the system or the restriction to trees forced."""
        return self.built - (self.gold - self.statistics.arcs_lost)


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


@click.command("oracle", short_help="Measure how much of a treebank a system can derive.")
@options.files
@options.system
@options.strategy
@options.trees
@options.several_roots
@click.option("--list", "listing", is_flag=True, help="List the sentences that are not derived exactly, and why.")
@options.output_format
@options.input_format
@options.on_error
@options.quiet
def command(
    files: tuple[str, ...],
    system: str,
    strategy: str | None,
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
    """
    oracle = options.static_oracle(system, strategy, trees, several_roots)
    with options.progress_over(files, quiet) as follow:
        blocks = {path: _blocks(path, input_format, on_error, quiet, follow(path)) for path in dict.fromkeys(files)}
        if listing:
            rows = [row for path in blocks for block in blocks[path] for row in _inexact(oracle, block)]
        else:
            table = {path: sum((_counted(oracle, block) for block in blocks[path]), _Row()) for path in blocks}
    if listing:
        _print_list(rows, output_format)
    else:
        _print(table, oracle.system, output_format)


def _blocks(
    path: str, input_format: str | None, on_error: str, quiet: bool, progress: Callable[[int], None] | None
) -> Iterator[Corpus]:
    """Yields the blocks of a file; a word without a head is an error like any other."""
    for corpus in iterate(path, input_format, on_error=on_error, progress=progress):  # type: ignore[arg-type]
        headless = unannotated(corpus)
        if headless and on_error == "fail":
            raise headless[0]
        for problem in [*corpus.problems, *headless]:
            options.note(f"{problem} (skipped)", quiet)
        yield corpus


def _whole(corpus: Corpus) -> list[Sentence]:
    return [sentence for sentence in corpus if UNKNOWN_HEAD not in sentence.heads]


def _counted(oracle: StaticOracle, block: Corpus) -> _Row:
    if (block.heads == UNKNOWN_HEAD).any():
        block = from_text(b"".join(sentence.to_bytes() for sentence in _whole(block)), block.dialect.name)
    statistics = oracle.statistics(block)
    gold = block.words if oracle.system.root is not None else int(np.count_nonzero(block.heads))
    built = sum(uses * _arcs_of(oracle.system, name) for name, uses in statistics.uses.items())
    return _Row(statistics, gold, built)


def _arcs_of(system: TransitionSystem, name: str) -> int:
    """Returns the number of arcs that a transition builds."""
    return sum(step.op in ARCS for step in system.transitions[name].steps)


def _inexact(oracle: StaticOracle, block: Corpus) -> Iterator[_Inexact]:
    row = _counted(oracle, block)
    if row.statistics.exact == row.statistics.sentences and row.added == 0:
        return  # counting is much faster than deriving sentence by sentence
    for sentence in _whole(block):
        derivation = oracle.derive(sentence.graph)
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
        click.echo(_text(rows, system))
        return
    values = [{"file": file, **_numbers(row, system)} for file, row in rows]
    options.print_table(list(values[0]), [list(value.values()) for value in values], form)


def _numbers(row: _Row, system: TransitionSystem) -> dict[str, object]:
    s = row.statistics
    numbers: dict[str, object] = {
        "sentences": s.sentences,
        "tokens": s.tokens,
        "exact": s.exact,
        "exact_percent": round(100 * _ratio(s.exact, s.sentences), 2),
        "arcs_lost": s.arcs_lost,
        "arcs_lost_percent": round(100 * _ratio(s.arcs_lost, row.gold), 2),
        "arcs_added": row.added,
        "transitions": s.transitions,
        "transitions_per_token": round(_ratio(s.transitions, s.tokens), 4),
        "switches": s.switches,
        "switches_per_sentence": round(_ratio(s.switches, s.sentences), 4),
        "longest": s.most_transitions,
    }
    for name in system.names:
        numbers[name] = s.uses.get(name, 0)
        numbers[f"{name}_percent"] = round(100 * _ratio(s.uses.get(name, 0), s.transitions), 2)
    return numbers


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _text(rows: list[tuple[str, _Row]], system: TransitionSystem) -> str:
    """Formats the table as text; file names get the remaining width."""
    switching = ["switches/tree"] if "SWITCH" in system.names else []
    headings = ["trees", "words", "exact", "lost", "added", "trans./word", *switching, "longest", *system.names]
    numbers = []
    for _, row in rows:
        s = row.statistics
        cells = [f"{s.sentences:,}", f"{s.tokens:,}", _share(s.exact, s.sentences), _share(s.arcs_lost, row.gold)]
        cells += [f"{row.added:,}", f"{_ratio(s.transitions, s.tokens):.2f}"]
        cells += [f"{_ratio(s.switches, s.sentences):.2f}"] if switching else []
        cells.append(f"{s.most_transitions:,}")
        numbers.append(cells + [f"{_ratio(s.uses.get(name, 0), s.transitions):.1%}" for name in system.names])
    room = options.WIDTH - 2 - len(options.text_table(headings, numbers).partition("\n")[0])
    files = options.shortened([file for file, _ in rows], max(room, 16))
    return options.text_table(["file", *headings], [[file, *row] for file, row in zip(files, numbers, strict=True)])


def _share(count: int, whole: int) -> str:
    return f"{count:,} {_ratio(count, whole):.1%}" if count else "0"
