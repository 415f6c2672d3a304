"""`multiplane evaluate --calibration` and `--calibrate`: the reliability of confidence scores."""

from __future__ import annotations

import os

import click

from multiplane.cli import options
from multiplane.data import named_models
from multiplane.errors import InputError
from multiplane.evaluation.reliability import Reliability, reliability
from multiplane.formats import Corpus, read
from multiplane.formats.rewrite import NewColumn, with_columns
from multiplane.models.confidence import parse_scored
from multiplane.models.files import check_target, is_model
from multiplane.parser import Parser, load


def run(
    gold: str,
    system: str,
    target: str | None,
    beam: int | None,
    shown: bool,
    form: str,
    input_format: str | None,
    quiet: bool,
) -> None:
    """Calibrates a model if a target is given, and prints the reliability of scores if requested."""
    parser = model_of(system)
    corpus = read(gold, input_format)
    if target is not None:
        if parser is None:
            raise click.UsageError(f"--calibrate needs a model as SYSTEM, but {system} is not one")
        check_target(target)
        parser = parser.calibrate(corpus, beam=beam)
        parser.save(target)
        width = parser.model.beam if beam is None else beam
        options.note(f"{target}: calibrated for a beam of {width}", quiet)
    if not shown:
        return
    if parser is not None:
        print_reliability(_of_model(parser, corpus, beam), form)
        return
    if beam is not None:
        raise click.UsageError("--beam needs a model as SYSTEM")
    print_reliability(reliability(corpus, read(system, input_format)), form)


def model_of(system: str) -> Parser | None:
    """Returns the model if SYSTEM is the folder or the name of one, or None if it is a file."""
    if is_model(system):
        return load(system)
    if os.path.exists(system) or system == "-":
        return None
    models = named_models()
    if system in models:
        return load(system)
    if "/" not in system and "." not in system:
        raise InputError(f"{system}: no such file or model; installed models: {', '.join(sorted(models))}")
    return None


def _of_model(parser: Parser, corpus: Corpus, beam: int | None) -> Reliability:
    """Returns the reliability of a model's scores, also for formats without MISC."""
    trees = parse_scored(parser.model, corpus, beam)
    columns = [NewColumn("head", trees.heads), NewColumn("deprel", trees.labels, parser.model.names)]
    return reliability(corpus, with_columns(corpus, columns), trees.confidences)


def print_reliability(found: Reliability, form: str) -> None:
    """Prints the bins and summary figures."""
    if form == "text":
        rows = [
            [f"{each.low:.2f}-{each.high:.2f}", f"{each.confidence:.3f}", f"{each.accuracy:.3f}", f"{each.words:,}"]
            for each in found.bins
        ]
        total = ["all", f"{found.confidence:.3f}", f"{found.accuracy:.3f}", f"{found.words:,}"]
        options.print_text(["score", "mean", "accuracy", "words"], [*rows, total])
        click.echo(f"\nexpected calibration error: {found.ece:.4f}")
        share, possible = f"{100 * found.least_certain:.1f} %", f"{100 * found.possible:.1f} %"
        click.echo(f"errors among the 10 % least certain arcs: {share} (at most {possible})")
        return
    columns = ["low", "high", "confidence", "accuracy", "words"]
    if form == "json":
        about = {"ece": found.ece, "least_certain": found.least_certain, "possible": found.possible}
        options.print_json(
            {"words": found.words, "accuracy": found.accuracy, "confidence": found.confidence}
            | about
            | {"bins": [{name: getattr(each, name) for name in columns} for each in found.bins]}
        )
        return
    rows = [[*(f"{getattr(each, name):.4f}" for name in columns[:-1]), str(each.words)] for each in found.bins]
    rows.append(["ece", "", "", f"{found.ece:.4f}", str(found.words)])
    rows.append(["least_certain", "", "", f"{found.least_certain:.4f}", str(found.words)])
    options.print_table(columns, rows, "tsv")
