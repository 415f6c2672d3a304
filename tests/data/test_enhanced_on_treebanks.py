"""The codec of enhanced graphs on EWT; skipped where it is absent."""

from functools import cache
from pathlib import Path

import pytest

from multiplane.formats import Corpus, LayerArcs, read
from multiplane.formats.empty_nodes import with_enhanced_layer
from multiplane.graphs.codecs.enhanced import EnhancedCodec
from multiplane.graphs.codecs.enhanced_sources import BasicTrees

EWT = Path(__file__).parents[3] / "shared" / "data" / "ud" / "en_ewt"

pytestmark = pytest.mark.skipif(not EWT.exists(), reason="no ../shared/data")


@cache
def ewt(part: str) -> Corpus:
    return read(EWT / f"{part}.conllu.xz")


@cache
def codec() -> EnhancedCodec:
    corpus = ewt("train")
    return EnhancedCodec.learned(BasicTrees.of(corpus), corpus.enhanced_arcs)


def arcs_of(arcs: LayerArcs) -> set[tuple[int, int, int, str]]:
    return {(sentence, *arc) for sentence in range(len(arcs.first) - 1) for arc in arcs.of(sentence)}


@pytest.mark.parametrize(("part", "unlike_train"), [("train", 0), ("dev", 4)])
def test_graphs_come_back_apart_from_loops_and_unknown_cycles(part: str, unlike_train: int) -> None:
    corpus = ewt(part)
    trees = BasicTrees.of(corpus)
    encoded = codec().encode(trees, corpus.enhanced_arcs)
    gold, found = arcs_of(corpus.enhanced_arcs), arcs_of(codec().decode(trees, encoded))
    loops = {arc for arc in gold if arc[1] == arc[2]}
    assert len(loops) == encoded.lost <= 3
    assert len(gold - found - loops) <= unlike_train
    assert not found - gold


def test_nearly_all_templates_are_usual() -> None:
    corpus = ewt("dev")
    encoded = codec().encode(BasicTrees.of(corpus), corpus.enhanced_arcs)
    assert (encoded.templates == encoded.names.index("=*")).mean() > 0.997


@pytest.mark.parametrize("part", ["train", "dev"])
def test_empty_nodes_are_written_again(part: str) -> None:
    corpus = ewt(part)
    new = with_enhanced_layer(corpus, corpus.enhanced_arcs)
    assert arcs_of(new.enhanced_arcs) == arcs_of(corpus.enhanced_arcs)
    assert new.words == corpus.words
    assert not any(">" in deps for deps in new.column("deps"))
