"""The model card: README.md in a model directory."""

from __future__ import annotations

from collections.abc import Mapping

from multiplane.messages import counted
from multiplane.models.protocol import Model
from multiplane.models.record import Epoch, TrainingRecord
from multiplane.models.tokenizer import TokenizerModel

_MEANINGS = {
    "UAS": "words with the correct head (UAS)",
    "LAS": "and the correct label without its subtype (LAS)",
    "LAS-full": "and the correct full label (LAS-full)",
    "semantic F1": "predicates with the correct sense and arguments with the correct role (semantic F1)",
    "ELAS": "enhanced arcs with the correct label (ELAS)",
    "sentences": "F1 of words, tokens and sentences, matched by characters, on the raw text",
}


def card_of(model: Model | TokenizerModel) -> str:
    """Returns the model card as Markdown; the same model gives the same text."""
    record = model.record
    parts = [
        *(_about_tokenizer(model) if isinstance(model, TokenizerModel) else _about_parser(model)),
        "## Training data",
        _data(record),
        "## Scores",
        _scores(record),
        *_raw(record),
        "## Training settings",
        _settings(record),
    ]
    return "\n\n".join(parts) + "\n"


def _about_tokenizer(model: TokenizerModel) -> list[str]:
    return [
        "# Tokenizer",
        "Splits text into sentences, tokens and words; stores "
        f"{counted(len(model.exceptions), 'multiword token')} and {counted(len(model.rules), 'rule')} for others. "
        f"Trained by multiplane {model.record.version}; use it with "
        "`multiplane parse -m MODEL --input text --tokenizer THIS_FOLDER FILE`.",
    ]


def _about_parser(model: Model) -> list[str]:
    return [
        "# Dependency parser",
        f"A {model.kind} model with the transition system `{model.system.title}` and "
        f"{counted(len(model.names), 'label')}, "
        f"for {'POS-tagged words' if model.needs_tags else 'words or plain text'}. "
        f"Trained by multiplane {model.record.version}; use it with `multiplane parse -m THIS_FOLDER FILE`."
        f"{_encoder(model.record)}",
        "## Labels",
        f"Those of its training data: {', '.join(f'`{name}`' for name in model.names)}.",
    ]


def _encoder(record: TrainingRecord) -> str:
    name = record.settings.get("encoder")
    if name is None:
        return ""
    return (
        f" Its folder `encoder` holds the fine-tuned transformer `{name}` in Hugging Face format; "
        "it needs `pip install 'multiplane[encoder]'`."
    )


def _data(record: TrainingRecord) -> str:
    files = ", ".join(f"`{name}`" for name in record.train) or "not recorded"
    size = f"{counted(record.sentences, 'sentence')}, {counted(record.words, 'word')}"
    return f"{files}: {size}.\n\nLicence of the data: {record.licence or 'not recorded'}."


def _scores(record: TrainingRecord) -> str:
    epoch = record.chosen
    if epoch is None or epoch.quality is None:
        return "Not measured: the model was trained without development data."
    known = {"UAS": epoch.uas, "LAS": epoch.las, "LAS-full": epoch.las_full}
    known |= {"semantic F1": epoch.semantic_f1, "ELAS": epoch.elas}
    known |= {"words": epoch.words, "tokens": epoch.tokens, "sentences": epoch.sentences}
    columns = {name: share for name, share in known.items() if share is not None}
    meanings = [_MEANINGS[name] for name in columns if name in _MEANINGS]
    if "UAS" in columns:
        meanings.insert(list(columns).index("LAS-full") + 1 if "LAS-full" in columns else 1, "over all words")
    meaning = ", ".join(meanings)
    criterion = "LAS-full" if epoch.las is None else "LAS"
    compared = [name for name in columns if name in (criterion, "semantic F1", "ELAS", "words", "sentences")]
    best = compared[0] if len(compared) == 1 else f"mean of {' and '.join(compared)}"
    return (
        f"On the development data `{record.dev}`, {meaning}:\n\n{_table(columns)}\n\n{_more_scores(epoch)}"
        f"The model is from epoch {epoch.number} of {len(record.history)}, the one with the best {best}."
    )


def _raw(record: TrainingRecord) -> list[str]:
    """Returns the scores on raw text, if there are any."""
    if not record.raw:
        return []
    about = f"On the raw text of `{record.dev}`, split by its own tokenizer, F1 as in CoNLL 2018"
    return [f"{about}:\n\n{_table(record.raw)}"]


def _more_scores(epoch: Epoch) -> str:
    """Returns the scores of predicted columns and of non-projective arcs, if known."""
    known = {"UPOS": epoch.upos, "XPOS": epoch.xpos, "FEATS": epoch.feats, "lemma": epoch.lemma}
    columns = {name: share for name, share in known.items() if share is not None}
    text = f"Words with the correct tags and lemmas:\n\n{_table(columns)}\n\n" if columns else ""
    if epoch.np_precision is None or epoch.np_recall is None:
        return text
    arcs = {"NP precision": epoch.np_precision, "NP recall": epoch.np_recall}
    return f"{text}Non-projective arcs with the correct head and full label:\n\n{_table(arcs)}\n\n"


def _table(columns: Mapping[str, float]) -> str:
    rows = (columns, ["---:"] * len(columns), [f"{share:.2f}" for share in columns.values()])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _settings(record: TrainingRecord) -> str:
    rows = "\n".join(f"| `{name}` | {_shown(value)} |" for name, value in record.settings.items())
    return f"| setting | value |\n| --- | --- |\n{rows}"


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
