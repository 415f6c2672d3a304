"""What the page offers to those who come without a file: the sample treebank, and what systems make of it."""

from starlette.testclient import TestClient

import multiplane as mp
from multiplane.oracles import StaticOracle
from server.conftest import post


def test_the_sample_is_served_byte_for_byte(client: TestClient) -> None:
    answer = client.get("/api/sample")
    assert answer.content == mp.sample().to_bytes()
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"


def test_the_classes_of_coverage_add_up_to_the_treebank(client: TestClient) -> None:
    found = client.get("/api/coverage").json()["systems"]
    assert [system["name"] for system in found] == list(mp.systems)
    for system in found:
        assert sum(each["sentences"] for each in system["classes"]) == 65
        exact = StaticOracle(mp.systems[system["name"]]).statistics(mp.sample()).exact
        assert sum(each["exact"] for each in system["classes"]) == exact


def test_whole_files_are_compared_though_other_requests_must_be_small(client: TestClient) -> None:
    text = mp.sample().to_bytes().decode() * 60  # more than the 4 MiB of other requests
    found = post(client, "/api/compare", gold=text, system=text)
    assert len(found["sentences"]) == 60 * 65
    assert client.post("/api/sentences", json={"conllu": text * 2}).status_code == 413
