"""Pretrained encoders: the vectors that they give to words, and the refusal of all that could harm."""

import json
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from multiplane.errors import MissingExtraError, ModelError
from multiplane.models import encoder as encoders
from multiplane.models.encoder import Encoder, read_encoder
from multiplane.models.precision import has_bfloat16
from small_encoders import make_encoder, tokenizer, vocabulary

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
ours = pytest.importorskip("multiplane.models.transformer")

FORMS = ["The", "dogs", "didn't", "bark", "."]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_encoder(tmp_path_factory.mktemp("encoders") / "tiny")


@pytest.fixture(scope="module")
def encoder(folder: Path) -> Encoder:
    return exact_encoder(folder)


def exact_encoder(folder: Path) -> Encoder:
    """An encoder whose numbers can be compared."""
    found = read_encoder(str(folder))
    found._network.in_half = False
    return found


def rows(encoder: Encoder, *sentences: list[str]) -> np.ndarray:
    lengths = np.array([len(sentence) for sentence in sentences], np.int64)
    return encoder.rows([form for sentence in sentences for form in sentence], lengths)


def test_a_word_gets_the_mean_of_its_subwords_in_the_last_layers(folder: Path, encoder: Encoder):
    known = vocabulary()
    pieces = [[known[c if i == 0 else f"##{c}"] for i, c in enumerate(form.lower())] for form in ("The", "dogs")]
    body = transformers.AutoModel.from_pretrained(folder, local_files_only=True).eval()
    ids = torch.tensor([[known["[CLS]"], *pieces[0], *pieces[1], known["[SEP]"]]])
    with torch.no_grad():
        layers = body(input_ids=ids, output_hidden_states=True).hidden_states
    mixed = torch.stack(layers[-2:]).mean(0)[0]
    wanted = [mixed[1:4].mean(0).numpy(), mixed[4:8].mean(0).numpy()]
    np.testing.assert_allclose(rows(encoder, ["The", "dogs"]), wanted, atol=1e-5)


def test_it_computes_with_16_bits_where_that_is_faster(folder: Path, encoder: Encoder):
    halved = read_encoder(str(folder))
    assert halved._network.in_half == has_bfloat16()
    halved._network.in_half = True
    exact, found = rows(encoder, FORMS), rows(halved, FORMS)
    assert not np.array_equal(exact, found)
    np.testing.assert_allclose(found, exact, atol=0.05)


def test_other_sentences_and_padding_do_not_matter(encoder: Encoder):
    together = rows(encoder, FORMS, ["a"], [], ["words"] * 12)
    np.testing.assert_allclose(together[:5], rows(encoder, FORMS), atol=1e-5)
    np.testing.assert_allclose(together[5:6], rows(encoder, ["a"]), atol=1e-5)


def test_every_word_gets_a_vector_whatever_it_is_made_of(encoder: Encoder):
    odd = ["\u200b", "\u00a0", "日本", "x" * 5_000, "[CLS]", "🙂"]
    found = rows(encoder, odd)
    assert found.shape == (len(odd), 16)
    assert np.isfinite(found).all()
    assert rows(encoder).shape == (0, 16)


def test_long_sentences_are_read_in_overlapping_windows(encoder: Encoder):
    forms = ["abc", "de", "f"] * 100
    words = encoder.subwords.of(forms)
    limit = encoder.subwords.limit
    windows = ours.windows_of(words, 0, len(forms), limit)
    assert limit == 30
    assert [window.kept for window in windows[1:]] == [window.kept_end for window in windows[:-1]]
    assert (windows[0].kept, windows[-1].kept_end) == (0, len(forms))
    for earlier, later in pairwise(windows):
        assert later.first < earlier.kept_end < earlier.end
    for window in windows:
        assert window.first <= window.kept < window.kept_end <= window.end
        assert words.before[window.end] - words.before[window.first] <= limit
    found = rows(encoder, forms)
    first = windows[0]
    np.testing.assert_allclose(found[: first.kept_end], rows(encoder, forms[: first.end])[: first.kept_end], atol=1e-5)


def test_weights_of_a_larger_network_and_with_old_names_are_found(encoder: Encoder, tmp_path: Path):
    folder = make_encoder(tmp_path / "masked", prefix="bert.")
    arrays = load_file(folder / "model.safetensors")
    renamed = {
        name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta"): array
        for name, array in arrays.items()
    }
    save_file(renamed | {"cls.predictions.bias": np.zeros(3, np.float32)}, folder / "model.safetensors")
    np.testing.assert_array_equal(rows(exact_encoder(folder), FORMS), rows(encoder, FORMS))


@pytest.mark.parametrize("kind", ours.KINDS)
def test_every_kind_of_transformer_reads_words(kind: str, tmp_path: Path):
    sizes: dict[str, Any] = {"model_type": kind, "eos_token_id": 3, "bos_token_id": 2}
    if kind == "distilbert":
        sizes |= {"dim": 16, "hidden_dim": 24, "n_layers": 2, "n_heads": 2}
    if kind == "modernbert":
        sizes |= {"global_attn_every_n_layers": 2, "local_attention": 8, "cls_token_id": 2, "sep_token_id": 3}
    encoder = read_encoder(str(make_encoder(tmp_path / "encoder", **sizes)))
    network = encoder._network
    assert {network.depth(name) for name in encoder.weights if name != "mix"} == {0, 1, 2}
    found = rows(encoder, FORMS, ["abc", "de", "f"] * 20)
    assert found.shape == (65, 16)
    np.testing.assert_allclose(found[:5], rows(encoder, FORMS), atol=1e-5)


