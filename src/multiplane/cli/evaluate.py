"""`multiplane evaluate`: scores a parser's output."""

from __future__ import annotations

import click
from click.core import ParameterSource

from multiplane.cli import options, reliability
from multiplane.cli.verb import Verb
from multiplane.evaluation import (
    CONVENTIONS,
    GROUPINGS,
    LAYERS,
    SCORERS,
    Group,
    Score,
    Scores,
    breakdown,
    evaluate,
)
from multiplane.formats import Corpus, read
from multiplane.models import Model
from multiplane.parser import Parser

_ROWS: dict[str, tuple[tuple[str, ...], ...]] = {
    "ud": (
        ("Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "AllTags", "Lemmas"),
        ("UAS", "LAS", "LA", "CLAS", "MLAS", "BLEX"),
        ("LAS-full", "LA-full", "UAS-nopunct", "LAS-nopunct", "LA-nopunct", "UAS-undirected", "LAS-undirected"),
        ("UEM", "LEM", "NP", "NP-labelled"),
    ),
    "conllx": (
        ("UAS", "LAS", "LA", "UAS-punct", "LAS-punct", "LA-punct", "UAS-undirected", "LAS-undirected"),
        ("UEM", "LEM", "NP", "NP-labelled"),
    ),
}
"""The scores of each convention, in order of display, by paragraph."""

_LAYER_ROWS: tuple[tuple[str, ...], ...] = (
    ("Semantic", "Semantic-unlabelled", "Predicates", "Predicates-unlabelled", "Arguments", "Arguments-unlabelled"),
    ("LF", "UF", "LF-notops", "UF-notops", "Tops", "LM", "UM", "LM-notops", "UM-notops"),
    ("Propositions", "SEM", "Macro", "Macro-unlabelled", "Crossing", "Crossing-unlabelled"),
    ("ELAS", "EULAS", "ELAS-collapsed", "EULAS-collapsed"),
)
"""The scores of semantics and enhanced dependencies, which no convention changes."""

_OF_EDGES = ("UAS-undirected", "LAS-undirected")

convention = click.option(
    "--convention",
    type=click.Choice(list(CONVENTIONS)),
    default="ud",
    help="ud: like the CoNLL 2018 scorer (all words, labels without subtypes); "
    "conllx: like the CoNLL-X scorer (no punctuation, full labels).",
)

layer = click.option(
    "--layer", type=click.Choice(LAYERS), help="Score only this layer; by default, all that the files have."
)
scorer = click.option(
    "--scorer",
    type=click.Choice(list(SCORERS)),
    default="conll09",
    help="Count predicates and arguments like the CoNLL-2009 or CoNLL-2008 scorer.",
)


@click.command("evaluate", cls=Verb)
@click.argument("gold", type=click.Path())
@click.argument("system", type=click.Path())
@convention
@layer
@scorer
@click.option(
    "--undirected",
    is_flag=True,
    help="Add undirected scores before reconstruction; for an undirected model as SYSTEM.",
)
@click.option("--by", type=click.Choice(GROUPINGS), help="Report attachment scores by group: label, tag or length.")
@click.option(
    "--calibration",
    is_flag=True,
    help="Report how reliable confidence scores are: those in SYSTEM's MISC, or those of a model.",
)
@click.option(
    "--calibrate",
    metavar="OUT",
    type=click.Path(),
    help="Calibrate the model SYSTEM on GOLD, and write it to this folder.",
)
@click.option(
    "--beam", type=click.IntRange(min=1, max=10_000), help="Beam width, with --calibration or --calibrate and a model."
)
@options.output_format
@options.input_format
@click.option("--plot", type=click.Path(), metavar="FILE", help="Draw the groups of --by as a chart (.svg or .png).")
@options.quiet
def command(
    gold: str,
    system: str,
    convention: str,
    layer: str | None,
    scorer: str,
    undirected: bool,
    by: str | None,
    calibration: bool,
    calibrate: str | None,
    beam: int | None,
    output_format: str,
    input_format: str | None,
    plot: str | None,
    quiet: bool,
) -> None:
    """Score the file SYSTEM against the file GOLD.

    Both must have the same text. Words are aligned by characters, so the files may differ in words and sentences. If
    SYSTEM is a model's folder or name, its output for the words of GOLD is scored.
    """
    one_stdin(gold, system)
    if plot is not None and by is None:
        raise click.UsageError("--plot draws groups; choose them with --by")
    if plot is not None and not plot.lower().endswith((".svg", ".png")):
        raise click.UsageError(f"cannot draw '{plot}'; charts must end in .svg or .png")
    if undirected and by is not None:
        raise click.UsageError("--undirected scores all words; drop --by")
    if layer not in (None, "syntax") and (undirected or by is not None):
        raise click.UsageError(f"{'--by' if by else '--undirected'} is for trees; drop --layer {layer}")
    if beam is not None and not (calibration or calibrate):
        raise click.UsageError("--beam needs --calibration or --calibrate")
    if calibration or calibrate:
        if by or undirected or layer is not None:
            raise click.UsageError("--calibration and --calibrate are about trees; drop --by, --undirected and --layer")
        if unused := [name for name in ("convention", "scorer") if _is_given(name)]:
            raise click.UsageError(f"--calibration and --calibrate always count the same way; drop --{unused[0]}")
        reliability.run(gold, system, calibrate, beam, calibration, output_format, input_format, quiet)
        return
    parser = reliability.model_of(system)
    if parser is not None:
        layer = _predicted_layer(parser.model, layer)
    corpus = read(gold, input_format)
    corpora = (corpus, read(system, input_format) if parser is None else _output(parser, corpus))
    if layer in (None, "syntax"):
        note_schemes(corpus, gold, corpora[1], system, quiet)
    if by is None:
        scores = evaluate(*corpora, convention=convention, layer=layer, scorer=scorer)
        before = None
        if undirected and parser is not None and parser.model.system.is_undirected:
            before = evaluate(corpus, parser.edges(corpus), convention=convention, layer="syntax")
        _print_scores(scores, output_format, before)
        if undirected:
            options.note(_reconstruction(scores, before), quiet)
        words = scores["Words"]
        if missing := words.gold - words.correct:
            options.note(f"gold words missing from the system's output: {missing:,} of {words.gold:,}", quiet)
        return
    groups = breakdown(*corpora, by, convention=convention)
    if plot is not None:
        from multiplane.visual.chart import plot_groups  # noqa: PLC0415 - needs an extra

        plot_groups(groups, by, plot)
    _print_groups(groups, by, output_format)


def _is_given(name: str) -> bool:
    """Whether an option with a default was given."""
    return click.get_current_context().get_parameter_source(name) is not ParameterSource.DEFAULT


def _predicted_layer(model: Model, layer: str | None) -> str | None:
    """Returns the layer to score in a model's output; it takes those it does not predict from its input."""
    predicted = ("syntax",) if model.graph_layer is None else ("syntax", model.graph_layer)
    if layer is not None and layer not in predicted:
        raise click.UsageError(f"this model predicts only {' and '.join(predicted)}; drop --layer {layer}")
    return layer if len(predicted) > 1 else "syntax"


def _output(parser: Parser, corpus: Corpus) -> Corpus:
    """Parses the words of a treebank; predicted tags and lemmas replace the gold ones."""
    return parser.parse(corpus, predict=parser.model.predicted_columns)


def output_of(name: str, gold: Corpus, input_format: str | None, layer: str | None) -> tuple[Corpus, str | None]:
    """Returns a file, or what a model says of the words of a treebank, and the layer to score."""
    parser = reliability.model_of(name)
    if parser is None:
        return read(name, input_format), layer
    return _output(parser, gold), _predicted_layer(parser.model, layer)


def one_stdin(*paths: str) -> None:
    """Raises `UsageError` if several files are standard input."""
    if paths.count("-") > 1:
        raise click.UsageError("only one of the files can be standard input")


def note_schemes(gold: Corpus, gold_name: str, system: Corpus, system_name: str, quiet: bool) -> None:
    """Warns if two treebanks have no label or no tag in common: scores of 0 then say nothing about the parser.

    >>> from multiplane import sample
    >>> note_schemes(sample(), "GOLD", sample(), "SYSTEM", quiet=False)
    """
    columns = {"label": "deprel", "tag": "upos"}
    without = [name for name, column in columns.items() if _are_disjoint(_names(gold, column), _names(system, column))]
    if without:
        found = " and no ".join(without)
        options.note(
            f"warning: no {found} of {system_name} occurs in {gold_name}; they use different annotation schemes", quiet
        )


def _names(corpus: Corpus, column: str) -> set[str]:
    """Returns the values of a column, without subtypes."""
    if column not in corpus.dialect.columns:
        return set()
    return {value.partition(":")[0] for value in set(corpus.column(column))} - {"_"}


def _are_disjoint(gold: set[str], system: set[str]) -> bool:
    return bool(gold and system) and gold.isdisjoint(system)


def _print_scores(scores: Scores, form: str, before: Scores | None = None) -> None:
    """Prints all scores; `before` are those of the edges before reconstruction."""
    shown: dict[str, Score] = dict(scores.table)
    paragraphs = _ROWS[scores.convention] if "LAS" in shown else ()
    present = (tuple(name for name in names if name in shown) for names in _LAYER_ROWS)
    paragraphs += tuple(names for names in present if names)
    if before is not None:
        paragraphs += (tuple(f"{name}-before" for name in _OF_EDGES),)
        shown |= {f"{name}-before": before[name] for name in _OF_EDGES}
    if form == "text":
        rows: list[list[str]] = []
        for names in paragraphs:
            rows += [[], *([name, *_cells(shown[name])] for name in names)]
        columns = ["metric", "precision", "recall", "F1", "aligned", "gold", "system", "correct"]
        options.print_text(columns, rows[1:])
        return
    columns = ["metric", "precision", "recall", "f1", "aligned_accuracy", "gold", "system", "correct", "found"]
    nothing = None if form == "json" else ""
    values = [[name, *_values(shown[name], nothing)] for names in paragraphs for name in names]
    options.print_table(columns, values, form)


def _reconstruction(scores: Scores, before: Scores | None) -> str:
    """Returns the accuracy lost in reconstruction, if the edges before it are known."""
    if before is None:
        return "the edges before reconstruction are unknown; give the folder of an undirected model as SYSTEM"
    las, undirected = scores.las, before.las_undirected
    return f"reconstruction: undirected LAS {undirected:.2f} before, LAS {las:.2f} after ({las - undirected:+.2f})"


def _cells(score: Score) -> list[str]:
    aligned = score.aligned_accuracy
    correct = f"{score.correct:,}"
    if score.found not in (None, score.correct):
        correct = f"{score.correct:,} / {score.found:,}"
    return [
        _percent(score.precision, score.system),
        _percent(score.recall, score.gold),
        _percent(score.f1, score.gold + score.system),
        "" if aligned is None else _percent(aligned, score.aligned or 0),
        f"{score.gold:,}",
        f"{score.system:,}",
        correct,
    ]


def _percent(value: float, whole: int) -> str:
    """Formats a percentage, or a dash if the whole is empty."""
    return f"{value:.2f}" if whole else "-"


def _values(score: Score, nothing: str | None) -> list[object]:
    return [
        score.precision,
        score.recall,
        score.f1,
        nothing if score.aligned is None else score.aligned_accuracy,
        score.gold,
        score.system,
        score.correct,
        score.correct if score.found is None else score.found,
    ]


def _print_groups(groups: list[Group], by: str, form: str) -> None:
    if form == "text":
        rows = [
            [
                group.name,
                f"{group.las.gold:,}",
                f"{group.las.system:,}",
                *(
                    _percent(value, whole)
                    for score in (group.uas, group.las)
                    for value, whole in (
                        (score.precision, score.system),
                        (score.recall, score.gold),
                        (score.f1, score.gold + score.system),
                    )
                ),
            ]
            for group in groups
        ]
        columns = [by, "gold", "system", "UAS P", "UAS R", "UAS F1", "LAS P", "LAS R", "LAS F1"]
        options.print_text(columns, rows)
        return
    measures = ("precision", "recall", "f1")
    names = ["gold", "system", *(f"{kind}_{measure}" for kind in ("uas", "las") for measure in measures)]
    values = [
        [
            group.name,
            group.las.gold,
            group.las.system,
            *(getattr(score, measure) for score in (group.uas, group.las) for measure in measures),
        ]
        for group in groups
    ]
    options.print_table([by, *names], values, form)
