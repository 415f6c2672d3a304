"""The native LSTM computes what a plain one in numpy does, and torch's, in whatever company sentences come."""

import threading

import numpy as np
import pytest

from multiplane import _native

KERNELS = pytest.mark.parametrize("kernels", _native.kernel_names())
KINDS = pytest.mark.parametrize("kind", [_native.BiLstm, _native.CoarseBiLstm])
SHAPES = pytest.mark.parametrize(("inputs", "units"), [(1, 1), (7, 5), (16, 8), (33, 16), (10, 20), (51, 37)])


def random_weights(rng, inputs, units, layers, scale=1.0):
    weights = []
    for layer in range(layers):
        for _ in range(2):
            width = inputs if layer == 0 else 2 * units
            for shape in ((4 * units, width), (4 * units, units), (4 * units,)):
                bound = scale / np.sqrt(units)
                weights.append(rng.uniform(-bound, bound, shape).astype(np.float32))
    return weights


def sigmoid(x):
    return 0.5 + 0.5 * np.tanh(0.5 * x)


def one_direction(x, weight_ih, weight_hh, bias):
    """Written as in the textbook, in double precision."""
    units = weight_hh.shape[1]
    hidden, cell, found = np.zeros(units), np.zeros(units), np.zeros((len(x), units))
    for step, word in enumerate(x):
        i, f, g, o = np.split(weight_ih @ word + weight_hh @ hidden + bias, 4)
        cell = sigmoid(f) * cell + sigmoid(i) * np.tanh(g)
        hidden = found[step] = sigmoid(o) * np.tanh(cell)
    return found


def reference(x, lengths, weights):
    weights = [array.astype(np.float64) for array in weights]
    found = []
    for sentence in np.split(x.astype(np.float64), np.cumsum(lengths)[:-1]):
        words = sentence
        for layer in range(0, len(weights), 6):
            forward = one_direction(words, *weights[layer : layer + 3])
            backward = one_direction(words[::-1], *weights[layer + 3 : layer + 6])[::-1]
            words = np.concatenate([forward, backward], axis=1)
        found.append(words)
    return np.concatenate(found)


def random_input(rng, lengths, inputs):
    return rng.standard_normal((sum(lengths), inputs)).astype(np.float32), np.array(lengths, np.int32)


def one_by_one(lstm, x, lengths):
    sentences = np.split(x, np.cumsum(lengths)[:-1])
    return np.concatenate([lstm.run(s, np.array([len(s)], np.int32)) for s in sentences])


@KERNELS
@pytest.mark.parametrize("layers", [1, 2, 3])
@SHAPES
def test_outputs_are_those_of_a_plain_lstm(inputs, units, layers, kernels):
    rng = np.random.default_rng(units)
    weights = random_weights(rng, inputs, units, layers)
    x, lengths = random_input(rng, [5, 0, 1, 12, 3, 3, 0, 1, 8, 2], inputs)
    found = _native.BiLstm(inputs, units, weights, kernels).run(x, lengths)
    np.testing.assert_allclose(found, reference(x, lengths, weights), rtol=0, atol=2e-6)


@KERNELS
@pytest.mark.parametrize("layers", [1, 2, 3])
@SHAPES
def test_numbers_of_16_bits_are_exact_to_three_digits_where_weights_are_small(inputs, units, layers, kernels):
    rng = np.random.default_rng(units)
    weights = random_weights(rng, inputs, units, layers)
    x, lengths = random_input(rng, [5, 0, 1, 12, 3, 3, 0, 1, 8, 2], inputs)
    found = _native.CoarseBiLstm(inputs, units, weights, kernels).run(x, lengths)
    np.testing.assert_allclose(found, reference(x, lengths, weights), rtol=0, atol=2e-4)


@KERNELS
@pytest.mark.parametrize("size", [1e-20, 1, 1e20])
def test_no_sum_of_16_bit_products_overflows(size, kernels):
    """All units are as large as possible and all weights the same: sums are the largest that there are."""
    weights = random_weights(np.random.default_rng(0), 3, 300, 2)
    for place, array in enumerate(weights):
        array[:] = 100 if place % 3 == 2 else size
    x, lengths = np.ones((20, 3), np.float32), np.array([20], np.int32)
    found = _native.CoarseBiLstm(3, 300, weights, kernels).run(x, lengths)
    np.testing.assert_allclose(found, reference(x, lengths, weights), rtol=0, atol=1e-6)


def test_weights_that_are_not_finite_cannot_have_16_bits():
    weights = random_weights(np.random.default_rng(0), 3, 4, 1)
    for wrong in (np.nan, np.inf):
        weights[1][2, 2] = wrong
        with pytest.raises(ValueError, match="not finite"):
            _native.CoarseBiLstm(3, 4, weights)


