"""Lemmas: edit scripts that make them from forms, a dictionary of known words, and what helps with unknown ones."""

from __future__ import annotations

from dataclasses import dataclass

from multiplane import _native
from multiplane.errors import ModelError
from multiplane.formats.fields import FORBIDDEN

SCRIPTS, DICTIONARY, SUFFIXES, CAPITALS = "lemmas.scripts", "lemmas.dictionary", "lemmas.suffixes", "lemmas.capitals"
"""The names of the stored vocabularies."""


def edit_script(form: str, lemma: str) -> str:
    r"""Returns the script that turns a form into its lemma.

    A script says which case the lemma has (``lower``, ``title``: lower apart from the first letter, or ``keep``), and
    how many characters to drop and which ones to add, first at the beginning and then at the end. So it also fits
    other words. A lemma that shares nothing with its form is its own script.

    >>> edit_script("Making", "make"), edit_script("gemacht", "machen"), edit_script("was", "be")
    ('lower\t0+\t3+e', 'lower\t2+\t1+en', 'lemma\tbe')
    """
    return _native.edit_script(form, lemma)


def apply_script(script: str, form: str) -> str | None:
    r"""Returns the lemma that a script makes from a form; None if the form is too short for it.

    >>> apply_script("lower\t0+\t3+e", "Hoping"), apply_script("lower\t0+\t3+e", "ing")
    ('hope', None)
    """
    return _native.apply_script(script, form)


@dataclass(frozen=True, eq=False)
class Lemmas:
    r"""What a model knows of lemmas: a network chooses one of the scripts for words that the dictionary lacks.

    >>> lemmas = Lemmas(("lower\t0+\t0+", "lower\t0+\t1+"), ("mice\tNOUN\tmouse",), ("s\tNOUN\tnone\t1:120\t0:9",))
    >>> lemmas.to_vocabularies()["lemmas.suffixes"]
    ('s\tNOUN\tnone\t1:120\t0:9',)
    """

    scripts: tuple[str, ...]
    dictionary: tuple[str, ...]
    """Rows of form, UPOS and lemma, separated by tabs. UPOS is empty if the model does not know it; the lemma is empty
    if the form has several, so that the network has to choose.

    A form that has no row with its UPOS has the lemma of its lower case with this UPOS. For other words, scripts that
    lead to a lemma in the dictionary, with the same UPOS, score higher."""
    suffixes: tuple[str, ...] = ()
    """Rows of suffix, UPOS, the capitals of the forms (`none`, the `first` letter alone, or `others`), and the number
    of words for each script, as `1:120`. They add to the network's scores for words that the dictionary lacks. Empty
    in models stored by early versions."""
    capitals: tuple[str, ...] = ()
    """Rows of UPOS, XPOS, and whether the lemma of a capitalized form with these tags begins in `upper` or `lower`
    case, where this is nearly certain. They apply to forms that have no row with their UPOS in the dictionary. Empty in
    models stored by early versions."""

    def __post_init__(self) -> None:
        for name, rows in self.to_vocabularies().items():
            if any(FORBIDDEN.search(row.replace("\t", "")) for row in rows):
                raise ModelError(f"{name}: has a character that no field can contain")

    def to_vocabularies(self) -> dict[str, tuple[str, ...]]:
        """Returns the vocabularies to store."""
        return {
            SCRIPTS: self.scripts,
            DICTIONARY: self.dictionary,
            SUFFIXES: self.suffixes,
            CAPITALS: self.capitals,
        }
