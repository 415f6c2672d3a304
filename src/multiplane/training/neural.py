"""Trains neural parsers: the native core runs rollouts, and one vectorized loss covers all their configurations."""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from multiplane import _native
from multiplane._native import ChannelKind
from multiplane.errors import ModelError, TrainingError
from multiplane.formats import Corpus
from multiplane.models.encoder import read_encoder, within, without
from multiplane.models.lemmas import Lemmas
from multiplane.models.neural import (
    AFFIXES,
    CHANNELS,
    CHARACTERS,
    LEMMA,
    TAGS,
    Lexicon,
    NeuralModel,
    compressed,
    is_finite,
    native_look,
)
from multiplane.models.precision import in_half
from multiplane.oracles.spec import has_dynamic_oracle, oracle_spec
from multiplane.training.data import TrainingData, fingerprint
from multiplane.training.fine_tuning import FineTuning, weight_groups
from multiplane.training.layers import Dropouts, Layers
from multiplane.training.lemmas import NO_SCRIPT, learn_lemmas, script_numbers
from multiplane.training.network import FIRST, ROOT, Batch, Encoded, Network, Sizes, WordTypes, flat_odds, places_of
from multiplane.training.neural_config import NeuralSettings
from multiplane.training.tagger import parts_of_values
from multiplane.training.teaching import Targets, check_teachers, lessons_of, loss_of
from multiplane.training.vectors import check_vectors, read_vectors

Counts = tuple[int, int, int, int]
"""The numbers of decisions, wrong decisions, labels and wrong labels."""
UNKNOWN = -100
"""What PyTorch's losses ignore: a tag of silver data that the gold data lacks."""
_LEAST_SILVER = 5
"""Forms that only silver data has need this many occurrences."""
LITTLE = -1e9
"""A score below that of any transition."""


