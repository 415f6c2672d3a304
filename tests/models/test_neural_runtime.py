"""The runtime of neural models on random weights, of all shapes: no torch, and for `make sanitize` too."""

import re
from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import Any

import numpy as np
import pytest

import multiplane as mp
from multiplane import _native
from multiplane.features import FeatureModel
from multiplane.formats.reader import from_text
from multiplane.models import NeuralModel, load_model, save_model
from multiplane.models.architecture import Architecture
from multiplane.models.lemmas import Lemmas
from multiplane.models.neural import AFFIXES, CHANNELS, CHARACTERS, Lexicon, as_floats, compressed, native_look
from multiplane.oracles.spec import has_dynamic_oracle, oracle_spec
from multiplane.systems import TransitionSystem, systems
from multiplane.training.data import prepare
from multiplane.training.neural_config import neural_settings

SAMPLE = mp.sample()
TINY = Architecture(
    **{"word": 5, "characters": 3, "character": 2, "affixes": 4, "lemma": 4, "tag": 3, "tag_hidden": 6},
    **{"layers": 1, "units": 7, "projection": 6, "hidden": 9, "label_hidden": 5, "arc": 4},
)


def vocabulary(column: str) -> tuple[str, ...]:
    texts = SAMPLE.column(column)
    return tuple(sorted({part for text in texts for part in text.split("|")} if column == "feats" else set(texts)))


def lexicon(channels: tuple[str, ...], tags: tuple[str, ...], shape: Architecture) -> Lexicon:
    given = {name: vocabulary(CHANNELS[name][0]) for name in channels}
    if shape.characters:
        given[CHARACTERS] = tuple(sorted({character for form in SAMPLE.column("form") for character in form}))
    if shape.affixes:
        given[AFFIXES] = tuple(sorted({affix for form in SAMPLE.column("form") for affix in _native.affixes(form)}))
    return Lexicon(given, {column: vocabulary(column) for column in tags})


def shapes(shape: Architecture, words: Lexicon, system: TransitionSystem, labels: int) -> Iterator[tuple[str, Any]]:
    """The names and shapes of all weights."""
    widths = {"form": shape.word, "vectors": 11, "lemma": shape.lemma, "upos": shape.tag, "xpos": shape.tag}
    total = 0
    for i, name in enumerate(words.singles):
        yield f"embedding.{i}", (len(words.given[name]) + 1, widths[name])
        total += widths[name]
    if "feats" in words.given:
        yield "bag", (len(words.given["feats"]) + 1, shape.tag)
        total += shape.tag
    if CHARACTERS in words.given:
        yield "characters", (len(words.given[CHARACTERS]) + 3, shape.character)
        yield from [("convolution", (shape.characters, shape.character, 3)), ("convolution.bias", (shape.characters,))]
        total += shape.characters
    if AFFIXES in words.given:
        yield "affixes", (len(words.given[AFFIXES]), shape.affixes)
        total += shape.affixes
    top = 2 * shape.units
    for i in range(2 * shape.layers):
        yield f"lstm.{i}.input", (4 * shape.units, total if i < 2 else top)
        yield from [(f"lstm.{i}.recurrent", (4 * shape.units, shape.units)), (f"lstm.{i}.bias", (4 * shape.units,))]

    def linear(name: str, outputs: int, inputs: int) -> list[tuple[str, Any]]:
        return [(name, (outputs, inputs)), (f"{name}.bias", (outputs,))]

    below = shape.projection or top
    if shape.projection:
        yield from linear("projection", shape.projection, top)
    look = shape.look(FeatureModel.of(system))
    slots = len(look.slots)
    yield from [("special", (2, below)), ("slots", (slots * shape.hidden, below)), ("hidden.bias", (shape.hidden,))]
    if look.features(system):
        yield "features", (look.features(system), shape.hidden)
    if look.focus:
        yield from linear("arc.head", shape.arc, top)
        yield from linear("arc.dependent", shape.arc, top)
        yield from linear("arc", shape.arc, shape.arc)
        yield "arc.root", (shape.arc,)
    yield from linear("output", len(system.transitions), shape.hidden)
    for name in ("governors", "dependents"):
        yield from linear(name, shape.label_hidden, top)
    yield "label.root", (shape.label_hidden,)
    yield from linear("label", labels, shape.label_hidden)
    for i, values in enumerate(words.tags.values()):
        yield from linear(f"tagger.{i}", len(values), top)
        if shape.tag_hidden:
            yield f"tagger.{i}.word", (len(values), shape.tag_hidden)
    if words.tags and shape.tag_hidden:
        yield from linear("tag.hidden", shape.tag_hidden, total)
    if words.lemmas is not None:
        yield from linear("lemma.hidden", 6, top + total)
        yield from linear("lemma", len(words.lemmas.scripts), 6)


