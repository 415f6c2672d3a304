"""The spaCy component: the trees of Docs are those of the parser, through batches, processes and folders."""

import importlib.metadata
import shutil
import tomllib
from pathlib import Path

import numpy as np
import pytest

import multiplane as mp
from multiplane.models import Trees

spacy = pytest.importorskip("spacy")

from spacy import displacy  # noqa: E402
from spacy.tokens import Doc, DocBin  # noqa: E402
from spacy.training import Example  # noqa: E402

from multiplane.integrations.spacy import SpacyParser  # noqa: E402
from multiplane.integrations.spacy.reading import Batch  # noqa: E402
from multiplane.integrations.spacy.writing import write_docs  # noqa: E402

TEXTS = ["She left the house. He didn't stay.", "", "What did you say that she saw?", " \n", "Go home!"] * 3


def pipeline(**config: object) -> spacy.Language:
    nlp = spacy.blank("en")
    nlp.add_pipe("multiplane_parser", config=config)
    return nlp


@pytest.fixture(scope="module")
def nlp() -> spacy.Language:
    return pipeline(model="en")


def shown(doc: Doc) -> list[tuple[object, ...]]:
    return [
        (t.text, t.head.i, t.dep_, t.pos_, t.tag_, str(t.morph), t.lemma_, bool(t.is_sent_start)) for t in doc
    ]  # all that the component sets


def tagged_docs(corpus: mp.Corpus) -> list[Doc]:
    vocab = spacy.blank("xx").vocab
    return [
        Doc(
            vocab,
            words=sentence.forms,
            tags=sentence.column("xpos"),
            pos=sentence.upos,
            morphs=["" if value == "_" else value for value in sentence.column("feats")],
            lemmas=sentence.column("lemma"),
        )
        for sentence in corpus
    ]


def heads(doc: Doc) -> list[int]:
    return [0 if token.head == token else token.head.i + 1 for token in doc]


def heads_are_in_their_sentences(doc: Doc) -> bool:
    return all(token.head in set(sentence) for sentence in doc.sents for token in sentence)


def test_trees_are_those_of_the_parser_also_where_arcs_cross(model: Path):
    # The sample's sentences of all languages; trained for a moment, the model makes trees that cross.
    component = SpacyParser("parser", str(model), sentences="given")
    expected = mp.load(model).parse(mp.sample())
    docs = list(component.pipe(tagged_docs(mp.sample()), batch_size=7))
    assert [heads(doc) for doc in docs] == [sentence.heads for sentence in expected]
    labels = [[token.dep_.replace("ROOT", "root") for token in doc] for doc in docs]
    assert labels == [sentence.deprels for sentence in expected]
    assert any(not sentence.is_projective for sentence in expected)
    assert all(len(list(doc.sents)) == 1 for doc in docs)


def test_a_model_that_needs_tags_says_so(model: Path):
    with pytest.raises(mp.ModelError, match="has no tags, but this model needs them"):
        SpacyParser("parser", str(model))(Doc(spacy.blank("en").vocab, words=["Go", "home"]))


def test_every_token_has_a_head_and_a_label_and_whitespace_too(nlp: spacy.Language):
    doc = nlp("\n She  left.\n\n \tHe stayed. ")
    assert [sentence.text for sentence in doc.sents] == ["\n She  left.\n\n \t", "He stayed."]
    assert all(token.dep_ for token in doc)
    assert heads_are_in_their_sentences(doc)
    spaces = [token for token in doc if token.is_space]
    assert [token.head.text for token in spaces][:2] == ["She", "She"]
    assert {(token.dep_, token.pos_, token.tag_) for token in spaces} == {("dep", "SPACE", "_SP")}
    assert not any(list(token.children) for token in spaces)
    words = nlp("She left. He stayed.")
    kept = [(token.text, token.dep_, token.head.text) for token in doc if not token.is_space]
    assert kept == [(token.text, token.dep_, token.head.text) for token in words]


@pytest.mark.parametrize(("text", "found"), [("", []), ("  ", ["ROOT"]), ("\n\n \n", ["ROOT"])])
def test_docs_without_words_are_no_problem(nlp: spacy.Language, text: str, found: list[str]):
    assert [token.dep_ for token in nlp(text)] == found
    given = Doc(nlp.vocab, words=[" ", " ", "Go", " "], sent_starts=[True, False, True, True])
    assert [(token.head.i, token.dep_) for token in nlp(given)] == [(0, "ROOT"), (0, "dep"), (2, "ROOT"), (3, "ROOT")]


