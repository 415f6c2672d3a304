"""UDPipe's REST contract: `/models` and `/process`, as clients of the LINDAT service use them."""

from __future__ import annotations

import unicodedata
from typing import NamedTuple
from urllib.parse import parse_qsl

import numpy as np
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import Field as FormField
from python_multipart.multipart import File, FormParser, parse_options_header
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from multiplane.errors import MultiplaneError
from multiplane.formats import DIALECTS, Corpus
from multiplane.formats.corpus import indexed
from multiplane.formats.rewrite import NewColumn, with_columns
from multiplane.parser.results import How
from multiplane.server.bodies import Bodies
from multiplane.server.models import ServedModel
from multiplane.server.problems import RequestError, as_request_error
from multiplane.server.sentences import require_short, text_of
from multiplane.server.service import Service
from multiplane.text import corpus_of_text
from multiplane.version import __version__

# A client asks for process and models below an address that its user can choose: that of this server, the same with
# /api, or with the path of the LINDAT service. GET /api/models is the JSON API's own.
_PREFIXES = ("", "/services/udpipe/api")
PROCESS = (*(f"{prefix}/process" for prefix in _PREFIXES), "/api/process")
MODELS = tuple(f"{prefix}/models" for prefix in _PREFIXES)
PATHS = (*PROCESS, *MODELS)
GENERATOR = f"multiplane {__version__}"
_INPUTS = ("conllu", "generic_tokenizer", "horizontal", "vertical")
_OUTPUTS = ("conllu", "horizontal", "plaintext", "vertical")
_MOST_FIELDS = 100
_OFF = "none"


class _Options(NamedTuple):
    """A format or a step with its options, such as `tokenizer=presegmented;ranges`."""

    name: str
    options: frozenset[str]

    @classmethod
    def of(cls, text: str) -> _Options:
        name, _, options = text.partition("=")
        return cls(name, options_in(options))


def options_in(text: str) -> frozenset[str]:
    """Returns the options in a text; those that are not known have no effect, as with UDPipe.

    >>> sorted(options_in("ranges;presegmented=1"))
    ['presegmented', 'ranges']
    """
    parts = (part.partition("=") for part in text.split(";"))
    return frozenset(name.strip() for name, _, value in parts if value.strip().lower() not in ("0", "no", "false"))


class Contract:
    """Answers UDPipe's clients."""

    def __init__(self, service: Service, bodies: Bodies) -> None:
        self._service = service
        self._bodies = bodies

    async def models(self, request: Request) -> Response:
        """Lists the models, and what each of them does."""
        found = {model.name: _steps(model) for model in self._service.models.served}
        return JSONResponse({"models": found, "default_model": next(iter(found))})

    async def process(self, request: Request) -> Response:
        """Tokenizes, tags and parses."""
        async with self._bodies.reading(request, self._service.limits.body) as body:
            try:
                return await self._answered(_parameters(request, body))
            except MultiplaneError as error:
                raise _as_bad_request(error) from None

    async def _answered(self, given: dict[str, str]) -> Response:
        if "data" not in given:
            raise RequestError(400, "the parameter 'data' is required")
        data = unicodedata.normalize("NFC", given["data"])
        model = self._service.models.find(given.get("model") or None)
        output = _Options.of(given.get("output", "conllu"))
        if output.name not in _OUTPUTS:
            raise RequestError(400, f"unknown output format '{output.name[:40]}'; known: {', '.join(_OUTPUTS)}")
        corpus = await self._read(model, data, given)
        corpus = await self._processed(model, corpus, _is_on(given, "tagger"), _is_on(given, "parser"))
        result = await self._service.in_thread(lambda: written(corpus, output.name, model))
        return JSONResponse(
            {"model": model.name, "acknowledgements": [f"trained on: {model.licence}"], "result": result},
            headers={"X-Billing-Input-NFC-Len": str(len(data))},
        )

    async def _read(self, model: ServedModel, data: str, given: dict[str, str]) -> Corpus:
        source = _Options.of(given.get("input", "conllu"))
        if _is_on(given, "tokenizer"):
            source = _Options("generic_tokenizer", options_in(given["tokenizer"]))
        if source.name not in _INPUTS:
            raise RequestError(400, f"unknown input format '{source.name[:40]}'; known: {', '.join(_INPUTS)}")
        if source.name == "generic_tokenizer":
            tokenizer = model.parser._tokenizer(None)
            lines, ranges = "presegmented" in source.options, "ranges" in source.options
            work = lambda: corpus_of_text(data, tokenizer, "<data>", lines=lines, ranges=ranges)  # noqa: E731
        elif source.name == "conllu":
            work = lambda: indexed(data.encode(), DIALECTS["conllu"], "<data>", "fail")  # noqa: E731
        else:
            work = lambda: corpus_of_words(data, vertical=source.name == "vertical")  # noqa: E731
        corpus = await self._service.in_thread(work)
        require_short(corpus, self._service.limits.words)
        return corpus

    async def _processed(self, model: ServedModel, corpus: Corpus, tag: bool, parse: bool) -> Corpus:
        """Returns the corpus with tags, trees, both or neither."""
        columns = model.parser.model.predicted_columns
        if tag and not columns:
            raise RequestError(400, f"the model '{model.name}' has no tagger; omit the parameter 'tagger'")
        if not (tag or parse) or not len(corpus):
            return corpus
        parsed = await self._service.parsed(model.parser, corpus, How(predict=columns if tag else ()))
        return parsed if parse else await self._service.in_thread(lambda: _with_trees_of(corpus, parsed))


