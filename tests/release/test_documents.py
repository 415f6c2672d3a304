"""What a release says about itself."""

import re
from pathlib import Path

import pytest

import multiplane as mp
from release.conftest import ROOT


def test_the_citation_is_of_this_version() -> None:
    page = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    cited = dict(re.findall(r'^([\w-]+): *"?(.*?)"?$', page, re.MULTILINE))
    assert cited["version"] == mp.__version__
    assert cited["license"] == "MIT"
    assert {"cff-version", "message", "title", "authors"} <= set(cited)


@pytest.mark.parametrize("name", ["SECURITY.md", "docs/release-0.1.md"])
def test_files_that_are_named_exist(name: str) -> None:
    page = (ROOT / name).read_text(encoding="utf-8")
    named = re.findall(r"`((?:tests|benchmarks|docs)/[\w./-]+)`", page)
    assert [path for path in named if not Path(ROOT, path).exists()] == []


def test_the_security_policy_names_what_attacks_its_claims() -> None:
    assert "`tests/models/test_model_files.py`" in (ROOT / "SECURITY.md").read_text(encoding="utf-8")
