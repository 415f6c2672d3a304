"""Support vector machines: the native ones decide as scikit-learn's do, and parsers made of them learn."""

import json
import threading

import numpy as np
import pytest

from multiplane import _native, sample
from multiplane.errors import FeatureError, MissingExtraError, ModelError, TrainingError
from multiplane.features import FeatureModel
from multiplane.models.svm import Division, Kernel, KernelWeights, Machine, with_splits
from multiplane.oracles import StaticOracle
from multiplane.oracles.spec import oracle_spec
from multiplane.systems import systems
from multiplane.training import instances
from multiplane.training.instances import Errors, Instances
from multiplane.training.liblinear import train_liblinear
from multiplane.training.libsvm import train_libsvm

sklearn_svm = pytest.importorskip("sklearn.svm")

FEATURES = FeatureModel.from_toml("""
[names]
s0 = "stack[0]"
b0 = "buffer[0]"
[templates]
transition = [
    "s0.form", "s0.upos", "b0.form", "b0.upos", "buffer[1].upos", "s0.upos + b0.upos", "s0.deprel", "distance(s0,b0)",
    "ldep(s0).deprel + rdep(s0).deprel", "transition[0]", "stack[1].form", "stack[1].upos + s0.upos",
]
label = ["governor.upos", "dependent.upos", "governor.form", "dependent.form", "governor.upos + dependent.upos"]
""")


class Task:
    """A system and the sample treebank with numbers for its labels."""

    def __init__(self, name, *, split=None, label_split=None, bits=64):
        self.corpus = sample()
        self.system = systems[name].trees("right", single_root=False)
        self.features, self.splits = with_splits(FEATURES, split, label_split, self.system)
        labels = self.corpus.column("deprel")
        self.names = sorted(set(labels))
        self.labels = np.array([self.names.index(label) for label in labels], np.int32)
        self.bits = bits

    def native(self, compiled):
        return _native.FeatureModel(len(compiled.attributes), compiled.transition, compiled.label, self.bits)

    def attributes(self):
        places = [self.corpus.dialect.columns.index(name) for name in ("form", "lemma", "upos", "xpos", "feats")]
        return [(kind, places[column], argument) for kind, column, argument in self.features.attributes]

    def instances(self, compiled=None, sentences=None):
        return Instances(
            *_native.instances(
                self.system.program,
                self.native(compiled or self.features),
                oracle_spec(self.system),
                self.corpus._text,
                self.corpus._index,
                self.attributes(),
                np.ascontiguousarray(self.corpus.heads),
                self.labels,
                np.arange(len(self.corpus)) if sentences is None else np.array(sentences),
            )
        )

    def linear_parser(self, frozen):
        oracle = oracle_spec(self.system)
        features = self.native(self.features)
        return _native.LinearParser(self.system.program, features, oracle, len(self.names), 0, *frozen)

    def kernel_parser(self, weights):
        return weights.parser(
            self.system.program, self.features, self.splits, oracle_spec(self.system), len(self.names), 0, self.bits
        )

    def parse(self, parser, beam=1):
        heads, labels, complete, _ = parser.parse(self.corpus._text, self.corpus._index, self.attributes(), beam)
        assert complete.all()
        return heads, labels

    def accuracy(self, parser, beam=1):
        heads, labels = self.parse(parser, beam)
        return ((heads == self.corpus.heads) & (labels == self.labels)).mean()


def random_instances(rows, templates, values, classes, seed):
    """Decisions with a pattern in them; every template has its own keys."""
    random = np.random.default_rng(seed)
    drawn = random.integers(values, size=(rows, templates))
    keys = (drawn + np.arange(templates) * values + 1).astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    taken = (drawn[:, 0] * drawn[:, 1] + drawn[:, 2]) % classes
    noise = random.random(rows) < 0.1
    taken[noise] = random.integers(classes, size=noise.sum())
    return keys, taken.astype(np.int32)


def only_transitions(keys, taken):
    none = np.zeros(0, np.int32)
    return Instances(keys, taken, keys[:0], none, none)


def learnt_by_liblinear(*arguments, **settings):
    return train_liblinear(*arguments, **settings)[0]


def learnt_by_libsvm(*arguments, **settings):
    return train_libsvm(*arguments, **settings)[0]


