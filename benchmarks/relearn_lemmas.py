"""Learns the dictionary, suffixes and capitals of a model's lemmas again; the network and its edit scripts stay.

    python benchmarks/relearn_lemmas.py MODEL DEV TRAIN...

Writes the model back, with new scores on DEV. For models trained before `multiplane.training.lemmas` changed; a new
training learns all of this anyway. MODEL is a folder or the name of a bundled model.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import multiplane as mp
from multiplane.data import bundled_models
from multiplane.models import NeuralModel
from multiplane.parser import with_raw_scores
from multiplane.training.lemmas import learn_lemmas


def relearned(model: NeuralModel, corpora: list[mp.Corpus]) -> NeuralModel:
    """Returns a model with the same weights that knows all about lemmas that these treebanks tell."""
    lexicon = model.lexicon
    if lexicon.lemmas is None:
        sys.exit("this model does not predict lemmas")
    known = (column in lexicon.tags or column in lexicon.given for column in ("upos", "xpos"))
    found = learn_lemmas(corpora, *known)
    if found.scripts != lexicon.lemmas.scripts:
        sys.exit("the treebanks have other edit scripts than the model; name those that it was trained on")
    return replace(model, lexicon=replace(lexicon, lemmas=found))


def rescored(model: NeuralModel, dev: mp.Corpus) -> NeuralModel:
    """Returns a model whose record has the present accuracy of lemmas for its epoch."""
    parsed = mp.Parser(model).parse(dev, predict=model.predicted_columns)
    right = mp.evaluate(dev, parsed).lemmas
    record = model.record
    history = (replace(epoch, lemma=right) if epoch.number == record.best else epoch for epoch in record.history)
    return replace(model, record=replace(record, history=tuple(history)))


def main() -> None:
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    name, dev, train = sys.argv[1], mp.read(sys.argv[2]), [mp.read(path) for path in sys.argv[3:]]
    parser = mp.load(name)
    if not isinstance(parser.model, NeuralModel):
        sys.exit("not a neural model")
    new = mp.Parser(rescored(relearned(parser.model, train), dev), parser.tokenizer)
    (new if new.tokenizer is None else with_raw_scores(new, dev)).save(bundled_models().get(name, Path(name)))


if __name__ == "__main__":
    main()
