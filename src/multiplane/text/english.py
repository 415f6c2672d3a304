"""Splits English into words and sentences as in the treebank UD English-EWT.

Words come from a table of patterns. Sentences come from the package `syntok`, with a table of exceptions for EWT.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from multiplane.text.tokenizer import Token

if TYPE_CHECKING:
    from regex import Pattern


def _one_of(words: str) -> str:
    return "|".join(words.split())


_TITLES = _one_of("Mr Mrs Ms Dr Prof Rev Hon Gov Sen Rep Reps Gen Col Capt Lt Sgt Maj St Mt Ft")
_DATES = _one_of("Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec Mon Tues Tue Wed Thurs Thur Thu Fri")
_COMPANIES = _one_of("Inc Corp Co Ltd Bros")
_OTHERS = rf"{_COMPANIES}|" + _one_of("Jr Sr Esq Dept Univ Ave Blvd Rd Vol Attn Ph vs etc ext approx esp yrs")
_NUMBERED = _one_of("Figs? figs? Nos? nos? Vols? vols? pp? chs? Chs? Sec sec Art art Eqs? eqs? Para para approx ext ca")
_MIDDLE = rf"{_COMPANIES}|" + _one_of(
    "Jr Sr Esq Dept Univ Ave Blvd Rd Attn Figs? figs? Vols? vols? pp approx vs esp yrs eds? Eds? lbs? oz ft hrs? est "
    "incl excl cf viz al"
)
"""Abbreviations that seldom end a sentence."""
_DEGREES = _one_of(r"(?:Ph|Ed|Psy|Pharm|Th)\.D [BM]\.(?:Sc|Ed|Eng|Phil|Com|Tech|Mus)")
_PREFIXES = _one_of("e non pre anti mid re post over co pro multi ex sub semi neo cross counter socio psycho ultra")
_UNITS = _one_of("am pm k m b bn mm cm km ft kg lb lbs mg ml mph")
_SUFFIXES = _one_of("com net org edu gov info uk docx? xlsx? pptx? pdf txt html? jpg png url js")
_SMILEY = r"[:;=]['-]?[()]++|(?<!\w)[:;=]-?[DPp/](?!\w)|\^_\^|<3(?!\d)"
_APOSTROPHE = "['’`ʼ]"

WORDS = {
    "plain": r"\p{L}++(?=[ ,])",  # a shortcut for most words
    "address": r"(?i:https?://|ftp://|mailto:|www\.)[^\s<>\"]*[^\s<>\".,;:!?)\]}'’”]",
    "mail": r"[\w.%+-]{1,64}+@\w(?:[\w.-]{0,250}\w)?",
    "site or file": rf"(?:\w{{1,64}}+(?:[.-]\w{{1,64}}+){{0,8}})?\.(?i:{_SUFFIXES})(?!\w)",
    "programming language": r"(?<!\w)(?:\p{L}|Notepad)\+\+(?:\d\d(?!\w)|(?![\w+]))|(?<!\w)[A-J]#(?!\w)",
    "mention or hashtag": r"(?<![\w@#])(?:@\p{L}\w{0,63}+(?:\.\w{1,63}+){0,8}|#\p{L}\w++)",
    "it, shortened": r"(?<![\w'’])['’](?i:t(?:is|was|were|will|would))(?:(?i:n['’]t))?(?!\w)",
    "word without its start": r"(?<![\w'’])['’](?i:em|til)(?![\w'’])",
    "fraction": r"\d*+[¼-¾⅐-⅞](?!\w)",
    "group": r"\p{Ll}{2,64}+(?:\.\p{Ll}{2,64}+){2,8}+",
    "smiley": _SMILEY,
    "phone or ZIP": r"(?:\d-)?\d{3}[-/.]\d{3}-\d{4}(?!\d)|(?:\d{3}|\d{5})-\d{4}(?!\d)",
    "date": r"\d\d?/\d\d?/\d{2,4}|\d/\d\d(?!\d)|\d\d?-\d\d?-\d{2,4}|(?<!\w)['’]\d\ds?(?!\w)",
    "number before a unit": rf"\d++(?:[.,:]\d++){{0,8}}+(?=(?i:{_UNITS})(?!\w))",
    "decimal before a unit": r"\d++\.\d++(?=\p{L}{1,4}+(?!\w))",
    "number": r"(?:(?<!\w)\+)?\d++(?:[.,:]\d++){0,8}+(?!\w)(?!['’]s)",
    "degree": rf"(?:{_DEGREES})(?:\.|(?!\w))",
    "abbreviation": rf"(?:{_TITLES}|{_DATES}|{_OTHERS})\.",
    "abbreviation before a number": rf"(?<!\w)(?:{_NUMBERED})\.(?=\s*\d)",
    "abbreviation in a sentence": rf"(?:{_MIDDLE})\.(?=,|\s+\p{{Ll}})",
    "initials": r"(?:\p{L}\.)+\p{L}(?:\.|(?!\w))|(?<![\w.])[A-HJ-Z]\.(?=\s+\p{Lu})",
    "prefixed": rf"(?i:{_PREFIXES})-\w++",
    "genitive": r"\p{L}+s['’](?= )(?<!(?:^|\W)['‘][^'‘’]{1,80}['’])",  # no closing quote
    "word": rf"\w++(?:&\w++)*+(?:{_APOSTROPHE}\w++)*+",
    "stops": r"[.!?]{2,}+|…++\.*+",
    "run": r"([-*=+~#$/<>'’`])\1++|‘’",
    "flag": r"\p{RI}{2}",
    "other": r"\S(?:[\p{M}\p{Emoji_Modifier}]|\u200d\S)*+",  # with the characters joined to it
}
"""Patterns of words; the first one that matches wins.

