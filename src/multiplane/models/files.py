"""Model directories: config.toml, weights.safetensors, vocabulary.json and README.md. Loading never runs code.

A pretrained encoder is in a folder of its own, encoder, with config.json, tokenizer.json and model.safetensors; a
parser's own tokenizer in another, tokenizer, which is a model directory itself.

config.toml contains digests of the other files, so that a damaged model is detected. It has no digest of itself,
because users may edit it.
"""

from __future__ import annotations

import json
import os
import shutil
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from multiplane.errors import InputError, ModelError
from multiplane.formats.stream import failing, name_beside
from multiplane.models import encoder
from multiplane.models.card import card_of
from multiplane.models.integrity import check_file, file_digest, read_text
from multiplane.models.joint import JointModel
from multiplane.models.joint_linear import JointLinearModel
from multiplane.models.kernel import KernelModel
from multiplane.models.latent import LatentModel
from multiplane.models.linear import LinearModel
from multiplane.models.neural import NeuralModel
from multiplane.models.protocol import Contents, Model
from multiplane.models.record import TrainingRecord
from multiplane.models.tensors import MOST_TENSOR_BYTES, read_tensors, write_tensors
from multiplane.models.tokenizer import TokenizerModel
from multiplane.models.toml import Table, taken, taken_or, to_toml

FORMAT = 1
"""The version of the layout; loading a newer one is an error."""
CONFIG, WEIGHTS, VOCABULARY, CARD = "config.toml", "weights.safetensors", "vocabulary.json", "README.md"
TOKENIZER = "tokenizer"
"""The folder of a parser's own tokenizer in its model directory."""
_DIGESTS = {"weights": WEIGHTS, "vocabulary": VOCABULARY}
_ENCODER = {
    "encoder_config": encoder.PREFIX + encoder.CONFIG,
    "encoder_tokenizer": encoder.PREFIX + encoder.TOKENIZER,
    "encoder_weights": encoder.PREFIX + encoder.WEIGHTS,
}
"""The digests of an encoder's files, if a model has one."""
_MOST_BYTES = {CONFIG: 1 << 24, VOCABULARY: 1 << 30} | encoder.MOST_BYTES
"""Far more than any model needs, but small enough to read."""

KINDS: dict[str, Callable[[Contents, TrainingRecord], Model | TokenizerModel]] = {
    "linear": LinearModel.from_contents,
    "kernel": KernelModel.from_contents,
    "neural": NeuralModel.from_contents,
    "joint": JointModel.from_contents,
    "latent": LatentModel.from_contents,
    "joint-linear": JointLinearModel.from_contents,
    "tokenizer": TokenizerModel.from_contents,
}
"""The functions that restore a model from stored contents, by kind."""


def save_model(
    model: Model | TokenizerModel, path: str | os.PathLike[str], tokenizer: TokenizerModel | None = None
) -> None:
    """Writes a model directory atomically, with its tokenizer if it has one; replaces an existing model."""
    target = Path(os.path.realpath(path))
    check_target(path)
    with _beside(target, os.fspath(path)) as folder:
        _write(model, folder)
        if tokenizer is not None:
            (folder / TOKENIZER).mkdir()
            _write(tokenizer, folder / TOKENIZER)


def _write(model: Model | TokenizerModel, folder: Path) -> None:
    contents = model.contents()
    vocabulary = json.dumps({"labels": contents.labels} | contents.vocabularies, ensure_ascii=False, indent=0)
    (folder / VOCABULARY).write_text(vocabulary + "\n", encoding="utf-8")
    (folder / CARD).write_text(card_of(model), encoding="utf-8")
    with open(folder / WEIGHTS, "wb") as file:
        write_tensors(encoder.without(contents.tensors), file)
    if contents.files:
        _write_encoder(contents, folder)
    config = {"format": FORMAT, "model": model.kind, "version": model.record.version} | contents.config
    config |= {"training": model.record.to_table(), "digest": _digests(folder)}
    (folder / CONFIG).write_text(to_toml(config), encoding="utf-8")


def _write_encoder(contents: Contents, folder: Path) -> None:
    (folder / encoder.FOLDER).mkdir()
    for name, text in contents.files.items():
        (folder / name).write_text(text, encoding="utf-8")
    with open(folder / encoder.FOLDER / encoder.WEIGHTS, "wb") as file:
        write_tensors(encoder.within(contents.tensors), file)


def _digests(folder: Path) -> dict[str, str]:
    names = _DIGESTS | (_ENCODER if (folder / encoder.FOLDER).exists() else {})
    return {name: file_digest(folder / file) for name, file in names.items()}


def is_model(path: str | os.PathLike[str]) -> bool:
    """Whether a folder looks like a model."""
    return Path(path, CONFIG).is_file()


def check_target(path: str | os.PathLike[str]) -> None:
    """Raises `InputError` if a model cannot be written to a path."""
    name, target = os.fspath(path), Path(os.path.realpath(path))
    if not target.parent.is_dir():
        raise InputError(f"{name}: cannot be written: there is no folder {os.path.dirname(name.rstrip('/'))}")
    if target.is_dir():
        if any(target.iterdir()) and not is_model(target):
            raise InputError(f"{name}: is a folder, but not a model; choose another name")
    elif os.path.lexists(target):
        raise InputError(f"{name}: is a file; a model is a folder, choose another name")
    if not os.access(target.parent, os.W_OK):
        raise InputError(f"{name}: cannot be written: permission denied")


