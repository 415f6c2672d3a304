"""Trains joint neural parsers: one encoder, and scorers for trees and graphs that are learned together."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from multiplane import _native
from multiplane.models.joint import EnhancedLayer, JointModel, SemanticLayer, semantic_features
from multiplane.models.neural import native_look
from multiplane.oracles.spec import oracle_spec, static_spec
from multiplane.systems import systems
from multiplane.training.data import TrainingData
from multiplane.training.joint_config import JointSettings
from multiplane.training.joint_data import GraphData
from multiplane.training.layers import LayerSizes
from multiplane.training.network import FIRST, Batch, Encoded, Network, flat_odds, places_of
from multiplane.training.neural import LITTLE, Counts, NeuralLearner
from multiplane.training.semantic_network import SemanticNetwork, SemanticSizes, flat_arc_odds


class JointLearner(NeuralLearner):
    """Learns the weights of a joint parser, epoch by epoch."""

    def __init__(self, data: TrainingData, graphs: GraphData, settings: JointSettings) -> None:
        self._graphs, self._joint_settings = graphs, settings
        system = systems[settings.semantics]
        templates = graphs.templates
        enhanced = None if templates is None else EnhancedLayer(templates.codec, templates.names)
        look, lifted = settings.semantic_look(system), settings.planarize == "head"
        reads_trees = settings.task == "semantics"
        self._layer = SemanticLayer(system, look, graphs.names, graphs.senses, enhanced, lifted, reads_trees)
        self._semantic_look = native_look(self._layer.look, settings.shape, system)
        if graphs.annotated is not None:
            data = replace(data, usable=data.usable[graphs.annotated[data.usable]])
        super().__init__(data, settings)

    def _add_rollouts(self) -> None:
        data, graphs = self._data, self._graphs
        order = static_spec(self._layer.system, self._joint_settings.strategy)
        self._joint = _native.JointRollouts(data.program, oracle_spec(data.system), self._layer.program, order)
        sentence = word = 0
        for corpus, heads, labels in zip(data.corpora, data.heads, data.labels, strict=True):
            first = graphs.first[sentence : sentence + len(corpus) + 1]
            arcs = slice(int(first[0]), int(first[-1]))
            self._joint.add(
                corpus._text,
                corpus._index,
                heads,
                labels,
                first - first[0],
                graphs.heads[arcs],
                graphs.dependents[arcs],
                graphs.roles[arcs],
                graphs.predicates[word : word + corpus.words],
            )
            sentence, word = sentence + len(corpus), word + corpus.words

    def _new_network(self) -> Network:
        network, layer, shape = super()._new_network(), self._layer, self._settings.shape
        sizes = LayerSizes(
            2 * shape.units,
            len(layer.system.transitions),
            len(layer.roles),
            len(layer.look.slots),
            semantic_features(layer.look, layer.system),
        )
        relations = _native.relation_count(len(self._data.vocabulary))
        network.semantics = SemanticNetwork(
            shape,
            SemanticSizes(
                sizes,
                relations,
                len(layer.look.focus) - 1,
                self._graphs.suffixes,
                layer.senses is not None,
                0 if layer.enhanced is None else len(layer.enhanced.templates),
            ),
            network.dropouts,
        )
        return network

    @property
    def _part(self) -> SemanticNetwork:
        part = self._network.semantics
        assert isinstance(part, SemanticNetwork)
        return part

    def _losses(self, read: Encoded, batch: Batch, epoch: int, seed: int) -> tuple[list[Tensor], Counts]:
        network, part, encoded = self._network, self._part, read.top
        # Where trees are given, the encoder still learns to parse: what it knows of syntax helps.
        losses, head_scores = self._head_losses(encoded, batch)
        assert head_scores is not None
        heads = torch.softmax(head_scores.detach(), dim=2)
        arc_scores = part.arc_scores(encoded, batch.lengths, self._known_heads(batch) if self._reads_trees else heads)
        tables = network.slot_table(encoded), part.slot_table(encoded)
        odds = flat_odds(head_scores.detach(), batch.lengths), flat_arc_odds(arc_scores.detach(), batch.lengths)
        following = self._following(epoch)
        learning = (
            _native.Learning(self._native_look, network.deciding(), tables[0].detach().numpy(), odds[0], **following),
            _native.Learning(
                self._semantic_look,
                part.deciding(),
                tables[1].detach().numpy(),
                odds[1],
                **following | {"dynamic": False},
            ),
        )
        labels = len(self._data.vocabulary)
        trees, graphs, *known = self._joint.run(*learning, labels, batch.order, seed, self._reads_trees)
        steps = wrong = 0
        for layers, table, met in ((network, tables[0], trees), (part, tables[1], graphs)):
            rows, features, related, legal, right, met_steps, met_wrong = met
            if met_steps:
                more = None if layers is network else self._related(related, met_steps)
                losses.append(self._transition_loss(layers, table, rows, features, legal, right, more))
            steps, wrong = steps + met_steps, wrong + met_wrong
        label_loss, arcs, wrong_labels = self._label_loss(encoded, batch)
        role_loss, roles, wrong_roles = self._role_loss(encoded, batch, *known)
        losses += [label_loss, role_loss, *self._tag_losses(read, batch)]
        losses += self._graph_losses(encoded, arc_scores, batch)
        return losses, (steps, wrong, arcs + roles, wrong_labels + wrong_roles)

    @property
    def _reads_trees(self) -> bool:
        return self._layer.reads_trees

    def _known_heads(self, batch: Batch) -> Tensor:
        """Returns the gold heads as probabilities, of the root and every word, padded."""
        sentence, place = places_of(batch.lengths)
        longest = int(batch.lengths.max())
        known = torch.zeros(len(batch.lengths), longest, longest + 1)
        known[sentence, place, self._gold(self._heads, batch)] = 1
        return known

    def _related(self, rows: NDArray[np.int32], steps: int) -> Tensor:
        return self._part.related(torch.from_numpy(rows.reshape(steps, -1).astype(np.int64)))

    def _arcs(self, batch: Batch) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Returns the gold arcs of a batch as indices, and the sentence of each, as a place in the batch."""
        first = self._graphs.first
        counts = first[batch.order + 1] - first[batch.order]
        starts = np.cumsum(counts) - counts
        arcs = np.arange(counts.sum()) - np.repeat(starts, counts) + np.repeat(first[batch.order], counts)
        return arcs, np.repeat(np.arange(len(batch.order)), counts)

    def _role_loss(
        self,
        encoded: Tensor,
        batch: Batch,
        relations: NDArray[np.int32],
        roles: NDArray[np.int32],
        role_ends: NDArray[np.int32],
    ) -> tuple[Tensor, int, int]:
        """Returns the loss of the roles of all gold arcs, built or not, the number of arcs and of wrong roles."""
        graphs, part = self._graphs, self._part
        arcs, sentence = self._arcs(batch)
        if not len(arcs):
            return encoded.new_zeros(()), 0, 0
        starts = (np.cumsum(batch.lengths) - batch.lengths)[sentence] - 1
        governors, dependents = starts + graphs.heads[arcs], starts + graphs.dependents[arcs]
        role_starts = np.concatenate([[0], role_ends[:-1]])
        senses = self._senses_as_known(graphs.word_senses[batch.words[governors]])
        more = part.known_of_arcs(_long(relations), _long(senses), _long(roles), _long(role_starts))
        scores = part.label_scores(
            part.label_tables(encoded), _long(governors + FIRST), _long(dependents + FIRST), more
        )
        gold = _long(graphs.roles[arcs])
        wrong = int((scores.detach().argmax(1) != gold).sum())
        return functional.cross_entropy(scores, gold, reduction="sum"), len(arcs), wrong

    def _senses_as_known(self, senses: NDArray[np.int64]) -> NDArray[np.int64]:
        """Returns rows of senses, 0 for none; rare senses are masked at times, as a parser meets unknown ones."""
        counts, rate = self._graphs.sense_counts, self._settings.word_dropout
        chances = np.where(senses < 0, 1.0, rate / (rate + counts[senses])) if len(counts) else np.ones(len(senses))
        hidden = torch.rand(len(senses)).numpy() < chances
        return np.where(hidden, 0, senses + 1)

    def _graph_losses(self, encoded: Tensor, arc_scores: Tensor, batch: Batch) -> list[Tensor]:
        """Returns the losses of arcs between all words, of predicates and of senses."""
        graphs, part, lengths = self._graphs, self._part, batch.lengths
        arcs, sentence = self._arcs(batch)
        longest = int(lengths.max())
        gold = torch.zeros(len(lengths), longest, longest)
        gold[sentence, graphs.dependents[arcs] - 1, graphs.heads[arcs] - 1] = 1
        inside = np.arange(longest)[None, :] < lengths[:, None]
        flags = np.zeros((len(lengths), longest), np.bool_)
        flags[inside] = graphs.predicates[batch.words] != 0
        possible = torch.from_numpy(inside[:, :, None] & flags[:, None, :]) & ~torch.eye(longest, dtype=torch.bool)
        losses = [functional.binary_cross_entropy_with_logits(arc_scores[possible], gold[possible], reduction="sum")]
        if graphs.templates is not None and part.word is not None:
            gold_classes = self._gold(graphs.templates.numbers, batch)
            losses.append(functional.cross_entropy(part.word(encoded), gold_classes, reduction="sum"))
        if graphs.senses is None:
            return losses
        hidden = part.predicate_layer(encoded)
        is_predicate = torch.from_numpy(graphs.predicates[batch.words].astype(np.float32))
        found = part.predicate(hidden)[:, 0]
        losses.append(functional.binary_cross_entropy_with_logits(found, is_predicate, reduction="sum"))
        lemmas = graphs.lemmas[batch.words]
        places = np.flatnonzero(lemmas >= 0)
        if len(places):
            candidates = torch.from_numpy(graphs.candidates[lemmas[places]])
            scores = part.sense_scores(hidden[torch.from_numpy(places)], candidates.clamp(min=0))
            scores = scores.masked_fill(candidates < 0, LITTLE)
            golds = torch.from_numpy(graphs.golds[batch.words][places])
            losses.append(functional.cross_entropy(scores, golds, reduction="sum"))
        return losses

    def _model_fields(self, weights: dict[str, NDArray[Any]]) -> dict[str, Any]:
        return super()._model_fields(weights) | {"semantics": self._layer}

    def model_of(self, weights: dict[str, NDArray[Any]]) -> JointModel:
        """Returns a model with stored weights."""
        return JointModel(**self._model_fields(weights))


def _long(values: NDArray[Any]) -> Tensor:
    return torch.from_numpy(np.asarray(values, np.int64))
