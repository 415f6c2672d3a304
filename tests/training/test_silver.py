"""Silver data: trees made by a parser, of which every epoch has a part, and which teach neither lemmas nor labels."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import multiplane as mp
from multiplane.errors import TrainingError
from multiplane.formats.reader import from_text
from multiplane.training.data import prepare
from multiplane.training.joint_config import JointSettings
from multiplane.training.lemmas import NO_SCRIPT
from multiplane.training.neural_config import neural_settings
from small_parsers import SMALL_NETWORK, contents

torch = pytest.importorskip("torch")
learners = pytest.importorskip("multiplane.training.neural")

SAMPLE = mp.sample()
SETTINGS: dict[str, Any] = SMALL_NETWORK | {"model": "neural", "tags": "predicted"}


def row(number: int, form: str, head: int, label: str, upos: str = "NOUN") -> str:
    return f"{number}\t{form}\twrong\t{upos}\t_\t_\t{head}\t{label}\t_\t_\n"


def text(words: int, label: str = "obj", upos: str = "NOUN") -> str:
    return "".join(row(i, f"s{i}", i - 1, label if i > 1 else "root", upos) for i in range(1, words + 1)) + "\n"


def learner(silver: str, **settings: Any) -> Any:
    chosen = neural_settings(SETTINGS | settings | {"silver": ("silver.conllu",)}).for_words(714)
    return learners.NeuralLearner(prepare([SAMPLE], chosen, silver=[from_text(silver)]), chosen)


def test_every_epoch_has_all_gold_sentences_and_the_next_part_of_the_silver_ones():
    found = learner("".join(text(4) for _ in range(100)), silver_share=0.2)
    seen: list[int] = []
    for epoch in range(1, 3):
        sentences = found._sentences(epoch)
        gold = sentences[sentences < len(SAMPLE)]
        assert gold.tolist() == list(range(len(SAMPLE)))
        part = sentences[sentences >= len(SAMPLE)].tolist()
        assert abs(4 * len(part) - 0.2 * 714) < 4
        seen += part
    assert len(set(seen)) == len(seen)  # parts do not overlap
    later = {int(each) for epoch in range(1, 5) for each in found._sentences(epoch) if each >= len(SAMPLE)}
    assert len(later) == 100  # in time, all are seen


def test_a_large_share_has_no_sentence_twice():
    found = learner(text(4) * 10, silver_share=1000.0)._sentences(3)
    assert np.unique(found).tolist() == list(range(len(SAMPLE) + 10))
    assert len(found) == len(SAMPLE) + 10


def test_lemmas_and_tags_come_from_gold_data_only():
    found = learner(text(3, upos="SILVER"))
    assert "SILVER" not in found._lexicon.tags["upos"]
    assert (found._tags[0][-3:] == learners.UNKNOWN).all()
    assert (found._scripts[-3:] == NO_SCRIPT).all()
    assert not any("wrong" in row for row in found._lexicon.lemmas.dictionary)


def test_rare_forms_of_silver_data_are_unknown():
    forms = learner(text(2) * 4 + text(3))._lexicon.given["form"]
    assert "s2" in forms
    assert "s3" not in forms


def test_a_label_that_gold_data_lack_is_refused(tmp_path: Path):
    path = tmp_path / "silver.conllu"
    path.write_text(text(2, "strange"))
    with pytest.raises(TrainingError, match=r"silver\.conllu: the label 'strange' of this silver data is not in"):
        mp.train(SAMPLE, silver=path, epochs=1, **SETTINGS)
    path.write_text("1\tno\t_\t_\t_\t_\t_\t_\t_\t_\n\n")
    with pytest.raises(TrainingError, match="silver data needs a head for every word"):
        mp.train(SAMPLE, silver=path, epochs=1, **SETTINGS)


def test_settings_of_silver_data_need_some():
    with pytest.raises(TrainingError, match="silver_share applies only to silver data"):
        neural_settings({"silver_share": 2.0})
    with pytest.raises(TrainingError, match="joint parsers do not support silver data"):
        JointSettings(silver=("x",))


def test_training_is_deterministic_and_records_the_files(tmp_path: Path):
    path = tmp_path / "silver.conllu"
    path.write_text(text(3) * 30)
    for name in ("a", "b"):
        mp.train(SAMPLE, silver=path, epochs=2, compress=True, **SETTINGS).save(tmp_path / name)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    model = mp.load(tmp_path / "a").model
    assert model.record.settings["silver"] == "silver.conllu"
    assert (model.record.words, model.record.settings["silver_share"]) == (SAMPLE.words, 1.0)
