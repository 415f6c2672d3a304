"""Sets comments of sentences: lines such as `# score = 0.93`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from multiplane.formats.corpus import Corpus, indexed

_BOM = b"\xef\xbb\xbf"


def with_comments(corpus: Corpus, comments: Sequence[Mapping[str, str | None]]) -> Corpus:
    r"""Returns the corpus with these comments, by sentence and name; they replace comments of the same name.

    New comments are added after existing ones; None removes a comment. All other bytes are unchanged; broken sentences
    that were skipped are missing.

    >>> from multiplane.formats.reader import from_text
    >>> corpus = from_text("# sent_id = a\n# go\n1\tGo\t_\t_\t_\t_\t0\troot\t_\t_\n")
    >>> new = {"score": "0.9", "sent_id": "b", "go": None}
    >>> print(with_comments(corpus, [new]).to_bytes().decode().replace("\t", " ").strip())
    # sent_id = b
    # score = 0.9
    1 Go _ _ _ _ 0 root _ _
    """
    if corpus.problems:
        corpus = indexed(corpus.to_bytes(), corpus.dialect, corpus.name, "fail")
    lines = corpus._text.split(b"\n")
    pieces: list[bytes] = []
    done = 0
    for sentence, new in zip(corpus, comments, strict=True):
        first = sentence.line - corpus._lines_before - 1
        last = first
        while lines[last].removeprefix(_BOM).startswith(b"#"):
            last += 1
        pieces += [*lines[done:first], *_new_comments(lines[first:last], new, lines[last])]
        done = last
    text = b"\n".join([*pieces, *lines[done:]])
    return indexed(text, corpus.dialect, corpus.name, "fail", corpus._lines_before, corpus._sentences_before)


def _new_comments(old: list[bytes], new: Mapping[str, str | None], word: bytes) -> list[bytes]:
    """Returns the comments of a sentence with new ones; `word` is the line after them."""
    mark = _BOM if old and old[0].startswith(_BOM) else b""
    end = b"\r" if word.endswith(b"\r") else b""
    left = dict(new)
    found = []
    for line in old:
        name = line.removeprefix(mark)[1:].partition(b"=")[0].strip().decode(errors="replace")
        if name not in new:
            found.append(line.removeprefix(mark))
        elif (value := left.pop(name, None)) is not None:
            found.append(_line(name, value, end))
    found += [_line(name, value, end) for name, value in left.items() if value is not None]
    return [mark + found[0], *found[1:]] if found else []


def _line(name: str, value: str, end: bytes) -> bytes:
    return f"# {name} = {value}".encode() + end
