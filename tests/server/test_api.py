"""The JSON API: every endpoint answers as its declaration says."""

import gzip
import io
import json
import time
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import multiplane as mp
from multiplane import visual
from multiplane.formats import DIALECTS, convert
from multiplane.graphs import random_graph
from multiplane.server.app import ENDPOINTS
from multiplane.server.sentences import crossings, sentence_json
from server.conftest import post

TEXT = "The committee didn't publish its report. Go home!"
SAMPLE = mp.sample().to_bytes().decode()
REQUESTS: dict[str, dict[str, Any]] = {
    "/api/parse": {"text": TEXT, "scores": True, "best": 3},
    "/api/sentences": {"conllu": SAMPLE},
    "/api/compare": {"gold": SAMPLE, "model": "pt"},
    "/api/draw": {"conllu": SAMPLE, "format": "svg", "sentence": 30},
    "/api/convert": {"conllu": SAMPLE, "to": "conll09"},
}


@pytest.mark.parametrize("path", [each.path for each in ENDPOINTS if not isinstance(each.answer, tuple)])
def test_answers_are_as_declared(path: str, client: TestClient) -> None:
    endpoint = next(each for each in ENDPOINTS if each.path == path)
    if path == "/api/derivation":
        pytest.skip("has tests of its own")
    if path == "/api/treebank":
        answer = client.post(path, content=SAMPLE.encode())
    else:
        answer = client.request(endpoint.method, path, json=REQUESTS.get(path))
    assert answer.status_code == 200
    assert not isinstance(endpoint.answer, tuple)
    endpoint.answer.check(answer.json(), "answer")


def test_parsing_gives_what_the_parser_gives(client: TestClient) -> None:
    found = post(client, "/api/parse", text=TEXT, scores=True)
    parsed = mp.load("en").parse(TEXT, scores=True)
    assert found["model"] == "en"
    assert [s["conllu"] for s in found["sentences"]] == [s.to_bytes().decode() for s in parsed]
    first = found["sentences"][0]
    assert first["tokens"][0]["score"] == parsed[0].scores[0]
    assert first["score"] == parsed[0].score
    assert first["text"] == parsed[0].text


def test_best_trees_are_alternatives(client: TestClient) -> None:
    parser = mp.load("en")
    found = post(client, "/api/parse", text="Time flies like an arrow.", best=3)["sentences"][0]
    trees = parser.parse("Time flies like an arrow.", best=3, beam=3)[0]
    assert [tree["heads"] for tree in found["alternatives"]] == [tree.heads for tree in trees]
    assert [tree["score"] for tree in found["alternatives"]] == [tree.score for tree in trees]


def test_words_that_are_known_are_parsed_and_heads_kept(client: TestClient) -> None:
    rows = "1\tGo\t_\t_\t_\t_\t2\tdep\t_\t_\n2\thome\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    assert [t["head"] for t in post(client, "/api/parse", conllu=rows)["sentences"][0]["tokens"]] == [0, 1]
    kept = post(client, "/api/parse", conllu=rows, keep_heads=True)["sentences"][0]
    assert [t["head"] for t in kept["tokens"]] == [2, 0]


def test_presegmented_text_has_one_sentence_per_line(client: TestClient) -> None:
    found = post(client, "/api/parse", text="Go. Stay.\nWait.", presegmented=True)
    assert [s["text"] for s in found["sentences"]] == ["Go. Stay.", "Wait."]


def test_no_text_has_no_sentences(client: TestClient) -> None:
    for empty in ("", " \n\0\u2028 "):
        assert post(client, "/api/parse", text=empty)["sentences"] == []
    assert post(client, "/api/sentences", conllu="")["sentences"] == []


@pytest.mark.parametrize("sentence", mp.sample(), ids=lambda sentence: sentence.sent_id)
def test_properties_come_with_proofs(sentence: mp.Sentence) -> None:
    found, graph = sentence_json(sentence), sentence.graph
    properties, certificates = found["properties"], found["certificates"]
    assert properties == {
        "tree": graph.is_tree(),
        "projective": graph.is_projective(),
        "planar": graph.is_planar(),
        "planarity": graph.planarity(),
        "well_nested": graph.is_well_nested(),
        "gap_degree": graph.gap_degree(),
        "crossings": len(graph.crossings()),
        "nonprojective": [list(arc[:2]) for arc in graph.nonprojective_arcs()],
    }
    assert (certificates["crossing"] is None) == properties["planar"]
    assert (certificates["odd_cycle"] is None) == (properties["planarity"] <= 2)
    assert (certificates["ill_nested"] is None) == properties["well_nested"]
    planes = [[tuple(arc) for arc in plane] for plane in found["planes"]]
    assert sorted(arc for plane in planes for arc in plane) == sorted(graph.word_arcs)
    assert all(mp.DependencyGraph(graph.n, plane).is_planar() for plane in planes)


