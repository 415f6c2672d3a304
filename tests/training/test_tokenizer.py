"""Tokenizers learn tokens, sentences and multiword tokens from any treebank, and the same from the same seed."""

import io
from dataclasses import replace

import numpy as np
import pytest
import torch

import multiplane as mp
from multiplane.text import corpus_of_text
from multiplane.text.gold import GoldSentence, GoldToken, gold_sentences, gold_text, paragraphs, raw_text
from multiplane.training import Reporter
from multiplane.training.tokenizer import TokenizerLearner, inputs
from multiplane.training.tokenizer_config import TokenizerSettings, tokenizer_settings
from multiplane.training.tokenizer_data import SENTENCE_END, TOKEN_END, prepare, sequences
from multiplane.training.tokenizer_scoring import tokenization
from multiplane.training.train_tokenizer import train_tokenizer_model
from small_parsers import contents
from small_tokenizers import JAPANESE, PORTUGUESE, SMALL, english, japanese, plain, portuguese, treebank


def scores(model, corpus):
    return tokenization(corpus, corpus_of_text(raw_text(corpus), model))


@pytest.mark.parametrize(
    ("maker", "gold"), [(japanese, JAPANESE), (portuguese, PORTUGUESE)], ids=["japanese", "portuguese"]
)
def test_a_small_treebank_is_learnt(maker, gold):
    assert scores(maker(), treebank(gold)) == (100.0, 100.0, 100.0)


def test_sentences_without_spaces_between_words_are_split():
    (first, second) = japanese().sentences("犬は空に来ます。水が本を見る。")
    assert [token.form for token in first] == ["犬は", "空に", "来ます", "。"]
    assert (second[0].form, second[0].start) == ("水が", 8)


def test_the_network_decides_in_context_what_is_a_multiword_token():
    (one,) = portuguese().sentences("Eva vive nos gatos.")
    (other,) = portuguese().sentences("Rui nos viu.")
    assert [token.words for token in one if token.form == "nos"] == [("em", "os")]
    assert [token.words for token in other if token.form == "nos"] == [()]


def test_the_native_core_decides_as_the_network_that_was_trained():
    settings = tokenizer_settings(SMALL | {"epochs": 4, "dropout": 0.0})
    data = prepare([mp.sample()], settings)
    learner = TokenizerLearner(data, settings)
    for epoch in range(1, 5):
        learner.epoch(epoch)
    network = learner._training.averaged.eval()
    for name, array in network.arrays().items():  # as stored
        assert array.dtype == np.float16, name
    for group in list(paragraphs(data.sentences[0]))[:12]:
        found = sequences([group], data.lexicon)
        counts = np.diff(found.part_ends, prepend=0)
        with torch.no_grad():
            scored = network(
                *map(
                    torch.from_numpy, (found.single, found.parts, found.part_ends - counts, counts.astype(np.float32))
                ),
                found.lengths.tolist(),
            ).numpy()
        ends = np.logaddexp(scored[:, TOKEN_END], scored[:, SENTENCE_END]) - scored[:, 0]
        spaced = np.append(found.single[1:, 3] % 2 == 1, True)
        sure = int((spaced | (ends > 0.05)).sum()), int((spaced | (ends > -0.05)).sum())
        tokens = sum(map(len, learner.model().sentences(gold_text(group).text)))
        assert sure[0] <= tokens <= sure[1]


@pytest.mark.parametrize(
    ("one", "other", "places"),
    [("Is it?", "Is it.", [2]), ("a (b), c", "a [b]: c", [1, 3, 4]), ("x-y", "x/y", [1]), ("go up", "go in", [1])],
)
def test_a_hidden_piece_leaves_no_trace(one, other, places):
    settings = tokenizer_settings(SMALL)
    data = prepare([mp.sample()], settings)
    network = TokenizerLearner(data, settings)._training.network.eval()

    def scored(text, hides):
        tokens = tuple(GoldToken(form, (), True) for form in text.split())
        found = sequences([[GoldSentence(tokens, True)]], data.lexicon)
        hidden = np.isin(np.arange(found.lengths[0]), places if hides else [])
        with torch.no_grad():
            read = inputs(found, np.arange(len(hidden)), hidden)
            return network(*read, found.lengths.tolist(), torch.from_numpy(hidden)).numpy()

    assert (scored(one, True) == scored(other, True)).all()
    assert (scored(one, False) != scored(other, False)).any()


@pytest.mark.parametrize(("text", "spaces"), [(True, True), (True, False), (False, True)])
def test_spaces_come_from_text_comments_or_from_misc(text, spaces):
    found = gold_sentences(treebank(PORTUGUESE, text=text, spaces=spaces))
    assert [[token.spaced for token in sentence.tokens] for sentence in found] == [
        [spaced for _, _, spaced in tokens] for tokens in PORTUGUESE
    ]


