"""Codecs: structures that a parser cannot build, changed into some that it can, with the way back in the labels."""

from multiplane.errors import GraphError
from multiplane.graphs.codecs.codec import Codec, Decoder, Plain
from multiplane.graphs.codecs.pseudo_projective import PseudoProjective
from multiplane.graphs.projectivize import ENCODINGS

PLAIN = Plain()
CODECS: dict[str, Codec] = {PLAIN.name: PLAIN, **{name: PseudoProjective(name) for name in ENCODINGS}}
"""All codecs, by name."""


def codec_of(name: str | None) -> Codec:
    """A codec by the name that settings and models have for it; None stands for the one that changes nothing.

    >>> codec_of("head+path").kind, codec_of(None).kind
    ('pseudo-projective', 'plain')
    """
    if name is None:
        return PLAIN
    if name not in CODECS:
        raise GraphError(f"unknown codec '{name}'; known codecs: {', '.join(CODECS)}")
    return CODECS[name]


__all__ = ["CODECS", "PLAIN", "Codec", "Decoder", "Plain", "PseudoProjective", "codec_of"]
