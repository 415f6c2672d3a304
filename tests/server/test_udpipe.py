"""UDPipe's REST contract, with the requests that its clients send."""

import email.mime.multipart
import email.mime.nonmultipart
import email.policy
import io
import json
import unicodedata
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from starlette.testclient import TestClient

import multiplane as mp
from multiplane.server.models import Models

TEXT = "The committee didn't publish its report. Go home!"
PARTS = "multipart/form-data; boundary=x"
STEPS = {"tokenizer": "", "tagger": "", "parser": ""}


def read(result: str) -> mp.Corpus:
    return mp.read_conllu(io.BytesIO(result.encode()))


def multipart_of_udpipes_client(parameters: dict[str, str]) -> tuple[bytes, str]:
    """The body that UDPipe's own Python client makes, by the library for e-mail."""
    message = email.mime.multipart.MIMEMultipart("form-data", policy=email.policy.HTTP)
    for name, value in parameters.items():
        part = email.mime.nonmultipart.MIMENonMultipart("text", "plain")
        part.add_header("Content-Disposition", f'form-data; name="{name}"')
        part.add_header("Content-Transfer-Encoding", "8bit")
        part.set_payload(value, charset="utf-8")
        message.attach(part)
    return message.as_bytes().split(b"\r\n\r\n", maxsplit=1)[1], message["Content-Type"]


def curl_form(parameters: dict[str, str], file: str) -> tuple[bytes, str]:
    """The body of `curl -F data=@file -F model=english …`."""
    edge = "------------------------d74496d66958873e"
    parts = [
        f'Content-Disposition: form-data; name="data"; filename="{file}"\r\nContent-Type: text/plain\r\n\r\n{TEXT}'
    ]
    parts += [f'Content-Disposition: form-data; name="{name}"\r\n\r\n{value}' for name, value in parameters.items()]
    body = "".join(f"--{edge}\r\n{part}\r\n" for part in parts) + f"--{edge}--\r\n"
    return body.encode(), f"multipart/form-data; boundary={edge}"


def recorded(client: TestClient, style: str) -> Any:
    given = STEPS | {"model": "english", "data": TEXT}
    if style == "GET query, as deplacy":
        return client.get(f"/process?model=en&tokenizer&tagger&parser&data={quote(TEXT)}")
    if style == "urlencoded POST":
        headers = {"content-type": "application/x-www-form-urlencoded"}
        return client.post("/process", content=urlencode(given), headers=headers)
    if style == "UDPipe's Python client":
        body, kind = multipart_of_udpipes_client({"input": "conllu", "output": "conllu"} | given)
    else:
        body, kind = curl_form(STEPS | {"model": "english-ewt-ud-2.12-230717"}, "text.txt")
    return client.post("/process", content=body, headers={"content-type": kind})


@pytest.mark.parametrize(
    "style", ["UDPipe's Python client", "urlencoded POST", "GET query, as deplacy", "curl -F with a file"]
)
def test_every_client_gets_trees(style: str, client: TestClient) -> None:
    answer = recorded(client, style)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.headers["x-billing-input-nfc-len"] == str(len(TEXT))
    found = answer.json()
    assert set(found) == {"model", "acknowledgements", "result"}
    assert found["model"] == "en"
    corpus = read(found["result"])
    parsed = mp.load("en").parse(TEXT)
    assert [(s.forms, s.upos, s.heads, s.deprels) for s in corpus] == [
        (s.forms, s.upos, s.heads, s.deprels) for s in parsed
    ]
    assert corpus[0].comment("generator") == f"multiplane {mp.__version__}"
    assert corpus[0].comment("udpipe_model") == "en"
    assert (corpus[0].comment("udpipe_model_licence") or "").startswith("CC BY-SA 4.0")
    assert corpus[0].text == "The committee didn't publish its report."


def process(client: TestClient, **parameters: str) -> str:
    answer = client.post("/process", data=parameters)
    assert answer.status_code == 200, answer.text
    return str(answer.json()["result"])


