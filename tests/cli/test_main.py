"""The command as a whole: exit codes, streams that fail, terminals, constant memory, linear time."""

import gzip
import io
import os
import pty
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import multiplane as mp
from multiplane.analysis import coverage
from multiplane.cli import VERBS as ALL_VERBS
from multiplane.cli.verb import Verb
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


def test_the_help_describes_every_verb_in_one_whole_line(run: Run) -> None:
    lines = run("--help").out.partition("Commands:\n")[2].splitlines()
    assert [line.split()[0] for line in lines] == list(ALL_VERBS)
    assert all(line.endswith(".") and not line.endswith("..") for line in lines)


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
        ["draw", "a.conllu", "-o", "a.jpeg"],
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
        assert child.wait(300) == 0


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


@pytest.mark.parametrize("arguments", [["convert"], ["parse", "-m", "en"], ["parse", "-m", "en", "--input", "text"]])
@pytest.mark.parametrize("how", ["file", "stdin", "link", "/dev/stdout"])
def test_output_appended_to_the_input_is_refused_immediately(
    how: str, arguments: list[str], process: Run, sample: Path, tmp_path: Path
) -> None:
    path, link = tmp_path / "x.conllu", tmp_path / "link.conllu"
    path.write_bytes(sample.read_bytes())
    link.symlink_to(path)
    source = {"file": path, "stdin": "-", "link": link, "/dev/stdout": path}[how]
    output = ["-o", "/dev/stdout", "--to", "conllu"][: 4 if arguments == ["convert"] else 2] if how[0] == "/" else []
    with open(path, "rb") as stdin, open(path, "ab") as stdout:
        done = process(*arguments, source, *output, stdin=stdin, stdout=stdout)
    name = "<stdin>" if how == "stdin" else source
    assert done.code == 1
    hint = ", or -o, which replaces it at the end" if arguments == ["convert"] else ""
    assert done.err == f"{name}: would be overwritten by its own output; choose another file{hint}\n"
    assert path.read_bytes() == sample.read_bytes()


def test_trees_are_not_replaced_by_those_of_a_parser(run: Run, sample: Path, tmp_path: Path) -> None:
    path, link = tmp_path / "x.conllu", tmp_path / "link.conllu"
    path.write_bytes(sample.read_bytes())
    link.symlink_to(path)
    for output in (path, link, tmp_path / "." / "x.conllu"):
        done = run("parse", "-m", "en", path, "-o", output)
        assert (done.code, done.out) == (1, "")
        assert done.err == f"{path}: would be overwritten by its own output; choose another file\n"
    assert path.read_bytes() == sample.read_bytes()
    assert run("parse", "-m", "en", path, "-o", tmp_path / "y.conllu").code == 0


# Untrusted text.

HOSTILE = "\x1b[2J\x1b]0;owned\x07\x9b31m\u202e\u2066"
SHOWN = r"\x1b[2J\x1b]0;owned\x07\x9b31m\u202e\u2066"
ACTING = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A treebank that holds controls wherever it can: one sentence is not 2-planar, one is broken, one has no heads."""
    path = tmp_path / f"a{HOSTILE}.conllu"
    row = f"{{}}\tw{HOSTILE}\tl{HOSTILE}\tX{HOSTILE}\t_\t_\t{{}}\td{HOSTILE}\t_\t_\n".format
    trees = ([0, 5, 6, 1, 1, 1, 3, 4], [0, 9], ["_"], [4, 5, 0, 3, 3])
    path.write_text(
        "".join(
            f"# sent_id = s{number}{HOSTILE}\n" + "".join(map(row, range(1, len(heads) + 1), heads)) + "\n"
            for number, heads in enumerate(trees)
        )
    )
    return path


@pytest.mark.parametrize(
    "arguments",
    [
        ["analyze"],
        ["analyze", "--on-error", "skip"],
        ["analyze", "--list", "not-planar", "--on-error", "skip"],
        ["check"],
        ["convert", "--to", "conllx", "-o", "/dev/null"],
        ["convert", "--to", "conllx", "-o", "/dev/null", "--on-error", "skip"],
        ["draw", "--sentence", "4"],
        ["draw", "--sentence", "2"],
        ["evaluate"],
        ["oracle", "--system", "arc-eager", "--on-error", "skip"],
        ["oracle", "--system", "arc-eager", "--list", "--on-error", "skip"],
        ["parse", "-m", "en", "-o", "/dev/null"],
        ["parse", "-m", "en", "-o", "/dev/null", "--on-error", "skip"],
        ["trace", "--system", "planar", "--costs", "--sentence", "4"],
        ["trace", "--system", "planar", "--format", "markdown", "--sentence", "4"],
        ["trace", "--system", "planar", "--sentence", "3"],
        ["train", "-o", "/dev/null/m", "--train"],
    ],
)
def test_controls_in_a_file_never_reach_the_terminal(arguments: list[str], hostile: Path, run: Run) -> None:
    files = [hostile, hostile] if arguments[0] == "evaluate" else [hostile]
    done = run(*arguments, *files)
    assert done.code in (0, 1)
    assert done.out + done.err
    assert not ACTING.search(done.out + done.err), repr(done.out + done.err)


def test_controls_in_arguments_never_reach_the_terminal(run: Run) -> None:
    done = run("draw", "a.conllu", HOSTILE)
    assert done.code == 2
    assert not ACTING.search(done.err)
    assert r"\x1b]0;owned\x07" in done.err


def test_controls_are_shown_as_escapes(hostile: Path, run: Run) -> None:
    assert f"a{SHOWN}.conllu:" in run("analyze", hostile).err
    assert f": s1{SHOWN}: " in run("check", hostile).out
    assert f" w{SHOWN}" in run("analyze", "--list", "not-planar", "--on-error", "skip", hostile).out


def test_controls_stay_in_data(hostile: Path, run: Run) -> None:
    done = run("convert", hostile, "--on-error", "skip", "--quiet")
    assert done.out.count(f"# sent_id = s0{HOSTILE}\n") == 1


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


OUT_OF_MEMORY = "not enough memory; use smaller files, a narrower --beam or fewer --threads, or close other programs\n"


def limited(megabytes: int) -> dict[str, Any]:
    """What lets a process have so much memory and no more."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))

    return {"preexec_fn": limit, "env": os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}}


