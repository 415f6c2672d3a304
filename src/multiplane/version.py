"""The version, which is recorded in every model."""

__version__ = "0.1.0"
