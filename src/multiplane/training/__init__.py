"""Training: settings, data, learners, the loop and checkpoints."""

from multiplane.training.config import Settings
from multiplane.training.loop import Reporter
from multiplane.training.neural_config import NeuralSettings, neural_settings
from multiplane.training.train import train_model

__all__ = ["NeuralSettings", "Reporter", "Settings", "neural_settings", "train_model"]
