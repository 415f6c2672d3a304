"""Large treebanks for the page: the sample, over and over, with names of their own."""

import multiplane as mp


def order(sentences: int) -> list[int]:
    """Indices of the sample's sentences: all of them in turn, each time in another order."""
    size = len(mp.sample())
    return [(number * 17 + number // size) % size for number in range(sentences)]


def repeated_sample(sentences: int) -> bytes:
    """The sample's sentences in this order, named `s1`, `s2` and so on."""
    texts = [_unnamed(sentence.to_bytes()) for sentence in mp.sample()]
    return b"".join(b"# sent_id = s%d\n%s" % (number, texts[place]) for number, place in enumerate(order(sentences), 1))


def _unnamed(text: bytes) -> bytes:
    return b"".join(line for line in text.splitlines(keepends=True) if not line.startswith(b"# sent_id"))
