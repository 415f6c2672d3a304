"""Pretrained word vectors: the forms of their files, which of them are kept, and what is wrong with a file."""

import gzip
from pathlib import Path

import numpy as np
import pytest

import multiplane as mp
from multiplane.training.vectors import read_vectors

WORDS = ["the", "Cat", "cat", "sat", "New York"]
TABLE = np.arange(15, dtype=np.float32).reshape(5, 3) + 1


def lines(separator: str = " ") -> str:
    return "".join(f"{word}{separator}{' '.join(map(str, row))}\n" for word, row in zip(WORDS, TABLE, strict=True))


def binary() -> bytes:
    rows = zip(WORDS, TABLE, strict=True)
    return b"5 3\n" + b"".join(word.encode() + b" " + row.astype("<f4").tobytes() + b"\n" for word, row in rows)


def direction(vector: np.ndarray) -> np.ndarray:
    return vector / np.linalg.norm(vector)


@pytest.mark.parametrize("form", ["text", "sizes", "gz", "binary", "crlf", "tabs"])
def test_every_form_gives_the_same_vectors(form: str, tmp_path: Path):
    path = tmp_path / ("v.gz" if form == "gz" else "v.vec")
    text = lines()
    data = {
        "text": text.encode(),
        "sizes": b"5 3\n" + text.encode(),
        "gz": gzip.compress(text.encode()),
        "tabs": lines("\t").encode(),
        "crlf": text.replace("\n", "\r\n").encode(),
        "binary": binary().replace(b"New York", b"New_York"),
    }[form]
    path.write_bytes(data)
    words, table = read_vectors(str(path), set(), 100)
    assert words[:3] == ("the", "cat", "sat")  # Cat came before cat
    np.testing.assert_allclose(direction(table[0]), direction(TABLE[0]), rtol=1e-5)
    np.testing.assert_allclose(direction(table[1]), direction(TABLE[1]), rtol=1e-5)


def test_very_large_numbers_are_scaled_without_loss(tmp_path: Path):
    (tmp_path / "v").write_text("the 1e38 -1e38 2e38\ncat 3e38 1e38 -3e38\n")
    _, table = read_vectors(str(tmp_path / "v"), set(), 100)
    assert table.std() == pytest.approx(0.3, rel=1e-5)
    np.testing.assert_allclose(direction(table[0]), direction(np.array([1, -1, 2])), rtol=1e-5)


def test_a_binary_file_of_several_pieces_is_read_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("multiplane.training.vectors._PIECE", 50)
    rows = np.random.default_rng(1).normal(size=(400, 7)).astype("<f4")
    data = b"".join(f"w{number} ".encode() + row.tobytes() for number, row in enumerate(rows))
    (tmp_path / "v").write_bytes(b"400 7\n" + data)
    words, table = read_vectors(str(tmp_path / "v"), set(), 1000)
    assert words == tuple(f"w{number}" for number in range(400))
    np.testing.assert_allclose(table, rows * (0.3 / rows.std()), rtol=1e-4)


def test_words_of_the_training_data_come_before_the_first_of_the_file(tmp_path: Path):
    (tmp_path / "v").write_text(lines())
    assert read_vectors(str(tmp_path / "v"), {"sat"}, 2)[0] == ("sat", "the")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "no vector; each line needs a word"),
        (b"\n", "no vector; each line needs a word"),
        (b"the\n", "no vector; each line needs a word"),
        (b"the 1 2\ncat 1\n", ":2: expected a word and 2 numbers"),
        (b"the 1 2\ncat 1 x\n", ":2: expected a word and 2 numbers"),
        (b"the 1 2\ncat 1 nan\n", ":2: expected a word and 2 numbers"),
        (b"5 0\nthe\n", ":1: invalid vector size 0"),
        (binary()[:-20], "ends after 4 of 5 vectors; is the file complete?"),
        (b"6 3\n" + lines().encode(), "ends after 5 of 6 vectors; is the file complete?"),
        (b"the 1 2\ncat 1 1e300\n", ":2: expected a word and 2 numbers"),
        (b"the 1 1\ncat 1 1\n", "all numbers are the same"),
        (b"\xba\x16\x4f\x2f\x0c\0\0\0", "is a fastText model; use its vector file, which ends in .vec"),
    ],
    ids=[
        *("empty", "blank", "no numbers", "too few", "no number", "not finite", "no width", "cut off"),
        *("cut between lines", "too large", "constant", "fastText's own"),
    ],
)
def test_a_broken_file_is_refused_with_its_place(data: bytes, message: str, tmp_path: Path):
    (tmp_path / "v.vec").write_bytes(data)
    with pytest.raises(mp.InputError) as error:
        read_vectors(str(tmp_path / "v.vec"), set(), 100)
    assert message in str(error.value)
    assert str(error.value).startswith(str(tmp_path / "v.vec"))


def test_a_parser_learns_with_vectors_and_keeps_them(tmp_path: Path):
    pytest.importorskip("torch")
    (tmp_path / "v.vec").write_text("".join(f"{word} {i}.5 1 -{i}\n" for i, word in enumerate(["the", "a", "zebra"])))
    parser = mp.train(
        mp.sample(), model="neural", tags="predicted", vectors=str(tmp_path / "v.vec"), epochs=1, units=16
    )
    assert parser.model.lexicon.given["vectors"] == ("the", "a", "zebra")
    place = parser.model.lexicon.singles.index("vectors")
    table = parser.model.weights[f"embedding.{place}"].astype(float)
    assert parser.model.weights[f"embedding.{place}"].dtype == np.int8
    assert not table[0].any()
    np.testing.assert_allclose(direction(table[3]), direction(np.array([2.5, 1, -2])), rtol=1e-2)
    parser.save(tmp_path / "m")
    assert mp.load(tmp_path / "m").parse(mp.sample()).to_bytes() == parser.parse(mp.sample()).to_bytes()
