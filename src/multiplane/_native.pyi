"""Types of the native core; see native/bindings.cpp and native/bindings/."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

class Undecided(Exception): ...

class Index:
    def __len__(self) -> int: ...
    @property
    def start(self) -> NDArray[np.uint64]: ...
    @property
    def end(self) -> NDArray[np.uint64]: ...
    @property
    def line(self) -> NDArray[np.uint64]: ...
    @property
    def ordinal(self) -> NDArray[np.uint64]: ...
    @property
    def first_word(self) -> NDArray[np.uint64]: ...
    @property
    def word(self) -> NDArray[np.uint32]: ...
    @property
    def heads(self) -> NDArray[np.int32]: ...
    @property
    def lines(self) -> int: ...
    @property
    def sentences(self) -> int: ...
    @property
    def problems(self) -> list[tuple[int, int, str, str]]: ...
    def fields(self, text: bytes, begin: int, end: int, column: int) -> list[str]: ...
    def sent_id(self, text: bytes, sentence: int) -> str: ...

def read(
    text: bytes,
    columns: int,
    more_columns: bool,
    head: int,
    ranges: bool,
    lines_before: int,
    sentences_before: int,
) -> Index: ...

MeasureArrays = tuple[
    NDArray[np.uint8],
    NDArray[np.int8],
    NDArray[np.uint8],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.int32],
]

def measure_heads(lengths: NDArray[np.int64], heads: NDArray[np.int32]) -> MeasureArrays: ...
def measure_graphs(
    lengths: NDArray[np.int64],
    arc_counts: NDArray[np.int64],
    heads: NDArray[np.int32],
    dependents: NDArray[np.int32],
) -> MeasureArrays: ...
def ill_nesting(
    n: int, heads: NDArray[np.int32], dependents: NDArray[np.int32]
) -> tuple[int, int, int, int, int, int] | None: ...
def crossing(heads: NDArray[np.int32], dependents: NDArray[np.int32]) -> tuple[int, int] | None: ...
def crossings(heads: NDArray[np.int32], dependents: NDArray[np.int32]) -> list[tuple[int, int]]: ...
def odd_cycle(heads: NDArray[np.int32], dependents: NDArray[np.int32]) -> list[int]: ...
def clique(heads: NDArray[np.int32], dependents: NDArray[np.int32], enough: int) -> list[int]: ...
def minimal_planes(heads: NDArray[np.int32], dependents: NDArray[np.int32], limit: int) -> tuple[int, list[int]]: ...

class Program:
    def __init__(
        self,
        stacks: int,
        guards: list[tuple[list[int], list[bool]]],
        transitions: list[tuple[list[tuple[int, int, int]], bool]],
        root: int,
        trees: bool,
        single_root: bool,
        arcs_on_stack: bool,
        left_arcs_on_stack: bool,
        keeps_roots: bool,
        stack_is_final: bool,
        track_components: bool,
    ) -> None: ...

class Configuration:
    def __init__(self, program: Program, n: int) -> None: ...
    def copy(self) -> Configuration: ...
    def apply(self, transition: int, parameter: int, label: int) -> tuple[int, int]: ...
    def legal(self) -> list[tuple[int, int]]: ...
    @property
    def n(self) -> int: ...
    @property
    def active(self) -> int: ...
    @property
    def switches(self) -> int: ...
    @property
    def is_terminal(self) -> bool: ...
    @property
    def buffer(self) -> list[int]: ...
    @property
    def aside(self) -> list[int]: ...
    @property
    def stacks(self) -> list[list[int]]: ...
    @property
    def arcs(self) -> list[tuple[int, int, int, int]]: ...

def derive_graph(
    program: Program,
    roles: list[int],
    arcs: list[int],
    strategy: int,
    target: int,
    n: int,
    heads: NDArray[np.int32],
    dependents: NDArray[np.int32],
    labels: NDArray[np.int32],
) -> tuple[list[tuple[int, int, int]], list[int], list[tuple[int, int]], bool]: ...
def derive_forests(
    program: Program,
    roles: list[int],
    arcs: list[int],
    strategy: int,
    target: int,
    lengths: NDArray[np.int64],
    heads: NDArray[np.int32],
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], NDArray[np.uint8], NDArray[np.int64]]: ...

class DynamicOracle:
    def __init__(
        self,
        program: Program,
        kind: int,
        n: int,
        heads: NDArray[np.int32],
        dependents: NDArray[np.int32],
        labels: NDArray[np.int32],
        planes: list[int],
        switch_stack: int,
        swap: int,
        switch_is_bounded: bool,
    ) -> None: ...
    def loss(self, configuration: Configuration) -> int: ...
    def costs(self, configuration: Configuration, regularized: bool) -> list[tuple[int, int]]: ...
    def repeat(self, configurations: list[Configuration], times: int) -> int: ...

def turned_planes(
    program: Program,
    n: int,
    heads: NDArray[np.int32],
    dependents: NDArray[np.int32],
    labels: NDArray[np.int32],
    planes: list[int],
) -> list[int]: ...

class StateSpace:
    def __init__(self, start: Configuration, most: int) -> None: ...
    def __len__(self) -> int: ...
    def state(self, number: int) -> Configuration: ...
    def terminal(self) -> NDArray[np.uint8]: ...
    def stuck(self) -> NDArray[np.int64]: ...
    def graphs(self) -> NDArray[np.uint64]: ...
    def successors(self) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]]: ...
    def most_arcs(self, heads: list[int], dependents: list[int], planes: list[int]) -> NDArray[np.int32]: ...
    def losses(self, oracle: DynamicOracle) -> NDArray[np.int32]: ...

Part = tuple[list[tuple[int, int, int]], list[tuple[int, int, int]], list[list[int]]]

class FeatureModel:
    def __init__(self, width: int, transition: Part, label: Part, bits: int) -> None: ...

class OracleKind:
    def __init__(
        self,
        program: Program,
        roles: list[int],
        arcs: list[int],
        strategy: int,
        target: int,
        loss: int,
        switch_is_bounded: bool,
    ) -> None: ...

Weights = tuple[
    NDArray[np.uint64],
    NDArray[np.int16],
    NDArray[np.uint64],
    NDArray[np.uint16],
    NDArray[np.uint16],
    NDArray[np.int16],
]

class Perceptron:
    def __init__(self, program: Program, features: FeatureModel, oracle: OracleKind, labels: int) -> None: ...
    def add(
        self,
        text: bytes,
        index: Index,
        attributes: list[tuple[int, int, str]],
        heads: NDArray[np.int32],
        labels: NDArray[np.int32],
    ) -> list[int]: ...
    def train(
        self,
        order: NDArray[np.int64],
        seed: int,
        dynamic: bool,
        exploration: float,
        margin: float,
        label_margin: float,
        regularized: bool,
        beam: int,
        early_update: bool,
        dropout: float,
    ) -> tuple[int, int, int, int, int]: ...
    def freeze(self, threshold: float) -> Weights: ...
    def state(self) -> tuple[Any, ...]: ...
    def restore(self, time: float, *arrays: NDArray[Any]) -> None: ...

class LinearParser:
    def __init__(
        self,
        program: Program,
        features: FeatureModel,
        oracle: OracleKind,
        labels: int,
        root_label: int,
        keys: NDArray[np.uint64],
        weights: NDArray[np.int16],
        label_keys: NDArray[np.uint64],
        label_counts: NDArray[np.uint16],
        label_classes: NDArray[np.uint16],
        label_weights: NDArray[np.int16],
    ) -> None: ...
    def parse(
        self,
        text: bytes,
        index: Index,
        attributes: list[tuple[int, int, str]],
        beam: int,
        fixed_heads: NDArray[np.int32] | None = None,
        fixed_labels: NDArray[np.int32] | None = None,
    ) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.uint8], NDArray[np.float32]]: ...
    def derivations(
        self, text: bytes, index: Index, attributes: list[tuple[int, int, str]], beam: int, copies: bool = False
    ) -> list[list[tuple[int, int, int]]]: ...

def rewrite(
    text: bytes,
    index: Index,
    head: int,
    heads: NDArray[np.int32],
    labels: tuple[int, NDArray[np.int32], list[str]],
    filled: list[tuple[int, NDArray[np.int32], list[str]]],
) -> bytes: ...
def lowered(text: str) -> str: ...

class Lexicon:
    def __init__(self, channels: list[tuple[int, list[str]]], characters: list[str]) -> None: ...
    def types(self, text: bytes, index: Index, columns: list[int]) -> tuple[NDArray[np.int32], ...]: ...

class NeuralLook:
    def __init__(
        self,
        nodes: list[tuple[int, int, int]],
        slots: list[int],
        focus: list[int],
        other_stacks: int,
        rectified: bool,
    ) -> None: ...

class Rollouts:
    def __init__(self, program: Program, oracle: OracleKind) -> None: ...
    def add(self, text: bytes, index: Index, heads: NDArray[np.int32], labels: NDArray[np.int32]) -> list[int]: ...
    def run(
        self,
        look: NeuralLook,
        weights: dict[str, NDArray[np.float32]],
        order: NDArray[np.int64],
        slots: NDArray[np.float32],
        odds: NDArray[np.float32],
        seed: int,
        dynamic: bool,
        regularized: bool,
        exploration: float,
        aggressive: float,
        margin: float,
    ) -> tuple[NDArray[np.int32], NDArray[np.float32], NDArray[np.uint8], NDArray[np.uint8], int, int]: ...

class NeuralParser:
    def __init__(
        self,
        program: Program,
        oracle: OracleKind,
        lexicon: Lexicon,
        look: NeuralLook,
        weights: dict[str, NDArray[np.float32]],
        layers: int,
        units: int,
        tags: int,
        exact: bool,
        root_label: int,
    ) -> None: ...
    def parse(
        self,
        text: bytes,
        index: Index,
        columns: list[int],
        beam: int,
        fixed_heads: NDArray[np.int32] | None = None,
        fixed_labels: NDArray[np.int32] | None = None,
    ) -> tuple[
        NDArray[np.int32], NDArray[np.int32], NDArray[np.uint8], NDArray[np.float32], list[NDArray[np.int32]]
    ]: ...
    def tables(self, text: bytes, index: Index, columns: list[int]) -> tuple[NDArray[np.float32], ...]: ...
    def derivations(
        self, text: bytes, index: Index, columns: list[int], beam: int
    ) -> list[list[tuple[int, int, int]]]: ...

def instances(
    program: Program,
    features: FeatureModel,
    oracle: OracleKind,
    text: bytes,
    index: Index,
    attributes: list[tuple[int, int, str]],
    heads: NDArray[np.int32],
    labels: NDArray[np.int32],
    sentences: NDArray[np.int64],
) -> tuple[NDArray[np.uint64], NDArray[np.int32], NDArray[np.uint64], NDArray[np.int32], NDArray[np.int32]]: ...
def feature_matrix(
    keys: NDArray[np.uint64], least: int
) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int32]]: ...

class KernelMachine:
    def __init__(
        self,
        templates: int,
        gamma: float,
        coef0: float,
        degree: int,
        keys: NDArray[np.uint64],
        lengths: NDArray[np.int32],
        columns: NDArray[np.int32],
        classes: NDArray[np.int32],
        support: NDArray[np.int32],
        coefficients: NDArray[np.float64],
        intercepts: NDArray[np.float64],
    ) -> None: ...
    def decide(self, keys: NDArray[np.uint64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...

class KernelParser:
    def __init__(
        self,
        program: Program,
        features: FeatureModel,
        splits: FeatureModel,
        oracle: OracleKind,
        labels: int,
        root_label: int,
        values: NDArray[np.uint64],
        machines: list[KernelMachine],
        label_values: NDArray[np.uint64],
        label_machines: list[KernelMachine],
    ) -> None: ...
    def parse(
        self,
        text: bytes,
        index: Index,
        attributes: list[tuple[int, int, str]],
        beam: int,
        fixed_heads: NDArray[np.int32] | None = None,
        fixed_labels: NDArray[np.int32] | None = None,
    ) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.uint8], NDArray[np.float32]]: ...
    def derivations(
        self, text: bytes, index: Index, attributes: list[tuple[int, int, str]], beam: int
    ) -> list[list[tuple[int, int, int]]]: ...

class BiLstm:
    def __init__(
        self, input_size: int, hidden: int, weights: list[NDArray[np.float32]], portable: bool = False
    ) -> None: ...
    def run(self, x: NDArray[np.float32], lengths: NDArray[np.int32]) -> NDArray[np.float32]: ...

class CoarseBiLstm:
    def __init__(
        self, input_size: int, hidden: int, weights: list[NDArray[np.float32]], portable: bool = False
    ) -> None: ...
    def run(self, x: NDArray[np.float32], lengths: NDArray[np.int32]) -> NDArray[np.float32]: ...

def linear(
    x: NDArray[np.float32], weights: NDArray[np.float32], bias: NDArray[np.float32], portable: bool = False
) -> NDArray[np.float32]: ...
def add_linear(
    x: NDArray[np.float32], weights: NDArray[np.float32], start: NDArray[np.float32], portable: bool = False
) -> NDArray[np.float32]: ...
def sigmoid(x: NDArray[np.float32], portable: bool = False) -> NDArray[np.float32]: ...
def tanh(x: NDArray[np.float32], portable: bool = False) -> NDArray[np.float32]: ...