def random_model(
    shape: Architecture = TINY,
    system: str = "2-planar-eager",
    root: Any = None,
    channels: tuple[str, ...] = ("form", "lemma", "upos", "feats"),
    tags: tuple[str, ...] = (),
    lemmas: Lemmas | None = None,
    **settings: Any,
) -> NeuralModel:
    chosen = systems[system].trees(root)
    words = replace(lexicon(channels, tags, shape), lemmas=lemmas)
    labels = vocabulary("deprel")
    random = np.random.default_rng(7)
    weights = {
        name: random.normal(0, 0.5, size).astype(np.float16) for name, size in shapes(shape, words, chosen, len(labels))
    }
    return NeuralModel(chosen, shape, shape.look(FeatureModel.of(chosen)), words, labels, "root", weights, **settings)


SHAPES = [
    TINY,
    replace(TINY, layers=3, units=8, hidden=16, arc=16, projection=16),
    replace(TINY, arc=0, view="fast"),
    replace(TINY, projection=0, view="s2", arc=0, activation="tanh"),
    replace(TINY, projection=0, characters=0, character=0),
    replace(TINY, affixes=0, tag_hidden=0),
    replace(TINY, units=33, hidden=40, label_hidden=17, layers=2),
]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: "-".join(str(value) for value in asdict(shape).values()))
@pytest.mark.parametrize("exact", [True, False])
def test_every_shape_gives_trees_the_same_alone_and_together(shape: Architecture, exact: bool):
    parser = mp.Parser(random_model(shape, exact=exact))
    parsed = parser.parse(SAMPLE)
    assert all(sentence.graph.is_tree() for sentence in parsed)
    assert [parser.parse(sentence).heads for sentence in SAMPLE] == [sentence.heads for sentence in parsed]


@pytest.mark.parametrize(
    "name", ["2-planar", "3-planar-eager", "planar", "arc-standard", "arc-hybrid-swap", "covington"]
)
@pytest.mark.parametrize("root", [None, "left", "right"])
@pytest.mark.parametrize("beam", [1, 4])
def test_every_system_and_root_gives_trees(name: str, root: Any, beam: int):
    parsed = mp.Parser(random_model(system=name, root=root, beam=beam)).parse(SAMPLE)
    assert all(sentence.graph.is_tree() for sentence in parsed)


@pytest.mark.parametrize(
    ("channels", "tags"),
    [(("form",), ("upos", "xpos", "feats")), (("form", "vectors"), ("upos",)), (("form", "upos", "xpos", "feats"), ())],
)
def test_all_channels_and_tags(channels: tuple[str, ...], tags: tuple[str, ...]):
    model = random_model(channels=channels, tags=tags)
    trees = model.parse(SAMPLE)
    assert [column.column for column in trees.tags] == list(tags)
    for column in trees.tags:
        assert set(column.values.tolist()) <= set(range(len(column.names)))
    assert model.needs_tags is any(name not in ("form", "vectors") for name in channels)


def test_a_wider_beam_finds_other_derivations_and_the_models_own_is_the_default():
    model = random_model()
    assert model.derivations(SAMPLE, 1) != model.derivations(SAMPLE, 8)
    assert [len(steps) for steps in model.derivations(SAMPLE)] == [len(steps) for steps in model.derivations(SAMPLE, 1)]


@pytest.mark.parametrize("arc", [0, 8])
def test_the_network_sees_which_stack_is_active(arc: int):
    model = random_model(replace(TINY, arc=arc), system="2-planar")
    switch = list(model.system.transitions).index("SWITCH")
    blank = {name: np.zeros_like(array) for name, array in model.weights.items()}
    blank["output.bias"][switch] = 1
    blank["output"][switch, 0] = -10
    seeing = blank | {"features": blank["features"].copy()}
    seeing["features"][-1, 0] = 1  # on the second stack the first hidden unit speaks against SWITCH
    counts = [
        [action.name for action in replace(model, weights=weights).derivations(SAMPLE)[0]].count("SWITCH")
        for weights in (blank, seeing)
    ]
    assert counts[0] > 2 * counts[1] > 0, counts