def test_a_text_that_is_not_that_of_the_words_is_not_used():
    corpus = mp.read_conllu(io.BytesIO(b"# text = other\n1\tGo\t_\t_\t_\t_\t0\troot\t_\tSpaceAfter=No\n\n"))
    assert raw_text(corpus) == "Go"


def test_raw_text_has_the_spaces_and_paragraphs_of_the_treebank():
    gold = [plain("Go on"), plain("He left", "!", spaced=False), plain("So what", "?"), plain("No")]
    assert raw_text(treebank(gold, paragraph=3)) == "Go on. He left!So what?\n\nNo."


def test_a_treebank_without_spaces_is_noted():
    notes = []
    prepare([treebank(PORTUGUESE, text=False, spaces=False)], TokenizerSettings(), notes.append)
    assert len(notes) == 1
    assert "expect a space" in notes[0]


def test_sentence_ends_within_paragraphs_are_learnt_without_paragraphs_in_the_treebank():
    for every in (0, 1):  # no paragraphs, or one for each sentence
        corpus = treebank(PORTUGUESE, paragraph=every)
        model = mp.train_tokenizer(corpus, **SMALL)
        assert len(model.sentences("Ana gosta do gato. Rui nos viu.")) == 2


def test_words_with_spaces_are_learnt():
    gold = [[("10 000", (), True), (word, (), False), (".", (), True)] for word in ("cars", "cats", "men", "dogs")] * 8
    model = mp.train_tokenizer(treebank(gold), **SMALL)
    assert [token.form for token in model.sentences("10 000 cats.")[0]] == ["10 000", "cats", "."]
    assert not english().spaces_inside


def test_the_same_seed_gives_the_same_bytes_and_another_one_others(tmp_path):
    settings = SMALL | {"epochs": 2}
    for name, seed in (("a", 3), ("b", 3), ("c", 4)):
        mp.train_tokenizer(mp.sample(), mp.sample(), seed=seed, **settings).save(tmp_path / name)
    files = [contents(tmp_path / name) for name in "abc"]
    assert files[0] == files[1]
    assert files[0]["weights.safetensors"] != files[2]["weights.safetensors"]


class Interrupting(Reporter):
    def __init__(self, after: int) -> None:
        self.after, self.notes = after, []

    def note(self, text):
        self.notes.append(text)

    def begin(self, epoch):
        if epoch > self.after:
            raise KeyboardInterrupt


def test_a_resumed_run_gives_what_an_uninterrupted_one_gives(tmp_path):
    settings = tokenizer_settings(SMALL | {"epochs": 4})
    folder = tmp_path / "checkpoint"
    stopped, interrupted = train_tokenizer_model(
        [mp.sample()], mp.sample(), settings, checkpoint=folder, reporter=Interrupting(2)
    )
    assert interrupted
    assert len(stopped.record.history) == 2
    resumed, _ = train_tokenizer_model([mp.sample()], mp.sample(), settings, checkpoint=folder, resume=True)
    whole, _ = train_tokenizer_model([mp.sample()], mp.sample(), settings)
    assert resumed.record == whole.record
    assert all(np.array_equal(array, resumed.weights[name]) for name, array in whole.weights.items())
    other = tokenizer_settings(SMALL | {"epochs": 5})
    with pytest.raises(mp.TrainingError, match="was made with epochs 4, not 5"):
        train_tokenizer_model([mp.sample()], mp.sample(), other, checkpoint=folder, resume=True)


@pytest.mark.parametrize("role", ["training", "development"])
def test_an_empty_treebank_is_refused(role):
    empty, full = treebank([]), mp.sample()
    with pytest.raises(mp.TrainingError, match=f"no sentence to use as {role} data"):
        mp.train_tokenizer(*((empty, full) if role == "training" else (full, empty)), **SMALL)


def test_a_wrong_setting_is_refused():
    with pytest.raises(mp.TrainingError, match="unknown setting 'system'"):
        mp.train_tokenizer(mp.sample(), system="planar")
    with pytest.raises(mp.TrainingError, match=r"dropout must be a number from 0\.0 to 0\.99, not 1"):
        mp.train_tokenizer(mp.sample(), dropout=1)


def test_training_that_diverges_says_so():
    settings = tokenizer_settings(SMALL)
    learner = TokenizerLearner(prepare([mp.sample()], settings), settings)
    with pytest.raises(mp.TrainingError, match=r"training diverged after 0 steps: .* below 0\.02"):
        learner._training.step(torch.tensor(float("nan")))


