"""Trained models: parsing and storage."""

from multiplane.models.files import load_model, load_tokenizer, save_model
from multiplane.models.kernel import KernelModel
from multiplane.models.linear import LinearModel, LinearWeights
from multiplane.models.neural import NeuralModel
from multiplane.models.protocol import Contents, FixedArcs, Model, Stored, Tags, Trees
from multiplane.models.record import Epoch, TrainingRecord
from multiplane.models.tokenizer import TokenizerModel

__all__ = [
    "Contents",
    "Epoch",
    "FixedArcs",
    "KernelModel",
    "LinearModel",
    "LinearWeights",
    "Model",
    "NeuralModel",
    "Stored",
    "Tags",
    "TokenizerModel",
    "TrainingRecord",
    "Trees",
    "load_model",
    "load_tokenizer",
    "save_model",
]