@KERNELS
@pytest.mark.parametrize("sentences", range(1, 40))
def test_any_number_of_sentences_can_go_together(sentences, kernels):
    rng = np.random.default_rng(sentences)
    weights = random_weights(rng, 6, 9, 2)
    x, lengths = random_input(rng, rng.integers(0, 6, sentences).tolist(), 6)
    found = _native.BiLstm(6, 9, weights, kernels).run(x, lengths)
    np.testing.assert_allclose(found, reference(x, lengths, weights), rtol=0, atol=2e-6)


@KERNELS
@KINDS
def test_a_sentence_gets_the_same_numbers_in_any_company(kind, kernels):
    rng = np.random.default_rng(1)
    lstm = kind(13, 21, random_weights(rng, 13, 21, 3), kernels)
    x, lengths = random_input(rng, rng.integers(0, 40, 200).tolist(), 13)
    np.testing.assert_array_equal(lstm.run(x, lengths), one_by_one(lstm, x, lengths))


@KINDS
def test_wider_vectors_give_the_same_bits(kind):
    names = [name for name in _native.kernel_names() if name != "plain"]  # which has no fused multiply-add
    if len(names) < 2:
        pytest.skip("this processor has no wider vectors than those of AVX2")
    rng = np.random.default_rng(1)
    weights = random_weights(rng, 50, 200, 2)
    x, lengths = random_input(rng, rng.integers(1, 40, 50).tolist(), 50)
    first, *others = (kind(50, 200, weights, name).run(x, lengths) for name in names)
    for other in others:
        np.testing.assert_array_equal(first, other)


def test_unknown_kernels_are_refused():
    with pytest.raises(ValueError, match="this processor has no kernels 'avx1024'"):
        _native.BiLstm(4, 6, random_weights(np.random.default_rng(1), 4, 6, 1), "avx1024")


def test_long_sentences_are_computed_beside_short_ones():
    rng = np.random.default_rng(2)
    weights = random_weights(rng, 4, 6, 2)
    x, lengths = random_input(rng, [3, 5000, 1, 2500, 2500, 0, 7], 4)
    found = _native.BiLstm(4, 6, weights).run(x, lengths)
    np.testing.assert_allclose(found, reference(x, lengths, weights), rtol=0, atol=1e-5)