@contextmanager
def _beside(target: Path, name: str) -> Iterator[Path]:
    """Yields a folder next to the target, which replaces the target at the end."""
    folder = Path(name_beside(str(target)))  # known before it exists, so that an interruption cannot leave it behind
    old = folder.with_suffix(".old")
    try:
        with failing(name):
            folder.mkdir(0o700)
            yield folder
            os.chmod(folder, 0o777 & ~_umask())
            with suppress(FileNotFoundError):
                os.rename(target, old)
            os.rename(folder, target)
    except BaseException:
        if old.exists() and not target.exists():
            os.rename(old, target)
        shutil.rmtree(folder, ignore_errors=True)
        raise
    finally:
        shutil.rmtree(old, ignore_errors=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def load_model(path: str | os.PathLike[str]) -> Model:
    """Reads the model directory of a parser; raises `ModelError` if it is invalid."""
    model = _load(path)
    if isinstance(model, TokenizerModel):
        name = os.fspath(path)
        raise ModelError(f"{name}: is a tokenizer, not a parser; use it with --tokenizer, or multiplane.load_tokenizer")
    return model


def load_pipeline(path: str | os.PathLike[str]) -> tuple[Model, TokenizerModel | None]:
    """Reads the model directory of a parser, and its own tokenizer if it has one."""
    return load_model(path), load_tokenizer(path) if is_model(Path(path, TOKENIZER)) else None


def load_tokenizer(path: str | os.PathLike[str]) -> TokenizerModel:
    """Reads the model directory of a tokenizer, or the one in a pipeline; raises `ModelError` if it is invalid."""
    own = os.path.join(path, TOKENIZER)
    model = _load(own if is_model(own) else path)
    if not isinstance(model, TokenizerModel):
        raise ModelError(f"{os.fspath(path)}: is a parser, not a tokenizer; train one with --task tokenizer")
    return model


def _load(path: str | os.PathLike[str]) -> Model | TokenizerModel:
    name = os.fspath(path) or "''"
    folder = Path(path)
    if not folder.exists():
        raise ModelError(f"{name}: no such model; give the folder that 'multiplane train' wrote")
    if not folder.is_dir():
        raise ModelError(f"{name}: is a file; a model is a folder, give the one that 'multiplane train' wrote")
    if not (folder / CONFIG).exists():
        raise ModelError(f"{name}: is not a model: it has no {CONFIG}")
    config = _read_config(folder / CONFIG)
    _check_digests(folder, config)
    vocabularies = _read_vocabularies(folder / VOCABULARY)
    tensors, _ = read_tensors(folder / WEIGHTS)
    files = {}
    if _has_encoder(config):
        found, _ = read_tensors(folder / encoder.FOLDER / encoder.WEIGHTS)
        tensors = encoder.without(tensors) | {encoder.PREFIX + name: array for name, array in found.items()}
        texts = (encoder.PREFIX + encoder.CONFIG, encoder.PREFIX + encoder.TOKENIZER)
        files = {text: _text(folder / text) for text in texts}
    try:
        record = TrainingRecord.from_table(taken_or(config, "training", dict, {}), taken(config, "version", str))
        labels = vocabularies.pop("labels")
        return KINDS[config["model"]](Contents(config, tensors, labels, vocabularies, files), record)
    except ModelError as error:
        raise ModelError(f"{name}: {error}") from None


def _check_digests(folder: Path, config: Table) -> None:
    """Raises `ModelError` if a file differs from what was saved. Older models have no digests to check."""
    if "digest" not in config:
        return
    try:
        table = taken(config, "digest", dict)
        files = _DIGESTS | (_ENCODER if _has_encoder(config) else {})
        digests = {name: taken(table, name, str) for name in files}
    except ModelError as error:
        raise ModelError(f"{folder / CONFIG}: {error}") from None
    for name, digest in digests.items():
        path = folder / files[name]
        check_file(path, _MOST_BYTES.get(path.name, MOST_TENSOR_BYTES))
        if file_digest(path) != digest:
            raise ModelError(
                f"{path}: is damaged or from another model: its digest does not match {CONFIG}; copy or train it again"
            )


def _has_encoder(config: Table) -> bool:
    """Whether config.toml says that the model has an encoder."""
    return "encoder" in config


def read_record(path: str | os.PathLike[str]) -> TrainingRecord:
    """Reads how a model was trained, without loading it."""
    config = _read_config(Path(path) / CONFIG)
    return TrainingRecord.from_table(taken_or(config, "training", dict, {}), taken(config, "version", str))


def _read_config(path: Path) -> Table:
    try:
        config = tomllib.loads(_text(path))
    except (ValueError, RecursionError) as error:
        raise ModelError(f"{path}: not well-formed TOML: {error}") from None
    try:
        found, kind = taken(config, "format", int), taken(config, "model", str)
    except ModelError as error:
        raise ModelError(f"{path}: not a model configuration: {error}") from None
    if found > FORMAT:
        raise ModelError(f"{path}: format {found} is newer than this version supports ({FORMAT}); upgrade multiplane")
    if kind not in KINDS:
        raise ModelError(f"{path}: unknown model kind '{kind}'; known: {', '.join(KINDS)}")
    return config


def _read_vocabularies(path: Path) -> dict[str, tuple[str, ...]]:
    try:
        vocabularies: Any = json.loads(_text(path))
    except (ValueError, RecursionError) as error:
        raise ModelError(f"{path}: not well-formed JSON: {error}") from None
    if not isinstance(vocabularies, dict) or "labels" not in vocabularies:
        raise ModelError(f"{path}: expected a list named 'labels'")
    for name, texts in vocabularies.items():
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise ModelError(f"{path}: expected a list of strings named '{name}'")
    return {name: tuple(texts) for name, texts in vocabularies.items()}


def _text(path: Path) -> str:
    return read_text(path, _MOST_BYTES[path.name])