def test_words_have_what_other_layers_say(client: TestClient) -> None:
    text = mp.sample("conll09").to_bytes().decode()
    sentence = mp.sample("conll09")[1]
    tokens = post(client, "/api/sentences", conllu=text)["sentences"][1]["tokens"]
    assert {token["id"]: token["predicate"] for token in tokens if "predicate" in token} == sentence.predicates
    arcs = {(head, token["id"], role) for token in tokens for head, role in token.get("roles", [])}
    assert arcs == {arc for arc in sentence.semantics.arcs if arc[0]}
    enhanced = mp.sample()[0]
    tokens = post(client, "/api/sentences", conllu=enhanced.to_bytes().decode())["sentences"][0]["tokens"]
    assert [token["deps"] for token in tokens] == enhanced.deps


def test_drawings_mark_arcs_and_differences(client: TestClient) -> None:
    sentence = mp.sample()[30]
    fields = {"conllu": sentence.to_bytes().decode(), "format": "svg"}
    crossing = sentence.graph.crossing()
    assert crossing is not None
    marked = client.post("/api/draw", json=fields | {"highlight": [list(arc[:2]) for arc in crossing]}).text
    assert marked == visual.svg(visual.drawing_of(sentence, highlight=crossing))
    assert marked != client.post("/api/draw", json=fields).text
    gold = fields["conllu"].replace("\t11\tobj\t", "\t10\tobj\t")
    (other,) = mp.formats.reader.from_text(gold)
    compared = client.post("/api/draw", json=fields | {"gold": gold}).text
    assert compared == visual.svg(visual.drawing_of(sentence, gold=other)) != client.post("/api/draw", json=fields).text


def test_formats_are_converted_and_losses_counted(client: TestClient) -> None:
    corpus = mp.sample("conll09")
    found = post(client, "/api/convert", conllu=corpus.to_bytes().decode(), to="conllu")
    text, lost = convert(corpus, DIALECTS["conllu"])
    assert (found["conllu"].encode(), found["lost"]) == (text, dict(lost))
    assert found["lost"]


def test_crossings_are_counted_without_a_list() -> None:
    for seed in range(50):
        graph = random_graph(9, 12, seed)
        assert crossings(*graph.ends) == len(graph.crossings())


def test_a_sentence_whose_planes_take_too_long_has_no_number(client: TestClient) -> None:
    heads = [(7 * word * word) % 100 + 1 for word in range(1, 101)]
    heads = [0 if word == 1 else min(head, word - 1) or 1 for word, head in enumerate(heads, 1)]
    rows = "".join(f"{word}\tw\t_\t_\t_\t_\t{head}\tx\t_\t_\n" for word, head in enumerate(heads, 1))
    found = post(client, "/api/sentences", conllu=rows)["sentences"][0]
    assert found["properties"]["planarity"] is None or found["properties"]["planarity"] == len(found["planes"])


def test_other_formats_are_detected(client: TestClient) -> None:
    text = mp.sample("conll09").to_bytes().decode()
    found = post(client, "/api/sentences", conllu=text)["sentences"]
    assert found[0]["layers"] == ["syntax", "semantics"]
    assert found == post(client, "/api/sentences", conllu=text, format="conll09")["sentences"]
    assert client.post("/api/treebank", content=text).json()["format"] == "conll09"


def test_words_without_heads_and_scores_with_another_meaning_are_shown(client: TestClient) -> None:
    rows = "# score = nan\n1\tGo\t_\t_\t_\t_\t_\t_\t_\tScore=high\n\n"
    found = post(client, "/api/sentences", conllu=rows)["sentences"][0]
    assert found["tokens"][0]["head"] is None
    assert "score" not in found
    assert "score" not in found["tokens"][0]


@pytest.mark.parametrize(
    ("kind", "media_type"), [("svg", "image/svg+xml"), ("text", "text/plain"), ("tikz", "text/plain")]
)
def test_drawings_are_those_of_the_library(kind: str, media_type: str, client: TestClient) -> None:
    answer = client.post("/api/draw", json={"conllu": SAMPLE, "format": kind, "sentence": 30})
    assert answer.headers["content-type"].partition(";")[0] == media_type
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert answer.text == getattr(visual, kind)(visual.drawing_of(mp.sample()[30]))


