"""Why greedy 2-planar is behind arc-eager here and not in S0 and S1: changes one thing at a time, for both parsers.

    python benchmarks/replication/ablation.py                        # five treebanks, LIBLINEAR: half an hour
    python benchmarks/replication/ablation.py --factor base --parser planar-left-reduce 2-planar-eager -- hu_szeged
    python benchmarks/replication/ablation.py --factor kernel-templates papers -- hu_szeged tr_imst     # LIBSVM
    python benchmarks/replication/ablation.py --factor malt-linear malt-lifted                # needs Java
    python benchmarks/replication/ablation.py --factor default-none default-right -- hu_szeged
    python benchmarks/replication/ablation.py --page                 # only rewrite docs/replication-ablation.md

The starting point, `base`, is that of parsers.py: LIBLINEAR, the shipped templates, trees, and an artificial root
before the words that may have several dependents. Each of the other factors changes one of these, or several at once;
see `FACTORS`. What counts is the gap: LAS of 2-planar minus LAS of arc-eager, with the same treebank and factor. The
systems of `STEPS` lead from planar to arc-eager and from 2-planar to 2-planar-eager, one transition at a time. The
factors `default-...` are about the default learner of `multiplane train`, the perceptron with a beam.

Results are added to ablation-results.json next to this file; existing ones are kept unless --again is given. Outputs,
which the significance tests need, are kept in a cache outside the repository. Needs ../shared/data.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache as cached
from pathlib import Path
from typing import Any, Literal

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "peers"))

import maltparser  # noqa: E402
import numpy as np  # noqa: E402
from ablation_page import write_page  # noqa: E402
from accuracy import scored  # noqa: E402
from common import DATA, cache, treebank  # noqa: E402
from function_heads import to_content_heads, to_function_heads  # noqa: E402
from runs import Identity, Results, add, changed, has, key_of, load  # noqa: E402

import multiplane as mp  # noqa: E402
from multiplane.evaluation import compare  # noqa: E402
from multiplane.evaluation.attachment import is_punctuation  # noqa: E402
from multiplane.features import FeatureModel  # noqa: E402
from multiplane.formats import Corpus, read  # noqa: E402
from multiplane.formats.rewrite import with_trees  # noqa: E402
from multiplane.parser import Parser  # noqa: E402
from multiplane.systems import REDUCE, SHIFT, TransitionSystem, systems  # noqa: E402
from multiplane.systems.catalogue import FOREST, planar_arcs  # noqa: E402
from multiplane.systems.system import Root  # noqa: E402
from multiplane.training import Settings  # noqa: E402
from multiplane.training.data import prepare  # noqa: E402
from multiplane.training.svm import fit_liblinear, fit_libsvm  # noqa: E402

RESULTS = HERE / "ablation-results.json"
TREEBANKS = ("nl_lassysmall-r1.4", "hu_szeged", "sv_talbanken-2015", "tr_imst", "got_proiel")
PARSERS = ("arc-eager", "planar", "2-planar")
STEPS = (
    "planar-left-reduce",
    "planar-right-shift",
    "planar-both",
    "2-planar-direct",
    "2-planar-joint",
    "2-planar-left-reduce",
    "2-planar-eager",
)
"""Systems with fewer decisions, from planar to arc-eager and from 2-planar to 2-planar-eager; see `new_systems`."""
REFERENCE = "arc-eager"
MALT = {"arc-eager": "nivreeager", "planar": "planar", "2-planar": "2planar"}
"""The names of the parsers in MaltParser."""
LENGTHS = ((1, 1), (2, 4), (5, 10**6))
LEFT: dict[str, Any] = {"root": "left", "single_root": False}
SPLIT: dict[str, Any] = {"learner": "libsvm", "split_threshold": 1000}


@dataclass(frozen=True)
class Factor:
    """What differs from the starting point."""

    settings: Mapping[str, Any] = field(default_factory=lambda: {"learner": "liblinear", **LEFT})
    templates: str | None = None
    """The first part of the names of the feature models next to this file, if not those that are shipped."""
    without: str | None = None
    """A pattern; those of the shipped transition templates that it matches are left out."""
    forests: bool = False
    """Whether words may be left without a head, to be attached to the root afterwards."""
    forest_root: Root = None
    changed: Literal["function-heads", "no-punctuation", "mirrored"] | None = None
    """How the treebank is changed: function words are made heads, punctuation is left out, or words are reversed."""
    tuned: bool = False
    """Whether the best epoch is chosen on dev, as `multiplane train` does."""
    malt: tuple[str, ...] | None = None
    """The learner's options in MaltParser, if that does the parsing."""
    lifted: bool = False
    """Whether MaltParser makes trees projective for arc-eager, by lifting arcs, before it learns from them."""