def _steps(model: ServedModel) -> list[str]:
    tagger = ["tagger"] if model.parser.model.predicted_columns else []
    return [*(["tokenizer"] if model.reads_text else []), *tagger, "parser"]


def _is_on(given: dict[str, str], step: str) -> bool:
    return step in given and given[step] != _OFF


def _as_bad_request(error: MultiplaneError) -> RequestError:
    """Returns an error as UDPipe's server would: the request was bad, unless a limit is this server's own."""
    found = as_request_error(error)
    return RequestError(400, str(found)) if found.status in (404, 422) else found


def _parameters(request: Request, body: bytes) -> dict[str, str]:
    """Returns the parameters of the query and the body, whichever way the client sends them."""
    given = _urlencoded(request.scope["query_string"], "the address")
    kind, options = parse_options_header(request.headers.get("content-type"))
    if request.method == "GET" or not body:
        return given
    if kind == b"multipart/form-data":
        return given | _multipart(body, options.get(b"boundary"))
    if kind == b"application/x-www-form-urlencoded":
        return given | _urlencoded(body, "the body")
    raise RequestError(400, "send the parameters as multipart/form-data or application/x-www-form-urlencoded")


def _urlencoded(text: bytes, where: str) -> dict[str, str]:
    """Returns parameters, of which some clients escape all characters and others only a few."""
    try:
        pairs = parse_qsl(
            text.decode("latin-1"), keep_blank_values=True, encoding="latin-1", max_num_fields=_MOST_FIELDS
        )
    except ValueError:
        raise RequestError(400, f"{where} has more than {_MOST_FIELDS} parameters") from None
    return {name: _utf8(name, value.encode("latin-1")) for name, value in pairs}


def _utf8(name: str, value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError as error:
        where = f"the parameter '{name[:40]}'"
        raise RequestError(400, f"{where} has invalid UTF-8 at byte {error.start:,}; send UTF-8") from None


def _multipart(body: bytes, boundary: bytes | None) -> dict[str, str]:
    found: dict[str, str] = {}

    def on_field(field: FormField) -> None:
        add(field.field_name, field.value or b"")

    def on_file(file: File) -> None:
        file.file_object.seek(0)
        add(file.field_name, file.file_object.read())

    def add(name: bytes | None, value: bytes) -> None:
        if len(found) > _MOST_FIELDS:
            raise RequestError(400, f"more than {_MOST_FIELDS} parameters")
        if name:
            shown = name.decode(errors="replace")
            found[shown] = _utf8(shown, value)

    try:
        parser = FormParser(
            "multipart/form-data", on_field, on_file, boundary=boundary, config={"MAX_MEMORY_FILE_SIZE": len(body) + 1}
        )
        parser.write(body)
        parser.finalize()
        parser.close()
    except FormParserError:
        raise RequestError(400, "cannot read the body as multipart/form-data") from None
    return found


def corpus_of_words(data: str, *, vertical: bool) -> Corpus:
    r"""Returns sentences whose words are given, one per line or, if not `vertical`, separated by spaces.

    A word of a line ends at a tab; a no-break space in a line of words is a space within a word.

    >>> [sentence.forms for sentence in corpus_of_words("It 's late .\nGo !\n", vertical=False)]
    [['It', "'s", 'late', '.'], ['Go', '!']]
    >>> corpus_of_words("Go\tVERB\n!\n\nStay\n", vertical=True).column("form")
    ['Go', '!', 'Stay']
    """
    lines = data.replace("\0", " ").split("\n")
    if vertical:
        rows: list[list[str]] = [[]]
        for line in lines:
            form = line.partition("\t")[0].strip()
            if form:
                rows[-1].append(form)
            elif rows[-1]:
                rows.append([])
    else:
        rows = [[form.replace("\u00a0", " ") for form in _words(line)] for line in lines]
    forms = [row for row in rows if row]
    return Corpus.from_columns(
        forms=forms,
        sent_ids=[str(number) for number in range(1, len(forms) + 1)],
        comments=[[f"# text = {' '.join(row)}"] for row in forms],
        name="<data>",
    )


def _words(line: str) -> list[str]:
    return [word for word in line.replace("\t", " ").replace("\r", " ").split(" ") if word]


def _with_trees_of(corpus: Corpus, parsed: Corpus) -> Corpus:
    """Returns the parsed corpus with the heads and labels of the other one."""
    labels = corpus.column("deprel")
    place = {label: number for number, label in enumerate(dict.fromkeys(labels))}
    values = np.fromiter(map(place.__getitem__, labels), np.int32, len(labels))
    return with_columns(parsed, [NewColumn("head", corpus.heads), NewColumn("deprel", values, list(place))])


def written(corpus: Corpus, output: str, model: ServedModel) -> str:
    """Returns a corpus in one of UDPipe's formats.

    >>> from multiplane import sample
    >>> from multiplane.server.models import Models
    >>> written(sample(), "horizontal", Models(["en"]).find("en")).splitlines()[2]
    'A petition was circulated against the decision last week .'
    """
    if output == "conllu":
        about = {"generator": GENERATOR, "udpipe_model": model.name, "udpipe_model_licence": model.licence}
        comments = "".join(f"# {name} = {value}\n" for name, value in about.items())
        return comments + corpus.to_bytes().decode().removeprefix("\ufeff") if len(corpus) else ""
    if output == "plaintext":
        return "".join(text_of(sentence) + "\n" for sentence in corpus)
    rows = [[form.replace(" ", "\u00a0") for form in sentence.forms] for sentence in corpus]
    if output == "horizontal":
        return "".join(" ".join(row) + "\n" for row in rows)
    return "".join("\n".join(row) + "\n\n" for row in rows)
