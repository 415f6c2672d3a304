"""Neural parsers with a pretrained encoder: what they learn, and that they are models as all others."""

import copy
import pickle
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file

import multiplane as mp
from multiplane.errors import ModelError, TrainingError
from multiplane.models import NeuralModel, load_model
from multiplane.models.encoder import Encoder
from multiplane.models.lemmas import Lemmas, apply_script
from multiplane.training.data import prepare
from multiplane.training.neural_config import neural_settings
from multiplane.training.tasks import settings_of
from small_encoders import make_encoder
from small_parsers import SMALL_NETWORK, SURE, contents, interrupted, without_digests

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
networks = pytest.importorskip("multiplane.training.network")
learners = pytest.importorskip("multiplane.training.neural")

SAMPLE = mp.sample()
ENCODER = ("config.json", "model.safetensors", "tokenizer.json")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_encoder(tmp_path_factory.mktemp("encoders") / "tiny")


@pytest.fixture(scope="module")
def settings(folder: Path) -> dict[str, Any]:
    return SMALL_NETWORK | {"model": "neural", "tags": "predicted", "encoder": str(folder), "precision": "float32"}


@pytest.fixture(scope="module")
def parser(settings: dict[str, Any]) -> mp.Parser:
    return mp.train(SAMPLE, SAMPLE, epochs=3, **settings)