MALT_KERNEL = ("-l", "libsvm", "-d", "POSTAG", "-s", "Input[0]", "-T", "1000")
FACTORS: dict[str, Factor] = {
    "base": Factor(),
    "root-none": Factor({"learner": "liblinear", "root": "none"}),
    "root-right": Factor({"learner": "liblinear", "root": "right", "single_root": False}),
    "forests": Factor(forests=True),
    "forests-left": Factor(forests=True, forest_root="left"),
    "templates": Factor(templates="linear"),
    "no-history": Factor(without=r"transition\["),
    "no-labels": Factor(without=r"deprel|labels|valency|linked|transition\["),
    "function-heads": Factor(changed="function-heads"),
    "no-punctuation": Factor(changed="no-punctuation"),
    "mirrored": Factor(changed="mirrored"),
    "default-none": Factor({"root": "none"}, tuned=True),
    "default-left": Factor({"root": "left"}, tuned=True),
    "default-right": Factor({"root": "right"}, tuned=True),
    "kernel": Factor({**SPLIT, **LEFT}),
    "kernel-templates": Factor({**SPLIT, **LEFT}, templates="kernel"),
    "papers": Factor({**SPLIT, **LEFT}, templates="kernel", forests=True, forest_root="left"),
    "papers-function-heads": Factor(
        {**SPLIT, **LEFT}, templates="kernel", forests=True, forest_root="left", changed="function-heads"
    ),
    "malt-linear": Factor(malt=maltparser.LEARN),
    "malt-lifted": Factor(malt=maltparser.LEARN, lifted=True),
    "malt-lifted-function-heads": Factor(malt=maltparser.LEARN, lifted=True, changed="function-heads"),
    "malt-kernel": Factor(malt=MALT_KERNEL),
    "malt-kernel-lifted": Factor(malt=MALT_KERNEL, lifted=True),
}
QUICK = (
    "base",
    "root-none",
    "root-right",
    "forests",
    "forests-left",
    "templates",
    "no-history",
    "function-heads",
    "mirrored",
)
"""The factors with LIBLINEAR."""


def new_systems() -> list[TransitionSystem]:
    """The systems of `STEPS` that the catalogue lacks, which fold REDUCE or SHIFT into arcs.

    With one stack, the folded transition replaces the arc, as in arc-eager, which differs from planar-both only by the
    condition that a word needs a head before REDUCE. With two, each system adds to the one before it, as a word may
    have arcs in the other plane: no SWITCH, then REDUCE on both stacks at once, LEFT-ARC with it, RIGHT-ARC with SHIFT.
    """
    left, right = planar_arcs(FOREST)
    one = {"SHIFT": SHIFT, "REDUCE": REDUCE, "LEFT-ARC": left, "RIGHT-ARC": right}
    left_reduce, right_shift = {"LEFT-ARC": left >> REDUCE}, {"RIGHT-ARC": right >> SHIFT}
    eager = systems["2-planar-eager"].transitions
    declared = {
        "planar-left-reduce": one | left_reduce,
        "planar-right-shift": one | right_shift,
        "planar-both": one | left_reduce | right_shift,
        "2-planar-left-reduce": systems["2-planar-joint"].transitions | {"LEFT-REDUCE": eager["LEFT-REDUCE"]},
    }
    found = []
    for name, transitions in declared.items():
        like = systems["2-planar" if name.startswith("2") else "planar"]
        kind = {"stacks": like.stacks, "oracle": like.oracle, "features": like.features}
        found.append(TransitionSystem(name, transitions, **kind))  # type: ignore[arg-type]
    return found


@cached
def parts(name: str, how: str | None) -> tuple[Corpus, Corpus]:
    """The train and dev parts of a treebank, changed or not."""
    change: dict[str, Callable[[Corpus], Corpus]] = {
        "function-heads": lambda corpus: to_function_heads(corpus).corpus,
        "no-punctuation": without_punctuation,
        "mirrored": mirrored,
    }
    train, dev = (treebank(name, part) for part in ("train", "dev"))
    return (change[how](train), change[how](dev)) if how else (train, dev)


