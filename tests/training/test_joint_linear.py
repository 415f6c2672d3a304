"""Joint linear parsers of trees and semantic graphs: what they learn, what they keep, and what they refuse."""

import json
import pickle
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import multiplane as mp
from multiplane.errors import ModelError, TrainingError
from multiplane.features import FeatureModel
from multiplane.formats.reader import from_text
from multiplane.formats.rewrite import NewColumn, with_columns
from multiplane.models.joint_linear import JointLinearModel
from multiplane.models.linear import LinearModel
from multiplane.training import train_model
from multiplane.training.config import Settings
from multiplane.training.joint_config import JointLinearSettings, JointSettings
from multiplane.training.neural_config import NeuralSettings
from multiplane.training.settings import LearnerSettings
from multiplane.training.tasks import settings_of
from small_parsers import contents, without_digests

LINEAR: dict[str, Any] = {"task": "joint", "model": "linear", "prune": 0.0}


def trained(train: Any, dev: Any = None, **settings: Any) -> mp.Parser:
    return mp.train(train, dev, **{**LINEAR, **settings})


@pytest.fixture(scope="module")
def sample() -> mp.Corpus:
    return mp.sample("conll09")


@pytest.fixture(scope="module")
def parser(sample: mp.Corpus) -> mp.Parser:
    """A parser that knows the sample by heart."""
    return trained(sample, epochs=15)


def test_trees_predicates_senses_and_arguments_are_learnt_by_heart(parser: mp.Parser, sample: mp.Corpus) -> None:
    scores = mp.evaluate(sample, parser.parse(sample))
    assert scores.las > 97
    assert scores["Predicates"].f1 > 97
    assert scores["Arguments"].f1 > 95


@pytest.mark.parametrize(
    "settings",
    [
        {"semantics": "planar[]"},
        {"semantics": "2-planar[]"},
        {"semantics": "3-planar[]"},
        {"order": "exhaustive"},
        {"system": "swap"},
        {"system": "covington"},
        {"system": "undirected-planar"},
        {"root": "right"},
        {"semantics": "planar[]", "planarize": "head"},
        {"bits": 20},
    ],
)
def test_other_systems_and_orders_learn_too(sample: mp.Corpus, settings: dict[str, Any]) -> None:
    parsed = trained(sample, epochs=8, **settings).parse(sample)
    scores = mp.evaluate(sample, parsed)
    assert scores.las > 80
    assert scores["Arguments"].f1 > 80


