"""Predicates with arguments: random ones, as text, and scores as eval09.pl and eval08.pl count them, loop by loop."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from random import Random

SENSES = ["run.01", "walk.01", "walk.1", "see.02", "v41jsB", "a.m.01", "b.m.01", "have.SU"]
ROLES = ["A0", "A1", "AM-TMP", "A0|A1", "A1|AM-TMP", "SU"]


@dataclass
class Frame:
    """A predicate at a position, and its arguments: fields by position."""

    position: int
    sense: str
    fields: dict[int, str] = field(default_factory=dict)


@dataclass
class Annotated:
    """A sentence: heads with labels, and frames in order of position."""

    heads: list[int]
    labels: list[str]
    frames: list[Frame]


def random_sentence(random: Random, size: int) -> Annotated:
    heads = [random.randrange(word) for word in range(1, size + 1)]
    labels = random.choices(["nsubj", "obj", "obl:tmod"], k=size)
    words = sorted(random.sample(range(1, size + 1), k=random.randint(0, size)))
    frames = [Frame(word, random.choice(SENSES)) for word in words]
    for frame in frames:
        frame.fields = {word: random.choice(ROLES) for word in range(1, size + 1) if random.random() < 0.4}
    return Annotated(heads, labels, frames)


def changed(sentence: Annotated, random: Random) -> Annotated:
    """A system's output: parts of the sentence from another random one."""
    other = random_sentence(random, len(sentence.heads))
    places = {frame.position: frame for frame in other.frames if random.random() < 0.3}
    places |= {frame.position: frame for frame in sentence.frames if random.random() < 0.8}
    frames = []
    for place in sorted(places):
        frame = places[place]
        sense = random.choice(SENSES) if random.random() < 0.2 else frame.sense
        fields = {word: role for word, role in frame.fields.items() if random.random() < 0.85}
        fields = {word: random.choice(ROLES) if random.random() < 0.15 else role for word, role in fields.items()}
        frames.append(Frame(place, sense, fields))
    mixed = [random.choice(pair) for pair in zip(sentence.heads, other.heads, strict=True)]
    return Annotated(mixed, [random.choice(pair) for pair in zip(sentence.labels, other.labels, strict=True)], frames)


def text_of(sentences: list[Annotated], form: str = "conll09") -> str:
    lines = []
    for sentence in sentences:
        senses = {frame.position: frame.sense for frame in sentence.frames}
        for word, (head, label) in enumerate(zip(sentence.heads, sentence.labels, strict=True), 1):
            sense = senses.get(word, "_")
            if form == "conll09":
                row = [word, f"w{word}", "_", "_", "N", "N", "_", "_", head, head, label, label]
                row += ["Y" if word in senses else "_", sense]
            else:
                row = [word, f"w{word}", "_", "N", "N", f"w{word}", "_", "N", head, label, sense]
            row += [frame.fields.get(word, "_") for frame in sentence.frames]
            lines.append("\t".join(map(str, row)))
        lines.append("")
    return "\n".join(lines) + "\n"


def sense09(text: str) -> str:
    parts = text.split(".")
    return parts[1] if len(parts) == 2 and all(parts) else text


def same_sense09(gold: str, system: str) -> bool:
    gold, system = sense09(gold), sense09(system)
    if gold.isdigit() and system.isdigit():
        return int(gold) == int(system)
    return gold == system


def same_sense08(gold: str, system: str) -> bool:
    one, two = ([*text.split("."), None][1] for text in (gold, system))
    return one == two


def arguments(frame: Frame, year: int) -> list[tuple[str, int]]:
    found = []
    for word, text in sorted(frame.fields.items()):
        roles = sorted(set(text.split("|"))) if year == 2009 else [text] * (text != "SU")
        found += [(role, word) for role in roles]
    return found


def propositions(sentence: Annotated, year: int) -> list[tuple[int, str, list[tuple[str, int]]]]:
    frames = [frame for frame in sentence.frames if year == 2009 or frame.sense.split(".")[1:2] != ["SU"]]
    return [(frame.position, frame.sense, arguments(frame, year)) for frame in frames]


def official_counts(gold: list[Annotated], system: list[Annotated], year: int) -> Counter[str]:
    """What the scorers count; the names are theirs."""
    counts: Counter[str] = Counter()
    same_sense = same_sense09 if year == 2009 else same_sense08
    for one, two in zip(gold, system, strict=True):
        before = Counter(counts)
        golds, systems = propositions(one, year), propositions(two, year)
        counts["tot_prop"] += len(golds)
        counts["pred_prop"] += len(systems)
        counts["tot_arg"] += sum(len(args) for *_, args in golds)
        counts["pred_arg"] += sum(len(args) for *_, args in systems)
        for position, sense, args in golds:
            for other_position, other_sense, other_args in systems:
                if position == other_position:
                    count_frame(counts, same_sense(sense, other_sense), args, other_args)
        new = counts - before
        counts["tot_sent"] += 1
        counts["cor_sent"] += all(
            new[kind] == new[f"corl{kind[kind.index('_') :]}"]
            for kind in ("tot_prop", "pred_prop", "tot_arg", "pred_arg")
        )
        for word, (head, label) in enumerate(zip(one.heads, one.labels, strict=True)):
            counts["tot"] += 1
            counts["head"] += head == two.heads[word]
            counts["both"] += (head, label) == (two.heads[word], two.labels[word])
    return counts


def count_frame(
    counts: Counter[str], is_sense: bool, gold: list[tuple[str, int]], system: list[tuple[str, int]]
) -> None:
    counts["coru_prop"] += 1
    counts["corl_prop"] += is_sense
    counts["full_corl_prop"] += is_sense and len(gold) == len(system) and all(each in system for each in gold)
    used: set[tuple[str, int, str]] = set()
    for g in gold:
        for s in system:
            if g[1] == s[1]:
                if ("g", *g) not in used and ("s", *s) not in used:
                    used |= {("g", *g), ("s", *s)}
                    counts["coru_arg"] += 1
                counts["corl_arg"] += g[0] == s[0]
