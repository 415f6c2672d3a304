"""Trained models: parsing and storage."""

from multiplane.models.files import load_model, save_model
from multiplane.models.kernel import KernelModel
from multiplane.models.linear import LinearModel, LinearWeights
from multiplane.models.neural import NeuralModel
from multiplane.models.protocol import Contents, FixedArcs, Model, Tags, Trees
from multiplane.models.record import Epoch, TrainingRecord

__all__ = [
    "Contents",
    "Epoch",
    "FixedArcs",
    "KernelModel",
    "LinearModel",
    "LinearWeights",
    "Model",
    "NeuralModel",
    "Tags",
    "TrainingRecord",
    "Trees",
    "load_model",
    "save_model",
]
