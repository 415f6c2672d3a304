"""Parsers, trained or loaded, for sentences, corpora and files."""

from multiplane.parser.package import package_model
from multiplane.parser.parser import Parser, load, model_folder, train
from multiplane.parser.tokenizers import load_tokenizer, train_tokenizer

__all__ = ["Parser", "load", "load_tokenizer", "model_folder", "package_model", "train", "train_tokenizer"]
