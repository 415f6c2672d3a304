"""Splits plain text into sentences and words."""

from multiplane.text.catalogue import TOKENIZERS, tokenizer_of
from multiplane.text.conllu import corpus_of_text
from multiplane.text.detect import is_text
from multiplane.text.stream import text_blocks
from multiplane.text.tokenizer import Renderer, Token, Tokenizer

__all__ = ["TOKENIZERS", "Renderer", "Token", "Tokenizer", "corpus_of_text", "is_text", "text_blocks", "tokenizer_of"]