@pytest.fixture(scope="module")
def saved(parser: mp.Parser, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("models") / "model"
    parser.save(path)
    return path


def all_files(folder: Path) -> dict[str, bytes]:
    here = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    return here | {f"encoder/{name}": data for name, data in contents(folder / "encoder").items()}


def letters(seed: int) -> mp.Corpus:
    """Sentences of words that occur once; a word with an a is the root and the head of all others."""
    random = np.random.default_rng(seed)
    forms, heads, labels = [], [], []
    for number in range(40):
        order = random.permutation(list("abcd")).tolist()
        root = order.index("a")
        forms.append([f"{letter}{number}" for letter in order])
        heads.append([0 if letter == "a" else root + 1 for letter in order])
        labels.append(["root" if letter == "a" else letter for letter in order])
    return mp.Corpus.from_columns(forms=forms, heads=heads, deprels=labels)


def test_what_only_the_encoder_can_tell_is_learnt(settings: dict[str, Any]):
    train, dev = letters(1), letters(2)
    chosen = settings | SURE | {"characters": 0, "character": 0, "affixes": 0, "batch": 16}
    chosen |= {"epochs": 12, "average": 1}
    others = ("encoder", "precision")
    without = mp.train(train, **{name: value for name, value in chosen.items() if name not in others})
    assert mp.evaluate(dev, without.parse(dev)).las < 70
    assert mp.evaluate(dev, mp.train(train, encoder_rate=0.001, **chosen).parse(dev)).las == 100


def test_the_native_core_computes_as_torch_does(settings: dict[str, Any]):
    chosen = neural_settings({name: settings[name] for name in settings} | {"epochs": 1, "average": 1}).for_words(714)
    learner = learners.NeuralLearner(prepare([SAMPLE], chosen), chosen)
    learner.epoch(1)
    model, network = replace(learner.model(), exact=True), learner._network.eval()
    for number, tables in enumerate(model.tables(SAMPLE)):
        if number not in (0, 7, 40):
            continue
        batch = learner._batch(np.array([number]))
        with torch.no_grad():
            types = torch.from_numpy(learner._words.words[batch.words].astype(np.int64))
            rows = learner._encoder.rows(network, batch, learner._first)
            inputs = network.inputs(types, learner._words, [None] * len(model.lexicon.singles), rows)
            encoded = network.encode(inputs, batch.lengths)
            wanted = network.label_tables(encoded.top)
            odds = networks.flat_odds(network.head_scores(encoded.top, batch.lengths), batch.lengths)
            tags = [scores[0].numpy() for scores in network.tag_scores(encoded)]
        np.testing.assert_allclose(tables.governors, wanted[0].numpy(), atol=3e-3)
        np.testing.assert_allclose(tables.dependents, wanted[1].numpy(), atol=3e-3)
        np.testing.assert_allclose(tables.odds.reshape(-1), odds, atol=3e-3)
        for found, scores in zip(tables.tags, tags, strict=True):
            np.testing.assert_allclose(found, scores, atol=1e-2)


def test_training_changes_the_encoder_less_towards_the_bottom(settings: dict[str, Any]):
    chosen = neural_settings(settings | {"epochs": 2, "encoder_rate": 0.01, "encoder_decay": 0.5}).for_words(714)
    learner = learners.NeuralLearner(prepare([SAMPLE], chosen), chosen)
    rates = [group["most"] for group in learner._optimizer.param_groups]
    assert rates == [0.01, 0.01, 0.01, 0.005, 0.0025]
    before = copy.deepcopy(learner._network.encoder.state_dict())
    learner.epoch(1)
    after = learner._network.encoder.state_dict()
    assert all(not torch.equal(before[name], after[name]) for name in after if "position" not in name)


def test_no_rate_leaves_the_encoder_as_it_was(settings: dict[str, Any], folder: Path):
    model = mp.train(SAMPLE, epochs=1, encoder_rate=0, **settings).model
    assert isinstance(model, NeuralModel)
    assert model.encoder is not None
    for name, array in load_file(folder / "model.safetensors").items():
        np.testing.assert_array_equal(model.encoder.weights[name], array.astype(np.float16))


def test_the_same_seed_gives_the_same_bytes(settings: dict[str, Any], saved: Path, tmp_path: Path):
    mp.train(SAMPLE, SAMPLE, epochs=3, **settings).save(tmp_path / "again")
    assert all_files(tmp_path / "again") == all_files(saved)


def test_a_loaded_model_parses_as_the_trained_one_and_is_saved_the_same(parser: mp.Parser, saved: Path, tmp_path: Path):
    again = mp.load(saved)
    assert again.parse(SAMPLE).to_bytes() == parser.parse(SAMPLE).to_bytes()
    again.save(tmp_path / "b")
    assert all_files(tmp_path / "b") == all_files(saved)
    assert {path.name for path in saved.iterdir()} == {
        "config.toml",
        "encoder",
        "README.md",
        "vocabulary.json",
        "weights.safetensors",
    }
    assert sorted(contents(saved / "encoder")) == sorted(ENCODER)


def test_transformers_reads_the_encoder_of_a_model(saved: Path):
    import transformers  # noqa: PLC0415 - optional

    body = transformers.AutoModel.from_pretrained(saved / "encoder", local_files_only=True)
    weights = load_file(saved / "encoder" / "model.safetensors")
    for name, tensor in body.state_dict().items():
        if not name.startswith("pooler"):
            np.testing.assert_array_equal(tensor.float().numpy(), weights[name].astype(np.float32))


def test_a_pickled_model_parses_the_same(parser: mp.Parser):
    for other in (pickle.loads(pickle.dumps(parser)), copy.deepcopy(parser)):
        assert other.parse(SAMPLE).to_bytes() == parser.parse(SAMPLE).to_bytes()


def test_a_beam_kept_heads_and_derivations_work_as_with_other_models(parser: mp.Parser):
    assert parser.parse(SAMPLE, beam=4)[0].forms == SAMPLE[0].forms
    kept = parser.parse(SAMPLE[:5], keep_heads=True)
    assert [sentence.heads for sentence in kept] == [sentence.heads for sentence in SAMPLE[:5]]
    sentence = SAMPLE[3]
    configuration = parser.model.system.initial(len(sentence))
    for action in parser.derivation(sentence):
        configuration = configuration.apply(str(action))
    heads = {dependent: head for head, dependent, _ in configuration.arcs}
    assert [heads.get(i + 1, 0) for i in range(len(sentence))] == parser.parse(sentence).heads


def test_a_text_a_single_word_and_nothing_are_parsed(parser: mp.Parser):
    assert [len(sentence) for sentence in parser.parse("She left. Go")] == [3, 1]
    assert len(parser.parse("")) == 0


def test_a_sentence_longer_than_the_encoder_can_read_is_parsed(parser: mp.Parser):
    long = mp.Corpus.from_columns(forms=[["abc", "de", "f"] * 200])
    assert parser.parse(long)[0].graph.is_tree()


def test_threads_and_the_command_line_give_the_same(parser: mp.Parser, saved: Path, tmp_path: Path, run: Callable):
    source = tmp_path / "source.conllu"
    source.write_bytes(SAMPLE.to_bytes())
    run("parse", "-m", saved, source, "-o", tmp_path / "out.conllu", "--threads", 2)
    assert mp.read(tmp_path / "out.conllu").heads.tolist() == parser.parse(SAMPLE).heads.tolist()


def test_an_interrupted_run_continues_as_if_nothing_had_happened(
    settings: dict[str, Any], saved: Path, tmp_path: Path, run: Callable, monkeypatch: pytest.MonkeyPatch
):
    source = tmp_path / "sample.conllu"
    source.write_bytes(SAMPLE.to_bytes())
    values = {name: value for name, value in settings.items() if name not in ("model", "tags", "encoder")}
    changed = [part for name, value in values.items() for part in ("--set", f"{name}={value}")]
    command = ["train", "--model", "neural", "--tags", "predicted", "--encoder", settings["encoder"], *changed]
    command += ["--train", source, "--dev", source, "--epochs", 3, "-o", tmp_path / "model"]
    monkeypatch.setattr(learners.NeuralLearner, "epoch", interrupted(learners.NeuralLearner.epoch))
    assert run(*command).code == 130
    monkeypatch.undo()
    other = tmp_path / "other"
    shutil.copytree(settings["encoder"], other)
    tokenizer = (other / "tokenizer.json").read_text(encoding="utf-8")
    (other / "tokenizer.json").write_text(tokenizer + "\n", encoding="utf-8")
    elsewhere = ["tiny" if part == settings["encoder"] else part for part in command]
    other.rename(tmp_path / "tiny")
    monkeypatch.chdir(tmp_path)
    assert "another encoder" in run(*elsewhere, "--resume").err
    assert run(*command, "--resume").code == 0
    assert all_files(tmp_path / "model") == all_files(saved)


@pytest.mark.parametrize("name", ENCODER)
def test_a_damaged_file_of_the_encoder_is_refused(name: str, saved: Path, tmp_path: Path):
    folder = Path(shutil.copytree(saved, tmp_path / "model"))
    path = folder / "encoder" / name
    path.write_bytes(path.read_bytes() + b" ")
    with pytest.raises(ModelError, match="is damaged or from another model"):
        load_model(folder)
    path.unlink()
    with pytest.raises(ModelError, match="cannot be read"):
        load_model(folder)
    without_digests(folder)
    with pytest.raises(ModelError, match="cannot be read"):
        load_model(folder)


def test_an_encoder_of_another_width_is_refused(saved: Path, tmp_path: Path):
    folder = Path(shutil.copytree(saved, tmp_path / "model"))
    shutil.rmtree(folder / "encoder")
    make_encoder(folder / "encoder", hidden_size=32)
    without_digests(folder)
    with pytest.raises(ModelError, match=r"mix|do not fit"):
        load_model(folder)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"encoder": "nowhere"}, "nowhere: is not a transformer in Hugging Face format"),
        ({"precision": "float8"}, "precision must be one of auto, float32, bfloat16"),
        ({"encoder": None, "encoder_rate": 1e-4}, "encoder_rate applies only to pretrained encoders; give one with"),
        ({"encoder_rate": -1}, "encoder_rate must be a number from 0.0 to 1.0"),
        ({"task": "enhanced"}, "joint parsers do not support pretrained encoders"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, Any], changes: dict[str, Any], message: str):
    with pytest.raises((TrainingError, ModelError), match=message):
        mp.train(SAMPLE, epochs=1, **settings | changes)