def test_the_trees_are_those_of_a_greedy_linear_parser(sample: mp.Corpus) -> None:
    joint = trained(sample, epochs=3, seed=5).model
    alone = mp.train(sample, beam=1, epochs=3, seed=5, prune=0.0).model
    assert isinstance(joint, JointLinearModel)
    assert isinstance(alone, LinearModel)
    for ours, theirs in zip(joint.weights, alone.weights, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    np.testing.assert_array_equal(joint.parse(sample).heads, alone.parse(sample).heads)


def test_arcs_start_at_predicates_only_and_other_columns_stay(parser: mp.Parser, sample: mp.Corpus) -> None:
    for before, after in zip(sample, parser.parse(sample), strict=True):
        assert {arc[0] for arc in after.semantics.arcs} <= set(after.predicates)
        for column in ("form", "lemma", "upos", "xpos", "feats", "phead", "pdeprel"):
            assert before.column(column) == after.column(column)


def test_given_predicates_are_kept(parser: mp.Parser, sample: mp.Corpus) -> None:
    parsed = parser.parse(sample, keep_predicates=True)
    assert [list(s.predicates) for s in parsed] == [list(s.predicates) for s in sample]
    nothing = parser.model.parse(sample, predicates=np.zeros(sample.words, np.int8))
    assert nothing.graphs is not None
    assert nothing.graphs.predicates is not None
    assert len(nothing.graphs.predicates.words) == len(nothing.graphs.arcs.heads) == 0


def test_given_trees_are_kept_and_seen(parser: mp.Parser, sample: mp.Corpus) -> None:
    parsed = parser.parse(sample, keep_heads=True)
    assert parsed.column("head") == sample.column("head")
    assert parsed.column("deprel") == sample.column("deprel")
    assert mp.evaluate(sample, parsed)["Arguments"].f1 > 95
    heads = np.ones(sample.words, np.int32)
    heads[np.cumsum(sample.lengths) - sample.lengths] = 0
    flat = with_columns(sample, [NewColumn("head", heads)])
    other = parser.parse(flat, keep_heads=True)
    assert other.column("head") == flat.column("head")
    assert [s.semantics.arcs for s in other] != [s.semantics.arcs for s in parsed]
    row = "1\tgo\tgo\tgo\tVB\tVB\t_\t_\t_\t_\t_\t_\t_\t_\n"
    with pytest.raises(ModelError, match="a word has no head; give heads for all words of the sentence, or none"):
        parser.parse(from_text(row, "conll09"), keep_heads=True)


def test_labels_of_given_trees_are_those_of_the_vocabulary_that_a_codec_has_marked(sample: mp.Corpus) -> None:
    parser = trained(sample, epochs=15, system="arc-eager", pseudo_projective="path")
    assert isinstance(parser.model, JointLinearModel)
    assert parser.model.names != parser.model.labels[: len(parser.model.names)]
    for name, number in zip(parser.model.names, parser.model._numbers_of_names.tolist(), strict=True):
        assert parser.model.labels[number].rstrip("↑↓") == name
    assert mp.evaluate(sample, parser.parse(sample, keep_heads=True))["Arguments"].f1 > 85


def test_graphs_for_given_trees_leave_the_trees_alone(sample: mp.Corpus) -> None:
    parser = trained(sample, sample, task="semantics", epochs=10)
    assert parser.model.reads_trees
    assert parser.model.record.history[-1].las is None
    parsed = parser.parse(sample)
    assert parsed.column("head") == sample.column("head")
    assert mp.evaluate(sample, parsed)["Arguments"].f1 > 95


def test_a_predicate_with_an_unknown_lemma_gets_the_usual_sense(parser: mp.Parser) -> None:
    row = "1\tgrokked\tgrok\tgrok\tVBD\tVBD\t_\t_\t0\t0\troot\troot\tY\t_\t_\n"
    parsed = parser.parse(from_text(row, "conll09"), keep_predicates=True)
    assert parsed[0].predicates == {1: "grok.01"}


def test_the_derivation_takes_turns_and_builds_what_is_parsed(parser: mp.Parser, sample: mp.Corpus) -> None:
    assert isinstance(parser.model, JointLinearModel)
    parsed = parser.parse(sample)
    for steps, sentence in zip(parser.model.joint_derivations(sample), parsed, strict=True):
        c = mp.systems[parser.model.semantics.system.name].initial(len(sentence.forms))
        for step in steps:
            if step.layer == "semantics":
                c = c.apply(str(step.action))
        assert c.is_terminal
        assert c.arcs == set(sentence.semantics.arcs)
        layers = [step.layer for step in steps]
        assert layers[0] == "syntax"
        assert len(sentence.forms) < 3 or layers != sorted(layers, reverse=True)


def predicates(frames: str) -> str:
    """A treebank of short sentences: a word with a sense by the word behind it, and a role that follows the sense."""
    rows = ""
    for number, sense in enumerate(frames, 1):
        cue, role = ("up", "A0") if sense == "1" else ("down", "A1")
        rows += f"1\tn{number}\tn\tn\tN\tN\t_\t_\t2\t2\tsubj\tsubj\t_\t_\t{role}\n"
        rows += f"2\tgo\tgo\tgo\tV\tV\t_\t_\t0\t0\troot\troot\tY\tgo.0{sense}\t_\n"
        rows += f"3\t{cue}\t{cue}\t{cue}\tP\tP\t_\t_\t2\t2\tprt\tprt\t_\t_\t_\n\n"
    return rows


def test_roles_see_senses_and_senses_see_the_words_around(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each feature model is cut down to what the decision needs: nothing else could tell."""
    graphs = FeatureModel.from_toml(
        'templates.transition = ["path(stack[0],buffer[0]) + role(stack[0],buffer[0]) + buffer[0].predicate"]\n'
        'templates.label = ["governor.sense"]'
    )
    words = FeatureModel.from_toml(
        'templates.transition = ["buffer[0].upos"]\ntemplates.label = ["dependent.lemma + next(dependent).lemma"]'
    )
    monkeypatch.setattr(JointLinearSettings, "graph_features", lambda self, system: (graphs, words))
    corpus = from_text(predicates("12212"), "conll09")
    parsed = trained(corpus, epochs=4).parse(corpus)
    assert [s.predicates for s in parsed] == [s.predicates for s in corpus]
    assert [s.semantics.arcs for s in parsed] == [s.semantics.arcs for s in corpus]
    blind = FeatureModel.from_toml(graphs.to_toml().replace("governor.sense", "governor.predicate"))
    monkeypatch.setattr(JointLinearSettings, "graph_features", lambda self, system: (blind, words))
    unseen = trained(corpus, epochs=4).parse(corpus)
    assert [s.semantics.arcs for s in unseen] != [s.semantics.arcs for s in corpus]


def test_the_same_seed_gives_the_same_files_and_loading_gives_the_same_output(
    sample: mp.Corpus, tmp_path: Path
) -> None:
    for name in "ab":
        trained(sample, sample, epochs=2, seed=3).save(tmp_path / name)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    loaded = mp.load(tmp_path / "a")
    expected = trained(sample, sample, epochs=2, seed=3).parse(sample).to_bytes()
    assert loaded.parse(sample).to_bytes() == expected
    assert pickle.loads(pickle.dumps(loaded)).parse(sample).to_bytes() == expected


def test_a_resumed_training_ends_as_if_it_had_not_been_interrupted(sample: mp.Corpus, tmp_path: Path) -> None:
    settings = settings_of(LINEAR | {"epochs": 3})
    whole, _ = train_model([sample], sample, settings)

    class Stop(mp.training.Reporter):
        def end(self, epoch: Any, seconds: float, is_best: bool) -> None:
            if epoch.number == 2:
                raise KeyboardInterrupt

    _, interrupted = train_model([sample], sample, settings, checkpoint=tmp_path / "c", reporter=Stop())
    assert interrupted
    resumed, _ = train_model([sample], sample, settings, checkpoint=tmp_path / "c", resume=True)
    assert resumed.record.history == whole.record.history
    for name, array in whole.contents().tensors.items():
        np.testing.assert_array_equal(array, resumed.contents().tensors[name])


def damaged(folder: Path, file: str, old: str, new: str) -> None:
    without_digests(folder)
    text = (folder / file).read_text(encoding="utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("config.toml", 'name = "swap-graph"', 'name = "planar[]"', "differs from the one"),
        ("config.toml", 'usual_sense = "01"', "usual_sense = 1", "usual_sense"),
        ("config.toml", 'usual_sense = "01"', 'usual_sense = ""', "senses"),
        ("config.toml", "governor.sense", "governor.sence", "no attribute 'sence'"),
        ("config.toml", "[semantics]", "[semantic]", "usual_sense is missing"),
        ("config.toml", "path(stack[0],buffer[0])", "path(inactive[0],buffer[0])", "at least 2 stacks"),
        ("vocabulary.json", '"buy\\t', '"buy\\t999 ', "not in the vocabulary"),
        ("vocabulary.json", '"buy\\t', '"buy\\tx', "not a lemma"),
        ("vocabulary.json", '"roles": [', '"rules": [', "1 to 65,535 labels, not 0"),
    ],
)
def test_a_damaged_model_is_refused(
    parser: mp.Parser, tmp_path: Path, file: str, old: str, new: str, message: str
) -> None:
    parser.save(tmp_path / "m")
    damaged(tmp_path / "m", file, old, new)
    with pytest.raises(ModelError, match=message):
        mp.load(tmp_path / "m")


@pytest.mark.parametrize("part", ["semantic", "predicate"])
@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("keys", lambda array: array[::-1], "in order"),
        ("weights", lambda array: array[:-1], "do not fit their keys"),
        ("label_classes", lambda array: array + 60_000, "no such label"),
        ("label_counts", lambda array: array + 1, "do not fit their keys"),
        ("label_weights", lambda array: array.astype(np.int32), "expected: int16"),
        ("label_keys", None, "the weights are"),
    ],
)
def test_weights_that_do_not_fit_are_refused(part: str, name: str, change: Any, message: str) -> None:
    parser = trained(from_text(predicates("12212"), "conll09"), epochs=2)  # with weights of every kind
    stored = parser.model.contents()
    tensors = dict(stored.tensors)
    array = tensors.pop(f"{part}.{name}")
    if change is not None:
        tensors[f"{part}.{name}"] = np.ascontiguousarray(change(array))
    with pytest.raises(ModelError, match=message):
        JointLinearModel.from_contents(
            type(stored)(stored.config, tensors, stored.labels, stored.vocabularies), parser.model.record
        )


def test_what_cannot_be_done_is_refused_with_advice(parser: mp.Parser, sample: mp.Corpus) -> None:
    with pytest.raises(ModelError, match=r"CoNLL-U has no columns for them; convert the file first"):
        parser.parse(mp.sample())
    with pytest.raises(ModelError, match="greedily"):
        parser.parse(sample, beam=4)
    with pytest.raises(ModelError, match="predicts no predicates"):
        mp.train(sample, epochs=1, beam=1).parse(sample, keep_predicates=True)
    with pytest.raises(mp.errors.LayerError, match="no predicates and arguments"):
        trained(mp.sample())


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"semantics": "planar"}, "one head per word"),
        ({"task": "enhanced"}, "--task enhanced needs --model neural"),
        ({"planarize": "flat"}, "planarize must be one of"),
        ({"beam": 4}, "greedily; drop --beam"),
        ({"parse_beam": 4}, "greedily; drop --beam"),
        ({"learner": "libsvm"}, "drop --learner libsvm"),
        ({"preset": "fast"}, "unknown setting 'preset'"),
        ({"order": "never"}, "order must be one of last-resort, exhaustive"),
        ({"model": "quadratic"}, "model must be one of"),
    ],
)
def test_settings_that_do_not_apply_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(TrainingError, match=message):
        settings_of(LINEAR | settings)


@pytest.mark.parametrize(
    ("kind", "base", "changed"), [(JointSettings, NeuralSettings, {}), (JointLinearSettings, Settings, {"beam": 1})]
)
def test_joint_parsers_have_the_usual_settings_of_their_learners(
    kind: type[LearnerSettings], base: type[LearnerSettings], changed: dict[str, Any]
) -> None:
    own = {each.name: each.default for each in fields(kind)}
    assert {each.name: own[each.name] for each in fields(base) if own[each.name] != each.default} == changed


def test_trace_follows_the_graph_layer_of_a_model(
    run: Any, parser: mp.Parser, sample: mp.Corpus, tmp_path: Path
) -> None:
    parser.save(tmp_path / "m")
    (tmp_path / "s.conll09").write_bytes(sample.to_bytes())
    arguments = ["trace", tmp_path / "s.conll09", "-m", tmp_path / "m", "--layer"]
    shown = run(*arguments, "semantics", "--format", "json")
    arcs = [arc for step in json.loads(shown.out) for arc in step["new_arcs"]]
    found = {(arc["head"], arc["dependent"], arc["label"]) for arc in arcs}
    assert found == set(parser.parse(sample)[0].semantics.arcs)
    refused = run(*arguments, "enhanced")
    assert refused.code == 2
    assert "does not predict enhanced" in refused.err
