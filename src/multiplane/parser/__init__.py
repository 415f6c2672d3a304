"""Parsers, trained or loaded, for sentences, corpora and files."""

from multiplane.parser.package import package_model
from multiplane.parser.parser import Parser, load, model_folder
from multiplane.parser.pipeline import pipeline_settings, raw_scores, with_raw_scores
from multiplane.parser.tokenizers import load_tokenizer, train_tokenizer
from multiplane.parser.training import named_teachers, train

__all__ = [
    "Parser",
    "load",
    "load_tokenizer",
    "model_folder",
    "named_teachers",
    "package_model",
    "pipeline_settings",
    "raw_scores",
    "train",
    "train_tokenizer",
    "with_raw_scores",
]