def test_tokens_that_no_field_can_hold_stay_one_word(nlp: spacy.Language):
    doc = nlp(Doc(nlp.vocab, words=["She", "le\tft", "a\nb", "_", "\0", "."], sent_starts=[True] + [False] * 5))
    assert len(list(doc.sents)) == 1
    assert all(token.dep_ for token in doc)


def test_given_sentence_starts_are_kept_and_unknown_ones_found(nlp: spacy.Language):
    words = ["She", "left", ".", "He", "stayed", ".", "They", "slept", "."]
    all_given = [True, False, False, False, False, False, True, False, False]
    partly = [True, None, None, False, None, None, None, None, None]
    for starts in (all_given, partly):
        doc = nlp(Doc(nlp.vocab, words=words, sent_starts=starts))
        assert [sentence.text.strip() for sentence in doc.sents] == ["She left . He stayed .", "They slept ."]
        assert heads_are_in_their_sentences(doc)
    nothing = nlp(Doc(nlp.vocab, words=words))
    assert len(list(nothing.sents)) == 3
    assert len(list(pipeline(sentences="given")(Doc(nlp.vocab, words=words)).sents)) == 1
    assert len(list(pipeline(sentences="new")(Doc(nlp.vocab, words=words, sent_starts=all_given)).sents)) == 3


def test_components_before_it_decide_on_sentences():
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer", config={"punct_chars": [";"]})
    nlp.add_pipe("multiplane_parser")
    assert [sentence.text for sentence in nlp("She left. He stayed; they slept.").sents] == [
        "She left. He stayed;",
        "they slept.",
    ]


def test_several_roots_and_interleaved_subtrees_survive():
    vocab = spacy.blank("xx").vocab
    for given, sentences in (([0, 1, 0, 3], [2, 2]), ([0, 0, 1, 2], [4])):
        doc = Doc(vocab, words=list("abcd"))
        batch = Batch([doc], list("abcd"), np.ones(4, bool), np.array([True, False, False, False]))
        write_docs(batch, Trees(np.array(given, np.int32), np.zeros(4, np.int32)), ("x",), None)
        assert heads(doc) == given
        assert [len(sentence) for sentence in doc.sents] == sentences
        assert heads_are_in_their_sentences(doc)


def test_tags_are_filled_in_where_they_are_missing_and_replaced_on_request(nlp: spacy.Language):
    words = ["She", "left", "."]
    doc = nlp(Doc(nlp.vocab, words=words, pos=["X", "", ""], sent_starts=[True, False, False]))
    assert [token.pos_ for token in doc] == ["X", "VERB", "PUNCT"]
    assert [token.tag_ for token in doc] == ["PRP", "VBD", "."]
    assert doc[1].morph.get("Tense") == ["Past"]
    replaced = pipeline(predict=["upos"])(Doc(nlp.vocab, words=words, pos=["X", "", ""]))
    assert [(token.pos_, token.tag_) for token in replaced] == [("PRON", ""), ("VERB", ""), ("PUNCT", "")]
    assert not pipeline(predict=[])(Doc(nlp.vocab, words=words)).has_annotation("POS")


def test_lemmas_are_set_if_the_model_predicts_them():
    assert [token.lemma_ for token in pipeline(model="pt")("As casas  caíram.")][-3:] == [" ", "cair", "."]


def test_a_batch_is_one_call_of_the_model(nlp: spacy.Language, monkeypatch: pytest.MonkeyPatch):
    component = nlp.get_pipe("multiplane_parser")
    calls = []
    original = type(component.parser.model).parse
    monkeypatch.setattr(
        type(component.parser.model), "parse", lambda self, *rest: calls.append(1) or original(self, *rest)
    )
    batched = [shown(doc) for doc in nlp.pipe(TEXTS, batch_size=8)]
    assert len(calls) == 2
    assert batched == [shown(nlp(text)) for text in TEXTS]


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_worker_processes_give_the_same_docs():
    nlp = pipeline(model="en")
    there = [shown(doc) for doc in nlp.pipe(TEXTS, n_process=2, batch_size=4)]  # before this process knows the strings
    assert there == [shown(doc) for doc in nlp.pipe(TEXTS)]


def test_a_saved_pipeline_brings_its_model(tmp_path: Path, model: Path):
    folder = tmp_path / "model"
    shutil.copytree(model, folder)
    nlp = spacy.blank("xx")
    nlp.add_pipe("multiplane_parser", config={"model": str(folder), "sentences": "given"})
    expected = [shown(nlp(doc)) for doc in tagged_docs(mp.sample())]
    data = nlp.to_bytes()
    nlp.to_disk(tmp_path / "pipeline")
    shutil.rmtree(folder)
    loaded = spacy.load(tmp_path / "pipeline")
    assert [shown(loaded(doc)) for doc in tagged_docs(mp.sample())] == expected
    empty = spacy.blank("xx").from_config(nlp.config)
    with pytest.raises(mp.ModelError, match=f"{folder}: no such model"):
        empty("Go")
    empty.from_bytes(data)
    assert [shown(empty(doc)) for doc in tagged_docs(mp.sample())] == expected
    assert empty.get_pipe("multiplane_parser").to_bytes() == nlp.get_pipe("multiplane_parser").to_bytes()