def native_machine(machine, templates, kernel):
    return _native.KernelMachine(templates, kernel.gamma, kernel.coef0, kernel.degree, *machine)


# Instances


@pytest.mark.parametrize("name", ["2-planar", "arc-eager", "swap", "covington", "arc-hybrid"])
def test_instances_are_the_decisions_of_the_static_oracle(name):
    task = Task(name)
    found = task.instances()
    oracle = StaticOracle(task.system)
    taken = [name.split("(")[0] for sentence in task.corpus for name in oracle.sequence(sentence.graph)]
    names = list(task.system.transitions)
    assert [names[transition] for transition in found.transitions] == taken
    assert found.transition_keys.shape == (len(found.transitions), len(FEATURES.transition))
    assert found.label_keys.shape == (len(found.labels), len(FEATURES.label))
    assert len(found.lost) == len(task.corpus)
    assert len(found.labels) == task.corpus.words - found.lost.sum()
    kept = np.bincount(found.labels, minlength=len(task.names))
    assert (kept <= np.bincount(task.labels, minlength=len(task.names))).all()


@pytest.mark.parametrize(
    ("name", "node", "stack", "depth"),
    [
        ("2-planar", "inactive[0]", 1, 1),
        ("2-planar-eager", "inactive[1]", 1, 2),
        ("3-planar", "inactive[0]", 1, 1),
        ("3-planar", "inactive2[0]", 2, 1),
    ],
)
def test_an_inactive_stack_is_seen_where_its_top_is_another_one(name, node, stack, depth):
    task = Task(name)
    task.features = FeatureModel.from_toml(f'templates.transition = ["{node}.form"]').compile()
    seen = []
    for sentence in task.corpus:
        c = task.system.initial(len(sentence))
        for transition in StaticOracle(task.system).sequence(sentence.graph):
            stacks = c.stacks[c.active :] + c.stacks[: c.active]
            same = stacks[stack][-1:] == stacks[0][-1:]
            seen.append(
                "" if same or len(stacks[stack]) < depth else (["ROOT", *sentence.forms])[stacks[stack][-depth]]
            )
            c = c.apply(transition)
    keys = task.instances().transition_keys[:, 0].tolist()
    assert 1 < len(set(seen)) == len(set(keys)) == len(set(zip(seen, keys, strict=True)))


def test_only_the_sentences_asked_for_are_followed():
    task = Task("2-planar")
    every, some = task.instances(), [task.instances(sentences=[number]) for number in range(len(task.corpus))]
    joined = Instances.joined(some)
    assert all(np.array_equal(a, b) for a, b in zip(every[:4], joined[:4], strict=True))
    assert all(np.array_equal(every.lost, one.lost) for one in some)
    with pytest.raises(ValueError, match="no such sentence"):
        task.instances(sentences=[len(task.corpus)])


def test_equal_values_of_a_template_have_equal_keys_and_templates_share_none():
    task = Task("2-planar")
    keys = task.instances().transition_keys
    columns = [set(column.tolist()) for column in keys.T]
    assert sum(map(len, columns)) == len(set().union(*columns))


def test_a_system_that_chooses_among_places_has_no_instances():
    task = Task("2-planar")
    task.system = systems["easy-first"].trees("right", single_root=False)
    with pytest.raises(ValueError, match="parameter"):
        task.instances()


def test_a_feature_matrix_has_the_features_that_occur_often_enough():
    keys = np.array([[1, 2], [1, 3], [1, 2], [5, 4]], np.uint64)
    found, starts, columns = _native.feature_matrix(keys, 2)
    assert (found.tolist(), starts.tolist(), columns.tolist()) == ([1, 2], [0, 2, 3, 5, 5], [0, 1, 0, 0, 1])
    with pytest.raises(ValueError, match="key is 0"):
        _native.feature_matrix(keys * np.uint64(0), 1)


# LIBLINEAR


@pytest.mark.parametrize("name", ["2-planar", "arc-eager", "swap", "covington"])
def test_a_parser_of_liblinear_weights_learns_its_training_data(name):
    task = Task(name)
    instances = task.instances()
    frozen = learnt_by_liblinear(instances, len(task.system.transitions), len(task.names), cost=1, label_cost=1)
    assert task.accuracy(task.linear_parser(frozen)) > 0.8
    again = learnt_by_liblinear(instances, len(task.system.transitions), len(task.names), cost=1, label_cost=1)
    assert all(np.array_equal(a, b) for a, b in zip(frozen, again, strict=True))


