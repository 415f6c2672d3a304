"""Parsers, trained or loaded, for sentences, corpora and files."""

from multiplane.parser.package import package_model
from multiplane.parser.parser import Parser, load, model_folder, train

__all__ = ["Parser", "load", "model_folder", "package_model", "train"]