@KINDS
@pytest.mark.parametrize("lengths", [[], [0], [0, 0, 0]])
def test_no_words_give_no_rows(lengths, kind):
    rng = np.random.default_rng(3)
    x, lengths = random_input(rng, lengths, 4)
    assert kind(4, 6, random_weights(rng, 4, 6, 2)).run(x, lengths).shape == (0, 12)


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("layers", [1, 2])
def test_outputs_are_those_of_torch(layers):
    torch = pytest.importorskip("torch")
    torch.manual_seed(0)
    theirs = torch.nn.LSTM(50, 44, layers, batch_first=True, bidirectional=True)
    weights = []
    for layer in range(layers):
        for end in ("", "_reverse"):
            names = [f"{kind}_l{layer}{end}" for kind in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")]
            w_ih, w_hh, b_ih, b_hh = (getattr(theirs, name).detach().numpy() for name in names)
            weights += [w_ih, w_hh, b_ih + b_hh]
    x, lengths = random_input(np.random.default_rng(4), [9, 1, 17, 30, 2], 50)
    with torch.no_grad():
        sentences = torch.from_numpy(x).split(lengths.tolist())
        expected = torch.cat([theirs(sentence[None])[0][0] for sentence in sentences]).numpy()
    np.testing.assert_allclose(_native.BiLstm(50, 44, weights).run(x, lengths), expected, rtol=0, atol=2e-6)


@KERNELS
@KINDS
@pytest.mark.parametrize("size", [1e2, 1e10, 1e30])
def test_large_numbers_saturate(size, kind, kernels):
    rng = np.random.default_rng(5)
    weights = random_weights(rng, 11, 13, 2)
    x, lengths = random_input(rng, [4, 9, 1], 11)
    found = kind(11, 13, [size * array for array in weights], kernels).run(x, lengths)
    assert np.isfinite(found).all()
    assert np.abs(found).max() <= 1


@KERNELS
@pytest.mark.parametrize("outputs", [1, 15, 16, 17, 64, 83])
@pytest.mark.parametrize("inputs", [1, 6, 101])
def test_products_are_right_for_any_sizes(inputs, outputs, kernels):
    rng = np.random.default_rng(inputs)
    weights, bias = (rng.uniform(-1, 1, shape).astype(np.float32) for shape in ((outputs, inputs), outputs))
    for rows in (*range(20), 95, 96, 97, 200):
        x, start = (rng.uniform(-1, 1, (rows, width)).astype(np.float32) for width in (inputs, outputs))
        product = x.astype(np.float64) @ weights.T
        close = {"rtol": 0, "atol": 1e-5}
        np.testing.assert_allclose(_native.linear(x, weights, bias, kernels), product + bias, **close)
        np.testing.assert_allclose(_native.add_linear(x, weights, start, kernels), product + start, **close)


@KERNELS
@pytest.mark.parametrize(("curve", "exact"), [(_native.sigmoid, sigmoid), (_native.tanh, np.tanh)])
def test_curves_are_exact_to_a_millionth(curve, exact, kernels):
    x = np.concatenate(
        [np.linspace(-60, 60, 100_001), np.geomspace(1e-30, 3e38, 1001), -np.geomspace(1e-30, 3e38, 1001)]
    )
    x = x.astype(np.float32)
    np.testing.assert_allclose(curve(x, kernels), exact(x.astype(np.float64)), rtol=0, atol=1e-6)


@KERNELS
@pytest.mark.parametrize("curve", [_native.sigmoid, _native.tanh, _native.power])
def test_curves_treat_the_end_of_a_row_as_its_middle(curve, kernels):
    x = np.random.default_rng(6).standard_normal(40).astype(np.float32)
    whole = curve(x, kernels)
    for count in range(40):
        np.testing.assert_array_equal(curve(x[:count], kernels), whole[:count])


def test_threads_share_an_lstm():
    rng = np.random.default_rng(7)
    lstm = _native.BiLstm(8, 12, random_weights(rng, 8, 12, 2))
    x, lengths = random_input(rng, rng.integers(1, 20, 50).tolist(), 8)
    expected, found = lstm.run(x, lengths), [None] * 4

    def run(place):
        found[place] = lstm.run(x, lengths)

    threads = [threading.Thread(target=run, args=(place,)) for place in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for one in found:
        np.testing.assert_array_equal(one, expected)


def test_weights_of_wrong_sizes_are_refused():
    weights = random_weights(np.random.default_rng(8), 4, 6, 2)
    with pytest.raises(ValueError, match="six arrays"):
        _native.BiLstm(4, 6, [])
    with pytest.raises(ValueError, match="six arrays"):
        _native.BiLstm(4, 6, weights[:-1])
    with pytest.raises(ValueError, match="1 to 65,536"):
        _native.BiLstm(4, 0, weights)
    with pytest.raises(ValueError, match="weights 0 are not 24 x 5"):
        _native.BiLstm(5, 6, weights)
    for place, array in enumerate(weights):
        for wrong in (array[:-1], array[..., :-1], array.reshape(1, *array.shape)):
            with pytest.raises(ValueError, match=f"weights {place} are not 24"):
                _native.BiLstm(4, 6, [*weights[:place], np.ascontiguousarray(wrong), *weights[place + 1 :]])


def test_words_that_do_not_fit_are_refused():
    rng = np.random.default_rng(9)
    lstm = _native.BiLstm(4, 6, random_weights(rng, 4, 6, 1))
    x, lengths = random_input(rng, [2, 3], 4)
    with pytest.raises(ValueError, match="5 words, not to 4"):
        lstm.run(x[:-1], lengths)
    with pytest.raises(ValueError, match="3 numbers each, not 4"):
        lstm.run(np.ascontiguousarray(x[:, :3]), lengths)
    with pytest.raises(ValueError, match="less than no words"):
        lstm.run(x, np.array([6, -1], np.int32))


@KERNELS
def test_powers_of_e_are_exact_to_a_millionth(kernels):
    x = np.linspace(-20, 20, 1_001, dtype=np.float32)
    np.testing.assert_allclose(_native.power(x, kernels), np.exp(x.astype(np.float64)), rtol=3e-6)
    assert 0 < _native.power(np.array([-1e6], np.float32), kernels)[0] < 1e-8


@KERNELS
@pytest.mark.parametrize(("count", "width"), [(1, 8), (5, 16), (3, 80), (80, 80), (7, 168), (0, 8)])
def test_the_products_of_training_are_right_for_any_sizes(count, width, kernels):
    rng = np.random.default_rng(count + width)
    x, y = (rng.standard_normal(size).astype(np.float32) for size in (count, width))
    rows = rng.standard_normal((count, width)).astype(np.float32)
    weighted, dots, outer = _native.products(x, rows, y, kernels)
    close = {"rtol": 1e-4, "atol": 1e-4}
    np.testing.assert_allclose(weighted, x.astype(np.float64) @ rows, **close)
    np.testing.assert_allclose(dots, rows.astype(np.float64) @ y, **close)
    np.testing.assert_allclose(outer, np.outer(x, y), **close)
