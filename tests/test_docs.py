"""The documentation says what is true: its examples are run, its links and pictures are there and up to date."""

import doctest
import io
import os
import re
import runpy
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

import pytest

import multiplane
from multiplane.data import sample_path

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
README = ROOT / "README.md"
PAGES = [README, ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.glob("*.md"))]

EXTRAS = {"spacy.md": "spacy"}
"""Pages whose examples need a package that not every installation has."""

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^)\s]+)\)")


class Block(NamedTuple):
    language: str
    text: str
    line: int
    """Of its first line in the page."""


def blocks(page: str) -> Iterator[Block]:
    for found in _BLOCK.finditer(page):
        yield Block(found[1], found[2], page.count("\n", 0, found.start()) + 2)


def commands(block: Block) -> Iterator[tuple[int, str, str]]:
    """The commands of a console block, with their lines and the output that should follow."""
    lines = block.text.splitlines(keepends=True)
    starts = [i for i, line in enumerate(lines) if line.startswith("$ ")]
    assert starts[:1] == [0], f"line {block.line}: a console block begins with a command"
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield block.line + start, lines[start][2:].rstrip("\n"), "".join(lines[start + 1 : end])


class Shell:
    """A shell session that finds the commands of the system and `multiplane`, and nothing else."""

    _END = "-- end of the output --"

    def __init__(self, folder: Path, programs: Path) -> None:
        (programs / "multiplane").symlink_to(Path(sys.executable).parent / "multiplane")
        self._process = subprocess.Popen(
            ["bash"],
            cwd=folder,
            env=os.environ | {"PATH": f"{programs}{os.pathsep}{os.defpath}"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
        )

    def __enter__(self) -> "Shell":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def run(self, command: str) -> tuple[str, int]:
        """What a command prints, and its exit code."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(
            f"set -o pipefail\n{{ {command}\n}} </dev/null\ncode=$?; echo; echo {self._END} $code\n"
        )
        self._process.stdin.flush()
        lines = []
        while (line := self._process.stdout.readline()) and not line.startswith(self._END):
            lines.append(line)
        assert line, f"the session ended with: {command}"
        return "".join(lines)[:-1], int(line.removeprefix(self._END))


def run_console(block: Block, shell: Shell, must_succeed: bool) -> list[str]:
    """Runs the commands of a block; what differs, or fails where nothing may."""
    failures = []
    for line, command, expected in commands(block):
        actual, code = shell.run(command)
        if not doctest.OutputChecker().check_output(expected, actual, doctest.ELLIPSIS):
            failures.append(f"line {line}: $ {command}\nexpected:\n{expected}\ngot:\n{actual}")
        elif code and must_succeed:
            failures.append(f"line {line}: $ {command}\nended with exit code {code}")
    return failures


def run_python(block: Block, names: dict[str, object], folder: Path) -> list[str]:
    """Runs a block of Python, as a doctest where it has prompts; what differs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        if ">>>" not in block.text:
            exec(compile(block.text, f"<line {block.line}>", "exec"), names)
            return []
        test = doctest.DocTestParser().get_doctest(block.text, {}, "page", "page", block.line - 1)
        test.globs = names  # shared by all blocks of a page
        out = io.StringIO()
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
        runner.run(test, out=out.write, clear_globs=False)
        return [out.getvalue()] if runner.summarize(verbose=False).failed else []


def failures_of(page: str, folder: Path, must_succeed: bool = False) -> list[str]:
    """Runs all examples of a page, in order, in one folder and one session."""
    names: dict[str, object] = {}
    failures = []
    with tempfile.TemporaryDirectory() as programs, Shell(folder, Path(programs)) as shell:
        for block in blocks(page):
            if block.language == "console":
                failures += run_console(block, shell, must_succeed)
            elif block.language == "python":
                failures += run_python(block, names, folder)
    return failures


@pytest.fixture
def with_sample(tmp_path: Path) -> Path:
    """A folder that holds the sample treebank."""
    shutil.copy(sample_path(), tmp_path / "sample.conllu")
    return tmp_path


def test_the_readme_works_as_a_new_user_types_it(tmp_path: Path):
    failures = failures_of(README.read_text(encoding="utf-8"), tmp_path, must_succeed=True)
    assert not failures, "\n".join(failures)


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")  # spaCy starts processes
@pytest.mark.parametrize("page", [page for page in PAGES if page != README], ids=lambda page: page.name)
def test_examples_do_what_the_page_says(page: Path, with_sample: Path):
    if page.name in EXTRAS:
        pytest.importorskip(EXTRAS[page.name])
    failures = failures_of(page.read_text(encoding="utf-8"), with_sample)
    assert not failures, f"{page.name}\n" + "\n".join(failures)


@pytest.mark.parametrize(
    "page",
    [
        "```console\n$ echo one\ntwo\n```\n",
        "```console\n$ echo one\n```\n",
        "```console\n$ multiplane analyze sample.conllu\nfile\n```\n",
        "```python\n>>> 1 + 1\n3\n```\n",
        "```python\n>>> 1 + 1\n2\n```\n\n```python\n>>> missing\n```\n",
    ],
)
def test_a_wrong_example_is_noticed(page: str, with_sample: Path):
    assert failures_of(page, with_sample)


@pytest.mark.parametrize(
    "command", ["false", "cat sample.conllu >/dev/null 2>&1", "false | cat", "pytest --version >/dev/null 2>&1"]
)
def test_a_new_user_notices_a_command_that_fails(command: str, tmp_path: Path):
    page = f"```console\n$ {command}\n```\n"
    assert failures_of(page, tmp_path, must_succeed=True)
    assert failures_of(page, tmp_path) == []


def test_blocks_of_a_page_share_names_and_files(tmp_path: Path):
    page = (
        "```console\n$ y=three\n```\n\n```console\n$ echo $y\nthree\n```\n\n"
        "```python\nx = 2\n```\n\n```python\n>>> x * 3\n6\n```\n\n"
        "```console\n$ echo one > a.txt\n```\n\n```console\n$ cat a.txt; echo two ... three\none\ntwo...\n```\n"
    )
    assert failures_of(page, tmp_path) == []


def test_readme_and_guides_have_examples():
    for name in ("README.md", "docs/treebanks.md", "docs/formats.md", "docs/graphs.md"):
        assert any(block.language in ("console", "python") for block in blocks((ROOT / name).read_text("utf-8"))), name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_and_pictures_exist(page: Path):
    text = _BLOCK.sub("", page.read_text(encoding="utf-8"))
    targets = [target for target in _LINK.findall(text) if not re.match(r"[a-z]+:", target)]
    missing = []
    for target in targets:
        path, _, anchor = unquote(target).partition("#")
        file = page.parent / path if path else page
        if not file.is_file() or (anchor and anchor not in anchors(file)):
            missing.append(target)
    assert not missing


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", _BLOCK.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_pages_are_in_the_table_of_contents():
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    listed = index.partition("```{toctree}")[2].partition("```")[0].split()
    assert {page.stem for page in DOCS.glob("*.md")} - {"index"} <= set(listed)


def test_pictures_are_what_the_program_draws():
    module = runpy.run_path(str(ROOT / "benchmarks" / "figures.py"))
    for name, picture in module["figures"]().items():
        assert (module["IMAGES"] / name).read_text(encoding="utf-8") == picture, f"{name}: run benchmarks/figures.py"


def test_every_picture_is_shown_somewhere():
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert [image.name for image in (DOCS / "images").iterdir() if f"images/{image.name})" not in text] == []


def test_changelog_has_the_current_version():
    assert f"\n## [{multiplane.__version__}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_readme_and_coverage_page_agree():
    readme, page = ((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "docs/coverage.md"))
    rows = re.findall(r"^\| ([^|*,]+), `", page, re.MULTILINE)
    share, structures = re.search(r"([\d.]+ %) of all ([\d,]+) structures", page).groups()
    assert f"Of {structures} structures in {len(rows)} treebanks of {len(set(rows))} languages, {share}" in readme


def test_readme_and_speed_page_agree():
    readme, page = ((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "docs/speed.md"))
    rows = re.findall(r"^\| (?:multiplane|conllu|pyconll|udapi).*$", readme, re.MULTILINE)
    assert len(rows) == 6
    assert all(row in page for row in rows)


def test_readme_and_accuracy_page_agree():
    readme, page = ((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "docs/accuracy.md"))
    ours, neural, others = ({}, {}, {})
    for name, parser, las in re.findall(r"^\| `(\S+)` \| ([^|]+) \| ([\d.]+) ", page, re.MULTILINE):
        if parser.startswith("**multiplane**"):
            ours[name] = las
        elif "--model neural" in parser:
            neural[name] = las
        elif parser.startswith("MaltParser"):
            others[name] = max(others.get(name, ""), las, key=lambda score: float(score or 0))
    assert len(ours) == len(neural) == 6
    assert f"| ours, neural | {' | '.join(neural.values())} |" in readme
    assert f"| ours | {' | '.join(ours.values())} |" in readme
    assert f"| MaltParser 1.9 | {' | '.join(others.values())} |" in readme


def word(number: object, head: object, form: str = "A") -> str:
    return f"{number}\t{form}\t_\t_\t_\t_\t{head}\tdep\t_\t_\n"


BROKEN = [
    word(1, 0).replace("\t_\n", "\n"),
    word(1, 0).replace("\t", " "),
    word("x", 0),
    word(1, 0) + word(1, 1),
    word(1, 0) + word(3, 1),
    word(1, 0) + word("2-1", "_"),
    word("2-3", "_") + word(1, 0),
    word("1-2", "_") + word(1, 0) + word("2-3", "_") + word(2, 1) + word(3, 1),
    word("1-2", "_") + word(1, 0),
    word(1, 0) + word("1.0", "_"),
    word("1.1", "_") + word(1, 0),
    word(1, 0) + word("1.2", "_"),
    word("0.1", "_"),
    word(1, 0) + "# late\n",
    word(1, "x"),
    word(1, 9),
    word(1, 1),
    word(1, 2) + word(2, 1),
    word(1, 0).replace("A", "\udcff"),
    word(1, 0, "A\0"),
]


def test_table_of_broken_input_gives_the_real_messages():
    page = (DOCS / "formats.md").read_text(encoding="utf-8")
    table = page.partition("| what is wrong | message |")[2].partition("\n\n")[0]
    messages = re.findall(r"\| `(.*)` \|$", table, re.MULTILINE)
    found = []
    for text in BROKEN:
        with pytest.raises(multiplane.FormatError) as error:
            multiplane.read_conllu(io.BytesIO(text.encode("utf-8", "surrogateescape")))
        found.append(error.value.what)
    assert messages == found
