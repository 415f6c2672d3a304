"""Joint parsers of trees and semantic graphs: what they learn, that they run as trained, and what they keep."""

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import multiplane as mp
from multiplane.errors import ModelError, TrainingError
from multiplane.formats.reader import from_text
from multiplane.models.joint import JointModel
from multiplane.parser.results import given_predicates
from multiplane.training import train_model
from multiplane.training.data import prepare
from multiplane.training.joint_data import semantic_data
from multiplane.training.tasks import settings_of
from small_parsers import SMALL_NETWORK, SURE, contents, without_digests

torch = pytest.importorskip("torch")
joint = pytest.importorskip("multiplane.training.joint")

SMALL = SMALL_NETWORK | {"task": "joint", "model": "neural"}
HEAD = {"semantics": "planar[]", "planarize": "head"}


def trained(train: Any, dev: Any = None, **settings: Any) -> mp.Parser:
    return mp.train(train, dev, **{**SMALL, **settings})


@pytest.fixture(scope="module")
def sample() -> mp.Corpus:
    return mp.sample("conll09")


@pytest.fixture(scope="module")
def parser(sample: mp.Corpus) -> mp.Parser:
    """A parser that knows the sample by heart."""
    return trained(sample, epochs=60, **SURE)


def test_trees_predicates_senses_and_arguments_are_learnt_by_heart(parser: mp.Parser, sample: mp.Corpus) -> None:
    scores = mp.evaluate(sample, parser.parse(sample))
    assert scores.las > 97
    assert scores["Predicates"].f1 > 97
    assert scores["Arguments"].f1 > 95


@pytest.mark.parametrize(
    "settings",
    [{"semantics": "planar[]"}, {"semantics": "2-planar[]"}, {"order": "exhaustive"}, {"system": "swap"}, HEAD],
)
def test_other_systems_and_orders_learn_too(sample: mp.Corpus, settings: dict[str, Any]) -> None:
    parsed = trained(sample, epochs=30, **SURE, **settings).parse(sample)
    assert mp.evaluate(sample, parsed)["Arguments"].f1 > 55


def test_arcs_start_at_predicates_only_and_other_columns_stay(parser: mp.Parser, sample: mp.Corpus) -> None:
    stripped = from_text(sample.to_bytes(), "conll09")
    parsed = parser.parse(stripped)
    for before, after in zip(stripped, parsed, strict=True):
        assert {arc[0] for arc in after.semantics.arcs} <= set(after.predicates)
        for column in ("form", "lemma", "upos", "xpos", "feats", "phead", "pdeprel"):
            assert before.column(column) == after.column(column)


def test_given_predicates_are_kept(parser: mp.Parser, sample: mp.Corpus) -> None:
    parsed = parser.parse(sample, keep_predicates=True)
    assert [list(s.predicates) for s in parsed] == [list(s.predicates) for s in sample]
    nothing = parser.model.parse(sample, predicates=np.zeros(sample.words, np.int8))
    assert len(nothing.graphs.predicates.words) == len(nothing.graphs.arcs.heads) == 0  # type: ignore[union-attr]
    assert given_predicates(sample).sum() == sum(len(s.predicates) for s in sample)


def test_given_trees_are_kept_and_arguments_predicted_for_them(parser: mp.Parser, sample: mp.Corpus) -> None:
    chains = mp.formats.with_trees(sample, [n for s in sample for n in range(len(s.forms))], ["dep"] * sample.words)
    parsed = parser.parse(chains, keep_heads=True)
    assert parsed.heads.tolist() == chains.heads.tolist()
    assert parsed.column("deprel") == chains.column("deprel")
    assert len(parsed.semantic_arcs.heads)


def test_a_semantic_parser_reads_trees_and_never_changes_them(sample: mp.Corpus, tmp_path: Path) -> None:
    reading = trained(sample, sample, task="semantics", epochs=40, **SURE)
    assert reading.model.record.chosen is not None
    assert reading.model.record.chosen.las is None
    parsed = reading.parse(sample)
    assert mp.evaluate(sample, parsed, layer="semantics")["Semantic"].f1 > 90
    reading.save(tmp_path / "m")
    assert mp.load(tmp_path / "m").parse(sample).to_bytes() == parsed.to_bytes()
    assert parsed.heads.tolist() == sample.heads.tolist()
    with pytest.raises(ModelError, match="a word has no head"):
        reading.parse(mp.formats.with_trees(sample, np.full(sample.words, -1), ["_"] * sample.words))


