"""Learning from teachers: what they say is what they think, and students follow them."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import multiplane as mp
from multiplane.errors import TrainingError
from multiplane.formats.treebank import joined
from multiplane.models import NeuralModel, load_model, save_model
from multiplane.models.lemmas import Lemmas
from multiplane.models.protocol import FixedArcs
from multiplane.training.data import prepare
from multiplane.training.neural_config import neural_settings
from small_parsers import SMALL_NETWORK, SURE, contents, interrupted, treebank

torch = pytest.importorskip("torch")
learners = pytest.importorskip("multiplane.training.neural")
teaching = pytest.importorskip("multiplane.training.teaching")

SAMPLE = mp.sample()
SETTINGS: dict[str, Any] = SMALL_NETWORK | {"model": "neural", "tags": "predicted"}


def save(parser: mp.Parser, path: Path) -> str:
    parser.save(path)
    return str(path)


@pytest.fixture(scope="module")
def teachers(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("teachers")
    return [save(mp.train(SAMPLE, epochs=4, seed=seed, **SETTINGS), folder / f"t{seed}") for seed in (1, 2)]


def lessons(teacher: Any, corpus: Any = SAMPLE, **settings: Any) -> Any:
    chosen = neural_settings(SETTINGS | settings | {"teacher": teacher}).for_words(714)
    return learners.NeuralLearner(prepare([corpus], chosen), chosen)._lessons


def test_the_targets_are_what_the_teacher_predicts(teachers: list[str]):
    found = lessons(teachers[0], teacher_temperature=1.0)
    model = load_model(teachers[0])
    assert isinstance(model, NeuralModel)
    word = 0
    for sentence, tables in zip(SAMPLE, model.tables(SAMPLE), strict=True):
        best = tables.odds.argmax(axis=1)
        np.testing.assert_array_equal(found.heads.answers[word : word + tables.words, 0], best)
        kept = np.sort(tables.odds, axis=1)[:, ::-1][:, : teaching.KEPT]
        shares = found.heads.odds[word : word + tables.words, : kept.shape[1]]
        np.testing.assert_allclose(shares, kept / kept.sum(axis=1, keepdims=True), atol=2e-3)
        for place, (column, names) in enumerate(model.lexicon.tags.items()):
            told = [names[number] for number in tables.tags[place].argmax(axis=1)]
            answers = found.tags[place].answers[word : word + tables.words, 0]
            assert [names[number] for number in answers] == told, column
        word += len(sentence)
    assert word == SAMPLE.words


def test_labels_are_those_of_the_gold_arcs_as_the_parser_labels_them(teachers: list[str]):
    few = joined([sentence for sentence in SAMPLE if sentence.graph.planarity() <= 2])
    model = replace(load_model(teachers[0]), exact=True)  # type: ignore[type-var]
    told = model.parse(few, fixed=FixedArcs(few.heads, np.full(few.words, -1, np.int32))).labels
    found = lessons(teachers[0], few).labels
    has_arc = few.heads > 0
    assert (found.odds[~has_arc] == 0).all()
    names = sorted(set(few.column("deprel")))
    same = [names[a] == model.names[b] for a, b in zip(found.answers[has_arc, 0], told[has_arc], strict=True)]
    assert sum(same) > 0.98 * len(same)  # the teacher computes with 16 bits here


def test_several_teachers_are_averaged(teachers: list[str]):
    both = lessons(teachers, teacher_temperature=1.0).heads
    alone = [model.tables(SAMPLE) for model in map(load_model, teachers) if isinstance(model, NeuralModel)]
    word = 0
    for one, other in zip(*alone, strict=True):
        mean = (one.odds + other.odds) / 2
        np.testing.assert_array_equal(both.answers[word : word + one.words, 0], mean.argmax(axis=1))
        word += one.words


def test_a_higher_temperature_makes_teachers_less_certain(teachers: list[str]):
    cold, warm = (lessons(teachers[0], teacher_temperature=value).heads for value in (1.0, 4.0))
    assert (warm.odds[:, 0] <= cold.odds[:, 0]).all()
    assert warm.odds[:, 0].mean() < 0.9 * cold.odds[:, 0].mean()


def test_the_loss_mixes_gold_answers_with_what_teachers_think():
    scores = torch.tensor([[2.0, 0.0, 1.0], [0.5, 0.5, -1.0]])
    gold = torch.tensor([0, 2])
    targets = teaching.Targets.empty(2)
    targets.keep(0, np.array([[0.25, 0.0, 0.75], [0.0, 0.0, 0.0]], np.float32))
    settings = neural_settings({"teacher": "t", "teacher_weight": 0.25, "teacher_temperature": 2.0})
    logs, soft = torch.log_softmax(scores, 1), torch.log_softmax(scores / 2, 1)
    taught = -4 * (0.25 * soft[0, 0] + 0.75 * soft[0, 2])
    wanted = -0.75 * logs[0, 0] + 0.25 * taught - logs[1, 2]  # nobody thinks anything about the second word
    found = teaching.loss_of(scores, gold, targets, np.arange(2), settings)
    torch.testing.assert_close(found, wanted)


def test_a_student_follows_its_teacher_rather_than_the_treebank(tmp_path: Path):
    gold, believed = treebank([[2, 0, 2, 3]] * 8), treebank([[0, 1, 1, 1]] * 8)
    labels = dict(zip(gold.column("form"), gold.column("deprel"), strict=True))
    believed = mp.Corpus.from_columns(
        forms=[s.forms for s in believed],
        heads=[s.heads for s in believed],
        deprels=[["root" if h == 0 else labels["w1"] for h in s.heads] for s in believed],
    )
    gold = mp.Corpus.from_columns(
        forms=[s.forms for s in gold],
        heads=[s.heads for s in gold],
        deprels=[["root" if h == 0 else labels["w1"] for h in s.heads] for s in gold],
    )
    settings = SMALL_NETWORK | SURE | {"model": "neural", "tags": "predicted", "epochs": 20, "average": 1}
    teacher = save(mp.train(believed, **settings), tmp_path / "teacher")
    student = mp.train(gold, teacher=teacher, teacher_weight=1.0, **settings).model
    assert isinstance(student, NeuralModel)
    assert next(student.tables(gold)).odds.argmax(axis=1).tolist() == [0, 1, 1, 1]
    assert student.encoder is None


def test_lemmas_are_learnt_from_the_treebank_whatever_the_weight_of_teachers(tmp_path: Path):
    settings = {name: value for name, value in SETTINGS.items() if name != "tags"} | SURE
    teacher = save(mp.train(SAMPLE, epochs=1, predict="upos", **settings), tmp_path / "teacher")
    taught = {"teacher": teacher, "teacher_weight": 1.0, "average": 1}
    model = mp.train(SAMPLE, epochs=12, predict="upos,lemma", **taught, **settings).model
    assert isinstance(model, NeuralModel)
    assert model.lexicon.lemmas is not None
    model = replace(model, lexicon=replace(model.lexicon, lemmas=Lemmas(model.lexicon.lemmas.scripts, ())))
    found = next(tags for tags in model.parse(SAMPLE).tags if tags.column == "lemma")
    lemmas = [found.names[value] for value in found.values]
    assert sum(map(str.__eq__, lemmas, SAMPLE.column("lemma"))) > 0.75 * SAMPLE.words  # lower case alone: 0.67


def test_without_weight_a_teacher_changes_nothing(teachers: list[str]):
    alone = mp.train(SAMPLE, epochs=2, **SETTINGS).model.contents().tensors
    taught = mp.train(SAMPLE, epochs=2, teacher=teachers, teacher_weight=0.0, **SETTINGS).model.contents().tensors
    for name, array in alone.items():
        np.testing.assert_allclose(taught[name].astype(np.float32), array.astype(np.float32), atol=0.02)


def test_the_same_seed_and_teachers_give_the_same_bytes_and_names_are_recorded(teachers: list[str], tmp_path: Path):
    for name in ("a", "b"):
        mp.train(SAMPLE, epochs=2, teacher=teachers, **SETTINGS).save(tmp_path / name)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    assert mp.load(tmp_path / "a").model.record.settings["teacher"] == "t1, t2"


def test_a_run_is_not_resumed_with_another_teacher(
    teachers: list[str], tmp_path: Path, run: Callable, monkeypatch: Any
):
    source, folder = tmp_path / "sample.conllu", tmp_path / "teacher"
    source.write_bytes(SAMPLE.to_bytes())
    mp.load(teachers[0]).save(folder)
    changed = [part for name, value in SMALL_NETWORK.items() for part in ("--set", f"{name}={value}")]
    command = ["train", "--model", "neural", "--tags", "predicted", "--train", source, "--teacher", folder, *changed]
    command += ["--epochs", 3, "-o", tmp_path / "model"]
    monkeypatch.setattr(learners.NeuralLearner, "epoch", interrupted(learners.NeuralLearner.epoch))
    assert run(*command).code == 130
    monkeypatch.undo()
    mp.load(teachers[1]).save(folder)
    assert "other teachers" in run(*command, "--resume").err
    mp.load(teachers[0]).save(folder)
    assert run(*command, "--resume").code == 0
    mp.train(source, epochs=3, teacher=str(folder), **SETTINGS).save(tmp_path / "whole")
    assert contents(tmp_path / "whole") == contents(tmp_path / "model")


def test_a_bundled_model_can_teach_by_name():
    en = mp.load("en")
    silver = en.parse("She left. The committee will publish its report.")
    found = mp.train(silver, epochs=1, teacher="en", **SETTINGS | {"tags": "given"})
    assert found.model.record.settings["teacher"] == "en"


def test_models_that_cannot_teach_are_refused(teachers: list[str], tmp_path: Path):
    cases: dict[str, tuple[Callable[[], mp.Parser], str]] = {
        "linear": (lambda: mp.train(SAMPLE, epochs=1), "does not predict the heads of all words"),
        "headless": (lambda: mp.train(SAMPLE, epochs=1, **SETTINGS | {"arc": 0}), "does not predict the heads"),
        "rooted": (lambda: mp.train(SAMPLE, epochs=1, root="left", **SETTINGS), "has an artificial root, but"),
        "lifting": (
            lambda: mp.train(SAMPLE, epochs=1, pseudo_projective="path", system="arc-eager", **SETTINGS),
            "encodes trees differently|does not know the label",
        ),
        "undirected": (
            lambda: mp.train(SAMPLE, epochs=1, system="undirected-planar", root="none", **SETTINGS),
            "undirected parsers neither teach",
        ),
    }
    for name, (make, message) in cases.items():
        path = save(make(), tmp_path / name)
        with pytest.raises(TrainingError, match=message):
            lessons(path)
    with pytest.raises(TrainingError, match=r"does not know the label 'l2'.*same labels"):
        lessons(teachers[0], treebank([[2, 0]] * 3))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"teacher_weight": 0.5}, "teacher_weight applies only to teachers; give one with --teacher"),
        ({"teacher": "./t", "teacher_weight": 2.0}, "teacher_weight must be a number from 0.0 to 1.0"),
        ({"teacher": "./t", "arc": 0}, "distillation needs a parser that predicts heads"),
    ],
)
def test_settings_that_make_no_sense_are_refused(changes: dict[str, Any], message: str):
    with pytest.raises(TrainingError, match=message):
        mp.train(SAMPLE, epochs=1, **SETTINGS | changes)


def test_a_sentence_too_long_for_heads_at_once_is_learnt_without_a_teacher(tmp_path: Path):
    long = treebank([[0] + [1] * 2_100, [0, 1, 1]])
    settings = SMALL_NETWORK | {"model": "neural", "tags": "predicted", "epochs": 1, "system": "arc-eager"}
    model = mp.train(treebank([[0, 1, 1]] * 4), **settings).model
    assert isinstance(model, NeuralModel)
    tables = next(model.tables(long))
    assert tables.words == 2_101
    assert tables.odds.shape == (0, 2_102)
    save_model(model, tmp_path / "teacher")
    found = lessons(str(tmp_path / "teacher"), long, system="arc-eager").heads.odds.sum(axis=1)
    assert (found[:2_101] == 0).all()
    assert (found[2_101:] > 0.9).all()
