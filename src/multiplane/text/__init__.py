"""Splits plain text into sentences and words."""

from multiplane.text.catalogue import TOKENIZERS, splitter_of, tokenizer_of
from multiplane.text.conllu import corpus_of_text, rendered
from multiplane.text.detect import is_text
from multiplane.text.gold import raw_text
from multiplane.text.stream import text_blocks
from multiplane.text.tokenizer import Renderer, Splitter, Token, Tokenizer, resegmented

__all__ = [
    "TOKENIZERS",
    "Renderer",
    "Splitter",
    "Token",
    "Tokenizer",
    "corpus_of_text",
    "is_text",
    "raw_text",
    "rendered",
    "resegmented",
    "splitter_of",
    "text_blocks",
    "tokenizer_of",
]
