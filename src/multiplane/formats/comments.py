"""Sets comments of sentences: lines such as `# score = 0.93`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from multiplane.formats.corpus import Corpus, indexed

_BOM = b"\xef\xbb\xbf"


def with_comments(corpus: Corpus, comments: Sequence[Mapping[str, str]]) -> Corpus:
    r"""Returns the corpus with these comments, by sentence and name; they replace comments of the same name.

    New ones come after all comments that a sentence has. Every other byte stays; skipped broken sentences are missing.

    >>> from multiplane.formats.reader import from_text
    >>> corpus = from_text("# sent_id = a\n# go\n1\tGo\t_\t_\t_\t_\t0\troot\t_\t_\n")
    >>> print(with_comments(corpus, [{"score": "0.9", "sent_id": "b"}]).to_bytes().decode().replace("\t", " ").strip())
    # sent_id = b
    # go
    # score = 0.9
    1 Go _ _ _ _ 0 root _ _
    """
    if corpus.problems:
        corpus = indexed(corpus.to_bytes(), corpus.dialect, corpus.name, "fail")
    lines = corpus._text.split(b"\n")
    for sentence, new in zip(corpus, comments, strict=True):
        _set(lines, sentence.line - corpus._lines_before - 1, new)
    before = corpus._lines_before, corpus._sentences_before
    return indexed(b"\n".join(lines), corpus.dialect, corpus.name, "fail", *before)


def _set(lines: list[bytes], at: int, new: Mapping[str, str]) -> None:
    """Sets the comments of the sentence that begins at a line; every element of `lines` may become several lines."""
    mark = _BOM if lines[at].startswith(_BOM) else b""
    lines[at] = lines[at][len(mark) :]
    end = b"\r" if lines[at].endswith(b"\r") else b""
    left = dict(new)
    first = at
    while lines[at].startswith(b"#"):
        name = lines[at][1:].partition(b"=")[0].strip().decode(errors="replace")
        if b"=" in lines[at] and name in left:
            lines[at] = _line(name, left.pop(name), end)
        at += 1
    lines[at] = b"\n".join([*(_line(name, value, end) for name, value in left.items()), lines[at]])
    lines[first] = mark + lines[first]


def _line(name: str, value: str, end: bytes) -> bytes:
    return f"# {name} = {value}".encode() + end
