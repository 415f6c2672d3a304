"""Parsing with Ray: `parse_dataset` for Ray Data; for files, use `multiplane parse --engine ray`."""

from multiplane.integrations.ray import parse_dataset

__all__ = ["parse_dataset"]
