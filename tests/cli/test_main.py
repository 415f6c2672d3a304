"""The command as a whole: exit codes, streams that fail, terminals, constant memory, linear time."""

import io
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import multiplane as mp
from multiplane.analysis import coverage
from multiplane.formats import iterate

Run = Callable[..., Any]
COMMAND = [sys.executable, "-m", "multiplane"]
VERBS = ["analyze", "check", "convert", "draw"]  # those that take one file and need nothing else


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample a hundred times: 5 MB."""
    path = tmp_path_factory.mktemp("large") / "large.conllu"
    path.write_bytes(mp.sample().to_bytes() * 100)
    return path


def test_help_and_version(run: Run) -> None:
    assert run("--version").out.endswith(f" {mp.__version__}\n")
    for arguments in (["--help"], ["-h"], *([verb, "--help"] for verb in VERBS)):
        done = run(*arguments)
        assert (done.code, done.err) == (0, "")
        assert "Usage: " in done.out
    assert all(verb in run("--help").out for verb in VERBS)


@pytest.mark.parametrize(
    "arguments",
    [
        ["frobnicate"],
        ["analyze"],
        ["analyze", "--frobnicate"],
        ["analyze", "a.conllu", "--list", "nonsense"],
        ["analyze", "a.conllu", "--format", "xml"],
        ["analyze", "a.conllu", "--from", "nonsense"],
        ["check"],
        ["convert"],
        ["convert", "a.conllu", "b.conllu"],
        ["convert", "a.conllu", "--to", "nonsense"],
        ["draw"],
        ["draw", "a.conllu", "-o", "a.pdf"],
    ],
)
def test_wrong_usage_ends_with_exit_code_2(arguments: list[str], run: Run) -> None:
    done = run(*arguments)
    assert (done.code, done.out) == (2, "")
    assert "Error: " in done.err


@pytest.mark.parametrize("verb", VERBS)
def test_an_unknown_input_suffix_is_explained(verb: str, tmp_path: Path, run: Run) -> None:
    path = tmp_path / "a.txt"
    path.write_text("")
    done = run(verb, path)
    assert done.code in (1, 2)
    assert "cannot tell the format" in done.out + done.err
    assert "--from" in done.out + done.err


@pytest.mark.parametrize("verb", VERBS)
def test_a_directory_is_called_a_directory(verb: str, tmp_path: Path, run: Run) -> None:
    done = run(verb, tmp_path)
    assert (done.code, done.out) == (1, "")
    assert done.err == f"{tmp_path}: is a directory; name the treebank files in it\n"


@pytest.mark.parametrize(("number", "says"), [(signal.SIGINT, b"interrupted\n"), (signal.SIGTERM, b"")])
def test_a_signal_ends_quietly_and_leaves_no_file(number: int, says: bytes, sample: Path, tmp_path: Path) -> None:
    with subprocess.Popen(
        [*COMMAND, "convert", "-", "-o", tmp_path / "out.conllu"], stdin=subprocess.PIPE, stderr=subprocess.PIPE
    ) as child:
        assert child.stdin is not None
        assert child.stderr is not None
        child.stdin.write(sample.read_bytes())
        child.stdin.flush()
        end = time.monotonic() + 30
        while not os.listdir(tmp_path) and time.monotonic() < end:  # the file beside is there once it works
            time.sleep(0.01)
        time.sleep(0.2)  # Python ignores what is raised in some of its own callbacks, such as those of imports
        child.send_signal(number)
        assert child.wait(30) == 128 + number
        assert child.stderr.read() == says
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_runs_in_a_process_and_from_a_pipe(verb: str, process: Run, sample: Path) -> None:
    done = process(verb, "-", input=sample.read_bytes())
    assert (done.code, done.err) == (0, "")
    assert done.out


@pytest.mark.parametrize("verb", VERBS)
def test_a_full_device_ends_in_one_line(verb: str, process: Run, sample: Path) -> None:
    with open("/dev/full", "wb") as full:
        done = process(verb, sample, stdout=full)
    assert (done.code, done.err) == (1, "standard output: no space left on device\n")


@pytest.mark.parametrize(
    ("arguments", "needs"),
    [
        (["analyze", "--list", "non-projective"], b"large"),
        (["analyze", "--list", "non-projective", "--format", "tsv"], b"file"),
        (["convert"], b"#"),
        (["convert", "--to", "conllx"], b"1"),
    ],
)
def test_a_reader_that_goes_away_is_no_failure(arguments: list[str], needs: bytes, large: Path) -> None:
    verb, *options = arguments
    with subprocess.Popen(
        [*COMMAND, verb, str(large), "--quiet", *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        assert needs in child.stdout.readline()
        child.stdout.close()
        assert child.stderr.read() == b""
        assert child.wait(30) == 0


@pytest.mark.parametrize("verb", VERBS)
def test_a_closed_standard_input_is_no_traceback(verb: str, process: Run) -> None:
    done = process(verb, "-", preexec_fn=lambda: os.close(0))
    assert done.code == 1
    assert (done.out + done.err).count("\n") == 1
    assert "Traceback" not in done.err


@pytest.mark.parametrize("verb", VERBS)
def test_a_closed_standard_output_is_no_traceback(verb: str, process: Run, sample: Path) -> None:
    done = process(verb, sample, preexec_fn=lambda: os.close(1))
    assert done.code in (0, 1)
    assert "Traceback" not in done.err


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
@pytest.mark.parametrize("arguments", [["analyze", "--list", "not-2-planar"], ["draw"], ["check"]])
def test_a_terminal_that_is_not_utf_8_is_no_traceback(arguments: list[str], encoding: str, sample: Path) -> None:
    done = subprocess.run(
        [*COMMAND, *arguments, sample],
        env=os.environ | {"PYTHONIOENCODING": encoding},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode("utf-8" if encoding == "ascii" else encoding)


@pytest.mark.parametrize("verb", VERBS)
def test_a_file_name_that_is_not_utf_8_is_no_traceback(verb: str, process: Run, sample: Path, tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"caf\xe9.conllu")
    path.write_bytes(sample.read_bytes())
    done = process(verb, path, env=os.environ | {"PYTHONIOENCODING": "utf-8:strict"})
    assert (done.code, done.err) == (0, "")


def on_terminal(*arguments: object) -> tuple[bytes, bytes, int]:
    """Standard output, what a terminal at standard error shows, and the exit code."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [*COMMAND, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=theirs,
        env=os.environ | {"TERM": "xterm", "COLUMNS": "100"},
    ) as child:
        os.close(theirs)
        assert child.stdout is not None
        shown = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # the child has closed its end
                break
            if not part:
                break
            shown += part
        out = child.stdout.read()
    os.close(ours)
    return out, shown, child.returncode