@pytest.mark.parametrize("root", ["none", "left", "right"])
@pytest.mark.parametrize(
    "name", ["2-planar", "2-planar-joint", "3-planar", "arc-hybrid", "arc-hybrid-swap", "swap", "attardi", "covington"]
)
@pytest.mark.parametrize("shape", [TINY, replace(TINY, arc=0, view="s2")], ids=["odds", "no odds"])
def test_what_roll_outs_call_right_is_legal(name: str, root: Any, shape: Architecture):
    data = prepare([SAMPLE], neural_settings({"system": name, "root": root}))
    system, random = data.system, np.random.default_rng(3)
    rollouts = _native.Rollouts(system.program, oracle_spec(system))
    rollouts.add(SAMPLE._text, SAMPLE._index, data.heads[0], data.labels[0])
    order = data.usable.astype(np.int64)
    lengths = SAMPLE.lengths[order]

    def some(*size: int) -> Any:
        return random.normal(size=size).astype(np.float32)

    count, width = len(system.transitions), shape.hidden
    look = shape.look(FeatureModel.of(system))
    weights = {
        **{"hidden.bias": some(width), "features": some(look.features(system), width)},
        **{"output": some(count, width), "output.bias": some(count), "label": some(4, width), "label.bias": some(4)},
    }
    odds = random.random(int((lengths * (lengths + 1)).sum()) if shape.arc else 0).astype(np.float32)
    table = some(int(lengths.sum()) + 2, len(look.slots) * width)
    ways = [False, True] if has_dynamic_oracle(system) else [False]
    for dynamic in ways:
        rows, features, *judged, steps, wrong = rollouts.run(
            native_look(look, shape, system),
            weights,
            order,
            table,
            odds,
            seed=1,
            dynamic=dynamic,
            regularized=True,
            exploration=1.0,
            aggressive=0.5,
            margin=1.0,
        )
        legal, right = (array.reshape(steps, count).astype(bool) for array in judged)
        assert 0 < wrong < steps
        assert rows.size == steps * len(look.slots)
        assert features.size == steps * look.features(system)
        assert right.any(1).all()
        assert not (right & ~legal).any()


def test_all_heads_can_be_given():
    parser = mp.Parser(random_model())
    for sentence in SAMPLE:
        if sentence.graph.planarity() <= 2:
            assert parser.parse(sentence, keep_heads=True).heads == sentence.heads


def test_odd_words_are_read():
    forms = ["", "\u0301", "𝔘𝔫", "x" * 5_000, "日本語", "\u200b", "a|b", "İ"]
    rows = "".join(f"{i}\t{form or '_'}\t_\t_\t_\t|=|\t_\t_\t_\t_\n" for i, form in enumerate(forms, 1))
    assert mp.Parser(random_model()).parse(from_text(rows))[0].graph.is_tree()


def test_sentences_of_all_lengths_up_to_thousands_of_words():
    line = "{}\tw{}\tw\tNOUN\t_\t_\t_\t_\t_\t_\n"
    text = ["".join(line.format(i, i % 7) for i in range(1, n + 1)) for n in (1, 2, 159, 160, 161, 1536, 1537, 3000)]
    parsed = mp.Parser(random_model()).parse(from_text("\n".join(text)))
    assert all(sentence.graph.is_tree() for sentence in parsed)


def test_other_formats_have_fewer_columns():
    rows = "1\tGo\tgo\tV\tV\t_\t0\tROOT\t_\t_\n2\thome\thome\tN\tN\t_\t1\tobj\t_\t_\n\n"
    assert mp.Parser(random_model()).parse(from_text(rows, "conllx"))[0].graph.is_tree()


def test_a_vocabulary_or_a_weight_that_cannot_be_is_refused():
    model = random_model(tags=("upos",), channels=("form",))
    upos = model.lexicon.tags["upos"]
    for wrong in (
        {"labels": model.labels[:-1], "root_label": model.labels[0]},
        {"labels": (*model.labels, "more")},
        {"lexicon": Lexicon(model.lexicon.given, {"upos": upos[:-1]})},
        {"lexicon": Lexicon(model.lexicon.given, {"upos": (*upos, "MORE")})},
    ):
        with pytest.raises(mp.ModelError, match="needs one row for each of its"):
            replace(model, **wrong)
    for name, array in model.weights.items():
        for number in (np.nan, np.inf):
            broken = array.copy()
            broken.flat[-1] = number
            with pytest.raises(mp.ModelError, match="not finite"):
                replace(model, weights=model.weights | {name: broken})


