"""Neural parsers: what they learn, that they run without torch as with it, and what they give."""

import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import multiplane as mp
from multiplane.errors import MissingExtraError
from multiplane.formats.treebank import roots_of
from multiplane.models import NeuralModel
from multiplane.models.lemmas import Lemmas, apply_script
from multiplane.training import train_model
from multiplane.training.data import prepare
from multiplane.training.neural_config import neural_settings
from multiplane.training.tasks import settings_of
from small_parsers import contents, treebank, without_digests, word

torch = pytest.importorskip("torch")
networks = pytest.importorskip("multiplane.training.network")
learners = pytest.importorskip("multiplane.training.neural")

SMALL: dict[str, Any] = {
    "model": "neural",
    "word": 16,
    "characters": 8,
    "character": 6,
    "lemma": 8,
    "tag": 8,
    "layers": 1,
    "units": 16,
    "projection": 16,
    "hidden": 24,
    "label_hidden": 16,
    "arc": 12,
    "batch": 100,
}
"""A network that a test can afford."""
SURE = {f"{part}_dropout": 0.0 for part in ("word", "embedding", "lstm", "recurrent", "hidden")}
"""No dropout, so that all can be learnt by heart."""
WIDER = {"units": 40, "characters": 40, "character": 12, "learning_rate": 0.01, "batch": 40}
"""Wide enough for that."""


def trained(train: Any, dev: Any = None, **settings: Any) -> mp.Parser:
    return mp.train(train, dev, **{**SMALL, **settings})


@pytest.fixture(scope="module")
def given() -> mp.Parser:
    """A parser that needs tags."""
    return trained(mp.sample(), epochs=6)


@pytest.fixture(scope="module")
def predicting() -> mp.Parser:
    """A parser that predicts tags."""
    return trained(mp.sample(), epochs=6, tags="predicted")


def stripped(corpus: mp.Corpus, *columns: str) -> mp.Corpus:
    """The corpus without some columns."""
    places = [corpus.dialect.columns.index(column) for column in columns]
    lines = []
    for line in corpus.to_bytes().decode().split("\n"):
        fields = line.split("\t")
        if fields[0].isdigit():
            for place in places:
                fields[place] = "_"
        lines.append("\t".join(fields))
    return mp.formats.reader.from_text("\n".join(lines))


@pytest.mark.parametrize("tags", ["given", "predicted"])
def test_two_planar_sentences_are_learnt_exactly(tags: str):
    sentences = [sentence for sentence in mp.sample() if sentence.graph.planarity() <= 2]
    parser = trained(sentences, epochs=60, tags=tags, **WIDER, **SURE)
    parsed = parser.parse(sentences)
    assert [(s.heads, s.deprels) for s in parsed] == [(s.heads, s.deprels) for s in sentences]
    if tags == "predicted":
        told = parser.parse(stripped(mp.sample(), "upos", "lemma"))
        for column in ("upos", "lemma"):
            pairs = zip(told.column(column), mp.sample().column(column), strict=True)
            assert sum(a != b for a, b in pairs) < 0.1 * told.words  # some sentences were not learnt from


def test_a_crossing_tree_is_found_by_the_two_planar_parser_and_not_by_the_projective_one():
    corpus = treebank([[3, 4, 0, 3]] * 8)
    for system, is_found in (("2-planar", True), ("2-planar-eager", True), ("arc-eager", False)):
        parser = trained(corpus, system=system, epochs=40, learning_rate=0.02, batch=8, **SURE)
        assert (parser.parse(corpus[0]).heads == [3, 4, 0, 3]) is is_found, system


@pytest.mark.parametrize(
    "name",
    [
        "2-planar",
        "3-planar",
        "planar",
        "arc-standard",
        "arc-eager",
        "arc-hybrid",
        "arc-hybrid-swap",
        "swap",
        "attardi",
        "covington",
        "2-planar-joint",
    ],
)
@pytest.mark.parametrize("root", ["none", "right"])
def test_every_system_trains_and_gives_trees(name: str, root: str):
    parser = trained(mp.sample(), system=name, root=root, epochs=2)
    for beam in (1, 3):
        parsed = parser.parse(mp.sample(), beam=beam)
        assert all(sentence.graph.is_tree() for sentence in parsed)
        assert set(roots_of(parsed).tolist()) == {1}