def without_punctuation(corpus: Corpus) -> Corpus:
    """The corpus without words that are punctuation and have no dependents."""
    kept = []
    for sentence in corpus:
        heads = set(sentence.heads)
        kept.append([w for w, form in enumerate(sentence.forms, 1) if w in heads or not is_punctuation(form)])
    return rearranged(corpus, kept)


def mirrored(corpus: Corpus) -> Corpus:
    """The corpus with the words of every sentence from the last to the first."""
    return rearranged(corpus, [range(len(sentence), 0, -1) for sentence in corpus])


def rearranged(corpus: Corpus, order: Iterable[Sequence[int]]) -> Corpus:
    """The corpus with these words in this order; sentences whose roots are all gone are left out."""
    names = {"forms": "form", "lemmas": "lemma", "upos": "upos", "xpos": "xpos", "feats": "feats", "deprels": "deprel"}
    rows: dict[str, list[list[Any]]] = {name: [] for name in (*names, "heads")}
    for sentence, words in zip(corpus, order, strict=True):
        heads = sentence.heads
        if all(heads[word - 1] for word in words):
            continue
        place = {0: 0} | {word: number for number, word in enumerate(words, 1)}
        rows["heads"].append([place[heads[word - 1]] for word in words])
        for name, column in names.items():
            values = sentence.column(column)
            rows[name].append([values[word - 1] for word in words])
    return Corpus.from_columns(**rows, format=corpus.dialect.name)  # type: ignore[arg-type]


def forests(system: TransitionSystem, root: Root) -> TransitionSystem:
    """The system without the restriction to trees, with or without an artificial root as a node."""
    about = {"stacks": system.stacks, "oracle": system.oracle, "loss": system.loss, "features": system.features}
    other = TransitionSystem(system.name, system.transitions, **about)  # type: ignore[arg-type]
    other.root = root
    return other


def settings_for(factor: Factor, parser: str, train: Corpus) -> dict[str, Any]:
    """The settings of `multiplane.train`."""
    settings = {**factor.settings, "system": parser}
    if factor.templates:
        settings["features"] = str(HERE / "features" / f"{factor.templates}-{parser}.toml")
    if factor.without:
        settings["features"] = str(fewer_templates(parser, factor.without))
    if settings.get("learner") == "libsvm":
        has_fine_tags = len(set(train.column("xpos"))) > 1
        settings["split"] = f"buffer[0].{'xpos' if has_fine_tags else 'upos'}"
    return settings


def fewer_templates(parser: str, pattern: str) -> Path:
    """A file with the shipped templates of a system but those for transitions that match a pattern."""
    model = FeatureModel.of(systems[parser])
    kept = tuple(template for template in model.transition if not re.search(pattern, str(template)))
    file = cache("ablation", "features") / f"{parser}-{hashlib.sha256(pattern.encode()).hexdigest()[:8]}.toml"
    file.write_text(replace(model.without_slots(), transition=kept).to_toml(), encoding="utf-8")
    return file


def train_forests(train: Corpus, settings: Settings, root: Root) -> Parser:
    """Trains a parser without the restriction to trees; it attaches words without a head to the root."""
    data = replace(prepare([train], settings), system=forests(systems[settings.system], root))
    fit = fit_liblinear if settings.learner == "liblinear" else fit_libsvm
    return Parser(fit(data, settings)[0])


def parse_with_maltparser(train: Corpus, dev: Corpus, algorithm: str, learn: tuple[str, ...]) -> Corpus:
    """The output of MaltParser for dev."""
    with tempfile.TemporaryDirectory() as folder:
        workdir = Path(folder)
        source, target = workdir / "dev.conllx", workdir / "out.conllx"
        source.write_bytes(maltparser.conllx(dev))
        maltparser.train(train, "model", algorithm, workdir, learn=learn)
        maltparser.parse("model", source, target, workdir)
        output = read(target)
    return with_trees(dev, output.heads, output.column("deprel"))


def output_of(name: str, how: str, parser: str, seed: int) -> Path:
    return cache("ablation", name) / f"{how}-{parser}-{seed}.conll"


