"""Speed of a training step of a BiLSTM: ours, with 32 and with 16 bits, and PyTorch's, in one run.

    python benchmarks/lstm_training.py [--units 200] [--threads 1]

A step is the forward and the backward pass of two layers over 1,225 words, in sentences of 1 to 49 words. The programs
alternate, after a warm-up round; for each, the round with the least CPU time counts.
"""

from __future__ import annotations

import argparse
import os
import platform
import time
from collections.abc import Callable
from datetime import date

import torch
from torch import Tensor

from multiplane.training.bilstm import bilstm

INPUTS, LAYERS = 300, 2
ROUNDS = 15
LENGTHS = range(49, 0, -1)

Layer = Callable[[Tensor, list[Tensor]], Tensor]


def random_weights(units: int) -> list[list[Tensor]]:
    """For each layer: input, recurrent and bias, forward and backward."""
    widths = [INPUTS] + [2 * units] * (LAYERS - 1)
    shapes = [[(4 * units, width), (4 * units, units), (4 * units,)] * 2 for width in widths]
    return [[torch.empty(shape).uniform_(-0.1, 0.1).requires_grad_() for shape in layer] for layer in shapes]


def with_torch(sizes: Tensor, units: int) -> Layer:
    start = (torch.zeros(2, len(LENGTHS), units),) * 2

    def run(data: Tensor, weights: list[Tensor]) -> Tensor:
        nothing = torch.zeros(4 * units)
        both = [*weights[:3], nothing, *weights[3:], nothing]
        return torch._VF.lstm(data, sizes, start, both, True, 1, 0.0, True, True)[0]

    return run


def seconds(layer: Layer, data: Tensor, weights: list[list[Tensor]]) -> float:
    began = time.process_time()
    for each in weights:
        data = layer(data, each)
    torch.autograd.grad(data.sum(), [weight for each in weights for weight in each])
    return time.process_time() - began


def main() -> None:
    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    arguments.add_argument("--units", type=int, default=200)
    arguments.add_argument("--threads", type=int, default=1)
    given = arguments.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(given.threads)
    packed = torch.nn.utils.rnn.pack_sequence([torch.randn(length, INPUTS) for length in LENGTHS])
    sizes, weights = packed.batch_sizes.tolist(), random_weights(given.units)
    layers: dict[str, Layer] = {
        "multiplane, bfloat16": lambda data, of_layer: bilstm(data, sizes, of_layer, half=True),
        "multiplane, float32": lambda data, of_layer: bilstm(data, sizes, of_layer),
        "torch": with_torch(packed.batch_sizes, given.units),
    }
    best: dict[str, float] = {}
    for round_number in range(ROUNDS + 1):
        for name, layer in layers.items():
            taken = seconds(layer, packed.data, weights)
            if round_number > 0:
                best[name] = min(taken, best.get(name, taken))
    print(f"{date.today()}, {platform.machine()}, {os.cpu_count()} cores, torch {torch.__version__}")
    print(f"{LAYERS} x {given.units} units, {INPUTS} inputs, {len(packed.data):,} words\n")
    print("| program | words per CPU second | times torch |\n| --- | ---: | ---: |")
    for name, least in best.items():
        print(f"| {name} | {len(packed.data) / least:,.0f} | {best['torch'] / least:.2f} |")


if __name__ == "__main__":
    main()