@pytest.mark.parametrize("classes", [2, 3, 5])
def test_liblinear_weights_decide_as_scikit_learn_does(classes):
    keys, taken = random_instances(600, 6, 4, classes, seed=classes)
    frozen = learnt_by_liblinear(only_transitions(keys, taken), classes, 1, cost=0.1, least_count=1, threshold=0)
    rows = dict(zip(frozen[0].tolist(), frozen[1].reshape(-1, classes).astype(np.int64), strict=True))
    scores = np.array([sum(rows[key] for key in row if key in rows) for row in keys.tolist()])
    matrix = (keys[:, :, None] == np.unique(keys)).any(axis=1).astype(float)
    machine = sklearn_svm.LinearSVC(
        multi_class="crammer_singer", C=0.1, tol=0.1, fit_intercept=False, random_state=1
    ).fit(matrix, taken)
    values = machine.decision_function(matrix)
    values = values if classes > 2 else np.stack([-values, values], axis=1)
    ordered = np.sort(values, axis=1)
    clear = ordered[:, -1] - ordered[:, -2] > 1e-3 * np.abs(values).max()
    assert clear.mean() > 0.9
    assert (scores.argmax(axis=1) == values.argmax(axis=1))[clear].all()


def test_a_transition_that_never_occurs_is_never_better_than_one_that_does():
    keys, taken = random_instances(400, 5, 4, 3, seed=1)
    frozen = learnt_by_liblinear(only_transitions(keys, taken * 2), 6, 1)
    weights = frozen[1].reshape(-1, 6)
    assert (weights[:, [1, 3, 5]] <= weights[:, [0, 2, 4]].min(axis=1, keepdims=True)).all()


def test_one_class_is_learnt_without_a_machine():
    keys, taken = random_instances(20, 3, 2, 1, seed=1)
    frozen = learnt_by_liblinear(only_transitions(keys, taken + 1), 3, 1)
    weights = frozen[1].reshape(-1, 3)
    assert (weights[:, 1] > weights[:, [0, 2]].max(axis=1)).all()
    weights = learnt_by_libsvm(only_transitions(keys, taken + 1))
    assert weights.transition.machines[0].classes.tolist() == [1]


def test_errors_are_counted_on_the_training_data():
    keys, taken = random_instances(300, 6, 4, 3, seed=9)
    instances = Instances(keys, taken, keys, taken, taken)
    frozen, errors = train_liblinear(instances, 3, 3, cost=0.1, label_cost=0.1, least_count=1, threshold=0)
    rows = dict(zip(frozen[0].tolist(), frozen[1].reshape(-1, 3).astype(np.int64), strict=True))
    scores = np.array([sum(rows[key] for key in row if key in rows) for row in keys.tolist()])
    assert errors == Errors(pytest.approx((scores.argmax(axis=1) != taken).mean(), abs=0.01), errors.transition)
    weights, errors = train_libsvm(
        instances, Instances(keys[:, :1], taken, keys[:, 1:2], taken, taken), split_threshold=50
    )
    assert len(weights.transition.machines) == len(weights.label.machines) == 4
    wrong = decided(weights.transition, keys, keys[:, :1]) != taken
    wrong_labels = decided(weights.label, keys, keys[:, 1:2]) != taken
    assert errors == pytest.approx((wrong.mean(), wrong_labels.mean()))
    assert errors.transition > 0


def test_nothing_to_learn_from_is_an_error():
    nothing = only_transitions(np.zeros((0, 3), np.uint64), np.zeros(0, np.int32))
    with pytest.raises(TrainingError, match="nothing to learn from"):
        train_liblinear(nothing, 4, 1)
    with pytest.raises(TrainingError, match="nothing to learn from"):
        train_libsvm(nothing)


def test_without_scikit_learn_the_message_says_what_to_install(monkeypatch):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(instances, "import_module", missing)
    keys, taken = random_instances(20, 3, 2, 2, seed=1)
    with pytest.raises(MissingExtraError, match=r"pip install 'multiplane\[train\]'"):
        learnt_by_liblinear(only_transitions(keys, taken), 2, 1)


# LIBSVM


