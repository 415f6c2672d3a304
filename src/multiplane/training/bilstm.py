"""A layer of a BiLSTM over packed sequences, with a backward pass that is faster than PyTorch's on CPUs.

PyTorch multiplies gradients with a small matrix in every step, and fills a matrix of zeros for it. Here each pass has
one product per step, and the rest of the gradient takes a few large ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.autograd import Function


class Step(NamedTuple):
    """The rows of a step, and those that it goes on from."""

    start: int
    end: int
    before: int
    """The first row of the step before."""
    carried: int
    """How many sequences go on from there; the others begin with this step."""


def bilstm(data: Tensor, sizes: Sequence[int], weights: Sequence[Tensor], *, half: bool = False) -> Tensor:
    """Returns the outputs of both directions, for sequences as PyTorch packs them: `sizes` is how many have each step.

    For each direction, `weights` are those of the input, those of the recurrence, and the bias, with the gates in
    PyTorch's order. With `half`, large products are computed with bfloat16.

    >>> packed = torch.nn.utils.rnn.pack_sequence([torch.ones(4, 3), torch.ones(1, 3)])
    >>> weights = [torch.ones(8, 3), torch.ones(8, 2), torch.zeros(8)] * 2
    >>> bilstm(packed.data, packed.batch_sizes.tolist(), weights).shape
    torch.Size([5, 4])
    """
    steps = list(_steps(sizes))
    directions = zip((steps, list(_reverse_steps(steps))), (weights[:3], weights[3:]), strict=True)
    outputs = [_Direction.apply(data, *each, order, half) for order, each in directions]  # type: ignore[no-untyped-call]
    return torch.cat(outputs, dim=1)


def _steps(sizes: Sequence[int]) -> Iterator[Step]:
    start = before = 0
    for place, size in enumerate(sizes):
        yield Step(start, start + size, before, size if place else 0)
        start, before = start + size, start


def _reverse_steps(steps: Sequence[Step]) -> Iterator[Step]:
    last = steps[-1]
    yield Step(last.start, last.end, last.start, 0)
    for later, step in pairwise(reversed(steps)):
        yield Step(step.start, step.end, later.start, later.end - later.start)


class _Direction(Function):
    """One direction: a forward pass that keeps what the backward pass needs."""

    @staticmethod
    def forward(
        ctx: Any, data: Tensor, inner: Tensor, recurrent: Tensor, bias: Tensor, steps: list[Step], half: bool
    ) -> Tensor:
        units = recurrent.shape[1]
        data, inner, across = (_as(half, each) for each in (data, inner, recurrent.t()))
        gates = torch.addmm(bias, data, inner.t()) if not half else (data @ inner.t()).float().add_(bias)
        cells, states = gates.new_empty(len(gates), units), gates.new_empty(len(gates), units)
        squashed = torch.empty_like(cells)
        for start, end, before, carried in steps:
            gate, cell, state = gates[start:end], cells[start:end], states[start:end]
            if carried:
                gate[:carried] += _as(half, states[before : before + carried]) @ across
            gate[:, : 2 * units].sigmoid_()
            gate[:, 2 * units : 3 * units].tanh_()
            gate[:, 3 * units :].sigmoid_()
            enters, stays, new, leaves = gate.chunk(4, 1)
            torch.mul(enters, new, out=cell)
            if carried:
                cell[:carried].addcmul_(stays[:carried], cells[before : before + carried])
            torch.tanh(cell, out=squashed[start:end])
            torch.mul(leaves, squashed[start:end], out=state)
        ctx.save_for_backward(data, inner, across, gates, cells, squashed, states)
        ctx.steps, ctx.half = steps, half
        return states

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        data, inner, across, gates, cells, squashed, states = ctx.saved_tensors
        half, steps, units = ctx.half, ctx.steps, cells.shape[1]
        cells_before, states_before = torch.zeros_like(cells), torch.zeros_like(states)
        for start, _, before, carried in steps:
            cells_before[start : start + carried] = cells[before : before + carried]
            states_before[start : start + carried] = states[before : before + carried]
        enters, stays, new, leaves = gates.chunk(4, 1)
        # What the gradients of cells and states are multiplied with, for all steps at once.
        slopes = gates * (1 - gates)
        slopes[:, :units] *= new
        slopes[:, units : 2 * units] *= cells_before
        slopes[:, 2 * units : 3 * units] = enters * (1 - new * new)
        slopes[:, 3 * units :] *= squashed
        into_cells = leaves * (1 - squashed * squashed)
        of_states, of_cells = gradient.clone(), torch.zeros_like(cells)
        along = across.t()
        for start, end, before, carried in reversed(steps):
            slope, of_state, of_cell = slopes[start:end], of_states[start:end], of_cells[start:end]
            of_cell.addcmul_(of_state, into_cells[start:end])
            slope[:, : 3 * units].view(-1, 3, units).mul_(of_cell[:, None])
            slope[:, 3 * units :] *= of_state
            if carried:
                of_states[before : before + carried] += _as(half, slope[:carried]) @ along
                torch.mul(of_cell[:carried], stays[start : start + carried], out=of_cells[before : before + carried])
        of_gates = _as(half, slopes)
        of_data = of_gates @ inner if ctx.needs_input_grad[0] else None
        of_inner = of_gates.t() @ data
        of_recurrent = of_gates.t() @ _as(half, states_before)
        found = (each if each is None else each.float() for each in (of_data, of_inner, of_recurrent))
        return (*found, slopes.sum(0), None, None)


def _as(half: bool, values: Tensor) -> Tensor:
    return values.to(torch.bfloat16) if half else values
