"""The version, which models are stamped with."""

__version__ = "0.1.0"