class NeuralLearner:
    """Learns the weights of a neural parser, epoch by epoch."""

    def __init__(self, data: TrainingData, settings: NeuralSettings) -> None:
        _check(data, settings)
        self._data, self._settings = data, settings
        self._dynamic = settings.oracle != "static" and has_dynamic_oracle(data.system)
        self._vectors: NDArray[np.float32] | None = None
        counts = _counts(data.corpora, settings)
        if settings.vectors is not None:
            words, self._vectors = read_vectors(settings.vectors, set(counts["form"]), settings.most_vectors)
        else:
            words = ()
        self._lexicon = _lexicon(_known(counts, data, settings), words, data.gold, settings)
        self._encoder = None if settings.encoder is None else FineTuning(settings, data.corpora)
        self._words = _joined([self._types(corpus) for corpus in data.corpora])
        self._hiding = _hiding(self._lexicon, counts, settings.word_dropout)
        self._heads = np.concatenate(data.heads).astype(np.int64)
        self._labels = np.concatenate(data.labels).astype(np.int64)
        self._tags = [_numbers(data.corpora, column, values) for column, values in self._lexicon.tags.items()]
        lemmas = self._lexicon.lemmas
        self._scripts = None if lemmas is None else _scripts(data, lemmas)
        self._lessons = lessons_of(data, self._lexicon, settings) if settings.teacher else None
        self._lengths = np.concatenate([corpus.lengths for corpus in data.corpora])
        self._first = np.cumsum(self._lengths) - self._lengths
        self._usable = data.usable[self._lengths[data.usable] > 0]
        self._gold_sentences = sum(map(len, data.gold))
        self._add_rollouts()
        self._look = settings.look(data.system)
        self._native_look = native_look(self._look, settings.shape, data.system)
        torch.set_num_threads(settings.threads)
        torch.manual_seed(settings.seed)
        self._network = self._new_network()
        self._averaged = copy.deepcopy(self._network)
        self._optimizer = torch.optim.AdamW(
            weight_groups(self._network, settings),
            lr=settings.learning_rate,
            betas=(0.9, 0.95),
            weight_decay=settings.weight_decay,
            fused=True,
        )
        # Settings identify files only by name, but a checkpoint is only valid for the same words, vectors and models.
        vectors = b"" if self._vectors is None else self._vectors.tobytes()
        models = [part.fingerprint for part in (self._encoder, self._lessons) if part is not None]
        self._known = fingerprint(json.dumps(self._lexicon.given), vectors, *models)
        self._steps = 0
        self._total = settings.epochs * len(self._batches(1))

    def _add_rollouts(self) -> None:
        data = self._data
        self._rollouts = _native.Rollouts(data.program, oracle_spec(data.system))
        for corpus, heads, labels in zip(data.corpora, data.heads, data.labels, strict=True):
            self._rollouts.add(corpus._text, corpus._index, heads, labels)

    def _types(self, corpus: Corpus) -> WordTypes:
        lexicon = self._lexicon
        words, single, *rest = lexicon.native.types(corpus._text, corpus._index, lexicon.columns(corpus.dialect))
        return WordTypes(words, single.reshape(-1, len(lexicon.singles)), *rest)

    def _new_network(self) -> Network:
        settings, lexicon, shape = self._settings, self._lexicon, self._settings.shape
        widths = {"form": shape.word, "lemma": shape.lemma, "upos": shape.tag, "xpos": shape.tag}
        if self._vectors is not None:
            widths["vectors"] = self._vectors.shape[1]
        sizes = Sizes(
            tuple((len(lexicon.given[name]), widths[name]) for name in lexicon.singles),
            len(lexicon.given.get("feats", ())),
            len(lexicon.given.get(CHARACTERS, ())),
            len(lexicon.given.get(AFFIXES, ())),
            len(self._data.system.transitions),
            len(self._data.vocabulary),
            len(self._look.slots),
            self._look.features(self._data.system),
            tuple(map(parts_of_values, lexicon.tags.values())),
            0 if lexicon.lemmas is None else len(lexicon.lemmas.scripts),
            0 if self._encoder is None else self._encoder.width,
        )
        rates = settings.dropouts_for(self._data.words)
        dropouts = Dropouts(
            embedding=rates["embedding_dropout"],
            lstm=rates["lstm_dropout"],
            recurrent=settings.recurrent_dropout,
            hidden=rates["hidden_dropout"],
        )
        network = Network(shape, sizes, dropouts)
        network.in_half = in_half(settings.precision)
        if self._vectors is not None:
            network.set_vectors(lexicon.singles.index("vectors"), self._vectors)
        if self._encoder is not None:
            network.encoder = self._encoder.network()
        return network

    def epoch(self, number: int, advance: Callable[[int], None] = lambda sentences: None) -> tuple[float, float | None]:
        """Trains one epoch; returns the percentages of wrong transitions and labels.

        The order and random choices depend only on the seed and the number of the epoch.
        """
        torch.manual_seed(hash((self._settings.seed, number)))
        random = np.random.default_rng([self._settings.seed, number, 1])
        self._network.train()
        counts = np.zeros(4, np.int64)
        for order in self._batches(number):
            batch = self._batch(order)
            counts += self._learn(batch, number, int(random.integers(2**62)))
            advance(int((order < self._gold_sentences).sum()))
        steps, wrong, arcs, wrong_labels = counts.tolist()
        return 100 * wrong / max(steps, 1), 100 * wrong_labels / arcs if arcs else None

    def _batches(self, epoch: int) -> list[NDArray[np.int64]]:
        """Groups sentences of similar length into batches, in random order."""
        random = np.random.default_rng([self._settings.seed, epoch])
        chosen = self._sentences(epoch)
        keys = self._lengths[chosen] * random.uniform(0.8, 1.2, len(chosen))
        order = chosen[np.argsort(keys, kind="stable")]
        number = (np.cumsum(self._lengths[order]) - 1) // self._settings.batch
        batches = np.split(order, np.flatnonzero(np.diff(number)) + 1)
        return [batches[place] for place in random.permutation(len(batches))]

    def _sentences(self, epoch: int) -> NDArray[np.int64]:
        """Returns the sentences of an epoch: all gold ones, and the next part of the silver ones in random order."""
        if not self._settings.silver:
            return self._usable
        is_gold = self._usable < self._gold_sentences
        gold, silver = self._usable[is_gold], self._usable[~is_gold]
        silver = np.random.default_rng(self._settings.seed).permutation(silver)
        ends = np.cumsum(self._lengths[silver])
        total = int(ends[-1]) if len(ends) else 1
        part = min(self._settings.share_of_silver * self._lengths[gold].sum(), total)
        first = (epoch - 1) * part % total
        # Behind the last sentence comes the first one again.
        begin, end = np.searchsorted(np.concatenate([ends, ends + total]), [first, first + part], side="right")
        return np.concatenate([gold, np.tile(silver, 2)[begin:end]])

    def _batch(self, order: NDArray[np.int64]) -> Batch:
        order = order[np.argsort(-self._lengths[order], kind="stable")]
        lengths = self._lengths[order]
        starts = np.cumsum(lengths) - lengths
        words = np.arange(lengths.sum()) - np.repeat(starts, lengths) + np.repeat(self._first[order], lengths)
        return Batch(order, lengths, words)

    def _learn(self, batch: Batch, epoch: int, seed: int) -> Counts:
        """Runs one training step; returns the numbers of decisions and labels, and of wrong ones."""
        network, settings = self._network, self._settings
        self._set_rate()
        types = torch.from_numpy(self._words.words[batch.words].astype(np.int64))
        rows = None if self._encoder is None else self._encoder.rows(network, batch, self._first)
        read = network.encode(network.inputs(types, self._words, self._hidden(batch), rows), batch.lengths)
        losses, counts = self._losses(read, batch, epoch, seed)
        loss = torch.stack(losses).sum() / len(batch.words)
        if not loss.isfinite():
            raise self._diverged()
        self._optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(network.parameters(), settings.clip)
        self._optimizer.step()
        self._steps += 1
        self._average()
        return counts

    def _losses(self, read: Encoded, batch: Batch, epoch: int, seed: int) -> tuple[list[Tensor], Counts]:
        """Returns all losses of a batch, and the numbers of decisions and labels, and of wrong ones."""
        network = self._network
        table = network.slot_table(read.top)
        losses, scores = self._head_losses(read.top, batch)
        odds = np.zeros(0, np.float32) if scores is None else flat_odds(scores.detach(), batch.lengths)
        rows, features, legal, right, steps, wrong = self._rollouts.run(
            self._native_look,
            network.deciding(),
            batch.order,
            table.detach().numpy(),
            odds,
            seed=seed,
            **self._following(epoch),
        )
        if steps:
            losses.append(self._transition_loss(network, table, rows, features, legal, right))
        label_loss, arcs, wrong_labels = self._label_loss(read.top, batch)
        losses += [label_loss, *self._tag_losses(read, batch)]
        return losses, (steps, wrong, arcs, wrong_labels)

    def _tag_losses(self, read: Encoded, batch: Batch) -> list[Tensor]:
        """Returns the losses of tags and lemmas; lemmas are learned from the gold ones only."""
        settings = self._settings
        taught = [None] * len(self._tags) if self._lessons is None else self._lessons.tags
        found = [
            settings.tag_weight * self._answer_loss(scores, self._gold(column, batch), targets, batch.words)
            for several, column, targets in zip(self._network.tag_scores(read), self._tags, taught, strict=True)
            for scores in several
        ]
        if self._scripts is not None:
            scripts = self._network.script_scores(read), self._gold(self._scripts, batch)
            found.append(settings.lemma_weight * self._answer_loss(*scripts, None, batch.words))
        return found

    def _answer_loss(self, scores: Tensor, gold: Tensor, taught: Targets | None, words: NDArray[np.int64]) -> Tensor:
        """Returns the loss of answers for some words, of which teachers may think something too."""
        if taught is None:
            return functional.cross_entropy(scores, gold, reduction="sum")
        return loss_of(scores, gold, taught, words, self._settings)

    def _head_losses(self, encoded: Tensor, batch: Batch) -> tuple[list[Tensor], Tensor | None]:
        """Returns the loss of predicted heads and their scores, if the network predicts heads."""
        if not self._settings.shape.arc:
            return [], None
        scores = self._network.head_scores(encoded, batch.lengths)
        gold = self._gold(self._heads, batch)
        taught = None if self._lessons is None else self._lessons.heads
        return [self._answer_loss(scores[places_of(batch.lengths)], gold, taught, batch.words)], scores

    def _following(self, epoch: int) -> dict[str, Any]:
        """Returns how roll-outs of an epoch follow the oracle."""
        settings = self._settings
        explores = epoch >= settings.explore_from
        return {
            "dynamic": self._dynamic,
            "regularized": settings.regularized,
            "exploration": settings.exploration if explores else 0.0,
            "aggressive": settings.aggressive if explores else 0.0,
            "margin": 1.0,
        }

    @torch.no_grad()
    def _average(self) -> None:
        """Moves the averages towards the weights, faster at first, when the weights still change a lot."""
        share = max(1 / self._settings.average, 10 / (10 + self._steps))
        for average, weight in zip(self._averaged.parameters(), self._network.parameters(), strict=True):
            average.lerp_(weight, share)

    def _gold(self, values: NDArray[np.int64], batch: Batch) -> Tensor:
        return torch.from_numpy(values[batch.words])

    def _hidden(self, batch: Batch) -> list[Tensor | None]:
        """Returns, for each channel, the words to mask as unknown."""
        hidden: list[Tensor | None] = []
        types = self._words.words[batch.words]
        for channel, chances in enumerate(self._hiding):
            if chances is None:
                hidden.append(None)
            else:
                hidden.append(torch.rand(len(types)) < chances[self._words.single[types, channel].astype(np.int64)])
        return hidden

    def _transition_loss(
        self,
        layers: Layers,
        table: Tensor,
        rows: Any,
        features: Any,
        legal: Any,
        right: Any,
        more: Tensor | None = None,
    ) -> Tensor:
        sizes = layers.sizes_of_layers
        slots = torch.from_numpy(rows.reshape(-1, sizes.slots).astype(np.int64))
        seen = torch.from_numpy(features.reshape(len(slots), sizes.features))
        is_legal = torch.from_numpy(legal.reshape(-1, sizes.transitions)).bool()
        is_right = torch.from_numpy(right.reshape(-1, sizes.transitions)).bool()
        scores = layers.transition_scores(table, slots, seen, more).masked_fill(~is_legal, LITTLE)
        rights = scores.masked_fill(~is_right, LITTLE)
        if self._settings.loss == "log-likelihood":
            return (torch.logsumexp(scores, 1) - torch.logsumexp(rights, 1)).sum()
        wrongs = scores.masked_fill(is_right, LITTLE)
        return (1 - rights.max(1).values + wrongs.max(1).values).clamp(min=0).sum()

    def _label_loss(self, encoded: Tensor, batch: Batch) -> tuple[Tensor, int, int]:
        """Returns the loss of the labels of all gold arcs, built or not, the number of arcs and of wrong labels."""
        heads = self._heads[batch.words]
        starts = np.repeat(np.cumsum(batch.lengths) - batch.lengths, batch.lengths)
        governors = np.where(heads == 0, ROOT, FIRST + starts + heads - 1)
        dependents = FIRST + np.arange(len(heads))
        if self._data.system.is_undirected:
            # An edge is labelled by its left and its right end; a root at the right is behind all words.
            is_leftward = (governors == ROOT) if self._data.system.root == "right" else np.zeros(len(heads), np.bool_)
            is_leftward |= governors > dependents
            governors, dependents = (
                np.where(is_leftward, dependents, governors),
                np.where(is_leftward, governors, dependents),
            )
        arcs = np.arange(len(heads)) if self._data.system.root is not None else np.flatnonzero(heads > 0)
        tables = self._network.label_tables(encoded)
        scores = self._network.label_scores(
            tables, torch.from_numpy(governors[arcs]), torch.from_numpy(dependents[arcs])
        )
        gold = torch.from_numpy(self._labels[batch.words][arcs])
        wrong = int((scores.detach().argmax(1) != gold).sum())
        taught = None if self._lessons is None else self._lessons.labels
        return self._answer_loss(scores, gold, taught, batch.words[arcs]), len(arcs), wrong

    def _set_rate(self) -> None:
        for group in self._optimizer.param_groups:
            share = 1.0
            if not self._settings.constant_rate:
                rising = max(group["warmup"] * self._total, 1)
                falling = (self._total - self._steps) / max(self._total - rising, 1)
                share = min((self._steps + 1) / rising, max(falling, 0.01))
            group["lr"] = group["most"] * min(share, 1.0)

    def _diverged(self) -> TrainingError:
        rate = self._settings.learning_rate
        return TrainingError(
            f"training diverged after {self._steps:,} steps: the weights are no longer finite; "
            f"choose a learning rate below {rate:g} (--set learning-rate={rate / 2:g})"
        )

    def model(self) -> NeuralModel:
        """Returns the current model, with averaged weights."""
        weights = self._averaged.arrays()
        if not all(map(is_finite, weights.values())):
            raise self._diverged()
        if self._settings.compress:
            weights |= compressed(without(weights))  # an encoder keeps 16 bits
        return self.model_of(weights)

    def model_of(self, weights: dict[str, NDArray[Any]]) -> NeuralModel:
        """Returns a model with stored weights."""
        return NeuralModel(**self._model_fields(weights))

    def _model_fields(self, weights: dict[str, NDArray[Any]]) -> dict[str, Any]:
        data, settings = self._data, self._settings
        encoder = None if self._encoder is None else self._encoder.trained(within(weights))
        return {
            "encoder": encoder,
            "system": data.system,
            "shape": settings.shape,
            "look": self._look,
            "lexicon": self._lexicon,
            "labels": data.vocabulary,
            "root_label": data.root_label,
            "weights": without(weights),
            "beam": settings.beam,
            "codec": data.codec,
        }

    def _networks(self) -> dict[str, Network]:
        return {"weights": self._network, "averages": self._averaged}

    def state(self) -> dict[str, NDArray[Any]]:
        """Returns the state for resuming training."""
        state = {
            f"{kind}.{name}": tensor.numpy().copy()
            for kind, network in self._networks().items()
            for name, tensor in network.state_dict().items()
        }
        for number, values in self._optimizer.state_dict()["state"].items():
            for name in ("exp_avg", "exp_avg_sq"):
                state[f"{name}.{number}"] = values[name].numpy().copy()
        known = np.frombuffer(bytes.fromhex(self._known), np.int32)
        return state | {"steps": np.array([self._steps], np.int32), "known": known}

    def restore(self, state: dict[str, NDArray[Any]]) -> None:
        """Restores a state."""
        try:
            if state["known"].tobytes().hex() != self._known:
                raise TrainingError(
                    "the checkpoint was made with other word vectors, another encoder or other teachers; "
                    "use the same files, or start again without --resume"
                )
            for kind, network in self._networks().items():
                weights = {name: torch.from_numpy(state[f"{kind}.{name}"]) for name in network.state_dict()}
                network.load_state_dict(weights)
            self._steps = int(state["steps"][0])
            optimizer = self._optimizer.state_dict()
            optimizer["state"] = {
                number: {"step": torch.tensor(float(self._steps))}
                | {name: torch.from_numpy(state[f"{name}.{number}"]) for name in ("exp_avg", "exp_avg_sq")}
                for group in optimizer["param_groups"]
                for number in group["params"]
                if f"exp_avg.{number}" in state
            }
            self._optimizer.load_state_dict(optimizer)
        except (KeyError, IndexError, RuntimeError):
            raise ModelError("the checkpoint does not fit this training run; start again without --resume") from None