def test_the_number_of_epochs_depends_on_the_size_of_the_treebank():
    chosen = settings_of({"model": "neural", "encoder": "bert"})
    assert [chosen.epochs_for(words) for words in (1_000, 100_000, 200_000, 10**7)] == [20, 14, 7, 7]


def test_bfloat16_trains_a_model_too(settings: dict[str, Any]):
    model = mp.train(SAMPLE, epochs=1, **settings | {"precision": "bfloat16"}).model
    assert model.parse(SAMPLE).heads.shape == (SAMPLE.words,)


def test_lemmas_are_those_that_torch_finds_with_the_encoders_vectors(
    settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch
):
    chosen = neural_settings(settings | {"epochs": 1}).for_words(714)
    learner = learners.NeuralLearner(prepare([SAMPLE], chosen), chosen)
    network = learner._averaged.eval()
    rows = np.random.default_rng(1).normal(size=(SAMPLE.words, network.sizes.encoder)).astype(np.float32)
    with torch.no_grad():
        for layer in network.lemma_layers:
            layer.weight.normal_()  # so that words have many scripts
    monkeypatch.setattr(Encoder, "rows", lambda self, forms, lengths: rows)
    model = learner.model()
    assert model.lexicon.lemmas is not None
    scripts, forms = model.lexicon.lemmas.scripts, SAMPLE.column("form")
    model = replace(model, exact=True, lexicon=replace(model.lexicon, lemmas=Lemmas(scripts, ())))
    found = next(tags for tags in model.parse(SAMPLE).tags if tags.column == "lemma")
    same = differ = 0
    for number in range(len(SAMPLE)):
        batch = learner._batch(np.array([number]))
        with torch.no_grad():
            types, given = torch.from_numpy(learner._words.words[batch.words]), torch.from_numpy(rows[batch.words])
            inputs = network.inputs(types.long(), learner._words, [None] * len(model.lexicon.singles), given)
            read = network.encode(inputs, batch.lengths)
            without = torch.cat([inputs[:, : -given.shape[1]], torch.zeros_like(given)], dim=1)
            both = network.script_scores(read), network.script_scores(read._replace(words=without))
        for place, word in enumerate(batch.words.tolist()):
            wanted, blind = (_lemma(forms[word], scripts, scores[place]) for scores in both)
            same += wanted == found.names[found.values[word]]
            differ += wanted != blind
    assert same > 0.98 * SAMPLE.words
    assert differ > 0.2 * SAMPLE.words


def _lemma(form: str, scripts: tuple[str, ...], scores: Any) -> str:
    made = (apply_script(scripts[number], form) for number in scores.argsort(descending=True).tolist())
    return next(lemma for lemma in made if lemma is not None)


def test_scores_best_trees_and_forbidden_arcs_work_as_with_other_models(parser: mp.Parser, saved: Path):
    assert [each.beam for each in mp.load(saved).model.calibrations] == [1]  # type: ignore[attr-defined]
    plain = parser.parse(SAMPLE)
    scored = parser.parse(SAMPLE, scores=True)
    assert scored.heads.tolist() == plain.heads.tolist()
    assert all(score is not None and 0 < score <= 1 for sentence in scored for score in sentence.scores)
    several = parser.parse(SAMPLE, beam=4, best=4)
    assert [trees[0].heads for trees in several] == [tree.heads for tree in parser.parse(SAMPLE, beam=4)]
    assert max(map(len, several)) == 4
    sentence = plain[3]
    arc = (sentence.heads[0], 1)
    assert parser.parse(SAMPLE[3], forbidden=[arc]).heads[0] != arc[0]