def test_a_treebank_is_found_by_its_bytes(client: TestClient) -> None:
    broken = b"\n1\tGo\t_\t_\t_\t_\t9\troot\t_\t_\n\n"
    text = b"\xef\xbb\xbf" + SAMPLE.encode()[:1836] + broken + SAMPLE.encode()[1836:].replace(b"\n", b"\r\n")
    found = client.post("/api/treebank", content=text).json()
    corpus = mp.sample()
    assert (found["sentences"], found["words"]) == (65, 714)
    for number in (0, 2, 64):
        start = found["offset"][number]
        part = text[start : start + found["length"][number]].removeprefix(b"\xef\xbb\xbf")
        alone = post(client, "/api/sentences", conllu=part.decode())["sentences"][0]
        assert alone["sent_id"] == corpus[number].sent_id
        planes = found["planarity"][number]
        assert planes == alone["properties"]["planarity"]
    assert found["words_in"] == [len(sentence) for sentence in corpus]
    assert found["problems"][0]["message"].startswith("HEAD 9")
    names = found["flag_names"]
    flagged = {name: sum(bool(flags >> bit & 1) for flags in found["flags"]) for bit, name in enumerate(names)}
    assert flagged == {
        "non-projective": 35,
        "non-planar": 31,
        "not-2-planar": 3,
        "ill-nested": 3,
        "not-a-tree": 0,
        "without-heads": 0,
    }
    assert found["totals"]["nonplanar"] == 31
    assert found["totals"]["problems"] == 1


def test_a_treebank_without_trees_is_told_apart(client: TestClient) -> None:
    rows = b"1\tGo\t_\t_\t_\t_\t_\t_\t_\t_\n2\thome\t_\t_\t_\t_\t1\tx\t_\t_\n3\t!\t_\t_\t_\t_\t0\tx\t_\t_\n\n"
    found = client.post("/api/treebank", content=rows).json()
    assert found["flags"] == [1 << 4 | 1 << 5]


def test_a_packed_treebank_is_unpacked(client: TestClient) -> None:
    data = gzip.compress(SAMPLE.encode()) + gzip.compress(SAMPLE.encode())
    answer = client.post("/api/treebank", content=data, headers={"content-encoding": "gzip"})
    assert answer.json()["sentences"] == 130


@pytest.mark.measures
def test_fifty_thousand_sentences_take_a_few_seconds(client: TestClient) -> None:
    text = SAMPLE.encode() * 770
    began = time.process_time()
    assert client.post("/api/treebank", content=text).json()["sentences"] == 50_050
    assert time.process_time() - began < 10


def test_errors_of_a_model_are_counted(client: TestClient) -> None:
    gold = mp.sample()
    found = post(client, "/api/compare", gold=SAMPLE, model="en")
    system = mp.read_conllu(io.BytesIO(found["system"].encode()))
    assert found["scores"]["LAS"]["f1"] == mp.evaluate(gold, system).las
    for mine, theirs, row in zip(gold, system, found["sentences"], strict=True):
        assert row == {
            "words": len(mine),
            "wrong_heads": sum(a != b for a, b in zip(mine.heads, theirs.heads, strict=True)),
            "wrong_labels": sum(a != b for a, b in zip(mine.deprels, theirs.deprels, strict=True)),
        }


