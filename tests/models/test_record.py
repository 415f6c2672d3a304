"""Records of training: what scores mean, also in files of older versions."""

from dataclasses import replace

import multiplane as mp
from multiplane.models import Epoch
from multiplane.models.card import card_of
from multiplane.models.record import TrainingRecord

OLD = {"best": 1, "dev": "dev", "history": {"epoch": [1], "error": [9.0], "uas": [80.0], "las": [75.0]}}
NEW = TrainingRecord(dev="dev", history=(Epoch(1, 9.0, None, 80.0, 76.0, las_full=75.0),), best=1)


def card(record: TrainingRecord, parser: mp.Parser) -> str:
    return card_of(replace(parser.model, record=record))


def test_las_of_older_versions_is_las_full(parser: mp.Parser):
    record = TrainingRecord.from_table(OLD, "0.1.0")
    assert (record.chosen.las, record.chosen.las_full, record.chosen.quality) == (None, 75.0, 75.0)
    assert TrainingRecord.from_table(record.to_table(), "0.1.0") == record
    text = card(record, parser)
    assert "| UAS | LAS-full |\n| ---: | ---: |\n| 80.00 | 75.00 |" in text
    assert "the one with the best LAS-full." in text


def test_a_card_says_what_is_counted(parser: mp.Parser):
    text = card(NEW, parser)
    assert "words with the correct head (UAS), and the correct label without its subtype (LAS)" in text
    assert "and the correct full label (LAS-full), over all words:" in text
    assert "| 80.00 | 76.00 | 75.00 |" in text
    assert "the one with the best LAS." in text