def test_docs_can_be_stored_and_drawn(nlp: spacy.Language):
    docs = [nlp(text) for text in TEXTS]
    stored = DocBin(docs=docs).to_bytes()
    assert [shown(doc) for doc in DocBin().from_bytes(stored).get_docs(nlp.vocab)] == [shown(doc) for doc in docs]
    drawing = displacy.render(docs[0], style="dep", jupyter=False, options={"collapse_punct": False})
    assert drawing.count('class="displacy-arrow"') == sum(token.head != token for token in docs[0])
    assert ">nsubj<" in drawing


def test_spacy_finds_the_same_las():
    gold = mp.sample()
    nlp = pipeline(sentences="given")
    vocab = nlp.vocab
    examples = []
    for sentence in gold:
        places = [head - 1 if head else place for place, head in enumerate(sentence.heads)]
        reference = Doc(vocab, words=sentence.forms, heads=places, deps=sentence.deprels, pos=sentence.upos)
        examples.append(Example(Doc(vocab, words=sentence.forms), reference))
    scores = nlp.evaluate(examples)
    parsed = mp.load("en").parse(mp.Corpus.from_columns(forms=[sentence.forms for sentence in gold]))
    pairs = list(zip(arcs(gold), arcs(parsed), strict=True))
    right = sum(g == p and g[1] != "punct" for g, p in pairs)
    counted = sum((g[1] != "punct") + (p[1] != "punct") for g, p in pairs)
    assert scores["dep_las"] == pytest.approx(2 * right / counted)
    assert scores["pos_acc"] == pytest.approx(np.mean(np.array(gold.column("upos")) == parsed.column("upos")))


def arcs(corpus: mp.Corpus) -> list[tuple[int, str]]:
    return list(zip(corpus.heads.tolist(), corpus.column("deprel"), strict=True))


def test_docs_that_fail_go_to_the_error_handler(model: Path):
    nlp = spacy.blank("en")
    nlp.add_pipe("multiplane_parser", config={"model": str(model)})
    failed = []
    nlp.set_error_handler(lambda name, component, docs, error: failed.append((name, len(docs), str(error))))
    assert list(nlp.pipe(["One.", "Two."])) == []
    assert failed[0][:2] == ("multiplane_parser", 2)
    assert "needs them" in failed[0][2]


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"sentences": "all"}, "sentences is 'all'; known: auto, given, new"),
        ({"model": "pt", "predict": ["xpos"]}, "cannot predict the column 'xpos'; it predicts upos, feats, lemma"),
        ({"model": "eng"}, "eng: no such model; give the folder"),
    ],
)
def test_wrong_settings_say_what_is_wrong(config: dict[str, object], message: str):
    with pytest.raises((ValueError, mp.ModelError), match=message):
        pipeline(**config)  # not only once there is a text


def test_the_model_is_that_of_the_language():
    pipelines = [spacy.blank("pt") for _ in range(2)]
    for nlp, config in zip(pipelines, ({}, {"model": "pt"}), strict=True):
        nlp.add_pipe("multiplane_parser", config=config)
    default, chosen = (shown(nlp("Ela disse que não.")) for nlp in pipelines)
    assert default == chosen
    with pytest.raises(mp.ModelError, match=r"no model for the language 'de'.*\{\"model\": …\}.* name: en, grc, pt"):
        spacy.blank("de").add_pipe("multiplane_parser")
    spacy.blank("de").add_pipe("multiplane_parser", config={"model": "pt"})


def test_bytes_that_are_no_model_are_refused(model: Path):
    with pytest.raises(mp.ModelError, match="these bytes are not a model"):
        SpacyParser("parser", str(model)).from_bytes(b"no")


def test_spacy_finds_the_component_without_an_import():
    project = tomllib.loads((Path(__file__).resolve().parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    declared = project["project"]["entry-points"]["spacy_factories"]["multiplane_parser"]
    point = importlib.metadata.EntryPoint("multiplane_parser", declared, "spacy_factories")
    assert spacy.blank("en").get_factory_meta("multiplane_parser").factory == "multiplane_parser"
    assert callable(point.load())
