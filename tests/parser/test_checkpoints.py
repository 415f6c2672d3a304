"""Checkpoints: training goes on from whole files only."""

import os
from pathlib import Path

import numpy as np
import pytest

import multiplane as mp
from multiplane.models import Epoch
from multiplane.training.checkpoint import Checkpoint, Progress

LAST, BEST = "last.safetensors", "best-2.safetensors"


@pytest.fixture
def checkpoint(tmp_path: Path) -> Checkpoint:
    found = Checkpoint(tmp_path / "m.checkpoint", {"seed": 1}, "data")
    state = {"state": np.arange(40, dtype=np.float32), "random": np.arange(5, dtype=np.uint64)}
    found.save(Progress((Epoch(1, 9.5), Epoch(2, 8.25)), 2, state, {"weights": np.arange(30, dtype=np.int16)}))
    return found


def test_a_checkpoint_is_read_as_it_was_written(checkpoint: Checkpoint):
    progress = checkpoint.load()
    assert (progress.history, progress.best) == ((Epoch(1, 9.5), Epoch(2, 8.25)), 2)
    assert {name: array.tolist() for name, array in progress.state.items()} == {
        "state": list(range(40)),
        "random": list(range(5)),
    }
    assert {name: array.tolist() for name, array in progress.weights.items()} == {"weights": list(range(30))}


@pytest.mark.parametrize("name", [LAST, BEST])
def test_any_flipped_bit_is_noticed(name: str, checkpoint: Checkpoint):
    path = checkpoint.folder / name
    data = path.read_bytes()
    for at in range(len(data)):
        path.write_bytes(data[:at] + bytes([data[at] ^ (1 << at % 8)]) + data[at + 1 :])
        with pytest.raises(mp.ModelError, match=f"{name}: is damaged: its digest is wrong; start again without"):
            checkpoint.load()


@pytest.mark.parametrize("name", [LAST, BEST])
@pytest.mark.parametrize("length", [0, 5, 32, 100, -1])
def test_a_cut_file_is_noticed(name: str, length: int, checkpoint: Checkpoint):
    path = checkpoint.folder / name
    path.write_bytes(path.read_bytes()[:length])
    with pytest.raises(mp.ModelError, match=f"{name}: is damaged"):
        checkpoint.load()


@pytest.mark.parametrize("name", [LAST, BEST])
def test_only_regular_files_are_read(name: str, checkpoint: Checkpoint):
    path = checkpoint.folder / name
    path.unlink()
    os.mkfifo(path)
    assert checkpoint.exists
    with pytest.raises(mp.ModelError, match=f"{name}: is not a regular file"):
        checkpoint.load()
