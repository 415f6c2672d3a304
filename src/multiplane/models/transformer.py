"""Transformers in PyTorch: from the subwords of sentences to a vector for each word."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import tokenizers
import torch
import transformers
from numpy.typing import NDArray
from torch import Tensor, nn

from multiplane.errors import ModelError
from multiplane.models.encoder import CONFIG, TOKENIZER, table_of
from multiplane.models.precision import has_bfloat16

KINDS = (
    "bert",
    "camembert",
    "deberta-v2",
    "distilbert",
    "electra",
    "modernbert",
    "mpnet",
    "roberta",
    "xlm-roberta",
)
"""The values of model_type in config.json that are known to work."""
_MOST_LAYERS = 128
_MOST_SUBWORDS = 512
"""The maximum window length: memory grows with its square."""
_OF_WORD = 16
"""The maximum number of subwords read per word: longer words are mostly URLs."""
_MIXED = 4
"""The number of last layers whose outputs are mixed."""
_BUDGET = 2048
"""The number of subwords that are read at a time, with padding."""
_IGNORED = (
    "model_type",
    "auto_map",
    "quantization_config",
    "attn_implementation",
    "dtype",
    "torch_dtype",
    "architectures",
)
"""Keys of config.json that are allowed but ignored: they concern code, or how weights are stored."""

Pieces = NDArray[np.int64]


class Window(NamedTuple):
    """A part of a sentence that a transformer reads at once, by the numbers of words."""

    first: int
    end: int
    kept: int
    """The first word whose vector is taken from here; others are only read for context."""
    kept_end: int


class Words(NamedTuple):
    """The subwords of words, one after another."""

    ids: Pieces
    before: Pieces
    """For every word, and at the end, the number of subwords before it."""


class Transformer(nn.Module):
    """A transformer, and a learned mix of its last layers.

    Weights are checked before memory is allocated; raises `ModelError` if one is missing, unknown or does not fit.
    """

    def __init__(self, config: str, arrays: Mapping[str, NDArray[Any]]) -> None:
        super().__init__()
        self._config = _config(config)
        _check(_shapes(self._config), arrays)
        with torch.random.fork_rng(devices=[]):  # random weights, which are not kept
            self.body = _body(self._config)
        self.mix = nn.Parameter(torch.zeros(_mixed(self._config)))
        self._load(arrays)
        self.width: int = self._config.hidden_size
        pad = self._config.pad_token_id
        self.pad: int = pad if isinstance(pad, int) else 0
        self.vocabulary: int = self._config.vocab_size
        self.in_half = has_bfloat16()

    @property
    def limit(self) -> int:
        """The maximum number of subwords it can read at once, including the sentence boundary markers."""
        places: int = self._config.max_position_embeddings
        if self._config.model_type in ("roberta", "xlm-roberta", "camembert", "mpnet"):
            places -= self.body.embeddings.padding_idx + 1  # these count from behind the number for padding
        return min(places, _MOST_SUBWORDS)

    def forward(self, words: Words, windows: Sequence[Window], ends: tuple[Pieces, Pieces]) -> Tensor:
        """Returns the vectors of the words that the windows keep, concatenated: the means of their subwords."""
        ids, places, owners, counts = _padded(words, windows, ends, self.pad)
        numbers = torch.from_numpy(ids)
        mask = torch.zeros(ids.shape, dtype=torch.long)
        for row, window in enumerate(windows):
            mask[row, : _size(words, window) + len(ends[0]) + len(ends[1])] = 1
        with torch.autocast("cpu", torch.bfloat16, enabled=self.in_half):
            layers = self.body(input_ids=numbers, attention_mask=mask, output_hidden_states=True).hidden_states
        shares = torch.softmax(self.mix, dim=0)
        mixed = sum(share * layer.float() for share, layer in zip(shares, layers[-len(shares) :], strict=True))
        assert isinstance(mixed, Tensor)
        found = mixed.reshape(-1, self.width)[torch.from_numpy(places)]
        sums = found.new_zeros(len(counts), self.width).index_add(0, torch.from_numpy(owners), found)
        return sums / torch.from_numpy(counts)[:, None]

    def depth(self, name: str) -> int:
        """Returns the distance of a weight from the topmost layer."""
        layers: int = self._config.num_hidden_layers
        found = re.search(r"\blayers?\.(\d+)\.", name)
        if found:
            return layers - 1 - int(found[1])
        return layers if "embeddings" in name else 0

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Returns all weights by name, in 16 bits."""
        with np.errstate(over="ignore"):  # the caller checks that all values are finite
            return {name: tensor.detach().numpy().astype(np.float16) for name, tensor in self._weights().items()}

    def _weights(self) -> Mapping[str, Tensor]:
        weights: dict[str, Tensor] = self.body.state_dict(keep_vars=True)
        return {"mix": self.mix, **weights}

    @torch.no_grad()
    def _load(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        for name, tensor in self._weights().items():
            tensor.copy_(torch.from_numpy(arrays[name].astype(np.float32)))


def plain_config(text: str) -> str:
    """Returns config.json reduced to the keys that define the transformer."""
    config = _config(text)
    kept = {name: value for name, value in table_of(text, CONFIG).items() if name in _known(config)}
    return json.dumps(kept | {"model_type": config.model_type}, indent=2, sort_keys=True) + "\n"


def fitting(config: str, arrays: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Selects the weights of a transformer from those of a file, which may have more weights and old names."""
    shapes = _shapes(_config(config))
    wanted = [name for name in shapes if name != "mix"]  # that is ours
    found = {_usual(name): array for name, array in arrays.items()}
    prefixes = ("", *sorted({f"{name.split('.')[0]}." for name in found}))
    prefix = max(prefixes, key=lambda prefix: sum(prefix + name in found for name in wanted))
    if missing := next((name for name in wanted if prefix + name not in found), None):
        raise ModelError(f"the weights have no '{missing}'")
    return {name: found[prefix + name] for name in wanted} | {"mix": np.zeros(shapes["mix"], np.float32)}


def _usual(name: str) -> str:
    """Returns the current name of a weight; old files use other names."""
    return re.sub(r"LayerNorm\.(gamma|beta)$", lambda m: f"LayerNorm.{_NORMS[m[1]]}", name)


_NORMS = {"gamma": "weight", "beta": "bias"}


def _config(text: str) -> Any:
    """Returns the configuration that config.json describes, checked as untrusted input."""
    table = table_of(text, CONFIG)
    kind = table.get("model_type")
    if kind not in KINDS:
        raise ModelError(f"{CONFIG}: model_type must be one of {', '.join(KINDS)}, not {kind!r}")
    with _blaming(CONFIG):
        known = _known(transformers.AutoConfig.for_model(kind))
        kept = {name: value for name, value in table.items() if name in known}
        config = transformers.AutoConfig.for_model(kind, **kept)
        sizes = (config.hidden_size, config.num_hidden_layers, config.vocab_size, config.max_position_embeddings)
    if not all(isinstance(size, int) and 1 <= size <= 1 << 22 for size in sizes) or sizes[1] > _MOST_LAYERS:
        raise ModelError(f"{CONFIG}: invalid sizes: {sizes}")
    return config


def _known(config: Any) -> set[str]:
    """Returns the known keys of config.json."""
    return {name for name in config.to_dict() if not name.startswith("_") and name not in _IGNORED}


def _mixed(config: Any) -> int:
    """Returns the number of layers that are mixed."""
    layers: int = config.num_hidden_layers
    return min(_MIXED, layers)


def _body(config: Any) -> Any:
    """Returns a transformer with random weights."""
    make: Any = transformers.AutoModel.from_config
    with _blaming(CONFIG):
        body = make(config, attn_implementation="eager", dtype=torch.float32)
    if getattr(body, "pooler", None) is not None:
        body.pooler = None  # it is for whole sentences
    return body


def _shapes(config: Any) -> dict[str, tuple[int, ...]]:
    """Returns the sizes of all weights, without memory for them."""
    with torch.device("meta"):
        body = {name: tuple(tensor.shape) for name, tensor in _body(config).state_dict().items()}
    return body | {"mix": (_mixed(config),)}


def _check(shapes: Mapping[str, tuple[int, ...]], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Raises `ModelError` if a weight is missing, unknown, of another size or not finite."""
    if other := min(shapes.keys() ^ arrays.keys(), default=None):
        raise ModelError(f"encoder: '{other}' is {'missing' if other in shapes else 'unknown'}")
    for name, shape in shapes.items():
        array = arrays[name]
        if array.shape != shape or array.dtype not in ("float16", "float32"):
            raise ModelError(f"encoder: '{name}' is {array.dtype} {array.shape}, not {shape}")
        if not np.isfinite(array.sum(dtype=np.float64)):
            raise ModelError(f"encoder: '{name}' has a number that is not finite")


@contextmanager
def _blaming(what: str) -> Iterator[None]:
    """Turns library errors into `ModelError`: an untrusted file can make a library raise any error."""
    try:
        yield
    except (KeyboardInterrupt, MemoryError):
        raise
    except BaseException as error:  # a panic in Rust is not an Exception
        raise ModelError(f"{what}: {(str(error) or type(error).__name__).splitlines()[0]}") from None


class Subwords:
    """Splits words into the subwords that a transformer knows."""

    def __init__(self, tokenizer: str, network: Transformer) -> None:
        self._tokenizer = _tokenizer(tokenizer)
        numbers = self._tokenizer.get_vocab(with_added_tokens=True).values()
        if not numbers or max(numbers) >= network.vocabulary or not 0 <= network.pad < network.vocabulary:
            raise ModelError(f"{TOKENIZER}: has subwords that are not in the encoder's vocabulary")
        self.ends = self._ends()
        self.limit = network.limit - len(self.ends[0]) - len(self.ends[1])
        if self.limit < 4:
            raise ModelError(f"{CONFIG}: an encoder limited to {network.limit} subwords is too short for sentences")
        self._most = min(_OF_WORD, self.limit // 4)
        unknown = table_of(tokenizer, TOKENIZER).get("model", {}).get("unk_token")
        number = self._tokenizer.token_to_id(unknown) if isinstance(unknown, str) else None
        self._unknown = next(iter([*self.ends[1], *self.ends[0], 0])) if number is None else number

    def _ends(self) -> tuple[Pieces, Pieces]:
        """Returns the subwords that mark the start and end of a sentence."""
        whole, inner = (self._split("a", special=special) for special in (True, False))
        for start in range(len(whole) - len(inner) + 1):
            if whole[start : start + len(inner)] == inner:
                return np.array(whole[:start], np.int64), np.array(whole[start + len(inner) :], np.int64)
        raise ModelError(f"{TOKENIZER}: splits a word differently within a sentence")

    def _split(self, form: str, special: bool = False) -> list[int]:
        with _blaming(f"{TOKENIZER}: cannot split {form!r}"):
            ids: list[int] = self._tokenizer.encode([form], is_pretokenized=True, add_special_tokens=special).ids
        return ids

    def of(self, forms: Sequence[str]) -> Words:
        """Returns the subwords of words; each has at least one."""
        types = {form: self._split(form)[: self._most] or [self._unknown] for form in dict.fromkeys(forms)}
        counts = [len(types[form]) for form in forms]
        ids = np.fromiter((number for form in forms for number in types[form]), np.int64, sum(counts))
        return Words(ids, np.concatenate([[0], np.cumsum(counts, dtype=np.int64)]))


def _tokenizer(text: str) -> Any:
    table = table_of(text, TOKENIZER)
    _mark_beginnings(table)
    with _blaming(TOKENIZER):
        tokenizer = tokenizers.Tokenizer.from_str(json.dumps(table))
        tokenizer.no_truncation()
        tokenizer.no_padding()
    return tokenizer


def _mark_beginnings(table: Any) -> None:
    """Makes a byte-level tokenizer mark the start of every word, as it does within text."""
    if isinstance(table, dict):
        if table.get("type") == "ByteLevel":
            table["add_prefix_space"] = True
        for name, value in table.items():
            if name != "model":
                _mark_beginnings(value)
    elif isinstance(table, list):
        for value in table:
            _mark_beginnings(value)


def windows_of(words: Words, first: int, end: int, limit: int) -> list[Window]:
    """Splits a sentence into windows with at most this many subwords, which overlap by about a quarter.

    A word of two windows gets its vector from the one where it is further from the end.

    >>> windows_of(Words(np.zeros(10, np.int64), np.arange(11)), 0, 10, limit=8)
    [Window(first=0, end=8, kept=0, kept_end=7), Window(first=6, end=10, kept=7, kept_end=10)]
    """
    if first == end:
        return []
    before, spans = words.before, [(first, first)]
    while spans[-1][1] < end:
        start = spans[-1][0]
        if spans[-1][1] > start:
            back = int(np.searchsorted(before, before[spans[-1][1]] - limit // 4))
            start = max(back, start + 1)
        stop = int(np.searchsorted(before, before[start] + limit, side="right")) - 1
        spans.append((start, min(stop, end)))
    spans = spans[1:]
    cuts = [first, *((later[0] + earlier[1]) // 2 for earlier, later in pairwise(spans)), end]
    return [Window(*span, *kept) for span, kept in zip(spans, pairwise(cuts), strict=True)]


def windows_of_all(words: Words, firsts: NDArray[np.int64], lengths: NDArray[np.int64], limit: int) -> list[Window]:
    """Returns the windows of several sentences, by their first words and lengths."""
    sentences = zip(firsts.tolist(), lengths.tolist(), strict=True)
    return [window for first, length in sentences for window in windows_of(words, first, first + length, limit)]


def _size(words: Words, window: Window) -> int:
    return int(words.before[window.end] - words.before[window.first])


def _padded(
    words: Words, windows: Sequence[Window], ends: tuple[Pieces, Pieces], pad: int
) -> tuple[Pieces, Pieces, Pieces, NDArray[np.float32]]:
    """Returns a row of subwords for each window; and of the words kept, the places, owners and numbers of subwords."""
    head, tail = ends
    longest = max(_size(words, window) for window in windows) + len(head) + len(tail)
    ids = np.full((len(windows), longest), pad, np.int64)
    places, counts = [], []
    for row, window in enumerate(windows):
        begin, end = words.before[window.first], words.before[window.end]
        inner = np.concatenate([head, words.ids[begin:end], tail])
        ids[row, : len(inner)] = inner
        kept = np.arange(words.before[window.kept], words.before[window.kept_end])
        places.append(row * longest + len(head) + kept - begin)
        counts.append(np.diff(words.before[window.kept : window.kept_end + 1]))
    numbers = np.concatenate(counts)
    return ids, np.concatenate(places), np.repeat(np.arange(len(numbers)), numbers), numbers.astype(np.float32)


def rows_of(
    network: Transformer, subwords: Subwords, forms: Sequence[str], lengths: NDArray[np.int64]
) -> NDArray[np.float32]:
    """Returns the vectors of all words of sentences; similarly long ones are read together."""
    words = subwords.of(forms)
    windows = windows_of_all(words, np.cumsum(lengths) - lengths, lengths, subwords.limit)
    found = np.empty((len(forms), network.width), np.float32)
    with torch.inference_mode(), _blaming("the encoder failed on this input"):
        for batch in _batches(words, windows):
            rows = network(words, batch, subwords.ends).numpy()
            start = 0
            for window in batch:
                count = window.kept_end - window.kept
                found[window.kept : window.kept_end] = rows[start : start + count]
                start += count
    return found


def _batches(words: Words, windows: Sequence[Window]) -> Iterator[list[Window]]:
    """Groups windows of similar size; those of a group are padded to the longest."""
    batch: list[Window] = []
    for window in sorted(windows, key=lambda window: (_size(words, window), window)):
        if batch and (len(batch) + 1) * _size(words, window) > _BUDGET:
            yield batch
            batch = []
        batch.append(window)
    if batch:
        yield batch
