"""A transition system declared in one file: transitions, oracle, templates and slots; trained, stored, used."""

from pathlib import Path
from typing import Any

import pytest

import multiplane as mp
from multiplane.models import load_model, save_model
from multiplane.systems import (
    LEFT_ARC,
    REDUCE,
    RIGHT_ARC,
    SHIFT,
    TransitionSystem,
    connected,
    front_has_head,
    top_has_head,
)
from multiplane.systems import systems as catalogue

PATIENT = TransitionSystem(
    "patient",
    SHIFT=SHIFT,
    POP=REDUCE.where(top_has_head),
    REDUCE=REDUCE,
    LEFT_ARC=LEFT_ARC.where(~top_has_head & ~connected),
    RIGHT_ARC=RIGHT_ARC.where(~front_has_head & ~connected),
    oracle="planar",
    features="""
about = "The two words that an arc would link, and little else."

[names]
s0 = "stack[0]"
b0 = "buffer[0]"

[templates]
transition = ["s0.upos", "b0.upos", "s0.upos + b0.upos", "s0.form + b0.upos", "s0.upos + b0.upos + distance(s0,b0)"]
label = ["governor.upos + dependent.upos", "dependent.lemma"]

[slots]
default = ["b0", "s0", "rsib(s0)"]
focus = ["b0", "s0"]
""",
)
TINY: dict[str, Any] = {
    "units": 16,
    "word": 12,
    "characters": 0,
    "character": 0,
    "projection": 0,
    "hidden": 16,
    "arc": 8,
}


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "_systems", dict(catalogue._systems))
    catalogue.register(PATIENT)


@pytest.mark.parametrize("model", ["linear", "neural"])
def test_a_custom_system_learns_from_its_templates_and_slots(model: str, tmp_path: Path):
    if model == "neural":
        pytest.importorskip("torch")
    settings = TINY if model == "neural" else {}
    parser = mp.train(mp.sample(), system="patient", model=model, epochs=3, **settings)
    trees = parser.parse(mp.sample())
    assert all(sentence.graph.is_tree() and sentence.graph.is_planar() for sentence in trees)
    save_model(parser.model, tmp_path / "m")
    assert [s.heads for s in mp.load(tmp_path / "m").parse(mp.sample())] == [s.heads for s in trees]
    config = (tmp_path / "m" / "config.toml").read_text()
    if model == "neural":
        assert 'slots = ["buffer[0]", "stack[0]", "rsib(stack[0])"]\nfocus = ["buffer[0]", "stack[0]"]' in config
    else:
        assert "dependent.lemma" in config
        assert "rsib" not in config


def test_slots_travel_with_the_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    pytest.importorskip("torch")
    parser = mp.train(mp.sample(), system="patient", model="neural", epochs=1, **TINY)
    save_model(parser.model, tmp_path / "m")
    monkeypatch.setattr(PATIENT, "features", "planar")
    loaded = load_model(tmp_path / "m")
    assert loaded.look == parser.model.look
    assert [s.heads for s in mp.Parser(loaded).parse(mp.sample())] == [s.heads for s in parser.parse(mp.sample())]


def test_a_neural_parser_takes_the_slots_of_a_file(tmp_path: Path):
    pytest.importorskip("torch")
    path = tmp_path / "mine.toml"
    path.write_text("extends = '2-planar'\nslots.default = ['...', 'buffer[2]']")
    parser = mp.train(mp.sample(), model="neural", features=str(path), epochs=1, **TINY)
    assert str(parser.model.look.slots[-1]) == "buffer[2]"
    assert parser.model.record.settings["features"] == "mine.toml"