@pytest.mark.parametrize("preset", ["default", "fast", "s2"])
def test_every_preset_trains(preset: str):
    sizes = {} if preset == "s2" else {"units": 16}
    parser = mp.train(mp.sample(), mp.sample(), model="neural", preset=preset, epochs=5, batch=60, **sizes)
    history = parser.model.record.history
    assert parser.model.record.settings["preset"] == preset
    assert history[-1].label_error < history[0].label_error - 5
    assert history[-1].error < history[0].error


def test_several_roots_are_learnt_with_an_artificial_root():
    corpus = treebank([[0, 1, 0, 3], [2, 0, 0]] * 6)
    parser = trained(corpus, epochs=40, learning_rate=0.02, batch=8, **SURE)
    assert [s.heads for s in parser.parse(corpus)[:2]] == [[0, 1, 0, 3], [2, 0, 0]]


@pytest.mark.parametrize(("root", "method"), [("none", "label-strict"), ("left", "label"), ("right", "naive")])
def test_undirected_edges_are_labelled_by_their_left_and_right_ends(root: str, method: str, tmp_path: Path):
    corpus = treebank([[3, 4, 0, 3], [2, 0, 2, 3], [4, 1, 2, 0], [0]] * 4)
    settings = {"root": root, "reconstruction": method, "epochs": 25, "learning_rate": 0.02, "batch": 8}
    parser = trained(corpus, system="undirected-2-planar", **settings, **SURE)
    assert parser.model.record.history[-1].label_error == 0
    for beam in (1, 3):
        assert parser.parse(corpus, beam=beam).to_bytes() == corpus.to_bytes()
    assert parser.parse(corpus, keep_heads=True).to_bytes() == corpus.to_bytes()
    built = {action.label for sentence in corpus for action in parser.derivation(sentence)}
    assert built - {None} == set(corpus.column("deprel")) - ({"root"} if root == "none" else set())
    parser.save(tmp_path / "m")
    assert mp.load(tmp_path / "m").parse(mp.sample()).to_bytes() == parser.parse(mp.sample()).to_bytes()


def test_a_stored_look_at_links_is_refused_by_a_system_without_them(given: mp.Parser, tmp_path: Path):
    given.save(tmp_path / "m")
    without_digests(tmp_path / "m")
    config = (tmp_path / "m" / "config.toml").read_text(encoding="utf-8")
    assert '"ldep(stack[0])"' in config
    (tmp_path / "m" / "config.toml").write_text(config.replace('"ldep(stack[0])"', '"llink(stack[0])"'), "utf-8")
    with pytest.raises(mp.ModelError, match=r"look\.slots: llink\(stack\[0\]\) does not apply to 2-planar"):
        mp.load(tmp_path / "m")


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("tags", ["given", "predicted"])
def test_the_runtime_computes_what_torch_computes(tags: str, exact: bool):
    settings = neural_settings(SMALL | {"epochs": 3, "tags": tags, "layers": 2}).for_words(714)
    learner = learners.NeuralLearner(prepare([mp.sample()], settings), settings)
    learner.epoch(1)
    model = learner.model()
    network = learner._averaged
    network.load_state_dict({name: value.half().float() for name, value in network.state_dict().items()})
    network.eval()
    close = 1e-4 if exact else 2e-2
    parser = replace(model, exact=exact)._parser
    for number in (0, 7, 40):
        sentence = mp.formats.reader.from_text(str(mp.sample()[number]))
        batch = learner._batch(np.array([number]))
        with torch.no_grad():
            types = torch.from_numpy(learner._words.words[batch.words].astype(np.int64))
            nothing = [None] * len(model.lexicon.singles)
            encoded = network.encode(network.inputs(types, learner._words, nothing), batch.lengths).top
            wanted = [network.slot_table(encoded), *network.label_tables(encoded)]
            odds = networks.flat_odds(network.head_scores(encoded, batch.lengths), batch.lengths)
        columns = model.lexicon.columns(sentence.dialect)
        *tables, found, _ = parser.tables(sentence._text, sentence._index, columns)
        for table, tensor in zip(tables, wanted, strict=True):
            np.testing.assert_allclose(table, tensor.numpy().reshape(-1), atol=close)
        np.testing.assert_allclose(found, odds, atol=close)


