"""Tiny transformers with random weights in Hugging Face's layout, made on the spot: nothing is downloaded."""

import json
from pathlib import Path
from typing import Any

from safetensors.numpy import save_file

CHARACTERS = "abcdefghijklmnopqrstuvwxyz'.,-0123456789"
SIZES: dict[str, Any] = {
    "model_type": "bert",
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 24,
    "max_position_embeddings": 32,
    "pad_token_id": 0,
}


def vocabulary() -> dict[str, int]:
    """Subwords: every character, at the beginning of a word or within."""
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    return {text: number for number, text in enumerate([*special, *CHARACTERS, *(f"##{c}" for c in CHARACTERS)])}


def tokenizer() -> dict[str, Any]:
    """tokenizer.json of a lower-casing WordPiece tokenizer; it asks for padding, which must not matter."""
    ends: list[dict[str, Any]] = [{"SpecialToken": {"id": mark, "type_id": 0}} for mark in ("[CLS]", "[SEP]")]
    words = {"Sequence": {"id": "A", "type_id": 0}}
    known = vocabulary()
    return {
        "version": "1.0",
        "truncation": {"max_length": 4, "strategy": "LongestFirst", "stride": 0},
        "padding": {
            "strategy": {"Fixed": 12},
            "direction": "Right",
            "pad_to_multiple_of": None,
            "pad_id": 0,
            "pad_type_id": 0,
            "pad_token": "[PAD]",
        },
        "added_tokens": [],
        "normalizer": {
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": None,
            "lowercase": True,
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [ends[0], words, ends[1]],
            "pair": [ends[0], words, ends[1]],
            "special_tokens": {
                mark: {"id": mark, "ids": [known[mark]], "tokens": [mark]} for mark in ("[CLS]", "[SEP]")
            },
        },
        "decoder": None,
        "model": {
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
            "vocab": known,
        },
    }


def make_encoder(folder: Path, prefix: str = "", **sizes: Any) -> Path:
    """Writes an encoder with random weights; `prefix` is what the names of weights begin with."""
    import torch  # noqa: PLC0415 - needs an extra

    from multiplane.models.transformer import _body, _config  # noqa: PLC0415

    folder.mkdir()
    config = json.dumps(SIZES | {"vocab_size": len(vocabulary())} | sizes)
    (folder / "config.json").write_text(config, encoding="utf-8")
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer()), encoding="utf-8")
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(1)
        weights = _body(_config(config)).state_dict()
    save_file({f"{prefix}{name}": tensor.numpy() for name, tensor in weights.items()}, folder / "model.safetensors")
    return folder
