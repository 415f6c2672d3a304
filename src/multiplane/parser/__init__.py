"""Parsers, trained or loaded, for sentences, corpora and files."""

from multiplane.parser.parser import Parser, load, train
from multiplane.parser.tokenizers import load_tokenizer, train_tokenizer

__all__ = ["Parser", "load", "load_tokenizer", "train", "train_tokenizer"]
