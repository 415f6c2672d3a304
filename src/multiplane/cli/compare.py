"""`multiplane compare`: tests whether two parsers differ."""

from __future__ import annotations

import click

from multiplane.cli import options
from multiplane.cli.evaluate import convention, layer, note_schemes, one_stdin, output_of, scorer
from multiplane.cli.verb import Verb
from multiplane.evaluation import Comparison, Contrast, compare
from multiplane.evaluation.significance import SAMPLES
from multiplane.formats import read
from multiplane.messages import counted


@click.command("compare", cls=Verb)
@click.argument("gold", type=click.Path())
@click.argument("a", type=click.Path())
@click.argument("b", type=click.Path())
@convention
@layer
@scorer
@click.option(
    "--samples",
    type=click.IntRange(min=1),
    default=SAMPLES,
    show_default=True,
    help="Number of samples for each random test.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the random samples.")
@options.output_format
@options.input_format
@options.quiet
def command(
    gold: str,
    a: str,
    b: str,
    convention: str,
    layer: str | None,
    scorer: str,
    samples: int,
    seed: int,
    output_format: str,
    input_format: str | None,
    quiet: bool,
) -> None:
    """Test whether the outputs A and B for the file GOLD differ by more than chance.

    If A or B is a model's folder or name, its output for the words of GOLD is compared.

    Three two-sided tests: McNemar's on words, the paired bootstrap over sentences, stratified shuffling of sentences.
    Semantic scores, Macro and ELAS are F1 scores; McNemar's test does not apply to them.
    """
    one_stdin(gold, a, b)
    corpus = read(gold, input_format)
    outputs = []
    for name in (a, b):
        output, layer = output_of(name, corpus, input_format, layer)
        outputs.append(output)
    if layer in (None, "syntax"):
        for output, name in zip(outputs, (a, b), strict=True):
            note_schemes(corpus, gold, output, name, quiet)
    result = compare(corpus, *outputs, convention=convention, layer=layer, scorer=scorer, samples=samples, seed=seed)
    if output_format == "text":
        _print(result)
        size = f"{counted(result.words, 'word')}, {counted(result.sentences, 'sentence')}"
        options.note(f"{size}, {samples:,} samples, seed {seed}", quiet)
        return
    columns = ["metric", "a", "b", "difference", "low", "high", "only_a", "only_b", "mcnemar", "bootstrap", "shuffling"]
    rows = [[*_values(contrast, output_format), samples, seed] for contrast in result]
    options.print_table([*columns, "samples", "seed"], rows, output_format)


def _values(c: Contrast, form: str) -> list[object]:
    ps = c.mcnemar, c.bootstrap, c.shuffling
    values: list[object] = [c.metric, c.a, c.b, c.difference, *c.interval, c.only_a, c.only_b]
    if form == "json":
        return [*values, *ps]
    # Two decimals are too few for small p-values.
    values += [p if p is None else f"{p:.3g}" for p in ps]
    return ["" if value is None else value for value in values]


def _print(result: Comparison) -> None:
    rows = [
        [
            c.metric,
            f"{c.a:.2f}",
            f"{c.b:.2f}",
            f"{c.difference:+.2f}",
            f"{c.interval[0]:+.2f} … {c.interval[1]:+.2f}",
            *("-" if words is None else f"{words:,}" for words in (c.only_a, c.only_b)),
            *(_p(p) for p in (c.mcnemar, c.bootstrap, c.shuffling)),
        ]
        for c in result
    ]
    columns = ["metric", "A", "B", "A - B", "95 %", "only A", "only B", "p: McNemar", "bootstrap", "shuffling"]
    options.print_text(columns, rows)


def _p(p: float | None) -> str:
    """Formats a p-value; a dash if the test does not apply.

    >>> _p(0.04321), _p(0.00001), _p(None)
    ('0.0432', '<0.0001', '-')
    """
    if p is None:
        return "-"
    return f"{p:.4f}" if p >= 0.0001 else "<0.0001"
