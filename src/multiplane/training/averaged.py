"""AdamW with a rate that rises and falls, and averaged weights; its state can be stored and restored."""

from __future__ import annotations

import copy
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from multiplane.errors import ModelError, TrainingError

_N = TypeVar("_N", bound=nn.Module)
Arrays = dict[str, NDArray[Any]]


class Pace(Protocol):
    """The settings of the optimizer."""

    @property
    def learning_rate(self) -> float:
        """The highest learning rate."""

    @property
    def warmup(self) -> float:
        """The share of training in which the rate rises."""

    @property
    def clip(self) -> float:
        """The maximum norm of the gradient."""

    @property
    def average(self) -> int:
        """The number of last steps over which weights are averaged."""


class Averaged(Generic[_N]):
    """A network in training, and its averaged weights."""

    def __init__(self, network: _N, pace: Pace, steps: int) -> None:
        self.network, self.averaged = network, copy.deepcopy(network)
        self._pace, self._total, self._steps = pace, steps, 0
        self._optimizer = torch.optim.AdamW(
            network.parameters(), lr=pace.learning_rate, betas=(0.9, 0.95), weight_decay=0.0, fused=True
        )

    def step(self, loss: Tensor) -> None:
        """Takes an optimizer step."""
        if not loss.isfinite():
            rate = self._pace.learning_rate
            raise TrainingError(
                f"training diverged after {self._steps:,} steps: the weights are no longer finite; "
                f"choose a learning rate below {rate:g} (--set learning-rate={rate / 2:g})"
            )
        rising = max(self._pace.warmup * self._total, 1)
        falling = (self._total - self._steps) / max(self._total - rising, 1)
        share = min((self._steps + 1) / rising, max(falling, 0.01), 1.0)
        for group in self._optimizer.param_groups:
            group["lr"] = self._pace.learning_rate * share
        self._optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), self._pace.clip)
        self._optimizer.step()
        self._steps += 1
        self._average()

    @torch.no_grad()
    def _average(self) -> None:
        """Moves the averages towards the weights, faster at first, when the weights still change a lot."""
        share = max(1 / self._pace.average, 10 / (10 + self._steps))
        for average, weight in zip(self.averaged.parameters(), self.network.parameters(), strict=True):
            average.lerp_(weight, share)

    def _networks(self) -> dict[str, _N]:
        return {"network": self.network, "averaged": self.averaged}

    def state(self) -> Arrays:
        """Returns the state for resuming training."""
        state = {
            f"{kind}.{name}": tensor.numpy().copy()
            for kind, network in self._networks().items()
            for name, tensor in network.state_dict().items()
        }
        for number, moments in self._optimizer.state_dict()["state"].items():
            state |= {f"{name}.{number}": moments[name].numpy().copy() for name in ("exp_avg", "exp_avg_sq")}
        return state | {"steps": np.array([self._steps], np.int32)}

    def restore(self, state: Arrays) -> None:
        """Restores a state."""
        try:
            for kind, network in self._networks().items():
                network.load_state_dict(
                    {name: torch.from_numpy(state[f"{kind}.{name}"]) for name in network.state_dict()}
                )
            self._steps = int(state["steps"][0])
            optimizer = self._optimizer.state_dict()
            optimizer["state"] = {
                number: {"step": torch.tensor(float(self._steps))}
                | {name: torch.from_numpy(state[f"{name}.{number}"]) for name in ("exp_avg", "exp_avg_sq")}
                for number in optimizer["param_groups"][0]["params"]
                if f"exp_avg.{number}" in state
            }
            self._optimizer.load_state_dict(optimizer)
        except (KeyError, IndexError, RuntimeError):
            raise ModelError("the checkpoint does not fit this training run; start again without --resume") from None
