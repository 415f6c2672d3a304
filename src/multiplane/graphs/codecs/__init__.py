"""Codecs: encode structures that a parser cannot build as ones that it can, with marks in the labels for decoding."""

from multiplane.errors import GraphError
from multiplane.graphs.codecs.codec import Codec, Decoder, Plain
from multiplane.graphs.codecs.enhanced import EnhancedCodec
from multiplane.graphs.codecs.enhanced_decoder import EncodedGraphs
from multiplane.graphs.codecs.enhanced_sources import BasicTrees, label_words
from multiplane.graphs.codecs.planarized import (
    PLANARIZATIONS,
    Planarization,
    Planarized,
    deplanarize,
    deplanarize_layer,
    planarize,
    planarize_layer,
)
from multiplane.graphs.codecs.pseudo_projective import PseudoProjective
from multiplane.graphs.codecs.undirected import Undirected
from multiplane.graphs.projectivize import ENCODINGS
from multiplane.graphs.reconstruct import METHODS

PLAIN = Plain()
CODECS: dict[str, Codec] = {
    PLAIN.name: PLAIN,
    **{name: PseudoProjective(name) for name in ENCODINGS},
    **{name: Undirected(name) for name in METHODS},
}
"""All codecs, by name."""


def codec_of(name: str | None) -> Codec:
    """Returns the codec with this name, as used in settings and models; None means no change.

    >>> codec_of("head+path").kind, codec_of(None).kind
    ('pseudo-projective', 'plain')
    """
    if name is None:
        return PLAIN
    if name not in CODECS:
        raise GraphError(f"unknown codec '{name}'; known codecs: {', '.join(CODECS)}")
    return CODECS[name]


__all__ = [
    "CODECS",
    "PLAIN",
    "PLANARIZATIONS",
    "BasicTrees",
    "Codec",
    "Decoder",
    "EncodedGraphs",
    "EnhancedCodec",
    "Plain",
    "Planarization",
    "Planarized",
    "PseudoProjective",
    "Undirected",
    "codec_of",
    "deplanarize",
    "deplanarize_layer",
    "label_words",
    "planarize",
    "planarize_layer",
]
