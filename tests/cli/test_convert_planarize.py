"""`multiplane convert --planarize` and `--deplanarize` at the command line."""

from collections.abc import Callable
from typing import Any

import multiplane as mp
from cli.test_layers_of_oracle import sentence
from multiplane.formats.reader import from_text

Run = Callable[..., Any]
LIFTABLE = sentence(4, [(1, 3), (3, 2), (2, 4)])
CROSSING = sentence(4, [(3, 1), (4, 2)])


def test_only_arguments_change_and_come_back(run: Run) -> None:
    done = run("convert", "-", "--from", "conll09", "--planarize", "head", stdin=LIFTABLE)
    assert (done.code, done.err) == (0, "arcs lifted: 1, dropped: 0\n")
    corpus = from_text(done.out, "conll09")
    assert set(corpus[0].semantics.arcs) == {(1, 3, "A0"), (3, 2, "A0"), (3, 4, "A0↑A0")}
    assert corpus[0].predicates == {1: "w1.01", 2: "w2.01", 3: "w3.01"}
    back = run("convert", "-", "--from", "conll09", "--deplanarize", stdin=done.raw)
    assert (back.code, back.raw) == (0, LIFTABLE)


def test_arcs_that_cannot_be_lifted_are_dropped_and_counted(run: Run) -> None:
    for planarization in ("head", "planar"):
        done = run("convert", "-", "--from", "conll09", "--planarize", planarization, stdin=CROSSING * 2)
        assert (done.code, done.err) == (0, "arcs lifted: 0, dropped: 2\n")
        graphs = [found.semantics for found in from_text(done.out, "conll09")]
        assert all(graph == mp.DependencyGraph(4, [(4, 2, "A0")]) for graph in graphs)


def test_one_of_the_two_at_a_time(run: Run) -> None:
    done = run("convert", "-", "--from", "conll09", "--planarize", "head", "--deplanarize", stdin=CROSSING)
    assert done.code == 2
    assert "undo each other" in done.err


def test_a_format_without_arguments_is_refused(run: Run) -> None:
    done = run("convert", "-", "--from", "conllu", "--planarize", "head", stdin=b"1\tA\t_\t_\t_\t_\t0\troot\t_\t_\n\n")
    assert (done.code, done.out) == (1, "")
    assert "no predicates and arguments" in done.err


def test_a_mistake_in_the_arguments_stops_or_is_skipped(run: Run) -> None:
    broken = CROSSING.replace(b"Y\tw3.01", b"_\tw3.01")
    done = run("convert", "-", "--from", "conll09", "--planarize", "planar", stdin=LIFTABLE + broken)
    assert done.code == 1
    assert len(done.err.splitlines()) == 1
    arguments = ["convert", "-", "--from", "conll09", "--planarize", "head", "--on-error", "skip"]
    done = run(*arguments, stdin=LIFTABLE + broken)
    assert done.code == 0
    assert "(skipped)" in done.err
    assert len(from_text(done.out, "conll09")) == 1
