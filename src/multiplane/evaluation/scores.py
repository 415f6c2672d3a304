"""The scores of a system's output, by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from multiplane.display import Shown
from multiplane.evaluation.score import Score

_SHOWN = ("UAS", "LAS", "CLAS", "Semantic", "Macro", "LF", "UF", "ELAS", "EULAS")


@dataclass(frozen=True, repr=False)
class Scores(Shown):
    """The scores of a system's output, in percent; ``scores["LAS"]`` has the precision, recall and counts of LAS.

    Scores over words and sentences are F1, which equals accuracy if both sides have the same words.

    A score of a layer that was not scored raises `KeyError`.

    >>> from multiplane import evaluate, sample
    >>> scores = evaluate(sample(), sample())
    >>> scores
    <Scores ud: UAS 100.00, LAS 100.00, CLAS 100.00, ELAS 100.00, EULAS 100.00>
    >>> scores.np_precision, scores["NP"].gold
    (100.0, 42)
    """

    convention: str
    table: Mapping[str, Score] = field(hash=False)
    """All scores by name."""

    def __getitem__(self, name: str) -> Score:
        if name not in self.table:
            raise KeyError(f"{name} was not scored; available: {', '.join(self.table)}")
        return self.table[name]

    def __repr__(self) -> str:
        shown = [f"{name} {self[name].f1:.2f}" for name in _SHOWN if name in self.table]
        return f"<Scores {self.convention}: {', '.join(shown)}>"

    @property
    def uas(self) -> float:
        """Unlabelled attachment score: words with the correct head."""
        return self["UAS"].f1

    @property
    def las(self) -> float:
        """Labelled attachment score: words with the correct head and label, as the convention compares labels."""
        return self["LAS"].f1

    @property
    def la(self) -> float:
        """Label accuracy: words with the correct label, as the convention compares labels."""
        return self["LA"].f1

    @property
    def las_full(self) -> float:
        """LAS with full labels, including subtypes."""
        return self["LAS-full"].f1

    @property
    def la_full(self) -> float:
        """Label accuracy with full labels, including subtypes."""
        return self["LA-full"].f1

    @property
    def uas_with_punctuation(self) -> float:
        """UAS of all words."""
        return self["UAS-punct"].f1

    @property
    def las_with_punctuation(self) -> float:
        """LAS of all words."""
        return self["LAS-punct"].f1

    @property
    def la_with_punctuation(self) -> float:
        """Label accuracy of all words."""
        return self["LA-punct"].f1

    @property
    def uas_without_punctuation(self) -> float:
        """UAS without punctuation."""
        return self["UAS-nopunct"].f1

    @property
    def las_without_punctuation(self) -> float:
        """LAS without punctuation."""
        return self["LAS-nopunct"].f1

    @property
    def la_without_punctuation(self) -> float:
        """Label accuracy without punctuation."""
        return self["LA-nopunct"].f1

    @property
    def uas_undirected(self) -> float:
        """UAS ignoring the direction of arcs."""
        return self["UAS-undirected"].f1

    @property
    def las_undirected(self) -> float:
        """LAS ignoring the direction of arcs."""
        return self["LAS-undirected"].f1

    @property
    def exact_match(self) -> float:
        """Sentences in which all counted words have the correct head."""
        return self["UEM"].f1

    @property
    def exact_match_labelled(self) -> float:
        """Sentences in which all counted words have the correct head and label."""
        return self["LEM"].f1

    @property
    def np_precision(self) -> float:
        """The share of the system's non-projective arcs that are correct, ignoring labels (NPP)."""
        return self["NP"].precision

    @property
    def np_recall(self) -> float:
        """The share of the gold standard's non-projective arcs that the system found, ignoring labels (NPR)."""
        return self["NP"].recall

    @property
    def np_precision_labelled(self) -> float:
        """The share of the system's non-projective arcs that are correct, with full labels (LP-NP)."""
        return self["NP-labelled"].precision

    @property
    def np_recall_labelled(self) -> float:
        """The share of the gold standard's non-projective arcs that the system found, with full labels (LR-NP)."""
        return self["NP-labelled"].recall

    @property
    def clas(self) -> float:
        """Content-word labelled attachment score."""
        return self["CLAS"].f1

    @property
    def mlas(self) -> float:
        """Morphology-aware labelled attachment score."""
        return self["MLAS"].f1

    @property
    def blex(self) -> float:
        """Bilexical dependency score."""
        return self["BLEX"].f1

    @property
    def upos(self) -> float:
        """Words with the correct coarse POS tag."""
        return self["UPOS"].f1

    @property
    def xpos(self) -> float:
        """Words with the correct fine POS tag."""
        return self["XPOS"].f1

    @property
    def ufeats(self) -> float:
        """Words with the correct universal features."""
        return self["UFeats"].f1

    @property
    def alltags(self) -> float:
        """Words with the correct tags and universal features."""
        return self["AllTags"].f1

    @property
    def lemmas(self) -> float:
        """Words with the correct lemma."""
        return self["Lemmas"].f1

    @property
    def tokens(self) -> float:
        """Tokens that cover the same characters."""
        return self["Tokens"].f1

    @property
    def words(self) -> float:
        """Words that both sides have."""
        return self["Words"].f1

    @property
    def sentences(self) -> float:
        """Sentences that cover the same characters."""
        return self["Sentences"].f1

    @property
    def semantic_f1(self) -> float:
        """Predicates with their senses and arguments with their roles, pooled."""
        return self["Semantic"].f1

    @property
    def semantic_f1_unlabelled(self) -> float:
        """Predicates and arguments, without senses and roles."""
        return self["Semantic-unlabelled"].f1

    @property
    def predicates(self) -> float:
        """Predicates with the correct sense."""
        return self["Predicates"].f1

    @property
    def predicates_unlabelled(self) -> float:
        """Predicates, whatever their sense."""
        return self["Predicates-unlabelled"].f1

    @property
    def arguments(self) -> float:
        """Arguments with the correct role."""
        return self["Arguments"].f1

    @property
    def arguments_unlabelled(self) -> float:
        """Arguments of the correct predicate, whatever their role."""
        return self["Arguments-unlabelled"].f1

    @property
    def propositions(self) -> float:
        """Predicates with the correct sense and exactly the correct arguments."""
        return self["Propositions"].f1

    @property
    def semantic_exact_match(self) -> float:
        """Sentences in which all predicates and arguments are correct."""
        return self["SEM"].f1

    @property
    def macro_f1(self) -> float:
        """F1 of the means of LAS and semantic precision, and of LAS and semantic recall."""
        return self["Macro"].f1

    @property
    def macro_f1_unlabelled(self) -> float:
        """The same, for UAS and semantics without senses and roles."""
        return self["Macro-unlabelled"].f1

    @property
    def crossing_pairs(self) -> float:
        """Pairs of crossing semantic arcs, both correct."""
        return self["Crossing"].f1

    @property
    def crossing_pairs_unlabelled(self) -> float:
        """Pairs of crossing semantic arcs, both correct apart from labels."""
        return self["Crossing-unlabelled"].f1

    @property
    def lf(self) -> float:
        """Labelled F1 of an SDP graph, top nodes included."""
        return self["LF"].f1

    @property
    def uf(self) -> float:
        """Unlabelled F1 of an SDP graph, top nodes included."""
        return self["UF"].f1

    @property
    def lf_without_tops(self) -> float:
        """Labelled F1 of an SDP graph without top nodes."""
        return self["LF-notops"].f1

    @property
    def uf_without_tops(self) -> float:
        """Unlabelled F1 of an SDP graph without top nodes."""
        return self["UF-notops"].f1

    @property
    def tops(self) -> float:
        """Top nodes of SDP graphs."""
        return self["Tops"].f1

    @property
    def lm(self) -> float:
        """SDP graphs that are entirely correct."""
        return self["LM"].f1

    @property
    def um(self) -> float:
        """SDP graphs that are entirely correct apart from labels."""
        return self["UM"].f1

    @property
    def lm_without_tops(self) -> float:
        """SDP graphs that are entirely correct apart from top nodes."""
        return self["LM-notops"].f1

    @property
    def um_without_tops(self) -> float:
        """SDP graphs that are entirely correct apart from top nodes and labels."""
        return self["UM-notops"].f1

    @property
    def elas(self) -> float:
        """Enhanced arcs between words with the correct label."""
        return self["ELAS"].f1

    @property
    def eulas(self) -> float:
        """Enhanced arcs between words with the correct label, apart from subtypes."""
        return self["EULAS"].f1

    @property
    def elas_collapsed(self) -> float:
        """ELAS after empty nodes are collapsed into label paths."""
        return self["ELAS-collapsed"].f1

    @property
    def eulas_collapsed(self) -> float:
        """EULAS after empty nodes are collapsed into label paths."""
        return self["EULAS-collapsed"].f1