def test_tokenizers_of_bytes_mark_the_beginning_of_every_word():
    table = {"pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "ByteLevel", "add_prefix_space": False}]}}
    ours._mark_beginnings(table)
    assert table["pre_tokenizer"]["pretokenizers"][0]["add_prefix_space"] is True


def text(name: str, change: Callable[[dict[str, Any]], object]) -> Callable[[Path], None]:
    def apply(folder: Path) -> None:
        table = json.loads((folder / name).read_text(encoding="utf-8"))
        change(table)
        (folder / name).write_text(json.dumps(table), encoding="utf-8")

    return apply


def config(**changes: Any) -> Callable[[Path], None]:
    return text("config.json", lambda table: table.update(changes))


def weights(change: Callable[[dict[str, np.ndarray]], object]) -> Callable[[Path], None]:
    def apply(folder: Path) -> None:
        arrays = load_file(folder / "model.safetensors")
        change(arrays)
        save_file(arrays, folder / "model.safetensors")

    return apply


NORM = "embeddings.LayerNorm.weight"
BROKEN: dict[str, tuple[Callable[[Path], object], str]] = {
    "no config": (lambda folder: (folder / "config.json").unlink(), "it has no config.json"),
    "no tokenizer": (lambda folder: (folder / "tokenizer.json").unlink(), "has no tokenizer.json"),
    "pickled weights": (
        lambda folder: (folder / "model.safetensors").rename(folder / "pytorch_model.bin"),
        "pickled ones .* could run code",
    ),
    "not JSON": (lambda folder: (folder / "config.json").write_text("{"), "config.json: not well-formed JSON"),
    "not an object": (lambda folder: (folder / "config.json").write_text("[]"), "config.json: not an object"),
    "not UTF-8": (lambda folder: (folder / "tokenizer.json").write_bytes(b"\xff"), "not valid UTF-8"),
    "unknown kind": (config(model_type="gpt-9"), "model_type must be one of bert"),
    "own code": (config(model_type="mine", auto_map={"AutoModel": "mine.Model"}), "model_type must be one of bert"),
    "endless layers": (config(num_hidden_layers=10**9), "invalid sizes"),
    "too wide": (config(hidden_size=1 << 22), "encoder: '.*' is float32"),
    "negative size": (config(vocab_size=-3), "config.json"),
    "text as a size": (config(hidden_size="wide"), "config.json"),
    "heads that do not divide": (config(num_attention_heads=7), "config.json"),
    "too short": (config(max_position_embeddings=4), "too short|not"),
    "not a tokenizer": (text("tokenizer.json", lambda table: table.clear()), "tokenizer.json"),
    "unknown subwords": (
        text("tokenizer.json", lambda table: table["model"]["vocab"].update(much=10**6)),
        "subwords that are not in the encoder's vocabulary",
    ),
    "a missing weight": (weights(lambda arrays: arrays.pop(NORM)), f"no '{NORM}'"),
    "a wrong size": (weights(lambda arrays: arrays.update({NORM: np.zeros(3, np.float32)})), r"not \(16,\)"),
    "a wrong type": (weights(lambda arrays: arrays.update({NORM: np.zeros(16, np.int32)})), "int32"),
    "not a number": (
        weights(lambda arrays: arrays.update({NORM: np.full(16, np.nan, np.float32)})),
        "not finite",
    ),
    "cut off": (
        lambda folder: (folder / "model.safetensors").write_bytes((folder / "model.safetensors").read_bytes()[:-9]),
        "not a valid safetensors file",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_encoder_is_refused_in_one_line(case: str, tmp_path: Path):
    folder = make_encoder(tmp_path / "encoder")
    damage, message = BROKEN[case]
    damage(folder)
    with pytest.raises(ModelError, match=message) as error:
        read_encoder(str(folder))
    assert "\n" not in str(error.value)


def test_settings_that_would_fetch_or_run_code_are_not_kept(tmp_path: Path):
    folder = make_encoder(tmp_path / "encoder")
    config(
        auto_map={"AutoModel": "mine.Model"},
        _attn_implementation="somebody/kernel",
        attn_implementation="somebody/kernel",
        quantization_config={"quant_method": "gptq"},
    )(folder)
    kept = json.loads(read_encoder(str(folder)).config)
    assert kept.keys().isdisjoint({"auto_map", "_attn_implementation", "attn_implementation", "quantization_config"})


def test_numbers_that_overflow_are_reported(folder: Path):
    whole = read_encoder(str(folder))
    large = {name: array * np.float32(1e30) for name, array in whole.weights.items()}
    with pytest.raises(ModelError, match="not finite"):
        rows(Encoder(whole.config, whole.tokenizer, large), FORMS)


def test_sizes_that_do_not_fit_each_other_are_reported(tmp_path: Path):
    encoder = read_encoder(str(make_encoder(tmp_path / "encoder", type_vocab_size=0)))
    with pytest.raises(ModelError, match="the encoder failed on this input"):
        rows(encoder, FORMS)


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delitem(sys.modules, "multiplane.models.transformer")
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(MissingExtraError, match=r"transformers is not installed.*multiplane\[encoder\]"):
        encoders.transformers()


def test_models_without_an_encoder_are_loaded_without_torch_and_transformers():
    code = (
        "import sys, multiplane as mp; mp.load('en'); print({'torch', 'transformers', 'tokenizers'} & {*sys.modules})"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "set()\n"


def test_the_tokenizer_of_these_tests_is_a_valid_one():
    assert ours.tokenizers.Tokenizer.from_str(json.dumps(tokenizer())).encode("ab").ids[:4] == [2, 4, 45, 3]