def check_parts(data: TrainingData, settings: NeuralSettings) -> None:
    """Raises the error of anything that cannot be part of a parser: its system, features, vectors, encoder, teachers.

    >>> from multiplane import sample
    >>> from multiplane.training.data import prepare
    >>> settings = NeuralSettings(vectors="no-such-file.txt")
    >>> check_parts(prepare([sample()], settings), settings)
    Traceback (most recent call last):
    ...
    multiplane.errors.InputError: no-such-file.txt: cannot be read: no such file or directory
    """
    _check(data, settings)
    settings.look(data.system)
    if settings.vectors is not None:
        check_vectors(settings.vectors)
    if settings.encoder is not None:
        read_encoder(settings.encoder)
    check_teachers(data, settings)


def _check(data: TrainingData, settings: NeuralSettings) -> None:
    if any(transition.parametrized for transition in data.system.transitions.values()):
        raise TrainingError(f"{data.system.name} has one transition per word; neural models need a fixed number")
    if settings.oracle == "dynamic" and not has_dynamic_oracle(data.system):
        raise TrainingError(f"{data.system.name} has no dynamic oracle; choose the static one")


def _counts(corpora: Sequence[Corpus], settings: NeuralSettings) -> dict[str, Counter[str]]:
    """Counts the values that get a vocabulary, by channel."""
    shape = settings.shape
    given = [LEMMA] if shape.lemma else []
    given += TAGS if shape.tag else []
    wanted = ["form", *(column for column in given if column not in settings.predicted)]
    counts: dict[str, Counter[str]] = {}
    for name in wanted:
        column, kind = CHANNELS[name]
        found: Counter[str] = Counter()
        for corpus in corpora:
            if column not in corpus.dialect.columns:
                continue
            for text, count in Counter(corpus.column(column)).items():
                if kind is ChannelKind.BAG:
                    found.update(dict.fromkeys([] if text == "_" else text.split("|"), count))
                else:
                    found[_native.lowered(text) if kind is ChannelKind.LOWER else text] += count
        if len(found) > 1 or name == "form":  # a constant channel is useless, but there must be one
            counts[name] = found
    if shape.characters:
        counts[CHARACTERS] = Counter()
        for corpus in corpora:
            for form, count in Counter(corpus.column("form")).items():
                counts[CHARACTERS].update(dict.fromkeys(form, count))
    return counts