LEMMAS = Lemmas(
    ("lower\t0+\t0+", "lower\t0+\t1+", "lemma\tbe"),
    ("was\tAUX\tbe", "mice\tNOUN\tmouse"),
    ("\tNOUN\tnone\t0:9\t1:5", "s\tNOUN\tnone\t1:5"),
)


def test_lemmas_that_cannot_be_are_refused():
    model = random_model(tags=("upos",), channels=("form",), lemmas=LEMMAS)
    for scripts, dictionary, message in (
        (LEMMAS.scripts[:-1], (), "'lemma.bias' has the shape 3, not 2"),
        ((*LEMMAS.scripts, "lemma\tgo"), (), "'lemma.bias' has the shape 3, not 4"),
        ((), (), "no edit scripts"),
        (("lower\t0+\t0+", "lower\t0\t1+", "lemma\tbe"), (), "not an edit script"),
        (("lower\t0+\t0+", "lower\t0+\t1+\n", "lemma\tbe"), (), "lemmas.scripts: has a character"),
        (LEMMAS.scripts, ("mice\tNOUN",), "is not form, tag and lemma"),
        (LEMMAS.scripts, ("mice\tNOUN\tmouse\tx",), "is not form, tag and lemma"),
        (LEMMAS.scripts, ("mice",), "is not form, tag and lemma"),
        (LEMMAS.scripts, ("mice\tNOUN\tmou\nse",), "lemmas.dictionary: has a character"),
    ):
        with pytest.raises(mp.ModelError, match=re.escape(message)):
            replace(model, lexicon=replace(model.lexicon, lemmas=Lemmas(scripts, dictionary)))
    for name in ("lemma", "lemma.bias", "lemma.hidden", "lemma.hidden.bias"):
        weights = {other: array for other, array in model.weights.items() if other != name}
        with pytest.raises(mp.ModelError, match=re.escape(f"'{name}' is missing")):
            replace(model, weights=weights)
        with pytest.raises(mp.ModelError, match="the weights do not fit the model"):
            replace(model, weights=weights | {name: np.concatenate([model.weights[name]] * 2)})


def test_lemmas_are_stored_and_loaded_as_they_were(tmp_path: Any):
    model = random_model(tags=("upos",), channels=("form",), lemmas=LEMMAS)
    save_model(model, tmp_path / "m")
    loaded = load_model(tmp_path / "m")
    assert isinstance(loaded, NeuralModel)
    assert loaded.lexicon.lemmas is not None
    assert loaded.lexicon.lemmas.to_vocabularies() == LEMMAS.to_vocabularies()
    assert loaded.lexicon.given == model.lexicon.given
    parsed, again = (mp.Parser(each).parse(SAMPLE, predict="lemma") for each in (model, loaded))
    assert parsed.to_bytes() == again.to_bytes()
    assert parsed.column("lemma") != SAMPLE.column("lemma")


def test_a_model_is_stored_and_loaded_as_it_was(tmp_path: Any):
    model = random_model(tags=("upos",), channels=("form",))
    save_model(model, tmp_path / "m")
    loaded = load_model(tmp_path / "m")
    assert isinstance(loaded, NeuralModel)
    assert asdict(loaded.shape) == asdict(model.shape)
    assert loaded.lexicon.given == model.lexicon.given
    np.testing.assert_array_equal(loaded.parse(SAMPLE).heads, model.parse(SAMPLE).heads)
    for wrong in ("units = 8", 'view = "none"', "exact = 3"):
        config = (tmp_path / "m" / "config.toml").read_text()
        key = wrong.partition(" ")[0]
        lines = [wrong if line.startswith(f"{key} = ") else line for line in config.split("\n")]
        (tmp_path / "m" / "config.toml").write_text("\n".join(lines))
        with pytest.raises(mp.ModelError):
            load_model(tmp_path / "m")
        (tmp_path / "m" / "config.toml").write_text(config)


