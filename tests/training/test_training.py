"""Training: what is learnt, from which data, under which settings."""

import io
from typing import Any

import numpy as np
import pytest

import multiplane as mp
from multiplane.formats.reader import from_text
from multiplane.formats.treebank import roots_of
from multiplane.systems import SHIFT, SKIP, TransitionSystem
from multiplane.training import Reporter, Settings, train_model
from multiplane.training.data import prepare
from multiplane.training.loop import run
from small_parsers import trained, treebank, word

NEEDED = ("single_head", "acyclic")
FOREST = [
    name
    for name, system in mp.systems.items()
    if system.is_undirected or all(system.properties()[p].holds is not False for p in NEEDED)
]
OTHERS = [name for name in mp.systems if name not in FOREST]


class Notes(Reporter):
    def __init__(self) -> None:
        self.texts: list[str] = []

    def note(self, text: str) -> None:
        self.texts.append(text)


def test_the_catalogue_has_forest_systems_and_others():
    assert {"2-planar", "arc-eager", "swap", "covington", "attardi", "easy-first", "arc-hybrid-swap"} <= set(FOREST)
    assert {"arc-eager-dag", "swap-graph", "planar[]"} <= set(OTHERS)


def test_two_planar_sentences_are_learnt_exactly():
    sentences = [sentence for sentence in mp.sample() if sentence.graph.planarity() <= 2]
    parser = trained(sentences, oracle="static", epochs=15)
    parsed = parser.parse(sentences)
    assert [(s.heads, s.deprels) for s in parsed] == [(s.heads, s.deprels) for s in sentences]


def test_a_dynamic_oracle_and_a_beam_learn_nearly_all():
    for settings in ({"epochs": 12}, {"epochs": 8, "beam": 4}, {"epochs": 12, "beam": 4, "update": "early"}):
        scores = mp.evaluate(mp.sample(), trained(mp.sample(), **settings).parse(mp.sample()))
        assert scores.las_full > 80, settings


@pytest.mark.parametrize("name", FOREST)
@pytest.mark.parametrize("root", ["none", "left", "right"])
def test_every_forest_system_trains_and_gives_trees(name: str, root: str):
    parser = trained(mp.sample(), system=name, root=root, epochs=1)
    for beam in (1, 3):
        parsed = parser.parse(mp.sample(), beam=beam)
        assert all(sentence.graph.is_tree() for sentence in parsed)
        assert set(roots_of(parsed).tolist()) == {1}


@pytest.mark.parametrize("name", FOREST)
def test_every_forest_system_trains_with_a_beam_and_with_several_roots(name: str):
    corpus = treebank([[0, 1, 1, 0], [2, 0, 5, 5, 0], [0], [3, 4, 0, 0]] * 3)
    parser = trained(corpus, system=name, beam=3, epochs=2)
    parsed = parser.parse(corpus)
    assert parser.model.system.title.endswith("(right, several roots)")
    assert all(sentence.graph.is_tree() or 0 in sentence.heads for sentence in parsed)


@pytest.mark.parametrize("name", OTHERS)
def test_systems_that_derive_graphs_are_refused(name: str):
    with pytest.raises(mp.TrainingError, match=r"cannot be restricted to trees.*needs a system that derives trees$"):
        trained(mp.sample(), system=name)


def test_pruned_hashed_and_dropped_features_still_learn():
    for settings in ({"prune": 0.1}, {"bits": 16}, {"dropout": 0.2}, {"margin": 1.0, "label_margin": 1.0}):
        parser = trained(mp.sample(), epochs=8, **settings)
        assert mp.evaluate(mp.sample(), parser.parse(mp.sample())).las_full > 75, settings
    assert len(trained(mp.sample(), epochs=2, prune=1).model.weights.keys) < len(
        trained(mp.sample(), epochs=2).model.weights.keys
    )


def test_the_root_is_chosen_by_the_data():
    one_root = [[0, 1, 1], [2, 0]]
    assert prepare([treebank(one_root)], Settings()).system.title == "2-planar-eager.trees(no root, single root)"
    several = prepare([treebank([*one_root, [0, 0]])], Settings())
    assert several.system.title == "2-planar-eager.trees(right, several roots)"
    labels = from_text(word(1, 0, "root") + "\n" + word(1, 0, "other"))
    assert prepare([labels], Settings()).system.title == "2-planar-eager.trees(right, single root)"
    told = prepare([treebank(one_root)], Settings(root="left", single_root=False))
    assert told.system.title == "2-planar-eager.trees(left, several roots)"


