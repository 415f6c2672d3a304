"""Speed of the native LSTM, torch and onnxruntime in one run: two layers of 200 units, sentences of 25 words.

    python benchmarks/lstm.py

One thread. Ours runs with every set of instructions that the processor has. The libraries alternate, after a warm-up
round; for each, the round with the least CPU time counts. Missing libraries are skipped.
"""

from __future__ import annotations

import importlib.util
import logging
import os
import platform
import tempfile
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from multiplane import _native

INPUTS, UNITS, LAYERS = 200, 200, 2
WORDS, SENTENCES = 25, 320
BATCH = 32
ROUNDS = 9

Floats = NDArray[np.float32]
Run = Callable[[Floats], Floats]
"""From sentences to outputs; both have three dimensions: sentence, word, number."""


def random_weights() -> list[Floats]:
    """In the order that `_native.BiLstm` takes: input, recurrent and bias, forward and backward, layer by layer."""
    rng, weights = np.random.default_rng(1), []
    for layer in range(LAYERS):
        width = INPUTS if layer == 0 else 2 * UNITS
        shapes = [(4 * UNITS, width), (4 * UNITS, UNITS), (4 * UNITS,)] * 2
        weights += [rng.uniform(-(UNITS**-0.5), UNITS**-0.5, shape).astype(np.float32) for shape in shapes]
    return weights


def multiplane(lstm: _native.BiLstm | _native.CoarseBiLstm) -> Run:
    def run(x: Floats) -> Floats:
        lengths = np.full(len(x), x.shape[1], np.int32)
        return lstm.run(x.reshape(-1, INPUTS), lengths).reshape(*x.shape[:2], 2 * UNITS)

    return run


def with_torch(weights: list[Floats]) -> Run:
    import torch

    torch.set_num_threads(1)
    lstm = torch.nn.LSTM(INPUTS, UNITS, LAYERS, batch_first=True, bidirectional=True)
    directions = [f"l{layer}{end}" for layer in range(LAYERS) for end in ("", "_reverse")]
    with torch.no_grad():
        for place, end in enumerate(directions):
            for kind, array in zip(("weight_ih", "weight_hh", "bias_ih"), weights[3 * place :], strict=False):
                getattr(lstm, f"{kind}_{end}").copy_(torch.from_numpy(array))
            getattr(lstm, f"bias_hh_{end}").zero_()

    def run(x: Floats) -> Floats:
        with torch.inference_mode():
            return lstm(torch.from_numpy(x))[0].numpy()

    return run


def in_order_of_onnx(rows: Floats) -> Floats:
    """ONNX has the gates in the order i, o, f, g."""
    i, f, g, o = np.split(rows, 4)
    return np.concatenate([i, o, f, g])


def write_onnx(path: Path, weights: list[Floats]) -> None:
    from onnx import TensorProto, helper, numpy_helper, save

    nodes, constants = [helper.make_node("Transpose", ["x"], ["words0"], perm=[1, 0, 2])], []
    constants.append(numpy_helper.from_array(np.array([0, 0, -1]), "shape"))
    for layer in range(LAYERS):
        of_layer = [in_order_of_onnx(array) for array in weights[6 * layer : 6 * layer + 6]]
        biases = [np.concatenate([bias, np.zeros_like(bias)]) for bias in of_layer[2::3]]
        for name, arrays in (("w", of_layer[0::3]), ("r", of_layer[1::3]), ("b", biases)):
            constants.append(numpy_helper.from_array(np.stack(arrays), f"{name}{layer}"))
        taken = [f"{name}{layer}" for name in ("words", "w", "r", "b")]
        nodes.append(helper.make_node("LSTM", taken, [f"y{layer}"], hidden_size=UNITS, direction="bidirectional"))
        nodes.append(helper.make_node("Transpose", [f"y{layer}"], [f"z{layer}"], perm=[0, 2, 1, 3]))
        nodes.append(helper.make_node("Reshape", [f"z{layer}", "shape"], [f"words{layer + 1}"]))
    nodes.append(helper.make_node("Transpose", [f"words{LAYERS}"], ["y"], perm=[1, 0, 2]))
    x, y = (
        helper.make_tensor_value_info(name, TensorProto.FLOAT, ["sentences", "words", width])
        for name, width in (("x", INPUTS), ("y", 2 * UNITS))
    )
    graph = helper.make_graph(nodes, "lstm", [x], [y], constants)
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)


def with_onnxruntime(weights: list[Floats], quantized: bool) -> Run:
    import onnxruntime
    from onnxruntime.quantization import QuantType, quantize_dynamic

    logging.disable(logging.WARNING)  # it recommends preprocessing, which changes nothing here
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "lstm.onnx"
        write_onnx(path, weights)
        if quantized:
            exact, path = path, Path(folder) / "quantized.onnx"
            quantize_dynamic(exact, path, weight_type=QuantType.QInt8, reduce_range=True)
        session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    return lambda x: session.run(None, {"x": x})[0]


def competitors(weights: list[Floats]) -> dict[str, Run]:
    kinds = {"multiplane": _native.BiLstm, "multiplane, int16": _native.CoarseBiLstm}
    found = {
        f"{name}, {kernels}": multiplane(kind(INPUTS, UNITS, weights, kernels))
        for name, kind in kinds.items()
        for kernels in _native.kernel_names()
    }
    if importlib.util.find_spec("torch"):
        found["torch"] = with_torch(weights)
    if importlib.util.find_spec("onnxruntime") and importlib.util.find_spec("onnx"):
        found["onnxruntime"] = with_onnxruntime(weights, quantized=False)
        found["onnxruntime, int8"] = with_onnxruntime(weights, quantized=True)
    return found


def seconds(run: Run, x: Floats, batch: int) -> float:
    start = time.process_time()
    for first in range(0, len(x), batch):
        run(x[first : first + batch])
    return time.process_time() - start


def main() -> None:
    x = np.random.default_rng(2).standard_normal((SENTENCES, WORDS, INPUTS)).astype(np.float32)
    runs, best = competitors(random_weights()), {}
    ours = next(iter(runs.values()))(x)
    for round_number in range(ROUNDS + 1):
        for name, run in runs.items():
            for batch in (BATCH, 1):
                taken = seconds(run, x, batch)
                if round_number > 0:
                    best[name, batch] = min(taken, best.get((name, batch), taken))
    print(f"{date.today()}, {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    print(f"{LAYERS} x {UNITS} units, {INPUTS} inputs, sentences of {WORDS} words; words per second\n")
    print(f"| program | {BATCH} sentences at a time | one at a time | largest difference from ours |")
    print("| --- | ---: | ---: | ---: |")
    for name, run in runs.items():
        speeds = " | ".join(f"{SENTENCES * WORDS / best[name, batch]:,.0f}" for batch in (BATCH, 1))
        print(f"| {name} | {speeds} | {np.abs(run(x) - ours).max():.0e} |")


if __name__ == "__main__":
    main()
