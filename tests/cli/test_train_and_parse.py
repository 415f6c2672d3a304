"""`multiplane train` and `multiplane parse`, also when they are stopped, and when things go wrong."""

import json
import os
import signal
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import multiplane as mp
from multiplane.formats import DIALECTS, convert
from multiplane.models.files import read_record
from multiplane.models.tensors import read_tensors, write_tensors
from multiplane.training.loop import _Loop
from multiplane.visual.chart import plot_curve
from small_parsers import GREEDY, contents, trained, word

Run = Callable[..., Any]
BIG = 8
"""How often the sample stands in a file that takes some time to learn."""


@pytest.fixture
def big(tmp_path: Path) -> Path:
    path = tmp_path / "big.conllu"
    path.write_bytes(mp.sample().to_bytes() * BIG)
    return path


def test_train_parse_and_evaluate(sample: Path, tmp_path: Path, run: Run):
    done = run("train", *GREEDY, "--train", sample, "--dev", sample, "-o", tmp_path / "m", "--epochs", 3)
    assert done.code == 0
    lines = done.err.splitlines()
    assert [line.split(",")[0] for line in lines[:-1]] == ["epoch 1", "epoch 2", "epoch 3"]
    assert ["left" in line for line in lines[:-1]] == [True, True, False]
    assert lines[-1] == f"parse with it: multiplane parse -m {tmp_path / 'm'} FILE"
    assert all(part in lines[0] for part in ("errors", "labels", "UAS", "LAS", " s"))
    record = read_record(tmp_path / "m")
    assert done.out == (
        f"{tmp_path}/m: 2-planar-eager.trees(no root, single root), epoch {record.best}: "
        f"UAS {record.chosen.uas:.2f}, LAS {record.chosen.las:.2f} on sample.conllu\n"
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m"]
    parsed = run("parse", "-m", tmp_path / "m", sample)
    assert (parsed.code, parsed.err) == (0, "")
    assert parsed.raw == mp.load(tmp_path / "m").parse(mp.sample()).to_bytes()
    assert run("parse", "-m", tmp_path / "m", stdin=sample.read_bytes()).raw == parsed.raw
    again = run("parse", "-m", tmp_path / "m", "-", "-o", tmp_path / "out.conllu.xz", stdin=sample.read_bytes())
    assert (again.code, again.out, again.err) == (0, "", "")
    scores = mp.evaluate(sample, tmp_path / "out.conllu.xz")
    assert scores.las == pytest.approx(record.chosen.las, abs=1e-3)


def test_the_same_seed_gives_the_same_bytes_in_every_process(sample: Path, tmp_path: Path, process: Run):
    for name, seed in (("a", 3), ("b", 3), ("c", 4)):
        done = process(
            "train",
            *GREEDY,
            "--train",
            sample,
            "--dev",
            sample,
            "-o",
            tmp_path / name,
            "--epochs",
            2,
            "--seed",
            seed,
            "-q",
        )
        assert (done.code, done.err) == (0, "")
    a, b, c = (contents(tmp_path / name) for name in "abc")
    assert a == b
    assert a["weights.safetensors"] != c["weights.safetensors"]


def test_settings_reach_the_model(sample: Path, tmp_path: Path, run: Run):
    features = tmp_path / "mine.toml"
    features.write_text('templates.transition = ["stack[0].upos"]\ntemplates.label = ["dependent.upos"]\n')
    options = "--system arc-eager --epochs 1 --patience 2 --beam 2 --update early --oracle static --exploration 0.5 "
    options += "--pseudo-projective head --root left --bits 20 --seed 9 --set margin=0.5 --set single-root=true"
    done = run(
        "train",
        *GREEDY[2:],
        "--train",
        sample,
        "--train",
        sample,
        "-o",
        tmp_path / "m",
        "--features",
        features,
        *options.split(),
    )
    assert done.code == 0, done.err
    record = read_record(tmp_path / "m")
    expected = {
        "system": "arc-eager",
        "model": "linear",
        "learner": "perceptron",
        "features": "mine.toml",
        "epochs": 1,
        "patience": 2,
        "beam": 2,
        "update": "early",
        "oracle": "static",
        "exploration": 0.5,
        "pseudo_projective": "head",
        "root": "left",
        "bits": 20,
        "seed": 9,
        "margin": 0.5,
        "single_root": True,
    }
    assert {name: record.settings[name] for name in expected} == expected
    assert record.train == ("sample.conllu", "sample.conllu")
    assert record.sentences == 130
    model = mp.load(tmp_path / "m").model
    assert (model.beam, model.system.title) == (4, "arc-eager.trees(left, single root)")


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["--epochs", "-1"], 1, "epochs must be an integer from 0 to 10000, not -1\n"),
        (["--set", "x"], 2, "--set takes NAME=VALUE, not 'x'"),
        (["--set", "x=1"], 1, "unknown setting 'x'"),
        (["--learner", "oak"], 2, "'oak' is not one of"),
        (["--system", "swap-graph"], 1, "a system that derives trees\n"),
        (["--system", "swop"], 1, "did you mean swap?\n"),
        (["--plot", "x.pdf"], 2, "charts must end in .svg or .png"),
        (["--plot", "nowhere/x.svg"], 1, "nowhere/x.svg: cannot be written: there is no folder nowhere\n"),
        (["--features", "nowhere.toml"], 1, "nowhere.toml: cannot be read: no such file or directory\n"),
        (["--dev", "nowhere.conllu"], 1, "nowhere.conllu: cannot be read: no such file or directory\n"),
    ],
)
def test_wrong_settings_end_in_a_line(
    options: list[str], code: int, message: str, sample: Path, tmp_path: Path, run: Run
):
    done = run("train", *GREEDY, "--train", sample, "-o", tmp_path / "m", *options)
    assert done.code == code
    assert message in done.err
    assert "Traceback" not in done.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "train.conllu: no sentence to use as training data\n"),
        (word(1, 2) + word(2, 1), "train.conllu:1: sentence 1: the heads form a cycle (1 ← 2 ← 1); one of these words"),
        ("# sent_id = s\n" + word(1, "_"), "train.conllu:2: s: word 1 has no head; training data needs a head for"),
        (word(1, 0) + "1\n", "train.conllu:2: sentence 1: "),
    ],
)
def test_treebanks_that_nothing_can_be_learnt_from_end_in_a_line(text: str, message: str, tmp_path: Path, run: Run):
    path = tmp_path / "train.conllu"
    path.write_text(text)
    done = run("train", *GREEDY, "--train", path, "-o", tmp_path / "m")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith(f"{tmp_path}/{message}")
    assert done.err.count("\n") == 1


