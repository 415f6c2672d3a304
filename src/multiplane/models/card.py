"""The model card: README.md in a model directory."""

from __future__ import annotations

from multiplane.messages import counted
from multiplane.models.protocol import Model
from multiplane.models.record import TrainingRecord

_MEANINGS = {
    "LAS": "words with the right head (UAS) and the right head and whole label (LAS), all words counted",
    "semantic F1": "predicates with the right sense and arguments with the right role (semantic F1)",
    "ELAS": "enhanced arcs with the right label (ELAS)",
}


def card_of(model: Model) -> str:
    """Returns the model card as Markdown; the same model gives the same text."""
    record = model.record
    parts = [
        "# Dependency parser",
        f"A {model.kind} model with the transition system `{model.system.title}` and "
        f"{counted(len(model.names), 'label')}, "
        f"for {'tagged words' if model.needs_tags else 'words or plain text'}. "
        f"Trained by multiplane {record.version}; use it with `multiplane parse -m THIS_FOLDER FILE`."
        f"{_encoder(record)}",
        "## Training data",
        _data(record),
        "## Scores",
        _scores(record),
        "## How it was trained",
        _settings(record),
    ]
    return "\n\n".join(parts) + "\n"


def _encoder(record: TrainingRecord) -> str:
    name = record.settings.get("encoder")
    if name is None:
        return ""
    return (
        f" Its folder `encoder` holds the pretrained transformer `{name}`, trained further, in Hugging Face's layout; "
        "it needs `pip install 'multiplane[encoder]'`."
    )


def _data(record: TrainingRecord) -> str:
    files = ", ".join(f"`{name}`" for name in record.train) or "not recorded"
    size = f"{counted(record.sentences, 'sentence')}, {counted(record.words, 'word')}"
    return f"{files}: {size}.\n\nLicence of the data: {record.licence or 'not recorded'}."


def _scores(record: TrainingRecord) -> str:
    epoch = record.chosen
    if epoch is None or epoch.quality is None:
        return "Not measured: it was trained without development data."
    tagging = "" if epoch.upos is None else f" It predicts UPOS, and {epoch.upos:.2f} % of words get the right one."
    known = {"UAS": epoch.uas, "LAS": epoch.las, "semantic F1": epoch.semantic_f1, "ELAS": epoch.elas}
    columns = {name: share for name, share in known.items() if share is not None}
    rows = (columns, ["---:"] * len(columns), [f"{share:.2f}" for share in columns.values()])
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    meaning = "; ".join(_MEANINGS[name] for name in columns if name in _MEANINGS)
    best = (
        "LAS"
        if list(columns) == ["UAS", "LAS"]
        else f"mean of {' and '.join(name for name in columns if name != 'UAS')}"
    )
    return (
        f"On the development data `{record.dev}`, {meaning}:\n\n{table}\n\n"
        f"It is from epoch {epoch.number} of {len(record.history)}, the one with the best {best}.{tagging}"
    )


def _settings(record: TrainingRecord) -> str:
    rows = "\n".join(f"| `{name}` | {_shown(value)} |" for name, value in record.settings.items())
    return f"| setting | value |\n| --- | --- |\n{rows}"


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