def test_the_runtime_chooses_the_scripts_that_torch_chooses():
    settings = neural_settings(SMALL | {"epochs": 3, "tags": "predicted", **WIDER}).for_words(714)
    learner = learners.NeuralLearner(prepare([mp.sample()], settings), settings)
    for epoch in (1, 2, 3):
        learner.epoch(epoch)
    model = learner.model()
    scripts = model.lexicon.lemmas.scripts
    # Words with several lemmas in the dictionary are left to the network alone.
    several = {f"{form}\t{tag}\t" for form in mp.sample().column("form") for tag in model.lexicon.tags["upos"]}
    model = replace(model, exact=True, lexicon=replace(model.lexicon, lemmas=Lemmas(scripts, tuple(several))))
    network = learner._averaged
    network.load_state_dict({name: value.half().float() for name, value in network.state_dict().items()})
    network.eval()
    parsed = mp.Parser(model).parse(mp.sample(), predict=["lemma"])
    seen = set()
    for number, sentence in enumerate(parsed):
        batch = learner._batch(np.array([number]))
        with torch.no_grad():
            types = torch.from_numpy(learner._words.words[batch.words].astype(np.int64))
            read = network.encode(network.inputs(types, learner._words, [None]), batch.lengths)
            scores = network.script_scores(read).numpy()
        for form, lemma, row in zip(sentence.forms, sentence.lemmas, scores, strict=True):
            ranked = [apply_script(scripts[place], form) for place in np.argsort(-row)]
            assert lemma == next(text for text in ranked if text is not None)
            seen.add(lemma != form)
    assert seen == {True, False}


def test_a_model_has_averages_of_weights_unless_those_of_the_last_step_are_asked_for():
    def after_an_epoch(average: int) -> list[dict[str, Any]]:
        settings = neural_settings(SMALL | {"epochs": 3, "average": average}).for_words(714)
        learner = learners.NeuralLearner(prepare([mp.sample()], settings), settings)
        learner.epoch(1)
        return [learner.model().weights, learner._network.arrays()]

    def same(one: dict[str, Any], other: dict[str, Any]) -> bool:
        return all(np.array_equal(one[name], other[name]) for name in one)

    averages, weights = after_an_epoch(1)
    later, same_weights = after_an_epoch(50)
    assert same(averages, weights)
    assert same(weights, same_weights)
    assert not same(later, weights)