def test_sentences_with_several_roots_are_skipped_if_one_is_required():
    notes: list[str] = []
    data = prepare([treebank([[0, 1], [0, 0], [2, 0]])], Settings(root="none"), notes.append)
    assert data.usable.tolist() == [0, 2]
    assert notes == ["1 sentence of 3 skipped because of several roots; --root right allows them"]
    parser = trained(treebank([[0, 1], [0, 0], [2, 0]]), root="none", epochs=2)
    assert set(roots_of(parser.parse(treebank([[0, 0]]))).tolist()) == {1}
    with pytest.raises(mp.TrainingError, match="no sentence has exactly one root"):
        prepare([treebank([[0, 0]])], Settings(root="none"))


def test_several_roots_are_learnt():
    corpus = treebank([[0, 1, 1, 0], [0, 0, 2, 2]] * 4)
    parsed = trained(corpus, epochs=10).parse(corpus)
    assert parsed.heads.tolist() == corpus.heads.tolist()


def test_one_word_is_enough():
    corpus = from_text(word(1, 0, "root"))
    parser = trained(corpus, epochs=1)
    assert parser.parse(corpus).to_bytes() == corpus.to_bytes()
    longer = parser.parse(mp.sample())
    assert all(sentence.graph.is_tree() for sentence in longer)
    assert set(longer.column("deprel")) == {"root"}


def test_several_treebanks_of_several_formats_are_learnt_together():
    text = mp.sample().to_bytes()
    out = io.BytesIO()
    mp.write_conllx(mp.sample(), out)
    other = mp.read_conllx(io.BytesIO(out.getvalue()))
    parser = trained([mp.read_conllu(io.BytesIO(text)), other], epochs=1)
    assert (parser.model.record.sentences, parser.model.record.words) == (130, 1428)
    assert parser.model.record.train == ("<stream>", "<stream>")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "<text>: no sentence to use as training data"),
        ("# only a comment\n", "<text>: no sentence to use as training data"),
        (
            word(1, 0) + word(2, "_"),
            "<text>:2: sentence 1: word 2 has no head; training data needs a head for every word",
        ),
    ],
)
def test_treebanks_without_trees_are_refused(text: str, message: str):
    with pytest.raises(mp.TrainingError) as error:
        trained(from_text(text))
    assert str(error.value) == message
    with pytest.raises(mp.TrainingError, match="development data"):
        trained(mp.sample(), from_text(text))


def test_too_many_labels_are_refused():
    corpus = from_text("".join(word(i, i - 1, f"l{i}") for i in range(1, 66_000)))
    with pytest.raises(mp.TrainingError, match="too many labels: 65,999; a model can have at most 65,535"):
        prepare([corpus], Settings())


def test_labels_missing_from_training_count_as_errors_and_are_reported_once():
    train = treebank([[0, 1], [2, 0], [0, 1, 1]])
    dev = from_text(train.to_bytes().decode().replace("\tl1\t", "\tnew\t", 1))
    notes = Notes()
    model, _ = train_model([train], dev, Settings(epochs=12, patience=0, beam=1, prune=0.0), reporter=notes)
    assert notes.texts == [
        "<text>: 1 word with 1 label (new) not in the training data; they count as errors in LAS-full"
    ]
    assert (model.record.chosen.uas, model.record.chosen.las) == (100.0, pytest.approx(100 * 6 / 7, abs=1e-3))


def test_no_label_is_dropped():
    rare = (
        treebank([[0, 1, 1, 1]] * 200).to_bytes().decode() + "\n" + word(1, 0, "root") + word(2, 1, "rare", "odd", "O")
    )
    corpus = from_text(rare)
    parser = trained(corpus, epochs=3)
    assert "rare" in parser.model.names
    assert parser.parse(corpus).column("deprel") == corpus.column("deprel")


def test_training_ends_when_patience_does():
    dev = treebank([[0, 1], [2, 0]])
    record = trained(treebank([[0, 1], [2, 0]]), dev, epochs=50, patience=2).model.record
    assert record.chosen.las == 100.0
    assert len(record.history) == record.best + 2
    assert len(trained(dev, dev, epochs=7, patience=0).model.record.history) == 7