def _known(counts: dict[str, Counter[str]], data: TrainingData, settings: NeuralSettings) -> dict[str, Counter[str]]:
    """Returns counts without the forms that only silver data has and that are rare there."""
    if not data.silver:
        return counts
    gold = _counts(data.gold, settings)["form"]
    frequent = {text: count for text, count in counts["form"].items() if text in gold or count >= _LEAST_SILVER}
    # A form that occurs once in the gold data counts as unknown only if it is rare everywhere.
    return counts | {"form": Counter(frequent)}


def _scripts(data: TrainingData, lemmas: Lemmas) -> NDArray[np.int64]:
    """Returns the number of the edit script of each word; lemmas are learned from gold data only."""
    silver = sum(corpus.words for corpus in data.silver)
    return np.concatenate([script_numbers(data.gold, lemmas), np.full(silver, NO_SCRIPT, np.int64)])


def _lexicon(
    counts: dict[str, Counter[str]], vectors: Sequence[str], corpora: Sequence[Corpus], settings: NeuralSettings
) -> Lexicon:
    """Builds the vocabularies, most frequent first. Except for tags, values that occur once count as unknown."""
    rare = {"form", "lemma", CHARACTERS}
    given = {
        name: tuple(text for text, count in _ranked(found) if count > 1 or name not in rare)
        for name, found in counts.items()
    }
    if vectors:
        given = {"form": given["form"], "vectors": tuple(vectors)} | given
    if affixes := _affixes(corpora, settings):
        given[AFFIXES] = affixes
    learnt = {column: values for column in settings.predicted if len(values := _values(corpora, column)) > 1}
    missing = [column for column in settings.predicted if column not in learnt]
    if settings.predict is not None and missing:
        raise TrainingError(
            f"the training data has no {missing[0]} to learn from; drop it from --predict, or add it to the data"
        )
    tags = {column: values for column, values in learnt.items() if column != LEMMA}
    known = (column in tags or column in given for column in ("upos", "xpos"))
    return Lexicon(given, tags, learn_lemmas(corpora, *known) if LEMMA in learnt else None)