def test_parsing_needs_no_torch(given: mp.Parser, tmp_path: Path):
    given.save(tmp_path / "m")
    program = (
        "import sys; sys.modules['torch'] = None\n"
        "import multiplane as mp\n"
        f"print(mp.load({str(tmp_path / 'm')!r}).parse(mp.sample()[0]).heads)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == str(given.parse(mp.sample()[0]).heads)


def test_training_without_torch_says_what_to_install(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "multiplane.training.neural", raising=False)
    with pytest.raises(MissingExtraError, match=r"pip install 'multiplane\[train\]'"):
        trained(mp.sample(), epochs=1)


def test_the_same_seed_gives_the_same_model_and_another_one_does_not(tmp_path: Path):
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        trained(mp.sample(), mp.sample(), epochs=2, seed=seed).save(tmp_path / name)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    assert contents(tmp_path / "a")["weights.safetensors"] != contents(tmp_path / "c")["weights.safetensors"]


def test_training_that_is_resumed_ends_as_if_it_had_not_been_stopped(tmp_path: Path):
    corpus, settings = mp.sample(), settings_of(SMALL | {"epochs": 4})

    class Stopping(mp.training.Reporter):
        def begin(self, epoch: int) -> None:
            if epoch == 3:
                raise KeyboardInterrupt

    whole, _ = train_model([corpus], corpus, settings)
    _, interrupted = train_model([corpus], corpus, settings, checkpoint=tmp_path / "c", reporter=Stopping())
    assert interrupted
    resumed, _ = train_model([corpus], corpus, settings, checkpoint=tmp_path / "c", resume=True)
    assert resumed.record == whole.record
    for name, array in whole.weights.items():
        np.testing.assert_array_equal(array, resumed.weights[name])


def test_a_model_that_was_saved_parses_as_before(given: mp.Parser, predicting: mp.Parser, tmp_path: Path):
    for name, parser in (("given", given), ("predicting", predicting)):
        parser.save(tmp_path / name)
        loaded = mp.load(tmp_path / name)
        assert loaded.parse(mp.sample()).to_bytes() == parser.parse(mp.sample()).to_bytes()
        loaded.save(tmp_path / "again")
        assert contents(tmp_path / name) == contents(tmp_path / "again")


def test_a_sentence_is_parsed_alone_as_among_others(given: mp.Parser):
    together = given.parse(mp.sample())
    assert [given.parse(sentence).heads for sentence in mp.sample()] == [sentence.heads for sentence in together]


def test_output_does_not_depend_on_threads_or_blocks(predicting: mp.Parser, tmp_path: Path):
    source = tmp_path / "in.conllu"
    source.write_bytes(mp.sample().to_bytes() * 20)
    outputs = []
    for threads, block in ((1, 1 << 18), (3, 1 << 12), (2, 1 << 14)):
        predicting.parse_stream(source, tmp_path / "out.conllu", threads=threads, block=block)
        outputs.append((tmp_path / "out.conllu").read_bytes())
    assert outputs[0] == outputs[1] == outputs[2]


def test_more_word_types_than_are_kept_change_nothing(given: mp.Parser):
    line = "1\t{0}\t{0}\tNOUN\t_\t_\t_\t_\t_\t_\n2\tfell\tfall\tVERB\t_\t_\t_\t_\t_\t_\n\n"
    many = mp.formats.reader.from_text("".join(line.format(f"w{i}") for i in range(30_000)))
    parsed = given.parse(many)
    few = mp.formats.reader.from_text("".join(line.format(f"w{i}") for i in (0, 15_000, 29_999)))
    assert [s.heads for s in given.parse(few)] == [parsed[i].heads for i in (0, 15_000, 29_999)]


def test_a_very_long_sentence_is_parsed(given: mp.Parser):
    rows = "".join(f"{i}\tw\tw\tNOUN\t_\t_\t_\t_\t_\t_\n" for i in range(1, 5001))
    parsed = given.parse(mp.formats.reader.from_text(rows))
    assert parsed[0].graph.is_tree()


def test_heads_that_are_given_are_kept(given: mp.Parser):
    for sentence in mp.sample()[:20]:
        if sentence.graph.planarity() > 2:
            continue
        kept = given.parse(sentence, keep_heads=True)
        assert (kept.heads, kept.deprels) == (sentence.heads, sentence.deprels)


def test_only_missing_tags_are_filled(predicting: mp.Parser):
    bare = predicting.parse(stripped(mp.sample(), "upos", "feats"))
    assert all(tag != "_" for tag in bare.column("upos"))
    parsed = predicting.parse(mp.sample())
    for column in ("upos", "xpos", "feats"):
        before = mp.sample().column(column)
        after = [old if old == "_" else new for old, new in zip(before, parsed.column(column), strict=True)]
        assert after == before


def test_columns_are_individually_given_or_predicted():
    for predict, reads in (
        ("lemma", ("form", "upos", "xpos", "feats")),
        ("upos,xpos,feats", ("form", "lemma")),
        ("feats, lemma,upos", ("form", "xpos")),
        ("none", ("form", "lemma", "upos", "xpos", "feats")),
    ):
        parser = trained(mp.sample(), epochs=1, predict=predict)
        assert parser.model.columns == reads
        columns = [] if predict == "none" else predict.replace(" ", "").split(",")
        assert sorted(parser.model.predicted_columns) == sorted(columns)
        assert parser.model.record.settings["predict"] == predict
        replaced = parser.parse(mp.sample(), predict=columns)
        for column in ("lemma", "upos", "xpos", "feats"):
            assert (replaced.column(column) != mp.sample().column(column)) is (column in columns)


@pytest.mark.parametrize(("predict", "needed"), [("lemma", "upos, xpos, feats"), ("upos,xpos,feats", "lemma")])
def test_what_is_not_predicted_is_needed(predict: str, needed: str):
    parser = trained(mp.sample(), epochs=1, predict=predict)
    assert parser.parse(stripped(mp.sample(), *predict.split(","))).words == 714
    with pytest.raises(mp.ModelError, match=re.escape(f"has no tags, but this model needs them ({needed})")):
        parser.parse(stripped(mp.sample(), *needed.split(", ")))


def test_given_and_none_predicted_are_the_same(given: mp.Parser):
    same = trained(mp.sample(), epochs=6, predict="none").model.contents()
    assert all(np.array_equal(array, same.tensors[name]) for name, array in given.model.contents().tensors.items())


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"predict": "upos,lemmas"}, "predict must list columns of upos, xpos, feats, lemma, or be none, not 'lemmas'"),
        ({"predict": ""}, "predict must list columns of upos, xpos, feats, lemma, or be none, not ''"),
        ({"predict": "upos", "tags": "predicted"}, "give only one of --tags and --predict"),
    ],
)
def test_columns_that_cannot_be_predicted_are_refused(settings: dict[str, str], message: str):
    with pytest.raises(mp.TrainingError, match=message):
        trained(mp.sample(), **settings)


