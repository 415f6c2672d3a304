"""What goes wrong with a request, and the status that says so."""

from __future__ import annotations

from multiplane.errors import FormatError, MultiplaneError, visible


class RequestError(MultiplaneError):
    """A request that cannot be answered, with its HTTP status.

    >>> RequestError(404, "no such model").status
    404
    """

    def __init__(self, status: int, message: str, *, line: int | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.line = line
        """The line of the input that is wrong, if it is known."""

    @property
    def shown(self) -> str:
        r"""The message without characters that act on a terminal or that cannot be sent.

        >>> RequestError(400, "\x1b[2J \ud800").shown
        '\\x1b[2J \\ud800'
        """
        return visible(str(self)).encode(errors="backslashreplace").decode()

    def to_json(self) -> dict[str, str | int]:
        """Returns the body of the answer.

        >>> RequestError(422, "no such head", line=3).to_json()
        {'error': 'no such head', 'line': 3}
        """
        body: dict[str, str | int] = {"error": self.shown}
        return body if self.line is None else body | {"line": self.line}


def as_request_error(error: MultiplaneError) -> RequestError:
    """Returns the answer to a request whose content is wrong.

    >>> as_request_error(FormatError("no such head", file="<conllu>", line=3, sent_id="s1")).to_json()
    {'error': 'line 3: s1: no such head', 'line': 3}
    """
    if isinstance(error, RequestError):
        return error
    if isinstance(error, KeyError):  # an unknown name
        return RequestError(404, str(error))
    if isinstance(error, FormatError):
        return RequestError(422, f"line {error.line}: {error.sent_id}: {error.what}", line=error.line)
    return RequestError(422, str(error))
