"""Ray: the same bytes as without it, also if workers are killed; one small cluster serves all tests."""

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import multiplane as mp
from conftest import Outcome
from multiplane.parser.manifest import MANIFEST
from multiplane.parser.shards import Shard, parse_shards

ray = pytest.importorskip("ray")
pytest.importorskip("ray.data")

from multiplane.integrations.ray import RayEngine  # noqa: E402
from multiplane.ray import parse_dataset  # noqa: E402

pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.measures]

TEXT = "She left the house. He didn't stay.\n"


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(
            "RAY_worker_niceness", "0"
        )  # else workers give way to other programs, on a busy machine for minutes
        ray.init("local", num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
        yield
        ray.shutdown()


class Deadly(RayEngine):
    """Kills the process of a worker, twice."""

    submitted = killed = 0

    def submit(self, shard: Shard) -> None:
        super().submit(shard)
        type(self).submitted += 1
        if self.submitted in (3, 7):
            actor = max(self._actors, key=lambda each: self._actors[each])
            os.kill(ray.get(actor.__ray_call__.remote(lambda _: os.getpid())), signal.SIGKILL)
            type(self).killed += 1


def test_files_and_datasets_give_the_bytes_of_a_single_process(
    cluster: None, run: Callable[..., Outcome], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)  # the cluster was started elsewhere
    folder = tmp_path / "in"
    folder.mkdir()
    for number in range(8):
        (folder / f"{number}.txt").write_text(TEXT * (number + 1))
    (folder / "bad.conllu").write_text("1\tGo\n")
    local = run("parse", "-m", "en", "in/*", "-o", "local")
    with_ray = run("parse", "-m", "en", "in/*", "-o", "ray", "--engine", "ray", "--workers", 2)
    assert with_ray.code == local.code == 1
    assert with_ray.err == local.err.replace("local", "ray")
    expected = contents(tmp_path / "local")
    assert len(expected) == 9
    assert contents(tmp_path / "ray") == expected
    files = sorted(map(str, folder.glob("*.txt")))
    options = {"on_error": "fail"}
    report = parse_shards(files, tmp_path / "killed", "en", options, engine=lambda *rest: Deadly(*rest, workers=2))
    assert Deadly.killed == 2
    assert report.failed == ()
    killed = contents(tmp_path / "killed")
    assert {name: killed[name] for name in killed if name != MANIFEST} == {
        name: expected[name] for name in expected if name != MANIFEST
    }
    assert len(killed) == 9

    texts = [TEXT, None, "Go home!", ""]
    dataset = ray.data.from_items([{"id": number, "text": text} for number, text in enumerate(texts)])
    rows = sorted(parse_dataset(dataset, model="en", workers=1).take_all(), key=lambda row: row["id"])
    found = [row["conllu"] for row in rows]
    assert found == [None if text is None else mp.load("en").parse(text).to_bytes().decode() for text in texts]
    with pytest.raises(TypeError, match="unknown option 'keep_heads'; known: beam, predict"):
        parse_dataset(dataset, model="en", keep_heads=True)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_an_address_without_a_cluster_is_a_clear_error(process: Callable[..., Outcome], tmp_path: Path):
    (tmp_path / "a.txt").write_text(TEXT)
    done = process(
        "parse", "-m", "en", tmp_path / "a.txt", "-o", tmp_path / "out", "--engine", "ray", "--address", "nonsense:x"
    )
    assert done.code == 1
    assert "cannot connect to Ray at nonsense:x" in done.err
    assert "Traceback" not in done.err