def test_other_formats_and_several_treebanks_can_be_learnt_from():
    rows = b"".join(
        b"1\t%s\t_\t_\t_\t_\t0\troot\t_\t_\n2\t!\t_\t_\t_\t_\t1\tp\t_\t_\n\n" % word for word in (b"Go", b"Eat", b"Run")
    )
    corpus = mp.read_conllx(io.BytesIO(rows * 10))
    model = mp.train_tokenizer([corpus, treebank(JAPANESE)], **SMALL | {"epochs": 4})
    assert [token.form for token in model.sentences("Go !")[0]] == ["Go", "!"]
    assert model.record.sentences == 30 + len(JAPANESE)


@pytest.mark.parametrize(("dots", "found"), [(0, True), (9, True), (10, False)])
def test_dots_in_a_row_are_made_up_if_the_treebank_has_few(dots, found):
    usual = [("Eu", (), True), ("vou", (), False), (",", (), True), ("sim", (), False), (".", (), True)]
    odd = [("Eu", (), True), ("vou", (), False), ("...", (), True)]
    settings = TokenizerSettings(dots=1.0, cut_ends=0.0, lower=0.0)
    data = prepare([treebank([usual] * 30 + [odd] * dots)], settings)
    groups = list(data.groups(np.random.default_rng(1), settings))
    forms = [[token.form for token in sentence.tokens] for group in groups for sentence in group]
    assert sum("..." in words for words in forms) == dots + 30 * found
    changed = [words for words in forms if len(words) == 5 and "..." in words]
    assert {words.index("...") for words in changed} == ({2, 4} if found else set())
    never = list(data.groups(np.random.default_rng(1), TokenizerSettings(dots=0.0)))
    assert sum(token.form == "..." for group in never for sentence in group for token in sentence.tokens) == dots


@pytest.mark.parametrize("dots", [0.0, 0.3])
def test_dots_that_the_treebank_lacks_are_one_token_if_made_up(dots):
    model = mp.train_tokenizer(treebank(PORTUGUESE), **SMALL | {"dots": dots})
    found = [token.form for sentence in model.sentences("Eva vive... Rui nos viu.") for token in sentence]
    assert ("..." in found) == (dots > 0)


def hyphenated(count, *more):
    joined = [("Eva", (), True), ("vive", (), True), ("mal-estar", (), False), (".", (), True)]
    return treebank([joined] * count + list(more))


@pytest.mark.parametrize(
    ("corpus", "joints"),
    [
        (hyphenated(20), ("a-a",)),
        (hyphenated(19), ()),
        (hyphenated(40, [("Rui", (), False), ("-", (), False), ("Eva", (), True)]), ()),
        (hyphenated(20, [("9", (), False), ("-", (), False), ("Eva", (), True)]), ("a-a",)),
        (hyphenated(20, *[[("a.b", (), True), ("3_a", (), True), ("3:4", (), True)]] * 20), ("0:0", "0_a", "a-a")),
    ],
)
def test_signs_that_never_separate_letters_or_digits_are_joints(corpus, joints):
    assert prepare([corpus], TokenizerSettings()).joints == joints


def test_signs_that_the_treebank_lacks_are_joints_if_no_sign_ever_separates():
    assert {"a-a", "0/a", "a'0"} <= set(prepare([hyphenated(100)], TokenizerSettings()).joints)
    split = [("Rui", (), False), ("/", (), False), ("Eva", (), True)]
    assert prepare([hyphenated(100, split)], TokenizerSettings()).joints == ("a-a",)


def test_joints_hold_unknown_words_together():
    model = mp.train_tokenizer(treebank(PORTUGUESE), **SMALL)
    assert model.joints == ()
    blind = {name: np.zeros_like(array) for name, array in model.weights.items()}
    blind["output.bias"][TOKEN_END] = 1
    splitting = replace(model, weights=blind)
    text = "mal-estar 3-x x-3 a - b -c d- é_è a-b-c"

    def forms(*joints):
        found = replace(splitting, joints=joints).sentences(text)
        return " ".join(token.form for sentence in found for token in sentence)

    assert forms() == "mal - estar 3 - x x - 3 a - b - c d - é _ è a - b - c"
    assert forms("a-a") == "mal-estar 3 - x x - 3 a - b - c d - é _ è a-b-c"
    assert forms("0-a", "a_a") == "mal - estar 3-x x - 3 a - b - c d - é_è a - b - c"


@pytest.mark.parametrize("joint", ["-", "b-a", "a--a", ""])
def test_joints_of_another_form_are_refused(joint):
    with pytest.raises(mp.ModelError, match="joints"):
        replace(portuguese(), joints=(joint,))
