"""The order of rooms: data flows one way, and imports show it, those within functions too."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import multiplane

PACKAGE = Path(multiplane.__file__).parent

CHAIN = ("formats", "graphs", "systems", "oracles", "features", "models", "training", "parser")
"""Every room may import from those before it."""
SIDE = {
    "text": {"formats"},
    "data": {"formats"},
    "evaluation": {"formats", "graphs"},
    "analysis": {"formats", "graphs", "systems", "oracles"},
    "visual": {"formats", "graphs", "systems", "evaluation", "analysis", "models"},
}
"""Rooms beside the chain, and all that they may import from."""
FROM_SIDE = {
    "models": {"text"},
    "training": {"evaluation", "text"},
    "parser": {"text", "data", "evaluation", "analysis"},
}
"""What rooms of the chain import from rooms beside it."""
OUTER = {"cli", "server", "integrations"}
"""These may import from all others, but not from each other."""
EVERYBODY = {"_native", "display", "errors", "messages", "version"}
"""For every room; they import from no room themselves."""
PUBLIC = {"__init__", "__main__", "ray"}
"""The public names and the program."""

EXCEPTIONS = {
    ("formats/sentence.py", "graphs"): "sentence.graph is a public name, and sentences come before graphs",
    ("cli/serve.py", "server"): "the command that starts the server",
    ("cli/parse.py", "integrations"): "the command that parses with Ray",
    (
        "display.py",
        "visual",
    ): "every room's values can be drawn and shown in notebooks, and visual comes after all rooms",
}
"""Imports from a later room that have to be, by file and room, with the reason."""


def allowed(room: str) -> set[str]:
    """The rooms that a room may import from."""
    if room in OUTER:
        return EVERYBODY | set(CHAIN) | set(SIDE)
    if room in PUBLIC:
        return EVERYBODY | set(CHAIN) | set(SIDE) | OUTER
    if room in EVERYBODY:
        return EVERYBODY
    if room in SIDE:
        return EVERYBODY | SIDE[room]
    return EVERYBODY | set(CHAIN[: CHAIN.index(room)]) | FROM_SIDE.get(room, set())


def imported(source: str) -> Iterator[str]:
    """The rooms that a module imports from, wherever in it."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            modules = [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "a relative import"
            modules = [f"{node.module}.{name.name}" for name in node.names]
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "import_module":
            modules = [name.value for name in node.args if isinstance(name, ast.Constant)]
        else:
            continue
        for module in modules:
            package, *names = module.split(".")
            if package == "multiplane":
                yield names[0] if names else PACKAGE.name


def room_of(path: Path) -> str:
    return path.parts[0] if len(path.parts) > 1 else path.stem


def wrong_imports(path: Path, source: str) -> set[str]:
    room = room_of(path)
    return {target for target in imported(source) if target != room} - allowed(room)


FILES = sorted(path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=str)
def test_no_module_imports_from_a_later_room(path: Path):
    excused = {room for file, room in EXCEPTIONS if file == path.as_posix()}
    wrong = wrong_imports(path, (PACKAGE / path).read_text(encoding="utf-8"))
    assert wrong - excused == set(), f"{path} imports from {', '.join(wrong - excused)}, which come later"
    assert excused - wrong == set(), f"{path} no longer needs its exception"


def test_every_module_is_in_a_room_that_has_a_place_in_the_order():
    known = {*CHAIN, *SIDE, *OUTER, *EVERYBODY, *PUBLIC}
    assert {room_of(path) for path in FILES} <= known
    assert {Path(file) for file, _ in EXCEPTIONS} <= set(FILES)


@pytest.mark.parametrize(
    ("path", "source", "found"),
    [
        ("graphs/graph.py", "import multiplane.systems.system", {"systems"}),
        ("graphs/graph.py", "def f():\n    from multiplane.models import load_model", {"models"}),
        ("graphs/graph.py", "from multiplane import _native, systems", {"systems"}),
        ("graphs/graph.py", "from multiplane import sample", {"sample"}),
        ("graphs/graph.py", "import multiplane", {"multiplane"}),
        ("graphs/graph.py", 'import_module("multiplane.visual.svg")', {"visual"}),
        ("training/data.py", "from multiplane.visual import svg", {"visual"}),
        ("evaluation/pair.py", "from multiplane.analysis import check", {"analysis"}),
        ("cli/train.py", "from multiplane.server import app", {"server"}),
        ("errors.py", "from multiplane.formats import read", {"formats"}),
        (
            "models/base.py",
            "import os\nfrom multiplane.graphs import Arc\nfrom multiplane.models.record import Epoch",
            set(),
        ),
    ],
)
def test_a_wrong_import_is_found(path: str, source: str, found: set[str]):
    assert wrong_imports(Path(path), source) == found
