"""Sentences with enhanced graphs, written for the tests: form, lemma, head, relation and DEPS of every word."""

from multiplane.formats import Corpus
from multiplane.formats.reader import from_text

SHARED = """
Anna Anna 2 nsubj 2:nsubj|4:nsubj
buys buy 0 root 0:root
and and 4 cc 4:cc
sells sell 2 conj 2:conj:and
old old 6 amod 6:amod
clocks clock 2 obj 2:obj|4:obj
in in 8 case 8:case
Rome Rome 2 obl 2:obl:in|4:obl:in
"""
"""A subject, an object and an oblique shared by two conjuncts."""

CONTROL = """
They they 2 nsubj 2:nsubj|4:nsubj:xsubj
want want 0 root 0:root
to to 4 mark 4:mark
stay stay 2 xcomp 2:xcomp
because because 7 case 7:case
of of 5 fixed 5:fixed
rain rain 4 obl 4:obl:because_of
"""

RELATIVE = """
Sie sie 2 nsubj 2:nsubj
kennt kennen 0 root 0:root
das der 4 det 4:det
Dorf Dorf 2 obj 2:obj|9:obl:in
, , 9 punct 9:punct
in in 7 case 7:case
dem der 9 obl 4:ref
wir wir 9 nsubj 9:nsubj
wohnen wohnen 4 acl:relcl 4:acl:relcl
"""
"""The antecedent takes the place of the relative pronoun, which leads to a cycle."""

STRANDED = """
The the 2 det 2:det
chair chair 0 root 0:root|4:obl:on
she she 4 nsubj 4:nsubj
sat sit 2 acl:relcl 2:acl:relcl
on on 4 obl 2:case
"""

LIST = """
Jan Jan 2 nsubj 2:nsubj
koupil koupit 0 root 0:root
chléb chléb 2 obj 2:obj
, , 5 punct 5:punct
sýr sýr 3 conj 2:obj|3:conj:a
a a 7 cc 7:cc
víno víno 3 conj 2:obj|3:conj:a
v v 9 case 9:case
obchodě obchod 2 obl 2:obl:v:loc
"""
"""The conjunction stands only before the last of three conjuncts; a case follows the preposition."""

GAPPING = """
Luis Luis 2 nsubj 2:nsubj
bebe beber 0 root 0:root
té té 2 obj 2:obj
y y 5 cc 5.1:cc
Ana Ana 2 conj 5.1:nsubj
5.1 _ _ _ 2:conj:y
café café 5 orphan 5.1:obj
"""

SECOND_ROOT = """
Kom komma 0 root 0:root
och och 3 cc 3:cc
ät äta 1 conj 0:root|1:conj:och
! ! 1 punct 1:punct
"""

ODD = """
a a 0 root 0:root
b b 1 dep 1:dep|1:-|1:=
c c 1 dep 1:*|2:&|2:^x
d d 1 dep 1:!|3:a*b
"""
"""Several labels between the same words, and labels that look like templates."""

ALL = {
    "shared": SHARED,
    "control": CONTROL,
    "relative": RELATIVE,
    "stranded": STRANDED,
    "list": LIST,
    "gapping": GAPPING,
    "second root": SECOND_ROOT,
    "odd": ODD,
}


def corpus_of(*sentences: str) -> Corpus:
    """Reads sentences in the short form above."""
    lines = []
    for sentence in sentences:
        number = 0
        for row in sentence.split("\n")[1:-1]:
            form, lemma, head, deprel, deps = row.split(" ")
            is_empty = "." in form and head == "_"
            number += not is_empty
            first = (form, "_") if is_empty else (str(number), form)
            lines.append("\t".join((*first, lemma, "_", "_", "_", head, deprel, deps, "_")))
        lines.append("")
    return from_text("\n".join([*lines, ""]))