Repetitions that may fail are bounded or possessive, so that matching takes linear time on any text.
"""

CONTRACTIONS = {
    "it": r"(['’]t)(is|was|were|will|would)(n['’]t)?",
    "not": rf"(\w+)(n{_APOSTROPHE}t)",
    "verb or genitive": rf"([\w&'’`]*\p{{L}})({_APOSTROPHE}(?:s|m|re|ve|ll|d))",
    "genitive": r"(\p{L}+s)(['’])",
    "not, without apostrophe": r"(do|did|does|is|are|was|have|has|had|wo|ca|could|would|should|ai)(nt)",
    "verb, without apostrophe": r"(?-i:([Ii])(m|ve))|(you|they)(re|ve)|(that|what|there|here|he|she|who|let)(s)",
    "fused": r"(can)(not)|(gon|wan)(na)|(got|out)(ta)",
}
"""Patterns of contractions, case-insensitive; the groups are the words. The first word may be a contraction, too."""

_DAY = r"(?:Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)"
_SUBJECT = rf"(?:{_one_of('He She It They We This These There')})(?!\w)"
_STARTERS = (
    "I You Those That The A An In On At If When While As After Before But And Or So However Please Thanks Then Now "
    "What Who Why How Where My Our Your His Her Its Their No Not Yes For From To With Is Are Do Did Does Can Could "
    "Will Would Should Let Some Many Most All Also Another See Here"
)
_START = rf"(?:{_SUBJECT}|(?:{_one_of(_STARTERS)})(?!\w))"
_PLACES = _one_of(r"U\.[SKN] E\.U D\.C N\.Y L\.A P\.[SM] A\.M")  # and times: a sentence may well end behind them

ENDS = {
    "no end after a title": (rf"(?<!\w)(?:{_TITLES})\.", rf"(?!{_SUBJECT}|I(?!\w))[\p{{L}}\d]", False),
    "no end within a date": (rf"(?<!\w)(?:{_DATES})\.", rf"\d|(?:{_DATES})(?!\w)", False),
    "no end after an initial": (r"(?<![\w.])[A-HJ-Z]\.", rf"(?!{_START})\p{{Lu}}", False),
    "no end after initials": (rf"(?<![\w.])(?!{_PLACES})\p{{Lu}}\.\p{{Lu}}\.", rf"(?!{_START})\p{{Lu}}\p{{Ll}}", False),
    "no end after the sign of a postscript": (r"(?<![\w.])P\.S\.", r"\p{L}", False),
    "no end between an abbreviation and lower case": (
        rf"(?<!\w)(?:{_TITLES}|{_DATES}|{_MIDDLE}|(?:\p{{L}}\.){{1,8}}\p{{L}})\.",
        r"\p{Ll}",
        False,
    ),
    "no end before a number that belongs to a word": (rf"(?<!\w)(?:{_NUMBERED})\.", r"\d", False),
    "no end between hours and days": (r"\d ?(?i:am|pm)", rf"{_DAY} ?[-–] ?{_DAY}(?!\w)", False),
    "end after a number that starts no item of a list": (
        rf"(?:[\p{{L}}$£€]|(?<!\w)(?:{_NUMBERED})\.) ?\d(?:[.,:]?\d){{0,20}}\.",
        _START,
        True,
    ),
    "end after an abbreviation before a subject": (
        rf"(?<!\w)(?:{_COMPANIES}|Jr|Sr|Ave|Blvd|(?!P\.S)\p{{Lu}}\.\p{{Lu}}(?:\.\p{{Lu}}){{0,6}})\.",
        _SUBJECT,
        True,
    ),
}
"""Where a sentence always or never ends: what is before a space, what is behind it, and whether a sentence ends there.