def measure(identity: Identity) -> Results:
    """Trains a parser, scores it, and saves its output for dev."""
    name, how, parser, seed = identity
    factor = FACTORS[how]
    train, dev = parts(name, factor.changed)
    start = time.perf_counter()
    if factor.malt:
        options = ("-pp", "baseline") if factor.lifted and parser == REFERENCE else ()
        output = parse_with_maltparser(train, dev, MALT[parser], (*factor.malt, *options))
    else:
        settings = Settings(**settings_for(factor, parser, train), seed=seed)
        if factor.forests:
            trained = train_forests(train, settings, factor.forest_root)
        else:
            trained = mp.train(train, dev if factor.tuned else None, **settings_for(factor, parser, train), seed=seed)
        output = trained.parse(dev)
    seconds = time.perf_counter() - start
    output_of(*identity).write_bytes(output.to_bytes())
    run = {"treebank": name, "how": how, "parser": parser, "seed": seed, **scored(dev, output)}
    if factor.changed == "function-heads":
        # Comparable to the scores of other factors, as the gold trees are the same.
        run["las_back"] = scored(treebank(name, "dev"), to_content_heads(output))["las"]
    run |= {"seconds": round(seconds), "date": str(date.today())}
    print(json.dumps(run), file=sys.stderr, flush=True)
    return run


def contrast(run: Results) -> None:
    """Tests the difference in LAS between a parser and arc-eager: on all words, and on those that are no punctuation.

    The shared task of the papers' treebanks did not count punctuation.
    """
    name, how, seed = run["treebank"], run["how"], run["seed"]
    files = [output_of(name, how, parser, seed) for parser in (run["parser"], REFERENCE)]
    if run["parser"] == REFERENCE or not all(file.exists() for file in files):
        return
    dev = parts(name, FACTORS[how].changed)[1]
    outputs = [read(file, format=dev.dialect.name) for file in files]
    found = compare(dev, *outputs).las_full
    run["gap"], run["mcnemar"] = round(found.difference, 2), round(found.mcnemar, 4)
    run["bootstrap"] = round(found.bootstrap, 4)
    found = compare(dev, *outputs, convention="conllx").las_full
    run["gap_words"], run["mcnemar_words"] = round(found.difference, 2), round(found.mcnemar, 4)


def add_lengths(run: Results) -> None:
    """Adds the percentage of correct heads by the side and the length of the gold arc."""
    file = output_of(*key_of(run))
    if not file.exists():
        return
    dev = parts(run["treebank"], FACTORS[run["how"]].changed)[1]
    is_right = read(file, format=dev.dialect.name).heads == dev.heads
    place = np.arange(dev.words) - np.repeat(np.cumsum(dev.lengths) - dev.lengths, dev.lengths) + 1
    length = dev.heads - place
    groups = {"root": dev.heads == 0}
    for side, sign in (("left", 1), ("right", -1)):  # where the dependent is
        for least, most in LENGTHS:
            groups[f"{side} {least}"] = (dev.heads > 0) & (sign * length >= least) & (sign * length <= most)
    run["heads"] = {title: [int(is_right[group].sum()), int(group.sum())] for title, group in groups.items()}


def complete(run: Results) -> None:
    """Adds what follows from the outputs, once they are all there."""
    if "gap_words" not in run:
        contrast(run)
    if "heads" not in run:
        add_lengths(run)


def jobs_for(names: list[str], factors: list[str], parsers: list[str] | None) -> list[Identity]:
    """What to train; a factor that changes nothing on a treebank is left out."""
    found = []
    for how in factors:
        for name in names:
            if name == "danish_ddt" and (how == "root-none" or FACTORS[how].changed == "function-heads"):
                continue  # its trees have several roots, and its heads are function words already
            found += [(name, how, parser, 1) for parser in parsers or parsers_for(how)]
    return found


def parsers_for(how: str) -> tuple[str, ...]:
    if how.startswith("default"):
        return ("2-planar-eager",)
    return PARSERS if how in ("base", "forests", "function-heads") else (REFERENCE, "2-planar")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebank", nargs="*", default=list(TREEBANKS), help="by default five")
    parser.add_argument(
        "--factor", nargs="+", choices=FACTORS, default=list(QUICK), help="by default those that LIBLINEAR learns"
    )
    parser.add_argument("--parser", nargs="+", choices=(*PARSERS, *STEPS), help="by default those that matter")
    parser.add_argument("--again", action="store_true", help="repeat existing results")
    parser.add_argument("--page", action="store_true", help="train nothing")
    chosen = parser.parse_args()
    for system in new_systems():
        systems.register(system)
    if not chosen.page:
        if not DATA.exists():
            sys.exit("needs the treebanks in ../shared/data, which were not found")
        for identity in jobs_for(chosen.treebank, chosen.factor, chosen.parser):
            if not chosen.again and has(RESULTS, identity):
                continue
            run = measure(identity)
            with changed(RESULTS) as results:
                add(results, run)
                for other in results["runs"]:
                    complete(other)
    write_page(load(RESULTS))


if __name__ == "__main__":
    main()
