"""spaCy: the pipeline component `multiplane_parser`."""

from multiplane.integrations.spacy.component import SpacyParser, make_parser

__all__ = ["SpacyParser", "make_parser"]
