"""Parsers: trained or loaded, they give trees to sentences, corpora and files."""

from multiplane.parser.parser import Parser, load, train

__all__ = ["Parser", "load", "train"]