def test_a_model_that_does_not_say_where_it_looks_looks_where_models_looked_before(tmp_path: Any):
    model = random_model()
    save_model(model, tmp_path / "m")
    config = tmp_path / "m" / "config.toml"
    text = config.read_text()
    slots = " ".join(map(str, model.look.slots))
    assert slots == (
        "stack[0] stack[1] stack[2] inactive[0] inactive[1] buffer[0] ldep(stack[0]) rdep(stack[0]) ldep(buffer[0]) "
        "buffer[1] head(stack[0])"
    )
    without = re.sub(r"\n\[look\]\nslots = .*\nfocus = .*\n", "", text)
    assert len(without) < len(text)
    config.write_text(without)
    assert load_model(tmp_path / "m").look == model.look


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("", "slots is missing"),
        ("slots = 3", "slots: expected a list, not 3"),
        ("slots = [3]", r"look\.slots: expected a list of addresses"),
        ('slots = ["stak[0]"]', r'look\.slots: "stak\[0\]": column 1: no node'),
        ('slots = ["governor"]', r'look\.slots: "governor": column 1: governor is only allowed in label templates'),
        ('slots = ["inactive2[0]"]', r"look\.slots: inactive2\[0\] needs 3 stacks or more; 2-planar-eager has 2"),
        ('slots = ["stack[0]"]', "the weights do not fit the model"),
        ("slots = []", "the weights do not fit the model"),
    ],
)
def test_a_look_that_does_not_fit_is_refused(wrong: str, message: str, tmp_path: Any):
    save_model(random_model(), tmp_path / "m")
    config = tmp_path / "m" / "config.toml"
    config.write_text(re.sub(r"\nslots = .*", lambda _: f"\n{wrong}", config.read_text()))
    with pytest.raises(mp.ModelError, match=message):
        load_model(tmp_path / "m")


class Rows:
    """Stands in for a pretrained encoder: it gives every word a vector from a table."""

    def __init__(self, table: np.ndarray, words: tuple[str, ...]) -> None:
        self.width, self.table = table.shape[1], table.astype(np.float32)
        self._places = {text: number for number, text in enumerate(words, 1)}

    def rows(self, forms: list[str], lengths: np.ndarray) -> np.ndarray:
        assert len(forms) == lengths.sum()
        return self.table[[self._places.get(_native.lowered(form), 0) for form in forms]]


@pytest.mark.parametrize("exact", [True, False])
def test_vectors_given_for_words_count_as_those_that_the_network_has(exact: bool):
    shape = replace(TINY, characters=0, character=0, affixes=0)
    own = random_model(shape, channels=("form", "vectors"), tags=("upos",), exact=exact)
    others = {name: array for name, array in own.weights.items() if name != "embedding.1"}
    encoder: Any = Rows(own.weights["embedding.1"], own.lexicon.given["vectors"])
    words = Lexicon({"form": own.lexicon.given["form"]}, own.lexicon.tags)
    given = replace(own, lexicon=words, weights=others, encoder=encoder)
    for beam in (1, 4):
        mine, theirs = own.parse(SAMPLE, beam), given.parse(SAMPLE, beam)
        assert np.array_equal(mine.heads, theirs.heads)
        assert np.array_equal(mine.labels, theirs.labels)
        assert np.array_equal(mine.tags[0].values, theirs.tags[0].values)
        assert np.array_equal(mine.scores, theirs.scores)
    assert own.derivations(SAMPLE) == given.derivations(SAMPLE)
    for mine, theirs in zip(own.tables(SAMPLE), given.tables(SAMPLE), strict=True):
        assert np.array_equal(mine.odds, theirs.odds)
        assert np.array_equal(mine.tags[0], theirs.tags[0])


@pytest.mark.parametrize("size", [(SAMPLE.words - 1, 11), (SAMPLE.words, 12), (0, 11), None])
def test_vectors_that_are_not_one_for_each_word_are_refused(size: tuple[int, int] | None):
    own = random_model(replace(TINY, characters=0, character=0, affixes=0), channels=("form", "vectors"))
    encoder: Any = Rows(own.weights["embedding.1"], own.lexicon.given["vectors"])
    others = {name: array for name, array in own.weights.items() if name != "embedding.1"}
    given = replace(own, lexicon=Lexicon({"form": own.lexicon.given["form"]}, {}), weights=others, encoder=encoder)
    rows = None if size is None else np.zeros(size, np.float32)
    columns = given.lexicon.columns(SAMPLE.dialect)
    with pytest.raises(ValueError, match="row"):
        given._parser.parse(SAMPLE._text, SAMPLE._index, columns, 1, given=rows)  # type: ignore[call-arg]


