"""Edits of sentences: checked immediately, and applied to the bytes of the file when these are needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from multiplane.errors import ColumnError, GraphError, LayerError
from multiplane.formats.fields import EMPTY, FORBIDDEN, FORBIDDEN_ADVICE, NUMBER
from multiplane.messages import counted

if TYPE_CHECKING:
    from multiplane.formats.corpus import Corpus, OnError
    from multiplane.formats.sentence import Sentence

_NAMES = {"forms": "form", "lemmas": "lemma", "heads": "head", "deprels": "deprel"}
"""The names of columns that `Corpus.from_columns` and `Sentence` have in the plural."""


class Draft:
    """The edits of a sentence; everything else stays in the text of its corpus."""

    __slots__ = ("_made", "columns", "comments", "heads")

    def __init__(self) -> None:
        self.columns: dict[str, list[str]] = {}
        self.heads: list[int] | None = None
        self.comments: dict[str, str | None] = {}
        self._made: Sentence | None = None

    def column(self, name: str) -> list[str] | None:
        """Returns a column if it was edited."""
        if name == "head" and self.heads is not None:
            return [EMPTY if head < 0 else str(head) for head in self.heads]
        return self.columns.get(name)

    def changed(self) -> None:
        """Marks the draft as changed."""
        self._made = None

    def sentence(self, original: Sentence) -> Sentence:
        """Returns the edited sentence as a standalone one."""
        if self._made is None:
            self._made = self._make(original)
        return self._made

    def _make(self, original: Sentence) -> Sentence:
        from multiplane.formats.comments import with_comments  # noqa: PLC0415 - which read corpora
        from multiplane.formats.rewrite import NewColumn, with_columns  # noqa: PLC0415

        places = np.arange(len(original), dtype=np.int32)
        new = [NewColumn(name, places, values) for name, values in self.columns.items()]
        if self.heads is not None:
            new.append(NewColumn("head", np.array(self.heads, np.int32)))
        corpus = with_columns(original._stored_alone(), new)
        return (with_comments(corpus, [self.comments]) if self.comments else corpus)[0]


def set_field(sentence: Sentence, name: str, word: int, value: str | None) -> None:
    """Sets a field of a word, counted from 1; None and the empty string are written as `_`."""
    field = _checked_field(sentence, name, word, value)
    if name == "deps":
        _check_deps(sentence, word, field)
    draft = _draft(sentence)
    if name not in draft.columns:
        draft.columns[name] = sentence.column(name)
    draft.columns[name][word - 1] = field
    _changed(sentence, draft)


def set_head(sentence: Sentence, word: int, head: int) -> None:
    """Sets the head of a word; both are counted from 1, 0 is the root, and -1 means no head."""
    heads = sentence.heads
    heads[word - 1] = _checked_head(sentence, word, head)
    _set_heads(sentence, heads)


def update(sentence: Sentence, columns: Mapping[str, Sequence[Any] | None]) -> None:
    """Replaces whole columns; changes nothing if one of them is invalid."""
    new: dict[str, list[str]] = {}
    heads: list[int] | None = None
    for key, values in columns.items():
        name = _NAMES.get(key, key)
        if values is None:
            continue
        _require_column(sentence, name)
        _check_size(sentence, key, values)
        if name == "head":
            heads = [_checked_head(sentence, word, value) for word, value in enumerate(values, 1)]
        else:
            new[name] = [_checked_field(sentence, name, word, value) for word, value in enumerate(values, 1)]
    if heads is not None:
        _check_cycle(sentence, heads)
    for word, field in enumerate(new.get("deps", ()), 1):
        _check_deps(sentence, word, field)
    draft = _draft(sentence)
    draft.columns |= new
    draft.heads = draft.heads if heads is None else heads
    _changed(sentence, draft)


def set_comment(sentence: Sentence, name: str, value: str | None) -> None:
    """Sets a comment such as `# name = value`, or removes it if the value is None."""
    dialect = sentence.corpus.dialect
    if not dialect.ranges:
        raise LayerError(f"{sentence.where}: {dialect.title} has no comments; convert the corpus to CoNLL-U first")
    for part in (name, value):
        if not isinstance(part, str | None) or (part is not None and FORBIDDEN.search(part.replace("\t", " "))):
            raise ColumnError(f"{sentence.where}: comment {part!r} is not one line of text; give one")
    if not name.strip() or name != name.strip() or "=" in name:
        raise ColumnError(f"{sentence.where}: {name!r} cannot name a comment; give a name without = and outer spaces")
    draft = _draft(sentence)
    draft.comments[name] = value
    _changed(sentence, draft)


def settled(corpus: Corpus) -> Corpus:
    """Returns a corpus whose text includes all edits of this one."""
    from multiplane.formats.corpus import indexed  # noqa: PLC0415 - which keeps drafts

    text = spliced(corpus, {number: corpus[number]._bytes for number in corpus._drafts})
    on_error: OnError = "skip" if corpus.problems else "fail"
    return indexed(text, corpus.dialect, corpus.name, on_error, corpus._lines_before, corpus._sentences_before)


def spliced(corpus: Corpus, sentences: Mapping[int, bytes]) -> bytes:
    """Returns the stored text of a corpus with other bytes for some sentences, by their numbers."""
    text, index = corpus._content
    starts, ends = index.start, index.end
    pieces: list[bytes] = []
    done = 0
    for number in sorted(sentences):
        pieces += [text[done : int(starts[number])], sentences[number]]
        done = int(ends[number])
    return b"".join([*pieces, text[done:]])


def _draft(sentence: Sentence) -> Draft:
    return sentence.corpus._new_draft(sentence.number)


def _changed(sentence: Sentence, draft: Draft) -> None:
    draft.changed()
    sentence.corpus._was_edited()


def _set_heads(sentence: Sentence, heads: list[int]) -> None:
    _check_cycle(sentence, heads)
    draft = _draft(sentence)
    draft.heads = heads
    _changed(sentence, draft)


def _require_column(sentence: Sentence, name: str) -> None:
    """Raises an error for a column that the format does not have, or that only other functions can change."""
    dialect = sentence.corpus.dialect
    if name not in dialect.columns:
        raise LayerError(
            f"{sentence.where}: {dialect.title} has no column '{name}'; it has {', '.join(dialect.columns)}"
        )
    if name == "id":
        raise ColumnError(f"{sentence.where}: the number of a word cannot change")
    marks = dialect.arguments
    if marks and name in (marks.sense, marks.mark, marks.top):
        what = f"'{name}' is tied to the columns of arguments"
        raise ColumnError(f"{sentence.where}: {what}; change both with multiplane.formats.with_semantics")


def _check_size(sentence: Sentence, name: str, values: Sequence[Any]) -> None:
    if isinstance(values, str) or not hasattr(values, "__len__"):
        raise ColumnError(f"{sentence.where}: {name} is {values!r}; give a list with one value for each word")
    if len(values) != len(sentence):
        what = f"{counted(len(sentence), 'word')}, but {counted(len(values), 'value')} for {name}"
        raise ColumnError(f"{sentence.where}: {what}; give one for each")


def _checked_field(sentence: Sentence, name: str, word: int, value: object) -> str:
    _require_column(sentence, name)
    problem = ""
    if value is not None and not isinstance(value, str):
        problem = "give text"
    elif not value and name == "form":
        problem = "give every word a form"
    elif value and FORBIDDEN.search(value):
        problem = FORBIDDEN_ADVICE
    elif name == "phead" and value and value != EMPTY and not _is_head(value, sentence):
        problem = f"give a number from 0 to {len(sentence)}"
    if problem:
        raise ColumnError(f"{sentence.where}: word {word}: {name} is {value!r}; {problem}")
    return str(value) if value else EMPTY


def _is_head(field: str, sentence: Sentence) -> bool:
    return NUMBER.fullmatch(field) is not None and int(field) <= len(sentence)


def _checked_head(sentence: Sentence, word: int, head: object) -> int:
    _require_column(sentence, "head")
    if isinstance(head, bool) or not isinstance(head, int | np.integer):
        advice = "give the number of a word, 0 for the root, or -1 for no head"
        raise GraphError(f"{sentence.where}: word {word}: head is {head!r}; {advice}")
    if not -1 <= head <= len(sentence):
        raise GraphError(
            f"{sentence.where}: word {word}: head {head} is outside the sentence; give 0 for the root, "
            f"or a word from 1 to {len(sentence)}"
        )
    if head == word:
        raise GraphError(f"{sentence.where}: word {word}: a word cannot be its own head; give 0 for the root")
    return int(head)


def _check_cycle(sentence: Sentence, heads: Sequence[int]) -> None:
    seen_from = [0] * (len(heads) + 1)
    for start in range(1, len(heads) + 1):
        word = start
        while word > 0 and not seen_from[word]:
            seen_from[word] = start
            word = heads[word - 1]
        if word > 0 and seen_from[word] == start:
            shown = " → ".join(map(str, _cycle(heads, word)))
            advice = "change another head of it first, or all at once with sentence.update(heads=…)"
            raise GraphError(f"{sentence.where}: the heads would form a cycle: {shown}; {advice}")


def _cycle(heads: Sequence[int], start: int) -> list[int]:
    words = [start, heads[start - 1]]
    while words[-1] != start:
        words.append(heads[words[-1] - 1])
    return words


def _check_deps(sentence: Sentence, word: int, field: str) -> None:
    """Raises the error that a reader of enhanced dependencies would raise for this field."""
    from multiplane.formats.rewrite import NewColumn, with_columns  # noqa: PLC0415 - which read corpora

    if field == EMPTY:
        return
    alone = sentence._here._stored_alone()
    texts = [field if number == word else EMPTY for number in range(1, len(sentence) + 1)]
    column = NewColumn("deps", np.arange(len(texts), dtype=np.int32), texts)
    line = alone[0].line_of(word)
    for error in with_columns(alone, [column]).enhanced_layer.problems.errors:
        if error.line == line:
            raise ColumnError(f"{sentence.where}: word {word}: {error.what}")