def test_a_treebank_without_lemmas_teaches_none():
    bare = stripped(mp.sample(), "lemma")
    assert trained(bare, epochs=1, tags="predicted").model.predicted_columns == ("upos", "xpos", "feats")
    with pytest.raises(mp.TrainingError, match="the training data has no lemma to learn from; drop it from --predict"):
        trained(bare, epochs=1, predict="upos,lemma")


def test_words_without_a_lemma_teach_nothing_and_get_one():
    text = re.sub(r"(\t[Tt]he)\tthe\t", r"\1\t_\t", mp.sample().to_bytes().decode())
    corpus = mp.formats.reader.from_text(text)
    assert corpus.column("lemma").count("_") > 10
    parser = trained(corpus, corpus, epochs=2, tags="predicted")
    assert "_" not in parser.parse(stripped(corpus, "lemma")).column("lemma")
    predicted = parser.parse(corpus, predict="lemma")
    assert parser.model.record.chosen.lemma == pytest.approx(mp.evaluate(corpus, predicted).lemmas, abs=1e-3)


def test_scores_of_all_columns_and_of_nonprojective_arcs_are_recorded_and_shown(tmp_path: Path):
    parser = trained(mp.sample(), mp.sample(), epochs=2, tags="predicted")
    chosen = parser.model.record.chosen
    scores = mp.evaluate(mp.sample(), parser.parse(mp.sample(), predict=parser.model.predicted_columns))
    wanted = {
        "upos": scores["UPOS"].f1,
        "xpos": scores["XPOS"].f1,
        "lemma": scores.lemmas,
        "np_precision": scores.np_precision_labelled,
        "np_recall": scores.np_recall_labelled,
    }
    assert {name: getattr(chosen, name) for name in wanted} == pytest.approx(wanted, abs=1e-3)
    parser.save(tmp_path / "m")
    assert mp.load(tmp_path / "m").model.record.chosen == chosen
    card = (tmp_path / "m" / "README.md").read_text()
    tags = " | ".join(f"{getattr(chosen, name):.2f}" for name in ("upos", "xpos", "feats", "lemma"))
    assert f"| UPOS | XPOS | FEATS | lemma |\n| ---: | ---: | ---: | ---: |\n| {tags} |" in card
    assert (
        f"| NP precision | NP recall |\n| ---: | ---: |\n| {chosen.np_precision:.2f} | {chosen.np_recall:.2f} |" in card
    )