def scikit_learn_machine(keys, taken, kernel, cost=1.0, tolerance=1.0):
    columns, inverse = np.unique(keys, return_inverse=True)
    matrix = np.zeros((len(keys), len(columns)))
    np.add.at(matrix, (np.arange(len(keys))[:, None], inverse.reshape(keys.shape)), 1)
    machine = sklearn_svm.SVC(
        kernel="poly",
        gamma=kernel.gamma,
        coef0=kernel.coef0,
        degree=kernel.degree,
        C=cost,
        tol=tolerance,
        break_ties=True,
        decision_function_shape="ovr",
    )
    return machine.fit(matrix, taken), matrix


@pytest.mark.parametrize("kernel", [Kernel(), Kernel(0.1, 0.0, 3), Kernel(0.5, 1.0, 1)], ids=str)
@pytest.mark.parametrize("classes", [2, 3, 4, 7])
def test_native_decisions_are_those_of_libsvm(classes, kernel):
    keys, taken = random_instances(500, 6, 4, classes, seed=classes)
    machine = learnt_by_libsvm(only_transitions(keys, taken), kernel=kernel).transition.machines[0]
    decisions, scores = native_machine(machine, 6, kernel).decide(keys)
    theirs, matrix = scikit_learn_machine(keys, taken, kernel)
    values = theirs.decision_function(matrix)
    if classes == 2:
        assert (-decisions[:, 0] == values).all()
    else:
        assert (scores == values).all()
        theirs.decision_function_shape = "ovo"
        assert (decisions == theirs.decision_function(matrix)).all()
        theirs.decision_function_shape = "ovr"
    predicted = machine.classes[scores.argmax(axis=1)]
    assert (predicted == theirs.predict(matrix)).all()
    assert (predicted == taken).mean() > 1.2 / classes


def test_native_decisions_are_those_of_libsvm_on_a_treebank():
    instances = Task("2-planar").instances()
    for keys, taken in (instances[:2], instances[2:4]):
        machine = learnt_by_libsvm(only_transitions(keys, taken)).transition.machines[0]
        scores = native_machine(machine, keys.shape[1], Kernel()).decide(keys)[1]
        theirs, matrix = scikit_learn_machine(keys, taken, Kernel())
        assert (scores == theirs.decision_function(matrix)).all()
        assert (machine.classes[scores.argmax(axis=1)] == theirs.predict(matrix)).all()


def test_features_that_share_a_key_count_twice_as_in_libsvm():
    keys, taken = random_instances(300, 6, 4, 3, seed=5)
    keys = keys % np.uint64(7) + np.uint64(1)
    machine = learnt_by_libsvm(only_transitions(keys, taken)).transition.machines[0]
    scores = native_machine(machine, 6, Kernel()).decide(keys)[1]
    theirs, matrix = scikit_learn_machine(keys, taken, Kernel())
    assert matrix.max() > 1
    np.testing.assert_allclose(scores, theirs.decision_function(matrix), rtol=1e-9, atol=1e-9)