@pytest.mark.parametrize("path", ["/process", "/api/process", "/services/udpipe/api/process"])
def test_the_address_of_a_client_may_have_the_prefix_of_the_service(path: str, client: TestClient) -> None:
    assert read(client.get(f"{path}?tokenizer=&parser=&data=Go.").json()["result"])[0].heads == [0, 1]


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("path", ["/models", "/services/udpipe/api/models"])
def test_models_are_listed_with_what_they_do(method: str, path: str, client: TestClient) -> None:
    answer = client.request(method, path)
    steps = ["tokenizer", "tagger", "parser"]
    assert answer.json() == {"models": {"en": steps, "pt": steps}, "default_model": "en"}


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("en", "en"),
        ("english", "en"),
        ("english-ewt", "en"),
        ("english-ewt-ud-2.16", "en"),
        ("english-ewt-ud-2.15-241121", "en"),
        ("English", "en"),
        ("pt", "pt"),
        ("portuguese", "pt"),
        ("portuguese-bosque-ud-2.12-230717", "pt"),
    ],
)
def test_models_have_the_names_that_clients_use(name: str, found: str, models: Models) -> None:
    assert models.find(name).name == found


@pytest.mark.parametrize("name", ["english-gum-ud-2.16", "eng", "english-", "czech", "../en", "x" * 10_000, "\u202e"])
def test_another_model_is_never_taken_instead(name: str, client: TestClient) -> None:
    answer = client.post("/process", data={"model": name, "data": "Go.", **STEPS})
    assert answer.status_code == 400
    assert answer.headers["content-type"].startswith("text/plain")
    assert "available: en, pt" in answer.text
    assert len(answer.text) < 300


def test_only_the_steps_that_are_asked_for_are_done(client: TestClient) -> None:
    def columns(**steps: str) -> tuple[set[str], set[str]]:
        corpus = read(process(client, data=TEXT, tokenizer="", **steps))
        return set(corpus.column("upos")), set(corpus.column("deprel"))

    tags, labels = columns(tagger="", parser="")
    assert "_" not in tags | labels
    assert columns() == ({"_"}, {"_"})
    assert columns(tagger="") == (tags, {"_"})
    assert columns(parser="") == ({"_"}, labels)
    assert columns(parser="", tagger="none") == ({"_"}, labels)
    assert columns(parser="none", tagger="yes") == (tags, {"_"})
    assert read(process(client, data=TEXT, tokenizer="", tagger=""))[0].heads == [-1] * 8


def test_given_tags_and_trees_are_replaced_only_by_their_steps(client: TestClient) -> None:
    given = "1\tGo\tgo\tX\tX\t_\t2\tx\t_\t_\n2\thome\thome\tX\tX\t_\t0\ty\t_\tKept=1\n\n"
    tagged = read(process(client, data=given, tagger=""))[0]
    assert "X" not in tagged.upos
    assert (tagged.heads, tagged.deprels, tagged.misc) == ([2, 0], ["x", "y"], ["_", "Kept=1"])
    parsed = read(process(client, data=given, parser=""))[0]
    assert parsed.upos == ["X", "X"]
    assert parsed.heads == [0, 1]
    assert read(process(client, data=given))[0].heads == [2, 0]


def test_tokenizer_options(client: TestClient) -> None:
    def texts(options: str) -> list[str | None]:
        return [s.text for s in read(process(client, data="One two.\nThree. Four", tokenizer=options))]

    assert texts("presegmented") == ["One two.", "Three. Four"]
    assert texts("") == texts("normalized_spaces") == ["One two.", "Three.", "Four"]
    corpus = read(process(client, data="Go,\nJo", tokenizer="presegmented;ranges"))
    assert corpus.column("misc") == ["SpaceAfter=No|TokenRange=0:2", "TokenRange=2:3", "TokenRange=4:6"]


def test_input_formats(client: TestClient) -> None:
    horizontal = process(client, input="horizontal", data="It 's late .\n\nNew\u00a0York !", parser="")
    assert [s.forms for s in read(horizontal)] == [["It", "'s", "late", "."], ["New York", "!"]]
    vertical = process(client, input="vertical", data="Go\tVERB\nhome\r\n\n\nStay\n")
    assert [s.forms for s in read(vertical)] == [["Go", "home"], ["Stay"]]
    assert [s.sent_id for s in read(vertical)] == ["1", "2"]
    plain = process(client, input="generic_tokenizer=presegmented", data="Go. Stay.\nWait.")
    assert [len(s) for s in read(plain)] == [4, 2]