def test_an_unwritable_target_is_reported_before_training(sample: Path, tmp_path: Path, run: Run):
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter").touch()
    done = run("train", *GREEDY, "--train", sample, "-o", tmp_path / "thesis")
    assert (done.code, done.err.count("\n")) == (1, 1)
    assert "is a folder, but not a model" in done.err
    (tmp_path / "m.checkpoint").mkdir()
    (tmp_path / "m.checkpoint" / "letter.txt").touch()
    done = run("train", *GREEDY, "--train", sample, "-o", tmp_path / "m")
    assert (done.code, done.err) == (1, f"{tmp_path}/m.checkpoint: is not a checkpoint folder; move it\n")
    pipeline = run("train", "--pipeline", "--train", sample, "-o", tmp_path / "m")
    assert (pipeline.code, pipeline.err) == (1, done.err)
    assert (tmp_path / "m.checkpoint" / "letter.txt").exists()


def test_unseen_labels_are_reported_once(sample: Path, tmp_path: Path, run: Run):
    dev = tmp_path / "dev.conllu"
    dev.write_bytes(sample.read_bytes().replace(b"\tnsubj\t", b"\tsubject\t"))
    done = run("train", *GREEDY, "--train", sample, "--dev", dev, "-o", tmp_path / "m", "--epochs", 3)
    assert done.code == 0
    assert done.err.count("not in the training data; they count as errors in LAS-full") == 1
    assert "words with 1 label (subject)" in done.err


# Stopping and going on.

_epoch = _Loop.epoch


def stop_after_epoch(loop: _Loop) -> None:
    _epoch(loop)
    raise KeyboardInterrupt