def test_large_layers_are_stored_in_bytes_with_a_scale_for_each_row():
    random = np.random.default_rng(1)
    layer = (random.normal(size=(300, 300)) * np.geomspace(1e-3, 1e3, 300)[:, None]).astype(np.float16)
    weights = {"slots": layer, "label": layer[:9], "convolution": np.ones((300, 300, 1), np.float16)}
    small = compressed(weights)
    assert {name: array.dtype.name for name, array in small.items()} == {
        "slots": "int8",
        "slots.scale": "float32",
        "label": "float16",
        "convolution": "float16",
    }
    step = np.abs(layer.astype(np.float32)).max(axis=1, keepdims=True) / 127
    assert (np.abs(as_floats(small)["slots"] - layer) <= 0.501 * step).all()


@pytest.mark.parametrize("rows", [0, 1, 3])
def test_scales_are_one_for_all_rows_or_one_for_each(rows: int):
    weights = {"a": np.array([[1, 2], [3, 4]], np.int8), "a.scale": np.full(rows, 0.5, np.float32)}
    if rows == 1:
        assert as_floats(weights)["a"].tolist() == [[0.5, 1.0], [1.5, 2.0]]
    else:
        with pytest.raises(ValueError, match=r"'a\.scale' does not have one number for each row"):
            as_floats(weights)


@pytest.mark.parametrize("scale", [3e38, np.inf, np.nan])
def test_weights_that_overflow_are_refused_without_a_warning(scale: float):
    weights = {"a": np.array([100, -100], np.int8), "a.scale": np.array([scale], np.float32)}
    with pytest.raises(ValueError, match="'a' has a number that is not finite"):
        as_floats(weights)


@pytest.mark.parametrize(
    ("form", "affixes"),
    [
        ("Un", ["u-", "un-", "-n", "-un"]),
        ("Éàb", ["é-", "éà-", "éàb-", "-b", "-àb", "-éàb"]),
        ("", []),
        ("𝔘", ["𝔘-", "-𝔘"]),
        ("abcdefghi", ["a-", "ab-", "abc-", "abcd-", "-i", "-hi", "-ghi", "-fghi", "-efghi", "-defghi"]),
    ],
)
def test_affixes_are_whole_characters_in_lower_case(form: str, affixes: list[str]):
    assert _native.affixes(form) == affixes


def test_unknown_words_with_known_affixes_differ_in_them_alone():
    shape = replace(TINY, characters=0, character=0)
    model = random_model(shape, channels=("form",), tags=("upos",))
    known = model.lexicon.given[AFFIXES]
    assert {"-s", "t-"} <= set(known)

    def scores(*forms: str) -> list[np.ndarray]:
        rows = "".join(f"{i}\t{form}\t_\t_\t_\t_\t_\t_\t_\t_\n" for i, form in enumerate(forms, 1))
        return [tables.tags[0][-1] for tables in model.tables(from_text(rows))]

    nothing = scores("\u0416\u0436")
    assert np.array_equal(scores("\u0416\u0416\u0436"), nothing)
    assert not np.array_equal(scores("\u0416\u0436s"), nothing)
    assert not np.array_equal(scores("\u0416\u0436s"), scores("t\u0436\u0436"))


def test_tags_depend_on_the_word_itself():
    model = random_model(channels=("form",), tags=("upos", "xpos"))
    blank = {name: np.zeros_like(array) for name, array in model.weights.items() if name.startswith("tagger.")}
    own = replace(model, weights=model.weights | {name: a for name, a in blank.items() if not name.endswith(".word")})
    for column in range(2):
        by_form: dict[str, np.ndarray] = {}
        for sentence, tables in zip(SAMPLE, own.tables(SAMPLE), strict=True):
            for token, row in zip(sentence, tables.tags[column], strict=True):
                assert np.array_equal(by_form.setdefault(token.form, row), row)
        assert len({row.tobytes() for row in by_form.values()}) > 10


def test_models_of_earlier_versions_have_no_affixes_and_no_layer_below_tags(tmp_path: Any):
    model = random_model(replace(TINY, affixes=0, tag_hidden=0), channels=("form",), tags=("upos",))
    save_model(model, tmp_path / "old")
    config = tmp_path / "old" / "config.toml"
    lines = config.read_text().splitlines(keepends=True)
    config.write_text("".join(line for line in lines if not line.startswith(("affixes", "tag_hidden"))))
    assert len(config.read_text().splitlines()) == len(lines) - 2
    loaded = load_model(tmp_path / "old")
    assert np.array_equal(loaded.parse(SAMPLE).heads, model.parse(SAMPLE).heads)