def test_a_terminal_sees_a_progress_bar_for_large_input(large: Path) -> None:
    out, shown, code = on_terminal("analyze", large, "--format", "tsv")
    assert code == 0
    assert b"large.conllu" in shown
    assert b"MB" in shown
    assert out.startswith(b"file\tstructures")
    assert b"\x1b" not in out
    assert out.count(b"\n") == 3


def test_no_bar_when_quiet_or_small_or_no_terminal(large: Path, sample: Path, process: Run) -> None:
    assert on_terminal("analyze", large, "--quiet")[1:] == (b"", 0)
    assert on_terminal("analyze", sample)[1:] == (b"", 0)
    assert process("analyze", large).err == ""


def test_convert_with_a_bar_gives_the_same_bytes(large: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.conllu"
    out, _, code = on_terminal("convert", large, "-o", target)
    assert (out, code) == (b"", 0)
    assert target.read_bytes() == large.read_bytes()


@pytest.mark.measures
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc")
@pytest.mark.parametrize(
    ("arguments", "megabytes"), [(["analyze"], 150), (["convert", "--to", "conllu"], 150), (["check"], 40)]
)
def test_memory_is_constant_on_a_stream(arguments: list[str], megabytes: int, sample: Path) -> None:
    verb, *options = arguments
    part = sample.read_bytes() * 20
    with subprocess.Popen(
        [*COMMAND, verb, "-", *options], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as child:
        assert child.stdin is not None
        assert child.stderr is not None
        for _ in range(megabytes * 1_000_000 // len(part)):
            child.stdin.write(part)
        child.stdin.flush()
        # The largest resident set so far; the child still waits for more.
        status = Path(f"/proc/{child.pid}/status").read_text()
        peak = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))
        child.stdin.close()
        assert child.stderr.read() == b""
    assert child.returncode == 0
    assert peak < 150_000, f"{peak} kB"


@pytest.mark.measures
def test_time_grows_linearly_with_the_number_of_sentences(sample: Path) -> None:
    text = sample.read_bytes()

    def seconds(times: int) -> float:
        best = float("inf")
        for _ in range(3):
            start = time.perf_counter()
            coverage(iterate(io.BytesIO(text * times), "conllu", block=1 << 16))
            best = min(best, time.perf_counter() - start)
        return best

    assert seconds(400) < 8 * 3 * seconds(50)