def test_output_formats(client: TestClient) -> None:
    given = {"data": "It's late. Go home!", "tokenizer": ""}
    assert process(client, output="horizontal", **given) == "It 's late .\nGo home !\n"
    assert process(client, output="vertical", **given) == "It\n's\nlate\n.\n\nGo\nhome\n!\n\n"
    assert process(client, output="plaintext", **given) == "It's late.\nGo home!\n"
    assert process(client, output="plaintext=normalized_spaces", data="", tokenizer="") == ""
    assert process(client, output="conllu=v2", **given) == process(client, **given)


def test_input_is_composed_before_it_is_counted(client: TestClient) -> None:
    text = unicodedata.normalize("NFD", "Café.")
    answer = client.post("/process", data={"data": text, "tokenizer": ""})
    assert answer.headers["x-billing-input-nfc-len"] == "5"
    assert read(answer.json()["result"])[0].forms[0] == "Café"


@pytest.mark.parametrize(
    ("parameters", "says"),
    [
        ({}, "'data' is required"),
        ({"data": "Go.", "tokenizer": "", "output": "matxin"}, "unknown output format 'matxin'"),
        ({"data": "Go.", "input": "xml"}, "unknown input format 'xml'"),
        ({"data": "1\tGo\n"}, "line 1"),
        ({"data": "a " * 1_001, "tokenizer": "presegmented"}, "split the sentence"),
    ],
)
def test_a_bad_request_is_explained_in_plain_text(parameters: dict[str, str], says: str, client: TestClient) -> None:
    answer = client.post("/process", data=parameters)
    assert answer.status_code == 400
    assert answer.headers["content-type"].startswith("text/plain")
    assert answer.headers["access-control-allow-origin"] == "*"
    assert says in answer.text


@pytest.mark.parametrize(
    ("body", "kind", "says"),
    [
        (b"{}", "application/json", "send the parameters as"),
        (b"data=%FF", "application/x-www-form-urlencoded", "invalid UTF-8"),
        (b"data=\xff", "application/x-www-form-urlencoded", "invalid UTF-8"),
        (b"&".join(b"a=1" for _ in range(200)), "application/x-www-form-urlencoded", "more than 100 parameters"),
        (b"--x\r\n", "multipart/form-data", "multipart/form-data"),
        (b"nonsense", PARTS, "multipart/form-data"),
        (
            b'--x\r\nContent-Disposition: form-data; name="data"\r\n\r\n\xff\r\n--x--',
            PARTS,
            "UTF-8",
        ),
        (
            b'--x\r\nContent-Disposition: form-data; name="data"\r\n\r\ncut off',
            PARTS,
            "'data'",
        ),
    ],
)
def test_a_body_that_cannot_be_read_is_refused(body: bytes, kind: str, says: str, client: TestClient) -> None:
    answer = client.post("/process", content=body, headers={"content-type": kind})
    assert answer.status_code == 400
    assert says in answer.text


def test_raw_utf_8_in_addresses_and_forms_is_understood(client: TestClient) -> None:
    headers = {"content-type": "application/x-www-form-urlencoded"}  # as curl -d sends it
    answer = client.post("/process", content="data=Příliš&tokenizer=".encode(), headers=headers)
    assert read(answer.json()["result"])[0].forms == ["Příliš"]


def test_a_browser_on_another_page_may_ask(client: TestClient) -> None:
    answer = client.options("/process", headers={"origin": "http://a", "access-control-request-method": "POST"})
    assert answer.status_code == 204
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "POST" in answer.headers["access-control-allow-methods"]


def test_answers_are_json_that_other_programs_read(client: TestClient) -> None:
    answer = client.post("/process", data={"data": "\u2028 </script> \ufeff\U0001f600", "tokenizer": ""})
    assert json.loads(answer.content.decode())["result"]
