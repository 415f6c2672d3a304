"""Training: settings, data, learners, the loop, checkpoints and learning curves."""

from multiplane.training.config import Settings
from multiplane.training.loop import Reporter
from multiplane.training.train import train_model

__all__ = ["Reporter", "Settings", "train_model"]
