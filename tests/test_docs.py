"""The documentation says what is true: its examples are run, its links and pictures are there and up to date."""

import io
import re
import runpy
import shutil
from pathlib import Path
from urllib.parse import unquote

import pytest

import multiplane
from examples import BLOCK, NEEDS_EXTRA, blocks, failures_of
from multiplane.data import sample_path

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
README = ROOT / "README.md"
DOC_PAGES = sorted(page for page in DOCS.rglob("*.md") if "_build" not in page.parts)
PAGES = [README, ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md", *DOC_PAGES]

EXTRAS = {"spacy.md": "spacy"}
"""Pages whose examples need a package that not every installation has."""


def name_of(page: Path) -> str:
    return page.relative_to(DOCS if page.is_relative_to(DOCS) else ROOT).as_posix()


_LINK = re.compile(r"\]\(([^)\s]+)\)")


@pytest.fixture
def with_sample(tmp_path: Path) -> Path:
    """A folder that holds the sample treebank."""
    shutil.copy(sample_path(), tmp_path / "sample.conllu")
    return tmp_path


def test_the_readme_works_as_a_new_user_types_it(tmp_path: Path):
    failures = failures_of(README.read_text(encoding="utf-8"), tmp_path, must_succeed=True)
    assert not failures, "\n".join(failures)


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")  # spaCy starts processes
@pytest.mark.parametrize("page", [page for page in PAGES if page != README], ids=name_of)
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


def test_blocks_that_need_an_extra_are_left_out_of_the_base(tmp_path: Path):
    page = f"{NEEDS_EXTRA}```console\n$ false\n```\n\n```console\n$ echo one\n{{}}\n```\n"
    assert failures_of(page.format("one"), tmp_path, must_succeed=True, base=True) == []
    assert failures_of(page.format("one"), tmp_path, must_succeed=True)
    assert failures_of(page.format("two"), tmp_path, must_succeed=True, base=True)


def test_readme_and_guides_have_examples():
    for name in ("README.md", "docs/treebanks.md", "docs/formats.md", "docs/graphs.md"):
        assert any(block.language in ("console", "python") for block in blocks((ROOT / name).read_text("utf-8"))), name


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_and_pictures_exist(page: Path):
    text = BLOCK.sub("", page.read_text(encoding="utf-8"))
    targets = [target for target in _LINK.findall(text) if not re.match(r"[a-z]+:", target)]
    missing = []
    for target in targets:
        path, _, anchor = unquote(target).partition("#")
        file = page.parent / path if path else page
        if not file.is_file() or (anchor and anchor not in anchors(file)):
            missing.append(target)
    assert not missing


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", BLOCK.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_pages_are_in_the_table_of_contents():
    text = "".join(page.read_text(encoding="utf-8") for page in DOC_PAGES)
    listed = {line for tree in re.findall(r"^```{toctree}\n(.*?)^```", text, re.M | re.S) for line in tree.split()}
    assert {name_of(page).removesuffix(".md") for page in DOC_PAGES} - {"index"} <= listed


def test_commands_in_benchmarks_are_listed():
    text = (DOCS / "benchmarks.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"`([\w/]+\.py)", text))
    folder = ROOT / "benchmarks"
    programs = {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*.py")
        if "__main__" in path.read_text(encoding="utf-8")
    }
    assert programs == listed


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
    speeds = re.findall(r"^\| [^|]+(?:\| [^|]+){3}\| ([\d,]+) \| [^|]+ \|$", readme, re.MULTILINE)
    assert len(speeds) == 7
    assert all(f"| {speed} |" in page for speed in speeds)


def test_readme_and_accuracy_page_agree():
    readme, page = ((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "docs/accuracy.md"))
    rows = re.findall(
        r"^\| `(en_ewt|ancient_greek_agdt)` \| ([^|]+) \| ([\d.]+) \| [\d.]+ \| ([\d.]+) \| ([\d.]+)", page, re.M
    )
    for ours, theirs in (
        ("neural", "multiplane, `--model neural`"),
        ("feature-based", "**multiplane**, default"),
    ):
        (_, _, english, *_), (_, _, greek, precision, recall) = (row for row in rows if row[1] == theirs)
        assert f"| multiplane, {ours} | {english} | {greek} | {recall} / {precision} |" in readme
    (fast,) = (las for _, parser, las, *_ in rows if "--preset fast" in parser)
    assert f"| multiplane, neural, preset `fast` | {fast} |" in readme
    others = [row for row in rows if row[1].startswith("MaltParser")]
    english = max(las for name, _, las, *_ in others if name == "en_ewt")
    greek, precision, recall = max(scores for name, _, *scores in others if name != "en_ewt")
    assert f"| MaltParser 1.9, best of four algorithms | {english} | {greek} | {recall} / {precision} |" in readme


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