def test_unknown_features_count_for_nothing():
    keys, taken = random_instances(300, 6, 4, 3, seed=6)
    machine = native_machine(learnt_by_libsvm(only_transitions(keys, taken)).transition.machines[0], 6, Kernel())
    decisions = machine.decide(np.full((1, 6), 12345, np.uint64))[0]
    theirs, matrix = scikit_learn_machine(keys, taken, Kernel())
    theirs.decision_function_shape = "ovo"
    np.testing.assert_allclose(decisions, theirs.decision_function(matrix[:1] * 0), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", ["2-planar", "arc-eager", "swap"])
def test_a_parser_of_libsvm_weights_learns_its_training_data(name):
    task = Task(name)
    weights = learnt_by_libsvm(task.instances(), tolerance=0.1)
    assert task.accuracy(task.kernel_parser(weights)) > 0.9
    assert task.accuracy(task.kernel_parser(weights), beam=3) > 0.8


@pytest.mark.parametrize("split", [(None, None), ("buffer[0].upos", "dependent.upos")])
@pytest.mark.parametrize("name", ["2-planar", "covington"])
def test_sentences_whose_decisions_are_all_right_are_parsed_right(name, split):
    task = Task(name, split=split[0], label_split=split[1])
    instances, splits = task.instances(), task.instances(task.splits)
    weights = learnt_by_libsvm(instances, splits, tolerance=0.1, split_threshold=100)
    right = decided(weights.transition, instances.transition_keys, splits.transition_keys) == instances.transitions
    right_labels = decided(weights.label, instances.label_keys, splits.label_keys) == instances.labels
    heads, labels = task.parse(task.kernel_parser(weights))
    oracle = StaticOracle(task.system)
    perfect, step, arc, word = 0, 0, 0, 0
    for sentence, lost in zip(task.corpus, instances.lost, strict=True):
        n, steps = len(sentence.heads), len(oracle.sequence(sentence.graph))
        if not lost and right[step : step + steps].all() and right_labels[arc : arc + n].all():
            assert heads[word : word + n].tolist() == list(sentence.heads)
            assert [task.names[label] for label in labels[word : word + n]] == list(sentence.deprels)
            perfect += 1
        step, arc, word = step + steps, arc + n - lost, word + n
    assert (step, arc, word) == (len(right), len(right_labels), len(heads))
    assert perfect > len(task.corpus) / 4


def decided(division, keys, split):
    """What the machines of the values that decisions have say, one by one."""
    numbers = {value: i + 1 for i, value in enumerate(division.values.tolist())}
    machines = [native_machine(machine, keys.shape[1], Kernel()) for machine in division.machines]
    chosen = [numbers.get(int(row[0]), 0) if len(row) else 0 for row in split]
    return np.array(
        [
            division.machines[number].classes[machines[number].decide(row[None])[1][0].argmax()]
            for number, row in zip(chosen, keys, strict=True)
        ]
    )


def test_split_data_make_machines_for_frequent_values_and_one_for_the_rest():
    task = Task("2-planar", split="buffer[0].upos", label_split="dependent.upos")
    instances, splits = task.instances(), task.instances(task.splits)
    assert splits.transition_keys.shape == (len(instances.transitions), 1)
    weights = learnt_by_libsvm(instances, splits, split_threshold=100, tolerance=0.1)
    counts = dict(zip(*np.unique(splits.transition_keys, return_counts=True), strict=True))
    assert all(counts[value] >= 100 for value in weights.transition.values)
    assert len(weights.transition.machines) == len(weights.transition.values) + 1 > 3
    assert task.accuracy(task.kernel_parser(weights)) > 0.9


def test_a_split_by_an_attribute_that_no_template_has_adds_it():
    task = Task("2-planar", split="buffer[0].suffix(2)")
    weights = learnt_by_libsvm(task.instances(), task.instances(task.splits), split_threshold=50, tolerance=0.1)
    assert len(weights.transition.machines) > 1
    assert task.accuracy(task.kernel_parser(weights)) > 0.9


def test_a_split_by_a_wrong_address_says_what_is_wrong():
    with pytest.raises(FeatureError, match="did you mean upos"):
        with_splits(FEATURES, "buffer[0].upso")
    with pytest.raises(FeatureError, match="2 stacks"):
        with_splits(FEATURES, "inactive[0].upos", system=systems["planar"])
    with pytest.raises(FeatureError, match="label templates"):
        with_splits(FEATURES, "dependent.upos")


def test_several_threads_parse_with_one_parser_as_one_does():
    task = Task("2-planar")
    parser = task.kernel_parser(learnt_by_libsvm(task.instances(), tolerance=0.1))
    expected = task.parse(parser)
    found = []
    threads = [threading.Thread(target=lambda: found.append(task.parse(parser))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 3
    assert all(np.array_equal(a, b) for trees in found for a, b in zip(trees, expected, strict=True))


# Files


def small_weights():
    task = Task("arc-eager", split="buffer[0].upos")
    return task, learnt_by_libsvm(task.instances(), task.instances(task.splits), split_threshold=300, tolerance=0.1)


def test_stored_weights_parse_as_they_did_before(tmp_path):
    numpy_files = pytest.importorskip("safetensors.numpy")
    task, weights = small_weights()
    numpy_files.save_file(weights.arrays(), tmp_path / "weights.safetensors")
    kernel = Kernel(**json.loads(json.dumps(vars(weights.kernel))))
    loaded = KernelWeights.from_arrays(numpy_files.load_file(tmp_path / "weights.safetensors"), kernel)
    before, after = (task.parse(task.kernel_parser(each)) for each in (weights, loaded))
    assert all(np.array_equal(a, b) for a, b in zip(before, after, strict=True))


def test_the_same_data_give_the_same_arrays():
    first, second = small_weights()[1].arrays(), small_weights()[1].arrays()
    assert first.keys() == second.keys()
    assert all(np.array_equal(first[name], second[name]) for name in first)


def test_missing_and_unexpected_arrays_are_reported():
    arrays = small_weights()[1].arrays()
    with pytest.raises(ModelError, match=r"'transition\.1\.columns' is missing"):
        KernelWeights.from_arrays({k: v for k, v in arrays.items() if k != "transition.1.columns"}, Kernel())
    with pytest.raises(ModelError, match=r"unexpected arrays: transition\.99\.keys"):
        KernelWeights.from_arrays(arrays | {"transition.99.keys": np.zeros(1)}, Kernel())
    with pytest.raises(ModelError, match="expected: int32 of 1"):
        KernelWeights.from_arrays(arrays | {"label.0.columns": np.zeros((1, 1), np.int32)}, Kernel())


@pytest.mark.parametrize("name", Machine._fields)
@pytest.mark.parametrize("change", ["shorter", "longer", "large", "negative", "twice", "not a number"])
def test_broken_machines_are_refused_or_harmless(name, change):
    keys, taken = random_instances(60, 4, 3, 3, seed=2)
    machine = learnt_by_libsvm(only_transitions(keys, taken)).transition.machines[0]
    array = getattr(machine, name).copy()
    is_float = array.dtype == np.float64
    if change == "shorter":
        array = array[:-1]
    elif change == "longer":
        array = np.concatenate([array, array[-1:]])
    elif change == "large":
        array[-1] = np.finfo(array.dtype).max if is_float else np.iinfo(array.dtype).max
    elif change == "negative":
        array[0] = -1e308 if is_float else np.iinfo(array.dtype).min
    elif change == "twice":
        array[0] = array[1]
    else:
        array[0] = np.nan if is_float else 0
    broken = machine._replace(**{name: array})
    try:
        native = native_machine(broken, 4, Kernel())
    except ValueError:
        return
    assert native.decide(keys)[1].shape == (60, 3)
    assert change not in ("shorter", "longer")


@pytest.mark.parametrize(
    "kernel", [Kernel(degree=0), Kernel(degree=-1), Kernel(degree=2**31 - 1), Kernel(gamma=float("nan"))], ids=str
)
def test_broken_kernels_are_refused(kernel):
    keys, taken = random_instances(60, 4, 3, 3, seed=2)
    machine = learnt_by_libsvm(only_transitions(keys, taken)).transition.machines[0]
    with pytest.raises(ValueError, match="kernel"):
        native_machine(machine, 4, kernel)


def test_weights_too_large_to_be_added_still_give_scores_and_trees():
    task = Task("2-planar")
    weights = learnt_by_libsvm(task.instances(), tolerance=0.1)
    machine = weights.transition.machines[0]
    largest = np.sign(machine.coefficients) * np.finfo(np.float64).max
    broken = machine._replace(coefficients=largest, intercepts=-machine.intercepts * 1e307)
    _, scores = native_machine(broken, len(FEATURES.transition), Kernel()).decide(task.instances().transition_keys)
    assert np.isfinite(scores).all()
    division = Division(weights.transition.values, (broken,))
    parser = task.kernel_parser(KernelWeights(Kernel(), division, weights.label))
    for beam in (1, 8):
        task.parse(parser, beam)


def test_machines_that_do_not_fit_a_parser_are_refused():
    task, weights = small_weights()
    program, oracle = task.system.program, oracle_spec(task.system)
    without = with_splits(FEATURES)[1]
    with pytest.raises(ValueError, match="split by"):
        weights.parser(program, task.features, without, oracle, len(task.names), 0)
    with pytest.raises(ValueError, match="more features than templates"):
        weights.parser(program, task.splits, task.splits, oracle, len(task.names), 0)
    with pytest.raises(ValueError, match="does not fit the features"):
        weights.parser(program, task.features, task.splits, oracle, 2, 0)
    with pytest.raises(ValueError, match="no such label"):
        weights.parser(program, task.features, task.splits, oracle, len(task.names), len(task.names))
    parser = task.kernel_parser(weights)
    with pytest.raises(ValueError, match="as many attributes"):
        parser.parse(task.corpus._text, task.corpus._index, task.attributes()[:-1], 1)