def test_text_is_parsed_by_a_model_that_predicts_tags_and_refused_by_others(given: mp.Parser, predicting: mp.Parser):
    parsed = predicting.parse("The cat sat. It didn't move.\n\nWhy?")
    assert [sentence.text for sentence in parsed] == ["The cat sat.", "It didn't move.", "Why?"]
    assert all(sentence.graph.is_tree() for sentence in parsed)
    assert len(predicting.parse("")) == 0
    with pytest.raises(mp.ModelError, match="this model needs POS tags, which plain text does not have"):
        given.parse("The cat sat.")
    with pytest.raises(ValueError, match="plain text has no words or heads yet"):
        predicting.parse("The cat sat.", keep_heads=True)
    assert [len(corpus) for corpus in predicting.parse(["The cat sat.", "Why? How?"])] == [1, 2]
    with pytest.raises(TypeError, match="bytes"):
        predicting.parse(b"The cat sat.")


def test_the_command_line_trains_and_parses_text(run: Callable[..., Any], tmp_path: Path):
    (tmp_path / "t.conllu").write_bytes(mp.sample().to_bytes())
    small = [part for name, value in SMALL.items() if name != "model" for part in ("--set", f"{name}={value}")]
    trained = run(
        "train",
        "--train",
        tmp_path / "t.conllu",
        "--dev",
        tmp_path / "t.conllu",
        "-o",
        tmp_path / "m",
        "--model",
        "neural",
        "--tags",
        "predicted",
        "--epochs",
        1,
        *small,
    )
    assert trained.code == 0, trained.err
    parsed = run("parse", "-m", tmp_path / "m", "--input", "text", stdin=b"One day. It was over!\n")
    assert parsed.code == 0, parsed.err
    assert parsed.out.count("# sent_id") == 2
    assert "\tSpaceAfter=No\n" in parsed.out
    by_line = run("parse", "-m", tmp_path / "m", "--input", "text", "--lines", stdin=b"One day. It was over!\n")
    assert by_line.out.count("# sent_id") == 1
    wrong = run("parse", "-m", tmp_path / "m", "--input", "text", "--keep-heads", stdin=b"One.")
    assert wrong.code == 2
    broken = run("parse", "-m", tmp_path / "m", "--input", "text", stdin=b"One.\nTwo \xff.\n")
    assert (broken.code, broken.out) == (1, "")
    assert broken.err.startswith("<stdin>:2: invalid UTF-8")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"preset": "slow"}, "preset must be one of default, fast, s2, not 'slow'"),
        ({"units": 0}, "units must be an integer from 1 to 4096, not 0"),
        ({"loss": "square"}, "loss must be one of log-likelihood, margin, not 'square'"),
        ({"bits": 4}, "unknown setting 'bits'"),
        ({"regularized": 3}, "regularized must be true or false, not 3"),
        ({"constant_rate": "abc"}, "constant_rate must be true or false, not 'abc'"),
        ({"single_root": "yes"}, "single_root must be true or false, not 'yes'"),
        ({"model": "linear", "regularized": 3}, "regularized must be true or false, not 3"),
        ({"character": 0}, "characters need embeddings"),
        ({"learning_rate": 10.0, "weight_decay": 10.0, "epochs": 8, "preset": "s2"}, "training diverged after"),
        ({"learning_rate": -1}, "learning_rate must be a number from"),
        ({"system": "easy-first"}, "easy-first has one transition per word"),
        ({"system": "arc-standard", "oracle": "dynamic"}, "arc-standard has no dynamic oracle"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings: dict[str, Any], message: str):
    with pytest.raises(mp.TrainingError, match=message):
        mp.train(mp.sample(), **({} if "model" in settings else SMALL) | {"epochs": 1} | settings)


