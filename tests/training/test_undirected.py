"""Undirected parsers (S3): what they learn with every learner, and that nobody sees how labels carry directions."""

from typing import Any

import pytest

import multiplane as mp
from multiplane.errors import TrainingError
from multiplane.formats.reader import from_text
from multiplane.formats.treebank import roots_of
from multiplane.graphs.reconstruct import METHODS
from multiplane.training import NeuralSettings, Settings
from multiplane.training.settings import LearnerSettings
from small_parsers import trained, treebank, word

SYSTEMS = ["undirected-planar", "undirected-2-planar", "undirected-2-planar-eager", "undirected-covington"]
WAYS = [
    (root, method) for root in ("none", "left", "right") for method in METHODS if (root, method) != ("none", "naive")
]
LEARNERS: dict[str, dict[str, Any]] = {
    "dynamic": {"epochs": 3},
    "static": {"epochs": 3, "oracle": "static"},
    "beam": {"epochs": 4, "beam": 2},
    "liblinear": {"learner": "liblinear"},
}
BOTH = pytest.mark.parametrize("kind", [Settings, NeuralSettings])


def check_trees(parsed: mp.Corpus) -> None:
    assert all(sentence.graph.is_tree() for sentence in parsed)
    assert set(roots_of(parsed).tolist()) == {1}
    assert set(parsed.column("deprel")) <= set(mp.sample().column("deprel"))


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("system", SYSTEMS)
def test_the_sample_is_learnt_in_every_way(system: str, learner: str):
    if learner == "liblinear":
        pytest.importorskip("sklearn")
    for root, method in WAYS[::2] if learner == "beam" else WAYS:  # beams take longest
        parser = trained(mp.sample(), system=system, root=root, reconstruction=method, **LEARNERS[learner])
        parsed = parser.parse(mp.sample())
        check_trees(parsed)
        assert mp.evaluate(mp.sample(), parsed).las > 60, (root, method)


def test_a_kernel_learns_too():
    pytest.importorskip("sklearn")
    parser = mp.train(mp.sample(), system="undirected-planar", root="right", learner="libsvm")
    parsed = parser.parse(mp.sample())
    check_trees(parsed)
    assert mp.evaluate(mp.sample(), parsed).las > 80


@pytest.mark.parametrize(("root", "method"), WAYS)
def test_crossing_edges_and_their_directions_are_learnt_by_heart(root: str, method: str):
    corpus = treebank([[3, 4, 0, 3], [2, 0, 2, 3], [4, 1, 2, 0], [0]] * 4)
    parser = trained(corpus, system="undirected-2-planar", root=root, reconstruction=method, epochs=15)
    parsed = parser.parse(corpus)
    assert parsed.heads.tolist() == corpus.heads.tolist()
    assert parsed.column("deprel") == corpus.column("deprel")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("root", ["auto", "left", "right"])
def test_several_roots_are_learnt_with_an_artificial_root(root: str, method: str):
    corpus = treebank([[0, 1, 0, 3], [2, 0, 0], [0, 0]] * 4)
    parser = trained(corpus, system="undirected-2-planar", root=root, reconstruction=method, epochs=15)
    assert parser.model.system.root == ("right" if root == "auto" else root)
    assert parser.parse(corpus).heads.tolist() == corpus.heads.tolist()


@pytest.mark.parametrize("method", [None, *METHODS])
def test_there_is_an_artificial_root_by_default(method: str | None):
    assert trained(mp.sample(), system="undirected-planar", reconstruction=method, epochs=1).model.system.root == "left"


# What cannot be.


@BOTH
@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (
            {"reconstruction": "naive", "root": "none"},
            "naive reconstruction needs an artificial root; set root to left or right",
        ),
        ({"reconstruction": "labels"}, "reconstruction must be one of naive, label, label-strict, not 'labels'"),
    ],
)
def test_wrong_settings_are_refused(kind: type[LearnerSettings], wrong: dict[str, Any], message: str):
    with pytest.raises(TrainingError) as error:
        kind(system="undirected-2-planar", **wrong)
    assert str(error.value) == message


@pytest.mark.parametrize("model", ["linear", "neural"])
@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"system": "undirected-2-planar", "pseudo_projective": "head"},
            "pseudo-projective trees need a system with directed arcs, not undirected-2-planar",
        ),
        (
            {"system": "2-planar", "reconstruction": "label"},
            "reconstruction applies only to undirected systems, but 2-planar builds directed arcs; "
            "use its undirected variant, such as undirected-2-planar",
        ),
    ],
)
def test_codecs_of_the_other_kind_of_system_are_refused(model: str, settings: dict[str, Any], message: str):
    if model == "neural":
        pytest.importorskip("torch")
    with pytest.raises(TrainingError) as error:
        mp.train(mp.sample(), model=model, epochs=1, **settings)
    assert str(error.value) == message


# Marks.

LOOKALIKES = [["x_l", "root", "x_r"], ["x", "root", "x"], ["_l", "root", "_r"], ["x_l_r", "root", "x_r_l"]]
"""Labels for the same tree that look as if they were marked."""


@pytest.fixture(scope="module")
def lookalikes() -> mp.Corpus:
    sentences = [
        "".join(
            word(i, head, label, f"w{number}-{i}")
            for i, (head, label) in enumerate(zip([2, 0, 2], labels, strict=True), 1)
        )
        for number, labels in enumerate(LOOKALIKES)
    ]
    return from_text("\n".join(sentences))


@pytest.mark.parametrize(("root", "method"), WAYS)
def test_labels_that_look_marked_come_back_unchanged(root: str, method: str, lookalikes: mp.Corpus):
    parser = trained(lookalikes, system="undirected-planar", root=root, reconstruction=method, epochs=20)
    assert parser.parse(lookalikes).to_bytes() == lookalikes.to_bytes()
    assert set(parser.model.names) == set(lookalikes.column("deprel"))
    for sentence, labels, graph in zip(lookalikes, LOOKALIKES, parser.graphs(lookalikes), strict=True):
        built = [action.label for action in parser.derivation(sentence) if action.label is not None]
        wanted = sorted(labels if root != "none" else [labels[0], labels[2]])
        assert sorted(built) == wanted
        assert sorted(label for _, _, label in graph.arcs) == wanted
    assert set(parser.edges(lookalikes).column("deprel")) == set(lookalikes.column("deprel"))