On the train and dev files of EWT, each agrees with the treebank wherever it applies. Repetitions are bounded.
"""

SENTENCES = {
    "a smiley closes its sentence": (r".+", _SMILEY, False),
    "end after a smiley": (_SMILEY, r"\p{Lu}.*", True),
    "no start with a stop": (r".+", r"[.!?]+", False),
    "lower case may start a sentence": (r"[.!?]", r"\p{Ll}.*", True),
}
"""Whether a sentence ends between two words separated by a space where `ENDS` says nothing; if no pattern matches,
`syntok` decides."""


class _Rules(NamedTuple):
    """The tables, ready to use."""

    word: Pattern[str]
    contraction: Pattern[str]
    known: list[tuple[Pattern[str], bool]]
    """The spaces where a sentence always or never ends."""
    ends: list[tuple[Pattern[str], Pattern[str], bool]]
    segmented: Callable[[str], Iterable[Any]]
    """Splits a text into the sentences of `syntok`."""


@cache
def _rules() -> _Rules:
    """Compiles the tables on first use: it takes longer than the start of most commands."""
    import regex  # noqa: PLC0415
    from syntok import segmenter  # noqa: PLC0415
    from syntok.tokenizer import Tokenizer as SyntokTokenizer  # noqa: PLC0415

    syntok = SyntokTokenizer(emit_hyphen_or_underscore_sep=True, replace_not_contraction=False)
    return _Rules(
        regex.compile("|".join(f"(?:{pattern})" for pattern in WORDS.values())),
        regex.compile("|".join(CONTRACTIONS.values()), regex.IGNORECASE),
        [(regex.compile(f"(?<={before}) ++(?={behind})"), ends) for before, behind, ends in ENDS.values()],
        [(regex.compile(before), regex.compile(behind), ends) for before, behind, ends in SENTENCES.values()],
        lambda text: segmenter.segment(syntok.tokenize(text)),
    )


class English:
    """The tokenizer `english`."""

    def sentences(self, text: str) -> Iterator[list[Token]]:
        """Yields the sentences of a paragraph.

        >>> sentences = English().sentences("We can't. So what?")
        >>> [[token.words or token.form for token in sentence] for sentence in sentences]
        [['We', ('ca', "n't"), '.'], ['So', 'what', '?']]
        """
        starts = {sentence[0].offset for sentence in _rules().segmented(text)}
        known = self.ends(text)
        sentence: list[Token] = []
        for token in self.tokens(text):
            if sentence and known.get(sentence[-1].end, _ends(sentence[-1], token, starts)):
                yield self.closed(sentence)
                sentence = []
            sentence.append(token)
        if sentence:
            yield self.closed(sentence)

    def tokens(self, text: str) -> Iterator[Token]:
        """Yields the tokens of a paragraph, regardless of sentences.

        >>> [token.form for token in English().tokens("See http://example.org/a.b, Mr. O'Neill.")]
        ['See', 'http://example.org/a.b', ',', 'Mr.', "O'Neill", '.']
        """
        for found in _rules().word.finditer(text):
            form = found[0]
            yield Token(form, found.start(), found.end(), _parts(form))

    def ends(self, text: str) -> Mapping[int, bool]:
        """Returns where a sentence always (True) or never (False) ends: the places behind its last character.

        >>> English().ends("See file 1. It is by J. Smith.")
        {23: False, 11: True}
        """
        return {space.start(): ends for pattern, ends in _rules().known for space in pattern.finditer(text)}

    def closed(self, sentence: list[Token]) -> list[Token]:
        """Splits the period off the last word if that is an abbreviation.

        >>> English().closed([Token("etc.", 0, 4)])
        [Token(form='etc', start=0, end=3, words=()), Token(form='.', start=3, end=4, words=())]
        """
        form, start, end, _ = sentence[-1]
        if form[-1] == "." and form[0].isalpha():
            return [*sentence[:-1], Token(form[:-1], start, end - 1), Token(".", end - 1, end)]
        return sentence


@lru_cache(1 << 14)  # the same words recur
def _parts(form: str) -> tuple[str, ...]:
    """Returns the words of a contraction, or ().

    >>> _parts("I'd've"), _parts("'twasn't"), _parts("dog")
    (('I', "'d", "'ve"), ("'t", 'was', "n't"), ())
    """
    first, *others = _split(form)
    return (*_split(first), *others) if others else ()


def _split(form: str) -> tuple[str, ...]:
    found = _rules().contraction.fullmatch(form)
    return tuple(filter(None, found.groups())) if found else (form,)


def _ends(last: Token, token: Token, starts: set[int]) -> bool:
    """Whether a sentence ends between two words."""
    syntok_ends = token.start in starts
    if last.end < token.start and (syntok_ends or not last.form[-1].isalnum()):
        for before, behind, ends in _rules().ends:
            if before.fullmatch(last.form) and behind.fullmatch(token.form):
                return ends
    return syntok_ends