@pytest.mark.parametrize("tags", ["given", "predicted"])
def test_a_treebank_with_one_word_form_is_learnt(tags: str, tmp_path: Path):
    two = word(1, 0, "root", "Go") + word(2, 1, "obj", "go")
    (tmp_path / "v").write_text("go 1 2\nnow 2 1\n")
    for vectors in (None, str(tmp_path / "v")):
        parser = trained(mp.formats.reader.from_text(two), epochs=2, tags=tags, vectors=vectors)
        assert parser.parse(mp.sample())[0].graph.is_tree()


@pytest.mark.parametrize("preset", ["default", "fast", "s2"])
@pytest.mark.parametrize("system", ["2-planar", "arc-hybrid"])
def test_the_command_line_stores_checkpoints_of_every_preset(
    preset: str, system: str, run: Callable[..., Any], sample: Path, tmp_path: Path
):
    options = ["--model", "neural", "--preset", preset, "--system", system, "--epochs", 2, "--set", "units=16"]
    done = run("train", "--train", sample, "-o", tmp_path / "m", *options)
    assert done.code == 0, done.err
    assert [file.name for file in tmp_path.iterdir()] == ["m"]
    assert mp.load(tmp_path / "m").model.system.name == system


def test_training_resumes_only_with_the_same_word_vectors(tmp_path: Path):
    lines = ["the 1 2\n", "of 3 1\n", "zebra 0 1\n"]
    for name, rows in (("a", lines), ("b", lines[::-1])):
        (tmp_path / name).mkdir()
        (tmp_path / name / "v").write_text("".join(rows))

    def train(name: str, **options: Any) -> None:
        settings = settings_of(SMALL | {"epochs": 2, "vectors": str(tmp_path / name / "v")})
        train_model([mp.sample()], settings=settings, checkpoint=tmp_path / "c", **options)

    train("a")
    train("a", resume=True)
    with pytest.raises(mp.TrainingError, match=r"made with other word vectors, .*; use the same files"):
        train("b", resume=True)


def test_weights_of_another_shape_are_refused(given: mp.Parser):
    model = given.model
    assert isinstance(model, NeuralModel)
    for name, array in model.weights.items():
        for wrong in (array[:-1], None):
            weights = {key: value for key, value in model.weights.items() if key != name}
            if wrong is not None:
                weights[name] = wrong
            with pytest.raises(mp.ModelError, match="the weights do not fit the model"):
                replace(model, weights=weights)


def test_a_dynamic_oracle_explores_and_a_static_one_does_not():
    errors = {}
    for oracle in ("static", "dynamic"):
        parser = trained(mp.sample(), mp.sample(), epochs=3, oracle=oracle, explore_from=1)
        assert parser.model.record.settings["oracle"] == oracle
        errors[oracle] = [epoch.error for epoch in parser.model.record.history]
    # Own errors, once followed, lead to configurations that no gold derivation has.
    assert errors["dynamic"] != errors["static"]


def test_scores_with_a_beam_are_logarithms_of_probabilities(given: mp.Parser):
    narrow, wide = (given.model.parse(mp.sample(), beam).scores for beam in (2, 64))
    assert narrow.shape == wide.shape == (len(mp.sample()),)
    assert (wide <= 0).all()
    assert wide.mean() >= narrow.mean()


@pytest.mark.parametrize(
    ("given", "width"),
    [
        ({}, 0),
        ({"tags": "predicted"}, 100),
        ({"predict": "lemma"}, 0),
        ({"predict": "upos"}, 100),
        ({"affixes": 30}, 30),
        ({"affixes": 0, "tags": "predicted"}, 0),
        ({"preset": "fast", "tags": "predicted"}, 48),
        ({"preset": "fast"}, 0),
        ({"preset": "s2", "tags": "predicted"}, 0),
    ],
)
def test_affixes_are_for_networks_that_predict_tags_unless_asked_for(given: dict[str, Any], width: int):
    assert neural_settings(given).shape.affixes == width
