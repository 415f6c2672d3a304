"""Parsers, trained or loaded, for sentences, corpora and files."""

from multiplane.parser.parser import Parser, load, train

__all__ = ["Parser", "load", "train"]