def test_without_dev_all_epochs_are_run_and_the_last_is_kept():
    record = trained(mp.sample(), epochs=3).model.record
    assert (record.best, len(record.history), record.chosen.las) == (3, 3, None)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"epochs": -1}, "epochs must be an integer from 0 to 10000, not -1"),
        ({"epochs": True}, "epochs must be an integer"),
        ({"epochs": 2.5}, "epochs must be an integer"),
        ({"beam": "4"}, "beam must be an integer"),
        ({"exploration": float("nan")}, "exploration must be a number from 0.0 to 1.0, not nan"),
        ({"margin": -1}, "margin must be a number of at least 0.0, not -1"),
        ({"seed": -1}, "seed must be an integer from 0 to 9223372036854775807, not -1"),
        ({"bits": 65}, "bits must be an integer from 1 to 64, not 65"),
        ({"oracle": "psychic"}, "oracle must be one of auto, dynamic, static, not 'psychic'"),
        ({"learner": "oak"}, "learner must be one of perceptron, liblinear, libsvm, not 'oak'"),
        ({"pseudo_projective": "baseline"}, "pseudo_projective must be one of head, path, head\\+path, not 'baseline'"),
        ({"beam": 4, "oracle": "dynamic"}, "beam training uses the static oracle"),
        ({"root": "none", "single_root": False}, "several roots need an artificial root"),
        ({"system": "swap", "oracle": "dynamic"}, "swap has no dynamic oracle; choose the static one"),
        ({"sytem": "swap"}, "unknown setting 'sytem'; did you mean system\\?"),
        ({"units": 32}, "unknown setting 'units' of linear models; neural models have it: add --model neural$"),
        ({"model": "linear", "units": 32}, "neural models have it: use --model neural$"),
        ({"model": "neural", "bits": 18}, "of neural models; linear models have it: use --model linear$"),
        ({"semantics": "swap-graph"}, "of linear models; joint models have it: add --task joint$"),
        ({"tokenizer_units": 8}, "pipelines have it: add --pipeline$"),
        ({"ngrams": 3}, "tokenizers have it: add --task tokenizer$"),
        ({"xyz": 1}, "unknown setting 'xyz'; known: system, model, "),
    ],
)
def test_settings_that_cannot_be_are_refused(settings: dict[str, Any], message: str):
    with pytest.raises(mp.TrainingError, match=message):
        trained(mp.sample(), **settings)


def test_unknown_systems_and_feature_models_are_refused():
    with pytest.raises(mp.TransitionSystemError, match="did you mean 2-planar"):
        trained(mp.sample(), system="2-planr")
    with pytest.raises(mp.MultiplaneError, match="needs a system with at least 2 stacks"):
        trained(mp.sample(), system="planar", features="2-planar")
    with pytest.raises(mp.InputError, match="nowhere"):
        trained(mp.sample(), features="nowhere.toml")


def test_another_system_of_a_known_name_is_refused():
    mine = TransitionSystem("arc-eager", SHIFT=SHIFT, SKIP=SKIP)
    with pytest.raises(mp.TrainingError, match="another system is already named 'arc-eager'"):
        trained(mp.sample(), system=mine)


def test_an_interruption_before_the_first_epoch_is_over_is_passed_on():
    class Stops:
        def epoch(self, number: int, advance: Any) -> tuple[float, float]:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(Stops(), Settings(epochs=1))  # type: ignore[arg-type]


def test_heads_of_a_pseudo_projective_model_are_those_of_the_treebank():
    parser = trained(mp.sample(), system="arc-eager", pseudo_projective="head+path", epochs=30, oracle="static")
    parsed = parser.parse(mp.sample())
    assert not any(mark in label for label in parsed.column("deprel") for mark in "↑↓")
    assert set(parsed.column("deprel")) <= set(mp.sample().column("deprel"))
    scores = mp.evaluate(mp.sample(), parsed)
    assert scores.las_full > 97
    assert scores.np_recall > 90
    plain = trained(mp.sample(), system="arc-eager", epochs=30, oracle="static")
    assert mp.evaluate(mp.sample(), plain.parse(mp.sample())).np_recall < 50


@pytest.mark.parametrize("encoding", ["head", "path", "head+path"])
def test_pseudo_projective_training_counts_dev_without_marks(encoding: str):
    parser = trained(mp.sample(), mp.sample(), system="arc-hybrid", pseudo_projective=encoding, epochs=12)
    assert parser.model.record.chosen.las_full == pytest.approx(
        mp.evaluate(mp.sample(), parser.parse(mp.sample())).las_full, abs=1e-3
    )


def test_scores_on_dev_are_those_of_evaluate():
    dev = from_text(mp.sample().to_bytes().decode().replace("\tobl\t", "\tobl:agent\t"))
    parser = trained(mp.sample(), dev, epochs=2)
    scores = mp.evaluate(dev, parser.parse(dev))
    assert scores.las > scores.las_full
    assert parser.model.record.chosen.las == pytest.approx(scores.las, abs=1e-3)
    assert parser.model.record.chosen.las_full == pytest.approx(scores.las_full, abs=1e-3)
    assert parser.model.record.chosen.uas == pytest.approx(scores.uas, abs=1e-3)


def test_random_trees_are_learnt_by_systems_that_can_derive_them():
    random = np.random.default_rng(3)
    trees = []
    for _ in range(20):
        n = int(random.integers(2, 9))
        order = random.permutation(n)
        heads = np.zeros(n, int)
        for place in range(1, n):
            heads[order[place]] = order[random.integers(place)] + 1
        trees.append(heads.tolist())
    corpus = treebank(trees)
    parsed = trained(corpus, system="covington", epochs=40).parse(corpus)
    assert (parsed.heads == corpus.heads).mean() > 0.9