def _affixes(corpora: Sequence[Corpus], settings: NeuralSettings) -> tuple[str, ...]:
    """Returns the affixes that several forms share, those of most forms first."""
    if not settings.shape.affixes:
        return ()
    forms = {_native.lowered(form) for corpus in corpora for form in corpus.column("form")}
    found = Counter(affix for form in forms for affix in _native.affixes(form))
    return tuple(affix for affix, count in _ranked(found)[: settings.most_affixes] if count > 1)


def _values(corpora: Sequence[Corpus], column: str) -> tuple[str, ...]:
    """Returns the values of a column, most frequent first; none if a treebank lacks it."""
    if any(column not in corpus.dialect.columns for corpus in corpora):
        return ()
    found = Counter(text for corpus in corpora for text in corpus.column(column))
    return tuple(text for text, _ in _ranked(found))


def _ranked(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def _hiding(lexicon: Lexicon, counts: dict[str, Counter[str]], rate: float) -> list[Tensor | None]:
    """Returns the probability of masking each index, per channel with one index per word; higher for rare ones."""
    chances: list[Tensor | None] = []
    for name in lexicon.singles:
        if name not in ("form", "lemma") or rate <= 0:
            chances.append(None)
            continue
        frequency = np.array([np.inf, *(counts[name][text] for text in lexicon.given[name])])
        chances.append(torch.from_numpy((rate / (rate + frequency)).astype(np.float32)))
    return chances


def _numbers(corpora: Sequence[Corpus], column: str, values: Sequence[str]) -> NDArray[np.int64]:
    place = {text: number for number, text in enumerate(values)}
    return np.array([place.get(text, UNKNOWN) for corpus in corpora for text in corpus.column(column)], np.int64)


def _joined(parts: Sequence[WordTypes]) -> WordTypes:
    """Concatenates the types of several corpora."""
    if len(parts) == 1:
        return parts[0]
    types = np.cumsum([0, *(len(part.single) for part in parts)])
    bags = np.cumsum([0, *(len(part.bag) for part in parts)])
    letters = np.cumsum([0, *(len(part.characters) for part in parts)])
    affixes = np.cumsum([0, *(len(part.affixes) for part in parts)])
    return WordTypes(
        np.concatenate([part.words + start for part, start in zip(parts, types[:-1], strict=True)]),
        np.concatenate([part.single for part in parts]),
        np.concatenate([part.bag for part in parts]),
        np.concatenate([part.bag_ends + start for part, start in zip(parts, bags[:-1], strict=True)]),
        np.concatenate([part.characters for part in parts]),
        np.concatenate([part.character_ends + start for part, start in zip(parts, letters[:-1], strict=True)]),
        np.concatenate([part.affixes for part in parts]),
        np.concatenate([part.affix_ends + start for part, start in zip(parts, affixes[:-1], strict=True)]),
    )