def start(*arguments: object) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "multiplane", "train", *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def wait_for_epoch(running: subprocess.Popen[bytes], number: int) -> None:
    assert running.stderr is not None
    for line in running.stderr:
        if line.startswith(f"epoch {number},".encode()):
            return
    pytest.fail(f"training ended before epoch {number}")


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("uninterrupted")
    path = folder / "big.conllu"
    path.write_bytes(mp.sample().to_bytes() * BIG)
    running = start(*GREEDY, "--train", path, "--dev", path, "-o", folder / "m", "--epochs", 5, "--patience", 0)
    running.communicate()
    assert running.returncode == 0
    return contents(folder / "m")


@pytest.mark.parametrize("stop", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_resumes_as_if_uninterrupted(
    stop: signal.Signals, big: Path, tmp_path: Path, uninterrupted: dict[str, bytes], process: Run
):
    arguments = (*GREEDY, "--train", big, "--dev", big, "-o", tmp_path / "m", "--epochs", 5, "--patience", 0)
    running = start(*arguments)
    wait_for_epoch(running, 2)
    running.send_signal(stop)
    out, err = running.communicate()
    assert running.returncode == {signal.SIGKILL: -9, signal.SIGINT: 130, signal.SIGTERM: 143}[stop], err
    assert (tmp_path / "m.checkpoint" / "last.safetensors").exists()
    if stop == signal.SIGINT:
        assert b"is the best model so far; add --resume to continue" in err
        assert out.startswith(f"{tmp_path}/m: 2-planar".encode())
        assert len(mp.load(tmp_path / "m").model.record.history) >= 2
    else:
        assert not (tmp_path / "m").exists()
    done = process("train", *arguments, "--resume")
    assert done.code == 0
    assert "resuming after epoch" in done.err
    assert contents(tmp_path / "m") == uninterrupted
    assert sorted(path.name for path in tmp_path.iterdir()) == ["big.conllu", "m"]


@pytest.mark.parametrize("options", ["", "--beam 4", "--set dropout=0.1 --pseudo-projective path", "--bits 14"])
def test_a_run_can_be_stopped_after_every_epoch(
    options: str, sample: Path, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
):
    greedy = GREEDY[2:] if "--beam" in options else GREEDY
    arguments = (*greedy, "--train", sample, "--dev", sample, "--epochs", 5, "--patience", 2, *options.split())
    assert run("train", *arguments, "-o", tmp_path / "whole").code == 0
    monkeypatch.setattr(_Loop, "epoch", stop_after_epoch)
    codes = []
    while not codes or codes[-1] == 130:
        done = run("train", *arguments, "-o", tmp_path / "m", "--resume")
        codes.append(done.code)
        assert len(codes) < 10
    assert codes[-1] == 0
    assert len(codes) >= 4
    assert contents(tmp_path / "m") == contents(tmp_path / "whole")


def test_an_interruption_before_the_first_epoch_leaves_nothing(
    sample: Path, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
):
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("multiplane.training.perceptron.Perceptron.epoch", stopped)
    done = run("train", *GREEDY, "--train", sample, "-o", tmp_path / "m")
    assert (done.code, done.out, done.err) == (130, "", "interrupted\n")
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def checkpoint(sample: Path, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What a run that was stopped after an epoch leaves."""
    with monkeypatch.context() as patch:
        patch.setattr(_Loop, "epoch", stop_after_epoch)
        assert run("train", *GREEDY, "--train", sample, "-o", tmp_path / "m", "--epochs", 2).code == 130
    return tmp_path / "m.checkpoint"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--epochs", "2", "--seed", "2"], "was made with seed 1, not 2; use the same settings, or start again"),
        (["--epochs", "3"], "was made with epochs 2, not 3"),
        (["--epochs", "2", "--dev", "SAMPLE"], "was made with other training or development data"),
        (["--epochs", "2", "--pseudo-projective", "head"], "was made with pseudo_projective not set, not head"),
    ],
)
def test_other_settings_or_data_are_not_gone_on_with(
    options: list[str], message: str, checkpoint: Path, sample: Path, tmp_path: Path, run: Run
):
    options = [str(sample) if option == "SAMPLE" else option for option in options]
    done = run("train", *GREEDY, "--train", sample, "-o", tmp_path / "m", *options, "--resume")
    assert done.code == 1
    assert message in done.err
    assert done.err.count("\n") == 1
    assert run("train", *GREEDY, "--train", sample, "-o", tmp_path / "m", "--epochs", 2, "--resume").code == 0


@pytest.mark.parametrize("file", ["last.safetensors", "best-1.safetensors"])
@pytest.mark.parametrize("broken", [b"", b"garbage", None])
def test_a_broken_checkpoint_ends_in_a_line(
    file: str, broken: bytes | None, checkpoint: Path, sample: Path, tmp_path: Path, run: Run
):
    data = (checkpoint / file).read_bytes()
    (checkpoint / file).write_bytes(data[: len(data) // 2] if broken is None else broken)
    done = run("train", *GREEDY, "--train", sample, "-o", tmp_path / "m", "--epochs", 2, "--resume")
    assert (done.code, done.err.count("\n")) == (1, 1)
    assert file in done.err


def test_a_checkpoint_of_other_arrays_ends_in_a_line(checkpoint: Path, sample: Path, tmp_path: Path, run: Run):
    arrays, about = read_tensors(checkpoint / "last.safetensors", sealed=True)
    arrays["state-0"] = arrays["state-0"][:-1]
    with open(checkpoint / "last.safetensors", "wb") as file:
        write_tensors(arrays, file, about, sealed=True)
    done = run("train", *GREEDY, "--train", sample, "-o", tmp_path / "m", "--epochs", 2, "--resume")
    assert (done.code, done.err) == (1, "the checkpoint does not fit this training run; start again without --resume\n")


def test_without_resume_an_old_checkpoint_is_replaced_and_said_so(
    checkpoint: Path, sample: Path, tmp_path: Path, run: Run
):
    done = run("train", *GREEDY, "--train", sample, "-o", tmp_path / "m", "--epochs", 1)
    assert done.code == 0
    assert done.err.startswith(
        f"{checkpoint}: removed the checkpoint of an earlier run; --resume would have continued from it\n"
    )
    assert not checkpoint.exists()


def test_resume_without_a_checkpoint_starts_over(sample: Path, tmp_path: Path, run: Run):
    done = run("train", *GREEDY, "--train", sample, "-o", tmp_path / "m", "--epochs", 1, "--resume")
    assert done.code == 0
    assert done.err.startswith(f"{tmp_path}/m.checkpoint: no checkpoint; training starts from scratch\n")


def test_resume_leaves_a_finished_model_alone(sample: Path, tmp_path: Path, run: Run):
    command = ("train", *GREEDY, "--train", sample, "-o", tmp_path / "m", "--epochs", 1)
    assert run(*command).code == 0
    before = contents(tmp_path / "m")
    done = run(*command, "--seed", 7, "--resume")
    assert (done.code, done.out) == (0, "")
    assert done.err == f"{tmp_path}/m: is finished, and there is nothing to resume; drop --resume to train it again\n"
    assert contents(tmp_path / "m") == before
    assert run(*command, "--seed", 7).code == 0
    assert contents(tmp_path / "m") != before


def test_a_full_disk_while_training_ends_in_a_line(
    sample: Path, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
):
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("multiplane.training.checkpoint.write_tensors", full)
    done = run("train", *GREEDY, "--train", sample, "-o", tmp_path / "m", "--epochs", 1)
    assert done.code == 1
    assert done.err.splitlines()[-1].endswith("best-1.safetensors: cannot be written: no space left on device")
    assert not (tmp_path / "m").exists()


# Parsing.


@pytest.mark.parametrize("options", [["--threads", "2"], ["--threads", "7", "--beam", "1"]])
def test_threads_make_no_difference(options: list[str], model: Path, big: Path, tmp_path: Path, run: Run):
    one = run("parse", "-m", model, big)
    assert run("parse", "-m", model, big, *options).raw == one.raw
    assert run("parse", "-m", model, big, "-o", tmp_path / "out.conllu").code == 0
    assert (tmp_path / "out.conllu").read_bytes() == one.raw


def test_lines_that_begin_with_a_hash_are_text(tmp_path: Path, run: Run):
    done = run("parse", "-m", "en", stdin=b"#hashtag is cool\n")
    assert (done.code, done.err) == (0, "")
    assert "\tcool\t" in done.out
    comments = tmp_path / "comments.conllu"
    comments.write_text("# only = comments\n", encoding="utf-8")
    assert run("parse", "-m", "en", comments).out.startswith("# only = comments\n")


@pytest.mark.parametrize("given", [b"", b"  \n", b"\n\n", b"\xef\xbb\xbf\n"])
@pytest.mark.parametrize("options", [[], ["--lines"], ["--keep-heads"]])
def test_blank_input_gives_empty_output(given: bytes, options: list[str], model: Path, run: Run):
    for name in ("en", model):  # the other needs tags, which text does not have
        done = run("parse", "-m", name, *options, stdin=given)
        assert (done.code, done.out, done.err) == (0, "", "")


@pytest.mark.parametrize("name", ["x.conll09", "x.sdp", "x.CONLL.gz"])
@pytest.mark.parametrize("given", ["in.txt", "in.conllu", "in"])
def test_a_suffix_of_another_format_is_refused_before_parsing(name: str, given: str, tmp_path: Path, run: Run):
    content = b"It rains." if given == "in.txt" else mp.sample().to_bytes()
    (tmp_path / given).write_bytes(content + b"1\tbroken\n")
    done = run("parse", "-m", "en", tmp_path / given, "-o", tmp_path / name)
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    assert done.err.startswith(f"{tmp_path / name}: the suffix means ")
    assert "but the trees are in CoNLL-U; write a .conllu file, then convert it with 'multiplane convert'" in done.err
    assert not (tmp_path / name).exists()


def test_other_suffixes_are_written_as_they_are(model: Path, sample: Path, tmp_path: Path, run: Run):
    trees = sample.read_bytes()
    (tmp_path / "in.conll").write_bytes(trees)  # the wrong name, but the user's own
    for file, options in [
        (sample, ["-o", tmp_path / "x.txt"]),
        (sample, ["-o", tmp_path / "x.conllu.xz"]),
        (sample, ["-o", "/dev/null"]),
        ("-", ["--from", "conllx", "-o", tmp_path / "x.conll"]),
        (tmp_path / "in.conll", ["--from", "conllu", "-o", tmp_path / "out.conll"]),
        (tmp_path / "in.conll", ["--from", "conllu", "-o", f"{tmp_path}/out/"]),
    ]:
        stdin = convert(mp.sample(), DIALECTS["conllx"])[0] if file == "-" else b""
        done = run("parse", "-m", model, file, *options, stdin=stdin)
        assert (done.code, done.out) == (0, ""), done.err


def test_broken_sentences_stop_parsing_or_are_skipped(model: Path, tmp_path: Path, run: Run):
    path = tmp_path / "in.conllu"
    path.write_text(word(1, 0) + "\n1\tbroken\n\n" + word(1, 0) + "\n")
    done = run("parse", "-m", model, path, "-o", tmp_path / "out.conllu")
    assert done.code == 1
    assert done.err.startswith(f"{path}:3: sentence 2: ")
    assert not (tmp_path / "out.conllu").exists()
    done = run("parse", "-m", model, path, "--on-error", "skip")
    assert done.code == 0
    assert done.out.count("\n\n") == 2
    assert done.err.startswith(f"{path}:3: sentence 2: ")
    assert done.err.endswith(" (skipped)\n")
    assert run("parse", "-m", model, path, "--on-error", "skip", "-q").err == ""


@pytest.mark.parametrize("name", ["nowhere", "config.toml"])
def test_what_is_no_model_ends_in_a_line(name: str, model: Path, sample: Path, run: Run):
    done = run("parse", "-m", model / name, sample)
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)


def test_a_missing_file_ends_in_a_line(model: Path, run: Run):
    done = run("parse", "-m", model, "nowhere.conllu")
    assert (done.code, done.err) == (1, "nowhere.conllu: cannot be read: no such file or directory\n")


def test_a_full_disk_while_parsing_ends_in_a_line(model: Path, big: Path, process: Run):
    if not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full here")
    with open("/dev/full", "wb") as full:
        done = process("parse", "-m", model, big, "--threads", 2, stdout=full)
    assert (done.code, done.err) == (1, "standard output: no space left on device\n")
    done = process("parse", "-m", model, big, "-o", "/dev/full")
    assert (done.code, done.err) == (1, "/dev/full: cannot be written: no space left on device\n")


def test_parsing_ends_quietly_when_the_reader_closes_the_pipe(model: Path, big: Path):
    command = f"{sys.executable} -m multiplane parse -m {model} {big} --threads 2 | head -n 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b"\n") == 1


def test_ctrl_c_stops_parsing(model: Path):
    running = subprocess.Popen(
        [sys.executable, "-m", "multiplane", "parse", "-m", str(model)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    assert running.stdin is not None
    running.stdin.write(mp.sample().to_bytes() * 40)  # returns when most of it is read, so parsing has begun
    running.stdin.flush()
    running.send_signal(signal.SIGINT)
    _, err = running.communicate()
    assert (running.returncode, err) == (130, b"interrupted\n")


@pytest.mark.measures
def test_parsing_a_sentence_starts_fast(model: Path, tmp_path: Path):
    path = tmp_path / "one.conllu"
    path.write_bytes(mp.sample()[0].to_bytes())
    script = "import sys; sys.argv[0] = 'multiplane'; from multiplane.cli import main; main()"
    imported = f"import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr)); {script}"
    arguments = ["parse", "-m", str(model), str(path), "-o", str(tmp_path / "out.conllu")]
    done = subprocess.run([sys.executable, "-c", imported, *arguments], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in done.stderr.split()}
    assert not loaded & {"rich", "matplotlib", "sklearn", "scipy", "torch"}
    assert "multiplane.training" not in done.stderr.split()


# Learning curves.


def test_learning_curves_are_drawn(sample: Path, tmp_path: Path, run: Run):
    models = [tmp_path / "a", tmp_path / "b"]
    for path in models:
        done = run(
            "train",
            "--train",
            sample,
            "--dev",
            sample,
            "-o",
            path,
            "--epochs",
            3,
            "--plot",
            tmp_path / f"{path.name}.svg",
        )
        assert done.code == 0
        assert ET.parse(tmp_path / f"{path.name}.svg").getroot().tag.endswith("svg")
    plot_curve(models, str(tmp_path / "both.png"))
    assert (tmp_path / "both.png").read_bytes().startswith(b"\x89PNG")
    trained(mp.sample(), epochs=2).save(tmp_path / "c")
    plot_curve([tmp_path / "c"], str(tmp_path / "errors.svg"))
    plot_curve([tmp_path / "c"], str(tmp_path / "again.svg"))
    assert (tmp_path / "errors.svg").read_bytes() == (tmp_path / "again.svg").read_bytes()
    with pytest.raises(mp.ModelError, match="cannot be read"):
        plot_curve([tmp_path / "nowhere"], str(tmp_path / "x.svg"))


def test_a_parser_can_be_traced(model: Path, sample: Path, run: Run):
    done = run("trace", sample, "-m", model, "--sentence", "grc-002", "--format", "json", "--costs")
    steps = json.loads(done.out)
    sentence = next(sentence for sentence in mp.sample() if sentence.sent_id == "grc-002")
    arcs = {(arc["head"], arc["dependent"], arc["label"]) for step in steps for arc in step["new_arcs"]}
    assert arcs == set(mp.load(model).parse(sentence).graph.word_arcs)
    assert all(step["transition"].partition("(")[0] in step["costs"] for step in steps[1:])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "either --system"),
        (["--system", "planar", "-m", "m"], "either --system"),
        (["-m", "m", "--trees", "left"], "need --system"),
        (["--system", "planar", "--beam", "4"], "--beam needs --model"),
    ],
)
def test_untraceable_input_is_reported(options: list[str], message: str, sample: Path, run: Run):
    done = run("trace", sample, *options)
    assert done.code == 2
    assert message in done.err