@pytest.mark.parametrize(
    ("path", "fields", "status", "says"),
    [
        ("/api/parse", {}, 400, "exactly one of these fields: text, conllu"),
        ("/api/parse", {"text": "Go.", "conllu": ""}, 400, "exactly one"),
        ("/api/parse", {"text": 3}, 400, "'text' must be a string, not a number"),
        ("/api/parse", {"text": "Go.", "modle": "en"}, 400, "unknown field 'modle'"),
        ("/api/parse", {"text": "Go.", "best": 0}, 400, "at least 1"),
        ("/api/parse", {"text": "Go.", "best": 10**30}, 400, "at most 64"),
        ("/api/parse", {"text": "Go.", "beam": True}, 400, "a whole number"),
        ("/api/parse", {"text": "Go.", "scores": "yes"}, 400, "true or false"),
        ("/api/parse", {"text": "Go.", "model": "xx"}, 404, "there is no model 'xx'; available: en, pt"),
        ("/api/parse", {"conllu": "1\tGo\n"}, 422, "line 1"),
        ("/api/parse", {"conllu": "", "format": "xml"}, 400, "must be one of conllu"),
        ("/api/sentences", {"conllu": "\n\n1\tGo\t_\t_\t_\t_\t9\tx\t_\t_\n"}, 422, "line 3"),
        ("/api/draw", {"conllu": SAMPLE, "format": "pdf"}, 400, "svg, tikz, text"),
        ("/api/draw", {"conllu": SAMPLE, "format": "svg", "sentence": 65}, 422, "there is no sentence 65"),
        ("/api/draw", {"conllu": SAMPLE, "format": "svg", "layer": "semantics"}, 422, ""),
        ("/api/draw", {"conllu": SAMPLE, "format": "svg", "highlight": [[1]]}, 400, "pairs: head, dependent"),
        ("/api/draw", {"conllu": SAMPLE, "format": "svg", "highlight": [[9, 9]]}, 422, "is not in the drawing"),
        ("/api/draw", {"conllu": SAMPLE, "format": "svg", "gold": ""}, 422, "no sentence 0 in 'gold', which has 0"),
        ("/api/convert", {"conllu": SAMPLE, "to": "xml"}, 400, "must be one of conllu"),
        ("/api/compare", {"gold": SAMPLE, "system": SAMPLE[:518]}, 422, ""),
        ("/api/compare", {"gold": SAMPLE}, 400, "system, model"),
    ],
)
def test_wrong_requests_are_explained(
    path: str, fields: dict[str, Any], status: int, says: str, client: TestClient
) -> None:
    answer = client.post(path, content=json.dumps(fields))
    assert answer.status_code == status, answer.text
    assert says in answer.json()["error"]
    assert answer.headers["access-control-allow-origin"] == "*"


def test_a_broken_sentence_has_its_line(client: TestClient) -> None:
    answer = client.post("/api/parse", json={"conllu": SAMPLE + "1\tGo\t_\t_\t_\t_\t9\tx\t_\t_\n"})
    assert answer.json()["line"] == SAMPLE.count("\n") + 1


def test_unknown_paths_and_methods_are_explained(client: TestClient) -> None:
    assert client.get("/nothing").status_code == 404
    message = client.get("/healthz").json()["error"]
    for path in ("/openapi.json", "/models", "/process", "/health/live", "/health/ready", "/metrics"):
        assert path in message
        assert client.get(path).status_code != 404
    answer = client.get("/api/parse")
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
    assert client.get("/health/nothing").status_code == 404


def test_the_openapi_document_describes_every_endpoint(client: TestClient) -> None:
    document = client.get("/openapi.json").json()
    assert document["openapi"].startswith("3.1")
    assert set(document["paths"]) == {each.path for each in ENDPOINTS}
    body = document["paths"]["/api/parse"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert body["properties"]["best"] == {
        "type": "integer",
        "minimum": 1,
        "maximum": 64,
        "description": "The number of trees per sentence.",
    }
    assert body["additionalProperties"] is False


def test_the_page_allows_nothing_from_elsewhere(client: TestClient) -> None:
    for path in ("/", "/static/index.html"):
        answer = client.get(path)
        assert answer.headers["content-type"].startswith("text/html")
        assert answer.headers["content-security-policy"].startswith("default-src 'self';")
        assert "unsafe" not in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        again = client.get(path, headers={"if-none-match": answer.headers["etag"]})
        assert (again.status_code, again.headers["cache-control"]) == (304, "no-cache")


@pytest.mark.parametrize(
    "path", ["/static/../app.py", "/static/..%2fapp.py", "/static/%2e%2e/app.py", "/static//etc/passwd"]
)
def test_no_other_file_is_served(path: str, client: TestClient) -> None:
    assert client.get(path).status_code == 404


def test_the_page_is_part_of_the_package() -> None:
    assert (Path(mp.__file__).parent / "server" / "static" / "index.html").is_file()


def test_health_and_metrics(client: TestClient) -> None:
    assert client.get("/health").json() == {"status": "ok", "models": ["en", "pt"]}
    assert client.get("/health/live").status_code == client.get("/health/ready").status_code == 200
    post(client, "/api/parse", text=TEXT)
    lines = client.get("/metrics").text.splitlines()
    values = dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    assert float(values['multiplane_requests_total{path="/api/parse",status="200"}']) >= 1
    assert float(values["multiplane_words_total"]) >= 10
    assert float(values["multiplane_resident_memory_bytes"]) > 1e7
    counts = [
        float(values[name]) for name in values if name.startswith('multiplane_request_seconds_bucket{path="/health"')
    ]
    assert counts == sorted(counts)
    assert counts[-1] == float(values['multiplane_request_seconds_count{path="/health"}'])