@pytest.mark.measures
def test_a_file_that_needs_more_memory_than_there_is_ends_in_one_line(tmp_path: Path, process: Run) -> None:
    path = tmp_path / "a.conllu.gz"
    path.write_bytes(gzip.compress(b"a" * 10_000_000) * 100)
    done = process("convert", path, "-o", tmp_path / "b.conllu", **limited(400))
    assert (done.code, done.out, done.err) == (1, "", OUT_OF_MEMORY)
    assert os.listdir(tmp_path) == ["a.conllu.gz"]


@pytest.mark.measures
@pytest.mark.parametrize("threads", [1, 2])
def test_a_sentence_that_needs_more_memory_than_there_is_ends_in_one_line(
    threads: int, tmp_path: Path, process: Run
) -> None:
    path = tmp_path / "a.conllu"
    path.write_text("".join(f"{i}\tw{i}\t_\tX\t_\t_\t{i - 1}\tdep\t_\t_\n" for i in range(1, 300_001)) + "\n")
    output = tmp_path / "b.conllu"
    done = process("parse", "-m", "en", path, "-o", output, "--threads", threads, **limited(400))
    assert (done.code, done.out, done.err) == (1, "", OUT_OF_MEMORY)
    assert os.listdir(tmp_path) == ["a.conllu"]


def test_torch_without_memory_ends_in_one_line_and_no_other_failure_does(
    run: Run, sample: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(text: str) -> Callable[..., None]:
        def call(*_: object, **__: object) -> None:
            raise RuntimeError(text)

        return call

    monkeypatch.setattr("multiplane.cli.check.check", fail("DefaultCPUAllocator: can't allocate memory: you tried"))
    assert (run("check", sample).code, run("check", sample).err) == (1, OUT_OF_MEMORY)
    monkeypatch.setattr("multiplane.cli.check.check", fail("a fault of the program"))
    with pytest.raises(RuntimeError, match="a fault of the program"):
        run("check", sample)


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


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["parse", "-m", "en", "--model", "pt"], "--model is given twice; it takes one value"),
        (["analyze", "x.conllu", "--format", "tsv", "--format", "json"], "--format is given twice; it takes one value"),
        (["trace", "x", "--system", "a", "--system", "b"], "--system is given twice; it takes one value"),
        (["parse", "-m", "en", *["-o", "x"] * 3], "--output is given 3 times; it takes one value"),
        (["draw", "x", "--rtl", "--ltr"], "--rtl or --ltr is given twice; choose one"),
        (["train", "--train", "x", "-o", "y", "--set", "a=1", "--set", "a=2"], "a is given twice; it takes one value"),
        (
            ["train", "--train", "x", "-o", "y", "--beam", "3", "--set", "beam=2"],
            "beam is given twice; it takes one value",
        ),
    ],
)
def test_no_value_is_silently_dropped(arguments: list[str], message: str, run: Run) -> None:
    done = run(*arguments)
    assert (done.code, done.out) == (2, "")
    assert f"Error: {message}\n" in done.err


def test_a_flag_may_be_repeated(sample: Path, run: Run) -> None:
    assert run("analyze", sample, "--quiet", "--quiet").code == 0


def test_every_module_of_a_verb_refuses_repeated_options() -> None:
    for name in ALL_VERBS:
        assert isinstance(import_module(f"multiplane.cli.{name}").command, Verb), name


def imported_by(*calls: list[str]) -> set[str]:
    """The modules that commands import, in a process of their own."""
    program = (
        "import sys\n"
        "from multiplane.cli import cli\n"
        f"for arguments in {calls!r}:\n"
        "    try:\n"
        "        cli.main(arguments, standalone_mode=False)\n"
        "    except SystemExit:\n"
        "        pass\n"
        "print('imported:', *sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, check=True, timeout=300)
    return set(done.stdout.rpartition("imported:")[2].split())


def test_commands_that_need_no_parser_do_not_import_one(sample: Path) -> None:
    file = str(sample)
    imported = imported_by(["--help"], ["sample", "-o", "/dev/null"], ["analyze", file], ["check", file])
    assert "multiplane.analysis.coverage" in imported
    slow = ["multiplane.evaluation", "multiplane.features", "multiplane.models", "multiplane.parser", "multiplane.text"]
    slow += ["multiplane.training", "multiplane.visual", "regex", "rich", "safetensors", "syntok", "torch"]
    assert imported.intersection(slow) == set()


def test_commands_for_parsers_import_what_is_slow_only_when_it_is_needed() -> None:
    imported = imported_by(["parse", "--help"], ["train", "--help"], ["evaluate", "--help"], ["systems"])
    assert "multiplane.parser" in imported
    assert (
        imported.intersection(["importlib.metadata", "multiplane.visual", "regex", "rich", "syntok", "torch"]) == set()
    )


def test_names_that_are_imported_later_are_there() -> None:
    assert all(getattr(mp, name) is not None for name in mp.__all__)
    assert set(mp.__all__) <= set(dir(mp))
    assert mp.evaluation.evaluate is mp.evaluate
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        mp.nonsense  # noqa: B018