def test_a_predicate_with_an_unknown_lemma_gets_the_usual_sense(parser: mp.Parser) -> None:
    row = "1\tgrokked\tgrok\tgrok\tVBD\tVBD\t_\t_\t0\t0\troot\troot\tY\t_\t_\n"
    parsed = parser.parse(from_text(row, "conll09"), keep_predicates=True)
    assert parsed[0].predicates == {1: "grok.01"}


def test_the_native_core_computes_what_torch_computes(sample: mp.Corpus) -> None:
    settings = settings_of(SMALL | {"epochs": 2})
    learner = joint.JointLearner(prepare([sample], settings), semantic_data([sample]), settings)
    learner.epoch(1)
    network, part = learner._network.eval(), learner._part
    weights = {name: array.astype(np.float32) for name, array in network.arrays().items()}
    model = JointModel(**learner._model_fields(weights) | {"exact": True})
    sentence = mp.formats.treebank.joined([sample[0]])
    n = len(sentence[0].forms)
    batch = learner._batch(np.array([0]))
    with torch.no_grad():
        types = torch.from_numpy(learner._words.words[batch.words].astype(np.int64))
        encoded = network.encode(network.inputs(types, learner._words, [None] * 9), batch.lengths).top
        heads = torch.softmax(network.head_scores(encoded, batch.lengths), dim=2)
        expected = (
            part.slot_table(encoded),
            *part.label_tables(encoded),
            torch.sigmoid(part.arc_scores(encoded, batch.lengths, heads)[0]),
            part.predicate(part.predicate_layer(encoded))[:, 0] > 0,
        )
    columns = model._columns(sentence.dialect)
    found = model._joint_parser.tables(sentence._text, sentence._index, columns)
    for ours, theirs in zip(found, expected, strict=True):
        np.testing.assert_allclose(ours, theirs.numpy().reshape(-1), atol=2e-3)
    assert len(found[3]) == n * n


def test_the_derivation_takes_turns_and_builds_what_is_parsed(parser: mp.Parser, sample: mp.Corpus) -> None:
    assert isinstance(parser.model, JointModel)
    parsed = parser.parse(sample)
    for steps, sentence in zip(parser.model.joint_derivations(sample), parsed, strict=True):
        c = mp.systems[parser.model.semantics.system.name].initial(len(sentence.forms))
        for step in steps:
            if step.layer == "semantics":
                c = c.apply(str(step.action))
        assert c.is_terminal
        assert c.arcs == set(sentence.semantics.arcs)


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
    whole, _ = train_model([sample], sample, settings_of(SMALL | {"epochs": 3}))

    class Stop(mp.training.Reporter):
        def end(self, epoch: Any, seconds: float, is_best: bool) -> None:
            if epoch.number == 2:
                raise KeyboardInterrupt

    settings = settings_of(SMALL | {"epochs": 3})
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
        ("vocabulary.json", '"buy\\t', '"buy\\t999 ', "not in the vocabulary"),
        ("vocabulary.json", '"buy\\t', '"buy\\tx', "not a lemma"),
        ("vocabulary.json", '"roles": [\n', '"roles": [\n"X9",\n', "do not fit"),
        ("vocabulary.json", '"senses": [\n', '"senses": [\n"x.01",\n', "do not fit"),
        ("vocabulary.json", '"senses":', '"sense":', "either predicates with senses"),
    ],
)
def test_a_damaged_model_is_refused(
    parser: mp.Parser, tmp_path: Path, file: str, old: str, new: str, message: str
) -> None:
    parser.save(tmp_path / "m")
    damaged(tmp_path / "m", file, old, new)
    with pytest.raises(ModelError, match=message):
        mp.load(tmp_path / "m")


def test_what_cannot_be_done_is_refused_with_advice(parser: mp.Parser, sample: mp.Corpus) -> None:
    with pytest.raises(ModelError, match=r"CoNLL-U has no columns for them; convert the file first"):
        parser.parse(mp.sample())
    with pytest.raises(ModelError, match="greedily"):
        parser.parse(sample, beam=4)
    without = mp.formats.with_trees(sample, np.full(sample.words, -1), ["_"] * sample.words)
    with pytest.raises(ModelError, match="of the sentence, or none"):
        parser.parse(without, keep_heads=True)
    with pytest.raises(TrainingError, match="one head per word"):
        trained(sample, semantics="planar")
    with pytest.raises(mp.errors.LayerError, match="no predicates and arguments"):
        trained(mp.sample())
